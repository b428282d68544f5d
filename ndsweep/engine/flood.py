"""The region of one cell, found in a window that grows until the region lies within.

So a flood costs what it opens, and not what the grid holds.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from ndsweep.engine.grid import Bools, Slices, dilate, label
from ndsweep.engine.sweeps import LEAST_SLAB, swept

_SOON_WHOLE = 8  # a window of an eighth of the grid would cost as much as it could save
_MOST_JOINS = 3
_FIRST_WINDOW = 1024  # cells, about; a call of `ndimage.label` costs as much anyhow


def flood(shape: tuple[int, ...], cell: tuple[int, ...], passable: Callable[[Slices], Bools]) -> tuple[Slices, Bools]:
    """What a flood from a passable cell reaches: the connected passable cells and their neighbours.

    ``passable`` gives the mask of a box of the grid.  The answer is a box and the mask of
    the reached cells in it.
    """
    reach = max(1, round(_FIRST_WINDOW ** (1 / len(shape))) // 2)
    window = tuple(slice(max(x - reach, 0), min(x + reach + 1, n)) for x, n in zip(cell, shape, strict=True))
    while True:
        reached = _reached(passable(window), _within(window, cell))
        larger = _grown(shape, window, reached)
        if larger == window:
            return window, reached
        window = larger


def _within(box: Slices, cell: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(x - side.start for x, side in zip(cell, box, strict=True))


def _reached(mask: Bools, cell: tuple[int, ...]) -> Bools:
    """The connected region of a cell in a mask, with all its neighbours."""
    found = swept(mask, cell) if mask[0].size >= LEAST_SLAB else None
    return _labelled(mask, cell) if found is None else found


def _labelled(mask: Bools, cell: tuple[int, ...]) -> Bools:
    """The same for a region in few cells, or one that winds.

    Regions that meet at faces are labelled, which is several times faster than with all
    3**n - 1 neighbours; those that touch this one elsewhere are joined to it after that, while
    they are few.
    """
    from scipy import ndimage

    labels, count = ndimage.label(mask)
    region = labels == labels[cell]
    for _ in range(_MOST_JOINS):
        reached = dilate(region)
        touched = labels[reached & mask & ~region]
        if not touched.size:
            return reached
        joined = np.zeros(count + 1, dtype=np.bool_)
        joined[touched] = True
        region |= joined[labels]
    labels, count = label(mask)
    return dilate(labels == labels[cell])


def _grown(shape: tuple[int, ...], window: Slices, reached: Bools) -> Slices:
    """The window, larger by its own size on each side where what is reached touches it; soon the whole grid."""
    sides = []
    for axis, (side, n) in enumerate(zip(window, shape, strict=True)):
        first, last = (bool(reached[(slice(None),) * axis + (k,)].any()) for k in (0, -1))
        size = side.stop - side.start
        sides.append(slice(max(side.start - size * first, 0), min(side.stop + size * last, n)))
    grown = tuple(sides)
    if grown != window and _SOON_WHOLE * prod(side.stop - side.start for side in grown) > prod(shape):
        return tuple(slice(0, n) for n in shape)
    return grown
