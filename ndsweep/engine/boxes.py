"""Boxes of a grid, a slice for each axis: larger by the neighbours, within another, cut in parts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

Slices = tuple[slice, ...]


def whole(shape: tuple[int, ...]) -> Slices:
    """The box of all cells."""
    return tuple(slice(0, n) for n in shape)


def shape_of(box: Slices) -> tuple[int, ...]:
    """The sizes of a box."""
    return tuple(side.stop - side.start for side in box)


def size_of(box: Slices) -> int:
    """The number of cells in a box."""
    return prod(shape_of(box))


def neighbourhood(shape: tuple[int, ...], cell: tuple[int, ...]) -> Slices:
    """The box of a cell and its neighbours."""
    return grown(shape, tuple(slice(x, x + 1) for x in cell))


def grown(shape: tuple[int, ...], box: Slices) -> Slices:
    """The box with one layer of cells more on every side."""
    return tuple(slice(max(s.start - 1, 0), min(s.stop + 1, n)) for s, n in zip(box, shape, strict=True))


def within(outer: Slices, box: Slices) -> Slices:
    """The box as it lies in an outer one."""
    return tuple(slice(b.start - o.start, b.stop - o.start) for o, b in zip(outer, box, strict=True))


def rows_of(shape: tuple[int, ...], cells: int) -> list[slice]:
    """The first axis in parts of about so many cells, at least a slab each."""
    step = max(cells // prod(shape[1:]), 1)
    return [slice(first, min(first + step, shape[0])) for first in range(0, shape[0], step)]


def cut(box: Slices, cells: int, least: int) -> Iterator[Slices]:
    """The box in parts of at most so many cells: the first axes are cut first, but no side below ``least``."""
    steps = list(shape_of(box))
    for axis, step in enumerate(steps):
        lines = cells * step // prod(steps)  # of this axis that make so many cells
        steps[axis] = min(step, max(lines, least))
    return product(
        *(
            [slice(first, min(first + step, side.stop)) for first in range(side.start, side.stop, step)]
            for side, step in zip(box, steps, strict=True)
        )
    )
