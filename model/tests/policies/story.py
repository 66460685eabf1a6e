"""Short hand-made runs: what happened to whom, and who was evicted for it."""

from dataclasses import replace

import numpy as np

from tests.traces.conftest import make_trace
from unison.contract import EventCode, RecordKind
from unison.policies import Policy
from unison.scoring import Tables, elapsed_weights, fit_hazard
from unison.sim.layout import EVENT, Tools
from unison.sim.scenario import Scenario
from unison.sim.simulate import Run, simulate
from unison.traces import ServingLoad, envelope

#: Length of every decode, seconds.
DECODE = 0.1


class Story:
    """Events of named slots, times in seconds; `tools` gives their classes."""

    def __init__(self, *tools: str, slots: int = 8) -> None:
        self.tools = tools
        self.slots = slots
        self._rows: list[tuple] = []

    def turn(self, at: float, slot: int, tokens: int, tool: str = "") -> "Story":
        """A request, and the tool wait after it."""
        cls = self.tools.index(tool) if tool else -1
        self._add(EventCode.REQ, at, slot, tokens, -1)
        self._add(EventCode.GAP_OPEN, at + DECODE, slot, tokens, cls)
        return self

    def ready(self, at: float, slot: int) -> "Story":
        """The tool has returned."""
        return self._add(EventCode.GAP_CLOSE, at, slot, 0, -1)

    def done(self, at: float, slot: int) -> "Story":
        """The session has ended."""
        return self._add(EventCode.DONE, at, slot, 0, -1)

    def _add(self, code, at, slot, tokens, tool):
        self._rows.append((int(code), slot, tokens, tool, slot, 0, round(at * 1e6), -1))
        return self

    def rows(self) -> np.ndarray:
        return np.array(sorted(self._rows, key=lambda r: r[6]), EVENT)

    def play(self, policy: Policy, pool: int, slow: int = 0, prefill: float = 1000.0) -> Run:
        """Run on a pool of these tokens; prefill in tokens a second."""
        weights = elapsed_weights()
        scenario = Scenario(
            make_trace([[(None, 1, 1, 1)]]),
            replace(envelope("cloud"), prefill_rate=prefill),
            ServingLoad(1, 1, 0),
            Tables(fit_hazard([1]), weights, weights),
            16000.0,
            Tools(self.tools),
            self.slots,
        ).resized(pool, slow)
        run = simulate(scenario, policy, rows=[self.rows()], keep=True)
        assert run.totals.illegal == 0
        return run

    def evicted(self, policy: Policy, pool: int, **kwargs: float) -> list[int]:
        """Slots in the order of their evictions."""
        records = self.play(policy, pool, **kwargs).records
        return records["slot"][records["kind"] == RecordKind.EVICT].tolist()
