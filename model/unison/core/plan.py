"""From a trace and an envelope to everything a replay programs into the core."""

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass

from unison.contract import CoreEvent, ticks
from unison.contract.widths import DEFAULT_SLOTS, GAP_W, TICKS_PER_MS, mask
from unison.core.state import CoreConfig
from unison.scoring import (
    DEFAULT_FORM,
    FixedScorer,
    FloatScorer,
    Form,
    Tables,
    elapsed_weights,
    fit_hazard,
)
from unison.traces.envelopes import Envelope
from unison.traces.events import TraceEvent
from unison.traces.load import ServingLoad, derive_load
from unison.traces.model import Trace

EMA_SHIFT = 2


@dataclass(frozen=True)
class Plan:
    """Parameters of one replay, exact (`tables`, `gap_prior` in ticks) and raw (`fixed`)."""

    envelope: Envelope
    config: CoreConfig
    load: ServingLoad
    form: Form
    tables: Tables
    gap_prior: float
    dma_bw: int

    def fixed(self) -> FixedScorer:
        """The integer score; its fields are the raw register contents."""
        prior = round(self.gap_prior)
        return FixedScorer.from_tables(self.form, self.tables, prior, EMA_SHIFT, self.dma_bw)

    def float64(self) -> FloatScorer:
        """The float64 score of the same form."""
        return FloatScorer(self.form, self.tables, self.gap_prior, EMA_SHIFT, self.dma_bw)


def gap_prior(waits_us: Iterable[int]) -> float:
    """G0: the median wait in whole ticks, at most the field's; 1 when there is no wait."""
    waits = list(waits_us)
    prior = statistics.median(waits) * TICKS_PER_MS / 1000 if waits else 1.0
    return min(float(mask(GAP_W)), math.floor(prior))


def plan(
    trace: Trace,
    envelope: Envelope,
    slots: int = DEFAULT_SLOTS,
    form: Form = DEFAULT_FORM,
    pressure: float = 2.0,
    tide: bool = True,
) -> Plan:
    """Plan a replay: hazard fitted on the whole trace (as the paper does), G0 its median wait.

    ValueError on a trace or an envelope the core cannot hold.
    """
    weights = elapsed_weights()
    return Plan(
        envelope=envelope,
        config=CoreConfig(envelope.sram.tokens, envelope.hbm.tokens, slots, tide=tide),
        load=derive_load(trace, envelope.pool_tokens, pressure),
        form=form,
        tables=Tables(fit_hazard(len(s.turns) for s in trace.sessions), weights, weights),
        gap_prior=gap_prior(trace.waits_us()),
        dma_bw=envelope.dma_bw_q8,
    )


def core_event(event: TraceEvent) -> CoreEvent:
    """A trace event at the core's door: time in ticks, whole and exact."""
    exact = event.time_us * TICKS_PER_MS / 1000
    return CoreEvent(event.code, event.slot, event.tokens, ticks(event.time_us), exact)
