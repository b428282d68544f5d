"""What the pointers of the cells say: where the game lay when they were written, and how it was lost.

The first cell is a neighbour of the second, which is the first of its neighbours.  So its
smallest pointer tells where the cells began, in a copy too.
"""

from __future__ import annotations

import numpy as np

from ndsweep.interop.cells import Cells


def start(cells: Cells) -> int:
    """The address of the first cell when the pointers were written."""
    count = int(cells["num_adjacent"][0])
    return int(cells["adjacent"][0, :count].min()) - cells.itemsize if count else int(cells.ctypes.data)


def link(cells: Cells, moved: int) -> None:
    """Moves every pointer by so many bytes."""
    pointers = cells["adjacent"]
    np.add(pointers, np.uintp(moved % (1 << 8 * pointers.itemsize)), out=pointers, where=pointers != 0)


def lose(cells: Cells, index: int) -> None:
    """Selects a mine, and keeps where it lies in the first free pointer of the first cell."""
    cells["selected"][index] = 1
    count = int(cells["num_adjacent"][0])
    if not _all_meet(cells, count):
        cells["adjacent"][0, count] = start(cells) + index * cells.itemsize


def is_lost(cells: Cells) -> bool:
    """Whether a mine is selected, without a look at every cell."""
    count = int(cells["num_adjacent"][0])
    if _all_meet(cells, count):
        return bool(((cells["mined"] != 0) & (cells["selected"] != 0)).any())
    index, rest = divmod(int(cells["adjacent"][0, count]) - start(cells), cells.itemsize)
    if rest or not 0 <= index < cells.size:
        return False  # NULL, or what lay in memory that C left as it was
    return bool(cells["mined"][index] and cells["selected"][index])


def _all_meet(cells: Cells, count: int) -> bool:
    """Whether the grid is so small that every cell neighbours the first, which then may have no free pointer."""
    return count + 1 == cells.size
