"""The two figures of the study; they need matplotlib."""

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from report import CELLS, curves_of, grouped, midpoint
from spanning import limit, name_of

COLOURS = {2: "#0072B2", 3: "#D55E00", 4: "#009E73"}  # Okabe and Ito: told apart with any colour vision
STROKES = {"single-point": ("-", "o"), "pairs": ("--", "s")}
GREY = "#666666"


def draw_rates(rows, limits, path):
    """Win rate against mine density at equal numbers of cells, and beside it midpoints by size."""
    figure = Figure((9, 3.9), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    for (dimensions, policy), some in grouped([r for r in rows if r["cells"] == CELLS], "dimensions", "policy").items():
        _draw_rate(left, some, COLOURS[dimensions], *STROKES[policy])
    for dimensions, law in limits.items():
        left.plot([law.limit.value], [0], "^", color=COLOURS[dimensions], markersize=8, clip_on=False, zorder=4)
    left.set(xlabel="mines per cell", ylabel="games won", xlim=(0, 0.25), ylim=(0, 1))
    left.legend(handles=list(_rate_keys(rows)), frameon=False, fontsize="small", loc="upper right")
    left.set_title(f"{CELLS} cells", fontsize="medium", loc="left")
    for (dimensions,), some in grouped([r for r in rows if r["policy"] == "single-point"], "dimensions").items():
        _draw_midpoints(right, dimensions, some)
    right.set(xlabel="cells", ylabel="mines per cell at 50 % wins", xscale="log", xlim=(200, 7000), ylim=(0, None))
    right.set_xticks([256, 512, 1024, 2048, 4096], labels=["256", "512", "1024", "2048", "4096"], minor=False)
    right.minorticks_off()
    right.set_title("single-point, by size", fontsize="medium", loc="left")
    _finish(figure, path, (left,))


def _draw_rate(axes, rows, colour, stroke, mark):
    """One policy on one grid: the rates, the band of their intervals, and the midpoint with its own."""
    x, y, low, high = (np.array([row[name] for row in rows]) for name in ("density", "win_rate", "low", "high"))
    order = np.argsort(x)
    axes.fill_between(x[order], low[order], high[order], color=colour, alpha=0.2, linewidth=0)
    axes.plot(x[order], y[order], stroke + mark, color=colour, linewidth=1.3, markersize=3)
    found = midpoint(rows)
    axes.plot([found.low, found.high], [0.5, 0.5], "-", color="black", linewidth=2, zorder=5)
    axes.plot([found.midpoint], [0.5], "|", color="black", markersize=11, markeredgewidth=1.5, zorder=5)


def _rate_keys(rows):
    """What the legend says: a colour a grid, a stroke a policy, and what the marks are."""
    shapes = {row["dimensions"]: row["shape"] for row in rows if row["cells"] == CELLS}
    line = mpl.lines.Line2D
    yield from (line([], [], color=COLOURS[d], linewidth=2, label=shape) for d, shape in sorted(shapes.items()))
    for policy, (stroke, mark) in STROKES.items():
        yield line([], [], color=GREY, linestyle=stroke, marker=mark, markersize=3, label=policy)
    yield line([], [], color="black", linestyle="", marker="|", markersize=9, markeredgewidth=1.5, label="half are won")
    yield line([], [], color=GREY, linestyle="", marker="^", label="openings stop spanning")


def _draw_midpoints(axes, dimensions, rows):
    """The midpoints of one dimension against the number of cells."""
    sizes = grouped(rows, "cells")
    found = [midpoint(some) for some in sizes.values()]
    cells, middle = [size for (size,) in sizes], np.array([each.midpoint for each in found])
    ends = np.abs(np.array([[each.low, each.high] for each in found]).T - middle)
    axes.errorbar(cells, middle, ends, fmt="-o", color=COLOURS[dimensions], markersize=4, linewidth=1.3, capsize=2)
    axes.annotate(f"{dimensions}-D", (cells[-1], middle[-1]), (6, -3), textcoords="offset points", fontsize="small")


def draw_spanning(found, path):
    """The share of boards with a spanning opening against mine density, a panel for each dimension."""
    figure = Figure((9, 3.4), layout="constrained")
    all_curves = curves_of(found)
    panels = figure.subplots(1, len(all_curves), sharey=True, squeeze=False)[0]
    for axes, (dimensions, curves) in zip(panels, all_curves.items(), strict=True):
        shades = np.linspace(0.35, 1, len(curves))
        for (shape, each), shade in zip(curves.items(), shades, strict=True):
            _draw_share(axes, np.sort(found[shape]), each, _faded(COLOURS[dimensions], shade), f"L = {shape[0]}")
        _draw_limit(axes, limit(curves).limit, name_of("L" * dimensions).replace("x", " x "))
    panels[0].set_ylabel("boards with a spanning opening")
    _finish(figure, path, panels)


def _draw_share(axes, densities, each, colour, label):
    """The share of boards whose threshold is larger, as steps."""
    share = 1 - np.arange(len(densities) + 1) / len(densities)
    axes.step(np.append(0, densities), share, where="post", color=colour, linewidth=1.4, label=label)
    axes.plot([each.midpoint], [0.5], "o", color=colour, markersize=3.5)


def _draw_limit(axes, place, title):
    """The limit of large grids with its interval, and what belongs to the panel."""
    axes.axvspan(place.low, place.high, color="black", alpha=0.15, linewidth=0)
    axes.axvline(place.value, color="black", linewidth=0.8)
    span = 0.03 if title.count("L") > 2 else 0.02
    axes.set(xlabel="mines per cell", xlim=(place.value - span, place.value + span), ylim=(0, 1))
    axes.set_title(f"{title}: limit {place.value:.4f}", fontsize="medium", loc="left")
    axes.legend(frameon=False, fontsize="small", loc="upper right", handlelength=1.2)


def _faded(colour, share):
    """A colour mixed with white."""
    return tuple(share * part + 1 - share for part in mpl.colors.to_rgb(colour))


def _finish(figure, path, shares):
    """Percent where shares are drawn, no frames, and the file."""
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.25)
        axes.set_axisbelow(True)
    for axes in shares:
        axes.yaxis.set_major_formatter(mpl.ticker.PercentFormatter(1))
    figure.savefig(path, dpi=110)
