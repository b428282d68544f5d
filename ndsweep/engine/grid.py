"""n-d neighbourhood arithmetic on plain arrays: one idea, sums and unions over boxes of three.

The convolution with a kernel of ones is separable: along each axis every cell takes up its
two neighbours.  Arrays may have axes behind those of the grid (the games of a batch); ``ndim``
then tells how many are of the grid.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine.joins import Finish, join

_SMALL = 1 << 16  # cells; so many stay in the cache anyhow, and slabs cost more calls

Bools = npt.NDArray[np.bool_]
Slices = tuple[slice, ...]


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
    axes = mines.ndim if ndim is None else ndim

    def without_the_cell(total: npt.NDArray[Any], rows: slice) -> None:
        np.subtract(total, mines[rows].view(np.uint8), out=total, casting="unsafe")

    return _joined(np.add, mines, hint_dtype(axes), axes, without_the_cell)


def _joined(
    ufunc: np.ufunc, values: npt.NDArray[Any], dtype: np.dtype[Any], ndim: int | None, finish: Finish | None = None
) -> npt.NDArray[Any]:
    """The join of each cell with its neighbours: of a small grid all at once, of a larger one slab by slab."""
    axes = values.ndim if ndim is None else ndim
    if values.size > _SMALL:
        out = np.empty(values.shape, dtype=dtype)
        join(ufunc, values, out, axes, finish)
        return out
    out = values.astype(dtype)
    for axis in range(axes):
        if out.shape[axis] > 1:
            before, after = _along(axis, slice(None, -1)), _along(axis, slice(1, None))
            own = out.copy()
            ufunc(out[before], own[after], out=out[before])
            ufunc(out[after], own[before], out=out[after])
    if finish is not None:
        finish(out, slice(0, len(out)))
    return out


def _along(axis: int, part: slice) -> Slices:
    return (slice(None),) * axis + (part,)


def zeros_in(mines: Bools, box: Slices) -> Bools:
    """The safe cells of a box with hint 0, from the mines of the grid."""
    around = grown(mines.shape, box)
    inside = tuple(slice(b.start - a.start, b.stop - a.start) for a, b in zip(around, box, strict=True))
    return ~dilate(mines[around])[inside]


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
