"""State of the learner: one float64 array of whole numbers, so that compiled policies share it.

All values are integers below 2**53, exact in float64. Counts are in sixteenths of an observation.
A *row* is a tool class, or `ALL` of them together.
"""

from unison.contract.widths import TURN_ENTRIES, WEIGHT_ENTRIES

#: Tool classes: a 4-bit field. 0: no tool known; 15: every tool beyond the first fourteen.
CLASSES = 16
ALL = CLASSES
ROWS = CLASSES + 1
BINS = WEIGHT_ENTRIES
TURNS = TURN_ENTRIES

#: Options, see `options`.
BY_CLASS, RELATIVE, MEAN_LIFE, BY_TURN, PERIOD, MEMORY = range(6)
#: Gaps since the tables were made and gaps in all; gaps between the last two and the next
#: tables; scale of the tables (a raw W of 1
#: stands for 2**SHIFT ticks); tables made so far.
SINCE, GAPS, NEXT, SHIFT, UPDATES = range(6, 11)
#: Mean time between a tool's return and the request, ticks.
QUEUE = 11

#: Counts: waits by row and bin; returns and ends by row; returns and ends by turn entry.
WAITS = 16
RETURNS = WAITS + ROWS * BINS
ENDS = RETURNS + ROWS
TURN_RETURNS = ENDS + ROWS
TURN_ENDS = TURN_RETURNS + TURNS
#: Exact tables, ticks (of 1/4096 of the average when relative), then raw: Q12.4, Q12.4, Q4.12.
EXACT_W = TURN_ENDS + TURNS
EXACT_Z = EXACT_W + ROWS * BINS
RAW_W = EXACT_Z + ROWS * BINS
RAW_Z = RAW_W + ROWS * BINS
RAW_ODDS = RAW_Z + ROWS * BINS
SIZE = RAW_ODDS + TURNS

#: One observation.
ONE = 16
#: Bin b holds waits of 2**(b + OFFSET) ticks on: 16 ms to 524 s. A relative wait is counted
#: in 1/4096 of the average, which puts an equal one into bin 4, as in the contract.
OFFSET = 8
#: The last bin, which is open, is taken to be so many octaves wide.
LAST_OCTAVES = 3
#: Observations that the mean over all classes counts for, in odds; over all turns, by turn.
CLASS_PRIOR, TURN_PRIOR = 8, 128
#: Keeps products below 2**63.
EXACT_TOP = 1 << 36
