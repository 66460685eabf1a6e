"""Command line of the runner: every wrong value ends in one line and exit code 2."""

import argparse
import sys
from pathlib import Path
from typing import NoReturn

from tb.catalog import ALL_ENVELOPES, DEFAULT_ENVELOPE, TESTS
from tb.simulators import SIMULATORS
from unison.contract.encodings import Arch
from unison.contract.widths import DEFAULT_LANES, DEFAULT_SLOTS, MAX_SLOTS, MIN_SLOTS
from unison.scoring import DEFAULT_FORM, Form
from unison.traces.envelopes import ENVELOPES
from unison.traces.errors import TraceError
from unison.traces.format import read_trace

SCORERS = tuple(f.name.lower() for f in Form)
ARCHS = tuple(a.name.lower() for a in Arch)
#: Seconds after which a simulation counts as hung.
TIMEOUT, REPLAY_TIMEOUT = 300, 3000
LANES = (1, 2, 4, 8, 16)
SLOTS = tuple(1 << i for i in range(MIN_SLOTS.bit_length() - 1, MAX_SLOTS.bit_length()))


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"tb.run: {message}", file=sys.stderr)
        raise SystemExit(2)


def one_of(what: str, values) -> "callable":
    """Converter to a value out of `values`, whose error lists them."""

    def convert(text: str):
        for value in values:
            if text == str(value):
                return value
        listed = ", ".join(str(v) for v in values if v != "")
        raise argparse.ArgumentTypeError(f"unknown {what} {text!r}; valid: {listed}")

    return convert


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) < 1 << 31):
        raise argparse.ArgumentTypeError(f"got {text!r}, expected a whole number, 0..2147483647")
    return int(text)


def _switch(text: str) -> bool:
    """As make passes it: empty or 0 is off."""
    return one_of("switch", ("", "0", "1"))(text) == "1"


def parse(argv: list[str] | None) -> argparse.Namespace:
    """Options; `envelopes`: the list to run. An empty value means the default."""
    parser = _Parser(prog="python -m tb.run", description="Run a test in a simulator.")
    add = parser.add_argument
    add("--sim", default="verilator", type=one_of("simulator", SIMULATORS))
    add("--test", default="replay_gaia", type=one_of("test", TESTS))
    add("--envelope", default="", type=one_of("envelope", ("", *ENVELOPES)))
    add("--slots", default=DEFAULT_SLOTS, type=one_of("number of slots", SLOTS))
    add("--lanes", default=0, type=one_of("number of lanes", LANES))
    add("--scorer", default=None, type=one_of("scorer", SCORERS))
    add("--arch", default="rows", type=one_of("architecture", ARCHS))
    add("--seed", default=1, type=_count)
    add("--waves", nargs="?", const=True, default=False, type=_switch, help="dump an FST file")
    add("--coverage", nargs="?", const=True, default=False, type=_switch,
        help="count lines, branches and toggles (Verilator)")
    add("--gates", type=Path, help="folder of a mapped netlist to run in the RTL's place")
    add("--trace", default="", help="trace file of replay_file")
    add("--limit", default=0, type=_count, help="replay so many events, 0 for all")
    add("--label", default="", help="name of the result file instead of the test's")
    add("--timeout", default=0, type=_count, help="seconds a simulation may take; 0: the default")
    add("--jobs", default=2, type=_count, help="simulations at once, for replay_all")
    args = parser.parse_args(without_empty(argv))
    if args.coverage and args.sim != "verilator":
        parser.error("code coverage needs SIM=verilator")
    if args.test == "replay_file":
        if not args.trace:
            parser.error("test replay_file: no trace; give TRACE=<file> (--trace <file>)")
        if not Path(args.trace).is_file():
            parser.error(f"trace {args.trace!r}: no such file")
        try:
            read_trace(args.trace)
        except TraceError as error:
            parser.error(str(error))
    elif args.trace:
        parser.error(f"test {args.test} takes no trace; use TEST=replay_file")
    rows = args.arch == "rows"
    if not rows and args.lanes not in (0, 1):
        parser.error(f"lanes: got {args.lanes}, expected 1 with ARCH={args.arch}")
    if rows and args.scorer == "ratio":
        parser.error("scorer ratio needs ARCH=linear or ARCH=sparse")
    args.lanes = args.lanes or (DEFAULT_LANES if rows else 1)
    # One lane is the paper's way, and so is its score.
    usual = DEFAULT_FORM if rows else Form.QUOTIENT
    args.scorer = args.scorer or usual.name.lower()
    if not rows and args.scorer == "compact":
        parser.error(f"scorer compact needs ARCH=rows, got ARCH={args.arch}")
    fixed = TESTS[args.test].fixed
    for name in ("slots", "lanes"):
        if name in fixed:
            setattr(args, name, fixed[name])
    args.timeout = args.timeout or (REPLAY_TIMEOUT if TESTS[args.test].replay else TIMEOUT)
    every = ALL_ENVELOPES if args.test == "replay_all" else (DEFAULT_ENVELOPE,)
    args.envelopes = (args.envelope,) if args.envelope else every
    return args


def without_empty(argv: list[str] | None) -> list[str]:
    """Drop `--name ''` pairs: make passes variables that were left empty."""
    words = list(sys.argv[1:] if argv is None else argv)
    kept: list[str] = []
    while words:
        word = words.pop(0)
        if word.startswith("--") and words and words[0] == "":
            words.pop(0)
        else:
            kept.append(word)
    return kept
