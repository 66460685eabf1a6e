"""Writes ``docs/datasheet.md`` and its figures: ``python -m tools.datasheet [--check|--record]``.

``--record`` first plays the scenes on the core in Verilator and keeps what the pins showed in
``docs/datasheet/recording.json``; a test (tb/datasheet) plays them again and compares. Exit 1 when
a file is stale (``--check``).
"""

import argparse
import json
import sys
from pathlib import Path

from tools.datasheet import blocks, header, latency, related, tables, waves, words
from unison.contract.widths import DEFAULT_LANES, DEFAULT_SLOTS

ROOT = Path(__file__).resolve().parents[2]
FOLDER = "docs/datasheet"
PAGE = "docs/datasheet.md"
RECORDING = f"{FOLDER}/recording.json"
SILICON = "docs/results/silicon.md"
#: Rows in use while latencies are measured: few, and all of the default core's.
USED = (4, DEFAULT_SLOTS // DEFAULT_LANES)
#: What lies between these lines of `SILICON` is shown here too.
_BEGIN, _END = "<!-- datasheet -->", "<!-- /datasheet -->"


def silicon(root: Path = ROOT) -> str:
    """The silicon page's marked table, or where it will be found."""
    path = root / SILICON
    if not path.exists():
        return f"Area, clock and power are measured by `make synth`, which writes `{SILICON}`."
    inner = path.read_text().partition(_BEGIN)[2].partition(_END)[0].strip()
    link = f"[{Path(SILICON).stem}](results/{Path(SILICON).name})"
    return f"{inner}\n\nMethod, libraries and variants: {link}." if inner else f"See {link}."


def page(recording: dict, root: Path = ROOT) -> str:
    """Text of the page."""
    top = header.parse(
        (root / "rtl/unison.sv").read_text(), (root / "rtl/unison_pkg.sv").read_text()
    )
    text = (Path(__file__).parent / "template.md").read_text()
    head = ("work", "published", "acts on", "does", "technology", "mm2", "mW", "MHz")
    parts = {
        "parameters": tables.parameters(top),
        "ports": tables.ports(top),
        "registers": tables.registers(),
        "events": tables.events(),
        "records": tables.records(),
        "codes": tables.codes(),
        "latency": latency.formulas(recording),
        "divider": latency.divider(),
        "passes": latency.passes(),
        "silicon": silicon(root),
        "related": tables.table(head, related.rows()),
    }
    for name, part in parts.items():
        marker = "{{" + name + "}}"
        if text.count(marker) != 1:
            raise ValueError(f"template.md: expected {marker} once, got {text.count(marker)}")
        text = text.replace(marker, part)
    if "{{" in text:
        raise ValueError("template.md: a placeholder is not filled")
    return text


def outputs(recording: dict, root: Path = ROOT) -> dict[str, str]:
    """Text by file name, all but the recording."""
    rtl = {p.stem: p.read_text() for p in sorted((root / "rtl").glob("*.sv"))}
    figures = {
        "blocks": blocks.figure(rtl),
        **words.figures(),
        **waves.figures(recording["waves"], rtl["unison_fsm"]),
    }
    named = {f"{FOLDER}/{name}.svg": text for name, text in figures.items()}
    return {PAGE: page(recording, root)} | named


def dump(recording: dict) -> str:
    """A recording as it is kept: a line a lane."""
    lines = ['{\n "latency": [']
    lines.append(",\n".join(f"  {json.dumps(m)}" for m in recording["latency"]))
    lines.append(' ],\n "waves": {')
    scenes = []
    for name, lanes in recording["waves"].items():
        body = ",\n".join(f"   {json.dumps(k)}: {json.dumps(v)}" for k, v in lanes.items())
        scenes.append(f"  {json.dumps(name)}: {{\n{body}\n  }}")
    return "\n".join([*lines, ",\n".join(scenes), " }\n}", ""])


def main(argv: list[str] | None = None) -> int:
    """Write or check; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=ROOT, help="where the files are")
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    parser.add_argument("--record", action="store_true", help="simulate first")
    args = parser.parse_args(argv)
    kept = args.root / RECORDING
    if args.record:
        from tb.datasheet.record import play

        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(dump(play("verilator", list(USED), scenes=True)))
    made = outputs(json.loads(kept.read_text()), args.root)
    stale = []
    for name, text in made.items():
        path = args.root / name
        if not args.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale.append(name)
    stale += sorted(
        f"{FOLDER}/{p.name}: not made any more"
        for p in (args.root / FOLDER).glob("*.svg")
        if f"{FOLDER}/{p.name}" not in made
    )
    if stale:
        print(f"stale: {', '.join(stale)}; run python -m tools.datasheet", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    raise SystemExit(main())
