"""Tables of the page of the learned ranking."""

from collections.abc import Callable, Sequence

from unison.experiments.base import Row, group
from unison.experiments.compared import BOUND
from unison.experiments.lineup import BASELINE, ORACLE
from unison.experiments.regret import (
    AMAT,
    HIT,
    TOKENS,
    Point,
    Regret,
    Standings,
    mean_regret,
    worst,
)
from unison.experiments.statistics import Mean, geometric_mean, mean
from unison.experiments.sweep import cells
from unison.traces.paths import FAMILIES, HUMAN_FAMILIES

OURS, OTHER_OBJECTIVE = "unison-learned", "unison-requests"
#: Rules without anything learned, named in the summary.
FIXED = ("lru", "unison", "unison-2sig", "lru-queue+tide", "infercept")
#: Weigh the size of a prefix.
SIZED = ("gdsf", "lhd", "lhd+tide", OTHER_OBJECTIVE)
#: Forms of the rule, and the part that each lacks or has more.
FORMS = {
    "learned": "any migration",
    "learned+tide": "the changes to Tide (contract section 5 instead)",
    "learned+tide-both": "passing over what cannot move (tide-both instead)",
    "no admission": "admission",
    "one class": "tool classes",
    "mean life": "best horizon (mean residual life instead)",
    "own average": "class and absolute time (octaves of the session's average, ends by turn)",
    "section 8": "both of these: contract section 8 as written",
    "by turn too": "odds by class only (by turn too)",
    "memory 128": "memory of 512 waits (128)",
    "memory 4096": "memory of 512 waits (4,096)",
    "period 64": "period of 256 gaps (64)",
}
NO_ORACLES = ("belady", "belady+oracle", BOUND)
REGRET_COLUMNS = (
    "policy | tokens worst, pp | mean | AMAT worst, % | mean | requests worst, pp | mean | "
    "size-blind worst, pp"
)
GROUP_COLUMNS = (
    "points | residency | n | tokens worst, pp | mean | AMAT worst, % | mean | "
    "requests (size-blind) worst, pp"
)
PART_COLUMNS = "without | residency | tokens, pp | AMAT, % | requests, pp"
BOUND_COLUMNS = "policy | hit rate, % | BR | Belady has more, pp | the bound has more, pp"
SWITCH_COLUMNS = (
    "change | gain over LRU, pp | cost of adapting, % of it | of it in the first 500 requests, % | "
    "first 500: learned | frozen | lru-queue | lru"
)
DETAIL_COLUMNS = (
    "recording | part | pool | residency | unison-learned | unison | lru-queue+tide-fit | "
    "best, tokens | unison-learned, AMAT | unison | lru-queue+tide-fit | best, AMAT"
)


def percent(value: float) -> str:
    """Parts of 1 as a number of per cent."""
    return f"{100 * value:.2f}"


def about(point: Point) -> str:
    """A point in words."""
    family, envelope, pressure, residency = point
    return f"{family}, {envelope}{'' if pressure == '-' else f', P = {pressure}'}, {residency}"


def points_of(points: Sequence[Point], residency: str) -> list[Point]:
    """Those of a residency."""
    return [p for p in points if p[3] == residency]


class Study:
    """All rows of the experiment, asked for what the page needs."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.switch = [r for r in rows if r["part"] == "switch"]
        runs = [named(r) for r in rows if r["part"] != "switch"]
        self.standings = Standings(runs)
        self.points = self.standings.points()
        self.policies = [p for p in self.standings.policies() if p not in NO_ORACLES]
        self.rivals = [p for p in self.policies if p not in FORMS]

    def regrets(
        self, policy: str, points: Sequence[Point], metric: str, size_blind: bool = False
    ) -> list[Regret]:
        """Regrets against all rivals, or those that do not weigh size."""
        rivals = [p for p in self.rivals if not (size_blind and p in SIZED)]
        return self.standings.regrets(policy, points, rivals, metric)

    def bounded(self) -> list[Point]:
        """Points that have a bound."""
        return [p for p in self.points if self.standings.values(p, BOUND, HIT)]

    def br(self, policy: str) -> Mean:
        """Hits over Belady's, mean over the points that have a bound, then over the seeds."""
        return self._over(policy, ORACLE, lambda a, b: a / b if b else 1.0)

    def short_of(self, policy: str, other: str) -> Mean:
        """What another has more in hit rate."""
        return self._over(policy, other, lambda a, b: b - a)

    def _over(self, policy: str, other: str, value: Callable[[float, float], float]) -> Mean:
        columns = [
            [
                value(a, b)
                for a, b in zip(
                    *(self.standings.values(p, n, HIT) for n in (policy, other)), strict=True
                )
            ]
            for p in self.bounded()
        ]
        return mean([sum(seed) / len(seed) for seed in zip(*columns, strict=True)])

    def switch_costs(self) -> dict[str, Mean]:
        """Cost of adapting in parts of the whole trace's gain, by pair of families."""
        return {pair: _cost(rows, 1 << 30) for (pair,), rows in group(self.switch, "pair").items()}


