"""Runs the stages over the mutants that are still alive, and keeps what came of each."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tb.mutation import schemata
from tb.mutation.sites import Mutant
from tb.mutation.stages import STAGES, Stage
from tb.simulators import BUILD, ROOT

FOLDER = BUILD / "mutate"
#: Seconds without a line in the journal after which a simulation counts as hung; a build's limit.
WALL, BUILD_WALL = 90, 1200
_COPIED = ("rtl", "tb", "model", "traces")
#: Files of tb/mutation that decide no verdict.
_NO_JUDGES = ("page.py", "exclusions.py", "golden.py", "__main__.py", "test_mutation.py")
_BLOCK = """
import json, sys
from tb.block.runner import run_block
top, shape, seed = json.loads(sys.argv[1])
run_block(top, "tb.mutation.inside", shape, seed=seed)
"""


def _say(line: str) -> None:
    print(line, flush=True)


class CampaignError(Exception):
    """The regression does not judge: the original fails, or a build does."""


class Campaign:
    """A choice of mutants, their build folder, and the verdicts so far (kept on disk).

    verdicts: {"by": test, "why": text, "stage": name} of what has been killed, by number.
    keep_killed: when only tests have changed since the last run, believe its kills and try the
    rest again; else a change of anything begins anew.
    """

    def __init__(
        self, mutants: list[Mutant], folder: Path = FOLDER,
        stages: tuple[Stage, ...] | None = None, say: Callable[[str], None] = _say,
        keep_killed: bool = False,
    ) -> None:  # fmt: skip
        self.mutants, self.folder, self.say = mutants, folder, say
        self.stages = STAGES if stages is None else stages
        self.work = folder / "work"
        self.verdicts: dict[int, dict] = {}
        self._done: set[str] = set()
        self._began = time.monotonic()
        self._prepare(keep_killed)

    # What is kept.

    def _digests(self) -> dict[str, str]:
        """Of the design and its mutants, and of what judges them."""
        out = {}
        for name, parts, facts in (
            ("design", ("rtl", "model/unison"), self.mutants),
            ("tests", ("tb",), (self.stages, sys.version)),
        ):
            digest = hashlib.sha256(repr(facts).encode())
            for path in sorted(p for part in parts for p in (ROOT / part).rglob("*")):
                if path.suffix in (".sv", ".py") and path.name not in _NO_JUDGES:
                    digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
            out[name] = digest.hexdigest()
        return out

    def _own_digest(self, name: str) -> str:
        """Of a stage and its tests."""
        stage = next(s for s in self.stages if s.name == name)
        digest = hashlib.sha256(repr(stage).encode())
        for module in stage.tests:
            path = ROOT / (module.partition(":")[0].replace(".", "/") + ".py")
            digest.update(path.read_bytes())
        return digest.hexdigest()

    def _prepare(self, keep_killed: bool) -> None:
        stamp, now = self.folder / "digests.json", self._digests()
        self._log = self.folder / "verdicts.jsonl"
        old = json.loads(stamp.read_text()) if stamp.exists() else {}
        kept = [json.loads(x) for x in _text(self._log).splitlines()]
        if old.get("design") != now["design"] or (old != now and not keep_killed):
            kept = []
            shutil.rmtree(self.folder / "work", ignore_errors=True)
        elif old != now:
            own = self._own_digest
            kept = [e for e in kept if "done" not in e or e.get("digest") == own(e["done"])]
        if old != now:
            self._copy()
            self._log.write_text("".join(json.dumps(e) + "\n" for e in kept))
            stamp.write_text(json.dumps(now))
        self._done |= {e["done"] for e in kept if "done" in e}
        self.verdicts |= {e["mutant"]: e for e in kept if "mutant" in e}
        if self.verdicts:
            self.say(f"mutate: {len(self.verdicts)} verdicts of an earlier run are kept")

    def _copy(self) -> None:
        """A copy of the project with the mutants in it; what has not changed keeps its age."""
        ignore = shutil.ignore_patterns("__pycache__")
        for part in _COPIED:
            if part != "rtl":
                shutil.rmtree(self.work / part, ignore_errors=True)
                shutil.copytree(ROOT / part, self.work / part, ignore=ignore)
        if not (self.work / "rtl").exists():
            shutil.copytree(ROOT / "rtl", self.work / "rtl")
            schemata.write(self.work / "rtl", self.mutants)

    def _keep(self, entry: dict) -> None:
        with self._log.open("a") as out:
            out.write(json.dumps(entry) + "\n")

    def _kill(self, number: int, stage: str, by: str, why: str) -> None:
        entry = {"mutant": number, "stage": stage, "by": by, "why": why}
        self.verdicts[number] = entry
        self._keep(entry)

    # Running.

    @property
    def alive(self) -> list[Mutant]:
        """Mutants that nothing has killed so far."""
        return [m for m in self.mutants if m.number not in self.verdicts]

    def run(self) -> None:
        """All stages. CampaignError when the original fails."""
        for stage in self.stages:
            below = [m for m in self.alive if not stage.below or m.module in stage.below]
            if stage.name in self._done or not below:
                continue
            self._stage(stage, [m.number for m in below])
            self._finish(stage.name)

    def _finish(self, name: str) -> None:
        self._done.add(name)
        self._keep({"done": name, "digest": self._own_digest(name)})
        self.progress(f"{name} done")

    def progress(self, what: str) -> None:
        """One line: how many are dead and how many live."""
        total, dead = len(self.mutants), len(self.verdicts)
        bar = "#" * (20 * dead // max(total, 1))
        seconds = time.monotonic() - self._began
        self.say(f"mutate: [{bar:20}] {dead}/{total} killed, {seconds:.0f} s: {what}")

    def _environment(self) -> dict[str, str]:
        path = os.pathsep.join([str(self.work / "model"), str(self.work), *_extra_path()])
        clean = {k: v for k, v in os.environ.items() if k != "MAKEFLAGS"}
        return clean | {"PYTHONPATH": path, "COCOTB_LOG_LEVEL": "CRITICAL"}

    def _stage(self, stage: Stage, numbers: list[int]) -> None:
        journal = self.folder / f"{stage.name}.jsonl"
        limits: dict[str, int] = {}
        waiting = [0, *numbers]
        while waiting:
            journal.unlink(missing_ok=True)
            task = {"tests": stage.tests, "mutants": waiting, "journal": str(journal),
                    "limits": limits}  # fmt: skip
            code, output = self._process(stage, task, journal)
            entries = list(_lines(journal))
            if not entries:
                raise CampaignError(f"stage {stage.name}: no test began\n{output[-2000:]}")
            self._judge(stage, entries)
            begun = [e["mutant"] for e in entries]
            if begun[0] == 0 and not limits:
                limits = {e["test"]: 3 * e["ns"] + 100_000 for e in entries
                          if e["mutant"] == 0 and e["verdict"] == "passed"}  # fmt: skip
                tests = {e["test"] for e in entries if e["mutant"] == 0}
                if set(limits) != tests:
                    raise CampaignError(f"stage {stage.name}: the original fails: {entries}")
            last = entries[-1]
            if last["verdict"] == "begins":
                how = "hangs" if code is None else "stops the simulator"
                self._kill(last["mutant"], stage.name, f"{stage.name}: {last['test']}", how)
            at = waiting.index(last["mutant"]) + 1
            waiting = waiting[at:]

    def _process(self, stage: Stage, task: dict, journal: Path) -> tuple[int | None, str]:
        """One simulator process; exit code None: it hung and was ended."""
        log = self.folder / f"{stage.name}.log"
        env = self._environment() | stage.env | {"MUTATION": json.dumps(task)}
        command = [sys.executable, "-c", _BLOCK, json.dumps([stage.top, stage.shape, 1])]
        seen, shown, since = 0, 0, time.monotonic()
        with log.open("w") as out:
            process = subprocess.Popen(
                command, cwd=self.work, env=env, stdout=out, stderr=subprocess.STDOUT,
                start_new_session=True,
            )  # fmt: skip
            try:
                while process.poll() is None:
                    time.sleep(0.2)
                    now = time.monotonic()
                    size = journal.stat().st_size if journal.exists() else 0
                    if size != seen:
                        seen, since = size, now
                        if now - shown > 15:
                            shown = now
                            entries = list(_lines(journal))
                            # Kept at once: an interrupted run goes on from here.
                            self._judge(stage, entries)
                            dead = sum(e["verdict"] == "killed" for e in entries)
                            at = task["mutants"].index(entries[-1]["mutant"]) + 1
                            of = len(task["mutants"])
                            self.progress(f"{stage.name}: {at}/{of} tried, {dead} of them killed")
                    elif now - since > (WALL if seen else BUILD_WALL):
                        return None, log.read_text(errors="replace")
            finally:
                if process.poll() is None:
                    # The simulator is a child of it, in its group.
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        return process.returncode, log.read_text(errors="replace")

    def _judge(self, stage: Stage, entries: list[dict]) -> None:
        for e in entries:
            if e["verdict"] == "killed" and e["mutant"] and e["mutant"] not in self.verdicts:
                self._kill(e["mutant"], stage.name, f"{stage.name}: {e['test']}", e["why"])
            elif e["verdict"] == "killed" and not e["mutant"]:
                raise CampaignError(
                    f"stage {stage.name}: the original fails {e['test']}: {e['why']}"
                )


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def _extra_path() -> list[str]:
    """What PYTHONPATH holds besides this project."""
    own = {str(ROOT), str(ROOT / "model")}
    return [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p and p not in own]


def _lines(journal: Path) -> Iterator[dict]:
    if journal.exists():
        for line in journal.read_text().splitlines():
            try:
                yield json.loads(line)
            except ValueError:  # being written
                return
