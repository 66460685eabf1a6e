"""Trace files: reading, writing. The format is specified in docs/traces.md.

A path that ends in ``.gz`` is gzip; what it holds is the same text.
"""

import gzip
import io
import zlib
from pathlib import Path

from unison.traces.errors import TraceError
from unison.traces.fields import ms_text
from unison.traces.model import Trace
from unison.traces.parse import COLUMNS, KEYS, MAGIC, VERSION, Parser

_GZIP_LEVEL = 9


def dumps(trace: Trace) -> str:
    """The file's text: the same trace always gives the same bytes."""
    header = trace.header
    out = [f"{MAGIC} {VERSION}"]
    for key in KEYS:
        value = getattr(header, key)
        text = "none" if value is None else str(value)
        out.append(f"# {key}: {' '.join(text.split())}")
    out.append(",".join(COLUMNS))
    for t in trace.turns():
        wait = "" if t.wait_us is None else ms_text(t.wait_us)
        out.append(
            f"{t.session},{t.turn},{wait},{ms_text(t.service_us)},"
            f"{t.prompt_tokens},{t.output_tokens},{t.tool}"
        )
    return "\n".join(out) + "\n"


def write_trace(trace: Trace, path: Path | str) -> None:
    """Write `path`; gzip carries no time and no name, so its bytes repeat too.

    TraceError when the text would not be read back as the same trace. OSError as usual.
    """
    text = dumps(trace)
    if loads(text, path) != trace:
        raise TraceError(
            path, 0, "trace", "a header value with line breaks or double blanks", "one line"
        )
    data = text.encode()
    if Path(path).suffix == ".gz":
        buffer = io.BytesIO()
        with gzip.GzipFile("", "wb", _GZIP_LEVEL, buffer, mtime=0) as stream:
            stream.write(data)
        data = buffer.getvalue()
    Path(path).write_bytes(data)


def loads(text: str, path: Path | str = "<text>") -> Trace:
    """Parse a file's text; TraceError with the first fault."""
    parser = Parser(path, 1)
    trace = parser.parse(_lines(text))
    if trace is None:
        raise parser.errors[0]
    return trace


def read_trace(path: Path | str) -> Trace:
    """Read a trace file; TraceError with the first fault (an unreadable file is one)."""
    return loads(read_text(path), path)


def check_trace(path: Path | str, limit: int = 20) -> list[TraceError]:
    """All faults of a file, at most `limit`, in the order of the lines."""
    try:
        text = read_text(path)
    except TraceError as error:
        return [error]
    parser = Parser(path, limit)
    parser.parse(_lines(text))
    return parser.errors


def _lines(text: str) -> list[str]:
    # Not splitlines(): it also splits at characters that may stand inside a line.
    lines = text.removesuffix("\n").split("\n") if text else []
    return [line.removesuffix("\r") for line in lines]


def read_text(path: Path | str) -> str:
    """Decoded content of a plain or gzip file; TraceError when there is none."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise TraceError(path, 0, "file", error.strerror or str(error), "a readable file") from None
    if Path(path).suffix == ".gz":
        data = _gunzip(data, path)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        raise TraceError(path, line, "text", f"byte 0x{byte:02x}", "UTF-8") from None


def _gunzip(data: bytes, path: Path | str) -> bytes:
    if not data:
        raise TraceError(path, 0, "gzip", "an empty file", "a gzip file")
    out = b""
    while data:
        stream = zlib.decompressobj(wbits=31)
        try:
            out += stream.decompress(data)
        except zlib.error as error:
            line = out.count(b"\n") + 1
            raise TraceError(
                path, line, "gzip", f"a damaged file ({error})", "a gzip file"
            ) from None
        if not stream.eof:
            line = out.count(b"\n") + 1
            raise TraceError(path, line, "gzip", "a truncated file", "a complete gzip file")
        data = stream.unused_data
    return out
