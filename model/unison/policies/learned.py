"""Learned replacement: LightGBM predicts the next request (Python, for comparison only)."""

import time

import numpy as np

from unison.policies.base import DONE, ENTER, EVICT, GAP, REQ, TICKS_PER_S, Policy

#: Published: gaps kept a session, decayed counters, and LightGBM's settings.
DELTAS, COUNTERS = 32, 10
PUBLISHED = {
    "objective": "regression",
    "boosting": "gbdt",
    "num_leaves": 32,
    "learning_rate": 0.1,
    "feature_fraction": 0.8,
    "bagging_freq": 5,
    "bagging_fraction": 0.8,
}
ROUNDS = 32
#: What makes a run repeat itself bit by bit, on a busy machine too.
REPEATABLE = {"num_threads": 1, "deterministic": True, "force_row_wise": True, "verbose": -1}
#: Labelled samples between two trainings, and the batches that are trained on.
BATCH, BATCHES = 1024, 4


class Lrb(Policy):
    """Relaxed Belady: the session predicted to return last leaves."""

    name = "lrb"
    source = (
        "Song et al., NSDI 2020, with its features, labels and LightGBM settings. Requests are "
        "10**3..10**5 here, not 10**8: one sample an event instead of one a request, a model "
        "every 1,024 labels (131,072) from the last 4,096. All candidates are ranked instead "
        "of 64. The Belady boundary (`window`) is not searched for but set to ten minutes, the "
        "longest that a finished session lingers. Half-lives of the counters scale with the "
        "prior wait. Recency before the first model. Gap average, turn and tool are added "
        "features; the queue is not seen."
    )
    interpreted = True

    def __init__(self, window: float = 600.0, seed: float = 0.0) -> None:
        from unison.policies.registry import PolicyError

        try:
            import lightgbm
        except ImportError:
            raise PolicyError("lrb: lightgbm is not installed: pip install 'unison[lrb]'") from None
        for name, value, low in (("window", window, 1e-3), ("seed", seed, 0)):
            if not isinstance(value, int | float) or not low <= value < 2**31:
                raise PolicyError(f"lrb: {name}: got {value!r}, expected {low}..2**31")
        self._lightgbm = lightgbm
        self._window = window * TICKS_PER_S
        self._seed = int(seed)
        self._prior = 1.0
        #: Wall time of each decision that a model made, nanoseconds; of the last run.
        self.decision_times_ns: list[int] = []

    def params(self, setting):
        self._prior = max(setting.gap_prior, 1.0)
        return np.zeros(1)

    def attach(self, slots: np.ndarray) -> None:
        """A new run over this slot table."""
        n = len(slots)
        self._slots = slots
        self._deltas = np.full((n, DELTAS), np.nan)
        self._counters = np.zeros((n, COUNTERS))
        self._half_lives = self._prior * 2.0 ** np.arange(-3, COUNTERS - 3)
        self._last = np.full(n, np.nan)
        self._random = np.random.default_rng(self._seed)
        self._pending: list[list[tuple[float, np.ndarray]]] = [[] for _ in range(n)]
        self._rows: list[np.ndarray] = []
        self._labels: list[float] = []
        self._fresh = 0
        self._model = None
        self._at = None
        self._predicted = np.zeros(n)
        self.decision_times_ns = []

    def score(self, s, now, p):
        """Predicted log of the time to the next request; one prediction a decision for all."""
        if self._model is None:
            return now - s.t_open
        if self._at != now:
            start = time.perf_counter_ns()
            # All that wait, not only candidates: one may become a candidate at this very time.
            who = np.flatnonzero(self._slots["state"] >= GAP)
            self._predicted[who] = self._model.predict(self._features(who, now), num_threads=1)
            self._at = now
            self.decision_times_ns.append(time.perf_counter_ns() - start)
        return self._predicted[s.slot]

    def learn(self, moment, s, now, p):
        if moment in (ENTER, EVICT):
            # Within one decision: nobody's features have changed.
            return
        self._at = None
        if moment in (REQ, DONE):
            self._label(s.slot, now, moment == DONE)
            self._touch(s, now, moment == DONE)
        self._sample(now)

    def _features(self, who: np.ndarray, now: float) -> np.ndarray:
        """Rows of features of the slots `who`: shape (len(who), 6 + DELTAS + COUNTERS)."""
        t = self._slots[who]
        # A missing name must not mark the last turn: see arrival.tool_row.
        tool = np.where(t["tool"] >= 0, t["tool"], t["tool_before"])
        age = now - self._last[who]
        plain = [age, now - t["t_open"], t["k"], t["tokens"], t["ghat"], tool]
        decay = 2.0 ** (-age[:, None] / self._half_lives)
        return np.column_stack([*plain, self._deltas[who], self._counters[who] * decay])

    def _touch(self, s, now: float, gone: bool) -> None:
        """A request updates gaps and counters; the first one, and the end, forget the slot's."""
        i = s.slot
        if gone or s.k == 1:
            self._deltas[i], self._counters[i] = np.nan, 0.0
        else:
            delta = now - self._last[i]
            self._deltas[i, 1:] = self._deltas[i, :-1]
            self._deltas[i, 0] = delta
            self._counters[i] *= 2.0 ** (-delta / self._half_lives)
        self._counters[i] += 1.0
        self._last[i] = now

    def _sample(self, now: float) -> None:
        """Remember one waiting session as it looks now, to be labelled later."""
        waiting = np.flatnonzero((self._slots["state"] >= GAP) & (self._slots["tracked"] == 1))
        if len(waiting):
            i = waiting[self._random.integers(len(waiting))]
            self._pending[i].append((now, self._features(np.array([i]), now)[0]))

    def _label(self, i: int, now: float, gone: bool) -> None:
        """The samples of slot `i` have their answer; beyond the boundary all are alike."""
        for then, row in self._pending[i]:
            wait = now - then
            if gone or wait > self._window:
                # Published: twice the boundary.
                wait = 2.0 * self._window
            self._rows.append(row)
            self._labels.append(np.log1p(wait))
        self._fresh += len(self._pending[i])
        self._pending[i] = []
        if self._fresh >= BATCH:
            self._train()

    def _train(self) -> None:
        self._fresh = 0
        self._rows = self._rows[-BATCH * BATCHES :]
        self._labels = self._labels[-BATCH * BATCHES :]
        data = self._lightgbm.Dataset(
            np.array(self._rows), np.array(self._labels), params={"verbose": -1}
        )
        settings = PUBLISHED | REPEATABLE | {"seed": self._seed}
        self._model = self._lightgbm.train(settings, data, ROUNDS)
