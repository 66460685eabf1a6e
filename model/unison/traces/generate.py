"""Synthetic families: a calibration and a seed to a trace, the same bits every time."""

from random import Random

from unison.traces.calibration import Calibration, load_calibration
from unison.traces.model import MAX_TOKENS, Session, Trace, TraceHeader, Turn
from unison.traces.sampling import bisect, choose, counts_with_total, follow, strata

#: Raised whenever the same calibration and seed give another trace.
GENERATOR_VERSION = 1
_SOURCE = "synthetic, drawn from published quantiles; not a recording"
#: Tries for an output that the growth after it can hold.
_TRIES = 32


def generate(family: str, seed: int | None = None) -> Trace:
    """The trace of a family; `seed` None is the calibration's own, the committed data's.

    ValueError: unknown family. TraceError: a fault in its calibration file.
    """
    return draw(load_calibration(family), seed)


def draw(cal: Calibration, seed: int | None = None) -> Trace:
    """Draw a trace from a calibration. Waits and services are whole ms, at least 1."""
    seed = cal.seed if seed is None else seed
    rng = Random(seed)
    lengths = counts_with_total(cal.turns_a_session, strata(rng, cal.sessions), cal.turns)
    firsts = strata(rng, cal.sessions)
    growths = iter(strata(rng, cal.turns))
    tokens = [
        _tokens(rng, cal, first, [next(growths) for _ in range(n)])
        for n, first in zip(lengths, firsts, strict=True)
    ]
    tools = [
        [choose(rng.random(), [t.share for t in cal.tools]) for _ in range(n - 1)] for n in lengths
    ]
    waits = _level(cal, tools, _scores(rng, cal, lengths))
    sessions = []
    for i, length in enumerate(lengths):
        turns = []
        for t in range(length):
            prompt, output = tokens[i][t]
            wait = waits[i][t - 1] * 1000 if t else None
            tool = cal.tools[tools[i][t]].name if t < length - 1 else cal.last_tool
            turns.append(
                Turn(i, t, wait, _service_ms(rng, cal, output) * 1000, prompt, output, tool)
            )
        sessions.append(Session(i, tuple(turns)))
    header = TraceHeader(
        family=cal.family,
        seed=seed,
        generator=f"unison generator {GENERATOR_VERSION}",
        calibration=cal.label,
        source=_SOURCE,
        licence="Apache-2.0",
        sessions=cal.sessions,
        turns=cal.turns,
    )
    return Trace(header, tuple(sessions))


def _tokens(
    rng: Random, cal: Calibration, first: float, growths: list[float]
) -> list[tuple[int, int]]:
    """(prompt, output) of each turn of a session, from the scores of its first prompt and
    of the growth after each turn.

    The next prompt holds the last one, its output and the tool's result (at least one token).
    A context that would pass the model's limit is compacted to a share of it.
    """
    result = []
    prompt = round(cal.first_prompt.at(first))
    limit = min(cal.context_limit, MAX_TOKENS)
    for z in growths:
        growth = max(2, round(cal.growth.at(z)))
        output = growth
        for _ in range(_TRIES):
            if output < growth:
                break
            output = max(1, round(cal.output.at(follow(rng, z, cal.output_growth_correlation))))
        # Growth is what sets the prefixes, so it is the output that gives way.
        output = min(output, growth - 1)
        if prompt + output > limit:
            prompt = round(limit * cal.compacted_share)
            output = min(output, limit - prompt)
        result.append((prompt, output))
        prompt += growth
    return result


def _scores(rng: Random, cal: Calibration, lengths: list[int]) -> list[list[float]]:
    """Normal score of each wait: a session's pace moves all its waits the same way."""
    paces = strata(rng, cal.sessions)
    return [
        [follow(rng, pace, cal.pace_correlation) for _ in range(n - 1)]
        for n, pace in zip(lengths, paces, strict=True)
    ]


def _level(cal: Calibration, tools: list[list[int]], scores: list[list[float]]) -> list[list[int]]:
    """Waits in whole ms, each by its tool's distribution.

    With a published median of all waits, the levelled tools are scaled by the one factor
    that reaches it; the others keep their own level.
    """
    values = [
        [cal.tools[tool].wait_ms.at(z) for tool, z in zip(row, zs, strict=True)]
        for row, zs in zip(tools, scores, strict=True)
    ]

    def scaled(factor: float) -> list[list[int]]:
        return [
            [
                max(1, round(v * factor if cal.tools[t].levelled else v))
                for v, t in zip(vs, ts, strict=True)
            ]
            for vs, ts in zip(values, tools, strict=True)
        ]

    if cal.median_wait_ms is None:
        return scaled(1.0)

    def excess(factor: float) -> float:
        ordered = sorted(wait for row in scaled(factor) for wait in row)
        return (ordered[len(ordered) // 2] - cal.median_wait_ms) if ordered else 0.0

    return scaled(bisect(excess, 1e-2, 1e2))


def _service_ms(rng: Random, cal: Calibration, output: int) -> int:
    """Model time of a turn, ms: `(base + per_token * output)` times a spread factor."""
    typical = cal.service_base_ms + cal.service_per_token_ms * output
    return max(1, round(typical * cal.service_spread.at(follow(rng, 0.0, 0.0))))
