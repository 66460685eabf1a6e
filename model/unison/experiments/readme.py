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
    "unison-learned",
    "unison-requests",
    "unison",
    "unison-2sig",
    "spear",
    "lru-queue",
    "lru-queue+tide",
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

    def row(policy: str, key: str, digits: int) -> str:
        values = [f"{table[policy][key]:.{digits}f}" for table in tables]
        return ", ".join(values[:-1]) + " and " + values[-1]

    lhd, ours = server["lhd"], server["unison"]
    text = f"""
    **Where it wins, where not, and why.** Against LRU Unison gains {gain(small)} of hit rate on
    the small envelopes, {gain(server)} on the server ones and {gain(real)} on the recordings. But
    recency that merely knows whose tool has returned (`lru-queue`) has {share(small)},
    {share(server)} and {share(real)} of that gain: a session that is queued will be used next,
    however long its tool took, and LRU throws it away. With the same migration
    (`lru-queue+tide`) it hits {row("lru-queue+tide", "hit rate %", 2)} % (small, server,
    recordings) where Unison hits {row("unison", "hit rate %", 2)} %, at an AMAT of
    {row("lru-queue+tide", "AMAT/LRU", 3)} of LRU's against {row("unison", "AMAT/LRU", 3)}: what the
    ranking of the waits itself is worth here, signal by signal in
    [signals](docs/results/signals.md). Migration is worth the step from `spear` to `unison`, AMAT
    {row("spear", "AMAT/LRU", 3)} to {row("unison", "AMAT/LRU", 3)}; all others stand without it
    unless named `+tide`. LHD evicts long prefixes first: on the servers
    {lhd["hit rate %"]:.1f} % of the requests hit against Unison's {ours["hit rate %"]:.1f} %, but
    {lhd["token hit rate %"]:.1f} % of the tokens against {ours["token hit rate %"]:.1f} %, at an
    AMAT of {lhd["AMAT/LRU"]:.3f} against {ours["AMAT/LRU"]:.3f}. Tables learned from the waits by
    tool class, with admission and a freer migration (`unison-learned`), reach an AMAT of
    {row("unison-learned", "AMAT/LRU", 3)}; weighing size (`unison-requests`) they hit
    {row("unison-requests", "hit rate %", 2)} % of the requests; the study is
    [learning](docs/results/learning.md), and the core does not have them yet. Every point, won or
    lost, is in [main](docs/results/main.md) and
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
