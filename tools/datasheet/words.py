"""Bit-field figures of the words that cross the bus, from the register map."""

from tools.datasheet.svg import draw
from unison.contract.registers import BY_NAME, Register

#: Words drawn, by file name.
WORDS = {"word-event": "EV_PUSH", "word-head": "DEC_HEAD", "word-tail": "DEC_POP"}


def fields(register: Register) -> list[dict[str, object]]:
    """WaveDrom's list of fields, lowest first; bits that are not there have no name."""
    out: list[dict[str, object]] = []
    bit = 0
    for f in sorted(register.fields, key=lambda f: f.lsb):
        if f.lsb > bit:
            out.append({"bits": f.lsb - bit, "type": 1})
        out.append({"bits": f.width, "name": f.name})
        bit = f.lsb + f.width
    if bit < 32:
        out.append({"bits": 32 - bit, "type": 1})
    return out


def figures() -> dict[str, str]:
    """SVG by file name."""
    config = {"hspace": 1060, "fontsize": 12}
    return {
        name: draw({"reg": fields(BY_NAME[register]), "config": config})
        for name, register in WORDS.items()
    }
