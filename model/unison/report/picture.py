"""A still picture of a run: SVG that carries its own colours, light and dark."""

from unison.contract import Tier
from unison.report.intervals import Timeline
from unison.report.lanes import lanes
from unison.report.markup import esc
from unison.report.perfetto import absences

_WIDTH, _LEFT, _RIGHT, _TOP, _LANE, _STRIP = 1100, 64, 16, 64, 12, 56
_CSS = """
{s} text { font: 12px system-ui, sans-serif; fill: #222 }
{s} .title { font-size: 15px; font-weight: 600 }
{s} .page { fill: #fff } {s} .fast { fill: #009e73 } {s} .slow { fill: #56b4e9 }
{s} .away { fill: #d55e00; opacity: .3 } {s} .evict { stroke: #b03a00; stroke-width: 1.4 }
{s} .miss { fill: #b03a00 } {s} .up { fill: #00543d } {s} .down { fill: #1b5a85 }
{s} .dead { fill: #999 } {s} .deadslow { fill: #ccc }
{s} .run { fill: #000; opacity: .55 } {s} .grid { stroke: #8884 }
@media (prefers-color-scheme: dark) {
{s} text { fill: #ddd } {s} .page { fill: #16191d } {s} .dead { fill: #777 }
{s} .deadslow { fill: #4c4f54 } {s} .run { fill: #fff } {s} .evict { stroke: #ff8a50 }
{s} .miss { fill: #ff8a50 } {s} .up { fill: #a8f0d8 } {s} .down { fill: #cdeaff } }
"""


def picture(run: Timeline, title: str, scope: str = "timeline") -> str:
    """The whole of `run` (see `Timeline.clipped`); every id and rule is bound to `scope`."""
    return _Picture(run, title, scope).text()


