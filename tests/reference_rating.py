"""Ratings in plain loops: the rules of `reference`, and every layout that fits where they are stuck.

Nothing here comes from ndsweep.  It is for grids on which all layouts can be written down.
"""

from functools import cache
from itertools import combinations

from reference import FLAG, HIDDEN, PLAYING, ReferenceGame, cells_of, hints_of, pairs, single_point


@cache
def layouts_with_hints(shape, mines):
    """Every layout of so many mines, and the hints of its safe cells."""
    every = []
    for layout in combinations(cells_of(shape), mines):
        hints = hints_of(shape, set(layout))
        every.append((frozenset(layout), {cell: hint for cell, hint in hints.items() if cell not in layout}))
    return every


@cache
def fitting(shape, mines, shown):
    """The layouts that show what is open: pairs of a cell and its number."""
    return [mined for mined, hints in layouts_with_hints(shape, mines) if all(hints.get(c) == n for c, n in shown)]


def all_layouts(shape, mines, view):
    """The layouts of so many mines that fit a view; flags are left aside."""
    return fitting(shape, mines, frozenset((cell, code) for cell, code in view.items() if code >= 0))


def by_count(shape, view, mines):
    """All other cells are safe once all mines have flags."""
    hidden = {cell for cell, code in view.items() if code == HIDDEN}
    return set(), hidden if sum(code == FLAG for code in view.values()) == mines else set()


def by_all_layouts(shape, view, mines):
    """What every layout that fits has in common."""
    fit = all_layouts(shape, mines, view)
    hidden = {cell for cell, code in view.items() if code == HIDDEN}
    return {c for c in hidden if all(c in m for m in fit)}, {c for c in hidden if all(c not in m for m in fit)}


PROVERS = {
    "single": lambda shape, view, mines: single_point(shape, view),
    "pairs": lambda shape, view, mines: pairs(shape, view),
    "count": by_count,
    "exact": by_all_layouts,
}
LEVELS = ("none", *PROVERS, "guess")


def rated(shape, mines, first_cell, rules=tuple(PROVERS)):
    """How many guesses the rules leave to a board, and the hardest of them that opened something."""
    game, guesses, hardest = ReferenceGame(shape, mines), 0, "none"
    game.reveal(first_cell)
    while game.status == PLAYING:
        view = {cell: game.code(cell) for cell in cells_of(shape)}
        for rule in rules:
            mined, safe = PROVERS[rule](shape, view, len(mines))
            if mined or safe:
                break
        else:
            rule, mined, safe = "guess", set(), {likeliest(shape, view, mines)}
            guesses += 1
        hardest = max(hardest, rule, key=LEVELS.index)
        for cell in mined:
            game.flag(cell)
        for cell in safe:
            game.reveal(cell)
    return guesses, hardest


def likeliest(shape, view, mines):
    """The safe hidden cell that is a mine in the fewest layouts, the first in C order among equals."""
    fit = all_layouts(shape, len(mines), view)
    safe = [cell for cell in cells_of(shape) if view[cell] == HIDDEN and cell not in mines]
    return min(safe, key=lambda cell: (sum(cell in layout for layout in fit), cell))
