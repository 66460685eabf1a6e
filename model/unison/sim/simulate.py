"""Run a policy and a placement over events: the simulator's front door."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import unison.sim.cache  # noqa: F401  (before numba)

# isort: split
import numpy as np

from unison.contract import Outcome, RecordKind
from unison.core.plan import EMA_SHIFT
from unison.policies.base import Placement, Policy, Setting
from unison.policies.placement import Stay
from unison.scoring.fixed import compact_gap
from unison.sim import engine, pool
from unison.sim.account import Ledger
from unison.sim.bind import bind
from unison.sim.compiled import empty_slots
from unison.sim.scenario import Scenario

RESIDENCIES = ("whole", "trim")
_RECORD_ROOM = 1 << 16


@dataclass
class Totals:
    """What a run was worth. Rates are None when there is nothing to divide by.

    hit_rate: requests whose whole prefix was resident, over all requests, and by tier; partial:
    share of requests that found a part of it (trim residency only; an outcome counts as a hit).
    token_hit_rate: prompt tokens not prefilled over all prompt tokens. amat_us, ttft_p50_us:
    microseconds. extra_prefill_tokens: prefilled again. untracked: requests that found no row in
    the slot table. dropped: evictions a policy made without need. illegal: events that their slot's
    state did not allow.
    """

    events: int = 0
    requests: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    decisions: dict[str, int] = field(default_factory=dict)
    hit_rate: float | None = None
    hit_rate_sram: float | None = None
    hit_rate_hbm: float | None = None
    partial: float | None = None
    token_hit_rate: float | None = None
    amat_us: float | None = None
    ttft_p50_us: float | None = None
    extra_prefill_tokens: int = 0
    prefetch_accuracy: float | None = None
    untracked: int = 0
    dropped: int = 0
    illegal: int = 0


@dataclass
class Run:
    """Totals, and what was asked to be kept: `requests` (REQUEST rows), `records` (RECORD rows),
    `numbers` (the policy's, as it left them)."""

    totals: Totals
    requests: np.ndarray | None = None
    records: np.ndarray | None = None
    numbers: np.ndarray | None = None


def simulate(
    scenario: Scenario,
    policy: Policy,
    placement: Placement | None = None,
    residency: str = "whole",
    rows: np.ndarray | Iterable[np.ndarray] | None = None,
    keep: bool = False,
) -> Run:
    """Replay a scenario.

    rows: events to use instead of the scenario's own: an array of `EVENT`, or a stream of them,
    each let go before the next is asked for. keep: keep the request log and all records.
    ValueError: unknown residency; an oracle on a stream. PolicyError: a policy that fails.
    """
    if residency not in RESIDENCIES:
        raise ValueError(f"residency: got {residency!r}, expected one of {', '.join(RESIDENCIES)}")
    placement = placement or Stay()
    if rows is None:
        rows = scenario.rows
    if isinstance(rows, np.ndarray):
        rows = [rows]
    elif policy.oracle or placement.oracle:
        raise ValueError(f"{policy.name} + {placement.name}: an oracle needs the whole trace")
    return _Simulator(scenario, policy, placement, residency == "trim", keep).run(rows)


class _Simulator:
    """State of one run."""

    def __init__(
        self, scenario: Scenario, policy: Policy, placement: Placement, trim: bool, keep: bool
    ) -> None:
        self.keep = keep
        e = scenario.envelope
        slots = empty_slots(scenario.slots)
        setting = Setting(
            scenario.tables, scenario.gap_prior, scenario.tools.names, scenario.slots, e
        )
        prior = scenario.gap_prior
        if policy.compact:
            prior = compact_gap(round(prior))
        self.bound = bind(policy, placement, setting, slots)
        self.options = pool.Options(
            integer=int(policy.integer),
            compact=int(policy.compact),
            shift=EMA_SHIFT,
            prior=float(prior),
            bw=e.dma_bw_q8,
            trim=int(trim),
            drops=int(policy.drops),
            learns=int(policy.learn is not None),
            fixed=int(policy.fixed),
            place=int(placement.moment),
            windowed=int(placement.windowed),
            tracked=scenario.slots if scenario.tracked is None else scenario.tracked,
            record=int(keep),
            oracle=int(policy.oracle or placement.oracle),
            admit=int(policy.admits),
            fitting=int(placement.fitting),
        )
        room = _RECORD_ROOM + 2 * scenario.slots if keep else 0
        self.pool = pool.new_pool(slots, e.sram.tokens, e.hbm.tokens, room)
        self.ledger = Ledger(e)
        self.requests: list[np.ndarray] = []
        self.records: list[np.ndarray] = []

    def run(self, chunks: Iterable[np.ndarray]) -> Run:
        log = np.zeros(0, engine.REQUEST)
        for rows in chunks:
            if len(log) < len(rows):
                log = np.zeros(len(rows), engine.REQUEST)
            self.pool.n[pool.EVENT_INDEX] = 0
            while self.pool.n[pool.EVENT_INDEX] < len(rows):
                self._some(rows, log)
        if not self.keep:
            return Run(self._totals())
        kept = (np.concatenate(self.requests), np.concatenate(self.records))
        return Run(self._totals(), *kept, self.bound.p)

    def _some(self, rows: np.ndarray, log: np.ndarray) -> None:
        b = self.bound
        args = (b.score, b.p, b.learn, b.place, b.pp, self.options, self.pool, log)
        try:
            with b.interrupts_kept():
                n = engine.run(rows, *args)
        except Exception as error:
            raise b.blame(error) from None
        b.check()
        self.ledger.add(log[:n])
        if self.keep:
            self.requests.append(log[:n].copy())
            self.records.append(self.pool.records[: self.pool.n[pool.N_REC]].copy())
            self.pool.n[pool.N_REC] = 0

    def _totals(self) -> Totals:
        count, ledger = self.pool.n, self.ledger
        outcomes = {o.name: int(count[pool.OUTCOMES + o]) for o in Outcome}
        n = sum(outcomes.values())

        def rate(part: float, of: int) -> float | None:
            return float(part / of) if of else None

        def record(kind: RecordKind) -> int:
            return int(count[pool.KINDS + kind])

        sram, hbm = outcomes["HIT_SRAM"], outcomes["HIT_HBM"]
        partial, fast = int(count[pool.PARTIAL]), int(count[pool.PARTIAL_FAST])
        ttft = ledger.ttft_ns()
        kinds = (RecordKind.EVICT, RecordKind.BYPASS, RecordKind.PROMOTE, RecordKind.DEMOTE)
        return Totals(
            events=int(count[pool.EVENTS]),
            requests=n,
            outcomes=outcomes,
            decisions={k.name: record(k) for k in kinds},
            hit_rate=rate(sram + hbm - partial, n),
            hit_rate_sram=rate(sram - fast, n),
            hit_rate_hbm=rate(hbm - (partial - fast), n),
            partial=rate(partial, n),
            token_hit_rate=rate(ledger.prompt - ledger.computed, ledger.prompt),
            amat_us=rate(ledger.access_ns / 1000, n),
            ttft_p50_us=None if ttft is None else ttft / 1000,
            extra_prefill_tokens=ledger.again,
            prefetch_accuracy=rate(int(count[pool.USEFUL]), record(RecordKind.PROMOTE)),
            untracked=int(count[pool.UNTRACKED]),
            dropped=int(count[pool.DROPPED]),
            illegal=int(count[pool.ILLEGAL]),
        )
