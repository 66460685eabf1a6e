"""Where compiled code is kept: import this module before `numba`.

Numba notices a change of a function's own file, not of the files it calls into; a folder named
by the content of every file that is compiled cannot be stale. The choice travels to child
processes in the environment, and their sources may differ (an edit since, another checkout), so a
child chooses again unless a user set the folder.
"""

import hashlib
import os
import shutil
import sys
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
#: Old versions kept beside the current one.
_KEPT = 2
#: Says that NUMBA_CACHE_DIR was chosen here, by this process or a parent, and not by a user.
_MARK = "UNISON_NUMBA_CACHE_DIR"


def _digest() -> str:
    parts = [
        p
        for sub in ("contract", "scoring", "learning", "sim", "policies")
        for p in (_PACKAGE / sub).rglob("*.py")
    ]
    total = hashlib.sha256()
    for path in sorted(parts):
        total.update(path.read_bytes())
    return total.hexdigest()[:16]


def _choose() -> None:
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "unison" / "numba"
    folder = home / _digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        others = sorted(home.iterdir(), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in others[_KEPT + 1 :]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        # No home to write to: numba falls back to __pycache__, or compiles every time.
        return
    os.environ["NUMBA_CACHE_DIR"] = os.environ[_MARK] = str(folder)
    if "numba" in sys.modules:
        # Imported before us: it has read the environment already.
        sys.modules["numba"].config.CACHE_DIR = str(folder)


if os.environ.get("NUMBA_CACHE_DIR") == os.environ.get(_MARK):
    _choose()
