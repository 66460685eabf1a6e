"""docs/results/silicon.md and its figures, from build/synth/summary.json."""

import re
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from synth import fpga
from synth.blocks import PARTS
from synth.mapping import ROOT, FlowError
from synth.variants import DEFAULT, PAPER, SLOTS, VARIANTS
from unison.experiments import plots

PAGE = ROOT / "docs" / "results" / "silicon.md"
FIGURES = PAGE.parent / "figures"
_ASE = ROOT / "docs" / "results" / "ase.md"


def linear_fit(slots: list[int], areas: list[float]) -> tuple[float, float, list[float]]:
    """Slope and offset of area over slots, and each point's residual as a share of its area."""
    slope, offset = np.polyfit(slots, areas, 1)
    away = [(a - (slope * n + offset)) / a for n, a in zip(slots, areas, strict=True)]
    return float(slope), float(offset), away


def front(points: list[tuple[str, float, float]]) -> list[str]:
    """Names of the (name, area, latency) that no other beats in both."""
    return [
        n for n, a, t in points
        if not any(b <= a and u <= t and (b, u) != (a, t) for _, b, u in points)
    ]  # fmt: skip


def read_ase(text: str) -> dict[str, list[float]]:
    """ASE by group of points at `SLOTS`, out of the table of docs/results/ase.md."""
    out = {}
    for line in text.splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        values = [re.match(r"(\d\.\d+) ±", c) for c in cells[2:]]
        if line.startswith("|") and len(values) == len(SLOTS) and all(values):
            out.setdefault(cells[0], [float(v[1]) for v in values])
        if line.startswith("Requests that"):
            break
    return out


def _of(held: dict, kind: str, library: str) -> list[dict]:
    return [r for r in held.get(kind, {}).values() if r["library"] == library]


def _plain(record: dict) -> bool:
    return "-" not in record["point"].partition("-n")[2]


