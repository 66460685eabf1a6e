"""Bridge from Python functions to compiled ones: types, and the scoring functions both share."""

import functools
from collections.abc import Callable
from pathlib import Path

import unison.sim.cache  # noqa: F401  (before numba)

# isort: split
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.typing.templates import Signature
from numba.extending import intrinsic, overload, register_jitable

from unison.learning import fit
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
    fixed.compact_gap,
    fixed.compact_score,
    float64.float_product,
    float64.float_quotient,
    float64.float_average,
    tables.turn_index,
    fit.start,
    fit.wait_bin,
    fit.table_row,
    fit.observe,
    fit.observe_end,
    fit.observe_queue,
    fit._doubled,
    fit._age,
    fit._age_turn,
    fit.make_tables,
    fit._shared,
    fit._fit_row,
    fit._make_raw,
    fit.weight,
    fit.class_score,
):
    register_jitable(_function)


_PACKAGE = str(Path(__file__).parents[1])


def _is_ours(function: Callable) -> bool:
    return function.__code__.co_filename.startswith(_PACKAGE)


@functools.cache
def compile_score(function: Callable) -> Dispatcher:
    """Compile a policy's `score`; whatever numba raises when it cannot be.

    A user's is not kept on disk, where a change of what it calls would go unnoticed; its indices
    are checked, and a score that is not a number is an error.
    """
    if _is_ours(function):
        return numba.njit(SCORE, cache=True)(function)
    inner = numba.njit(SCORE, boundscheck=True)(function)

    @numba.njit(SCORE)
    def checked(s, now, p):
        value = inner(s, now, p)
        if value != value:
            raise ValueError("the score is not a number")
        return value

    return checked


@functools.cache
def compile_learn(function: Callable) -> Dispatcher:
    """Compile a policy's `learn`; whatever numba raises when it cannot be."""
    ours = _is_ours(function)
    return numba.njit(LEARN, cache=ours, boundscheck=not ours)(function)


def empty_slots(n: int) -> np.ndarray:
    """`n` free rows of `SLOT`."""
    rows = np.zeros(n, SLOT)
    rows["slot"] = np.arange(n)
    rows["tool"] = rows["tool_before"] = rows["position"] = -1
    rows["next_req"] = np.inf
    return rows
