"""Finds where the RTL can be mutated, by its syntax tree, and what stands there instead.

Only what is decided at run time can be mutated by a selector: parameters, widths, genvar loops,
case labels and checks in `initial` blocks are left out, and so is what only the test bench reads
(`dbg_*`) or nobody (`unused_*`).
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pyslang.syntax import SyntaxTree

#: Binary operators by kind: its text and what replaces it.
_BINARY = {
    "AddExpression": ("arithmetic", ("-",)),
    "SubtractExpression": ("arithmetic", ("+",)),
    "MultiplyExpression": ("arithmetic", ("+",)),
    "LogicalShiftLeftExpression": ("arithmetic", (">>",)),
    "LogicalShiftRightExpression": ("arithmetic", ("<<",)),
    "ArithmeticShiftRightExpression": ("arithmetic", (">>",)),
    "EqualityExpression": ("relation", ("!=",)),
    "InequalityExpression": ("relation", ("==",)),
    "LessThanExpression": ("relation", ("<=", ">=")),
    "LessThanEqualExpression": ("relation", ("<", ">")),
    "GreaterThanExpression": ("relation", (">=", "<=")),
    "GreaterThanEqualExpression": ("relation", (">", "<")),
    "LogicalAndExpression": ("logic", ("||",)),
    "LogicalOrExpression": ("logic", ("&&",)),
    "BinaryAndExpression": ("logic", ("|",)),
    "BinaryOrExpression": ("logic", ("&",)),
}
_DROPPED = ("LogicalAndExpression", "LogicalOrExpression", "BinaryAndExpression",
            "BinaryOrExpression")  # fmt: skip
_UNARY = {
    "UnaryLogicalNotExpression": "",
    "UnaryBitwiseNotExpression": "",
    "UnaryBitwiseOrExpression": "&",
    "UnaryBitwiseAndExpression": "|",
}
_SKIPPED = {
    "ParameterDeclarationStatement", "ParameterPortList", "AnsiPortList", "DataDeclaration",
    "TypedefDeclaration", "InitialBlock", "GenvarDeclaration", "ParameterValueAssignment",
    "NetDeclaration", "FunctionDeclaration", "VariableDimension", "PackageDeclaration",
}  # fmt: skip
_NAMES = ("IdentifierName", "IdentifierSelectName", "ScopedName")
#: Indices of generate and for loops, by this project's custom.
_LOOP = {"i", "l", "t", "b", "r", "s", "level"}
_IGNORED = re.compile(r"\b(dbg|unused)_|\bunused\b")


@dataclass(frozen=True)
class Mutant:
    """One change. start, end: bytes of `file` that `text` replaces; a removed statement: "".

    number: its selector's value, 0 until it has been chosen.
    """

    file: str
    module: str
    operator: str
    line: int
    start: int
    end: int
    original: str
    text: str
    occurrence: int = 0
    number: int = 0

    @property
    def key(self) -> str:
        """Names it whatever moves around it."""
        new = self.text or "(removed)"
        return f"{self.module} | {self.operator} | {self.original} | {new} | {self.occurrence}"


def _flat(text: str) -> str:
    return " ".join(re.sub(r"//[^\n]*", "", text).split())


def _is_token(node) -> bool:
    return not hasattr(node, "sourceRange")


class _Finder:
    """Walks one file."""

    def __init__(self, path: Path, integers: set[str]) -> None:
        self.path, self.integers = path, integers
        self.bytes = path.read_bytes()
        self.tree = SyntaxTree.fromFile(str(path))
        self.found: list[Mutant] = []
        self.module = path.stem
        self.enums: dict[str, str] = {}

    def text(self, node) -> str:
        """Source of a node."""
        r = node.sourceRange
        return self.bytes[r.start.offset : r.end.offset].decode()

    def add(self, node, operator: str, text: str) -> None:
        """A mutant of `node`."""
        r = node.sourceRange
        original = _flat(self.text(node))
        if _IGNORED.search(original) or _flat(text) == original:
            return
        line = self.bytes[: r.start.offset].count(b"\n") + 1
        self.found.append(
            Mutant(
                self.path.name, self.module, operator, line, r.start.offset, r.end.offset,
                original, _flat(text),
            )
        )  # fmt: skip

    def run(self) -> list[Mutant]:
        """All mutants of the file, in its order."""
        self._enums(self.tree.root)
        self._visit(self.tree.root)
        return self.found

    def _enums(self, node) -> None:
        if node.kind.name == "EnumType":
            names = [self.text(c).split()[0] for c in self._of(node, "Declarator")]
            self.enums |= dict(zip(names, names[1:] + names[:1], strict=True))
        for child in self._children(node):
            self._enums(child)

    @staticmethod
    def _children(node) -> list:
        return [c for c in node if c is not None and not _is_token(c)]

    def _of(self, node, *kinds: str) -> Iterator:
        for child in self._children(node):
            if child.kind.name in kinds:
                yield child
            else:
                yield from self._of(child, *kinds)

    # Structure and statements.

    def _visit(self, node, state: "_State | None" = None) -> None:
        state = state or _State()
        kind = node.kind.name
        if kind in _SKIPPED:
            return
        if kind == "ModuleDeclaration":
            self.module = str(node.header.name.valueText)
        if kind in ("LoopGenerate", "ForLoopStatement"):
            body = self._children(node)[-1]
            self._visit(body, state)
        elif kind == "IfGenerate":
            for child in self._children(node)[1:]:
                self._visit(child, state)
        elif kind == "NamedPortConnection":
            self._port(node)
        elif kind == "ContinuousAssign":
            for assignment in self._of(node, "AssignmentExpression"):
                self._assignment(assignment, bare=True)
        elif kind in ("AlwaysFFBlock", "AlwaysCombBlock"):
            self._block(node, kind)
        elif kind == "ConditionalStatement":
            self._conditional(node, state)
        elif kind == "CaseStatement":
            for item in self._of(node, "StandardCaseItem", "DefaultCaseItem"):
                self._visit(self._children(item)[-1], replace(state, nested=True))
        elif kind == "ExpressionStatement":
            self._statement(node, state)
        else:
            for child in self._children(node):
                self._visit(child, state)

    def _block(self, node, kind: str) -> None:
        text = self.text(node)
        defaults = frozenset()
        if kind == "AlwaysCombBlock":
            defaults = frozenset(re.findall(r"^    (\w+) *= ", text, re.M))
        reset = kind == "AlwaysFFBlock" and "negedge rst_ni" in text
        state = _State(clocked=kind == "AlwaysFFBlock", defaults=defaults, reset=reset)
        for child in self._children(node):
            self._visit(child, state)

    def _conditional(self, node, state: "_State") -> None:
        predicate, *rest = self._children(node)
        condition = self.text(predicate)
        if state.reset and condition == "!rst_ni":
            then, *other = rest
            self._visit(then, replace(state, reset=False, nested=True, resetting=True))
            for child in other:
                self._visit(child, replace(state, reset=False, nested=True))
            return
        if not _IGNORED.search(condition):
            self.add(predicate, "condition", f"!({condition})")
            self._expression(predicate)
        for child in rest:
            self._visit(child, replace(state, nested=True))

    def _statement(self, node, state: "_State") -> None:
        (assignment,) = self._children(node)
        target = re.split(r"[\[ ]", self.text(assignment).lstrip("{"))[0]
        if "Assignment" in assignment.kind.name:
            # In always_comb, only what has a default: a latch would not be a mutant of logic.
            if state.clocked:
                self.add(node, "reset" if state.resetting else "statement", "")
            elif state.nested and target in state.defaults:
                self.add(node, "statement", "")
            self._assignment(assignment, bare=False)

    def _assignment(self, node, bare: bool) -> None:
        left, right = self._children(node)
        if _IGNORED.search(self.text(left)):
            return
        if bare and right.kind.name in _NAMES and not self._constant(right):
            self.add(right, "wire", f"({self.text(right)} ^ 1'b1)")
        self._expression(right)

    def _port(self, node) -> None:
        name, expressions = str(node.name.valueText), self._children(node)
        if not name.endswith("_i") or not expressions:
            return
        (expression,) = expressions
        while expression.kind.name in ("SimplePropertyExpr", "SimpleSequenceExpr"):
            (expression,) = self._children(expression)
        if expression.kind.name in _NAMES and not self._constant(expression):
            self.add(expression, "wire", f"({self.text(expression)} ^ 1'b1)")
        self._expression(expression)

    # Expressions.

    def _constant(self, node) -> bool:
        """Decided before the simulation begins."""
        names = re.findall(r"(?<!')\b[A-Za-z_]\w*", re.sub(r"'s?[bdh]\w+", "", self.text(node)))
        return all(n[0].isupper() or n in _LOOP or n in ("unison_pkg", "int") for n in names)

    def _expression(self, node) -> None:
        kind, text = node.kind.name, self.text(node)
        children = self._children(node)
        if kind in _BINARY:
            operator, others = _BINARY[kind]
            left, right = self.text(children[0]), self.text(children[1])
            for other in others:
                self.add(node, operator, f"({left}) {other} ({right})")
            if kind in _DROPPED:
                self.add(node, "operand", f"({left})")
                self.add(node, "operand", f"({right})")
        elif kind in _UNARY:
            self.add(node, "negation", f"{_UNARY[kind]}({self.text(children[0])})")
        elif kind == "ConditionalExpression":
            condition, yes, no = (self.text(c) for c in children)
            self.add(node, "choice", f"({condition}) ? ({no}) : ({yes})")
        elif kind in _NAMES or "Literal" in kind or kind == "IntegerVectorExpression":
            self._leaf(node, kind, text)
            return
        if kind in ("CastExpression", "MultipleConcatenationExpression"):
            children = children[1:]
        if kind == "InvocationExpression" and not text.startswith("$signed"):
            return
        for child in children:
            self._expression(child)

    def _leaf(self, node, kind: str, text: str) -> None:
        if kind in ("IdentifierSelectName", "ElementSelectExpression"):
            self._select(node, text)
        elif kind in ("ScopedName", "IdentifierName") and self._constant(node):
            if text in self.enums:
                self.add(node, "constant", self.enums[text])
            elif text in self.integers or (kind == "IdentifierName" and text not in _LOOP):
                self.add(node, "constant", f"({text} + 1)")
            elif kind == "ScopedName":
                self.add(node, "constant", f"({text} ^ 1'b1)")
        elif text in ("'0", "'1"):
            self.add(node, "constant", "'1" if text == "'0" else "'0")
        elif match := re.fullmatch(r"(\d+)'(s?)([bdh])(\w+)", text):
            width, sign, base, digits = match.groups()
            value = int(digits, {"b": 2, "d": 10, "h": 16}[base])
            self.add(node, "constant", f"{width}'{sign}d{value - 1 if value else 1}")
        elif re.fullmatch(r"\d+", text):
            self.add(node, "constant", str(int(text) + 1))

    def _select(self, node, text: str) -> None:
        ranges = list(self._of(node, "SimpleRangeSelect", "AscendingRangeSelect",
                               "DescendingRangeSelect"))  # fmt: skip
        if ranges:
            self.add(node, "select", f"({text} >> 1)")
            return
        for select in self._of(node, "BitSelect"):
            index = self.text(select)
            if not self._constant(select):
                for child in self._children(select):
                    self._expression(child)
            elif re.fullmatch(r"\d+", index):
                other = str(int(index) - 1 if int(index) else 1)
                self.add(node, "select", text.replace(f"[{index}]", f"[{other}]"))


@dataclass(frozen=True)
class _State:
    """Where a statement stands. reset: the block's first condition is the reset's."""

    clocked: bool = False
    nested: bool = False
    reset: bool = False
    resetting: bool = False
    defaults: frozenset[str] = frozenset()


def find(folder: Path) -> list[Mutant]:
    """All mutants of the modules in `folder`, by file and place."""
    package = (folder / "unison_pkg.sv").read_text()
    integers = {f"unison_pkg::{n}" for n in re.findall(r"localparam int (\w+)", package)}
    found: list[Mutant] = []
    for path in sorted(folder.glob("*.sv")):
        if path.name != "unison_pkg.sv":
            found += _Finder(path, integers).run()
    seen: Counter = Counter()
    out = []
    for m in found:
        out.append(replace(m, occurrence=seen[m.key]))
        seen[m.key] += 1
    return out


def choose(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """`count` of them, numbered from 1: modules in turn, operators in turn within a module.

    A module's share grows with the root of its size, so that small ones are not lost. The order
    within an operator is a hash of seed and key: another line elsewhere moves nothing here.
    """
    def rank(m: Mutant) -> str:
        return hashlib.sha256(f"{seed} {m.key}".encode()).hexdigest()

    by_module: dict[str, dict[str, list[Mutant]]] = defaultdict(lambda: defaultdict(list))
    for m in sorted(mutants, key=rank):
        by_module[m.module][m.operator].append(m)
    queues = {}
    for module, groups in sorted(by_module.items()):
        queue = []
        while any(groups.values()):
            queue += [group.pop(0) for _, group in sorted(groups.items()) if group]
        queues[module] = queue
    weights = {name: len(queue) ** 0.5 for name, queue in queues.items()}
    chosen: list[Mutant] = []
    taken: Counter = Counter()
    while len(chosen) < count:
        left = [n for n in queues if taken[n] < len(queues[n])]
        if not left:
            break
        name = min(left, key=lambda n: ((taken[n] + 1) / weights[n], n))
        chosen.append(queues[name][taken[name]])
        taken[name] += 1
    chosen.sort(key=lambda m: (m.file, m.start, m.key))
    return [replace(m, number=n) for n, m in enumerate(chosen, 1)]