def _area_rows(records: list[dict], latencies: dict) -> list[str]:
    out = [
        "| point | kGE | area, um2 | cells | FF | slack at 150 MHz, ns | MHz | "
        "vectorless, mW | latency mean / p99 / max, cycles |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for r in records:
        held = r["power_vectorless_w"]
        watts = f"{1000 * sum(held.values()):.1f}" if held else "-"
        lat = latencies.get(r["point"])
        text = f"{lat['mean']:.1f} / {lat['p99']} / {lat['max']}" if lat else "-"
        out.append(
            f"| {r['point']} | {r['gates'] / 1000:.1f} | {r['area']:,.0f} | {r['cells']:,} | "
            f"{r['flops']:,} | {r['slack_ns']:+.2f} | {r['fmax_mhz']:.0f} | {watts} | "
            f"{text} |"
        )
    return out


def _block_rows(record: dict) -> list[str]:
    total = record["area"]
    out = ["| part | kGE | share of area | FF | blocks |", "|---|---|---|---|---|"]
    for part in PARTS:
        rows = {k: v for k, v in record["blocks"].items() if v["part"] == part}
        area = sum(v["area"] for v in rows.values())
        gates, flops = (sum(v[k] for v in rows.values()) for k in ("gates", "flops"))
        inside = ", ".join(f"{k} {v['gates'] / 1000:.1f}" for k, v in rows.items())
        out.append(
            f"| {part} | {gates / 1000:.1f} | {100 * area / total:.1f} % | {flops:,} | {inside} |"
        )
    return out


def _save(name: str, figure: Figure) -> str:
    FIGURES.mkdir(parents=True, exist_ok=True)
    (FIGURES / f"{name}.svg").write_text(plots.svg(figure))
    return f"![{name}](figures/{name}.svg)"


def _front_figure(points: list[tuple[str, float, float]]) -> Figure:
    with plots.style():
        figure = Figure(figsize=(5.5, 3.4))
        axes = figure.subplots()
        best = front(points)
        for name, area, cycles in points:
            axes.plot(area / 1000, cycles, "o", color="#009E73" if name in best else "#999999")
            axes.annotate(name, (area / 1000, cycles), xytext=(4, 4), textcoords="offset points")
        line = sorted((a / 1000, t) for n, a, t in points if n in best)
        axes.plot(*zip(*line, strict=True), "-", color="#009E73", linewidth=1)
        axes.set_xlabel("area, thousand gate equivalents")
        axes.set_ylabel("mean decision latency, cycles")
    return figure


def _growth_figure(slots: list[int], areas: list[float]) -> Figure:
    slope, offset, away = linear_fit(slots, areas)
    with plots.style():
        figure = Figure(figsize=(5.5, 3.8))
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
        upper.plot(slots, [a / 1000 for a in areas], "o", color="#0072B2")
        ends = [min(slots), max(slots)]
        upper.plot(ends, [(slope * n + offset) / 1000 for n in ends], "-", color="#999999")
        upper.set_ylabel("area, kGE")
        lower.bar(slots, [100 * x for x in away], width=6, color="#0072B2")
        lower.set_ylabel("residual, %")
        lower.set_xlabel("slots")
    return figure


def _ase_figure(found: dict[str, list[float]]) -> Figure:
    with plots.style():
        figure = Figure(figsize=(5.5, 3.0))
        axes = figure.subplots()
        for name, values in found.items():
            axes.plot(SLOTS[: len(values)], values, "o-", label=name)
        axes.set_xscale("log", base=2)
        axes.set_xticks(SLOTS, [str(n) for n in SLOTS])
        axes.set_xlabel("slots")
        axes.set_ylabel("ASE")
        axes.legend()
    return figure


def _library(held: dict, library: str) -> list[str]:
    records = _of(held, "area", library)
    order = {name: i for i, name in enumerate(VARIANTS)}
    records.sort(key=lambda r: (r["slots"], order.get(r["variant"], 99), r["point"]))
    latencies = held.get("latency", {})
    out = [f"## {library}", "", *_area_rows(records, latencies), ""]
    default = next((r for r in records if r["point"] == f"{DEFAULT}-n64"), None)
    if default:
        out += [f"Breakdown of {default['point']}, one gate equivalent = {default['nand2']:g} um2 "
                "(the library's smallest 2-input NAND); kGE by block:", "",
                *_block_rows(default), ""]  # fmt: skip
        path = default["path"]
        out += [f"Its longest path runs from `{path['from']}` to `{path['to']}`, "
                f"{path['cells']} cells.", ""]  # fmt: skip
    for r in _of(held, "speed", library):
        out.append(f"Mapped for speed, {r['point']} reaches {r['fmax_mhz']:.0f} MHz at "
                   f"{r['gates'] / 1000:.1f} kGE.")  # fmt: skip
    for key, r in held.get("power", {}).items():
        if not key.endswith(" " + library):
            continue
        energy = r["energy_per_decision_nj"]
        out.append(
            f"Power of {key.split()[0]} at 150 MHz with the activity of {r['test']} at "
            f"{r['envelope']} ({r['cycles']:,} cycles; {r['cells']:,} cells, each at its own "
            f"counted activity, {100 * r['changes_per_cell_cycle']:.2f} % of the outputs change "
            "in a cycle): "
            f"{1000 * r['total_w']:.2f} mW ({1000 * r['internal_w']:.2f} internal, "
            f"{1000 * r['switching_w']:.2f} switching, {1000 * r['leakage_w']:.3f} leakage)"
            + (f"; {energy:.2f} nJ a decision of {r['latency_mean_cycles']:.1f} cycles."
               if energy else ".")
        )  # fmt: skip
    for key, r in held.get("gatesim", {}).items():
        if key.endswith(" " + library):
            out.append(f"Gate level: the netlist of {key.split()[0]} replayed {r['events']:,} "
                       f"events of {r['trace']} at {r['envelope']}, {r['decisions']:,} decisions, "
                       f"{r['mismatches']} mismatches.")  # fmt: skip
    tag = "" if library == _main_library(held) else f"-{library}"
    points = [(r["variant"], r["gates"], latencies[r["point"]]["mean"]) for r in records
              if r["slots"] == 64 and _plain(r) and r["point"] in latencies]  # fmt: skip
    if len(points) > 1:
        out += ["", _save(f"silicon-front{tag}", _front_figure(points)), "",
                "On the front of area and mean latency: " + ", ".join(front(points)) + "."]
        base = next((p for p in points if p[0] == PAPER), None)
        if base:
            out += ["", f"Against the variant `{PAPER}`: " + "; ".join(
                f"{n} {a / base[1]:.2f} of the area, {t / base[2]:.2f} of the mean latency"
                for n, a, t in points if n != PAPER) + "."]  # fmt: skip
    growth = sorted((r["slots"], r["gates"]) for r in records
                    if r["variant"] == DEFAULT and _plain(r))  # fmt: skip
    if len(growth) > 2:
        slots, areas = [n for n, _ in growth], [a for _, a in growth]
        slope, offset, away = linear_fit(slots, areas)
        out += ["", _save(f"silicon-growth{tag}", _growth_figure(slots, areas)), "",
                f"Area of {DEFAULT} over slots: {slope:,.0f} GE a slot + {offset / 1000:.1f} kGE; "
                "residuals "
                + ", ".join(f"{100 * x:+.1f} % at {n}" for n, x in zip(slots, away, strict=True))
                + "."]  # fmt: skip
    return [*out, ""]


def _main_library(held: dict) -> str:
    counts: dict[str, int] = {}
    for record in held.get("area", {}).values():
        counts[record["library"]] = counts.get(record["library"], 0) + 1
    return max(counts, key=counts.get, default="")


def _fpga(held: dict) -> list[str]:
    rows = held.get("xc7", {})
    if not rows:
        return []
    out = ["## FPGA", "",
           "| core | LUT | of these, memories | FF | DSP | BRAM | CARRY4 | MUXF7/8 |",
           "|---|---|---|---|---|---|---|---|",
           f"| the paper's | {fpga.PAPER['lut']:,} | - | {fpga.PAPER['ff']:,} | "
           f"{fpga.PAPER['dsp']} | {fpga.PAPER['bram']} | - | - |"]  # fmt: skip
    for name, r in rows.items():
        out.append(f"| {name} | {r['lut']:,} | {r['lut_memory']:,} | {r['ff']:,} | {r['dsp']} | "
                   f"{r['bram']} | {r['carry']:,} | {r['mux']:,} |")  # fmt: skip
    out += ["", "Ours: `synth_xilinx -family xc7` of Yosys, the bare core as top, not placed. The "
            "paper's are its own figures from its vendor's tool; another mapper, and possibly its "
            "wrapper, so compare in kind."]  # fmt: skip
    for name, r in held.get("ecp5", {}).items():
        used = ", ".join(f"{k} {v:,}" for k, v in r["used"].items())
        out += ["", f"{name} with its board top (`synth/fpga/unison_board.sv`), placed and routed "
                f"on an LFE5U-85F by nextpnr: {r['fmax_mhz']} MHz; {used}."]  # fmt: skip
    return [*out, ""]


def text(held: dict) -> str:
    """The page; draws the figures too. FlowError when there is nothing to write."""
    libraries = sorted({r["library"] for r in held.get("area", {}).values()})
    if not libraries:
        raise FlowError("no results in build/synth/summary.json; run: make synth")
    out = ["# Silicon", "", "Written by `make dse` (or `python -m synth page`) from the results of "
           "`make synth`, `make power`, `make gatesim` and `make fpga`. Mapped netlists, "
           "buffered and sized; no placement, so no wires; ideal clock and reset. MHz: the highest "
           "clock that the netlist mapped for area meets. Latency: measured by replaying "
           "gaia_gemma4 at gpu through the RTL. A dash: not run.", ""]  # fmt: skip
    for library in libraries:
        out += _library(held, library)
    out += _fpga(held)
    if found := read_ase(_ASE.read_text()):
        out += ["## Slots and hit rate", "", _save("silicon-ase", _ase_figure(found)), "",
                "ASE by slots, from [slots](ase.md).", ""]  # fmt: skip
    return "\n".join(out)


def write(held: dict, path: Path = PAGE) -> None:
    """Write the page."""
    path.write_text(text(held))
    print(f"wrote {path.relative_to(ROOT)}")
