"""The learner's arithmetic: counts of waits and ends to tables, in whole numbers.

Plain functions over the array of `layout`: pure Python here, compiled where a policy calls them.
Whole numbers of less than 63 bits throughout, so that both give the same tables, bit for bit.

What is estimated, for a class whose session has waited up to bin b: keep it for a *horizon*, until
it returns or bin j ends, whichever is first. That costs `W` of pool time for each return it yields
from those that will return, and `o * Z` from those that never will (o: odds of never returning
when the wait began): `Z` is the horizon over the share of begun waits that return within it. The
best horizon is the one that costs least for a return; its cost is the score. With the longest
horizon instead, W is the mean residual life and Z that over survival (contract section 8).
"""

from unison.contract.widths import ODDS_F, ODDS_W, TIME_W, WEIGHT_W, mask
from unison.learning.layout import (
    ALL,
    BINS,
    BY_CLASS,
    BY_TURN,
    CLASS_PRIOR,
    ENDS,
    EXACT_TOP,
    EXACT_W,
    EXACT_Z,
    GAPS,
    LAST_OCTAVES,
    MEAN_LIFE,
    MEMORY,
    NEXT,
    OFFSET,
    ONE,
    PERIOD,
    QUEUE,
    RAW_ODDS,
    RAW_W,
    RAW_Z,
    RELATIVE,
    RETURNS,
    ROWS,
    SHIFT,
    SINCE,
    TURN_ENDS,
    TURN_PRIOR,
    TURN_RETURNS,
    TURNS,
    UPDATES,
    WAITS,
)
from unison.scoring.octave import octave, weight_bin
from unison.scoring.tables import turn_index

_WEIGHT_TOP, _ODDS_TOP = mask(WEIGHT_W), mask(ODDS_W)
_EVEN_ODDS = 1 << ODDS_F
#: Fraction bits of odds while they are computed.
_ODDS_Q = 16
_MOST_ODDS = 16 << _ODDS_Q
#: The first tables come after so many gaps, then after twice as many each time, up to PERIOD.
_FIRST = 8
#: A class has tables of its own after so many waits, then after twice as many each time.
_FEW = 2
_TIME_TOP = mask(TIME_W)
_PART_W = 24
_PART_TOP = mask(_PART_W)
_CUT = 8


def start(p, by_class, relative, mean_life, by_turn, period, memory):
    """Write the options and the cold start into an array of zeros: recency, no ends."""
    p[BY_CLASS], p[RELATIVE], p[MEAN_LIFE], p[BY_TURN] = by_class, relative, mean_life, by_turn
    p[PERIOD], p[MEMORY] = period, memory
    p[NEXT] = min(_FIRST, period)
    p[SHIFT] = OFFSET
    for row in range(ROWS):
        for b in range(BINS):
            p[RAW_W + row * BINS + b] = 1 << b
    for k in range(TURNS):
        p[RAW_ODDS + k] = _EVEN_ODDS


def wait_bin(p, wait, ghat):
    """Bin of a wait, or of the part of one that has passed; ticks."""
    if p[RELATIVE] != 0:
        return weight_bin(wait, ghat)
    return min(max(octave(wait) - OFFSET, 0), BINS - 1)


def table_row(p, tool_class):
    """Where a class's tables start, in entries."""
    return (tool_class if p[BY_CLASS] != 0 else ALL) * BINS


def observe(p, tool_class, k, wait, ghat):
    """A tool of `tool_class` returned after `wait` ticks, after turn `k` of its session.

    ghat: the session's average before this wait; unused unless the bins are relative. True when
    new tables were made.
    """
    b = wait_bin(p, wait, ghat)
    for row in (tool_class, ALL):
        p[WAITS + row * BINS + b] += ONE
        p[RETURNS + row] += ONE
        _age(p, row)
    i = turn_index(k)
    p[TURN_RETURNS + i] += ONE
    _age_turn(p, i)
    p[GAPS] += 1
    p[SINCE] += 1
    if p[SINCE] >= p[NEXT]:
        p[NEXT] = min(2 * p[NEXT], p[PERIOD])
    elif not _doubled(p, tool_class):
        return False
    p[SINCE] = 0
    make_tables(p)
    return True


def _doubled(p, tool_class):
    """Whether a class has just come to twice what its tables knew: a new one need not wait."""
    n = int(p[RETURNS + tool_class])
    return n >= ONE * _FEW and n < ONE * p[PERIOD] and n & (n - 1) == 0


def observe_end(p, tool_class, k):
    """A session ended that was waiting after turn `k`: its wait will never end."""
    for row in (tool_class, ALL):
        p[ENDS + row] += ONE
        _age(p, row)
    i = turn_index(k)
    p[TURN_ENDS + i] += ONE
    _age_turn(p, i)


def observe_queue(p, delay):
    """A request started `delay` ticks after its tool returned."""
    p[QUEUE] += (delay - p[QUEUE]) // 16


