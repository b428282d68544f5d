"""Greedy ZiNi again in plain Python: it plays the game of tests/reference.py, and counts its clicks.

Nothing here comes from ndsweep.  All premiums are counted anew before every click.
"""

from itertools import permutations, product

from reference import PLAYING, ReferenceGame, cells_of, neighbours, openings_of


def box(shape, cell):
    """A cell and its neighbours."""
    return {cell, *neighbours(shape, cell)}


def bbbv_parts(shape, mines):
    """What takes a click each without flags: the openings, and every other number beside none of them, as sets."""
    openings = openings_of(shape, mines)
    shown = {cell for opening in openings for zero in opening for cell in box(shape, zero)}
    return [*openings, *({cell} for cell in cells_of(shape) if cell not in mines and cell not in shown)]


def bbbv(shape, mines):
    return len(bbbv_parts(shape, mines))


def premium(game, parts, cell):
    """What it saves to flag the mines around a cell and to chord there, beside a click for each part."""
    around = box(game.shape, cell)
    adjacent = sum(bool(part & around) and not part & game.opened for part in parts)
    return adjacent - len((around & game.mines) - game.flags) - (cell not in game.opened) - 1


def solve(game, cell):
    """Opens a cell if it is closed, flags the mines around it, chords; the number of clicks."""
    clicks = 1
    if cell not in game.opened:
        game.reveal(cell)
        clicks += 1
    for mine in (box(game.shape, cell) & game.mines) - game.flags:
        game.flag(mine)
        clicks += 1
    game.chord(cell)
    return clicks


def zini(shape, mines, order=None):
    """The clicks until all safe cells are open; ``order`` is the sequence of cells that decides ties."""
    game, parts, clicks = ReferenceGame(shape, mines), bbbv_parts(shape, mines), 0
    order = [cell for cell in order or cells_of(shape) if cell not in mines]
    while game.status == PLAYING:
        premiums = [premium(game, parts, cell) for cell in order]
        if max(premiums) >= 0:
            clicks += solve(game, order[premiums.index(max(premiums))])
        else:
            one_each = set().union(*parts)
            game.reveal(next(cell for cell in order if cell in one_each and cell not in game.opened))
            clicks += 1
    return clicks


def orders_of(shape):
    """Every order that runs through the axes one within the other, each forwards or backwards."""
    for axes in permutations(range(len(shape))):
        for signs in product((1, -1), repeat=len(shape)):
            yield sorted(cells_of(shape), key=lambda cell: [signs[axis] * cell[axis] for axis in axes])


def zinis(shape, mines):
    """The ZiNi of every scan order."""
    return [zini(shape, mines, order) for order in orders_of(shape)]
