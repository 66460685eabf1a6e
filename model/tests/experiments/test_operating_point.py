"""Operating point: tokens of the live set, by hand."""

import numpy as np

from unison.contract import EventCode
from unison.experiments.operating_point import live_tokens
from unison.sim.layout import EVENT

REQ, OPEN, CLOSE, DONE = (int(c) for c in list(EventCode)[:4])


def test_live_tokens():
    # code, session, tokens, next_us; session 1 never returns after its first turn.
    steps = [
        (REQ, 0, 10, 50),
        (OPEN, 0, 15, 50),
        (REQ, 1, 100, -1),
        (OPEN, 1, 120, -1),
        (CLOSE, 0, 0, 50),
        (REQ, 0, 20, -1),
        (DONE, 1, 0, -1),
        (OPEN, 0, 30, -1),
        (DONE, 0, 0, -1),
    ]
    rows = np.zeros(len(steps), EVENT)
    for i, (code, session, tokens, coming) in enumerate(steps):
        rows[i]["code"], rows[i]["session"] = code, session
        rows[i]["tokens"], rows[i]["next_us"] = tokens, coming
    assert live_tokens(rows).tolist() == [10, 15, 115, 135, 135, 140, 20, 30, 0]
    assert live_tokens(rows, needed=True).tolist() == [10, 15, 115, 15, 15, 20, 20, 0, 0]
