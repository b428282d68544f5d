"""Prints the tables of docs/winning.md: how often the policies win, beside published figures, in 2-D to 4-D.

    python docs/make_win_rates.py [games [processes]]

A hundred thousand games of each kind by default, fewer of the slowest; an hour in two processes.
"""

import sys
from concurrent.futures import ProcessPoolExecutor

import ndsweep as nd

SEED = 2026
# board, its best first cell, and the share of wins in per cent that published solvers reach from there
PUBLISHED = (
    (nd.Spec((8, 8), 10, "safe"), (0, 0), 81.6),
    (nd.Spec((9, 9), 10, "safe"), (0, 0), 91.7),
    (nd.Spec((16, 16), 40, "safe"), (0, 0), 78.1),
    (nd.Spec((16, 30), 99, "safe"), (0, 0), 39.6),
    (nd.Spec((8, 8), 10, "opening"), (2, 2), 90.1),
    (nd.Spec((9, 9), 10, "opening"), (2, 2), 97.1),
    (nd.Spec((16, 16), 40, "opening"), (3, 3), 88.9),
    (nd.Spec((16, 30), 99, "opening"), (3, 3), 52.8),
)
BEYOND = (
    (nd.Spec((4, 4, 4), 4), (1, 1, 0.2, 0.2)),
    (nd.Spec((6, 6, 6), 16), (1, 1, 0.2, 0.2)),
    (nd.Spec((8, 8, 8), 48), (0.2, 0.2, 0.2, 0.01)),
    (nd.Spec((3, 3, 3, 3), 3), (1, 1, 0.2, 0.2)),
    (nd.Spec((4, 4, 4, 4), 9), (1, 1, 0.2, 0.2)),
    (nd.Spec((5, 5, 5, 5), 29), (0.2, 0.2, 0.05, 0.05)),
)
"""Boards, and which part of the games each of the policies plays."""
POLICIES = ("single-point", "pairs", "exact", "exact+")


def head(*names):
    """Prints the head of a table."""
    row(*names)
    row(*("---" for _ in names))


def row(*cells):
    """Prints a row of a table."""
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def share(spec, policy, games, first_cell, executor):
    """The share of wins in per cent, with its interval, and the games that were played for it."""
    result = nd.simulate(spec, games, policy, SEED, first_cell=first_cell, executor=executor)
    low, high = result.interval()
    return f"{100 * result.win_rate:.2f} ({100 * low:.2f} to {100 * high:.2f})"


def name(spec):
    """A board as 16x30/99."""
    return f"{'x'.join(map(str, spec.shape))}/{spec.mines}"


def main():
    """Prints both tables."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with ProcessPoolExecutor(int(sys.argv[2]) if len(sys.argv) > 2 else 2) as executor:
        head("board", "first click", "first cell", "published", "exact", "exact+")
        for spec, cell, published in PUBLISHED:
            found = (share(spec, policy, games, cell, executor) for policy in ("exact", "exact+"))
            row(name(spec), spec.first, cell, published, *found)
        print()
        head("board", *POLICIES)
        for spec, parts in BEYOND:
            numbers = (int(games * part) for part in parts)
            row(name(spec), *(share(spec, *both, "corner", executor) for both in zip(POLICIES, numbers, strict=True)))


if __name__ == "__main__":
    main()
