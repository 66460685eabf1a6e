"""One point of an evaluation: a trace on a pool under a load."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unison.contract.widths import DEFAULT_SLOTS
from unison.core.plan import gap_prior
from unison.scoring import Tables, elapsed_weights, fit_hazard
from unison.sim.layout import Tools
from unison.sim.stream import columns, reorder, tool_classes
from unison.traces.envelopes import Envelope
from unison.traces.load import ServingLoad, derive_load
from unison.traces.model import Trace


@dataclass(frozen=True)
class Scenario:
    """A trace, the pool it runs on, its load, and what a policy is told beforehand.

    envelope: capacities and costs. slots: of the event stream; tracked: rows of the slot table
    (None: as many). tables: hazard fitted on the whole trace unless given.
    """

    trace: Trace
    envelope: Envelope
    load: ServingLoad
    tables: Tables
    gap_prior: float
    tools: Tools
    slots: int = DEFAULT_SLOTS
    tracked: int | None = None

    @classmethod
    def of(
        cls,
        trace: Trace,
        envelope: Envelope,
        pressure: float = 2.0,
        seed: int = 0,
        slots: int = DEFAULT_SLOTS,
        load: ServingLoad | None = None,
    ) -> "Scenario":
        """The usual point: load by the load rule, hazard and prior from the whole trace.

        seed: order of the sessions, 0 the file's. ValueError on a pressure or a load out of range.
        """
        weights = elapsed_weights()
        hazard = fit_hazard(len(s.turns) for s in trace.sessions)
        return cls(
            reorder(trace, seed),
            envelope,
            load or derive_load(trace, envelope.pool_tokens, pressure),
            Tables(hazard, weights, weights),
            float(gap_prior(trace.waits_us())),
            tool_classes(trace),
            slots,
        )

    @cached_property
    def rows(self) -> np.ndarray:
        """All events, with the future filled in; shape (events,), `EVENT`."""
        return columns(self.trace, self.load, self.slots)

    def resized(self, sram: int, hbm: int) -> "Scenario":
        """The same load on a pool of other capacities, tokens."""
        e = self.envelope
        changed = replace(e, sram=replace(e.sram, tokens=sram), hbm=replace(e.hbm, tokens=hbm))
        return replace(self, envelope=changed)
