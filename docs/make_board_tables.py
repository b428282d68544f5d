"""Prints the tables of docs/boards.md: published numbers beside ours, and standard boards in three and four dimensions.

    python docs/make_board_tables.py [boards]

A million boards of each kind by default, in two processes; a minute or two.
"""

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from math import prod, sqrt
from pathlib import Path

import numpy as np
from scipy.stats import chi2

import ndsweep as nd

ROOT = Path(__file__).parent.parent
PUBLISHED = json.loads((ROOT / "tests" / "data" / "mc_3bv.json").read_text(encoding="utf-8"))["boards"]
SEED = 2026
TAILS = (("P(3BV < 120)", 0, 120), ("P(3BV > 230)", 231, None), ("P(3BV > 240)", 241, None))
LIKE = ((nd.BEGINNER, "beginner"), (nd.INTERMEDIATE, "intermediate"), (nd.EXPERT, "expert"))
ELSEWHERE = (nd.Spec((10, 10, 10), 99), nd.Spec((4, 4, 4, 4), 30))
_LEAST = 20  # boards in a bin of a chi-square test


def survey(spec, boards, executor):
    """The statistics of so many boards, without rows."""
    return nd.board_stats(spec, boards, SEED, executor=executor, rows=False)


def row(*cells):
    """Prints a row of a table."""
    print("|", " | ".join(map(str, cells)), "|")


def head(*names):
    """Prints the head of a table."""
    row(*names)
    row(*("---" for _ in names))


def with_error(mean, error):
    """A mean and its standard error."""
    return f"{mean:.4f} ± {error:.4f}"


def published_table(boards, executor):
    """Each mean as published and as found, with the standard error of ours and how many errors they are apart."""
    head("board", "number", "published", "ours", "errors apart")
    for theirs in PUBLISHED:
        spec = nd.Spec((theirs["H"], theirs["W"]), theirs["M"])
        stats, name = survey(spec, boards, executor), f"{theirs['W']}x{theirs['H']}/{theirs['M']}"
        for ours, key in (
            ("bbbv", "mean3bv"),
            ("openings", "meanOpenings"),
            ("zeros", "meanZeros"),
            ("isolated", "meanIsolatedNumbers"),
        ):
            found = stats.describe()[ours]
            apart = (found["mean"] - theirs[key]) / (found["sd"] * sqrt(1 / boards + 1 / theirs["N"]))
            row(name, f"mean {ours}", f"{theirs[key]:.4f}", with_error(found["mean"], found["se"]), f"{apart:+.1f}")
        chi_square, freedom = compared(theirs, stats.histogram("bbbv"))
        row(
            name,
            "3BV, chi-square",
            f"{freedom} degrees of freedom",
            f"{chi_square:.1f}",
            f"p = {chi2.sf(chi_square, freedom):.2f}",
        )
        if spec == nd.EXPERT:
            tails(theirs, stats.histogram("bbbv"), name)


def tails(theirs, ours, name):
    """The shares of expert boards with very small and very large 3BV."""
    for what, low, high in TAILS:
        published = share_of({int(value): count for value, count in theirs["hist"].items()}, low, high)
        found = share_of(dict(zip(ours.values.tolist(), ours.counts.tolist(), strict=True)), low, high)
        error = sqrt(found * (1 - found) / ours.total)
        apart = (found - published) / sqrt(error**2 + published * (1 - published) / theirs["N"])
        row(name, what, f"{published:.3e}", f"{found:.3e} ± {error:.0e}", f"{apart:+.1f}")


def share_of(histogram, low, high):
    """The share of boards from one number on, up to another."""
    inside = (count for value, count in histogram.items() if low <= value and (high is None or value < high))
    return sum(inside) / sum(histogram.values())


def compared(theirs, ours):
    """The chi-square of two samples of 3BV, and its degrees of freedom."""
    published = {int(value): count for value, count in theirs["hist"].items()}
    found = dict(zip(ours.values.tolist(), ours.counts.tolist(), strict=True))
    bins, pair = [], np.zeros(2)
    for value in sorted(published.keys() | found.keys()):
        pair += published.get(value, 0), found.get(value, 0)
        if pair.min() >= _LEAST:
            bins.append(pair)
            pair = np.zeros(2)
    bins[-1] = bins[-1] + pair
    a, b = np.array(bins).T
    scale = sqrt(b.sum() / a.sum())
    return float(((a * scale - b / scale) ** 2 / (a + b)).sum()), len(bins) - 1


def standard_boards():
    """For each preset the cubes with the nearest number of cells, with mines for as large a share of zeros."""
    for preset, name in LIKE:
        wanted = nd.expected(preset).zeros / preset.size
        for ndim in (3, 4):
            side = min(range(2, 20), key=lambda n: abs(n**ndim - preset.size))
            specs = [nd.Spec((side,) * ndim, mines) for mines in range(1, prod((side,) * ndim) // 4)]
            yield name, min(specs, key=lambda spec: abs(nd.expected(spec).zeros / spec.size - wanted))


def standard_table(boards, executor):
    """A row for each standard board, and for two that others have measured."""
    head(
        "board",
        "as open as",
        "mean 3BV",
        "3BV 1 % .. 99 %",
        "openings",
        "largest opening",
        "zeros",
        "zeros, exact",
        "islands",
        "largest hint",
    )
    for name, spec in [*standard_boards(), *(("", spec) for spec in ELSEWHERE)]:
        stats = survey(spec, boards, executor)
        found = stats.describe()
        largest = max(int(key[5:]) for key in found if key.startswith("hint_") and found[key]["max"])
        row(
            f"{'x'.join(map(str, spec.shape))}/{spec.mines}",
            name,
            with_error(found["bbbv"]["mean"], found["bbbv"]["se"]),
            f"{found['bbbv']['1%']} .. {found['bbbv']['99%']}",
            *(with_error(found[key]["mean"], found[key]["se"]) for key in ("openings", "largest_opening", "zeros")),
            f"{float(nd.expected(spec).zeros):.4f}",
            with_error(found["islands"]["mean"], found["islands"]["se"]),
            largest,
        )


def main(boards="1000000"):
    """Prints both tables."""
    count = int(boards)
    with ProcessPoolExecutor(2) as executor:
        print(f"{count:,} boards of each kind, seed {SEED}.\n")
        published_table(count, executor)
        print()
        standard_table(count, executor)


if __name__ == "__main__":
    main(*sys.argv[1:])
