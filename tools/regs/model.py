"""Compiles the RDL, turns it into the contract's registers, and checks it against the contract."""

import re
from enum import IntEnum
from pathlib import Path

from pyuvm import uvm_reg, uvm_reg_block
from systemrdl import RDLCompiler
from systemrdl.node import AddrmapNode, FieldNode, Node, RegNode
from systemrdl.rdltypes import AccessType, OnWriteType

from unison.contract import encodings, widths
from unison.contract.register_types import Access, Field, Register
from unison.scoring import Form

#: Enumerations of the RDL that are not in `encodings`.
_ENUMS: dict[str, type[IntEnum]] = {"Scorer": Form}
_SW = {AccessType.r: Access.RO, AccessType.rw: Access.RW, AccessType.w: Access.WO}


class RdlError(Exception):
    """The RDL says something that the contract or the generator does not allow."""


def compile_rdl(path: Path) -> AddrmapNode:
    """The elaborated address map. RDLCompileError, with the place printed."""
    compiler = RDLCompiler()
    compiler.compile_file(str(path))
    return compiler.elaborate().top


def _flag(node: Node, name: str) -> bool:
    return bool(node.get_property(name, default=False))


def _enum(name: str) -> type[IntEnum]:
    found = _ENUMS.get(name) or getattr(encodings, name, None)
    if found is None:
        raise RdlError(f"enum {name}: neither encodings.py nor the scores have it")
    return found


def _field(node: FieldNode) -> Field:
    where = node.get_path()
    sw = node.get_property("sw")
    if sw not in _SW:
        raise RdlError(f"{where}: sw = {sw.name}, expected r, rw or w")
    access = _SW[sw]
    if (onwrite := node.get_property("onwrite")) is not None:
        if onwrite is not OnWriteType.woclr:
            raise RdlError(f"{where}: onwrite = {onwrite.name}, expected woclr or none")
        access = Access.W1C
    name = node.get_property("width_of", default=None)
    if name and node.width != (want := getattr(widths, name, None)):
        raise RdlError(f"{where}: got {node.width} bits, but widths.{name} is {want}")
    codes: tuple[tuple[str, int], ...] = ()
    if (encode := node.get_property("encode")) is not None:
        codes = tuple((m.name, m.value) for m in encode)
        want = tuple((m.name, m.value) for m in _enum(encode.type_name))
        if codes != want:
            raise RdlError(f"{where}: enum {encode.type_name}: got {codes}, expected {want}")
    reset = node.get_property("reset")
    live, parameter = _flag(node, "live"), node.get_property("parameter_of", default=None)
    if reset is not None and (live or parameter):
        raise RdlError(f"{where}: a live value or a parameter has no reset")
    if hasattr(uvm_reg, node.inst_name):
        raise RdlError(f"{where}: the name is taken in pyuvm's registers")
    return Field(
        node.inst_name, node.lsb, node.width, access, reset, node.get_property("desc"),
        volatile=bool(node.is_hw_writable), parameter=parameter, codes=codes,
    )  # fmt: skip


def _access(node: RegNode, fields: tuple[Field, ...]) -> Access:
    kinds = {f.access for f in fields}
    if _flag(node, "refused_while_busy"):
        if kinds != {Access.RW}:
            raise RdlError(f"{node.get_path()}: refused_while_busy needs read-write fields")
        return Access.CFG
    if Access.W1C in kinds and kinds <= {Access.W1C, Access.RO}:
        return Access.W1C
    if len(kinds) != 1:
        raise RdlError(f"{node.get_path()}: fields of different access in one register")
    return kinds.pop()


def _count(node: RegNode, doc: str) -> int:
    if not node.is_array:
        return 1
    (count,), name = node.array_dimensions, node.get_property("entries_of", default=None)
    if name is None:
        raise RdlError(f"{node.get_path()}: an array needs entries_of")
    source = getattr(widths, name, None)
    if source is None:
        members = [m.name for m in _enum(name)]
        source = len(members)
        if ", ".join(members) not in doc:
            raise RdlError(f"{node.get_path()}: desc must list {', '.join(members)}")
    if count != source:
        raise RdlError(f"{node.get_path()}: got {count} entries, but {name} has {source}")
    if node.array_stride != 4:
        raise RdlError(f"{node.get_path()}: entries must follow each other")
    return count


def _register(node: RegNode) -> Register:
    fields = tuple(_field(f) for f in node.fields())
    access, doc = _access(node, fields), node.get_property("desc")
    push, pop = _flag(node, "push"), _flag(node, "pop")
    if push != (access is Access.WO):
        raise RdlError(f"{node.get_path()}: push registers, and only they, are write-only")
    if pop and access is not Access.RO:
        raise RdlError(f"{node.get_path()}: a pop register is read-only")
    if hasattr(uvm_reg_block, node.inst_name):
        raise RdlError(f"{node.get_path()}: the name is taken in pyuvm's blocks")
    known = all(f.reset is not None for f in fields)
    return Register(
        name=node.inst_name,
        address=node.raw_address_offset,
        access=access,
        width=max(f.lsb + f.width for f in fields),
        reset=sum(f.reset << f.lsb for f in fields) if known else None,
        doc=doc,
        count=_count(node, doc),
        fields=fields,
        not_below=node.get_property("not_below", default=None),
        push=push,
        pop=pop,
        ignores_beyond=_flag(node, "ignores_beyond"),
    )


def registers(top: AddrmapNode, rtl: Path) -> tuple[Register, ...]:
    """All registers in address order; `rtl`: the top module, whose parameters are shown.

    RdlError when the RDL differs from the contract's widths and codes.
    """
    found = tuple(_register(node) for node in top.registers())
    names = {r.name for r in found}
    parameters = set(re.findall(r"^\s*parameter int (\w+)", rtl.read_text(), re.MULTILINE))
    for reg in found:
        if reg.not_below and reg.not_below not in names:
            raise RdlError(f"{reg.name}: not_below {reg.not_below}: no such register")
        for field in reg.fields:
            if field.parameter and field.parameter not in parameters:
                raise RdlError(f"{reg.name}.{field.name}: {rtl.name} lacks {field.parameter}")
    return found


def counters(top: AddrmapNode) -> tuple[str, ...]:
    """Names of the counters that count everything, in address order."""
    return tuple(n.inst_name for n in top.registers() if _flag(n, "counter_of_all"))
