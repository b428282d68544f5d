"""Best play once more, from the rules of the game alone: every cell is tried in every position, floods and all.

Nothing here comes from ndsweep.  Layouts are frozen sets of mines, a position is the layouts that are
left and the cells that are open, and no cell is taken for better than another before it is tried.
"""

from functools import cache
from itertools import combinations

from reference import LOST, WON, ReferenceGame, cells_of, hints_of, satisfies


@cache
def layouts_of(shape, mines):
    """All layouts with so many mines."""
    return [frozenset(layout) for layout in combinations(cells_of(shape), mines)]


@cache
def hints(shape, layout):
    return hints_of(shape, layout)


@cache
def opened_by(shape, layout, cell):
    """What a click opens in a layout, floods and all; None where it loses."""
    game = ReferenceGame(shape, layout)
    game.reveal(cell)
    return None if game.status == LOST else frozenset(game.opened)


def is_won(shape, layout, opened):
    return len(opened) + len(layout) == len(cells_of(shape))


def after(shape, layouts, opened, cell):
    """What a click makes of a position: how many layouts it wins, and the positions of which it may be any."""
    won, seen = 0, {}
    for layout in layouts:
        fresh = opened_by(shape, layout, cell)
        if fresh is None:
            continue
        now = opened | fresh
        if is_won(shape, layout, now):
            won += 1
            continue
        view = frozenset((place, hints(shape, layout)[place]) for place in now)
        seen.setdefault((now, view), set()).add(layout)
    return won, [(frozenset(left), now) for (now, _), left in seen.items()]


@cache
def most_won(shape, layouts, opened):
    """How many layouts of a position best play wins."""
    return max(won_by(shape, layouts, opened, cell) for cell in cells_of(shape) if cell not in opened)


def won_by(shape, layouts, opened, cell):
    """How many layouts of a position are won by a click and best play after it."""
    won, positions = after(shape, layouts, opened, cell)
    return won + sum(most_won(shape, *position) for position in positions)


def won_from(shape, mines, rule, first_cell):
    """How many layouts are won from a first cell, and how many the first-click rule allows."""
    allowed = frozenset(layout for layout in layouts_of(shape, mines) if satisfies(shape, layout, first_cell, rule))
    if mines == len(cells_of(shape)):
        assert all(ReferenceGame(shape, layout).status == WON for layout in allowed)
        return len(allowed), len(allowed)
    return won_by(shape, allowed, frozenset(), first_cell), len(allowed)
