"""The README's main table and paragraph, from the committed pages.

``python -m unison.experiments.readme [--check]`` (`make tables` calls it).
"""

import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[3]
BEGIN, END = "<!-- MAIN-TABLE -->", "<!-- /MAIN-TABLE -->"
#: Who stands in the README: ours, what the paper compares with, and the best of the others.
SHOWN = (
    "unison",
    "spear",
    "lru-queue",
    "pbkv",
    "continuum",
    "lhd",
    "infercept",
    "cachescout",
    "gdsf",
    "agserve",
    "timeout",
    "lru",
    "belady",
)
_KEYS = (
    "hit rate %",
    "token hit rate %",
    "AMAT/LRU",
    "TTFT/LRU",
    "over LRU, pp",
    "prefill saved %",
)


def ranking(page: str, heading: str) -> dict[str, dict[str, float]]:
    """A ranked table of a page: value by policy and column, intervals left out.

    ValueError when the page has no such table.
    """
    part = page.split(f"## {heading}\n", 1)
    table = [x for x in part[-1].split("\n## ")[0].splitlines() if x.startswith("| ")]
    if len(part) < 2 or not table:
        raise ValueError(f"page: got no table under {heading!r}, expected one")
    columns = [c.strip() for c in table[0].strip("|").split("|")]
    found = {}
    for line in table[1:]:
        cells = [c.strip() for c in line.strip("|").split("|")]
        row = dict(zip(columns, cells, strict=True))
        found[row["policy"]] = {k: float(row[k].split()[0]) for k in _KEYS if k in row}
    return found


def section(results: Path) -> str:
    """Text between the marks: table and paragraph."""
    main = (results / "main.md").read_text()
    recorded = (results / "comparison-recordings.md").read_text()
    small = ranking(main, "The paper's scale: all policies, ranked")
    server = ranking(main, "Server envelopes: all policies, ranked")
    real = ranking(recorded, "All policies, ranked")
    columns = [
        (small, "hit rate %", "{:.2f}"),
        (small, "AMAT/LRU", "{:.3f}"),
        (small, "TTFT/LRU", "{:.3f}"),
        (server, "hit rate %", "{:.2f}"),
        (server, "AMAT/LRU", "{:.3f}"),
        (server, "TTFT/LRU", "{:.3f}"),
        (real, "hit rate %", "{:.2f}"),
        (real, "AMAT/LRU", "{:.3f}"),
        (real, "TTFT/LRU", "{:.3f}"),
    ]
    lines = [
        "| policy | small: hit rate % | AMAT/LRU | TTFT/LRU | server: hit rate % | AMAT/LRU | "
        "TTFT/LRU | recordings: hit rate % | AMAT/LRU | TTFT/LRU |",
        "|---|" + "---|" * len(columns),
    ]
    for name in SHOWN:
        cells = (form.format(table[name][key]) for table, key, form in columns)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", _paragraph(small, server, real)])


def _paragraph(*tables: dict[str, dict[str, float]]) -> str:
    small, server, real = tables

    def share(table: dict[str, dict[str, float]]) -> str:
        part = table["lru-queue"]["over LRU, pp"] / table["unison"]["over LRU, pp"]
        return f"{100 * part:.0f} %"

    def gain(table: dict[str, dict[str, float]]) -> str:
        return f"{table['unison']['over LRU, pp']:+.1f} pp"

    lhd, ours, queue = server["lhd"], server["unison"], server["lru-queue"]
    text = f"""
    **Where it wins, where not, and why.** Against LRU Unison gains {gain(small)} of hit rate on
    the small envelopes, {gain(server)} on the server ones and {gain(real)} on the recordings. But
    recency that merely knows whose tool has returned (`lru-queue`) has {share(small)},
    {share(server)} and {share(real)} of that gain: where requests queue for a few servers, most
    idle sessions are queued ones, and to keep those is what counts most. The ranking of the waits
    themselves adds little on these traces; of its signals the time already waited helps, the
    session's own average does not ([signals](docs/results/signals.md)). What Unison adds over
    `lru-queue` on the servers is Tide: AMAT {ours["AMAT/LRU"]:.3f} of LRU's against
    {queue["AMAT/LRU"]:.3f}, TTFT {ours["TTFT/LRU"]:.3f} against {queue["TTFT/LRU"]:.3f} (`spear` is
    Unison without it, placed like all the others). It loses hits to LHD on long prefixes
    ({ours["hit rate %"]:.1f} against {lhd["hit rate %"]:.1f} % on the servers), which evicts the
    long ones first: more requests hit, but fewer tokens ({lhd["token hit rate %"]:.1f} against
    {ours["token hit rate %"]:.1f} %), and AMAT is worse ({lhd["AMAT/LRU"]:.3f} against
    {ours["AMAT/LRU"]:.3f}). Every point, won or lost, is in [main](docs/results/main.md) and
    [recordings](docs/results/comparison-recordings.md)."""
    return textwrap.fill(" ".join(text.split()), 120, break_on_hyphens=False)


def filled(readme: str, text: str) -> str:
    """`readme` with `text` between the marks; ValueError when the marks are not there."""
    pattern = re.compile(re.escape(BEGIN) + r"\n.*?" + re.escape(END), re.DOTALL)
    if not pattern.search(readme):
        raise ValueError(f"README.md: got no {BEGIN} ... {END}, expected both marks")
    return pattern.sub(lambda _: f"{BEGIN}\n{text}\n{END}", readme)


def main(argv: list[str]) -> int:
    """Write the README, or with --check tell whether it is up to date."""
    path = ROOT / "README.md"
    old = path.read_text()
    new = filled(old, section(ROOT / "docs" / "results"))
    if "--check" in argv:
        if new != old:
            print("README.md: main table is stale: run python -m unison.experiments.readme")
        return int(new != old)
    path.write_text(new)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
