"""Float64 keys for the candidates of an integer run, whatever it keeps resident."""

from unison.contract import CoreEvent, EventCode
from unison.core.golden import EventCore
from unison.core.state import CoreConfig
from unison.metrics import Fidelity
from unison.scoring import FloatScorer


class FloatShadow:
    """Follows the events of another core and ranks its candidates in float64.

    Gap averages, turns and states depend on events alone, so a core without any capacity
    carries them; residency is the other core's business.
    """

    def __init__(self, slots: int, scorer: FloatScorer, tok_w: int) -> None:
        self._core = EventCore(CoreConfig(0, 0, slots, tok_w, tide=False), scorer)

    def step(self, event: CoreEvent) -> None:
        """Take an event; MIG_DONE says nothing about waits."""
        if event.code != EventCode.MIG_DONE:
            self._core.step(event)

    def rescore(self, scorer: FloatScorer) -> None:
        """Other tables from now on."""
        self._core.scorer = scorer

    def keys(self, slots: tuple[int, ...]) -> dict[int, tuple[int, float]]:
        """Float64 key of each slot at the time of the last event."""
        return {i: self._core.key(i) for i in slots}


class FidelityProbe:
    """A `replay` observer: ranks every eviction of `core` by its own keys and by float64."""

    def __init__(self, core: EventCore, scorer: FloatScorer) -> None:
        self._core = core
        self._shadow = FloatShadow(core.config.slots, scorer, core.config.tok_w)
        self.result = Fidelity()

    def __call__(self, event: CoreEvent, _records: object) -> None:
        """Take an event after the core has."""
        self._shadow.step(event)
        for candidates in self._core.choices:
            own = {i: self._core.key(i) for i in candidates}
            self.result.add(own, self._shadow.keys(candidates))
