"""Parameters and ports of the top level, read from the header comments of ``rtl/unison.sv``.

What a parameter may be is read from the checks that refuse the rest (`$fatal`), so that the page
cannot promise what elaboration denies.
"""

import re
from dataclasses import dataclass

_PARAMETER = re.compile(r"parameter int (\w+)\s*=\s*([\w:]+),?$")
_PORT = re.compile(r"(input|output)\s+logic\s*(?:\[(\d+):0\])?\s*(\w+),?$")
_CONSTANT = re.compile(r"localparam int (\w+) = (\d+);")
_FATAL = re.compile(r'\$fatal\(1,\s*"unison: (\w+): ([^"]*)"\s*(?:,([^;]*))?\);')


class HeaderError(ValueError):
    """The source is not written as this parser expects; the message says where."""


@dataclass(frozen=True)
class Parameter:
    """An elaboration parameter. legal: what the core's own checks accept, in their words."""

    name: str
    default: int
    doc: str
    legal: tuple[str, ...]


@dataclass(frozen=True)
class Port:
    """A pin or a bus of pins."""

    name: str
    output: bool
    width: int
    doc: str


@dataclass(frozen=True)
class Header:
    """The top level as its user sees it."""

    parameters: tuple[Parameter, ...]
    ports: tuple[Port, ...]


def constants(package: str) -> dict[str, int]:
    """Integer constants of the text of ``rtl/unison_pkg.sv``, as ``unison_pkg::Name``."""
    return {f"unison_pkg::{name}": int(value) for name, value in _CONSTANT.findall(package)}


def _legal(source: str, known: dict[str, int]) -> dict[str, list[str]]:
    """By parameter: what its checks expect."""
    found: dict[str, list[str]] = {}
    for name, message, arguments in _FATAL.findall(source):
        wanted = message.partition("expected ")[2] or message
        # The first argument is what was got; those that are left belong to what was expected.
        for argument in [a.strip() for a in arguments.split(",")][1:]:
            if argument in known:
                wanted = wanted.replace("%0d", str(known[argument]), 1)
            else:
                wanted = wanted.replace(" = %0d", "", 1)
        if "%" in wanted:
            raise HeaderError(f"{name}: the check {message!r} has an argument too few")
        found.setdefault(name, []).append(wanted)
    return found


def parse(source: str, package: str) -> Header:
    """Read the text of ``rtl/unison.sv``. HeaderError: a line that it cannot take."""
    known = constants(package)
    start = source.index("module unison #(")
    head, end, _ = source[start:].partition("\n);")
    if not end:
        raise HeaderError("unison.sv: the port list does not end with a line ');'")
    legal = _legal(source, known)
    parameters: list[Parameter] = []
    ports: list[Port] = []
    doc: list[str] = []
    for line in (raw.strip() for raw in head.splitlines()[1:]):
        if line.startswith("///"):
            doc.append(line[3:].strip())
            continue
        if line in ("", ") ("):
            continue
        if not doc:
            raise HeaderError(f"unison.sv: {line!r} has no /// comment")
        text, doc = " ".join(doc), []
        if match := _PARAMETER.match(line):
            name, value = match.groups()
            default = known[value] if value in known else int(value)
            if name not in legal:
                raise HeaderError(f"unison.sv: nothing checks the parameter {name}")
            parameters.append(Parameter(name, default, text, tuple(legal[name])))
        elif match := _PORT.match(line):
            direction, msb, name = match.groups()
            ports.append(Port(name, direction == "output", int(msb or 0) + 1, text))
        else:
            raise HeaderError(f"unison.sv: {line!r} is neither a parameter nor a port")
    return Header(tuple(parameters), tuple(ports))
