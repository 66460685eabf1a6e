"""Policies that read the future, to measure the others against."""

from unison.policies.base import Placement, Policy


class Belady(Policy):
    """The session whose next request is farthest leaves; never again is infinitely far."""

    name = "belady"
    source = (
        "Belady, IBM Systems Journal 1966. Optimal for equal sizes only: with variable sizes "
        "others may hit more often, which is why a bound stands beside it."
    )
    oracle = True

    @staticmethod
    def score(s, now, p):
        # Not infinity itself: only a policy that drops may score that.
        return min(s.next_req, 1e300)


class OraclePlacement(Placement):
    """The soonest next request sits in the fast tier."""

    name = "oracle"
    source = "Placement by the true next request, within the same idle windows."
    oracle = True

    @staticmethod
    def score(s, now, p):
        return min(s.next_req, 1e300)
