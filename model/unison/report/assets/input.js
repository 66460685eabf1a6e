// Moving about in a PoolView: buttons, drag, wheel, pinch, keys, and what is under the pointer.
"use strict";
(() => {
  const TIERS = ["", "fast tier", "slow tier"];
  const seconds = (ms) => `${(ms / 1000).toLocaleString("en", { maximumFractionDigits: 2 })} s`;
  const tokens = (n) => `${n.toLocaleString("en")} tokens`;

  function held(steps, time) {
    let found = steps[1];
    for (let n = 0; n < steps.length && steps[n] <= time; n += 2) found = steps[n + 1];
    return found;
  }

  // Text on what is at (x, y) of a panel, or null.
  function describe(view, run, x, y) {
    const time = view.time(x), lane = Math.floor((y - view.top - 2) / view.lane);
    if (lane < 0 || lane >= view.d.lanes) return null;
    const near = (view.b - view.a) / view.width * 5;
    const words = [];
    let session = null;
    for (const m of run.marks) {
      if (m[0] === lane && Math.abs(m[3] - time) <= near && m[2] < 5) {
        session = m[1];
        const what = ["evicted from the " + TIERS[m[4]], "bypassed: no room", "promoted", "demoted",
          "came back and was gone: prefill again"][m[2]];
        const back = m[2] > 1 ? "" : m[6] < 0 ? ", never returns"
          : `, returns after ${seconds(m[6] - m[3])}`;
        words.push(`${seconds(m[3])}: ${what}, ${tokens(m[5])}${back}`);
        if (words.length > 4) break;
      }
    }
    const at = (items, start, end) => items.find(
      (i) => i[0] === lane && i[start] <= time && time < i[end] && (session ?? i[1]) === i[1]);
    // A finished session may still share its line with the next one: the one that is there first.
    const stay = at(run.stays, 4, 5);
    if (stay) session = session ?? stay[1];
    const away = at(run.away, 2, 3);
    if (away) session = session ?? away[1];
    const phase = at(view.d.phases, 3, 4);
    if (!stay && !away && !words.length) return null;
    const lines = [`Session ${session}${stay ? `, slot ${stay[2]}` : ""}`];
    if (phase) {
      lines.push({ active: "decoding", gap: "waits for a tool", ready: "tool returned, queued",
        finished: "finished, not yet told" }[view.d.states[phase[2]]]);
    }
    if (stay) {
      lines.push(`in the ${TIERS[stay[3]]}: ${tokens(held(stay[7], time))}`,
        `${seconds(stay[4])} to ${seconds(stay[5])} (${seconds(stay[5] - stay[4])}), then ` +
        view.d.ends[stay[6]]);
    } else if (away) {
      lines.push(`in no tier since ${seconds(away[2])}`);
    }
    return [...lines, ...words].join("\n");
  }

  function tip(view, canvas, run, event) {
    const box = canvas.getBoundingClientRect(), root = view.root.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    const text = describe(view, run, x, y), note = view.root.querySelector(".tip");
    view.hoverTime = view.time(x);
    view.redraw();
    note.hidden = text === null;
    if (text === null) return;
    note.textContent = text;
    const left = event.clientX - root.left + 14;
    const fits = left + note.offsetWidth < root.width;
    note.style.left = `${fits ? left : Math.max(0, left - note.offsetWidth - 28)}px`;
    note.style.top = `${event.clientY - root.top + 16}px`;
  }

  function leave(view) {
    view.hoverTime = null;
    view.root.querySelector(".tip").hidden = true;
    view.redraw();
  }

  function zoom(view, factor, time) {
    const at = time ?? (view.a + view.b) / 2;
    view.show(at - (at - view.a) * factor, at + (view.b - at) * factor);
  }

  function pan(view, part) {
    const by = (view.b - view.a) * part;
    view.show(view.a + by, view.b + by);
  }

  function pointers(view, canvas, run) {
    const down = new Map();
    let grip = null;
    const place = (e) => e.clientX - canvas.getBoundingClientRect().left;
    const take = () => { grip = { at: [...down.values()], a: view.a, b: view.b }; };
    canvas.addEventListener("pointerdown", (e) => {
      canvas.setPointerCapture(e.pointerId);
      down.set(e.pointerId, place(e));
      canvas.classList.add("held");
      take();
      tip(view, canvas, run, e);
    });
    canvas.addEventListener("pointermove", (e) => {
      if (!down.has(e.pointerId)) return tip(view, canvas, run, e);
      down.set(e.pointerId, place(e));
      const now = [...down.values()], scale = (grip.b - grip.a) / view.width;
      if (now.length === 1) {
        const by = (grip.at[0] - now[0]) * scale;
        if (Math.abs(grip.at[0] - now[0]) > 3) {
          leave(view);
          view.show(grip.a + by, grip.b + by);
        }
      } else if (now.length === 2) {
        const was = Math.abs(grip.at[0] - grip.at[1]), is = Math.abs(now[0] - now[1]);
        const centre = grip.a + (grip.at[0] + grip.at[1]) / 2 * scale;
        const factor = was / Math.max(8, is);
        view.show(centre - (centre - grip.a) * factor, centre + (grip.b - centre) * factor);
      }
      return undefined;
    });
    const up = (e) => {
      down.delete(e.pointerId);
      canvas.classList.toggle("held", down.size > 0);
      take();
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    // A finger that is lifted leaves, too: what it has tapped stays to be read.
    canvas.addEventListener("pointerleave", (e) => { if (e.pointerType === "mouse") leave(view); });
    canvas.addEventListener("dblclick", (e) => zoom(view, 0.5, view.time(place(e))));
    canvas.addEventListener("wheel", (e) => {
      // A bare vertical wheel scrolls the page: a long picture must not trap the reader.
      if (e.ctrlKey || e.metaKey) {
        e.preventDefault();
        zoom(view, Math.exp(Math.max(-60, Math.min(60, e.deltaY)) / 150), view.time(place(e)));
      } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
        e.preventDefault();
        pan(view, (e.deltaX || e.deltaY) / view.width);
      }
    }, { passive: false });
    canvas.addEventListener("keydown", (e) => {
      const act = { ArrowLeft: () => pan(view, -0.2), ArrowRight: () => pan(view, 0.2),
        "+": () => zoom(view, 0.6), "=": () => zoom(view, 0.6), "-": () => zoom(view, 1.6),
        Home: () => view.show(...view.d.window) }[e.key];
      if (act && !e.ctrlKey && !e.metaKey && !e.altKey) { e.preventDefault(); act(); }
    });
  }

  function overview(view) {
    const canvas = view.overview;
    let held = false;
    const go = (e) => {
      const box = canvas.getBoundingClientRect(), half = (view.b - view.a) / 2;
      const at = view.d.start + (e.clientX - box.left) / box.width * (view.d.end - view.d.start);
      view.show(at - half, at + half);
    };
    canvas.addEventListener("pointerdown", (e) => {
      held = true;
      canvas.setPointerCapture(e.pointerId);
      go(e);
    });
    canvas.addEventListener("pointermove", (e) => { if (held) go(e); });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { held = false; });
  }

  for (const root of document.querySelectorAll(".timeline")) {
    const view = new PoolView(root);
    view.canvases.forEach((canvas, n) => pointers(view, canvas, view.d.runs[n]));
    overview(view);
    const acts = {
      in: () => zoom(view, 0.6), out: () => zoom(view, 1.6), left: () => pan(view, -0.5),
      right: () => pan(view, 0.5), home: () => view.show(...view.d.window),
      all: () => view.show(view.d.start, view.d.end),
    };
    for (const button of root.querySelectorAll("[data-do]")) {
      button.type = "button";
      button.addEventListener("click", acts[button.dataset.do]);
    }
    const again = () => { view.colours(); view.redraw(); };
    new ResizeObserver(again).observe(root);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
    matchMedia("print").addEventListener("change", () => { view.colours(); view.draw(); });
    view.draw();
  }
})();
