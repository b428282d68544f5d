"""What each cell and its neighbours have together: their sum, or their union, slab by slab in the cache.

The join over a box of three is separable.  Blocks of slabs along the first axis are laid out
with a wall of zeros after each line of each further axis, so that a neighbour along an axis is
one constant distance away and every pass runs through one contiguous piece of memory.  Grids of
many short axes, which would be mostly walls, are joined as they lie.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine.boxes import Slices, cut, grown, whole, within

_BLOCK = 1 << 17  # bytes of a buffer; four of them fit the second-level cache
THREADS_BLOCK = 1 << 19  # the same where threads take turns: they wait for each other between calls
_SLAB = 1 << 19  # bytes of a slab; one that is larger is cut
_LEAST = 16  # cells of a side that is cut; each part is laid out with its neighbours
_MOST_WALLS = 4  # times the cells that a slab may take with its walls; 20 axes of size 2 take 1,500 times

Array = npt.NDArray[Any]


def join(
    ufunc: np.ufunc,
    values: Array,
    out: Array,
    ndim: int,
    box: Slices | None = None,
    last: np.ufunc | None = None,
    block: int | None = None,
) -> None:
    """Writes the join of each cell in a box with its neighbours to ``out``, an array of the shape of the box.

    The first ``ndim`` axes are those of the grid.  The box is all of it by default.  ``last``
    is applied to each join and the cell itself, while they are in the cache; ``block`` bytes are
    worked on at a time.
    """
    shape = values.shape[:ndim]
    box = whole(shape) if box is None else box
    around = grown(shape, box)
    if _mostly_walls([part.stop - part.start for part in around[1:]]):
        out[...] = join_plainly(ufunc, values[around], out.dtype, ndim, last)[within(around, box)]
        return
    bytes_a_cell = out.itemsize * prod(values.shape[ndim:])
    for side in cut(box[1:], max(_SLAB // bytes_a_cell, 1), _LEAST):
        part = box[0], *side
        around = grown(shape, part)
        _Joiner(ufunc, values[around], out[within(box, part)], within(around, part), last, block or _BLOCK).run()


def join_plainly(
    ufunc: np.ufunc, values: Array, dtype: np.dtype[Any], ndim: int, last: np.ufunc | None = None
) -> Array:
    """The join of each cell with its neighbours, a pass over all of the array for each axis."""
    out = values.astype(dtype)
    for axis in range(ndim):
        if out.shape[axis] > 1:
            before, after = _along(axis, slice(None, -1)), _along(axis, slice(1, None))
            own = out.copy()
            ufunc(out[before], own[after], out=out[before])
            ufunc(out[after], own[before], out=out[after])
    if last is not None:
        last(out, values.view(np.uint8), out=out, casting="unsafe")
    return out


def _along(axis: int, part: slice) -> Slices:
    return (slice(None),) * axis + (part,)


def _mostly_walls(slab: list[int]) -> bool:
    return prod(n + 1 for n in slab[:-1] if n > 1) > _MOST_WALLS * prod(slab[:-1])


class _Joiner:
    """The buffers of one join; their walls and margins are zero where a pass along an axis reads them."""

    def __init__(self, ufunc: np.ufunc, values: Array, out: Array, box: Slices, last: np.ufunc | None, block: int):
        self.ufunc, self.out, self.last = ufunc, out, last
        self.values = values.view(np.uint8) if values.dtype == np.bool_ else values
        self.rows, self.box = box[0], box[1:]  # what is written, of the slabs and of each slab
        self.shape, ndim = tuple(values.shape[1:]), len(box)
        self.walled = tuple(n + (axis < ndim - 1 and n > 1) for axis, n in enumerate(self.shape))
        self.size = prod(self.walled)  # of a slab with its walls
        self.strides = [prod(self.walled[axis + 1 :]) for axis in range(ndim - 1) if self.shape[axis] > 1]
        self.block = max(min(block // (self.size * out.itemsize), len(values)), 1)
        self.margin = max(self.strides, default=0)
        self.spaces = [np.zeros(2 * self.margin + self.block * self.size, dtype=out.dtype) for _ in range(3)]

    def run(self) -> None:
        """Joins all slabs."""
        for first in range(self.rows.start, self.rows.stop, self.block):
            self._join(first, min(first + self.block, self.rows.stop))

    def _join(self, first: int, stop: int) -> None:
        """Joins some slabs: first along the first axis, then each in itself."""
        slabs = stop - first
        done = self.out[first - self.rows.start : stop - self.rows.start]
        filled = slice(self.margin, self.margin + slabs * self.size)
        source, *spare = self.spaces
        laid_out = source[filled].reshape(slabs, *self.walled)[:, *whole(self.shape)]
        self._join_slabs(first, stop, spare[0][filled], laid_out if self.strides else done)
        for number, stride in enumerate(self.strides, start=1):
            into, after = spare[number % 2], source[filled.start + stride : filled.stop + stride]
            self.ufunc(source[filled], source[filled.start - stride : filled.stop - stride], out=into[filled])
            if number < len(self.strides):
                self.ufunc(into[filled], after, out=into[filled])
            else:
                parts = (part.reshape(slabs, *self.walled)[:, *self.box] for part in (into[filled], after))
                self.ufunc(*parts, out=done)
            source = into
        if self.last is not None:
            self.last(done, self.values[first:stop, *self.box], out=done, casting="unsafe")

    def _join_slabs(self, first: int, stop: int, space: Array, target: Array) -> None:
        """Joins each of some slabs with the one before and the one after it."""
        own, dtype = self.values[first:stop], target.dtype
        begin, end = int(first == 0), len(own) - (stop == len(self.values))  # those that have one before, one after
        joined = space[: own.size].reshape(own.shape)
        self.ufunc(own[begin:], self.values[first + begin - 1 : stop - 1], out=joined[begin:], dtype=dtype)
        joined[:begin] = own[:begin]
        self.ufunc(joined[:end], self.values[first + 1 : first + 1 + end], out=target[:end], dtype=dtype)
        target[end:] = joined[end:]
