"""A script: events, and rewrites of tables and capacities between them."""

from dataclasses import dataclass, field, replace

from tb.uvm.workload import Workload
from unison.contract import CoreEvent, Tier
from unison.core import EventCore
from unison.scoring import FixedScorer, FloatScorer


@dataclass(frozen=True)
class Rewrite:
    """New tables and capacities."""

    cap_sram: int
    cap_hbm: int
    fixed: FixedScorer
    float64: FloatScorer


#: What a script consists of.
Step = CoreEvent | Rewrite


@dataclass
class Script:
    """A workload, and what to rewrite after so many of its events."""

    workload: Workload
    rewrites: dict[int, Rewrite] = field(default_factory=dict)

    @property
    def steps(self) -> list[Step]:
        """Events and rewrites in the order in which they are played."""
        out: list[Step] = []
        for n, event in enumerate(self.workload.events):
            out += [self.rewrites[n]] if n in self.rewrites else []
            out.append(event)
        last = len(self.workload.events)
        return [*out, self.rewrites[last]] if last in self.rewrites else out

    def of(self, steps: list[Step]) -> "Script":
        """The same configuration with other steps; of rewrites in a row the last one counts."""
        events: list[CoreEvent] = []
        rewrites: dict[int, Rewrite] = {}
        for step in steps:
            if isinstance(step, CoreEvent):
                events.append(step)
            else:
                rewrites[len(events)] = step
        return Script(replace(self.workload, events=events), rewrites)

    def step_of(self, event: int) -> int:
        """Where the event of this number is among the steps; the last one's place beyond it."""
        places = [i for i, step in enumerate(self.steps) if isinstance(step, CoreEvent)]
        return places[min(event, len(places) - 1)]

    def playable(self) -> bool:
        """Whether there are events, and the core takes every rewrite: none is below what is used.

        A list from which a shrinker took events need not be.
        """
        core = EventCore(self.workload.config, self.workload.fixed)
        for step in self.steps:
            if isinstance(step, CoreEvent):
                core.step(step)
                continue
            caps = {Tier.SRAM: step.cap_sram, Tier.HBM: step.cap_hbm}
            if any(core.used[tier] > cap for tier, cap in caps.items()):
                return False
            core.capacity.update(caps)
            core.scorer = step.fixed
        return bool(self.workload.events)
