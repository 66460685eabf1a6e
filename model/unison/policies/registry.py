"""Policies by name, and from a user's own file (``my.py:Name``)."""

import importlib.util
import inspect
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from unison.policies import (
    arrival,
    history,
    learned,
    learned_waits,
    lifecycle,
    oracle,
    placement,
    size_aware,
    spear,
    structure,
)
from unison.policies.base import Placement, Policy, Ranking

_MODULES: tuple[ModuleType, ...] = (
    history,
    size_aware,
    lifecycle,
    arrival,
    structure,
    learned,
    learned_waits,
    spear,
    oracle,
)


def _classes(modules: Iterable[ModuleType], kind: type[Ranking]) -> dict[str, type]:
    found = {}
    for module in modules:
        for _, value in sorted(vars(module).items()):
            own = inspect.isclass(value) and value.__module__ == module.__name__
            if own and issubclass(value, kind) and value.name and value is not kind:
                found[value.name] = value
    return found


POLICIES: dict[str, type[Policy]] = _classes(_MODULES, Policy)
PLACEMENTS: dict[str, type[Placement]] = _classes((placement, oracle), Placement)


class PolicyError(ValueError):
    """A policy that cannot be had: one line that says why, with file and line."""


def policy(text: str) -> Policy:
    """A policy by name or ``file.py:Class``, with options: ``timeout:seconds=5``."""
    return _make(text, POLICIES, Policy, "policy")


def placing(text: str) -> Placement:
    """A placement by name or ``file.py:Class``."""
    return _make(text, PLACEMENTS, Placement, "placement")


def _make(text: str, known: dict[str, type], kind: type, word: str) -> Ranking:
    head, _, rest = text.partition(":")
    if head.endswith(".py"):
        name, _, rest = rest.partition(":")
        cls = _from_file(Path(head), name, kind)
    elif head in known:
        cls = known[head]
    else:
        names = ", ".join(sorted(known))
        raise PolicyError(f"{word}: got {head!r}, expected one of {names}, or FILE.py:CLASS")
    options = _options(rest)
    try:
        made = cls(**options)
    except PolicyError:
        raise
    except TypeError as error:
        takes = ", ".join(inspect.signature(cls).parameters) or "none"
        raise PolicyError(
            f"{word} {text!r}: options do not fit ({error}), expected: {takes}"
        ) from None
    except Exception as error:
        raise PolicyError(f"{word} {text!r}: {_short(error)}") from None
    _check_signatures(cls, text, word)
    return made


def _check_signatures(cls: type, text: str, word: str) -> None:
    """PolicyError unless `score` and `learn` are static and take what they are given."""
    for name, takes in (("score", "s, now, p"), ("learn", "moment, s, now, p")):
        function = inspect.getattr_static(cls, name, None)
        if function is None or (name == "learn" and not hasattr(cls, name)):
            continue
        free = function.__func__ if isinstance(function, staticmethod) else function
        bound = not isinstance(function, staticmethod)
        got = list(inspect.signature(free).parameters)[bound:]
        interpreted = cls.interpreted
        if len(got) != len(takes.split(", ")) or (bound and not interpreted):
            raise PolicyError(
                f"{word} {text!r}: {name}: got {'' if bound else '@staticmethod '}"
                f"{name}({', '.join(inspect.signature(free).parameters)}), "
                f"expected @staticmethod {name}({takes})"
            )


def _options(text: str) -> dict[str, float]:
    options = {}
    for part in filter(None, text.split(",")):
        key, sign, value = part.partition("=")
        try:
            options[key] = float(value) if sign else None
        except ValueError:
            options[key] = value
        if options[key] is None:
            raise PolicyError(f"policy option: got {part!r}, expected key=value")
    return options


def _from_file(path: Path, name: str, kind: type) -> type:
    if not path.exists():
        raise PolicyError(f"{path}: no such file")
    if not name:
        raise PolicyError(f"{path}: got no class name, expected {path}:CLASS")
    spec = importlib.util.spec_from_file_location(f"unison_user_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise PolicyError(f"{path}:{_line(error, path)}: {_short(error)}") from None
    cls = getattr(module, name, None)
    if not (inspect.isclass(cls) and issubclass(cls, kind)):
        own = (v for v in vars(module).values() if inspect.isclass(v) and issubclass(v, kind))
        have = ", ".join(sorted(v.__name__ for v in own if v.__module__ == spec.name)) or "none"
        raise PolicyError(
            f"{path}: got {name!r}, expected a unison.policies.{kind.__name__} (has: {have})"
        )
    return cls


def _line(error: Exception, path: Path) -> int:
    """Line of `path` where `error` came from."""
    if isinstance(error, SyntaxError):
        return error.lineno or 0
    line, trace = 0, error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename) == path.absolute() or (
            trace.tb_frame.f_code.co_filename == str(path)
        ):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _short(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
