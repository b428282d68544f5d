"""The tables of the study, as lines of Markdown, from its two files of results."""

import csv
from itertools import groupby

from spanning import curve, limit, name_of

import ndsweep as nd

KNOWN = {2: "0.0955 ± 0.0010", 3: "0.089 ± 0.002"}  # measured before, by a program of its own
NU = {2: -0.75, 3: -1.14, 4: -1.46}  # -1/nu of percolation: how fast widths vanish
MIDDLE = (0.15, 0.85)  # win rates that are fitted: further off they are not logistic
CELLS = 4096


def read_table(path):
    """The rows of the table of a study, with numbers where they are needed."""
    kinds = dict.fromkeys(("dimensions", "cells", "games", "wins"), int)
    kinds |= dict.fromkeys(("length", "density", "win_rate", "low", "high"), float)
    with open(path, encoding="utf-8", newline="") as file:
        return [{name: kinds.get(name, str)(value) for name, value in row.items()} for row in csv.DictReader(file)]


def grouped(rows, *names):
    """The rows that share these columns, by their values."""

    def values(row):
        return tuple(row[name] for name in names)

    return {key: list(some) for key, some in groupby(sorted(rows, key=values), key=values)}


def midpoint(rows):
    """The logistic curve through the win rates around one half."""
    middle = [row for row in rows if MIDDLE[0] <= row["win_rate"] <= MIDDLE[1]]
    return nd.fit_transition(*([row[name] for row in middle] for name in ("density", "wins", "games")))


def scaling(rows):
    """How the midpoints and widths of one dimension and policy change with the size."""
    sizes = grouped(rows, "length")
    return nd.fit_scaling([length for (length,) in sizes], [midpoint(some) for some in sizes.values()])


def win_lines(rows):
    """The table of midpoints at equal numbers of cells."""
    yield "| grid | policy | mines a cell at 50 % wins | width | dispersion |"
    yield "|---|---|---|---|---|"
    same = grouped([row for row in rows if row["cells"] == CELLS], "dimensions", "policy")
    for (_, policy), some in sorted(same.items(), key=lambda one: (one[0][1] != "single-point", one[0][0])):
        found = midpoint(some)
        place = f"{found.midpoint:.4f} ({found.low:.4f} to {found.high:.4f})"
        yield f"| {some[0]['shape']} | {policy} | {place} | {found.width:.4f} | {found.dispersion:.1f} |"


def scaling_lines(rows):
    """The table of midpoints by size, and the powers of the size that they follow."""
    yield "| dimensions | sizes | midpoints | midpoint ~ L^a, a = | width ~ L^a, a = |"
    yield "|---|---|---|---|---|"
    for (dimensions,), some in grouped([row for row in rows if row["policy"] == "single-point"], "dimensions").items():
        sizes, law = grouped(some, "length"), scaling(some)
        lengths = ", ".join(f"{length:.0f}" for (length,) in sizes)
        places = ", ".join(f"{midpoint(each).midpoint:.4f}" for each in sizes.values())
        powers = " | ".join(f"{a.value:.2f} ({a.low:.2f} to {a.high:.2f})" for a in exponents(law))
        yield f"| {dimensions} | {lengths} | {places} | {powers} |"


def exponents(law):
    """Those of the midpoint and of the width."""
    return law.midpoint_exponent, law.width_exponent


def spanning_lines(found):
    """The table of sizes: where half of the boards span."""
    yield "| grid | boards | mines a cell where half of them span | width |"
    yield "|---|---|---|---|"
    for shape, densities in found.items():
        each = curve(densities)
        place = f"{each.midpoint:.4f} ({each.low:.4f} to {each.high:.4f})"
        yield f"| {name_of(shape)} | {len(densities)} | {place} | {each.width:.4f} |"


def limit_lines(found):
    """The table of limits of large grids, beside what is known."""
    yield "| dimensions | limit of large grids | without the smallest size | known | width ~ L^a, a = | -1/nu |"
    yield "|---|---|---|---|---|---|"
    for dimensions, curves in curves_of(found).items():
        law, larger = limit(curves), limit(dict(list(curves.items())[1:]))
        power = law.width_exponent
        known = KNOWN.get(dimensions, "")
        yield (
            f"| {dimensions} | {_interval(law.limit)} | {_interval(larger.limit)} | {known} "
            f"| {power.value:.2f} ({power.low:.2f} to {power.high:.2f}) | {NU[dimensions]} |"
        )


def curves_of(found):
    """The curves by dimension and shape, in order of size."""
    result = {}
    for shape, densities in sorted(found.items(), key=lambda one: (len(one[0]), one[0])):
        result.setdefault(len(shape), {})[shape] = curve(densities)
    return result


def _interval(estimate):
    return f"{estimate.value:.4f} ({estimate.low:.4f} to {estimate.high:.4f})"


def lines(rows, found):
    """All tables, with empty lines between them."""
    for table in (win_lines(rows), scaling_lines(rows), spanning_lines(found), limit_lines(found)):
        yield from table
        yield ""