def named(row: Row) -> Row:
    """A row whose family says which half of a recording it is."""
    return row if row["part"] != "other half" else {**row, "family": f"{row['family']}, other half"}


def _regret_line(study: Study, name: str) -> list[object]:
    whole = points_of(study.points, "whole")
    values: list[object] = [name]
    for metric, points in ((TOKENS, study.points), (AMAT, study.points), (HIT, whole)):
        found = study.regrets(name, points, metric)
        values += [worst(found).value.text(100), percent(mean_regret(found))]
    values.append(worst(study.regrets(name, whole, HIT, size_blind=True)).value.text(100))
    return values


def regret_lines(study: Study) -> list[list[object]]:
    """Rivals by mean regret in AMAT."""
    order = {n: mean_regret(study.regrets(n, study.points, AMAT)) for n in study.rivals}
    return [_regret_line(study, n) for n in sorted(order, key=order.__getitem__)]


def form_lines(study: Study) -> list[list[object]]:
    """Forms of the rule."""
    return [_regret_line(study, n) for n in FORMS]


def _groups(study: Study) -> dict[str, list[Point]]:
    kinds = {"six families": FAMILIES, "human-paced families": HUMAN_FAMILIES}
    found = {n: [p for p in study.points if p[0] in f] for n, f in kinds.items()}
    rest = [p for p in study.points if p[0] not in (*FAMILIES, *HUMAN_FAMILIES)]
    found["recordings"] = [p for p in rest if "half" not in p[0]]
    found["recordings, other half"] = [p for p in rest if "half" in p[0]]
    return found


def group_lines(study: Study) -> list[list[object]]:
    """The default's regret by group of points and residency."""
    lines = []
    for name, points in _groups(study).items():
        for residency in ("whole", "trim"):
            own = points_of(points, residency)
            line: list[object] = [name, residency, len(own)]
            for metric in (TOKENS, AMAT):
                found = study.regrets(OURS, own, metric)
                line += [worst(found).value.text(100), percent(mean_regret(found))]
            blind = study.regrets(OURS, own, HIT, size_blind=True)
            line.append(worst(blind).value.text(100) if residency == "whole" else "-")
            lines.append(line)
    return lines


def worst_lines(study: Study, count: int = 6) -> list[list[object]]:
    """The default's worst points by metric."""
    lines = []
    for metric, name, unit in ((TOKENS, "tokens", "pp"), (AMAT, "AMAT", "%")):
        found = study.regrets(OURS, study.points, metric)
        for r in sorted(found, key=lambda r: -r.value.value)[:count]:
            clairvoyant = study.standings.regret(OURS, r.point, (ORACLE,), metric).value
            texts = (f"{v.text(100)} {unit}" for v in (r.value, clairvoyant))
            lines.append([name, about(r.point), r.rival, *texts])
    return lines


