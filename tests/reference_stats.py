"""The numbers of a layout in plain loops: the independent answer that counting code is judged by.

Written from the definitions of section 2 of the contract on top of tests/reference.py.  Nothing of
``ndsweep`` is used.
"""

from reference import cells_of, connected, hints_of, neighbours, openings_of


def zeros_of(shape, mines):
    """The safe cells with hint 0."""
    hints = hints_of(shape, mines)
    return {cell for cell in cells_of(shape) if cell not in mines and hints[cell] == 0}


def border_of(shape, opening):
    """The cells beside an opening; all of them are numbers."""
    return {c for cell in opening for c in neighbours(shape, cell)} - opening


def isolated_numbers(shape, mines):
    """The safe cells with hint > 0 that no opening opens: none of their neighbours is a zero."""
    zeros = zeros_of(shape, mines)
    numbers = {cell for cell in cells_of(shape) if cell not in mines and cell not in zeros}
    return {cell for cell in numbers if not zeros & set(neighbours(shape, cell))}


def bbbv(shape, mines):
    """3BV: the fewest reveals without flags that win, one an opening and one an isolated number."""
    return len(openings_of(shape, mines)) + len(isolated_numbers(shape, mines))


def islands(shape, mines):
    """The connected groups of isolated numbers, a set of cells each, in C order of their first cells."""
    left = isolated_numbers(shape, mines)
    groups = []
    while left:
        groups.append(connected(shape, left, min(left)))
        left -= groups[-1]
    return groups


def hint_histogram(shape, mines):
    """How many safe cells have hint 0, 1, ... up to 3^n - 1."""
    hints = hints_of(shape, mines)
    counts = [0] * 3 ** len(shape)
    for cell in cells_of(shape):
        if cell not in mines:
            counts[hints[cell]] += 1
    return counts


def opening_sizes(shape, mines):
    """The number of zeros of each opening, in C order of their first cells."""
    return [len(opening) for opening in openings_of(shape, mines)]
