"""Upper bound on the hits that any policy, even a clairvoyant one, reaches on an event stream.

After D. S. Berger, N. Beckmann, M. Harchol-Balter, "Practical bounds on optimal caching with
variable object sizes", POMACS 2(2), 2018 (FOO): a request is a hit only if its session was
resident all the way from its last request, so the choice is which of these intervals to
bridge, and what is bridged at once must fit. Here sizes change within an interval and there
are two tiers; `bound_solve` has the formulas.

Why nothing real is excluded (contract section 4). A session becomes resident at its REQ only
(GAP_OPEN of a non-resident one allocates nothing), so a hit implies residency after every row
from its last REQ to the row before this one, with the tokens that this session's last REQ or
GAP_OPEN said. After every row the sizes in each tier are at most its capacity, and each
resident session lies wholly in one tier. A hit is counted before the REQ takes the old
footprint out and asks for the new size, so it asks nothing of the new size, and a BYPASS or
eviction at that REQ concerns the next interval only. Looser than reality: migrations are free
and instant, running and in-flight sessions may be dropped, nothing has to be admitted.

Holds for whole residency: a policy that keeps a part of a prefix is not covered.
"""

from dataclasses import dataclass
from time import perf_counter
from typing import Literal

import numpy as np

from unison.contract import EventCode
from unison.sim.bound_solve import EXACT_WORK, Problem, exact_bound, exact_work, lp_bound

_WEIGHTS = ("hits", "tokens")


@dataclass(frozen=True)
class Bound:
    """Result of `hit_bound`.

    hits: upper bound on the hits, or with weight "tokens" on the prefix tokens found resident.
    returning: the same if every returning request hit. requests: all REQ, cold ones too.
    rate: hits / requests, or hits / returning with weight "tokens"; None: nothing to divide by.
    seconds: time it took. method: "exact" (optimum of the offline problem) or "lp" (relaxation).
    """

    hits: int
    requests: int
    rate: float | None
    seconds: float
    method: str
    returning: int

    @property
    def lost(self) -> int:
        """Lower bound on the misses of returning sessions, or on the extra prefill, tokens."""
        return self.returning - self.hits


def hit_bound(
    rows: np.ndarray, cap_sram: int, cap_hbm: int, weight: Literal["hits", "tokens"] = "hits"
) -> Bound:
    """Bound for the events `rows` (of `EVENT`) on tiers of `cap_sram` and `cap_hbm` tokens.

    weight "tokens": a hit counts min(tokens of the last GAP_OPEN, tokens of this REQ), what
    contract section 6 calls extra prefill when it is a miss. Exact where the number of
    intervals that overlap allows it, the linear relaxation otherwise; both never too small.
    The stream must be one that a core takes without an error. ValueError otherwise.
    """
    began = perf_counter()
    for name, cap in (("cap_sram", cap_sram), ("cap_hbm", cap_hbm)):
        if cap != int(cap) or cap < 0:
            raise ValueError(f"{name}: got {cap}, expected a whole number of tokens, at least 0")
    if weight not in _WEIGHTS:
        raise ValueError(f"weight: got {weight!r}, expected one of {', '.join(_WEIGHTS)}")
    whole = read_problem(rows, int(cap_sram), int(cap_hbm), weight)
    problem = whole.fitting()
    exact = exact_work(problem) <= EXACT_WORK
    hits = exact_bound(problem) if exact else lp_bound(problem)
    requests = int((rows["code"] == EventCode.REQ).sum())
    returning = int(whole.weight.sum())
    of = requests if weight == "hits" else returning
    return Bound(
        hits=hits,
        requests=requests,
        rate=hits / of if of else None,
        seconds=perf_counter() - began,
        method="exact" if exact else "lp",
        returning=returning,
    )


def read_problem(rows: np.ndarray, cap_sram: int, cap_hbm: int, weight: str = "hits") -> Problem:
    """Intervals of a stream: one for every REQ of a session that has had one before.

    Sessions are told apart by slot, a DONE ends them. ValueError names the first row at fault.
    """
    names = ("code", "slot", "tokens", "time_us")
    missing = [n for n in names if n not in (rows.dtype.names or ())]
    if missing:
        raise ValueError(f"rows: got no column {', '.join(missing)}, expected those of EVENT")
    back = np.flatnonzero(np.diff(rows["time_us"]) < 0)
    if len(back):
        raise ValueError(f"row {back[0] + 1}: got a time before the last, expected none")
    found = _intervals(*(rows[n].tolist() for n in names[:3]))
    table = np.array(found, np.int64).reshape(-1, 6)
    start, grow, end, prompt, kv, following = (np.ascontiguousarray(c) for c in table.T)
    gain = np.ones_like(kv) if weight == "hits" else np.minimum(kv, following)
    return Problem(start, grow, end, prompt, kv, gain, cap_sram, cap_hbm)


def _intervals(
    codes: list[int], slots: list[int], tokens: list[int]
) -> list[tuple[int, int, int, int, int, int]]:
    """(REQ row, GAP_OPEN row, next REQ row, tokens at each of the three) of every interval."""
    running: dict[int, tuple[int, int]] = {}
    waiting: dict[int, tuple[int, int, int, int]] = {}
    found = []
    for row, (code, slot, size) in enumerate(zip(codes, slots, tokens, strict=True)):
        if code in (EventCode.REQ, EventCode.GAP_OPEN) and size < 1:
            raise ValueError(f"row {row}: got {size} tokens, expected at least 1")
        if code == EventCode.REQ and slot not in running:
            if slot in waiting:
                start, grow, prompt, kv = waiting.pop(slot)
                found.append((start, grow, row, prompt, kv, size))
            running[slot] = row, size
        elif code == EventCode.GAP_OPEN and slot in running:
            start, prompt = running.pop(slot)
            waiting[slot] = start, row, prompt, size
        elif code == EventCode.DONE and (slot in running or slot in waiting):
            running.pop(slot, None)
            waiting.pop(slot, None)
        elif not (code == EventCode.GAP_CLOSE and slot in waiting):
            raise ValueError(f"row {row}: got code {code} for slot {slot}, illegal in its state")
    return found
