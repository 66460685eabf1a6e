"""``model/unison/contract/registers.py``: the registers for every Python user."""

import types

from unison.contract.register_types import Field, Register

_HEAD = '''"""The register map. Do not edit: `python -m tools.regs` makes it from rtl/unison.rdl."""

from unison.contract.register_types import Access, Field, Register

__all__ = [
    "BY_NAME",
    "COUNTERS",
    "ID_VALUE",
    "REGISTERS",
    "VERSION_VALUE",
    "Access",
    "Field",
    "Register",
    "address",
]
'''

_TAIL = '''
BY_NAME = {r.name: r for r in REGISTERS}


def address(name: str, index: int = 0) -> int:
    """Byte address of a register (entry `index` of an array). KeyError, IndexError."""
    reg = BY_NAME[name]
    if not 0 <= index < reg.count:
        raise IndexError(f"{name}[{index}]: expected an index in 0..{reg.count - 1}")
    return reg.address + 4 * index
'''


def _text(value: str) -> str:
    quote = "'" if '"' in value else '"'
    return f"{quote}{value}{quote}"


def _hex(value: int | None, digits: int = 0) -> str:
    return "None" if value is None else f"0x{value:0{digits}X}"


def _field(f: Field) -> str:
    parts = [_text(f.name), f"{f.lsb}", f"{f.width}", f"{f.access}", _hex(f.reset), _text(f.doc)]
    if f.volatile:
        parts.append("volatile=True")
    if f.parameter:
        parts.append(f"parameter={_text(f.parameter)}")
    if f.codes:
        pairs = ", ".join(f"({_text(n)}, {v})" for n, v in f.codes)
        parts.append(f"codes=({pairs},)")
    return f"            Field({', '.join(parts)}),"


def _register(r: Register) -> list[str]:
    out = [
        "    Register(",
        f"        {_text(r.name)},",
        f"        0x{r.address:03X},",
        f"        {r.access},",
        f"        {r.width},",
        f"        {_hex(r.reset)},",
        f"        {_text(r.doc)},",
    ]
    if r.count > 1:
        out.append(f"        count={r.count},")
    out += ["        fields=(", *(_field(f) for f in r.fields), "        ),"]
    if r.not_below:
        out.append(f"        not_below={_text(r.not_below)},")
    out += [f"        {n}=True," for n in ("push", "pop", "ignores_beyond") if getattr(r, n)]
    return [*out, "    ),"]


def text(regs: tuple[Register, ...], counters: tuple[str, ...]) -> str:
    """Text of the module."""
    by_name = {r.name: r for r in regs}
    out = [_HEAD]
    for name in ("ID", "VERSION"):
        out.append(f"{name}_VALUE = {_hex(by_name[name].reset, 8)}")
    out += ["", "#: Bit numbers."]
    for prefix, name in (("CTRL", "CTRL"), ("IRQ", "IRQ_STATUS")):
        out += [f"{prefix}_{f.name.upper()} = {f.lsb}" for f in by_name[name].fields]
    out += ["", "#: Counters, in address order, 32 bits each; saturating.", "COUNTERS = ("]
    out += [f"    ({_text(n)}, {_text(by_name[n].doc)})," for n in counters]
    out += [")", "", "REGISTERS: tuple[Register, ...] = ("]
    for r in regs:
        out += _register(r)
    return "\n".join([*out, ")", _TAIL])


def load(source: str) -> types.ModuleType:
    """The module of a text, whatever is installed."""
    module = types.ModuleType("registers")
    exec(compile(source, "registers.py", "exec"), vars(module))
    return module
