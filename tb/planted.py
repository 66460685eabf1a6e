"""Plants single wrong lines in copies of the RTL and asks whether the environment sees them.

``python -m tb.planted [--out docs/results/planted.md] [NAME ...]``: every bug is put into a copy
of the project under `build/planted`, and the short tests run there; a bug that no test catches
fails the command. An unchanged copy must pass every test that catches a bug.
"""

import argparse
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tb.simulators import BUILD, ROOT

#: Test and envelope of each attempt, short ones first; the first failure is the catch.
ATTEMPTS = (
    ("smoke_small", ""),
    ("registers", ""),
    ("stamps", ""),
    ("mixed", ""),
    ("smoke", ""),
    ("back_pressure", ""),
    ("coincide", ""),
    ("cases", ""),
    ("random_turns", ""),
    ("replay_gaia", "edge-tight"),
    ("replay_gaia", "gpu"),
)
#: Icarus builds in a second, which counts more here than its slower runs.
SIMULATOR = "icarus" if shutil.which("iverilog") else "verilator"
_COPIED = ("rtl", "tb", "model", "traces")


@dataclass(frozen=True)
class Bug:
    """One wrong line: in `file` of ``rtl/``, `good` becomes `bad`. first: a test to begin with."""

    name: str
    what: str
    file: str
    good: str
    bad: str
    first: str = ATTEMPTS[0][0]

    def attempts(self) -> list[tuple[str, str]]:
        """Tests and envelopes in the order in which they are tried."""
        return sorted(ATTEMPTS, key=lambda a: a[0] != self.first)


