"""Which Liberty file to use, unpacked where Yosys, ABC and OpenSTA can all read it."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from synth import liberty
from synth.mapping import ROOT, FlowError

BUILD = ROOT / "build" / "synth"
#: What Debian's qflow-tech-osu018 installs: the only standard-cell library a registry gives.
DEFAULT = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")
_INSTALL = "sudo apt-get install -y qflow-tech-osu018"


@dataclass(frozen=True)
class Chosen:
    """A library: the unpacked file, what was read from it, and a digest of its text."""

    path: Path
    library: liberty.Library
    digest: str

    @property
    def name(self) -> str:
        """Name inside the file."""
        return self.library.name


def choose(path: str | None = None) -> Chosen:
    """The library at `path`, or of LIB, or the default. FlowError says how to get it."""
    given = path or os.environ.get("LIB") or ""
    source = Path(given) if given else DEFAULT
    if not source.is_file():
        hint = "give LIB=<file.lib[.gz]>" if given else f"run: {_INSTALL}; or {'LIB=<file.lib>'}"
        raise FlowError(f"no Liberty file at {source}; {hint}")
    text = liberty.read_text(source)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    unpacked = BUILD / "lib" / f"{source.name.removesuffix('.gz').removesuffix('.lib')}.lib"
    unpacked.parent.mkdir(parents=True, exist_ok=True)
    if not unpacked.exists() or unpacked.read_text() != text:
        unpacked.write_text(text)
    return Chosen(unpacked, liberty.load(unpacked), digest)
