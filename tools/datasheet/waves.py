"""Timing diagrams from the recording of a simulation: WaveDrom's form of what the pins showed."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from tools.datasheet.svg import draw
from unison.contract import EventCode, RecordKind
from unison.contract.registers import REGISTERS

Samples = dict[str, list[int | None]]
_NAMES = {r.address: r.name for r in REGISTERS}


def _hex(value: int) -> str:
    return f"{value:X}"


def _register(value: int) -> str:
    return _NAMES.get(value, _hex(value))


@dataclass(frozen=True)
class Lane:
    """A line of a diagram. show: a value's text; None: a single bit."""

    name: str
    show: Callable[[int], str] | None = None


@dataclass(frozen=True)
class Diagram:
    """A recorded scene and the lanes of it that matter; a string is a group's heading."""

    scene: str
    lanes: tuple[Lane, ...]


def _bits(*names: str) -> tuple[Lane, ...]:
    return tuple(Lane(n) for n in names)


_ADDRESS, _DATA = Lane("paddr_i", _register), Lane("pwdata_i", _hex)
_CODE = Lane("ev_code_i", lambda v: EventCode(v).name)
_SIDE = (*_bits("ev_valid_i", "ev_ready_o"), _CODE)
_LEVEL = Lane("event level", str)


def diagrams(states: list[str]) -> dict[str, Diagram]:
    """By file name; `states`: names of the controller's states by code."""
    return {
        "wave-event-write": Diagram(
            "apb_event_write",
            (*_bits("psel_i", "penable_i", "pwrite_i"), _ADDRESS, _DATA,
             *_bits("pready_o", "pslverr_o"), _LEVEL, *_bits("irq_o")),
        ),
        "wave-decision-read": Diagram(
            "decision_read",
            (*_bits("psel_i", "penable_i"), _ADDRESS, Lane("prdata_o", _hex),
             *_bits("pslverr_o"), Lane("record level", str), *_bits("irq_o")),
        ),
        "wave-sideband": Diagram(
            "sideband",
            (*_SIDE, Lane("ev_slot_i", str), *_bits("psel_i", "penable_i"), _LEVEL),
        ),
        "wave-migration": Diagram(
            "migration",
            (*_bits("dma_valid_o", "dma_ready_i", "dma_promote_o"), Lane("dma_slot_o", str),
             Lane("dma_tokens_o", str), *_bits("dma_last_o"), *_SIDE, *_bits("migration")),
        ),
        "wave-eviction": Diagram(
            "eviction",
            (*_SIDE, _LEVEL, Lane("state", lambda v: states[v]), *_bits("pass runs"),
             Lane("row", str), *_bits("results", "record"),
             Lane("kind", lambda v: RecordKind(v).name)),
        ),
    }  # fmt: skip


def states(fsm: str) -> list[str]:
    """Names of the states, by code, in the text of ``rtl/unison_fsm.sv``."""
    names = re.search(r"typedef enum logic \[\d+:0\] \{([^}]*)\} state_e;", fsm).group(1)
    return [n.strip() for n in names.split(",")]


def lane(values: list[int | None], show: Callable[[int], str] | None) -> dict[str, object]:
    """WaveDrom's `wave` and `data` of a line; None is a value without meaning."""
    wave, data = "", []
    for i, value in enumerate(values):
        if i and value == values[i - 1]:
            wave += "."
        elif value is None:
            wave += "x"
        elif show is None:
            wave += str(value)
        else:
            wave += "="
            data.append(show(value))
    return {"wave": wave, "data": data} if show else {"wave": wave}


def source(diagram: Diagram, samples: Samples) -> dict[str, object]:
    """A WaveDrom source: the clock, then the lanes; cycles are numbered from 1."""
    cycles = len(next(iter(samples.values())))
    signal: list[dict[str, object]] = [{"name": "clk_i", "wave": "p" + "." * (cycles - 1)}]
    signal += [{"name": n.name, **lane(samples[n.name], n.show)} for n in diagram.lanes]
    return {
        "signal": signal,
        "head": {"tick": 1},
        "config": {"hscale": 2},
    }


def figures(waves: dict[str, Samples], fsm: str) -> dict[str, str]:
    """SVG by file name."""
    return {name: draw(source(d, waves[d.scene])) for name, d in diagrams(states(fsm)).items()}