BUGS = (
    Bug("victim", "victim comparison turned round", "unison_best.sv",
        "round[i+(1<<level)] > round[i]", "round[i+(1<<level)] < round[i]"),
    Bug("runner_up", "the runner-up list is not sorted", "unison_keep.sv",
        "(key_i > key_q[i])", "1'b1"),
    Bug("account", "an evicted size is not taken out of the account", "unison_accounts.sv",
        "if (sub_i && sub_tier_i == tier[t])", "if (sub_i && sub_tier_i == tier[t] && !t)"),
    Bug("room", "room is found one token too early", "unison_accounts.sv",
        "assign room_o[t] = want <= {1'b0, cap[t]};",
        "assign room_o[t] = want <= {1'b0, cap[t]} + 1'b1;"),
    Bug("ema", "the gap average rounds down", "unison_ema.sv",
        "(W'(1) << shift_i) >> 1", "W'(0) << shift_i"),
    Bug("in_flight", "a slot in flight stays a candidate", "unison_slot_table.sv",
        "(tier_q[i] != unison_pkg::TierNone) && !fly_q[i] &&",
        "(tier_q[i] != unison_pkg::TierNone) &&"),
    Bug("fly_outcome", "a slot in flight is reported in the fast tier", "unison_session.sv",
        "tier_q == unison_pkg::TierHbm || fly_q", "tier_q == unison_pkg::TierHbm"),
    Bug("tie", "ties go to the highest slot", "unison_rank.sv",
        "{1'b1, best_key[l][t], ~best_slot, 1'(t)}", "{1'b1, best_key[l][t], best_slot, 1'(t)}"),
    Bug("tie_row", "ties within a lane go to the highest row", "unison_keep.sv",
        "(key_i > key_q[i])", "(key_i >= key_q[i])"),
    Bug("fifo_full", "a FIFO is full one word too late", "unison_fifo.sv",
        "level_q == LevelW'(Depth);", "level_q == LevelW'(Depth + 1);", "registers"),
    Bug("fifo_short", "a FIFO is full one word too early", "unison_fifo.sv",
        "level_q == LevelW'(Depth);", "level_q == LevelW'(Depth - 1);"),
    Bug("stamp", "the stamping modes are exchanged", "unison_ev_arb.sv",
        "if (!ts_ext_i) ts_o", "if (ts_ext_i) ts_o"),
    Bug("stamp_core", "events in core time are stamped zero", "unison_ev_arb.sv",
        "ts_o = now_i", "ts_o = '0", "stamps"),
    Bug("arb_push", "the sideband does not wait for an APB push", "unison_ev_arb.sv",
        "~full_i & ~apb_push_i &", "~full_i &", "mixed"),
    Bug("arb_full", "APB is promised the place that the sideband takes", "unison_ev_arb.sv",
        "full_i | (last_i & take)", "full_i", "mixed"),
    Bug("arb_time", "sideband events take APB's time", "unison_ev_arb.sv",
        "apb_push_i ? apb_time_i : ev_time_i", "apb_time_i", "mixed"),
    Bug("score", "the odds are one bit too large", "unison_score_compact.sv",
        "MW'(odds3_q) * MW'(z3_q)", "(MW'(odds3_q) * MW'(z3_q) << 1)"),
    Bug("bin", "the elapsed bin is one octave off", "unison_score_compact.sv",
        "7'(unison_pkg::WeightCentre)", "7'(unison_pkg::WeightCentre + 1)"),
    Bug("budget", "Tide drops the lower part of its budget", "unison_tide.sv",
        "budget_q + (part >> unison_pkg::BwF)", "budget_q"),
    Bug("turn", "the turn does not saturate", "unison_session.sv",
        "if (is_req && k_q != '1)", "if (is_req)", "random_turns"),
    Bug("tide_tie", "Tide prefers its own slot in a tie", "unison_tide.sv",
        "{own_key_i, own_slot_i} < {low_key_i, low_slot_i}", "own_key_i <= low_key_i", "cases"),
    Bug("tide_tie_down", "the demoted one is its own slot in a tie", "unison_tide.sv",
        "{own_key_i, ~own_slot_i} > {top_key_i, ~top_slot_i}", "own_key_i >= top_key_i", "cases"),
    Bug("tide_level", "Tide exchanges sessions of equal keys", "unison_tide.sv",
        "top_key_i > own_key_i", "top_key_i >= own_key_i", "cases"),
    Bug("tide_hbm", "Tide may overfill the slow tier", "unison_tide.sv",
        "{1'b0, used_hbm_i} + {1'b0, q_size_q}", "{1'b0, used_hbm_i} - {1'b0, q_size_q}", "cases"),
    Bug("latency", "the latency counts from a hundred", "unison_latency.sv",
        "first_i ? 32'd1", "first_i ? 32'd101"),
    Bug("beyond", "bits that a register does not have are dropped without a word", "unison_apb.sv",
        "assign beyond = |(cfg_merged_i & ~bits);", "assign beyond = 1'b0;", "registers"),
    Bug("locked", "configuration may change while an event waits", "unison_apb.sv",
        "(cfg && !busy && !below && !beyond)", "(cfg && !below && !beyond)", "registers"),
    Bug("late", "the bandwidth is in force a cycle late", "unison_config.sv",
        "assign dma_bw_o     = dma_bw_q;",
        "logic [unison_pkg::BwW-1:0] late_q; always_ff @(posedge clk_i) late_q <= dma_bw_q; "
        "assign dma_bw_o = late_q;", "coincide"),
    Bug("hole", "the turn table answers a page further too", "unison_apb.sv",
        "paddr_i[11:8] == unison_pkg::AddrTurn[11:8]",
        "paddr_i[11:9] == unison_pkg::AddrTurn[11:9]", "registers"),
    Bug("w1c", "interrupt bits clear without their strobe", "unison_apb.sv",
        "write & w1c & pstrb_i[0]", "write & w1c", "registers"),
)  # fmt: skip


@dataclass(frozen=True)
class Catch:
    """What came of a bug. by: the test that failed, with its reason; None: it survived."""

    bug: Bug
    by: str | None
    reason: str


def _copy(name: str) -> Path:
    folder = BUILD / "planted" / name
    for part in _COPIED:
        shutil.rmtree(folder / part, ignore_errors=True)
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def places(bug: Bug, root: Path = ROOT) -> int:
    """How often the good text stands in its file; a bug can be planted where it stands once."""
    return (root / "rtl" / bug.file).read_text().count(bug.good)


