"""Costs of a run, from what its requests found (contract section 6)."""

from dataclasses import dataclass

import unison.sim.cache  # noqa: F401  (before numba)

# isort: split
import numba
import numpy as np

from unison.contract import Outcome
from unison.traces.envelopes import Envelope

#: Time axis of the serving model is compressed by this (contract: TTFT at 4x load).
TTFT_LOAD = 4.0
#: Histogram of TTFT: bins of a 1/512 octave from 1 ns on; the median is exact to 0.14 %.
_BINS_PER_OCTAVE, _OCTAVES = 512, 60
_HIT_SRAM, _HIT_HBM = int(Outcome.HIT_SRAM), int(Outcome.HIT_HBM)


@numba.njit(cache=True)
def _queue(arrival, service, free_at, total, bins):
    """Lindley's recursion of a first-come single server; histograms waits plus services.

    Returns when the server is free, and `total` plus all services: added one by one, so that
    the sum does not depend on how the requests come in chunks.
    """
    for i in range(len(arrival)):
        begin = max(arrival[i], free_at)
        free_at = begin + service[i]
        total += service[i]
        b = int(np.log2(max(free_at - arrival[i], 1.0)) * _BINS_PER_OCTAVE)
        bins[min(b, len(bins) - 1)] += 1
    return free_at, total


@dataclass
class Ledger:
    """Accumulates request logs (`unison.sim.engine.REQUEST`) chunk by chunk.

    Bounded memory. Times in ns. `access_ns`: memory access time, read cost of the tier for a
    hit plus prefill of what was not cached. `computed`: tokens prefilled. `again`: those of them
    that had been computed before. `prompt`: tokens of all prompts.
    """

    envelope: Envelope

    def __post_init__(self) -> None:
        self.access_ns = 0.0
        self.computed = self.again = self.prompt = self.requests = 0
        self._free_at = 0.0
        self._bins = np.zeros(_BINS_PER_OCTAVE * _OCTAVES, np.int64)

    def add(self, log: np.ndarray) -> None:
        """Account a chunk of requests, in order."""
        e = self.envelope
        hit = (log["outcome"] >= _HIT_SRAM) * log["cached"].astype(np.int64)
        read = np.select(
            [log["outcome"] == _HIT_SRAM, log["outcome"] == _HIT_HBM],
            [e.sram.read_ns, e.hbm.read_ns],
            0.0,
        )
        computed = log["tokens"] - hit
        access = log["tokens"] * read + computed * (1e9 / e.prefill_rate)
        self.computed += int(computed.sum())
        self.again += int((log["before"] - hit).sum())
        self.prompt += int(log["tokens"].sum(dtype=np.int64))
        self.requests += len(log)
        arrival = log["time_us"] * (1000.0 / TTFT_LOAD)
        self._free_at, self.access_ns = _queue(
            arrival, access, self._free_at, self.access_ns, self._bins
        )

    def ttft_ns(self, quantile: float = 0.5) -> float | None:
        """Quantile of the time to first token in the serving model, ns; None without requests."""
        if not self.requests:
            return None
        b = int(np.searchsorted(np.cumsum(self._bins), quantile * self.requests))
        return float(2.0 ** ((b + 0.5) / _BINS_PER_OCTAVE))
