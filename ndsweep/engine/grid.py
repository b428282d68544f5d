"""n-d neighbourhood arithmetic on plain arrays: one idea, sums and unions over boxes of three.

The convolution with a kernel of ones is separable: along each axis every cell takes up its
two neighbours.  Arrays may have axes behind those of the grid (the games of a batch); ``ndim``
then tells how many are of the grid.
"""

from __future__ import annotations

from concurrent.futures import Executor
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine.boxes import Slices, grown, rows_of, whole, within
from ndsweep.engine.joins import THREADS_BLOCK, join, join_plainly
from ndsweep.engine.store import BLOCK, Store, each, in_memory, part_of, read, write

_SMALL = 1 << 16  # cells; so many stay in the cache anyhow, and slabs cost more calls
_SHARES = 8  # parts of a grid for threads to share; a smaller one would mostly lay out its buffers

Bools = npt.NDArray[np.bool_]


def hint_dtype(ndim: int) -> np.dtype[Any]:
    """The smallest unsigned type that holds 3**ndim - 1."""
    return np.min_scalar_type(3**ndim - 1)


def view_dtype(ndim: int) -> np.dtype[Any]:
    """The type of views: int8 up to 4 axes, int16 up to 9, else int32."""
    return np.dtype(np.int8 if ndim <= 4 else np.int16 if ndim <= 9 else np.int32)


def box_sum(values: npt.NDArray[Any], dtype: npt.DTypeLike, ndim: int | None = None) -> npt.NDArray[Any]:
    """The sum over every cell and its neighbours."""
    return _joined(np.add, values, np.dtype(dtype), ndim)


def dilate(mask: Bools, ndim: int | None = None) -> Bools:
    """Every cell that is set or has a neighbour that is set."""
    return _joined(np.bitwise_or, mask.view(np.uint8), np.dtype(np.uint8), ndim).view(np.bool_)


def hints_of(mines: Bools, ndim: int | None = None) -> npt.NDArray[Any]:
    """The number of mines among the neighbours of every cell, mines included."""
    return _joined(np.add, mines, hint_dtype(mines.ndim if ndim is None else ndim), ndim, np.subtract)


def _joined(
    ufunc: np.ufunc, values: npt.NDArray[Any], dtype: np.dtype[Any], ndim: int | None, last: np.ufunc | None = None
) -> npt.NDArray[Any]:
    """The join of each cell with its neighbours: of a small grid all at once, of a larger one slab by slab."""
    axes = values.ndim if ndim is None else ndim
    if values.size <= _SMALL:
        return join_plainly(ufunc, values, dtype, axes, last)
    out = np.empty(values.shape, dtype=dtype)
    join(ufunc, values, out, axes, last=last)
    return out


def hints_in(mines: Store, box: Slices) -> npt.NDArray[Any]:
    """The hints of a box, from the mines of the grid."""
    around = grown(mines.shape, box)
    return hints_of(read(mines, around))[within(around, box)]


def zeros_in(mines: Store, box: Slices) -> Bools:
    """The safe cells of a box with hint 0, from the mines of the grid."""
    around = grown(mines.shape, box)
    return ~dilate(read(mines, around))[within(around, box)]


def write_hints(mines: Store, out: Store, executor: Executor | None = None) -> None:
    """The hints of a grid, written to a store some slabs at a time, by the threads of an executor if there is one."""
    shape = mines.shape
    cells = prod(shape) if in_memory(mines) and in_memory(out) else BLOCK
    if executor is not None:
        cells = min(cells // _SHARES + 1, BLOCK)

    def hints(box: Slices) -> npt.NDArray[Any]:
        around, part = grown(shape, box), part_of(out, box)
        inside = within(around, box)
        block = None if executor is None else THREADS_BLOCK
        join(np.add, read(mines, around), part, len(shape), inside, np.subtract, block)
        return part

    boxes = [(rows, *whole(shape[1:])) for rows in rows_of(shape, cells)]
    for box, part in zip(boxes, each(hints, boxes, executor), strict=True):
        write(out, box, part)  # one at a time: two threads must not write to one chunk of a store


def neighbours_of(shape: tuple[int, ...], cells: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The flat cells around each flat cell and the cell itself, (cells, k), padded with the grid's size."""
    near = np.zeros((cells.size, 1), dtype=np.int64)
    inside = np.ones((cells.size, 1), dtype=np.bool_)
    for x, n in zip(np.unravel_index(cells, shape), shape, strict=True):
        steps = np.add.outer(x, [-1, 0, 1] if n > 1 else [0])
        columns = near.shape[1] * steps.shape[1]
        near = (near[:, :, None] * n + steps[:, None, :]).reshape(cells.size, columns)
        inside = (inside[:, :, None] & ((steps >= 0) & (steps < n))[:, None, :]).reshape(cells.size, columns)
        somewhere = inside.any(axis=0)
        near, inside = near[:, somewhere], inside[:, somewhere]
    return np.where(inside, near, prod(shape))
