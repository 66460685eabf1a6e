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
from tb.mutation.stages import RUNS, STAGES, Stage
from tb.simulators import BUILD, PLUSARGS, ROOT

FOLDER = BUILD / "mutate"
#: Seconds without a line in the journal after which a simulation counts as hung; a build's limit.
WALL, BUILD_WALL = 120, 1200
#: Seconds of one whole simulation (`stages.RUNS`).
RUN_WALL = 200
_COPIED = ("rtl", "tb", "model", "traces")
_BLOCK = """
import json, sys
from tb.block.runner import run_block
top, shape, seed = json.loads(sys.argv[1])
run_block(top, "tb.mutation.inside", shape, seed=seed)
"""


class CampaignError(Exception):
    """The regression does not judge: the original fails, or a build does."""


class Campaign:
    """A choice of mutants, their build folder, and the verdicts so far (kept on disk).

    verdicts: {"by": test or None, "why": text, "stage": name} by number; None: survived.
    """

    def __init__(
        self, mutants: list[Mutant], folder: Path = FOLDER, stages: tuple[Stage, ...] = STAGES,
        runs: tuple[tuple[str, ...], ...] = RUNS, say: Callable[[str], None] = print,
    ) -> None:  # fmt: skip
        self.mutants, self.folder, self.stages, self.runs = mutants, folder, stages, runs
        self.say = say
        self.work = folder / "work"
        self.verdicts: dict[int, dict] = {}
        self._done: set[str] = set()
        self._began = time.monotonic()
        self._prepare()

    # What is kept.

    def _digest(self) -> str:
        digest = hashlib.sha256(sys.version.encode())
        for part in ("rtl", "tb", "model/unison"):
            for path in sorted((ROOT / part).rglob("*")):
                if path.suffix in (".sv", ".py") and "__pycache__" not in path.parts:
                    digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
        digest.update(repr((self.mutants, self.stages, self.runs)).encode())
        return digest.hexdigest()

    def _prepare(self) -> None:
        stamp, digest = self.folder / "digest", self._digest()
        self._log = self.folder / "verdicts.jsonl"
        if not stamp.exists() or stamp.read_text() != digest:
            shutil.rmtree(self.folder, ignore_errors=True)
            for part in _COPIED:
                ignore = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / part, self.work / part, ignore=ignore)
            schemata.write(self.work / "rtl", self.mutants)
            stamp.write_text(digest)
        if self._log.exists():
            for line in self._log.read_text().splitlines():
                entry = json.loads(line)
                if "done" in entry:
                    self._done.add(entry["done"])
                else:
                    self.verdicts[entry["mutant"]] = entry
            self.say(f"mutate: {len(self.verdicts)} verdicts of an earlier run are kept")

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
        for options in self.runs:
            name = " ".join(options).replace("--test ", "")
            if name not in self._done and self.alive:
                self._simulations(name, options)
                self._finish(name)

    def _finish(self, name: str) -> None:
        self._done.add(name)
        self._keep({"done": name})
        self.progress(f"{name} done")

    def progress(self, what: str) -> None:
        """One line: how many are dead and how many live."""
        total, dead = len(self.mutants), len(self.verdicts)
        bar = "#" * (20 * dead // max(total, 1))
        seconds = time.monotonic() - self._began
        self.say(f"mutate: [{bar:20}] {dead}/{total} killed, {seconds:.0f} s: {what}")

    def _environment(self) -> dict[str, str]:
        path = os.pathsep.join([str(self.work / "model"), str(self.work), *_extra_path()])
        clean = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", PLUSARGS)}
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
            if e["verdict"] == "killed" and e["mutant"]:
                self._kill(e["mutant"], stage.name, f"{stage.name}: {e['test']}", e["why"])
            elif e["verdict"] == "killed":
                raise CampaignError(
                    f"stage {stage.name}: the original fails {e['test']}: {e['why']}"
                )

    def _simulations(self, name: str, options: tuple[str, ...]) -> None:
        for number in (0, *(m.number for m in self.alive)):
            began = time.monotonic()
            command = [sys.executable, "-m", "tb.run", *options, "--timeout", str(RUN_WALL)]
            done = subprocess.run(
                command, cwd=self.work, capture_output=True, text=True, check=False,
                env=self._environment() | {PLUSARGS: f"+mutant={number}"},
            )  # fmt: skip
            reason = _reason(done.stdout + done.stderr)
            if number == 0 and done.returncode:
                raise CampaignError(f"{name}: the original fails: {reason}")
            if number == 0:
                self.say(f"mutate: {name}: original passed in {time.monotonic() - began:.0f} s")
            elif done.returncode:
                self._kill(number, name, name, reason)
                self.progress(f"{name}: mutant {number}")


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


def _reason(output: str) -> str:
    """The line of a failed run that says why."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    known = ("mismatch", "test failed", "simulator:", "the run did not", "build failed")
    return ([s for s in lines if s.startswith(known)] or lines or ["no output"])[0][:160]
