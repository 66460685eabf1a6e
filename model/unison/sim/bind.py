"""Policies made callable for the compiled loop: compiled, or called back into Python."""

import ctypes
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import unison.sim.cache  # noqa: F401  (before numba)

# isort: split
import numba
import numpy as np

from unison.policies.base import Placement, Policy, Ranking, Setting
from unison.policies.registry import PolicyError
from unison.sim.compiled import LEARN, SCORE, compile_learn, compile_score


def _nothing(moment, s, now, p):
    """A policy that does not learn."""


@dataclass
class Bound:
    """Function pointers and numbers of one run; `check` raises what Python code raised in it."""

    score: Callable
    p: np.ndarray
    learn: Callable
    place: Callable
    pp: np.ndarray
    origin: str
    errors: list[BaseException] = field(default_factory=list)
    _alive: list = field(default_factory=list)

    def check(self) -> None:
        """Raise what a Python callback raised: PolicyError, or an interrupt as it was."""
        if self.errors:
            raise self.errors[0]

    @contextmanager
    def interrupts_kept(self) -> Iterator[None]:
        """While Python is called back, keep Ctrl-C for `check`: ctypes would swallow it."""
        main = threading.current_thread() is threading.main_thread()
        if not (self._alive and main):
            yield
            return

        def keep(_number: int, _frame: object) -> None:
            self.errors.append(KeyboardInterrupt())

        before = signal.signal(signal.SIGINT, keep)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def blame(self, error: Exception) -> PolicyError:
        """What compiled code raised, as an error of the policy: it has no line of its own."""
        return PolicyError(f"{self.origin}: {_text(error)} (in score or learn, compiled)")


def bind(policy: Policy, placement: Placement, setting: Setting, slots: np.ndarray) -> Bound:
    """Compile both rankings, or wrap them. PolicyError when one is broken."""
    bound = Bound(None, _params(policy, setting), None, None, np.zeros(1), _where(policy.score))
    if policy.interpreted and hasattr(policy, "attach"):
        # For a policy that ranks all sessions at once instead of one row at a time.
        policy.attach(slots)
    bound.score = _score(policy, slots, bound)
    bound.learn = _learn(policy, slots, bound)
    if placement.shared:
        bound.place, bound.pp = bound.score, bound.p
    else:
        bound.pp = _params(placement, setting)
        bound.place = _score(placement, slots, bound)
    return bound


def _params(ranking: Ranking, setting: Setting) -> np.ndarray:
    try:
        p = np.ascontiguousarray(ranking.params(setting), dtype=np.float64)
    except Exception as error:
        raise PolicyError(f"{_where(ranking.params)}: {_text(error)}") from None
    if p.ndim != 1 or not len(p):
        raise PolicyError(
            f"{ranking.name or type(ranking).__name__}: params: got shape {p.shape}, expected (n,)"
        )
    return p


def _score(ranking: Ranking, slots: np.ndarray, bound: Bound) -> Callable:
    if not ranking.interpreted:
        try:
            return compile_score(type(ranking).score)
        except Exception:
            # Not in numba's subset: as Python it may still be right, only slower.
            pass
    p = bound.p

    def call(i: int, now: float) -> float:
        # After a failure the compiled loop runs on to the end of its chunk, to no effect.
        if bound.errors:
            return 0.0
        try:
            value = float(ranking.score(_view(slots, i), now, p))
            if value != value:
                raise ValueError("the score is not a number")
            return value
        except BaseException as error:
            bound.errors.append(_failure(ranking.score, error))
            return 0.0

    pointer = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64, ctypes.c_double)(call)
    bound._alive.append(pointer)

    @numba.njit(SCORE)
    def trampoline(s, now, p):
        return pointer(s.slot, now)

    return trampoline


def _learn(policy: Policy, slots: np.ndarray, bound: Bound) -> Callable:
    if policy.learn is None:
        return compile_learn(_nothing)
    if not policy.interpreted:
        try:
            return compile_learn(type(policy).learn)
        except Exception:
            # Neither this: the interpreter will say what is wrong, if anything is.
            pass
    p = bound.p

    def call(moment: int, i: int, now: float) -> None:
        if bound.errors:
            return
        try:
            policy.learn(moment, _view(slots, i), now, p)
        except BaseException as error:
            bound.errors.append(_failure(policy.learn, error))

    pointer = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_double)(call)
    bound._alive.append(pointer)

    @numba.njit(LEARN)
    def trampoline(moment, s, now, p):
        pointer(moment, s.slot, now)

    return trampoline


def _view(slots: np.ndarray, i: int) -> np.record:
    """Row `i` with its fields as attributes, writing through."""
    return slots.view(np.recarray)[i]


def _failure(function: Callable, error: BaseException) -> BaseException:
    """A PolicyError that says where; an interrupt stays what it is."""
    if not isinstance(error, Exception):
        return error
    line, trace = None, error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        if frame.f_code.co_filename == function.__code__.co_filename:
            line = trace.tb_lineno
        trace = trace.tb_next
    where = f"{function.__code__.co_filename}:{line}" if line else _where(function)
    return PolicyError(f"{where}: {_text(error)}")


def _where(function: Callable) -> str:
    code = function.__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
