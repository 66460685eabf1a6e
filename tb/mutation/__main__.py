"""``python -m tb.mutation [--part rtl|model|all] [--count N] [--sample N] ...`` (`make mutate`).

Exit 0: the kill rates reach their targets; 1: one does not, or nothing could be judged.
"""

import argparse
import os
import sys

from tb.mutation import exclusions, golden
from tb.mutation.campaign import FOLDER, Campaign, CampaignError
from tb.mutation.page import PAGE, page, rtl_summary, save
from tb.mutation.sites import choose, find
from tb.simulators import ROOT

#: Mutants of the RTL, and how many of them a sample takes.
COUNT, SAMPLE, SEED = 400, 60, 1


def rtl(count: int, sample: int, seed: int, keep_killed: bool) -> dict:
    """The RTL's part; `sample`: only so many of the chosen, evenly spread, 0 for all."""
    sites = find(ROOT / "rtl")
    mutants = choose(sites, count, seed)
    excluded = exclusions.load()
    exclusions.check(excluded, sites, set())
    folder = FOLDER / ("sample" if sample else "rtl")
    if sample:
        mutants = choose(mutants, sample, seed)
    equivalent = {e.key for e in excluded}
    tried = [m for m in mutants if not sample or m.key not in equivalent]
    campaign = Campaign(tried, folder, keep_killed=keep_killed)
    campaign.run()
    killed = {m.key for m in tried if m.number in campaign.verdicts}
    exclusions.check(excluded, sites, killed)
    return rtl_summary(mutants, campaign.verdicts, excluded, len(sites), seed)


def _report(name: str, s: dict) -> bool:
    for x in s["survivors"]:
        print(f"mutate: {name}: SURVIVED {x['mutant']} {x.get('change', '')}")
    print(
        f"mutate: {name}: {s['killed']} of {s['chosen']} killed, {s['equivalent']} equivalent, "
        f"{s['survived']} survived: {s['rate']:.1f} %, target {s['target']:.0f} %: "
        + ("passed" if s["passed"] else "FAILED"),
        flush=True,
    )
    return s["passed"]


def main(argv: list[str] | None = None) -> int:
    """Run; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tb.mutation", description=__doc__)
    add = parser.add_argument
    add("--part", choices=("rtl", "model", "all"), default="all")
    add("--count", type=int, default=COUNT, help="mutants of the RTL")
    add("--seed", type=int, default=SEED, help="of their choice")
    add("--sample", type=int, nargs="?", const=SAMPLE, default=0,
        help="only so many of them, and a fifth of the model's; writes no page")
    add("--keep-killed", action="store_true",
        help="when only tests have changed: believe the last run's kills")
    args = parser.parse_args(argv)
    passed, whole = True, {}
    # An outer make would pass its own flags on, down to the simulator's build.
    os.environ.pop("MAKEFLAGS", None)
    try:
        if args.part in ("rtl", "all"):
            part = rtl(args.count, args.sample, args.seed, args.keep_killed)
            passed &= _report("rtl", part)
            whole = save("rtl", part, *((FOLDER / "sample.json",) if args.sample else ()))
        if args.part in ("model", "all"):
            part = golden.run(bool(args.sample))
            passed &= _report("model", part)
            whole = save("model", part, *((FOLDER / "sample.json",) if args.sample else ()))
    except (CampaignError, exclusions.ExclusionError) as error:
        print(f"mutate: {error}", file=sys.stderr)
        return 1
    if not args.sample:
        PAGE.write_text(page(whole))
    return int(not passed)


if __name__ == "__main__":
    raise SystemExit(main())
