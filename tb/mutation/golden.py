"""Mutation of the golden model by mutmut, in a copy of it under `build/mutate/model`.

What is mutated, and with which tests, stands in pyproject.toml under ``[tool.mutmut]``; names
there are those of the copy: ``src/unison`` is ``model/unison``. mutmut keeps what it has done, so
an interrupted run goes on.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tb.mutation.campaign import FOLDER, CampaignError
from tb.mutation.exclusions import FILE as EXCLUSIONS
from tb.mutation.exclusions import ExclusionError
from tb.mutation.page import TARGETS, _versions, rate
from tb.simulators import ROOT

WORK = FOLDER / "model"
#: Names of a fifth of the mutants, for a sample: mutmut numbers those of a function.
SAMPLE = ("*3", "*7")
#: mutmut's exit codes of a mutant's tests.
_SURVIVED, _NO_TESTS = (0,), (33,)


def _config() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mutmut"]


def _prepare() -> None:
    digest = hashlib.sha256()
    for part in ("model/unison", "model/tests", "pyproject.toml"):
        root = ROOT / part
        for path in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
            digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    stamp = WORK / "digest"
    if stamp.exists() and stamp.read_text() == digest.hexdigest():
        return
    shutil.rmtree(WORK, ignore_errors=True)
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "model" / "unison", WORK / "src" / "unison", ignore=ignore)
    shutil.copytree(ROOT / "model" / "tests", WORK / "model" / "tests", ignore=ignore)
    # Not the project's pytest settings: its paths are not the copy's.
    lines = ["[tool.mutmut]", *(f"{k} = {json.dumps(v)}" for k, v in _config().items())]
    lines += ["[tool.pytest.ini_options]", 'pythonpath = ["src", "."]', 'markers = ["long: slow"]']
    (WORK / "pyproject.toml").write_text("\n".join(lines) + "\n")
    stamp.write_text(digest.hexdigest())


def _environment() -> dict[str, str]:
    own = {str(ROOT), str(ROOT / "model")}
    path = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p and p not in own]
    return os.environ | {"PYTHONPATH": os.pathsep.join(path), "PYTHONWARNINGS": "ignore",
                         "UNISON_TRACES": str(ROOT / "traces")}  # fmt: skip


def _codes() -> Iterator[tuple[str, str, int | None]]:
    """(file, mutant, exit code of its tests) of all; None: not tried."""
    for meta in sorted((WORK / "mutants").rglob("*.py.meta")):
        name = str(meta.relative_to(WORK / "mutants" / "src"))[: -len(".meta")]
        for mutant, code in json.loads(meta.read_text())["exit_code_by_key"].items():
            yield name, mutant, code


_SHOW = """
import json, sys
from mutmut.__main__ import get_diff_for_mutant
print(json.dumps({name: get_diff_for_mutant(name) for name in json.load(sys.stdin)}))
"""


def _changes(mutants: list[str]) -> dict[str, str]:
    """What each mutant changes, as "old to new"."""
    done = subprocess.run(
        [sys.executable, "-c", _SHOW], input=json.dumps(mutants), cwd=WORK, env=_environment(),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    out = {}
    for name, diff in json.loads(done.stdout.splitlines()[-1]).items():
        lines = [x for x in diff.splitlines() if x[:3] not in ("---", "+++")]
        old = " ".join(x[1:].strip() for x in lines if x.startswith("-"))
        new = " ".join(x[1:].strip() for x in lines if x.startswith("+"))
        out[name] = f"{old} => {new}"
    return out


def load_exclusions(path: Path = EXCLUSIONS) -> list[tuple[str, str]]:
    """("function | old => new", why) of the entries of the model in the exclusion file."""
    out = []
    for entry in tomllib.loads(path.read_text()).get("model", []):
        why = " ".join(entry.get("why", "").split())
        if len(why) < 20:
            raise ExclusionError(f"{entry}: no argument")
        out.append((f"{entry['function']} | {entry['change']}", why))
    return out


def _plain(mutant: str) -> str:
    """unison.core.golden.EventCore.step for mutmut's name of one of its mutants."""
    name = mutant.rpartition("__mutmut_")[0]
    module, _, function = name.rpartition(".")
    names = function.split("\u01c1")  # of a class: x, class, method
    function = ".".join(names[1:]) if names[1:] else function.removeprefix("x_")
    return f"{module}.{function}"


def run(sample: bool = False) -> dict:
    """Run mutmut; returns the summary of this part. CampaignError when it judges nothing."""
    _prepare()
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", "1"]
    log = WORK / "mutmut.log"
    with log.open("w") as out:
        subprocess.run(
            [*command, *(SAMPLE if sample else ())], cwd=WORK, env=_environment(), stdout=out,
            stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
    tried = [(f, m, c) for f, m, c in _codes() if c is not None]
    if not tried or (not sample and len(tried) != len(list(_codes()))):
        raise CampaignError("mutmut did not finish:\n" + log.read_text()[-1500:])
    living = [m for _, m, c in tried if c in (*_SURVIVED, *_NO_TESTS)]
    changes = _changes(living)
    why = dict(load_exclusions())
    names = {m: f"{_plain(m)} | {changes[m]}" for m in living}
    if not sample and (stale := [k for k in why if k not in names.values()]):
        raise ExclusionError("no such survivor any more: " + "; ".join(stale))
    rows: dict[str, Counter] = {}
    survivors, equivalents = [], []
    for file, mutant, _ in tried:
        kind = "killed"
        if mutant in names:
            entry = {"mutant": _plain(mutant), "change": changes[mutant]}
            kind = "equivalent" if names[mutant] in why else "survived"
            if kind == "survived":
                survivors.append(entry)
            else:
                equivalents.append(entry | {"why": why[names[mutant]]})
        rows.setdefault(file, Counter())[kind] += 1
    killed = len(tried) - len(living)
    score = rate(killed, len(tried), len(equivalents))
    config = _config()
    return {
        "chosen": len(tried), "killed": killed, "survived": len(survivors),
        "equivalent": len(equivalents), "rate": round(score, 2), "target": TARGETS["model"],
        "passed": score >= TARGETS["model"], "tools": _versions("model"),
        "files": [f.replace("src/", "model/") for f in config["only_mutate"]],
        "tests": config["pytest_add_cli_args_test_selection"],
        "modules": {k: dict(v) for k, v in sorted(rows.items())},
        "survivors": survivors, "equivalents": equivalents,
    }  # fmt: skip
