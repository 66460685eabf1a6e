"""Octaves: the coarse logarithm that elapsed waits are binned by (contract section 3)."""

import math

from unison.contract.widths import WEIGHT_CENTRE, WEIGHT_ENTRIES


def octave(x: float) -> int:
    """L(x) = floor(log2(max(x, 1))); exact for integers below 2**53 and at powers of two."""
    return math.frexp(max(x, 1.0))[1] - 1


def weight_bin(elapsed: float, ghat: float) -> int:
    """Bin of the elapsed-wait tables: octaves of elapsed / expected."""
    return min(max(octave(elapsed) - octave(ghat) + WEIGHT_CENTRE, 0), WEIGHT_ENTRIES - 1)
