"""OpenSTA, kept running in a pipe: commands in, text out; reports parsed into numbers.

Debian's 2.0.17 is meant: it reads Liberty, structural Verilog and SDC, and no VCD or SAIF.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from synth.mapping import FlowError
from synth.netlist import Netlist

_DONE = "@@done@@"
CLOCK = "clk_i"


@dataclass(frozen=True)
class Stage:
    """One cell on a path. delay in ns, of the cell from its input; slew at its output."""

    instance: str
    cell: str
    delay: float
    time: float


@dataclass(frozen=True)
class TimingPath:
    """A timing path. slack in ns; start, end: instances or ports."""

    start: str
    end: str
    slack: float
    arrival: float
    stages: list[Stage]


@dataclass(frozen=True)
class Power:
    """Watts by kind, of one group of cells."""

    internal: float
    switching: float
    leakage: float

    @property
    def total(self) -> float:
        """Their sum."""
        return self.internal + self.switching + self.leakage


def program() -> str:
    """The `sta` executable. FlowError with the line to run when it is missing."""
    found = shutil.which("sta")
    if not found:
        raise FlowError("OpenSTA is missing; run: sudo apt-get install -y opensta")
    return found


_STAGE = re.compile(
    r"^[\s\d.e+-]+?\s(?P<time>-?\d+\.\d+) [\^v] (?P<pin>\S+) \((?P<cell>[^)]+)\)$", re.M
)


def parse_paths(text: str) -> list[TimingPath]:
    """Paths of `report_checks -format full`."""
    out = []
    for part in re.split(r"^Startpoint: ", text, flags=re.M)[1:]:
        slack = re.search(r"(-?\d+\.\d+)\s+slack \((?:MET|VIOLATED)\)", part)
        arrival = re.search(r"(-?\d+\.\d+)\s+data arrival time", part)
        end = re.search(r"^Endpoint: (\S+)", part, re.M)
        if not (slack and arrival and end):
            continue
        stages, last = [], 0.0
        for match in _STAGE.finditer(part.partition("data arrival time")[0]):
            time = float(match["time"])
            instance, slash, _ = match["pin"].rpartition("/")
            # Every line is an output pin but the first (clock) and last (data) of flip-flops.
            if slash:
                stages.append(Stage(instance, match["cell"], time - last, time))
            last = time
        out.append(
            TimingPath(part.split()[0], end[1], float(slack[1]), float(arrival[1]), stages)
        )
    return out


def parse_power(text: str) -> dict[str, Power]:
    """Rows of `report_power`: Sequential, Combinational, Macro, Pad, Total."""
    rows = re.findall(r"^(\w+)\s+(\S+e[+-]\d+)\s+(\S+e[+-]\d+)\s+(\S+e[+-]\d+)\s+\S+", text, re.M)
    found = {name: Power(float(a), float(b), float(c)) for name, a, b, c in rows}
    if "Total" not in found:
        raise FlowError(f"OpenSTA gave no power:\n{text[-500:]}")
    return found


def parse_cells(text: str) -> dict[str, Power]:
    """Rows of `report_power -instances`."""
    number = r"(-?[\d.]+(?:e[+-]\d+)?)"
    rows = re.findall(rf"^\s*{number}\s+{number}\s+{number}\s+{number}\s+(\S+)$", text, re.M)
    return {name: Power(float(a), float(b), float(c)) for a, b, c, _, name in rows}


class Session:
    """A running OpenSTA with one netlist loaded. Close it, or use it as a context."""

    def __init__(self, liberty: Path, verilog: Path, netlist: Netlist, period_ns: float):
        self._process = subprocess.Popen(
            [program(), "-no_init", "-no_splash"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            cwd=verilog.parent,  # it leaves a history file where it runs
        )  # fmt: skip
        self.clock = CLOCK
        self.inputs = [
            f"{{{p.name}[*]}}" if len(p.bits) > 1 else p.name
            for p in netlist.ports
            if not p.output and p.name != CLOCK
        ]
        self.run(f"read_liberty {liberty}")
        self.run(f"read_verilog {verilog}")
        self.run(f"link_design {netlist.name}")
        self.period(period_ns)

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def run(self, command: str) -> str:
        """Send commands; their output. FlowError on a Tcl error."""
        pipe = self._process
        # It echoes what it reads, so the marks must look different there.
        text = (
            f'if {{[catch {{{command}}} message]}} {{puts "@@[string tolower ERROR] $message"}}\n'
            'puts "@@[string tolower DONE]@@"\n'
        )
        try:
            pipe.stdin.write(text)
            pipe.stdin.flush()
        except BrokenPipeError:
            raise FlowError("OpenSTA ended early") from None
        lines = []
        for line in pipe.stdout:
            if _DONE in line:
                break
            if not line.startswith("OpenSTA> "):
                lines.append(line)
        else:
            raise FlowError(f"OpenSTA ended at {command[:80]!r}:\n{''.join(lines)[-800:]}")
        out = "".join(lines)
        if "@@error" in out or re.search(r"^Error: ", out, re.M):
            raise FlowError(f"OpenSTA: {command[:80]!r}:\n{out[-800:]}")
        return out

    def period(self, period_ns: float) -> None:
        """(Re)define the clock: inputs come, and outputs are due, a third of it away from an edge.

        Reset is left out of timing, as the reset tree is.
        """
        third = period_ns / 3
        self.run(f"create_clock -name clk -period {period_ns:.4f} [get_ports {self.clock}]")
        self.run(f"set_output_delay {third:.4f} -clock clk [all_outputs]")
        for name in self.inputs:
            if "rst" in name:
                self.run(f"set_false_path -from [get_ports {name}]")
            else:
                self.run(f"set_input_delay {third:.4f} -clock clk [get_ports {name}]")

    def slack(self) -> float:
        """Worst slack, ns."""
        text = self.run("report_worst_slack -digits 4")
        match = re.search(r"worst slack (-?[\d.]+)", text)
        if not match:
            raise FlowError(f"OpenSTA gave no slack: {text[:200]}")
        return float(match[1])

    def paths(self, count: int = 1, slack_max: float | None = None) -> list[TimingPath]:
        """Worst paths, one an endpoint."""
        limit = f" -slack_max {slack_max}" if slack_max is not None else ""
        return parse_paths(
            self.run(f"report_checks -group_count {count} -format full -digits 4{limit}")
        )

    def power(self) -> dict[str, Power]:
        """Power with the activities set so far."""
        return parse_power(self.run("report_power -digits 6"))

    def cells(self, activity: float) -> dict[str, Power]:
        """Power of each cell when every net but the clock changes `activity` times a cycle."""
        self.run(f"set_power_activity -global -activity {activity} -duty 0.5")
        return parse_cells(self.run("report_power -instances [get_cells *] -digits 6"))

    def close(self) -> None:
        """End the process."""
        if self._process.poll() is None:
            self._process.stdin.close()
            self._process.wait(timeout=60)
