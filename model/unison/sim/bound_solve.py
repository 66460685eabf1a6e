"""The offline problem behind `bound`: which gaps to bridge, and two ways to bound the best choice.

An interval is what lies between two requests of a session. Bridging interval i earns w_i and
occupies p_i tokens from its first REQ to its GAP_OPEN, q_i from there to the next REQ. With
f_i(e) its size after row e of the stream (0 outside), K the bridged intervals must satisfy,
after every row e,

    K_e = {i in K: f_i(e) > 0} splits into two parts of at most S and at most H tokens.   (1)

Rows are positions, not times, so events of the same instant need no convention. (1) is
checked only at `moments`: rows after which some size falls, since up to there sizes only rise.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

#: Value of an impossible choice; adding any weight keeps it negative.
_NEVER = -(1 << 60)
#: Exact solutions are tried up to this many elementary steps (about 2 ns each).
EXACT_WORK = 1_500_000_000


@dataclass(frozen=True)
class Problem:
    """Intervals by their rows `start` < `grow` < `end`, and the tiers S and H, tokens.

    prompt, kv: sizes up to and from `grow`, tokens. weight: what bridging earns. All int64.
    Intervals that no tier can hold are not part of it (`fitting`).
    """

    start: np.ndarray
    grow: np.ndarray
    end: np.ndarray
    prompt: np.ndarray
    kv: np.ndarray
    weight: np.ndarray
    cap_sram: int
    cap_hbm: int

    def fitting(self) -> "Problem":
        """Without the intervals whose peak exceeds the larger tier: a session has one tier."""
        ok = np.maximum(self.prompt, self.kv) <= max(self.cap_sram, self.cap_hbm)
        columns = (self.start, self.grow, self.end, self.prompt, self.kv, self.weight)
        return Problem(*(c[ok] for c in columns), self.cap_sram, self.cap_hbm)

    def moments(self) -> np.ndarray:
        """Rows after which (1) is checked; at every other row the sizes are no larger."""
        down = np.unique(np.concatenate([self.end, self.grow[self.kv < self.prompt]]))
        up = np.unique(np.concatenate([self.start, self.grow[self.kv > self.prompt]]))
        before = np.concatenate([[-1], down[:-1]])
        # A fall with no rise since the fall before it leaves nothing new to check.
        return down[np.searchsorted(up, down) > np.searchsorted(up, before)] - 1

    def most_at_once(self) -> int:
        """Largest number of intervals that overlap in one row."""
        steps = np.concatenate([self.end * 2, self.start * 2 + 1])
        change = np.concatenate([np.full(len(self.end), -1), np.full(len(self.start), 1)])
        return int(np.cumsum(change[np.argsort(steps)]).max(initial=0))


def exact_work(problem: Problem) -> int:
    """Elementary steps of `exact_bound`, at most: intervals * n * 2^n, n of them at once."""
    n = problem.most_at_once()
    return (len(problem.end) * n) << n


def exact_bound(problem: Problem) -> int:
    """Best total weight under (1), by dynamic programming over the sets bridged at a row.

    `best[m]`: most weight earned so far when the intervals with their bits in m are being
    bridged. Tiers may be reassigned freely at every row, which only helps.
    """
    bits = problem.most_at_once()
    table = _Table(problem, bits)
    moments = np.append(problem.moments(), np.iinfo(np.int64).max)
    todo = 0
    for row, kind, i in _changes(problem):
        while moments[todo] < row:
            table.check()
            todo += 1
        (table.close, table.open, table.grow)[kind](i)
    return max(0, int(table.best.max()))


def _changes(problem: Problem) -> list[tuple[int, int, int]]:
    """(row, kind, interval) in order; kind 0: end, 1: start, 2: growth. In a row, ends go first."""
    rows = np.concatenate([problem.end, problem.start, problem.grow])
    kinds = np.repeat([0, 1, 2], len(problem.end))
    which = np.tile(np.arange(len(problem.end)), 3)
    order = np.lexsort((kinds, rows))
    return list(
        zip(rows[order].tolist(), kinds[order].tolist(), which[order].tolist(), strict=True)
    )


class _Table:
    """State of `exact_bound`: values and token totals of all sets of open intervals."""

    def __init__(self, problem: Problem, bits: int) -> None:
        self.problem = problem
        self.best = np.full(1 << bits, _NEVER)
        self.best[0] = 0
        self.total = np.zeros(1 << bits, np.int64)
        self.free = list(range(bits))
        self.bit: dict[int, int] = {}
        self.live = 0

    def _halves(self, table: np.ndarray, bit: int) -> tuple[np.ndarray, np.ndarray]:
        """Views of a table: sets without the bit, and the same sets with it."""
        view = table.reshape(-1, 2, 1 << bit)
        return view[:, 0], view[:, 1]

    def _resize(self, bit: int, by: int) -> None:
        self._halves(self.total, bit)[1][...] += by
        self.live += by

    def open(self, i: int) -> None:
        bit = self.bit[i] = self.free.pop()
        without, with_it = self._halves(self.best, bit)
        with_it[...] = without
        self._resize(bit, int(self.problem.prompt[i]))

    def grow(self, i: int) -> None:
        self._resize(self.bit[i], int(self.problem.kv[i] - self.problem.prompt[i]))

    def close(self, i: int) -> None:
        bit = self.bit.pop(i)
        without, with_it = self._halves(self.best, bit)
        np.maximum(without, with_it + self.problem.weight[i], out=without)
        with_it[...] = _NEVER
        self._resize(bit, -int(self.problem.kv[i]))
        self.free.append(bit)

    def check(self) -> None:
        """Rule out the sets that violate (1) now.

        packed[m]: most tokens of a subset of m that fit the SRAM; m packs when the rest fits
        the HBM. A set that does not fit whole gains nothing from holding all its members.
        """
        sram, hbm = self.problem.cap_sram, self.problem.cap_hbm
        if self.live <= max(sram, hbm):
            return
        packed = np.where(self.total <= sram, self.total, 0)
        for bit in self.bit.values():
            without, with_it = self._halves(packed, bit)
            np.maximum(with_it, without, out=with_it)
        self.best[self.total - packed > hbm] = _NEVER


def lp_bound(problem: Problem) -> int:
    """Upper bound on the best total weight under (1), from a linear relaxation.

    maximise sum w_i x_i, 0 <= x_i <= 1, subject to rows implied by (1) at each moment e:

        sum_i f_i(e) x_i <= S + H
        sum_i f_i(e) x_i <= max(S, H)    over f_i(e) > min(S, H): these fit the larger tier only

    HiGHS' optimum is not trusted. Its dual prices, made non-negative integers of unit 2^-k,
    go into the Lagrangian bound, valid for any y >= 0 and here in integer arithmetic:

        sum_i max(0, w_i - sum_r a_ri y_r) + sum_r b_r y_r

    Solver tolerance can make it looser, never too small; the floor is valid as hits are whole.
    RuntimeError: the solver gave up.
    """
    everything = int(problem.weight.sum())
    a, b = _rows(problem)
    if not len(b) or not everything:
        return everything
    largest = float(problem.weight.max())
    scale = sparse.diags_array(1.0 / b)
    result = linprog(
        -problem.weight / largest,
        A_ub=scale @ a.astype(float),
        b_ub=np.ones(len(b)),
        bounds=(0, 1),
        method="highs-ds",
    )
    if result.status != 0:
        raise RuntimeError(f"bound: HiGHS gave up: {result.message}")
    prices = np.maximum(0.0, -result.ineqlin.marginals) * largest
    return min(everything, lagrangian(problem.weight, a, b, prices))


def lagrangian(weight: np.ndarray, a: sparse.csr_array, b: np.ndarray, prices: np.ndarray) -> int:
    """Floor of the Lagrangian bound for row prices `prices` >= 0 of b_r units of row r.

    Integer arithmetic throughout; k is chosen so that no sum leaves int64: no entry of a row
    exceeds its b_r, so the sums are at most (sum of weights + sum of prices) * 2^k < 2^61.
    """
    k = 60 - (int(weight.sum()) + int(np.ceil(prices.sum()))).bit_length()
    y = np.floor(np.ldexp(prices, k) / b).astype(np.int64)
    reduced = (weight << k) - a.T @ y
    return (int(np.maximum(0, reduced).sum()) + int((b * y).sum())) >> k


def _rows(problem: Problem) -> tuple[sparse.csr_array, np.ndarray]:
    """Rows of the relaxation that can bind, as integers: a x <= b."""
    moments = problem.moments()
    first, last = (np.searchsorted(moments, c) for c in (problem.start, problem.end))
    count = last - first
    column = np.repeat(np.arange(len(count)), count)
    row = np.arange(count.sum()) + np.repeat(first - np.cumsum(count) + count, count)
    size = np.where(moments[row] < problem.grow[column], problem.prompt[column], problem.kv[column])
    shape = (len(moments), len(count))
    low, high = sorted((problem.cap_sram, problem.cap_hbm))
    whole = sparse.csr_array((size, (row, column)), shape=shape)
    big = size > low
    large = sparse.csr_array((size[big], (row[big], column[big])), shape=shape)
    of_whole, of_large = (np.asarray(m.sum(axis=1)).ravel() for m in (whole, large))
    # When all are large, the second kind of row implies the first.
    use = (of_whole > low + high) & (of_large < of_whole)
    tight = of_large > high
    b = np.repeat([low + high, high], [use.sum(), tight.sum()])
    return sparse.csr_array(sparse.vstack([whole[use], large[tight]])), b
