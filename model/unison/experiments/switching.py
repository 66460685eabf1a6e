"""A workload that changes in mid-trace from tools to people: what adapting costs."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

import numpy as np

from unison.contract import Outcome
from unison.experiments.base import Cell, Row
from unison.learning.layout import NEXT, PERIOD
from unison.policies import placing, policy
from unison.policies.learned_waits import Learned
from unison.sim.scenario import Scenario
from unison.sim.simulate import Run, simulate
from unison.traces.envelopes import ENVELOPES
from unison.traces.model import Session, Trace
from unison.traces.paths import open_trace

#: By name: the family before, the family after, whether tools keep their names. Without names
#: all waits are one class, and what was learned of the first family is wrong for the second.
PAIRS = {
    "swe_qwen3 to human_pair": ("swe_qwen3", "human_pair", True),
    "swe_qwen3 to human_pair, no names": ("swe_qwen3", "human_pair", False),
    "gaia_gemma4 to human_chat": ("gaia_gemma4", "human_chat", True),
    "gaia_gemma4 to human_chat, no names": ("gaia_gemma4", "human_chat", False),
}
ENVELOPE, PRESSURE = "gpu-tight", 4.0
#: Requests after the change, in parts of this many.
WINDOW = 500
#: Sessions of the first family.
BEFORE = 120
_NEVER = 1 << 40
_HIT = int(Outcome.HIT_SRAM)


class _Frozen(Learned):
    """Knows the second family beforehand, and learns nothing more."""

    name = "frozen"

    def __init__(self, numbers: np.ndarray) -> None:
        super().__init__()
        self._numbers = numbers

    def params(self, setting):
        p = self._numbers.copy()
        p[NEXT] = p[PERIOD] = _NEVER
        return p


@lru_cache(maxsize=2)
def _halves(pair: str) -> tuple[Sequence[Session], Sequence[Session]]:
    first, second, named = PAIRS[pair]
    found = []
    for family, count in ((first, BEFORE), (second, None)):
        sessions = open_trace(family).sessions[:count]
        if not named:
            sessions = [
                Session(s.id, tuple(replace(t, tool="") for t in s.turns)) for s in sessions
            ]
        found.append(sessions)
    return found[0], found[1]


def joined(parts: Sequence[Sequence[Session]], seed: int) -> Trace:
    """The sessions of the parts one after the other, each part in an order of its own."""
    random, sessions = Random(seed), []
    for part in parts:
        order = list(part)
        if seed:
            random.shuffle(order)
        sessions += order
    header = replace(open_trace("gaia_gemma4").header, family="joined", sessions=len(sessions))
    numbered = tuple(
        Session(n, tuple(replace(t, session=n) for t in s.turns)) for n, s in enumerate(sessions)
    )
    return Trace(replace(header, turns=sum(len(s.turns) for s in numbered)), numbered)


def measure_switch(cell: Cell) -> list[Row]:
    """Tokens and requests that hit, for four rankings: before the change, which is window -1,
    and after it by window."""
    first, second = _halves(cell["pair"])
    trace = joined((first, second), cell["seed"])
    point = Scenario.of(trace, ENVELOPES[ENVELOPE], PRESSURE)
    alone = Scenario.of(joined((second,), cell["seed"]), ENVELOPES[ENVELOPE], load=point.load)
    place = placing("tide-fit")
    taught = simulate(alone, policy("learned"), place, keep=True).numbers
    rules = {
        "unison-learned": (policy("learned"), place),
        "frozen": (_Frozen(taught), place),
        "lru-queue": (policy("lru-queue"), place),
        "lru": (policy("lru"), placing("none")),
    }
    rows = []
    for name, (rule, where) in rules.items():
        run = simulate(point, rule, where, keep=True)
        for n, (prompt, cached, hits, count) in enumerate(_windows(run, len(first)), -1):
            rows.append(
                {
                    **cell,
                    "policy": name,
                    "window": n,
                    "prompt": prompt,
                    "cached": cached,
                    "hits": hits,
                    "requests": count,
                }
            )
    return rows


def _windows(run: Run, first: int) -> list[tuple[int, int, int, int]]:
    """(prompt tokens, of them cached, hits, requests): all of the first family's requests, then
    the second's by window."""
    log, second = run.requests, run.requests["session"] >= first
    after = log[second]
    parts = [log[~second], *(after[i : i + WINDOW] for i in range(0, len(after), WINDOW))]
    found = []
    for part in parts:
        hit = part["outcome"] >= _HIT
        cached = np.where(hit, part["cached"], 0)
        sums = (part["tokens"].sum(dtype=np.int64), cached.sum(dtype=np.int64), hit.sum())
        found.append((*(int(x) for x in sums), len(part)))
    return found
