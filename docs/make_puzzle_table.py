"""Prints the table of docs/puzzles.md: the share of layouts that can be opened without a guess.

    python docs/make_puzzle_table.py [layouts]

Ten thousand layouts of each kind by default, a hundred times as many for the rarest; some minutes on one core.
"""

import sys
import time
from math import sqrt

import ndsweep as nd
from ndsweep.solver.search import SOLVABLE, solvable_games

SPECS = [
    (nd.BEGINNER, "beginner"),
    (nd.INTERMEDIATE, "intermediate"),
    (nd.EXPERT, "expert"),
    (nd.Spec((4, 4, 4), 4), ""),
    (nd.Spec((6, 6, 6), 16), ""),
    (nd.Spec((8, 8, 8), 48), ""),
    (nd.Spec((10, 10, 10), 99), ""),
    (nd.Spec((3, 3, 3, 3), 3), ""),
    (nd.Spec((4, 4, 4, 4), 9), ""),
    (nd.Spec((5, 5, 5, 5), 29), ""),
]
SEED = 2026
_MORE = 100  # times as many layouts where the share is small and the search is quick
_FEW = 30


def measured(spec, rules, layouts):
    """The share of solvable layouts, as a percentage with its standard error, and the time that each layout takes."""
    started = time.perf_counter()
    found = len(solvable_games(spec, rules, SEED, 0, layouts, 0))
    seconds = time.perf_counter() - started
    if found < _FEW and seconds < 5 and layouts < 1_000_000:
        return measured(spec, rules, layouts * _MORE)
    share = found / layouts
    error = sqrt(max(share * (1 - share), 1 / layouts) / layouts)
    digits = 2 if share > 0.01 else 4
    text = f"{share:.{digits}%} ± {100 * error:.{digits}f}".replace("%", " %") if found else f"none of {layouts:,}"
    return text, seconds / layouts


def main(layouts="10000"):
    """Prints the table."""
    print("| board | first cell |", *(f"{rules} | μs |" for rules in SOLVABLE))
    print("|---|---|" + "---|---|" * len(SOLVABLE))
    for spec, name in SPECS:
        for first in ("safe", "opening"):
            kind = nd.Spec(spec.shape, spec.mines, first)
            board = f"{'x'.join(map(str, spec.shape))}/{spec.mines}" + (f" {name}" if name else "")
            cells = (measured(kind, rules, int(layouts)) for rules in SOLVABLE)
            texts = (f"{share} | {seconds * 1e6:,.0f} |" for share, seconds in cells)
            print(f"| {board} | {first} |", *texts, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
