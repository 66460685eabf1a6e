"""Silicon flow: ``python -m synth COMMAND [options]``.

synth     map, time and measure a point (at 150 MHz, and mapped for speed)
sta       its critical paths
gatesim   replay a trace through its netlist
power     power with the activity of a replay, and energy per decision
fpga      xc7 counts; with --route a routed clock on ECP5-85k
dse       every point of synth/variants.py, then the page
page      docs/results/silicon.md from build/synth/summary.json

Exit 1 when a tool is missing or fails, or a record differs; 2 for a wrong option.
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from synth import flow, fpga, gatesim, latency, library, page, power, sta, summary
from synth.mapping import FlowError, Options
from synth.variants import DEFAULT, VARIANTS, Point, space


def _key(point: Point, chosen: library.Chosen) -> str:
    return f"{point.name} {chosen.name}"


def _synth(point: Point, chosen: library.Chosen, speed: bool) -> dict:
    figures = flow.synthesise(point, chosen, Options())
    summary.put("area", _key(point, chosen), figures)
    if speed:
        fast = flow.fastest(point, chosen, figures)
        summary.put("speed", _key(point, chosen), fast)
        print(f"  fastest: {fast['fmax_mhz']} MHz at {fast['gates'] / 1000:.1f} kGE")
    return figures


def _show(figures: dict) -> None:
    total = figures["area"]
    print(f"{figures['point']}, {figures['library']}: {figures['area']:,.0f} um2, "
          f"{figures['gates'] / 1000:.1f} kGE, {figures['cells']:,} cells, "
          f"{figures['flops']:,} FF; "
          f"slack at 150 MHz {figures['slack_ns']:+.2f} ns, {figures['fmax_mhz']} MHz")  # fmt: skip
    for name, row in figures["blocks"].items():
        print(f"  {name:20s} {row['gates'] / 1000:8.2f} kGE {100 * row['area'] / total:5.1f} % "
              f"{row['flops']:6,} FF")  # fmt: skip


def _sta(point: Point, chosen: library.Chosen, count: int) -> None:
    _synth(point, chosen, False)
    path = flow.folder(point, chosen, Options())
    made = flow.load(path, chosen)
    with sta.Session(chosen.path, path / "netlist.v", made, flow.PERIOD_NS) as session:
        for found in session.paths(count):
            print(f"{found.slack:+.3f} ns  {found.start} -> {found.end}")
            for stage in found.stages:
                times = f"{stage.time:7.3f} {stage.delay:6.3f}"
                print(f"    {times}  {stage.cell:20s} {stage.instance}")


def _gatesim(point: Point, chosen: library.Chosen, args) -> gatesim.Replay:
    _synth(point, chosen, False)
    replay = gatesim.replay(
        point, chosen, Options(), args.test, args.envelope, args.limit, args.sim
    )
    keep = ("trace", "events", "decisions", "mismatches", "latency_cycles")
    record = {k: replay.result.get(k) for k in keep} | {"test": args.test, "limit": args.limit,
                                                        "envelope": args.envelope}  # fmt: skip
    summary.put("gatesim", _key(point, chosen), record)
    return replay


def _power(point: Point, chosen: library.Chosen, args) -> None:
    replay = _gatesim(point, chosen, args)
    path = replay.folder
    made = flow.load(path, chosen)
    counts = power.read_activity(replay.activity, len(replay.nets))
    found = power.by_cell(made, replay.nets, counts)
    watts = power.with_activity(chosen, made, path / "netlist.v", found, flow.PERIOD_NS)
    mean = replay.result["latency_cycles"]["mean"]
    toggles = sum(found.values()) / len(found)
    record = {
        "internal_w": watts.internal, "switching_w": watts.switching, "leakage_w": watts.leakage,
        "total_w": watts.total, "cells": len(found), "cycles": counts.cycles,
        "changes_per_cell_cycle": toggles, "latency_mean_cycles": mean,
        "energy_per_decision_nj": watts.total * mean * flow.PERIOD_NS if mean else None,
        "test": args.test, "envelope": args.envelope, "limit": args.limit,
    }  # fmt: skip
    summary.put("power", _key(point, chosen), record)
    print(f"{point.name}: {1000 * watts.total:.2f} mW at 150 MHz with the activity of "
          f"{counts.cycles:,} cycles ({100 * toggles:.2f} % of the outputs change "
          "a cycle)")  # fmt: skip
    if mean:
        print(f"  {record['energy_per_decision_nj']:.2f} nJ a decision of {mean:.1f} cycles")


def _fpga(point: Point, route: bool) -> None:
    folder = library.BUILD / "fpga" / point.name
    counts = fpga.xc7(point, folder)
    summary.put("xc7", point.name, counts)
    flops = fpga.xc7(point, folder / "flops", memories=False)
    summary.put("xc7", f"{point.name}, no LUT memories", flops)
    print(f"{point.name} xc7: " + ", ".join(f"{k} {v:,}" for k, v in counts.items()))
    if route:
        print(f"  {time.strftime('%H:%M:%S')} routing on ECP5-85k, some minutes", flush=True)
        routed = fpga.ecp5(point, folder)
        summary.put("ecp5", point.name, routed)
        print(f"{point.name} ECP5-85k routed: {routed['fmax_mhz']} MHz")


def _dse(chosen: library.Chosen, jobs: int) -> int:
    points, failed = space(), 0
    began = time.monotonic()

    def one(point: Point) -> str | None:
        try:
            figures = flow.synthesise(point, chosen, Options())
            summary.put("area", _key(point, chosen), figures)
            if found := latency.measure(point):
                summary.put("latency", point.name, found)
        except FlowError as error:
            return f"{point.name}: {error}"
        return None

    with ThreadPoolExecutor(jobs) as pool:
        for number, problem in enumerate(pool.map(one, points), 1):
            failed += problem is not None
            minutes = (time.monotonic() - began) / 60
            print(f"dse: {number} of {len(points)}, {minutes:.0f} min"
                  + (f"; FAILED {problem}" if problem else ""), flush=True)  # fmt: skip
    return failed


def _parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m synth", description=__doc__.splitlines()[0])
    commands = ("synth", "sta", "gatesim", "power", "fpga", "dse", "page")
    parser.add_argument("command", choices=commands)
    add = parser.add_argument
    add("--variant", default=DEFAULT, choices=VARIANTS)
    add("--slots", type=int, default=64)
    add("--lib", help="Liberty file; default LIB, then osu018 of Debian")
    add("--speed", action="store_true", help="synth: also map for the highest clock")
    add("--paths", type=int, default=1, help="sta: how many")
    add("--route", action="store_true", help="fpga: also place and route on ECP5")
    add("--test", default="replay_gaia", help="gatesim, power: test of tb.run")
    add("--envelope", default="gpu")
    add("--limit", type=int, default=0, help="gatesim, power: so many events, 0 for all")
    add("--sim", default="verilator", choices=("verilator", "icarus"))
    add("--jobs", type=int, default=2, help="dse: points at once")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    args = _parse(argv)
    point = Point(args.variant, args.slots)
    try:
        if args.command == "page":
            page.write(summary.read())
            return 0
        if args.command == "fpga":
            _fpga(point, args.route)
            return 0
        sta.program()
        chosen = library.choose(args.lib)
        if args.command == "synth":
            _show(_synth(point, chosen, args.speed))
        elif args.command == "sta":
            _sta(point, chosen, args.paths)
        elif args.command == "gatesim":
            _gatesim(point, chosen, args)
        elif args.command == "power":
            _power(point, chosen, args)
        else:
            failed = _dse(chosen, args.jobs)
            page.write(summary.read())
            return int(bool(failed))
    except FlowError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
