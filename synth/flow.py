"""One design point through the flow: map, close timing, time, power; each result is cached.

A point's folder is named by a digest of the RTL, the parameters, the library and the flow's own
code, so an interrupted or repeated sweep takes up where it stopped and nothing stale is read.
"""

import hashlib
import json
import pickle
import time
from pathlib import Path

from synth import closing, mapping, netlist, sta
from synth.library import BUILD, Chosen
from synth.mapping import Options
from synth.variants import Point

#: The clock the paper states its figures for.
PERIOD_NS = 1000 / 150
_CODE = ("blocks", "buffering", "closing", "function", "liberty", "mapping", "netlist", "sizing",
         "sta", "flow")  # fmt: skip


def digest(point: Point, library: Chosen, options: Options) -> str:
    """What decides a point's results, as a short word."""
    state = hashlib.sha256()
    code = [Path(__file__).parent / f"{name}.py" for name in _CODE]
    for path in [*mapping.sources(), *code]:
        state.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    state.update(repr((sorted(point.parameters.items()), library.digest, options)).encode())
    return state.hexdigest()[:12]


def folder(point: Point, library: Chosen, options: Options) -> Path:
    """Where the point's files are."""
    effort = f"-{options.effort}"
    name = f"{point.name}-{library.name}{effort}-{digest(point, library, options)}"
    return BUILD / "points" / name


def _say(point: Point, what: str) -> None:
    print(f"  {time.strftime('%H:%M:%S')} {point.name}: {what}", flush=True)


def load(path: Path, library: Chosen) -> netlist.Netlist:
    """The finished netlist of a point's folder."""
    made = pickle.loads((path / "netlist.pickle").read_bytes())
    made.library = library.library
    return made


def _save(made: netlist.Netlist, path: Path) -> None:
    held, made.library = made.library, None
    (path / "netlist.pickle").write_bytes(pickle.dumps(made))
    made.library = held


def synthesise(point: Point, library: Chosen, options: Options) -> dict:
    """Figures of a point at 150 MHz, or at the period of `options`; from the cache if it is there.

    Area and blocks after timing closure; slack, the critical path, the highest clock that this
    netlist meets (period - slack), and vectorless power at the period.
    """
    path = folder(point, library, options)
    done = path / "result.json"
    if done.exists():
        return json.loads(done.read_text())
    began = time.monotonic()
    _say(point, f"mapping with {library.name} ({options.effort})")
    made = mapping.run(point.parameters, library.path, library.library, options, path)
    kept = json.loads((path / "map.json").read_text())
    _say(point, f"{kept['gates'] / 1000:.1f} kGE after {kept['seconds']:.0f} s; timing")
    period = options.period_ps / 1000
    with sta.Session(library.path, path / "netlist.v", made, period) as session:
        before = session.slack()
        changed = closing.close(made, session)
    netlist.write_verilog(made, path / "netlist.v")
    # Afresh, as a check of the above.
    with sta.Session(library.path, path / "netlist.v", made, period) as session:
        slack = session.slack()
        worst = session.paths(1)[0]
        try:
            power = session.power()["Total"]
        except sta.FlowError:
            # Seen with a netlist mapped for speed: report_power of 2.0.17 crashes. Timing stands.
            _say(point, "OpenSTA crashed on power")
            power = None
    _save(made, path)
    figures = mapping.measure(made, kept["kept"]) | {
        "point": point.name, "variant": point.variant, "slots": point.slots,
        "parameters": point.parameters, "library": library.name, "effort": options.effort,
        "buffers": kept["buffers"], "period_ns": round(period, 4),
        "slack_before_ns": round(before, 4), "slack_ns": round(slack, 4), "upsized": changed,
        "fmax_mhz": round(1000 / (period - slack), 1),
        "path": {"from": worst.start, "to": worst.end, "cells": len(worst.stages)},
        "power_vectorless_w": power and {
            "internal": power.internal, "switching": power.switching, "leakage": power.leakage,
        },
        "seconds": round(time.monotonic() - began, 1),
    }  # fmt: skip
    done.write_text(json.dumps(figures, indent=1) + "\n")
    _say(point, f"{figures['gates'] / 1000:.1f} kGE, slack {slack:.2f} ns, "
         f"{figures['fmax_mhz']} MHz, {figures['seconds']:.0f} s")  # fmt: skip
    return figures


def fastest(point: Point, library: Chosen, start: dict) -> dict:
    """The same point mapped for speed at a period it can not meet, so that all is spent on it."""
    period = 0.6 * 1e6 / start["fmax_mhz"]
    # In steps, so that a small change elsewhere does not miss the cache.
    options = Options(effort="speed", fanout=10, period_ps=round(period / 250) * 250.0)
    return synthesise(point, library, options)
