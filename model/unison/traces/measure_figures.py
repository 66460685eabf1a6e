"""The figures of `unison.traces.measure`, one function a section of its page."""

from collections.abc import Callable, Iterator

from unison.traces import measure_stats as stats
from unison.traces.calibration import Calibration, load_calibration
from unison.traces.measure_data import (
    EDIT,
    FIND,
    GAIA,
    INSPECT,
    LITE,
    NESTED,
    THINK,
    TRAE,
    Figure,
    Values,
    calls,
    search_sessions,
)
from unison.traces.model import Trace
from unison.traces.quantiles import Quantiles, measure

Traces = dict[str, Trace]
Use = Callable[[Calibration], Values]
_GAIA = ("gaia_qwen3", "gaia_devstral", "gaia_gemma4")
_SWE = ("swe_qwen3", "swe_devstral", "swe_gemma4")
#: A longer service is a stall of the recording, microseconds.
MAX_SERVICE_US = 300_000_000
#: A tool with fewer calls says nothing of its sessions.
MIN_CALLS = 30


def figures(traces: Traces) -> list[Figure]:
    """Every figure, in the order of the page."""
    sections = (service, pace, correlation, shapes, rows)
    return [figure for section in sections for figure in section(traces)]


def _compare(
    figure: Figure, families: tuple[str, ...], use: Use, tolerance: float | None, rel: bool = False
) -> Iterator[Figure]:
    """`figure` once for each different value that the families use."""
    groups: dict[Values, tuple[str, ...]] = {}
    for family in families:
        used = tuple(round(v, 6) for v in use(load_calibration(family)))
        groups[used] = (*groups.get(used, ()), family)
    head = (figure.section, figure.recording, figure.quantity, figure.unit, figure.count)
    for used, names in groups.items():
        yield Figure(*head, figure.measured, used, names, tolerance, rel)


def service(traces: Traces) -> Iterator[Figure]:
    """Service = base + slope * output by least absolute deviation, turns of at most 300 s; the
    quantiles of measured / fitted; and the slope of the prompt in a fit of its own."""
    users = {GAIA: _GAIA, LITE: ("swe_gemma4",), TRAE: ("swe_qwen3", "swe_devstral")}
    for name, families in users.items():
        turns = [t for t in traces[name].turns() if t.service_us <= MAX_SERVICE_US]
        out, prompt = [t.output_tokens for t in turns], [t.prompt_tokens for t in turns]
        ms = [t.service_us / 1000 for t in turns]
        base, slope = (float(v) for v in stats.lad_fit([out], ms))
        spread = _q(measure([m / (base + slope * o) for m, o in zip(ms, out, strict=True)]))
        term = float(stats.lad_fit([out, prompt], ms)[2])

        def figure(
            quantity: str, unit: str, *values: float, name: str = name, n: int = len(turns)
        ) -> Figure:
            return Figure("service", name, quantity, unit, n, values)

        yield from _compare(figure("base", "ms", base), families, lambda c: (c.service_base_ms,), 5)
        per_token = figure("a token of output", "ms", slope)
        yield from _compare(per_token, families, lambda c: (c.service_per_token_ms,), 0.05)
        ratio = figure("measured / fitted", "", *spread)
        yield from _compare(ratio, families, lambda c: _q(c.service_spread), 0.005)
        yield figure("a token of prompt, if fitted too", "ms", term)
        yield figure("the same times the median prompt", "ms", term * measure(prompt).p50)


def pace(traces: Traces) -> Iterator[Figure]:
    """Square root of the intraclass correlation of waits within sessions, each tool by itself."""
    found: dict[str, float] = {}
    for name, trace in traces.items():
        for tool in sorted({c.before.tool for c in calls(trace)}):
            part = calls(trace, tool)
            if len(part) < MIN_CALLS or (not tool and name == GAIA):
                continue
            key = tool or LITE
            sessions = [c.before.session for c in part]
            found[key] = stats.pace_correlation([c.ms for c in part], sessions)
            label = f"{tool or 'all calls'}, {len(set(sessions))} sessions"
            yield Figure("pace", name, label, "", len(part), (found[key],))
    mean = sum(found[t] for t in ("web_search", "page_down", FIND)) / 3
    ends = [found[t] for t in ("bash", EDIT, LITE)]
    middle = (min(ends) + max(ends)) / 2
    label = f"mean of web_search, page_down, {FIND}"
    figure = Figure("pace", GAIA, label, "", 3, (mean,))
    yield from _compare(figure, _GAIA, lambda c: (c.pace_correlation,), 0.005)
    four = 3 * mean + found["visit_page"]
    yield Figure("pace", GAIA, "the mean with visit_page", "", 4, (four / 4,))
    label = f"middle of the range of bash, {EDIT} and {LITE}"
    figure = Figure("pace", TRAE, label, "", 3, (middle,))
    yield from _compare(figure, _SWE, lambda c: (c.pace_correlation,), 0.01)


