"""Figures put into a page: SVG inline with ids of its own, pictures as data."""

import base64
import re
from pathlib import Path

from unison.report.markup import esc

_PICTURES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif"}
_PROLOGUE = re.compile(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>", re.S)
_UNSAFE = re.compile(
    r"<script.*?</script\s*>|<script[^>]*/>|<foreignObject.*?</foreignObject\s*>"
    r"|\son\w+\s*=\s*(\"[^\"]*\"|'[^']*')"
    r"|\s(?:xlink:)?href\s*=\s*(\"(?!#|data:image/)[^\"]*\"|'(?!#|data:image/)[^']*')"
    r"|@import[^;]*;",
    re.S | re.I,
)


def inline_svg(text: str, scope: str) -> str:
    """SVG text for use inside HTML, its ids and its style rules bound to `scope`.

    Two figures of one page would else share clip paths, and matplotlib's `*{...}` rule would
    rule the page. Scripts and references to other files are dropped.
    """
    text = _UNSAFE.sub("", _PROLOGUE.sub("", text)).strip()
    text = re.sub(r'(\sid=")([^"]+)"', rf'\1{scope}-\2"', text)
    text = re.sub(r"(\sid=')([^']+)'", rf"\1{scope}-\2'", text)
    text = re.sub(r'((?:xlink:)?href=["\'])#', rf"\1#{scope}-", text)
    text = re.sub(r"url\(\s*[\"']?#", f"url(#{scope}-", text)
    text = re.sub(
        r'(aria-labelledby=")([^"]+)"',
        lambda m: m[1] + " ".join(f"{scope}-{i}" for i in m[2].split()) + '"',
        text,
    )
    return re.sub(
        r"(<style[^>]*>)(.*?)(</style>)",
        lambda m: m[1] + _scoped(m[2].replace("<![CDATA[", "").replace("]]>", ""), scope) + m[3],
        text,
        flags=re.S,
    )


def _scoped(css: str, scope: str) -> str:
    """Flat rules, each selector below the figure; at-rules are left as they are."""

    def rule(m: re.Match) -> str:
        selectors = ", ".join(f"#{scope} {s.strip()}" for s in m[1].split(",") if s.strip())
        return f"{selectors} {{{m[2]}}}"

    return re.sub(r"([^{}@]+)\{([^{}]*)\}", rule, css)


def figure(path: Path, scope: str, caption: str) -> str:
    """A figure of HTML for a picture file; a line of text when it is not there or unreadable."""
    try:
        if path.suffix == ".svg":
            inner = inline_svg(path.read_text(encoding="utf-8"), scope)
        else:
            data = base64.b64encode(path.read_bytes()).decode()
            kind = _PICTURES[path.suffix.lower()]
            inner = f'<img src="data:{kind};base64,{data}" alt="{esc(caption)}">'
    except (OSError, KeyError, UnicodeDecodeError):
        return f'<p class="missing">Figure {esc(path.name)} is not there.</p>'
    note = f"<figcaption>{esc(caption)}</figcaption>" if caption else ""
    return f'<figure><div class="plot" id="{scope}">{inner}</div>{note}</figure>'
