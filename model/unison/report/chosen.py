"""One run to be looked at, with LRU on the same events beside it."""

import math
from dataclasses import dataclass

from unison.policies import placing, policy
from unison.report.timeline import Timeline, timeline
from unison.sim.scenario import Scenario
from unison.sim.simulate import Totals, simulate
from unison.traces.envelopes import envelope
from unison.traces.paths import open_trace


@dataclass(frozen=True)
class Look:
    """A run as intervals, and what it was worth."""

    name: str
    totals: Totals
    timeline: Timeline


@dataclass(frozen=True)
class Choice:
    """What to run. placement: None is Tide for the forms of Spear, else none."""

    trace: str
    envelope: str
    policy: str = "spear"
    placement: str | None = None
    pressure: float = 2.0
    seed: int = 0

    def scenario(self) -> Scenario:
        """TraceError or ValueError when there is no such point."""
        where = envelope(self.envelope)
        return Scenario.of(open_trace(self.trace), where, self.pressure, self.seed)

    @property
    def placed(self) -> str:
        """The placement, chosen or usual."""
        return self.placement or ("tide" if self.policy.startswith("spear") else "none")

    @property
    def name(self) -> str:
        """What it is called in the pictures."""
        if (self.policy, self.placed) == ("spear", "tide"):
            return "Unison (spear + tide)"
        if self.policy == "lru" and self.placed == "none":
            return "LRU"
        return self.policy if self.placed == "none" else f"{self.policy} + {self.placed}"

    def look(self, scenario: Scenario) -> Look:
        """Run it; PolicyError for a policy or a placement that cannot be had."""
        run = simulate(scenario, policy(self.policy), placing(self.placed), keep=True)
        return Look(self.name, run.totals, timeline(scenario, run))

    def beside_lru(self, scenario: Scenario) -> list[Look]:
        """This run, then LRU on the same events; LRU alone when it is the one chosen."""
        lru = Choice(self.trace, self.envelope, "lru", "none", self.pressure, self.seed)
        looks = [self.look(scenario)]
        return looks if looks[0].name == lru.name else [*looks, lru.look(scenario)]

    def text(self) -> str:
        """One line on the point."""
        order = f", order {self.seed}" if self.seed else ""
        return f"{self.trace} at {self.envelope}, pressure {self.pressure:g}{order}"


def window_us(run: Timeline, start_s: float | None, end_s: float | None) -> tuple[int, int]:
    """A window given in seconds, open ends filled in; ValueError when it is none."""
    for word, value in (("from", start_s), ("to", end_s)):
        if value is not None and not math.isfinite(value):
            raise ValueError(f"{word}: got {value}, expected seconds")
    start = run.start_us if start_s is None else round(start_s * 1e6)
    return start, run.end_us if end_s is None else round(end_s * 1e6)
