"""Boolean functions as Liberty writes them: parsed, evaluated, written as Verilog."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_TOKEN = re.compile(r"\s*([A-Za-z_][\w\[\]]*|[01]|[!'&*|+^()])")


class FunctionError(ValueError):
    """Not a Liberty function; the message shows the text."""


@dataclass(frozen=True)
class Expression:
    """A tree. op: `name`, `const`, `not`, `and`, `or`, `xor`."""

    op: str
    parts: tuple["Expression", ...] = ()
    text: str = ""

    def value(self, inputs: Mapping[str, int]) -> int:
        """Value, 0 or 1, for values of the inputs."""
        if self.op == "name":
            return inputs[self.text]
        if self.op == "const":
            return int(self.text)
        if self.op == "not":
            return 1 - self.parts[0].value(inputs)
        a, b = (p.value(inputs) for p in self.parts)
        return {"and": a & b, "or": a | b, "xor": a ^ b}[self.op]

    def verilog(self, rename: Callable[[str], str] = str) -> str:
        """The same as a Verilog expression."""
        if self.op == "name":
            return rename(self.text)
        if self.op == "const":
            return f"1'b{self.text}"
        if self.op == "not":
            return f"~{self.parts[0].verilog(rename)}"
        sign = {"and": " & ", "or": " | ", "xor": " ^ "}[self.op]
        return "(" + sign.join(p.verilog(rename) for p in self.parts) + ")"

    def names(self) -> set[str]:
        """Inputs it uses."""
        if self.op == "name":
            return {self.text}
        return set().union(*(p.names() for p in self.parts))


def parse(text: str) -> Expression:
    """Read a function. `!` and `'` negate; `*`, `&` or a blank is and; `+`, `|` is or; `^` xor.

    Liberty binds them in this order: not, xor, and, or.
    """
    stripped, tokens, at = text.strip(), [], 0
    while at < len(stripped):
        match = _TOKEN.match(stripped, at)
        if not match:
            raise FunctionError(f"got {text!r}, expected a Liberty function")
        tokens.append(match[1])
        at = match.end()
    parser = _Parser(text, tokens)
    tree = parser.level(0)
    if parser.tokens:
        raise FunctionError(f"got {text!r}, expected its end before {parser.tokens[0]!r}")
    return tree


class _Parser:
    _LEVELS = (("or", "|+"), ("and", "&*"), ("xor", "^"))

    def __init__(self, text: str, tokens: list[str]) -> None:
        self.text, self.tokens = text, tokens

    def level(self, depth: int) -> Expression:
        if depth == len(self._LEVELS):
            return self.unary()
        op, signs = self._LEVELS[depth]
        tree = self.level(depth + 1)
        while self.tokens and (
            self.tokens[0] in signs or (op == "and" and self.tokens[0] not in "|+^)'")
        ):
            if self.tokens[0] in signs:
                self.tokens.pop(0)
            tree = Expression(op, (tree, self.level(depth + 1)))
        return tree

    def unary(self) -> Expression:
        if not self.tokens:
            raise FunctionError(f"got {self.text!r}, which ends too early")
        token = self.tokens.pop(0)
        if token == "!":
            tree = Expression("not", (self.unary(),))
        elif token == "(":
            tree = self.level(0)
            if not self.tokens or self.tokens.pop(0) != ")":
                raise FunctionError(f"got {self.text!r}, expected )")
        elif token in "01":
            tree = Expression("const", text=token)
        elif token[0].isalpha() or token[0] == "_":
            tree = Expression("name", text=token)
        else:
            raise FunctionError(f"got {self.text!r}, unexpected {token!r}")
        while self.tokens and self.tokens[0] == "'":
            self.tokens.pop(0)
            tree = Expression("not", (tree,))
        return tree
