"""Who wins where: one policy against a rival at every point, in numbers and in words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from unison.experiments.points import Point, Results
from unison.experiments.statistics import Mean, geometric_mean

#: This project's and the paper's own rules, to be told from what others have published.
#: (KVFlow without a graph is recency with the request queue.)
_OWN = ("spear", "unison", "lru-queue", "kvflow")
#: Recency that knows the request queue: READY, and nothing else.
QUEUE = "lru-queue"


def own(policy: str) -> bool:
    """Whether a policy is a form of the one under test, or an ablation of it."""
    return policy.startswith(_OWN)


@dataclass(frozen=True)
class Bout:
    """One point: hit rate minus the rival's, AMAT over that of its own rival."""

    point: Point
    rival: str
    amat_rival: str
    hit: Mean
    amat: Mean

    def sign(self) -> int:
        """1 won, -1 lost, 0 when the interval of the difference of hit rates holds 0."""
        return _side(self.hit.value, self.hit)

    def amat_sign(self) -> int:
        """1 cheaper, -1 dearer, 0 when the interval of the ratio of AMATs holds 1."""
        return _side(1 - self.amat.value, self.amat)


def _side(distance: float, measured: Mean) -> int:
    half = measured.half or 0.0
    return (distance > half) - (distance < -half)


def bouts(
    results: Results,
    policy: str,
    rival: Callable[[Point], str],
    points: Sequence[Point],
    amat_rival: Callable[[Point], str] | None = None,
) -> list[Bout]:
    """`policy` against `rival(point)` at every point, in AMAT against `amat_rival(point)`."""
    cheap = amat_rival or rival
    return [
        Bout(
            at,
            rival(at),
            cheap(at),
            results.difference(policy, rival(at), at),
            results.ratio("amat_us", policy, cheap(at), at),
        )
        for at in points
    ]


def verdict(policy: str, against: str, found: Sequence[Bout]) -> str:
    """Sentences on a duel: counts, ranges, and where it is lost."""
    hits = [b.hit.value for b in found]
    amat = [b.amat.value for b in found]
    won, lost = (sum(b.sign() == s for b in found) for s in (1, -1))
    cheaper, dearer = (sum(b.amat_sign() == s for b in found) for s in (1, -1))
    low, high = 100 * min(hits), 100 * max(hits)
    return (
        f"{policy} against {against}, {len(found)} points: hit rate higher at {won}, lower at "
        f"{lost}, undecided at {len(found) - won - lost}; {low:+.2f}..{high:+.2f} pp, mean "
        f"{100 * sum(hits) / len(hits):+.2f} pp. AMAT lower at {cheaper}, higher at {dearer}, "
        f"undecided at {len(found) - cheaper - dearer}; {_percent(min(amat))}.."
        f"{_percent(max(amat))}, mean {_percent(geometric_mean(amat))}. "
        f"{_where('fewer hits', found, _hit_loss, 'rival')} "
        f"{_where('higher AMAT', found, _amat_loss, 'amat_rival')}"
    )


def _hit_loss(b: Bout) -> str:
    return f"{100 * b.hit.value:+.2f} pp" if b.sign() < 0 else ""


def _amat_loss(b: Bout) -> str:
    return _percent(b.amat.value) if b.amat_sign() < 0 else ""


def _where(what: str, found: Sequence[Bout], loss: Callable[[Bout], str], who: str) -> str:
    """The points of a loss, by trace; the rival's name where it changes."""
    lost = [b for b in found if loss(b)]
    if not lost:
        return f"Nowhere {what}."
    named = len({getattr(b, who) for b in found}) > 1
    traces: dict[str, list[str]] = {}
    for b in lost:
        rival = f" {getattr(b, who)}" if named else ""
        traces.setdefault(b.point[0], []).append(f"{b.point[1]} ({loss(b)}{rival})")
    places = "; ".join(f"{trace} at {', '.join(at)}" for trace, at in traces.items())
    scope = "everywhere" if len(lost) == len(found) else f"at {len(lost)}"
    return f"{what[0].upper()}{what[1:]} {scope}: {places}."


def queue_share(results: Results, policy: str, points: Sequence[Point]) -> str:
    """How much of the gain over the baseline recency with the request queue has as well."""
    if not {policy, QUEUE} <= set(results.complete(points)):
        return ""
    ours, queue = (results.summary(p, points) for p in (policy, QUEUE))
    share = f" ({100 * queue.gain.value / ours.gain.value:.0f} %)" if ours.gain.value > 0 else ""
    return (
        f"Of {policy}'s {100 * ours.gain.value:+.2f} pp over LRU, {QUEUE} alone has "
        f"{100 * queue.gain.value:+.2f} pp{share}; AMAT/LRU {ours.amat.value:.3f} and "
        f"{queue.amat.value:.3f}, TTFT/LRU {ours.ttft.value:.3f} and {queue.ttft.value:.3f}."
    )


def _percent(ratio: float) -> str:
    return f"{100 * (ratio - 1):+.1f} %"
