"""What the pointers of the cells say: where the game lay when they were written.

The second cell is the first neighbour of the first one.  So the smallest pointer of that tells
where the cells began, in a copy too.
"""

from __future__ import annotations

import numpy as np

from ndsweep.interop.cells import Cells
from ndsweep.spec import SpecError


def start(cells: Cells) -> int:
    """The address of the first cell when the pointers were written; SpecError if they never were."""
    if cells["coords"][0].any():
        raise SpecError(f"game must begin with its first cell. Got the one at {tuple(cells['coords'][0].tolist())}.")
    count = int(cells["num_adjacent"][0])
    near = cells["adjacent"][0, : max(count, 0)]
    if cells.size == 1 and count == 0:
        return int(cells.ctypes.data)
    if not 0 < count <= cells["adjacent"].shape[1] or int(near.min()) < cells.itemsize:
        raise SpecError("game must be set up by init_game. Got cells without neighbours.")
    return int(near.min()) - cells.itemsize


def link(cells: Cells, moved: int) -> None:
    """Moves every pointer by so many bytes."""
    pointers = cells["adjacent"]
    np.add(pointers, np.uintp(moved % (1 << 8 * pointers.itemsize)), out=pointers, where=pointers != 0)
