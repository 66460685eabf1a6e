"""Builds a core, plays the scenes, returns the recording."""

import json
import tempfile
from pathlib import Path
from typing import Any

from cocotb_tools.check_results import get_results

from tb import simulators
from tb.settings import Settings


class RecordError(RuntimeError):
    """The scenes could not be played; the message has the log's end."""


def play(simulator: str, used: list[int], scenes: bool, **core: Any) -> dict[str, Any]:
    """Latencies with `used` rows each, and pictures; `core`: fields of `Settings`.

    The default core's build is the one that the other tests share.
    """
    made = simulators.build(simulator, Settings("datasheet", "", "", **core).parameters)
    with tempfile.TemporaryDirectory(dir=made.folder) as name:
        folder = Path(name)
        out, log = folder / "recording.json", folder / "sim.log"
        runner = made.runner()
        runner.log.setLevel("CRITICAL")
        try:
            runner.test(
                test_module="tb.datasheet.bench",
                hdl_toplevel=simulators.TOP,
                hdl_toplevel_lang="verilog",
                build_dir=made.folder,
                test_dir=folder,
                results_xml=str(folder / "results.xml"),
                extra_env={
                    "DATASHEET_OUT": str(out),
                    "DATASHEET_ROWS": " ".join(map(str, used)),
                    "DATASHEET_SCENES": "1" * scenes,
                },
                plusargs=["+verilator+rand+reset+2"] * (simulator == "verilator"),
                seed=1,
                timescale=simulators.TIMESCALE if simulator == "verilator" else None,
                log_file=log,
            )
            failed = get_results(folder / "results.xml")[1]
        except (Exception, SystemExit) as error:
            raise RecordError(f"{error}\n{simulators.tail(log, 40)}") from None
        if failed or not out.exists():
            raise RecordError(simulators.tail(log, 40))
        return json.loads(out.read_text())
