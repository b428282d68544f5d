"""Prints the table of docs/optimal.md: exact chances of best play on small grids, beside a policy that guesses.

    python docs/make_optimal_table.py

Two minutes.
"""

import ndsweep as nd

GRIDS = {
    (8,): (2, 3),
    (12,): (2, 4),
    (16,): (4, 6),
    (3, 3): (2, 3, 4),
    (3, 4): (3, 4),
    (4, 4): (2, 3, 4, 5, 6, 8),
    (4, 5): (3, 4),
    (6, 6): (2, 3),
    (2, 2, 3): (2, 3),
    (2, 3, 3): (2, 4),
    (3, 3, 3): (2, 3),
    (2, 2, 2, 2): (2,),
    (2, 2, 2, 3): (2, 3),
    (2, 2, 3, 3): (2,),
    (3, 3, 3, 3): (2,),
}
GAMES, SEED = 200_000, 2026


def row(*cells):
    """Prints a row of a table."""
    print("|", " | ".join(map(str, cells)), "|")


def best_of(shape, mines, first):
    """The chance of best play as a fraction and a number, and the best first cell."""
    try:
        best = nd.optimal(nd.Spec(shape, mines, first))
    except nd.SpecError:
        return "-", "-"
    rate, cell = best.win_rate, ", ".join(map(str, best.first_cell))
    return f"{rate} = {float(rate):.4f}" if rate.denominator > 1 else str(rate), cell


def main():
    """Prints the table."""
    row("grid", "any", "safe", "from", "opening", "from", "safe, the policy pairs")
    row(*("---" for _ in range(7)))
    for shape, all_mines in GRIDS.items():
        for mines in all_mines:
            any_chance, _ = best_of(shape, mines, "any")
            found = any_chance, *best_of(shape, mines, "safe"), *best_of(shape, mines, "opening")
            played = nd.simulate(nd.Spec(shape, mines), GAMES, "pairs", SEED).win_rate
            row(f"{'x'.join(map(str, shape))}/{mines}", *found, f"{played:.4f}")


if __name__ == "__main__":
    main()
