"""Experiments by name."""

import importlib

from unison.experiments.base import Experiment

#: Name on the command line and module; a module defines `EXPERIMENT`. Cheap ones first.
_MODULES: dict[str, str] = {
    "trace-fidelity": "unison.experiments.trace_fidelity",
    "operating-point": "unison.experiments.operating_point",
    "capacity": "unison.experiments.capacity",
    "hazard": "unison.experiments.hazard",
    "ase": "unison.experiments.ase",
    "signals": "unison.experiments.signals",
    "formats": "unison.experiments.formats",
    "ablation": "unison.experiments.ablation",
    "control-plane": "unison.experiments.control_plane",
    "comparison-recordings": "unison.experiments.recordings",
    "learning": "unison.experiments.learning",
    "main": "unison.experiments.main",
}


def names() -> list[str]:
    """All experiments, in the order `all` runs them."""
    return list(_MODULES)


def experiment(name: str) -> Experiment:
    """An experiment by name; ValueError with the valid ones."""
    if name not in _MODULES:
        raise ValueError(f"experiment: got {name!r}, expected one of {', '.join(_MODULES)}, all")
    return importlib.import_module(_MODULES[name]).EXPERIMENT
