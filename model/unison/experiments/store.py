"""Measured cells on disk, by content: an interrupted sweep goes on where it stopped."""

import functools
import hashlib
import json
import os
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from unison.experiments.base import Cell, Row
from unison.traces.measure_data import shared_dir
from unison.traces.paths import traces_dir

_PACKAGE = Path(__file__).parents[1]
#: What a measured value can depend on.
_SOURCES = (
    "contract",
    "scoring",
    "learning",
    "core",
    "metrics",
    "sim",
    "policies",
    "traces",
    "experiments",
)
_LIBRARIES = ("numpy", "numba", "scipy", "lightgbm")


def _inputs() -> list[Path]:
    """Source files, traces, calibrations and recordings."""
    found = [p for folder in _SOURCES for p in (_PACKAGE / folder).rglob("*.py")]
    for folder in (traces_dir() / "data", traces_dir() / "calibration", shared_dir() / "traces"):
        found += [p for p in folder.glob("*") if p.is_file()]
    return sorted(found)


@functools.cache
def digest() -> str:
    """Digest of all that a measurement rests on: sources, data, versions of libraries."""
    total = hashlib.sha256()
    for path in _inputs():
        total.update(path.name.encode())
        total.update(path.read_bytes())
    for name in _LIBRARIES:
        try:
            total.update(f"{name} {version(name)}".encode())
        except PackageNotFoundError:
            total.update(f"no {name}".encode())
    return total.hexdigest()


def canonical(value: object) -> str:
    """JSON text that is the same for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


class Store:
    """Rows by cell, one file each below `folder`. A file is whole or absent."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def _path(self, cell: Cell) -> Path:
        key = hashlib.sha256(f"{digest()}{canonical(cell)}".encode()).hexdigest()
        return self.folder / f"{key[:32]}.json"

    def get(self, cell: Cell) -> list[Row] | None:
        """Rows measured before with the same sources and data, or None."""
        try:
            held = json.loads(self._path(cell).read_text())
        except (OSError, ValueError):
            return None
        return held["rows"] if held.get("cell") == json.loads(canonical(cell)) else None

    def put(self, cell: Cell, rows: list[Row]) -> None:
        """Keep the rows of a cell."""
        path = self._path(cell)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_text(canonical({"cell": cell, "rows": rows}))
        part.replace(path)

    def write_all(self, name: str, rows: list[Row]) -> Path:
        """All rows as JSON lines, for readers; returns the file."""
        path = self.folder / f"{name}.jsonl"
        path.write_text("".join(canonical(r) + "\n" for r in rows))
        return path
