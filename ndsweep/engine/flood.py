"""The region of one cell, found in a window that grows until the region lies within.

So a flood costs what it opens, and not what the grid holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

from ndsweep.engine.grid import Bools, Slices, dilate
from ndsweep.engine.labels import label
from ndsweep.engine.sweeps import LEAST_SLAB, Sweeps

Part = tuple[Slices, Bools]

_SOON_WHOLE = 8  # a window of an eighth of the grid would cost as much as it could save
_FIRST_WINDOW = 1024  # cells, about; a call of `label` costs as much anyhow


def flood(shape: tuple[int, ...], cell: tuple[int, ...], passable: Callable[[Slices], Bools]) -> Iterator[Part]:
    """What a flood from a passable cell reaches: the connected passable cells and their neighbours.

    ``passable`` gives the mask of a box of the grid.  The answer comes in boxes that share no
    cell, each with the mask of its reached cells; they may be written to as they come.
    """
    reach = max(1, round(_FIRST_WINDOW ** (1 / len(shape))) // 2)
    window = tuple(slice(max(x - reach, 0), min(x + reach + 1, n)) for x, n in zip(cell, shape, strict=True))
    whole = tuple(slice(0, n) for n in shape)
    while window != whole:
        parts = list(_parts(window, cell, passable))
        larger = _grown(shape, window, parts)
        if larger == window:
            return iter(parts)
        window = larger
    return _parts(whole, cell, passable)


def _parts(window: Slices, cell: tuple[int, ...], passable: Callable[[Slices], Bools]) -> Iterator[Part]:
    """What is reached within a window."""
    start, *further = window
    sizes, place = tuple(side.stop - side.start for side in window), _within(window, cell)

    def box(rows: slice) -> Slices:
        return slice(start.start + rows.start, start.start + rows.stop), *further

    found = Sweeps(sizes, lambda rows: passable(box(rows))).flood(place) if prod(sizes[1:]) >= LEAST_SLAB else None
    if found is None:
        return iter([(window, _labelled(passable(window), place))])
    return ((box(rows), reached) for rows, reached in found)


def _within(box: Slices, cell: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(x - side.start for x, side in zip(cell, box, strict=True))


def _labelled(mask: Bools, cell: tuple[int, ...]) -> Bools:
    """The connected region of a cell in a mask, with all its neighbours: for few cells, or a region that winds."""
    labels, _ = label(mask)
    return dilate(labels == labels[cell])


def _grown(shape: tuple[int, ...], window: Slices, parts: list[Part]) -> Slices:
    """The window, larger by its own size on each side where what is reached touches it; soon the whole grid."""
    sides = []
    for axis, (side, n) in enumerate(zip(window, shape, strict=True)):
        first = any(box[axis].start == side.start and _touches(reached, axis, 0) for box, reached in parts)
        last = any(box[axis].stop == side.stop and _touches(reached, axis, -1) for box, reached in parts)
        size = side.stop - side.start
        sides.append(slice(max(side.start - size * first, 0), min(side.stop + size * last, n)))
    grown = tuple(sides)
    if grown != window and _SOON_WHOLE * prod(side.stop - side.start for side in grown) > prod(shape):
        return tuple(slice(0, n) for n in shape)
    return grown


def _touches(reached: Bools, axis: int, end: int) -> bool:
    return bool(reached[(slice(None),) * axis + (end,)].any())
