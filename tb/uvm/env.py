"""The environment: agents, probes, decision monitor, scoreboard, and how they are wired."""

from pyuvm import uvm_env

from tb.uvm.agents.apb_agent import ApbAgent
from tb.uvm.agents.dma_agent import DmaAgent
from tb.uvm.agents.probes import LatencyProbe, RankProbe
from tb.uvm.items import Latency
from tb.uvm.ports import Sink
from tb.uvm.scoreboard.decisions import DecisionMonitor
from tb.uvm.scoreboard.scoreboard import Scoreboard


class Env(uvm_env):
    """`latencies`: cycles of each event that yielded a decision."""

    def build_phase(self) -> None:
        super().build_phase()
        self.apb = ApbAgent.create("apb", self)
        self.dma = DmaAgent.create("dma", self)
        self.ranks = RankProbe.create("ranks", self)
        self.latency = LatencyProbe.create("latency", self)
        self.decisions = DecisionMonitor.create("decisions", self)
        self.scoreboard = Scoreboard.create("scoreboard", self)
        self.latencies: list[int] = []
        self._level_sink = Sink("level_sink", self, lambda t: self.scoreboard.sampler.bus(t))
        self._latency_sink = Sink("latency_sink", self, self._note_latency)

    def connect_phase(self) -> None:
        super().connect_phase()
        self.apb.ap.connect(self.decisions.analysis_export)
        self.apb.ap.connect(self._level_sink)
        self.decisions.events_ap.connect(self.scoreboard.pushed_in)
        self.decisions.records_ap.connect(self.scoreboard.records_in)
        self.ranks.ap.connect(self.scoreboard.rankings_in)
        self.dma.ap.connect(self.scoreboard.beats_in)
        self.latency.ap.connect(self._latency_sink)

    def _note_latency(self, latency: Latency) -> None:
        self.latencies.append(latency.cycles)
