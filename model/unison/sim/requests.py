"""Plain request sequences, without waits or tiers: where the pool is an ordinary cache.

For cross-checks and benchmarks against cache simulators, which know objects and requests only.
"""

from dataclasses import replace

import numpy as np

from unison.contract import EventCode
from unison.scoring import Tables, elapsed_weights
from unison.scoring.tables import fit_hazard
from unison.sim.layout import EVENT, Tools
from unison.sim.scenario import Scenario
from unison.sim.stream import fill_next
from unison.traces.envelopes import ENVELOPES
from unison.traces.load import ServingLoad
from unison.traces.model import Trace, TraceHeader

#: Time between requests, microseconds.
STEP_US = 1000


def request_rows(objects: np.ndarray, sizes: np.ndarray | None = None) -> np.ndarray:
    """Events of a sequence of requests: each REQ is followed by its GAP_OPEN.

    objects: object of each request, numbered from 0, shape (requests,). sizes: tokens of each
    request, 1 when not given. ValueError on a negative object or a size below 1.
    """
    objects = np.asarray(objects)
    if len(objects) and objects.min() < 0:
        raise ValueError(f"objects: got {objects.min()}, expected 0 or more")
    tokens = np.ones(len(objects), np.int64) if sizes is None else np.asarray(sizes)
    if len(tokens) and tokens.min() < 1:
        raise ValueError(f"sizes: got {tokens.min()}, expected at least 1")
    rows = np.zeros(2 * len(objects), EVENT)
    rows["code"][0::2], rows["code"][1::2] = EventCode.REQ, EventCode.GAP_OPEN
    rows["slot"] = rows["session"] = np.repeat(objects, 2)
    rows["tokens"] = np.repeat(tokens, 2)
    rows["tool"] = -1
    when = np.arange(len(objects), dtype=np.int64) * STEP_US
    rows["time_us"][0::2], rows["time_us"][1::2] = when, when + 1
    fill_next(rows)
    return rows


def one_tier(capacity: int, objects: int) -> Scenario:
    """A pool of one tier of `capacity` tokens with a slot for each of `objects` objects."""
    base = ENVELOPES["gpu"]
    where = replace(
        base,
        sram=replace(base.sram, tokens=capacity),
        hbm=replace(base.hbm, tokens=0),
    )
    header = TraceHeader("requests", None, "none", "none", "none", "none", 0, 0)
    weights = elapsed_weights()
    return Scenario(
        Trace(header, ()),
        where,
        ServingLoad(1, 1, 0),
        Tables(fit_hazard([1]), weights, weights),
        1.0,
        Tools(()),
        objects,
    )
