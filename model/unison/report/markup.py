"""HTML parts: one self-contained document, with its styles and scripts from `assets`."""

import html
from collections.abc import Iterable, Sequence
from importlib.resources import files


def asset(name: str) -> str:
    """Text of a file in `assets`."""
    return files("unison.report").joinpath("assets", name).read_text(encoding="utf-8")


def esc(value: object) -> str:
    """Text made safe for HTML, attributes included."""
    return html.escape(str(value))


def document(title: str, body: str, scripts: Iterable[str] = ()) -> str:
    """A whole page; nothing in it is fetched from anywhere."""
    code = "\n".join(asset(s) for s in scripts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{esc(title)}</title>\n<style>\n{asset('page.css')}</style>\n</head>\n"
        f"<body>\n{body}\n<script>\n{code}</script>\n</body>\n</html>\n"
    )


def table(header: Sequence[str], rows: Iterable[Sequence[object]], texts: int = 1) -> str:
    """A table whose first `texts` columns are words and all others numbers."""

    def cells(tag: str, values: Sequence[object]) -> str:
        kinds = (tag if n < texts else f'{tag} class="num"' for n, _ in enumerate(values))
        return "".join(f"<{k}>{esc(v)}</{tag}>" for k, v in zip(kinds, values, strict=True))

    body = "".join(f"<tr>{cells('td', row)}</tr>\n" for row in rows)
    return (
        f'<div class="scroll"><table class="data">\n<thead><tr>{cells("th", header)}</tr></thead>\n'
        f"<tbody>\n{body}</tbody></table></div>"
    )
