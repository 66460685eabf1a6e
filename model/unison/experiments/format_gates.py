"""The gates a format must meet, over rows of the format sweep."""

from collections.abc import Sequence

from unison.contract.widths import ODDS_F, ODDS_W, WEIGHT_F, WEIGHT_W
from unison.experiments.base import Row, group
from unison.experiments.format_policy import Format
from unison.scoring import Form

#: The paper's gates: tau above, top-1 of each data set at least, drift of each cell at most.
TAU, TOP1, DRIFT = 0.998, 0.99, 0.0020


GATES = ("tau", "top-1", "drift")


def tau(rows: Sequence[Row]) -> float | None:
    """Mean over all snapshots of some rows."""
    ranked = sum(r["ranked"] for r in rows)
    return sum(r["tau_sum"] for r in rows) / ranked if ranked else None


def top1(rows: Sequence[Row]) -> float | None:
    """Share of all snapshots of some rows whose victim is float64's."""
    snapshots = sum(r["snapshots"] for r in rows)
    return sum(r["agreed"] for r in rows) / snapshots if snapshots else None


def worst_top1(rows: Sequence[Row]) -> tuple[float, str]:
    """Lowest top-1 of a family, all its cells together, and which."""
    shares = {f: top1(part) for (f,), part in group(rows, "family").items()}
    return min((v, f) for f, v in shares.items() if v is not None)


def worst_drift(rows: Sequence[Row]) -> float:
    """Largest drift of a cell, in absolute value."""
    return max(abs(r["drift"]) for r in rows)


def failed(rows: Sequence[Row]) -> list[str]:
    """Gates that some rows do not meet."""
    misses = {
        "tau": tau(rows) <= TAU,
        "top-1": worst_top1(rows)[0] < TOP1,
        "drift": worst_drift(rows) > DRIFT,
    }
    return [gate for gate, missed in misses.items() if missed]


def bits(shape: Format) -> str:
    """A format in words."""
    if shape.form is Form.QUOTIENT:
        return f"b_h {shape.turn_f}, b_s {shape.score_w}, F {shape.score_f}, gap {shape.gap_w}"
    odds, weights = ODDS_W - ODDS_F, WEIGHT_W - WEIGHT_F
    whole = shape.score_w - shape.score_f
    return (
        f"odds Q{odds}.{shape.turn_f}, weights Q{weights}.{shape.weight_f}, "
        f"score Q{whole}.{shape.score_f}, gap {shape.gap_w}"
    )


def total_bits(shape: Format) -> int:
    """Bits of a turn entry, a weight entry, a score and a gap average together."""
    if shape.form is Form.QUOTIENT:
        return shape.turn_f + shape.score_w + shape.gap_w
    tables = ODDS_W - ODDS_F + shape.turn_f + WEIGHT_W - WEIGHT_F + shape.weight_f
    return tables + shape.score_w + shape.gap_w


def knee(points: dict[int, list[Row]], gates: Sequence[str] = GATES) -> int | None:
    """Narrowest value that meets some gates, every wider one too; from the widest on."""
    last = None
    for value, part in points.items():
        if set(gates) & set(failed(part)):
            break
        last = value
    return last
