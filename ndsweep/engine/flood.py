"""The region of one cell, found in a window that grows until the region lies within.

So a flood costs what it opens, and not what the grid holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

from ndsweep.engine.boxes import Slices, shape_of, size_of, whole
from ndsweep.engine.grid import Bools, dilate
from ndsweep.engine.labels import Labels, label
from ndsweep.engine.regions import region_at
from ndsweep.engine.sweeps import LEAST_SLAB, Sweeps

Part = tuple[Slices, Bools]

_SOON_WHOLE = 8  # a window of an eighth of the grid would cost as much as it could save
_FIRST_WINDOW = 1024  # cells, about; a call of `label` costs as much anyhow
_LABELLED = 1 << 22  # cells that are labelled at once


def flood(shape: tuple[int, ...], cell: tuple[int, ...], passable: Callable[[Slices], Bools]) -> Iterator[Part]:
    """What a flood from a passable cell reaches: the connected passable cells and their neighbours.

    ``passable`` gives the mask of a box of the grid.  The answer comes in boxes that share no
    cell, each with the mask of its reached cells; they may be written to as they come.
    """
    return _found(shape, cell, lambda window: _parts(window, cell, passable))


def flood_labels(shape: tuple[int, ...], cell: tuple[int, ...], labels: Labels) -> Iterator[Part]:
    """The same where the regions are labelled."""

    def parts(window: Slices) -> Iterator[Part]:
        return iter([(window, dilate(labels[window] == labels[cell]))])

    return _found(shape, cell, parts)


def _found(shape: tuple[int, ...], cell: tuple[int, ...], parts: Callable[[Slices], Iterator[Part]]) -> Iterator[Part]:
    """What is reached within a window that grows until nothing is reached beyond it."""
    reach = max(1, round(_FIRST_WINDOW ** (1 / len(shape))) // 2)
    window = tuple(slice(max(x - reach, 0), min(x + reach + 1, n)) for x, n in zip(cell, shape, strict=True))
    while window != whole(shape):
        found = list(parts(window))
        larger = _grown(shape, window, found)
        if larger == window:
            return iter(found)
        window = larger
    return parts(whole(shape))


def _parts(window: Slices, cell: tuple[int, ...], passable: Callable[[Slices], Bools]) -> Iterator[Part]:
    """What is reached within a window."""
    start, *further = window
    sizes = shape_of(window)
    place = tuple(x - side.start for x, side in zip(cell, window, strict=True))

    def box(rows: slice) -> Slices:
        return slice(start.start + rows.start, start.start + rows.stop), *further

    def mask(rows: slice) -> Bools:
        return passable(box(rows))

    found = Sweeps(sizes, mask).flood(place) if prod(sizes[1:]) >= LEAST_SLAB else None
    if found is None and prod(sizes) <= _LABELLED:
        labels, _ = label(passable(window))
        return iter([(window, dilate(labels == labels[place]))])
    if found is None:  # the region winds too much to be swept
        found = region_at(sizes, mask, place)
    return ((box(rows), reached) for rows, reached in found)


def _grown(shape: tuple[int, ...], window: Slices, parts: list[Part]) -> Slices:
    """The window, larger by its own size on each side where what is reached touches it; soon the whole grid."""
    sides = []
    for axis, (side, n) in enumerate(zip(window, shape, strict=True)):
        first = any(box[axis].start == side.start and _touches(reached, axis, 0) for box, reached in parts)
        last = any(box[axis].stop == side.stop and _touches(reached, axis, -1) for box, reached in parts)
        size = side.stop - side.start
        sides.append(slice(max(side.start - size * first, 0), min(side.stop + size * last, n)))
    grown = tuple(sides)
    if grown != window and _SOON_WHOLE * size_of(grown) > prod(shape):
        return whole(shape)
    return grown


def _touches(reached: Bools, axis: int, end: int) -> bool:
    return bool(reached[(slice(None),) * axis + (end,)].any())