def correlation(traces: Traces) -> Iterator[Figure]:
    """Spearman of a turn's output and the growth after it, over all calls and over those whose
    growth contains the output."""
    for name, trace in traces.items():
        every = calls(trace)
        holding = [c for c in every if c.growth >= c.before.output_tokens]
        for label, part in (("all", every), ("growth >= output", holding)):
            rho = stats.spearman([c.before.output_tokens for c in part], [c.growth for c in part])
            yield Figure("correlation", name, f"Spearman, {label}", "", len(part), (rho,))
            if name == LITE and part is every:
                as_normal = stats.gaussian(rho)
                label = "the same as a Gaussian correlation"
                figure = Figure("correlation", name, label, "", len(part), (as_normal,))
                yield from _compare(figure, ("swe_gemma4",), _output_growth, 0.005)


def shapes(traces: Traces) -> Iterator[Figure]:
    """Quantiles that the files take from the recordings themselves."""
    users = {GAIA: _GAIA, LITE: ("swe_qwen3", "swe_gemma4"), TRAE: ("swe_devstral",)}
    for name, families in users.items():
        first = [s.turns[0].prompt_tokens for s in traces[name].sessions]
        ratio = _ratio(measure(first))
        figure = Figure("shapes", name, "first prompt / its median", "", len(first), ratio)
        yield from _compare(figure, families, lambda c: _ratio(c.first_prompt), 0.005)
    for name, tool, own, families in (
        (GAIA, INSPECT, "inspect_file", _GAIA),
        (GAIA, "page_down", "page_down", _GAIA),
        (GAIA, FIND, "find_on_page", _GAIA),
        (TRAE, EDIT, "edit", ("swe_devstral",)),
        (TRAE, THINK, "think", ("swe_devstral",)),
    ):
        ms = [c.ms for c in calls(traces[name], tool)]
        figure = Figure("shapes", name, f"wait, {tool}", "ms", len(ms), _q(measure(ms)))
        yield from _compare(figure, families, _wait(own), 1)
    ms = [c.ms for c in calls(traces[TRAE], EDIT)]
    for own in ("read", "edit", "grep"):
        label = f"wait / its median, {EDIT}; used for {own}"
        figure = Figure("shapes", TRAE, label, "", len(ms), _ratio(measure(ms)))
        yield from _compare(figure, ("swe_qwen3", "swe_gemma4"), _wait(own, ratio=True), 0.005)
    every = len(calls(traces[TRAE]))
    for tool, own in (("bash", "bash"), (EDIT, "edit"), (THINK, "think")):
        n = len(calls(traces[TRAE], tool))
        figure = Figure("shapes", TRAE, f"share of the calls, {tool}", "", n, (n / every,))
        yield from _compare(figure, ("swe_devstral",), _share(own), 0.005)


def rows(traces: Traces) -> Iterator[Figure]:
    """The published rows beside the recordings, as order statistics; all waits for comparison."""
    for name, sessions, families, tolerance in (
        (LITE, traces[LITE].sessions, ("swe_gemma4",), 0.05),
        (GAIA, search_sessions(traces[GAIA]), ("gaia_qwen3", "gaia_devstral"), None),
        (TRAE, traces[TRAE].sessions, ("swe_devstral",), None),
    ):
        ids = {s.id for s in sessions}
        growth = [c.growth for c in calls(traces[name]) if c.before.session in ids]
        prompts = [s.turns[0].prompt_tokens for s in sessions]
        samples: dict[str, tuple[list[int], Callable[[Calibration], Quantiles]]] = {
            "turns a session": ([len(s.turns) for s in sessions], lambda c: c.turns_a_session),
            "first prompt": (prompts, lambda c: c.first_prompt),
            "prompt growth": (growth, lambda c: c.growth),
            "output": ([t.output_tokens for s in sessions for t in s.turns], lambda c: c.output),
        }
        for label, (values, use) in samples.items():
            unit = "" if label == "turns a session" else "tokens"
            measured = stats.order_quantiles(values)
            figure = Figure("rows", name, label, unit, len(values), measured)
            yield from _compare(figure, families, lambda c, use=use: _q(use(c)), tolerance, True)
    for name, tool, own, families, tolerance in (
        (GAIA, "web_search", "web_search", _GAIA, 0.05),
        (GAIA, "visit_page", "visit_page", _GAIA, 0.05),
        (GAIA, NESTED, "nested_agent", _GAIA, 0.05),
        (TRAE, "bash", "bash", ("swe_devstral",), None),
    ):
        ms = [c.ms for c in calls(traces[name], tool)]
        measured = stats.order_quantiles(ms)
        figure = Figure("rows", name, f"wait, {tool}", "ms", len(ms), measured)
        yield from _compare(figure, families, _wait(own), tolerance, True)
    for name, trace in traces.items():
        ms = [c.ms for c in calls(trace)]
        yield Figure("rows", name, "wait, all calls", "ms", len(ms), stats.order_quantiles(ms))


def _q(q: Quantiles) -> Values:
    return (q.p10, q.p50, q.p90, q.p99)


def _ratio(q: Quantiles) -> Values:
    return tuple(v / q.p50 for v in _q(q))


def _output_growth(cal: Calibration) -> Values:
    return (cal.output_growth_correlation,)


def _wait(tool: str, ratio: bool = False) -> Use:
    """Wait quantiles of a tool in a file, milliseconds, or as a part of its median."""
    part = _ratio if ratio else _q
    return lambda cal: next(part(t.wait_ms) for t in cal.tools if t.name == tool)


def _share(tool: str) -> Use:
    return lambda cal: next((t.share,) for t in cal.tools if t.name == tool)
