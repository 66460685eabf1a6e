"""Bridge from Python functions to compiled ones: types, and the scoring functions both share."""

import functools

import unison.sim.cache  # noqa: F401  (before numba)

# isort: split
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import Signature
from numba.extending import intrinsic, overload, register_jitable

from unison.scoring import fixed, float64, octave, tables
from unison.sim.layout import EVENT, SLOT

SLOT_TYPE = numba.from_dtype(SLOT)
EVENT_TYPE = numba.from_dtype(EVENT)
PARAMS = types.float64[::1]
#: score(s, now, p) -> float, and learn(moment, s, now, p).
SCORE: Signature = types.float64(SLOT_TYPE, types.float64, PARAMS)
LEARN: Signature = types.void(types.int64, SLOT_TYPE, types.float64, PARAMS)
SCORE_TYPE, LEARN_TYPE = types.FunctionType(SCORE), types.FunctionType(LEARN)


@intrinsic
def _float_bits(_context, x):
    def generate(_codegen, builder, _signature, args):
        return builder.bitcast(args[0], ir.IntType(64))

    return types.int64(types.float64), generate


@overload(octave.octave)
def _octave(x):
    """The exponent field of max(x, 1): what frexp computes, without the call."""

    def from_bits(x):
        return (_float_bits(max(float(x), 1.0)) >> 52) - 1023

    return from_bits


for _function in (
    octave.weight_bin,
    fixed.product_score,
    fixed.quotient_score,
    fixed.gap_average,
    float64.float_product,
    float64.float_quotient,
    float64.float_average,
    tables.turn_index,
):
    register_jitable(_function)


@functools.cache
def compile_score(function) -> numba.core.dispatcher.Dispatcher:
    """Compile a policy's `score`; numba's TypingError when it cannot be."""
    return numba.njit(SCORE, cache=True)(function)


@functools.cache
def compile_learn(function) -> numba.core.dispatcher.Dispatcher:
    """Compile a policy's `learn`; numba's TypingError when it cannot be."""
    return numba.njit(LEARN, cache=True)(function)


def empty_slots(n: int) -> np.ndarray:
    """`n` free rows of `SLOT`."""
    rows = np.zeros(n, SLOT)
    rows["slot"] = np.arange(n)
    rows["tool"] = rows["tool_before"] = rows["position"] = -1
    rows["next_req"] = np.inf
    return rows
