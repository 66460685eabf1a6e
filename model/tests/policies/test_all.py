"""What holds for every policy and placement, on a slice of a family."""

from dataclasses import replace

import numpy as np
import pytest

from unison.contract import EventCode, Outcome, RecordKind, Tier
from unison.contract.widths import BW_F, TICKS_PER_MS
from unison.policies import PLACEMENTS, POLICIES, learned, placing, policy
from unison.sim.scenario import Scenario
from unison.sim.simulate import simulate
from unison.traces import envelope, open_trace

#: Tide reads the eviction policy's ranking, the other placements have their own.
PLACED = [("spear", name) for name in sorted(PLACEMENTS) if name != "tide"]
ALL_PAIRS = [(name, "tide") for name in sorted(POLICIES)] + PLACED
PAIRS = [
    (one, two) for one, two in ALL_PAIRS if not (POLICIES[one].oracle or PLACEMENTS[two].oracle)
]


@pytest.fixture(scope="module")
def scenario():
    whole = open_trace("gaia_qwen3")
    sessions = whole.sessions[:50]
    turns = sum(len(s.turns) for s in sessions)
    header = replace(whole.header, sessions=len(sessions), turns=turns)
    return Scenario.of(replace(whole, header=header, sessions=sessions), envelope("cloud"))


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    """So that LRB has a model for most of the slice."""
    monkeypatch.setattr(learned, "BATCH", 200)


def records(scenario, pair, rows=None):
    run = simulate(
        scenario,
        policy(pair[0]),
        placing(pair[1]),
        rows=None if rows is None else [rows],
        keep=True,
    )
    assert run.totals.decisions["EVICT"] > 20
    return run.records


@pytest.mark.parametrize("pair", PAIRS, ids="+".join)
def test_no_future(scenario, pair):
    """A scrambled future changes nothing, nor does none; the past decides nothing later."""
    rows = scenario.rows
    want = records(scenario, pair)
    scrambled = rows.copy()
    scrambled["next_us"] = np.random.default_rng(0).permutation(rows["next_us"])
    assert np.array_equal(records(scenario, pair, scrambled), want)
    short = records(scenario, pair, rows[: len(rows) // 2].copy())
    assert np.array_equal(short, want[: len(short)])


@pytest.mark.parametrize("pair", ALL_PAIRS, ids="+".join)
def test_repeats_itself(scenario, pair):
    """Two runs of one instance: nothing is left over from the first."""
    one, two = policy(pair[0]), placing(pair[1])
    first, again = (simulate(scenario, one, two, keep=True) for _ in range(2))
    assert first.totals == again.totals
    assert np.array_equal(first.records, again.records)
    assert np.array_equal(first.requests, again.requests)
    assert np.array_equal(first.records, records(scenario, pair))


@pytest.mark.parametrize("pair", ALL_PAIRS, ids="+".join)
def test_accounts(scenario, pair):
    """The records tell where everybody is, and no tier ever holds more than it can."""
    accounts = _Accounts(scenario)
    log = records(scenario, pair)
    seq = at = 0
    for e in scenario.rows:
        ts = int(e["time_us"]) * TICKS_PER_MS // 1000
        if accounts.due is not None and accounts.due <= ts:
            # MIG_DONE is an event too.
            accounts.due = None
            seq += 1
        mine = []
        while at < len(log) and log[at]["seq"] == seq:
            mine.append(log[at])
            at += 1
        accounts.event(e, ts, mine)
        seq += 1
    assert at == len(log)


class _Accounts:
    """Tiers and sizes by slot, from events and records alone."""

    def __init__(self, scenario):
        e = scenario.envelope
        self.cap = {Tier.SRAM: e.sram.tokens, Tier.HBM: e.hbm.tokens}
        self.bw = e.dma_bw_q8
        self.held = {}
        self.due = None

    def event(self, e, ts, mine):
        slot, moves = int(e["slot"]), []
        for r in mine:
            kind, who, tokens = RecordKind(r["kind"]), int(r["slot"]), int(r["tokens"])
            if kind == RecordKind.OUTCOME:
                hit = r["info"] in (Outcome.HIT_SRAM, Outcome.HIT_HBM)
                assert hit == (who in self.held)
            elif kind == RecordKind.EVICT:
                assert self.held.pop(who) == (r["tier"], tokens)
            elif kind == RecordKind.BYPASS:
                self.held.pop(who, None)
            elif kind == RecordKind.PLACE:
                self.held[who] = (r["tier"], tokens)
            else:
                moves.append((who, r["tier"], tokens))
        if e["code"] == EventCode.DONE:
            self.held.pop(slot, None)
        elif e["code"] in (EventCode.REQ, EventCode.GAP_OPEN) and slot in self.held:
            # It grew where it is; what moves afterwards has its new size.
            self.held[slot] = (self.held[slot][0], int(e["tokens"]))
        for who, tier, tokens in moves:
            assert self.held[who][1] == tokens
            self.held[who] = (tier, tokens)
        if moves:
            moved = sum(tokens for _, _, tokens in moves)
            self.due = ts + max(1, -(-(moved << BW_F) // self.bw))
        for tier, cap in self.cap.items():
            assert sum(n for t, n in self.held.values() if t == tier) <= cap