def part_lines(study: Study) -> list[list[object]]:
    """The default less each of its forms."""
    lines = []
    for form, part in FORMS.items():
        for residency in ("whole", "trim"):
            own = points_of(study.points, residency)
            tokens = study.standings.difference(OURS, form, own, TOKENS)
            amat = study.standings.difference(OURS, form, own, AMAT)
            hits = study.standings.difference(OURS, form, own, HIT)
            lines.append(
                [
                    part,
                    residency,
                    *(m.text(100, 2, True) for m in (tokens, amat)),
                    hits.text(100, 2, True) if residency == "whole" else "-",
                ]
            )
    whole, trim = (points_of(study.points, r) for r in ("whole", "trim"))
    both = list(zip(trim, whole, strict=True))

    def paired(metric: str, value: Callable[[float, float], float]) -> Mean:
        columns = [
            [
                value(t, w)
                for t, w in zip(
                    *(study.standings.values(p, OURS, metric) for p in two), strict=True
                )
            ]
            for two in both
        ]
        return mean([sum(seed) / len(seed) for seed in zip(*columns, strict=True)])

    means = (paired(TOKENS, lambda t, w: t - w), paired(AMAT, lambda t, w: t / w - 1))
    return [
        *lines,
        ["trimming (trim less whole)", "-", *(m.text(100, 2, True) for m in means), "-"],
    ]


def bound_lines(study: Study) -> list[list[object]]:
    """Hit rate, BR and distances of the rivals and oracles, best first."""
    points = study.bounded()
    lines = []
    for name in [*study.rivals, "no admission", "belady", "belady+oracle"]:
        hits = zip(*(study.standings.values(p, name, HIT) for p in points), strict=True)
        hit = mean([sum(seed) / len(seed) for seed in hits])
        far = (study.short_of(name, o).text(100) for o in (ORACLE, BOUND))
        lines.append((hit.value, [name, hit.text(100), study.br(name).text(1, 3), *far]))
    return [line for _, line in sorted(lines, key=lambda x: -x[0])]


def _sum(rows: Sequence[Row], policy: str, low: int, high: int) -> int:
    return sum(r["cached"] for r in rows if r["policy"] == policy and low <= r["window"] < high)


def _cost(rows: Sequence[Row], windows: int) -> Mean:
    """Tokens that adapting costs in the first windows, over the whole trace's gain."""

    def seed(part: list[Row]) -> float:
        gain = _sum(part, OURS, -1, 1 << 30) - _sum(part, BASELINE, -1, 1 << 30)
        return (_sum(part, "frozen", 0, windows) - _sum(part, OURS, 0, windows)) / gain

    return mean([seed(part) for part in group(rows, "seed").values()])


def switch_lines(study: Study) -> list[list[object]]:
    """A line a pair of families."""
    lines = []
    for (pair,), rows in group(study.switch, "pair").items():
        seeds = list(group(rows, "seed").values())

        def rate(part: list[Row], policy: str, low: int, high: int) -> float:
            prompt = sum(
                r["prompt"] for r in part if r["policy"] == policy and low <= r["window"] < high
            )
            return _sum(part, policy, low, high) / prompt

        gain = [rate(p, OURS, -1, 1 << 30) - rate(p, BASELINE, -1, 1 << 30) for p in seeds]
        first = [
            mean([rate(p, n, 0, 1) for p in seeds]).text(100, 1)
            for n in (OURS, "frozen", "lru-queue", BASELINE)
        ]
        costs = (_cost(rows, w).text(100, 1, True) for w in (1 << 30, 1))
        lines.append([pair, mean(gain).text(100, 2, True), *costs, *first])
    return lines


def detail_lines(rows: Sequence[Row]) -> list[str]:
    """One line a recording, part, pool and residency."""
    lines = []
    runs = [r for r in rows if r["part"] in ("recordings", "other half")]
    for (part, family, envelope), own in group(runs, "part", "family", "envelope").items():
        for residency in ("whole", "trim"):
            study = Standings(r for r in own if r["residency"] == residency)
            (point,) = study.points()
            rivals = [p for p in study.policies() if p not in (*NO_ORACLES, *FORMS)]
            names = (OURS, "unison", "lru-queue+tide-fit")
            line = [family, part, envelope, residency]
            for metric in (TOKENS, AMAT):
                best = study.best(point, rivals, metric)
                for name in (*names, best):
                    values = study.values(point, name, metric)
                    if metric == TOKENS:
                        text = f"{100 * sum(values) / len(values):.2f}"
                    else:
                        base = study.values(point, BASELINE, metric)
                        ratios = [a / b for a, b in zip(values, base, strict=True)]
                        text = f"{geometric_mean(ratios):.3f}"
                    line.append(text)
                line[-1] = f"{line[-1]} ({best})"
            lines.append(cells(line))
    return lines
