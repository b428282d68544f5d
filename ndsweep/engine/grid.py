"""n-d neighbourhood arithmetic on plain arrays: one idea, sums and unions over boxes of three.

The convolution with a kernel of ones is separable: along each axis every cell takes up its
two neighbours.  Arrays may have an axis that is none of the grid (the games of a batch);
``axes`` then names the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

Bools = npt.NDArray[np.bool_]
Slices = tuple[slice, ...]


def hint_dtype(ndim: int) -> np.dtype[Any]:
    """The smallest unsigned type that holds 3**ndim - 1."""
    return np.min_scalar_type(3**ndim - 1)


def view_dtype(ndim: int) -> np.dtype[Any]:
    """The type of views: int8 up to 4 axes, int16 up to 9, else int32."""
    return np.dtype(np.int8 if ndim <= 4 else np.int16 if ndim <= 9 else np.int32)


def box_sum(values: npt.NDArray[Any], dtype: npt.DTypeLike, axes: Sequence[int] | None = None) -> npt.NDArray[Any]:
    """The sum over every cell and its neighbours."""
    return _join_neighbours(np.add, values.astype(dtype), axes)


def dilate(mask: Bools, axes: Sequence[int] | None = None) -> Bools:
    """Every cell that is set or has a neighbour that is set."""
    return _join_neighbours(np.logical_or, mask.copy(), axes)


def hints_of(mines: Bools, axes: Sequence[int] | None = None) -> npt.NDArray[Any]:
    """The number of mines among the neighbours of every cell, mines included."""
    total = box_sum(mines, hint_dtype(mines.ndim if axes is None else len(axes)), axes)
    np.subtract(total, mines, out=total, casting="unsafe")
    return total


def zeros_in(mines: Bools, box: Slices) -> Bools:
    """The safe cells of a box with hint 0, from the mines of the grid."""
    around = grown(mines.shape, box)
    inside = tuple(slice(b.start - a.start, b.stop - a.start) for a, b in zip(around, box, strict=True))
    return ~dilate(mines[around])[inside]


def _join_neighbours(join: np.ufunc, values: npt.NDArray[Any], axes: Sequence[int] | None) -> npt.NDArray[Any]:
    """Joins each cell with both neighbours along each axis, in place."""
    for axis in range(values.ndim) if axes is None else axes:
        if values.shape[axis] == 1:
            continue
        before, after = _along(axis, slice(None, -1)), _along(axis, slice(1, None))
        own = values.copy()
        join(values[before], own[after], out=values[before])
        join(values[after], own[before], out=values[after])
    return values


def _along(axis: int, part: slice) -> Slices:
    return (slice(None),) * axis + (part,)


def neighbourhood(shape: tuple[int, ...], cell: tuple[int, ...]) -> Slices:
    """The box of a cell and its neighbours."""
    return tuple(slice(max(x - 1, 0), min(x + 2, n)) for x, n in zip(cell, shape, strict=True))


def grown(shape: tuple[int, ...], box: Slices) -> Slices:
    """The box with one layer of cells more on every side."""
    return tuple(slice(max(s.start - 1, 0), min(s.stop + 1, n)) for s, n in zip(box, shape, strict=True))


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


def label(mask: Bools) -> tuple[npt.NDArray[np.int32], int]:
    """Numbers the connected regions of a mask from 1 on (3**n - 1 neighbours), 0 elsewhere."""
    from scipy import ndimage

    flat = mask.reshape([n for n in mask.shape if n > 1] or [1])  # an axis of size 1 has no neighbours
    labels, count = ndimage.label(flat, structure=np.ones((3,) * flat.ndim, dtype=np.bool_))
    return labels.astype(np.int32, copy=False).reshape(mask.shape), int(count)


def label_memory(size: int, axes: int) -> int:
    """Bytes that `label` takes: a structure of 3**axes cells, offsets to each of them, the labels."""
    return int(8 * axes * 3**axes + 4 * size)


def boxes(labels: npt.NDArray[np.int32]) -> list[Slices]:
    """The bounding box of each numbered region."""
    from scipy import ndimage

    return list(ndimage.find_objects(labels))
