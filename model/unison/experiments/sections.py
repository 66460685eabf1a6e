"""Markdown sections of the comparison pages, made of aggregates."""

from collections.abc import Sequence

from unison.experiments.compared import BOUND
from unison.experiments.duel import QUEUE, Bout, bouts, own, queue_share, verdict
from unison.experiments.lineup import BASELINE, ORACLE, OURS
from unison.experiments.points import Point, Results, Summary
from unison.experiments.statistics import Mean

#: The same with Unison's migration: what is left between it and ours is the ranking of the waits.
QUEUE_TIDE = "lru-queue+tide"
#: The paper's line-up, with recency that knows the request queue beside ours.
HEADLINE = (BASELINE, QUEUE, QUEUE_TIDE, "timeout", "agserve", "cachescout", OURS, ORACLE)
WINS = (
    "Mean of the orders of a point. Lower and higher count only where the interval of the paired "
    "difference (AMAT: ratio) leaves out 0 (1). The best of each point is picked after the fact, "
    "by hit rate for hits and by AMAT for AMAT, which no single policy could be. A policy runs "
    "without migration unless its name says otherwise (`+tide`: Unison's, `+hint`: "
    "CachedAttention's)."
)
DETAIL = "Hit rates in %. *Best online*: of all online policies; (+n): n others are equal to it."
#: What stands at every point.
FEW = (BASELINE, QUEUE, QUEUE_TIDE, "spear", OURS)

HEADLINE_HEADER = (
    "| trace | policy | hit rate % | AMAT/LRU | prefill saved % | TTFT/LRU | BR |",
    "|---|---|---|---|---|---|---|",
)
DETAIL_HEADER = (
    f"| trace | pool | {' | '.join(FEW)} | best online | {ORACLE} | {BOUND} "
    f"| AMAT/LRU {QUEUE} | AMAT/LRU {QUEUE_TIDE} | AMAT/LRU {OURS} |",
    "|---|---|" + "---|" * (len(FEW) + 6),
)


def show(value: Mean | None, scale: float = 1.0, digits: int = 2, sign: bool = False) -> str:
    """A mean as text, - for none."""
    return "-" if value is None else value.text(scale, digits, sign)


def present(results: Results, names: Sequence[str], points: Sequence[Point]) -> list[str]:
    """Those of `names` that were measured at all points."""
    have = results.complete(points)
    return [n for n in names if n in have]


def headline_lines(results: Results, family: str, points: Sequence[Point]) -> list[str]:
    """Rows of the headline table for one trace."""
    at = [p for p in points if p[0] == family]
    lines = []
    for name in present(results, HEADLINE, at):
        s = results.summary(name, at)
        cells = (show(s.hit, 100), show(s.amat, 1, 3), show(s.prefill, 100, 1), show(s.ttft, 1, 3))
        lines.append(f"| {family} | {name} | {' | '.join(cells)} | {show(s.br, 1, 3)} |")
    return lines


def headline_table(results: Results, points: Sequence[Point]) -> list[str]:
    """One row a trace and policy of `HEADLINE`."""
    families = dict.fromkeys(f for f, _ in points)
    rows = [line for f in families for line in headline_lines(results, f, points)]
    return [*HEADLINE_HEADER, *rows]


def ranked(results: Results, points: Sequence[Point]) -> list[Summary]:
    """Every policy measured at all points, the highest hit rate first, ties by AMAT."""
    found = [results.summary(p, points) for p in results.complete(points)]
    return sorted(found, key=lambda s: (-s.hit.value, s.amat.value))


def ranking_table(results: Results, points: Sequence[Point]) -> list[str]:
    """All policies, ranked."""
    online = [p for p in results.complete(points) if p in results.online]
    led = [name for at in points for name in results.leaders(at, online)]
    lines = [
        "| policy | hit rate % | over LRU, pp | token hit rate % | AMAT/LRU | TTFT/LRU "
        "| prefill saved % | below Belady, pp | below the bound, pp | best at |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for s in ranked(results, points):
        cells = (
            show(s.hit, 100),
            show(s.gain, 100, 2, sign=True),
            show(s.tokens, 100),
            show(s.amat, 1, 3),
            show(s.ttft, 1, 3),
            show(s.prefill, 100, 1),
            show(s.to_oracle, 100),
            show(s.to_bound, 100),
            str(led.count(s.policy)) if s.policy in online else "oracle",
        )
        lines.append(f"| {s.policy} | {' | '.join(cells)} |")
    return lines


def detail_lines(results: Results, points: Sequence[Point]) -> list[str]:
    """One row a point: hit rates, %, and the AMAT of ours."""
    lines = []
    for at in points:
        online = [p for p in results.complete([at]) if p in results.online]
        cells = [show(results.hit(n, at), 100) for n in FEW]
        cells += [_best(results, at, online)]
        cells += [show(results.hit(n, at), 100) for n in (ORACLE, BOUND)]
        cells += [
            show(results.ratio("amat_us", n, BASELINE, at), 1, 3) if results.hit(n, at) else "-"
            for n in (QUEUE, QUEUE_TIDE, OURS)
        ]
        lines.append(f"| {at[0]} | {at[1]} | {' | '.join(cells)} |")
    return lines


def _best(results: Results, at: Point, online: Sequence[str]) -> str:
    """The best online policy with its hit rate, ours first among equals, and how many equal it."""
    best = results.leaders(at, online)
    if not best:
        return f"all {show(results.hit(online[0], at), 100)}"
    name = OURS if OURS in best else best[0]
    more = f" (+{len(best) - 1})" if len(best) > 1 else ""
    return f"{name}{more} {show(results.hit(name, at), 100)}"


def detail_table(results: Results, points: Sequence[Point]) -> list[str]:
    """`detail_lines` with a header."""
    return [*DETAIL_HEADER, *detail_lines(results, points)]


def duels(results: Results, points: Sequence[Point]) -> list[tuple[str, list[Bout]]]:
    """Ours against LRU, against what READY alone brings, and against the best of the others."""
    have = results.complete(points)
    online = [p for p in have if p in results.online and p != OURS]
    foreign = [p for p in online if not own(p)]
    found = [(BASELINE, bouts(results, OURS, lambda _: BASELINE, points))]
    for queue in (QUEUE, QUEUE_TIDE):
        if queue in have:
            found.append((queue, bouts(results, OURS, lambda _, q=queue: q, points)))
    published, others = (
        bouts(
            results,
            OURS,
            lambda at, a=among: results.best(at, a),
            points,
            lambda at, a=among: results.best(at, a, "amat_us"),
        )
        for among in (foreign, online)
    )
    if published == others:
        return [*found, ("the best other online policy of each point", published)]
    return [
        *found,
        ("the best published policy of each point", published),
        ("the best other online policy of each point, our variants included", others),
    ]


def wins(results: Results, points: Sequence[Point]) -> str:
    """The verdicts as a list, and what the queue alone is worth."""
    lines = [f"- {verdict(OURS, against, found)}" for against, found in duels(results, points)]
    share = queue_share(results, OURS, points)
    return "\n".join([*lines, *([f"- {share}"] if share else [])])
