// The pool over time: one canvas a run, all on the same window. Drawing only; see input.js.
"use strict";
class PoolView {
  constructor(root) {
    this.root = root;
    this.d = JSON.parse(root.querySelector("script.data").textContent);
    this.canvases = [...root.querySelectorAll("canvas.lanes")];
    this.counts = [...root.querySelectorAll(".counts")];
    this.overview = root.querySelector("canvas.overview");
    this.range = root.querySelector(".range");
    [this.a, this.b] = this.d.window;
    this.hoverTime = null;
    this.prepare();
    this.lane = this.d.lanes <= 32 ? 13 : this.d.lanes <= 64 ? 9 : 6;
    this.top = 20;
    this.strip = 46;
    this.pending = false;
    this.colours();
  }

  // What the data implies: when a session was over, and the waits it was not resident in.
  prepare() {
    const d = this.d, GAP_END = 3;
    this.over = new Map();
    for (const p of d.phases) if (p[2] === GAP_END) this.over.set(p[1], p[3]);
    this.active = d.phases.filter((p) => p[2] === 0);
    for (const run of d.runs) {
      const held = new Map();
      for (const s of run.stays) {
        if (!held.has(s[1])) held.set(s[1], []);
        held.get(s[1]).push(s);
      }
      const first = new Map();
      run.away = [];
      for (const [lane, session, state, start, end] of d.phases) {
        if (state === GAP_END) continue;
        const stays = held.get(session) || [];
        let n = first.get(session) || 0, at = start;
        while (n < stays.length && stays[n][5] <= at) n++;
        first.set(session, n);
        for (; n < stays.length && stays[n][4] < end; n++) {
          if (stays[n][4] > at) run.away.push([lane, session, at, stays[n][4], state]);
          at = Math.max(at, stays[n][5]);
        }
        if (at < end) run.away.push([lane, session, at, end, state]);
      }
    }
  }

