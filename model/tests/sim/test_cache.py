"""The folder of compiled code belongs to the sources of the process that uses it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import unison

_CHOOSE = "import unison.sim.cache, os; print(os.environ['NUMBA_CACHE_DIR'])"


def _folder(path: Path, environment: dict[str, str], first: str = "") -> str:
    run = subprocess.run(
        [sys.executable, "-c", first + _CHOOSE],
        env=environment | {"PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


def test_a_child_with_other_sources_has_another_folder(tmp_path):
    changed = tmp_path / "unison"
    shutil.copytree(Path(unison.__file__).parent, changed, ignore=shutil.ignore_patterns("__py*"))
    clean = {k: v for k, v in os.environ.items() if "NUMBA_CACHE_DIR" not in k}
    clean["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    parent = _folder(tmp_path, clean)
    inherited = clean | {"NUMBA_CACHE_DIR": parent, "UNISON_NUMBA_CACHE_DIR": parent}
    assert _folder(tmp_path, inherited) == parent
    with (changed / "sim" / "pool.py").open("a") as file:
        file.write("# changed\n")
    assert _folder(tmp_path, inherited) != parent


def test_a_users_folder_stays(tmp_path):
    chosen = {k: v for k, v in os.environ.items() if "NUMBA_CACHE_DIR" not in k}
    chosen["NUMBA_CACHE_DIR"] = str(tmp_path)
    assert _folder(Path(unison.__file__).parents[1], chosen) == str(tmp_path)


def test_numba_imported_before_takes_the_folder(tmp_path):
    clean = {k: v for k, v in os.environ.items() if "NUMBA_CACHE_DIR" not in k}
    clean["XDG_CACHE_HOME"] = str(tmp_path)
    check = "import numba; import unison.sim.cache; from numba.core import config\n"
    check += "assert 'unison' in config.CACHE_DIR, config.CACHE_DIR\n"
    assert _folder(Path(unison.__file__).parents[1], clean, check).startswith(str(tmp_path))
