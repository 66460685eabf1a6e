"""The interactive picture of a run: data as JSON, drawn by `assets/timeline.js` on a canvas."""

import json
from collections.abc import Sequence
from typing import Any

from unison.report.chosen import Look
from unison.report.intervals import Ended, Timeline
from unison.report.lanes import lanes, telling_window
from unison.report.markup import esc
from unison.report.picture import picture

SCRIPTS = ("timeline.js", "input.js")
_STATES = ("active", "gap", "ready", "finished")
_KINDS = ("evict", "bypass", "promote", "demote", "miss", "cold")
_ENDS = tuple(Ended)


def data(looks: Sequence[Look], window: tuple[int, int] | None = None) -> dict[str, Any]:
    """What the script draws. Times are milliseconds; stays, phases and marks are in time order.

    window: where to begin, microseconds; without it the most telling stretch.
    """
    runs = [look.timeline for look in looks]
    lane = lanes(runs)
    start, end = window or telling_window(runs)
    return {
        "capacity": runs[0].capacity,
        "lanes": 1 + max(lane.values(), default=0),
        "start": _ms(runs[0].start_us),
        "end": _ms(max(runs[0].end_us, runs[0].start_us + 1000)),
        "window": [_ms(start), _ms(end)],
        "states": _STATES,
        "kinds": _KINDS,
        "ends": [str(e) for e in _ENDS],
        # The event stream is one and the same, so are the phases.
        "phases": [
            [lane[p.session], p.session, _STATES.index(p.state), _ms(p.start_us), _ms(p.end_us)]
            for p in runs[0].phases
            if p.session in lane
        ],
        "runs": [_run(look.name, look.timeline, lane, look) for look in looks],
    }


def _run(name: str, run: Timeline, lane: dict[int, int], look: Look) -> dict[str, Any]:
    return {
        "name": name,
        "hit": look.totals.hit_rate,
        "stays": [
            [
                lane[s.session],
                s.session,
                s.slot,
                int(s.tier),
                _ms(s.start_us),
                _ms(s.end_us),
                _ENDS.index(s.ended),
                [v for at, tokens in s.steps for v in (_ms(at), tokens)],
            ]
            for s in run.stays
        ],
        "marks": [
            [
                lane[m.session],
                m.session,
                _KINDS.index(m.kind),
                _ms(m.time_us),
                int(m.tier),
                m.tokens,
                -1 if m.returns_us is None else _ms(m.returns_us),
            ]
            for m in run.marks
        ],
        "used": [[_ms(u[0]), *u[1:]] for u in run.used],
    }


def _ms(time_us: int) -> float | int:
    value = round(time_us / 1000, 1)
    return int(value) if value == int(value) else value


def section(
    looks: Sequence[Look], about: str, window: tuple[int, int] | None = None, scope: str = "pool"
) -> str:
    """HTML of the picture with its controls; a still one for readers without scripts."""
    packed = json.dumps(data(looks, window), separators=(",", ":")).replace("</", "<\\/")
    lasts = window or telling_window([look.timeline for look in looks])
    still = "".join(
        picture(look.timeline.clipped(*lasts), f"{look.name}: {about}", f"{scope}-still{n}")
        for n, look in enumerate(looks)
    )
    names = " and ".join(look.name for look in looks)
    panels = "".join(
        f'<div class="panel"><h3>{esc(look.name)}</h3><p class="counts" aria-live="off"></p>'
        f'<canvas class="lanes" tabindex="0" role="img" aria-label="{esc(look.name)}: who was '
        f'resident in which tier over time"></canvas></div>'
        for look in looks
    )
    bars = f"{esc(looks[0].name)} in green"
    if len(looks) > 1:
        bars += f", {esc(looks[1].name)} in orange"
    return f"""<div class="timeline" id="{scope}">
<p>{esc(about)}: {esc(names)} on the same events. Every line is a session from its first request to
its last; where two sessions do not meet they share a line.</p>
<ul class="legend">
<li><i class="k fast"></i>fast tier</li><li><i class="k slow"></i>slow tier</li>
<li><i class="k away"></i>waiting, but in no tier</li><li><i class="k dead"></i>finished, still held
(paler: slow tier)</li>
<li><i class="k run"></i>decoding</li><li><b class="g evict">&#215;</b> evicted</li>
<li><b class="g miss">&#9679;</b> came back and was gone</li>
<li><b class="g up">&#9650;</b> promoted</li><li><b class="g down">&#9660;</b> demoted</li>
<li><b class="g bypass">&#9671;</b> bypassed</li></ul>
<div class="controls"><button data-do="out" aria-label="zoom out">&#8722;</button>
<button data-do="in" aria-label="zoom in">+</button>
<button data-do="left" aria-label="earlier">&#9664;</button>
<button data-do="right" aria-label="later">&#9654;</button>
<button data-do="home">most telling stretch</button><button data-do="all">whole run</button>
<span class="range"></span></div>
{panels}
<p class="over">Whole run, evictions of sessions that came back: {bars}. Drag the window.</p>
<canvas class="overview" aria-hidden="true"></canvas>
<p class="hint">Drag to move, Ctrl + wheel or pinch to zoom, arrow keys and + - when focused, double
click to zoom in. Hover or tap for details.</p>
<div class="tip" hidden></div>
<script type="application/json" class="data">{packed}</script>
<noscript>{still}</noscript>
</div>"""
