"""Who is compared: pairs of an eviction policy and a placement, under one name."""

from dataclasses import dataclass

from unison.policies import PLACEMENTS, POLICIES, Placement, Policy, placing, policy


@dataclass(frozen=True)
class Entry:
    """One line of a comparison. `policy` and `placement` are texts for the registry."""

    name: str
    policy: str
    placement: str = "none"

    def make(self) -> tuple[Policy, Placement]:
        """Fresh instances; PolicyError when there are none of these names."""
        return policy(self.policy), placing(self.placement)


#: Pairs that have a name of their own; every other policy runs without migration.
PAIRS = (
    Entry("unison", "spear", "tide"),
    Entry("unison-2sig", "spear2", "tide"),
    # The same migration, and a published one, for the strongest others: Unison is not the only
    # policy that could move sessions.
    Entry("lru-queue+tide", "lru-queue", "tide"),
    Entry("lru-queue+hint", "lru-queue", "hint"),
    Entry("pbkv+tide", "pbkv", "tide"),
    Entry("lhd+tide", "lhd", "tide"),
    Entry("lru+recency", "lru", "recency"),
    Entry("belady+oracle", "belady", "oracle"),
)
#: The learned rules with their placement, one for each objective.
LEARNED = (
    Entry("unison-learned", "learned", "tide-fit"),
    Entry("unison-requests", "learned-requests", "tide-fit"),
)
#: Ablations and the hardware's arithmetic; forms of the learned rules have a study of their own.
PROBES = (
    "spear-nohazard",
    "spear-nogap",
    "spear-hw",
    "spear-hwq",
    "spear-hwr",
    "spear-hwc",
    "learned",
    "learned-noadmit",
    "learned-oneclass",
    "learned-relative",
    "learned-requests",
)
#: What every ratio is taken against, and the reference of BR.
BASELINE, ORACLE, OURS = "lru", "belady", "unison"


def entry(text: str) -> Entry:
    """``NAME``, ``POLICY+PLACEMENT`` or ``FILE.py:CLASS[+PLACEMENT]``."""
    for known in (*PAIRS, *LEARNED):
        if known.name == text:
            return known
    name, _, where = text.partition("+")
    return Entry(text, name, where or "none")


def lineup(slow: bool = False, probes: bool = False) -> list[Entry]:
    """All entries: registered policies, then the pairs; `slow`: those that run as Python too;
    `probes`: ablations of Spear and the hardware's arithmetic too."""
    skip = () if probes else PROBES
    names = [n for n, cls in POLICIES.items() if n not in skip and (slow or not cls.interpreted)]
    return [*(Entry(n, n) for n in names), *PAIRS, *LEARNED]


__all__ = ["BASELINE", "ORACLE", "OURS", "PAIRS", "PLACEMENTS", "Entry", "entry", "lineup"]
