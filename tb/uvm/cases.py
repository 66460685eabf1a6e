"""Regression cases: a short event list with its configuration, as JSON under ``tb/cases``."""

import json
import time
from dataclasses import replace
from pathlib import Path

from tb.uvm.script import Rewrite, Script, Step
from tb.uvm.workload import Workload
from unison.contract import CoreEvent
from unison.contract.widths import HAZARD_W, ODDS_F, WEIGHT_F
from unison.core import CoreConfig
from unison.scoring import FixedScorer, FloatScorer, Form, Tables

FOLDER = Path(__file__).resolve().parents[1] / "cases"
_TABLES = ("turn", "weight_w", "weight_z")


def save(path: Path, script: Script, why: str) -> None:
    """Write a script as a case; `why`: what it once broke."""
    c, f = script.workload.config, script.workload.fixed
    body = {
        "why": why,
        "slots": c.slots, "tok_w": c.tok_w, "scorer": f.form.name.lower(),
        "cap_sram": c.cap_sram, "cap_hbm": c.cap_hbm, "tide": c.tide,
        "gap_prior": f.gap_prior, "ema_shift": f.ema_shift, "dma_bw": f.dma_bw,
        **_tables(f),
    }  # fmt: skip
    lines = [json.dumps({k: v})[1:-1] for k, v in body.items()]
    if script.rewrites:
        rewrites = [
            {"after": n, "cap_sram": r.cap_sram, "cap_hbm": r.cap_hbm, **_tables(r.fixed)}
            for n, r in sorted(script.rewrites.items())
        ]
        lines.append('"rewrites": [\n  ' + ",\n  ".join(map(json.dumps, rewrites)) + "\n]")
    events = [json.dumps([e.code, e.slot, e.tokens, e.ts]) for e in script.workload.events]
    lines.append('"events": [\n  ' + ",\n  ".join(events) + "\n]")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def load(path: Path, form: Form | None = None) -> tuple[Script, Form]:
    """(script, form of the score it was found with) of a case; `form`: score it by another."""
    body = json.loads(path.read_text())
    found_with = Form[body["scorer"].upper()]
    form = found_with if form is None else form
    config = CoreConfig(
        body["cap_sram"], body["cap_hbm"], body["slots"], body["tok_w"], tide=body["tide"]
    )
    rest = (body["gap_prior"], body["ema_shift"], body["dma_bw"])
    events = [CoreEvent(*e) for e in body["events"]]
    workload = Workload(config, *_scorers(form, body, rest), events)
    rewrites = {
        r["after"]: Rewrite(r["cap_sram"], r["cap_hbm"], *_scorers(form, r, rest))
        for r in body.get("rewrites", ())
    }
    return Script(workload, rewrites), found_with


def _tables(fixed: FixedScorer) -> dict[str, list[int]]:
    return {name: list(getattr(fixed, name)) for name in _TABLES}


def _scorers(form: Form, body: dict, rest: tuple) -> tuple[FixedScorer, FloatScorer]:
    """Integer and float score of the raw tables in `body`."""
    turn, w, z = (tuple(body[name]) for name in _TABLES)
    fixed = FixedScorer(form, turn, w, z, *rest)
    if form.by_hazard:
        hazard = tuple(h / (1 << HAZARD_W) for h in turn)
    else:
        hazard = tuple(1 - 1 / (1 + o / (1 << ODDS_F)) for o in turn)
    tables = Tables(hazard, *(tuple(v / (1 << WEIGHT_F) for v in t) for t in (w, z)))
    return fixed, FloatScorer(form, tables, *rest)


class Shrinker:
    """Delta debugging (ddmin) of a script's steps. fails: async, whether a list still fails.

    tries: lists asked so far. It ends after `seconds` with the best list so far.
    """

    def __init__(self, fails, seconds: float = 90) -> None:
        self._fails = fails
        self._end = time.monotonic() + seconds
        self.tries = 0

    @property
    def _late(self) -> bool:
        return time.monotonic() > self._end

    async def _ask(self, steps: list[Step]) -> bool:
        self.tries += 1
        return not self._late and await self._fails(steps)

    async def shrink(self, steps: list[Step], failed_at: int) -> list[Step]:
        """A list that still fails and, time permitting, does not without any one step."""
        # What came after the failure has most likely nothing to do with it.
        for end in (failed_at + 1, failed_at + 9, failed_at + 40):
            if end < len(steps) and await self._ask(steps[:end]):
                steps = steps[:end]
                break
        parts = 2
        while len(steps) > 1 and not self._late:
            size = -(-len(steps) // parts)
            for begin in range(0, len(steps), size):
                rest = steps[:begin] + steps[begin + size :]
                if rest and await self._ask(rest):
                    steps, parts = rest, max(2, parts - 1)
                    break
            else:
                if size == 1:
                    break
                parts = min(len(steps), 2 * parts)
        return await self._simpler(steps)

    async def _simpler(self, steps: list[Step]) -> list[Step]:
        """The same list with smaller times, where it still fails."""
        times = [s.ts for s in steps if isinstance(s, CoreEvent)]
        first = times[0]
        if not first or min(times) < first:
            return steps
        earlier = [replace(s, ts=s.ts - first) if isinstance(s, CoreEvent) else s for s in steps]
        return earlier if await self._ask(earlier) else steps