class _Picture:
    """Coordinates and the parts."""

    def __init__(self, run: Timeline, title: str, scope: str) -> None:
        self.run, self.title, self.scope = run, title, scope
        self.lane = lanes([run])
        self.bottom = _TOP + _LANE * (1 + max(self.lane.values(), default=0))
        self.height = self.bottom + 26 + _STRIP + 22
        self.span = max(1, run.end_us - run.start_us)

    def x(self, time_us: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (time_us - self.run.start_us) / self.span

    def y(self, session: int) -> int:
        return _TOP + _LANE * self.lane[session]

    def bar(self, kind: str, start: int, end: int, y: float, height: float, tip: str = "") -> str:
        x = self.x(start)
        note = f"<title>{esc(tip)}</title>" if tip else ""
        return (
            f'<rect class="{kind}" x="{x:.2f}" y="{y:.2f}" width="{max(0.4, self.x(end) - x):.2f}" '
            f'height="{height:.2f}">{note}</rect>'
        )

    def text(self) -> str:
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{self.scope}" class="still" '
            f'viewBox="0 0 {_WIDTH} {self.height}" width="{_WIDTH}" height="{self.height}" '
            f'role="img"><style>{_CSS.replace("{s}", "#" + self.scope)}</style>'
            f'<rect class="page" width="{_WIDTH}" height="{self.height}"/>'
            f'<text class="title" x="{_LEFT}" y="22">{esc(self.title)}</text>',
            self.legend(),
            *self.axis(),
            *self.bars(),
            *self.marks(),
            *self.strip(),
        ]
        return "\n".join(parts) + "\n</svg>\n"

    def legend(self) -> str:
        items = (
            ("fast", "fast tier"),
            ("slow", "slow tier"),
            ("away", "waiting, not resident"),
            ("dead", "finished, still held"),
            ("run", "decoding"),
        )
        out, x = [], _LEFT
        for kind, word in items:
            out.append(f'<rect class="{kind}" x="{x}" y="34" width="12" height="10"/>')
            out.append(f'<text x="{x + 17}" y="43">{word}</text>')
            x += 40 + 7 * len(word)
        signs = "\u00d7 evicted, \u25cf miss, \u25b2 promoted, \u25bc demoted"
        out.append(f'<text x="{x}" y="43">{signs}</text>')
        return "".join(out)

    def axis(self) -> list[str]:
        step = _step(self.span / 1e6 / 8)
        out, at = [], -(-self.run.start_us // int(step * 1e6)) * int(step * 1e6)
        low = self.height - 20
        while at <= self.run.end_us:
            x = self.x(at)
            # A label at the right edge would be cut off.
            side = "end" if x > _WIDTH - 2 * _RIGHT else "middle"
            out.append(
                f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{low}"/>'
                f'<text x="{x:.1f}" y="{low + 14}" text-anchor="{side}">{at / 1e6:g} s</text>'
            )
            at += int(step * 1e6)
        return out

    def bars(self) -> list[str]:
        thick = _LANE - 3
        out = [
            self.bar("away", start, end, self.y(p.session), thick)
            for p, start, end in absences(self.run)
        ]
        over = {(p.session): p.start_us for p in self.run.phases if p.state == "finished"}
        for s in self.run.stays:
            end_of_use = max(s.start_us, min(s.end_us, over.get(s.session, s.end_us)))
            fast = s.tier == Tier.SRAM
            tip = f"session {s.session}, {s.steps[-1][1]} tokens, {s.ended}"
            if end_of_use > s.start_us:
                kind = "fast" if fast else "slow"
                out.append(self.bar(kind, s.start_us, end_of_use, self.y(s.session), thick, tip))
            if s.end_us > end_of_use:
                kind = "dead" if fast else "deadslow"
                out.append(self.bar(kind, end_of_use, s.end_us, self.y(s.session), thick, tip))
        out += [
            self.bar("run", p.start_us, p.end_us, self.y(p.session) + thick / 2 - 1, 2)
            for p in self.run.phases
            if p.state == "active"
        ]
        return out

    def marks(self) -> list[str]:
        out = []
        for m in self.run.marks:
            x, y = self.x(m.time_us), self.y(m.session) + _LANE / 2 - 1.5
            if m.kind == "evict":
                path = f"M{x - 3:.1f} {y - 3}l6 6m0-6l-6 6"
                out.append(f'<path class="evict" fill="none" d="{path}"/>')
            elif m.kind == "miss":
                out.append(f'<circle class="miss" cx="{x:.1f}" cy="{y}" r="2.6"/>')
            elif m.kind == "promote":
                out.append(f'<path class="up" d="M{x - 3.5:.1f} {y + 3}h7l-3.5-6z"/>')
            elif m.kind == "demote":
                out.append(f'<path class="down" d="M{x - 3.5:.1f} {y - 3}h7l-3.5 6z"/>')
        return out

    def strip(self) -> list[str]:
        """Used tokens over time, fast below slow."""
        base = self.bottom + 26 + _STRIP
        whole = sum(self.run.capacity) or 1
        out = [
            f'<text x="{_LEFT - 8}" y="{base}" text-anchor="end">0</text>'
            f'<text x="{_LEFT - 8}" y="{base - _STRIP + 8}" text-anchor="end">{whole:,}</text>'
            f'<text x="{_LEFT}" y="{base - _STRIP - 5}">tokens in use</text>'
        ]
        for kind, level in (("slow", lambda u: u[1] + u[2]), ("fast", lambda u: u[1])):
            path = [f"M{self.x(self.run.start_us):.1f} {base}"]
            for u in self.run.used:
                path.append(f"H{self.x(u[0]):.1f}V{base - _STRIP * level(u) / whole:.1f}")
            path.append(f"H{self.x(self.run.end_us):.1f}V{base}z")
            out.append(f'<path class="{kind}" d="{"".join(path)}"/>')
        return out


def _step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least `least`, and 1 ms."""
    step = 0.001
    while step < least:
        step *= 2.5 if f"{step:e}"[0] == "2" else 2
    return round(step, 3)