def _age_turn(p, i):
    """As `_age`, for the turns."""
    if max(p[TURN_RETURNS + i], p[TURN_ENDS + i]) > ONE * p[MEMORY]:
        p[TURN_RETURNS + i] = p[TURN_RETURNS + i] // 2
        p[TURN_ENDS + i] = p[TURN_ENDS + i] // 2


def _age(p, row):
    """Halve a row that holds more than MEMORY waits: the older ones count less and less."""
    if max(p[RETURNS + row], p[ENDS + row]) <= ONE * p[MEMORY]:
        return
    for b in range(BINS):
        p[WAITS + row * BINS + b] = p[WAITS + row * BINS + b] // 2
    p[RETURNS + row] = p[RETURNS + row] // 2
    p[ENDS + row] = p[ENDS + row] // 2


def make_tables(p):
    """Tables of all rows from the counts."""
    mean = ((int(p[ENDS + ALL]) + ONE // 2) << _ODDS_Q) // (int(p[RETURNS + ALL]) + ONE)
    for row in range(ROWS):
        _fit_row(p, row, mean)
    _make_raw(p)
    if p[BY_TURN] != 0:
        for i in range(TURNS):
            weight = ONE * TURN_PRIOR
            ends = (int(p[TURN_ENDS + i]) << _ODDS_Q) + weight * mean
            own = ends // (int(p[TURN_RETURNS + i]) + weight)
            p[RAW_ODDS + i] = min((own << ODDS_F) // max(mean, 1), _ODDS_TOP)
    p[UPDATES] += 1


def _shared(p, row, b):
    """Count of a bin, with one observation that is spread as those of all classes are."""
    own = int(p[WAITS + row * BINS + b])
    everyone = int(p[RETURNS + ALL])
    if row == ALL or everyone == 0:
        return own
    return own + ONE * int(p[WAITS + ALL * BINS + b]) // everyone


def _fit_row(p, row, mean):
    """W and Z of a row, exact; Z with the odds of its class in it."""
    prior = ONE * CLASS_PRIOR
    ends = (int(p[ENDS + row]) << _ODDS_Q) + prior * mean
    odds = min(ends // (int(p[RETURNS + row]) + prior), _MOST_ODDS)
    total = 0
    for b in range(BINS):
        total += _shared(p, row, b)
    reach = 0
    for b in range(BINS - 1, -1, -1):
        reach += _shared(p, row, b)
        low = 0 if b == 0 else 1 << (b + OFFSET)
        tail, back, cost = reach, 0, 0
        best = best_w = best_z = -1
        for j in range(b, BINS):
            a = low if j == b else 1 << (j + OFFSET)
            end = 1 << (j + OFFSET + (LAST_OCTAVES if j == BINS - 1 else 1))
            n = _shared(p, row, j)
            back += n
            tail -= n
            # Who returns in a bin stays for half of it, the others for all of it.
            cost += n * (end - a) // 2 + tail * (end - a)
            if back == 0:
                continue
            w = cost // back
            z = (min(total * (end - low) // back, EXACT_TOP) * odds) >> _ODDS_Q
            if best < 0 or w + z < best or p[MEAN_LIFE] != 0:
                best, best_w, best_z = w + z, w, z
        if best < 0:
            # Nobody came so late: twice the time waited, and the fewer the more have come.
            best_w = 2 << (b + OFFSET)
            best_z = (min(total * best_w // (ONE // 2), EXACT_TOP) * odds) >> _ODDS_Q
            # Not what the scale is chosen for.
            best_w = -best_w
        p[EXACT_W + row * BINS + b], p[EXACT_Z + row * BINS + b] = best_w, best_z


def _make_raw(p):
    """Raw tables in the finest common scale that holds every W that was seen."""
    top = 0
    for i in range(EXACT_W, EXACT_W + ROWS * BINS):
        top = max(top, int(p[i]))
    shift = 0
    while (top >> shift) > _WEIGHT_TOP:
        shift += 1
    p[SHIFT] = shift
    for i in range(ROWS * BINS):
        p[RAW_W + i] = min(abs(int(p[EXACT_W + i])) >> shift, _WEIGHT_TOP)
        p[RAW_Z + i] = min(int(p[EXACT_Z + i]) >> shift, _WEIGHT_TOP)


def weight(p, tool_class, k, b):
    """M = (W << 12) + o * Z of a session in bin `b`, raw."""
    at = table_row(p, tool_class) + b
    odds = int(p[RAW_ODDS + turn_index(k)])
    return (int(p[RAW_W + at]) << ODDS_F) + odds * int(p[RAW_Z + at])


def class_score(m, elapsed):
    """48 bits: M without its 8 lowest bits, then the elapsed time, 24 bits each, saturating."""
    return (min(m >> _CUT, _PART_TOP) << _PART_W) + min(int(elapsed), _PART_TOP)
