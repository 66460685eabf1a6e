"""WaveDrom pictures as files that a diff can show: only what is drawn, a line an element."""

import json
import re
from typing import Any

import wavedrom

_SYMBOL = re.compile(r'<g id="([^"]+)">(?:(?!<g\b).)*?</g>', re.S)
_USE = re.compile(r'<use\b[^>]*xlink:href="#([^"]+)"')
_BREAK = re.compile(r"(?<=>)(?=<(?:g|use|line|rect|path|text|style|defs|marker)\b)")


def draw(source: dict[str, Any]) -> str:
    """SVG of a WaveDrom source: ``signal`` or ``reg``."""
    text = wavedrom.render(json.dumps(source)).tostring()
    head, _, body = text.partition("</defs>")
    if body:
        # The skin holds every brick there is, some hundred of them.
        used = set(_USE.findall(body))
        head = _SYMBOL.sub(lambda m: m.group() if m.group(1) in used else "", head)
        text = f"{head}</defs>{body}"
    text = text.replace("font-family:Helvetica", "font-family:Helvetica,Arial,sans-serif")
    # Pages may be dark; the drawing is black.
    white = r'\1<rect width="100%" height="100%" fill="white"/>'
    text = re.sub(r"(<svg\b[^>]*>)", white, text, count=1)
    return _BREAK.sub("\n", text) + "\n"
