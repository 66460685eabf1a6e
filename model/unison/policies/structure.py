"""Structure of the workflow: Markov tables over tools, steps on a declared graph."""

import json
from pathlib import Path

import numpy as np
from numba.extending import register_jitable

from unison.policies.arrival import ALL, TOOL_ROWS, tool_row
from unison.policies.base import DONE, GAP_CLOSE, READY, Policy, ready_key

#: Layout of `p`: returns, waited time and ends by last tool; then returns and waited time by the
#: last two; the prior is the last number.
RETURNS, WAITS, ENDS, PAIRS = 0, TOOL_ROWS, 2 * TOOL_ROWS, 3 * TOOL_ROWS
PAIR_COUNT = TOOL_ROWS * TOOL_ROWS
#: Waits below which a pair of tools, or a tool, is too thin and the table above it is used.
THIN = 8


def empty_table(setting) -> np.ndarray:
    """The Markov table before the first event."""
    return np.append(np.zeros(PAIRS + 2 * PAIR_COUNT), setting.gap_prior)


@register_jitable
def pair_of(s):
    """Row of the last two tools; -1 while the newer one has no name (see `tool_row`)."""
    return (s.tool_before + 1) * TOOL_ROWS + s.tool + 1 if s.tool >= 0 else -1


@register_jitable
def learn_table(moment, s, p):
    """Count a return, or an end."""
    row = tool_row(s)
    if moment == GAP_CLOSE:
        for r in (row, ALL):
            p[RETURNS + r] += 1.0
            p[WAITS + r] += s.gap
        pair = pair_of(s)
        if pair >= 0:
            p[PAIRS + pair] += 1.0
            p[PAIRS + PAIR_COUNT + pair] += s.gap
    elif moment == DONE:
        p[ENDS + row] += 1.0
        p[ENDS + ALL] += 1.0


@register_jitable
def expected(s, p):
    """(distance, evidence): mean time to the next call over its probability, and the returns."""
    row = tool_row(s)
    if p[RETURNS + row] < THIN:
        row = ALL
    n = p[RETURNS + row]
    wait = p[WAITS + row] / n if n > 0.0 else p[-1]
    # One return is assumed beforehand, so that no probability is 0.
    chance = (n + 1.0) / (n + 1.0 + p[ENDS + row])
    pair = pair_of(s)
    if pair >= 0 and p[PAIRS + pair] >= THIN:
        n = p[PAIRS + pair]
        wait = p[PAIRS + PAIR_COUNT + pair] / n
    return wait / chance, n


class CacheScout(Policy):
    """Expected time to the next call over its probability, from the last tools."""

    name = "cachescout"
    source = (
        "CacheScout (Zhang et al., 2026), by the paper's description: a Markov table over agent "
        "roles; tools stand for roles. Two tools back, one while a pair has fewer than 8 waits, "
        "all while a tool has. Time already waited is not used; ties fall back to recency."
    )

    def params(self, setting):
        return empty_table(setting)

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return ready_key(s, now)
        # Ages stay below 2**36 ticks: recency only breaks ties.
        return expected(s, p)[0] + (now - s.t_open) / 2.0**36

    @staticmethod
    def learn(moment, s, now, p):
        learn_table(moment, s, p)


class Pbkv(Policy):
    """Recency, except that what is predicted far may go earlier."""

    name = "pbkv"
    source = (
        "PBKV (Zheng et al., 2026), by the paper's description: predicted next calls, used "
        "conservatively. CacheScout's table predicts; a session predicted farther than the "
        "average one counts as older by the difference, shrunk by n / (n + 8) for n returns "
        "seen. A near prediction protects nobody."
    )

    def params(self, setting):
        return empty_table(setting)

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return ready_key(s, now)
        distance, n = expected(s, p)
        seen = p[RETURNS + ALL]
        usual = p[-1]
        if seen > 0.0:
            usual = p[WAITS + ALL] / seen * (seen + 1.0 + p[ENDS + ALL]) / (seen + 1.0)
        return now - s.t_open + max(distance - usual, 0.0) * n / (n + THIN)

    @staticmethod
    def learn(moment, s, now, p):
        learn_table(moment, s, p)


class KvFlow(Policy):
    """Steps to execution on a declared graph: the farthest agent's prefix leaves."""

    name = "kvflow"
    source = (
        "KVFlow (Pan et al., arXiv:2507.07400). `graph` names a JSON file of steps by tool; a "
        "tool it does not name is one step beyond the farthest. Without a graph all steps are "
        "equal and recency decides, as the paper says of such scores. Nodes are tools, whole "
        "sessions take the place of tree nodes."
    )

    def __init__(self, graph: str | None = None) -> None:
        self.steps = {} if graph is None else _read_graph(graph)

    def params(self, setting):
        beyond = max(self.steps.values(), default=-1.0) + 1.0
        steps = np.full(TOOL_ROWS, beyond)
        for c, name in enumerate(setting.tools):
            steps[c + 1] = self.steps.get(name, beyond)
        return steps

    @staticmethod
    def score(s, now, p):
        if s.state == READY:
            return ready_key(s, now)
        # Ages stay below 2**36 ticks: recency only breaks ties.
        return p[tool_row(s)] + (now - s.t_open) / 2.0**36

    # No `learn`: a graph is declared.


def _read_graph(path) -> dict[str, float]:
    from unison.policies.registry import PolicyError

    try:
        steps = json.loads(Path(str(path)).read_text())
    except (OSError, ValueError) as error:
        raise PolicyError(f"kvflow: graph {path}: {' '.join(str(error).split())}") from None
    if not isinstance(steps, dict):
        raise PolicyError(f"kvflow: graph {path}: got {type(steps).__name__}, expected an object")
    for tool, n in steps.items():
        if isinstance(n, bool) or not isinstance(n, int | float) or not 0 <= n < 2**20:
            raise PolicyError(f"kvflow: graph {path}: {tool}: got {n!r}, expected steps, 0..2**20")
    return {tool: float(n) for tool, n in steps.items()}
