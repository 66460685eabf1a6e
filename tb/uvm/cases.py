"""Regression cases: a short event list with its configuration, as JSON under ``tb/cases``."""

import json
import time
from dataclasses import replace
from pathlib import Path

from tb.uvm.workload import Workload
from unison.contract import CoreEvent
from unison.contract.widths import HAZARD_W, ODDS_F, WEIGHT_F
from unison.core import CoreConfig
from unison.scoring import FixedScorer, FloatScorer, Form, Tables

FOLDER = Path(__file__).resolve().parents[1] / "cases"


def save(path: Path, workload: Workload, why: str) -> None:
    """Write a workload as a case; `why`: what it once broke."""
    c, f = workload.config, workload.fixed
    body = {
        "why": why,
        "slots": c.slots, "tok_w": c.tok_w, "scorer": f.form.name.lower(),
        "cap_sram": c.cap_sram, "cap_hbm": c.cap_hbm, "tide": c.tide,
        "gap_prior": f.gap_prior, "ema_shift": f.ema_shift, "dma_bw": f.dma_bw,
        "turn": list(f.turn), "weight_w": list(f.weight_w), "weight_z": list(f.weight_z),
    }  # fmt: skip
    lines = [json.dumps({k: v})[1:-1] for k, v in body.items()]
    events = ",\n  ".join(json.dumps([e.code, e.slot, e.tokens, e.ts]) for e in workload.events)
    lines.append(f'"events": [\n  {events}\n]')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def load(path: Path) -> tuple[Workload, str]:
    """(workload, scorer's name) of a case."""
    body = json.loads(path.read_text())
    form = Form[body["scorer"].upper()]
    config = CoreConfig(
        body["cap_sram"], body["cap_hbm"], body["slots"], body["tok_w"], tide=body["tide"]
    )
    rest = (body["gap_prior"], body["ema_shift"], body["dma_bw"])
    turn, w, z = (tuple(body[k]) for k in ("turn", "weight_w", "weight_z"))
    fixed = FixedScorer(form, turn, w, z, *rest)
    if form.by_hazard:
        hazard = tuple(h / (1 << HAZARD_W) for h in turn)
    else:
        hazard = tuple(1 - 1 / (1 + o / (1 << ODDS_F)) for o in turn)
    tables = Tables(hazard, *(tuple(v / (1 << WEIGHT_F) for v in t) for t in (w, z)))
    events = [CoreEvent(*e) for e in body["events"]]
    return Workload(config, fixed, FloatScorer(form, tables, *rest), events), body["scorer"]


class Shrinker:
    """Delta debugging (ddmin) of an event list. fails: async, whether a list still fails.

    tries: lists asked so far. It ends after `seconds` with the best list so far.
    """

    def __init__(self, fails, seconds: float = 90) -> None:
        self._fails = fails
        self._end = time.monotonic() + seconds
        self.tries = 0

    @property
    def _late(self) -> bool:
        return time.monotonic() > self._end

    async def _ask(self, events: list[CoreEvent]) -> bool:
        self.tries += 1
        return not self._late and await self._fails(events)

    async def shrink(self, events: list[CoreEvent], failed_at: int) -> list[CoreEvent]:
        """A list that still fails and, time permitting, does not without any one event."""
        # What came after the failure has most likely nothing to do with it.
        for end in (failed_at + 1, failed_at + 9, failed_at + 40):
            if end < len(events) and await self._ask(events[:end]):
                events = events[:end]
                break
        parts = 2
        while len(events) > 1 and not self._late:
            size = -(-len(events) // parts)
            for begin in range(0, len(events), size):
                rest = events[:begin] + events[begin + size :]
                if rest and await self._ask(rest):
                    events, parts = rest, max(2, parts - 1)
                    break
            else:
                if size == 1:
                    break
                parts = min(len(events), 2 * parts)
        return await self._simpler(events)

    async def _simpler(self, events: list[CoreEvent]) -> list[CoreEvent]:
        """The same list with smaller times, where it still fails."""
        first = events[0].ts
        earlier = [replace(e, ts=e.ts - first) for e in events]
        if first and min(e.ts for e in earlier) >= 0 and await self._ask(earlier):
            return earlier
        return events