  colours() {
    const css = getComputedStyle(document.documentElement);
    this.c = {};
    for (const n of ["page", "ink", "soft", "line", "band", "fast", "slow", "away", "dead",
      "dead-slow", "run", "evict", "miss", "up", "down", "ours"]) {
      this.c[n] = css.getPropertyValue("--" + n).trim();
    }
  }

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.draw(); });
  }

  show(a, b) {
    const { start, end } = this.d;
    const least = Math.min(1000, end - start);
    const length = Math.min(Math.max(b - a, least), end - start);
    const middle = (a + b) / 2;
    this.a = Math.min(Math.max(middle - length / 2, start), end - length);
    this.b = this.a + length;
    this.redraw();
  }

  x(time) { return (time - this.a) / (this.b - this.a) * this.width; }
  time(x) { return this.a + x / this.width * (this.b - this.a); }
  y(lane) { return this.top + 3 + lane * this.lane; }

  sized(canvas, height) {
    const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth;
    if (canvas.style.height !== height + "px") canvas.style.height = height + "px";
    const w = Math.round(width * ratio), h = Math.round(height * ratio);
    if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    const g = canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, height);
    return [g, width];
  }

  draw() {
    this.d.runs.forEach((run, n) => this.panel(this.canvases[n], run, this.counts[n]));
    this.whole();
    const seconds = (ms) => (ms / 1000).toLocaleString("en", { maximumFractionDigits: 1 });
    this.range.textContent = `${seconds(this.a)} to ${seconds(this.b)} s of ` +
      `${seconds(this.d.end)} s`;
  }

  panel(canvas, run, counts) {
    const lanes = this.top + 6 + this.d.lanes * this.lane;
    const [g, width] = this.sized(canvas, lanes + 16 + this.strip);
    this.width = width;
    this.axis(g, lanes + 16 + this.strip);
    const thick = this.lane - (this.lane > 8 ? 3 : 1);
    // One row of pixels holds many short bars when zoomed out: what adds none is left out.
    const bars = (items, start, end, style, extra = 0, high = thick) => {
      g.fillStyle = style;
      const last = new Float64Array(this.d.lanes).fill(-1);
      for (const item of items) {
        if (item[end] < this.a || item[start] > this.b) continue;
        const x0 = Math.max(this.x(item[start]), -2), x1 = Math.min(this.x(item[end]), width + 2);
        if (x1 - last[item[0]] < 0.35) continue;
        last[item[0]] = x1;
        g.fillRect(x0, this.y(item[0]) + extra, Math.max(x1 - x0, 0.6), high);
      }
    };
    g.globalAlpha = 0.38;
    bars(run.away, 2, 3, this.c.away);
    g.globalAlpha = 1;
    const parts = { fast: [], slow: [], dead: [], "dead-slow": [] };
    for (const s of run.stays) {
      if (s[5] < this.a || s[4] > this.b) continue;
      const over = Math.max(s[4], Math.min(s[5], this.over.get(s[1]) ?? s[5]));
      if (over > s[4]) parts[s[3] === 1 ? "fast" : "slow"].push([s[0], s[4], over]);
      if (s[5] > over) parts[s[3] === 1 ? "dead" : "dead-slow"].push([s[0], over, s[5]]);
    }
    for (const kind in parts) bars(parts[kind], 1, 2, this.c[kind]);
    if (this.lane > 8) {
      g.globalAlpha = 0.75;
      bars(this.active, 3, 4, this.c.run, thick / 2 - 1.5, 3);
      g.globalAlpha = 1;
    }
    this.marks(g, run, thick);
    this.memory(g, run, lanes + 14, this.strip);
    if (this.hoverTime !== null) {
      g.fillStyle = this.c.soft;
      g.fillRect(this.x(this.hoverTime), this.top, 1, lanes + this.strip - 6);
    }
    this.count(run, counts);
  }

  axis(g, height) {
    const step = this.step((this.b - this.a) / Math.max(2, this.width / 110));
    g.font = "12px system-ui, sans-serif";
    g.textAlign = "center";
    for (let t = Math.ceil(this.a / step) * step; t <= this.b; t += step) {
      const x = this.x(t);
      g.fillStyle = this.c.line;
      g.fillRect(x, this.top, 1, height - this.top);
      g.fillStyle = this.c.soft;
      const label = `${Number((t / 1000).toFixed(3)).toLocaleString("en")} s`;
      if (x > 18 && x < this.width - 24) g.fillText(label, x, 14);
    }
  }

  step(least) {
    const power = 10 ** Math.floor(Math.log10(least));
    return [1, 2, 5, 10].map((m) => m * power).find((s) => s >= least);
  }

  marks(g, run, thick) {
    const seen = run.marks.filter((m) => m[3] >= this.a && m[3] <= this.b && m[2] < 5);
    // Signs must not bury the bars: smaller when close, none when there is no room at all.
    const room = this.width * this.d.lanes / Math.max(1, seen.length), small = room < 40;
    if (room < 18) {
      g.fillStyle = this.c.soft;
      g.textAlign = "right";
      g.fillText("zoom in for events", this.width - 4, this.top + this.d.lanes * this.lane + 17);
      return;
    }
    const r = small ? 2 : Math.min(4.2, thick / 2);
    g.lineWidth = small ? 1 : 1.8;
    for (const m of seen) {
      const x = this.x(m[3]), y = this.y(m[0]) + thick / 2;
      g.beginPath();
      if (m[2] === 0) {
        g.strokeStyle = m[6] < 0 ? this.c.soft : this.c.evict;
        g.moveTo(x - r, y - r); g.lineTo(x + r, y + r);
        g.moveTo(x + r, y - r); g.lineTo(x - r, y + r);
        g.stroke();
      } else if (m[2] === 4) {
        g.fillStyle = this.c.miss;
        g.arc(x, y, r * 0.8, 0, 7);
        g.fill();
      } else if (m[2] === 1) {
        g.strokeStyle = this.c.soft;
        g.moveTo(x - r, y); g.lineTo(x, y - r); g.lineTo(x + r, y); g.lineTo(x, y + r);
        g.closePath();
        g.stroke();
      } else if (!small) {
        const up = m[2] === 2 ? 1 : -1;
        g.fillStyle = up > 0 ? this.c.up : this.c.down;
        g.moveTo(x - r, y + up * r * 0.8); g.lineTo(x + r, y + up * r * 0.8);
        g.lineTo(x, y - up * r * 0.9);
        g.fill();
      }
    }
  }

  // Tokens in use, stacked: fast, slow; a line shows how many belong to finished sessions.
  memory(g, run, y, height) {
    const whole = this.d.capacity[0] + this.d.capacity[1], base = y + height;
    const up = (tokens) => base - height * tokens / whole;
    const path = (level, close) => {
      g.beginPath();
      let last = base, begun = false, pixel = -2;
      for (let n = this.before(run.used, this.a); n < run.used.length; n++) {
        const u = run.used[n], x = Math.max(0, this.x(u[0]));
        if (u[0] > this.b) break;
        if (!begun) { g.moveTo(x, close ? base : up(level(u))); begun = true; last = up(level(u)); }
        // More than one step a pixel is not seen.
        if (x - pixel >= 0.5) { g.lineTo(x, last); pixel = x; }
        last = up(level(u));
        g.lineTo(x, last);
      }
      g.lineTo(this.width, last);
      if (close) { g.lineTo(this.width, base); g.closePath(); }
    };
    g.fillStyle = this.c.slow; path((u) => u[1] + u[2], true); g.fill();
    g.fillStyle = this.c.fast; path((u) => u[1], true); g.fill();
    g.strokeStyle = this.c.ink; g.lineWidth = 1.4; g.setLineDash([4, 3]);
    path((u) => u[3], false); g.stroke(); g.setLineDash([]);
    g.fillStyle = this.c.soft; g.textAlign = "left"; g.font = "11px system-ui, sans-serif";
    g.fillText(`tokens in use, of ${whole.toLocaleString("en")}; dashed: held for finished ` +
      "sessions", 4, y - 3);
  }

  before(rows, time) {
    let low = 0, high = rows.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (rows[mid][0] <= time) low = mid + 1; else high = mid;
    }
    return Math.max(0, low - 1);
  }

  count(run, into) {
    let evicted = 0, back = 0, missed = 0, up = 0, asked = 0;
    for (const m of run.marks) {
      if (m[3] < this.a || m[3] > this.b) continue;
      if (m[2] === 0) { evicted++; back += m[6] >= 0; }
      missed += m[2] === 4 || m[2] === 5;
      up += m[2] === 2;
    }
    for (const p of this.active) asked += p[3] >= this.a && p[3] <= this.b;
    const hit = asked ? (100 * Math.max(0, asked - missed) / asked).toFixed(0) + " %" : "-";
    into.innerHTML = `in this window: <b>${hit}</b> of ${asked} requests hit; ${evicted} evicted, ` +
      `<b>${back}</b> of them came back; ${up} promoted`;
  }

  // Evictions of sessions that came back, over the whole run.
  whole() {
    const [g, width] = this.sized(this.overview, 44);
    const { start, end } = this.d, bins = Math.max(20, Math.floor(width / 6));
    const rows = this.d.runs.map((run) => {
      const row = new Array(bins).fill(0);
      for (const m of run.marks) {
        if (m[2] === 0 && m[6] >= 0) {
          row[Math.min(bins - 1, Math.floor((m[3] - start) / (end - start) * bins))]++;
        }
      }
      return row;
    });
    const most = Math.max(1, ...rows.flat()), wide = width / bins;
    [...rows].reverse().forEach((row, n) => {
      const ours = n === rows.length - 1;
      g.fillStyle = ours ? this.c.ours : this.c.away;
      row.forEach((v, i) => {
        const inset = ours && rows.length > 1 ? wide * 0.3 : 0.5;
        g.fillRect(i * wide + inset, 42 - 38 * v / most, wide - 2 * inset, 38 * v / most);
      });
    });
    const x0 = (this.a - start) / (end - start) * width, x1 = (this.b - start) / (end - start) * width;
    g.strokeStyle = this.c.ink;
    g.lineWidth = 1.5;
    g.strokeRect(x0 + 0.75, 1, Math.max(3, x1 - x0 - 1.5), 42);
    g.globalAlpha = 0.12;
    g.fillStyle = this.c.ink;
    g.fillRect(x0, 0, Math.max(3, x1 - x0), 44);
    g.globalAlpha = 1;
  }
}
