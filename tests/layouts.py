"""The layouts of mines that fit a view, and whether any satisfies a few numbers: plain loops, without ndsweep."""

from itertools import product

from reference import FLAG, HIDDEN, MINE, cells_of, hints_of, neighbours


def unknown_cells(view, trust_flags=False):
    """The cells that may or may not hold a mine, in C order."""
    codes = (HIDDEN,) if trust_flags else (HIDDEN, FLAG)
    return [cell for cell in cells_of(view.shape) if view[cell] in codes]


def shown_mines(view, trust_flags=False):
    """The cells whose mines the view itself shows."""
    codes = (MINE, FLAG) if trust_flags else (MINE,)
    return {cell for cell in cells_of(view.shape) if view[cell] in codes}


def layouts_of(view, mines=None, trust_flags=False):
    """Every layout that fits, as a set of mines; with so many mines if they are given."""
    unknown, shown = unknown_cells(view, trust_flags), shown_mines(view, trust_flags)
    for bits in product((False, True), repeat=len(unknown)):
        where = shown | {cell for cell, mined in zip(unknown, bits, strict=True) if mined}
        if mines is None or len(where) == mines:
            hints = hints_of(view.shape, where)
            if all(hints[cell] == view[cell] for cell in cells_of(view.shape) if view[cell] >= 0):
                yield where


def is_possible(view, numbers, mines, safe, total=None, trust_flags=False):
    """Whether some layout satisfies these numbers, with mines here, none there, and so many in all.

    The cells are decided one after the other; all that is remembered is what the numbers then
    lack, and how many mines there are.
    """
    mines, safe = set(mines) | shown_mines(view, trust_flags), set(safe)
    around = [set(neighbours(view.shape, number)) for number in numbers]
    lacks = tuple(int(view[number]) - len(near & mines) for number, near in zip(numbers, around, strict=True))
    undecided = [cell for cell in unknown_cells(view, trust_flags) if cell not in mines and cell not in safe]
    asked = [cell for cell in undecided if any(cell in near for near in around)]
    free = len(undecided) - len(asked)
    to_come = [len(near & set(asked)) for near in around]
    if mines & safe or any(not 0 <= lack <= cells for lack, cells in zip(lacks, to_come, strict=True)):
        return False
    states = {(lacks, len(mines))}
    for cell in asked:
        seen = [cell in near for near in around]
        to_come = [cells - sees for cells, sees in zip(to_come, seen, strict=True)]
        with_mine = {
            (tuple(lack - sees for lack, sees in zip(lacks, seen, strict=True)), count + 1) for lacks, count in states
        }
        states = {
            (lacks, count)
            for lacks, count in states | with_mine
            if all(0 <= lack <= cells for lack, cells in zip(lacks, to_come, strict=True))
        }
    return any(total is None or 0 <= total - count <= free for _, count in states)
