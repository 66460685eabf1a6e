"""Result pages: Markdown to HTML, tables with aligned numbers, figures inside."""

import re
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from unison.report.figures import figure
from unison.report.markup import esc

_COMMENT = re.compile(r"<!--.*?-->\n?", re.S)
# Signs and dashes as typographers write them, too: minus 2212, times 00d7, en dash 2013.
_SIGN = "[-+\u2212\u00b1]?"
_UNIT = r"(\s*(%|pp|ms|us|s|x|\u00d7))?"
_NUMBER = re.compile(
    rf"{_SIGN}[\d.,]+{_UNIT}(\s*(\u00b1|/|\.\.)\s*{_SIGN}[\d.,]+{_UNIT})*|[-\u2013]?", re.I
)

#: Columns of texts up to this many characters are not broken into lines.
_WORD = 22


@dataclass(frozen=True)
class Rendered:
    """A page as HTML. anchor: id of its section. text: the Markdown, for who looks for tables."""

    name: str
    title: str
    anchor: str
    html: str
    text: str


def slug(text: str) -> str:
    """Letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "x"


def render(path: Path) -> Rendered:
    """A Markdown file as a section; OSError when it cannot be read."""
    text = path.read_text(encoding="utf-8")
    anchor = f"page-{slug(path.stem)}"
    md = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = md.parse(_COMMENT.sub("", text))
    title = path.stem
    for n, t in enumerate(tokens):
        if t.type == "heading_open":
            if t.tag == "h1" and title == path.stem:
                title = tokens[n + 1].content
            # The document has one h1 of its own, and a page sits below a section's h2.
            level = min(6, int(t.tag[1]) + 1)
            t.tag = tokens[n + 2].tag = f"h{level}"
        elif t.type == "table_open":
            _align(tokens, n)
    _link(tokens, anchor, path.parent)
    figures = _Figures(path.parent, anchor)
    md.add_render_rule("image", lambda _self, row, n, _options, _env: figures(row[n]))
    md.add_render_rule("table_open", lambda *_: '<div class="scroll"><table class="data">\n')
    md.add_render_rule("table_close", lambda *_: "</table></div>\n")
    body = md.renderer.render(tokens, md.options, {})
    # A figure is a block and may not sit in a paragraph.
    body = re.sub(r"<p>((?:\s*<figure>.*?</figure>\s*)+)</p>", r"\1", body, flags=re.S)
    return Rendered(path.stem, title, anchor, body, text)


class _Figures:
    """Renders images, numbering them so that one used twice has two scopes."""

    def __init__(self, folder: Path, anchor: str) -> None:
        self.folder, self.anchor, self.count = folder, anchor, 0

    def __call__(self, token: Token) -> str:
        source = str(token.attrs.get("src", ""))
        caption = token.content
        if "://" in source or source.startswith(("/", "data:")):
            return f"<em>[figure {esc(source)}]</em>"
        self.count += 1
        return figure(self.folder / source, f"{self.anchor}-fig{self.count}", caption)


def _link(tokens: list[Token], anchor: str, folder: Path) -> None:
    """Links to other result pages become links within the document, those to files plain text."""
    for token in tokens:
        inside = token.children or []
        for n, child in enumerate(inside):
            if child.type != "link_open":
                continue
            target = str(child.attrs.get("href", ""))
            name, _, _ = target.partition("#")
            if target.startswith(("http://", "https://")):
                continue
            if name.endswith(".md") and (folder / name).resolve().parent == folder.resolve():
                child.attrs = {"href": f"#page-{slug(Path(name).stem)}"}
            elif not name:
                child.attrs = {"href": f"#{anchor}"}
            else:
                close = next(k for k in range(n, len(inside)) if inside[k].type == "link_close")
                child.tag = inside[close].tag = "span"
                child.attrs = {"class": "file", "title": target}


def _align(tokens: list[Token], start: int) -> None:
    """Mark the cells of columns that hold numbers, or names too short to be broken."""
    end = next(n for n in range(start, len(tokens)) if tokens[n].type == "table_close")
    columns: dict[int, list[tuple[Token, str]]] = {}
    column = 0
    for n in range(start, end):
        t = tokens[n]
        if t.type == "tr_open":
            column = 0
        elif t.type in ("td_open", "th_open"):
            columns.setdefault(column, []).append((t, tokens[n + 1].content))
            column += 1
    for cells in columns.values():
        body = [text.replace("*", "").strip() for t, text in cells if t.type == "td_open"]
        numbers = sum(bool(_NUMBER.fullmatch(text)) for text in body)
        kind = ""
        if body and numbers >= 0.8 * len(body) and any(re.search(r"\d", t) for t in body):
            kind = "num"
        elif max(len(text) for _, text in cells) <= _WORD:
            kind = "word"
        if kind:
            for token, _ in cells:
                token.attrJoin("class", kind)
