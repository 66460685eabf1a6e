"""What a run feeds the core: parameters, tables and events."""

from dataclasses import dataclass
from itertools import islice

from tb.settings import Settings
from unison.contract import CoreEvent
from unison.core import CoreConfig
from unison.core.plan import core_event, plan
from unison.scoring import FixedScorer, FloatScorer
from unison.traces.envelopes import envelope
from unison.traces.paths import open_trace
from unison.traces.serving import events as serve


@dataclass(frozen=True)
class Workload:
    """events: in order, without the MIG_DONEs, which the DMA model adds as the run goes.

    fixed, float64: the integer score under test and the float score it is measured against.
    """

    config: CoreConfig
    fixed: FixedScorer
    float64: FloatScorer
    events: list[CoreEvent]

    @property
    def dma_bw(self) -> int:
        """DMA bandwidth, raw Q8.8 tokens a tick."""
        return self.fixed.dma_bw


def from_trace(settings: Settings) -> Workload:
    """Workload of a trace at an envelope, by the same plan as every model run."""
    trace = open_trace(settings.trace)
    planned = plan(trace, envelope(settings.envelope), settings.slots, settings.form)
    stream = serve(trace, planned.load, settings.slots)
    return Workload(
        config=planned.config,
        fixed=planned.fixed(),
        float64=planned.float64(),
        events=[core_event(e) for e in islice(stream, settings.limit or None)],
    )
