"""The one error of the trace tools: where, what was got, what was expected."""

from pathlib import Path


class TraceError(Exception):
    """A fault in a trace, a recording or a calibration file.

    path: the file. line: 1-based, 0 when the fault is of the file as a whole.
    field: the column or header key. got, expected: short texts for a person.
    """

    def __init__(self, path: Path | str, line: int, field: str, got: str, expected: str) -> None:
        self.path, self.line, self.field, self.got, self.expected = path, line, field, got, expected
        where = f"{path}:{line}" if line else f"{path}"
        super().__init__(f"{where}: {field}: got {got}, expected {expected}")

    def __reduce__(self) -> tuple:
        # Exceptions pickle by their message alone, which a pool of processes could not rebuild.
        return type(self), (self.path, self.line, self.field, self.got, self.expected)


def shown(value: str, limit: int = 40) -> str:
    """`value` quoted and shortened, so that a broken file cannot flood the terminal."""
    return repr(value if len(value) <= limit else value[: limit - 3] + "...")
