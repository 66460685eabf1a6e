"""``python -m tb.soak [--events N --seed N --slots N --lanes N --scorer S]`` (`make soak`)."""

import argparse
import json
import os
import threading
import time
from pathlib import Path

from tb.block import runner
from tb.options import ARCHS, LANES, SCORERS, SLOTS, one_of, without_empty
from tb.simulators import BUILD, ROOT
from unison.contract.widths import DEFAULT_LANES, DEFAULT_SLOTS, TOK_W
from unison.scoring import DEFAULT_FORM

OUT = BUILD / "results" / "soak.json"


def _watch(path: Path, total: int, end: threading.Event) -> None:
    began, shown = time.monotonic(), -1
    while not end.wait(5):
        if path.exists() and (done := json.loads(path.read_text())["events"]) != shown:
            shown, spent = done, time.monotonic() - began
            print(f"  soak: {done:,} of {total:,} events, {spent:.0f} s", flush=True)


def main() -> int:
    """Run; 1 when an event came out wrong."""
    parser = argparse.ArgumentParser(prog="python -m tb.soak", description=__doc__)
    add = parser.add_argument
    add("--events", type=int, default=1_000_000)
    add("--seed", type=int, default=1)
    add("--slots", type=one_of("number of slots", SLOTS), default=DEFAULT_SLOTS)
    add("--lanes", type=one_of("number of lanes", LANES), default=DEFAULT_LANES)
    add("--scorer", type=one_of("scorer", SCORERS), default=DEFAULT_FORM.name.lower())
    add("--arch", type=one_of("architecture", ARCHS), default="rows")
    args = parser.parse_args(without_empty(None))
    if args.arch != "rows":
        args.lanes = 1
    OUT.parent.mkdir(parents=True, exist_ok=True)
    progress = OUT.with_name("progress.json")
    for path in (OUT, progress):
        path.unlink(missing_ok=True)
    os.environ |= {"EVENTS": str(args.events), "SOAK_OUT": str(OUT)}
    shape = {
        "NumSlots": args.slots, "NumLanes": args.lanes, "TokW": TOK_W, "EvDepth": 8,
        "DecDepth": 16, "Scorer": SCORERS.index(args.scorer),
        "Arch": ARCHS.index(args.arch),
    }  # fmt: skip
    print(f"soak: {args.events:,} events, seed {args.seed}, {shape}", flush=True)
    end = threading.Event()
    watcher = threading.Thread(target=_watch, args=(progress, args.events, end), daemon=True)
    watcher.start()
    try:
        bench = sorted(ROOT.glob("tb/hdl/*.sv"))
        bench = [p for p in bench if p.name in ("apb_rules.sv", "tb_soak.sv")]
        runner.run_block("tb_soak", "tb.soak.bench", shape, seed=args.seed, bench=bench)
    except AssertionError as error:
        print(f"soak: FAILED: {error}")
        return 1
    finally:
        end.set()
    print(OUT.read_text(), end="")
    print("soak: passed")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
