"""The environment: agents, probes, decision monitor, scoreboard, and how they are wired."""

from pyuvm import uvm_env

from tb.uvm.agents.apb_agent import ApbAgent
from tb.uvm.agents.apb_rules import ApbRules
from tb.uvm.agents.decision_agent import DecisionAgent
from tb.uvm.agents.dma_agent import DmaAgent
from tb.uvm.agents.probes import LatencyProbe, RankProbe
from tb.uvm.agents.sideband_agent import SidebandAgent
from tb.uvm.items import Latency
from tb.uvm.ports import Sink
from tb.uvm.scoreboard.scoreboard import Scoreboard


class Env(uvm_env):
    """`latencies`: cycles of each event that yielded a decision.

    passive (in pyuvm's configuration: `is_active` of "apb", "sideband", "dma", "records"): only
    monitors and scoreboard, which then takes every event from the pins alone.
    """

    def build_phase(self) -> None:
        super().build_phase()
        self.apb = ApbAgent.create("apb", self)
        self.rules = ApbRules.create("rules", self)
        self.sideband = SidebandAgent.create("sideband", self)
        self.dma = DmaAgent.create("dma", self)
        self.ranks = RankProbe.create("ranks", self)
        self.latency = LatencyProbe.create("latency", self)
        self.records = DecisionAgent.create("records", self)
        self.scoreboard = Scoreboard.create("scoreboard", self)
        self.latencies: list[int] = []
        self._level_sink = Sink("level_sink", self, lambda t: self.scoreboard.sampler.bus(t))
        self._latency_sink = Sink("latency_sink", self, self._note_latency)

    def connect_phase(self) -> None:
        super().connect_phase()
        self.decisions = self.records.monitor
        self._sideband_sink = Sink("sideband_sink", self, self.decisions.sideband)
        self.apb.ap.connect(self.decisions.analysis_export)
        self.apb.ap.connect(self._level_sink)
        self.sideband.ap.connect(self._sideband_sink)
        self.rules.ap.connect(self.scoreboard.rules_in)
        self.decisions.events_ap.connect(self.scoreboard.pushed_in)
        self.decisions.records_ap.connect(self.scoreboard.records_in)
        self.ranks.ap.connect(self.scoreboard.rankings_in)
        self.dma.ap.connect(self.scoreboard.beats_in)
        self.latency.ap.connect(self._latency_sink)

    def mute(self, muted: bool = True) -> None:
        """Whatever is seen means nothing: the core is in reset."""
        self.decisions.muted = self.scoreboard.muted = muted

    def restart(self) -> None:
        """Forget the core's past: it is in reset, and no transfer is under way."""
        self.decisions.restart()
        self.dma.restart()
        self.scoreboard.restart()
        self.ranks.passes = 0
        self.latencies.clear()

    def _note_latency(self, latency: Latency) -> None:
        self.latencies.append(latency.cycles)