def _plant(folder: Path, bug: Bug) -> None:
    path = folder / "rtl" / bug.file
    path.write_text(path.read_text().replace(bug.good, bug.bad))


def attempt(bug: Bug) -> Catch:
    """Run the short tests on a copy with the bug, until one fails."""
    folder = _copy(bug.name)
    _plant(folder, bug)
    for test, envelope in bug.attempts():
        reason = _run(folder, test, envelope)
        if reason:
            return Catch(bug, f"{test} {envelope}".strip(), reason)
    return Catch(bug, None, "")


def _run(folder: Path, test: str, envelope: str) -> str:
    """Run one test on a copy; why it failed, empty when it passed."""
    path = os.pathsep.join([str(folder / "model"), str(folder)])
    options = ["--sim", SIMULATOR, "--test", test, "--envelope", envelope]
    done = subprocess.run(
        [sys.executable, "-m", "tb.run", *options, "--timeout", "300"], cwd=folder,
        env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return _reason(done.stdout + done.stderr) if done.returncode else ""


def _clean(tests: set[str]) -> bool:
    """Whether the unchanged design passes these tests; a catch by one that fails means nothing."""
    folder = _copy("none")
    for test, envelope in ATTEMPTS:
        name = f"{test} {envelope}".strip()
        if name in tests:
            reason = _run(folder, test, envelope)
            print(f"planted: the unchanged design, {name}: {reason or 'passed'}", flush=True)
            if reason:
                return False
    return True


def _reason(output: str) -> str:
    """The line of a failed run that says why."""
    lines = [line.strip() for line in output.splitlines()]
    known = ("mismatch", "test failed", "simulator:", "the run did not", "build failed")
    marked = [s for s in lines if s.startswith(known)]
    text = (marked or [s for s in lines if s] or ["no output"])[0]
    return text.replace("|", "\\|")[:150]


def page(catches: list[Catch]) -> str:
    """The result as Markdown."""
    rows = [
        f"| {c.bug.name} | {c.bug.what} | `{c.bug.file}` | {c.by or '**survived**'} | {c.reason} |"
        for c in catches
    ]
    caught = sum(c.by is not None for c in catches)
    return "\n".join(
        [
            "# Wrong lines planted in the RTL",
            "",
            "Written by `python -m tb.planted --out docs/results/planted.md`. Each bug is one",
            f"changed line in a copy of the design. {caught} of {len(rows)} are caught, and an",
            "unchanged copy passes every test that catches one.",
            "",
            "| bug | what is wrong | where | caught by | first words |",
            "|---|---|---|---|---|",
            *rows,
            "",
        ]
    )


def main(argv: list[str] | None = None) -> int:
    """Plant all bugs (or those named); exit 1 when one survives."""
    known = {b.name: b for b in BUGS}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    parser.add_argument("--jobs", type=int, default=2, help="bugs at a time")
    parser.add_argument("--out", type=Path, help="write the table as Markdown")
    args = parser.parse_args(argv)
    for name in args.names:
        if name not in known:
            parser.error(f"unknown bug {name!r}; valid: {', '.join(known)}")
    bugs = [known[n] for n in args.names] or list(BUGS)
    for bug in bugs:
        if places(bug) != 1:
            print(f"planted: {bug.name}: {bug.file}: got {places(bug)} places, expected 1")
            return 1
    tests = {bug.first for bug in bugs}
    if not _clean(tests):
        return 1
    catches = []
    with ThreadPoolExecutor(args.jobs) as pool:
        for catch in pool.map(attempt, bugs):
            catches.append(catch)
            print(f"planted: {catch.bug.name}: {catch.by or 'SURVIVED'} {catch.reason}", flush=True)
    if not _clean({c.by for c in catches if c.by} - tests):
        return 1
    if args.out:
        args.out.write_text(page(catches))
    survived = [c.bug.name for c in catches if c.by is None]
    print(f"planted: {len(catches) - len(survived)} of {len(catches)} caught", flush=True)
    return int(bool(survived))


if __name__ == "__main__":
    raise SystemExit(main())
