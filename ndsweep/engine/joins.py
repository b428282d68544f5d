"""What each cell and its neighbours have together: their sum, or their union, slab by slab in the cache.

The join over a box of three is separable.  Blocks of slabs along the first axis are laid out
with a wall of zeros after each line of each further axis, so that a neighbour along an axis is
one constant distance away and every pass runs through one contiguous piece of memory.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine.boxes import Slices, cut, grown, whole, within

_BLOCK = 1 << 17  # bytes of a buffer; four of them fit the second-level cache
_SLAB = 1 << 19  # bytes of a slab; one that is larger is cut
_LEAST = 16  # cells of a side that is cut; each part is laid out with its neighbours
_RING = 8  # slabs at least between two turns of the ring

Array = npt.NDArray[Any]


def join(
    ufunc: np.ufunc, values: Array, out: Array, ndim: int, box: Slices | None = None, last: np.ufunc | None = None
) -> None:
    """Writes the join of each cell in a box with its neighbours to ``out``, an array of the shape of the box.

    The first ``ndim`` axes are those of the grid.  The box is all of it by default.  ``last``
    is applied to each join and the cell itself, while they are in the cache.
    """
    shape = values.shape[:ndim]
    box = whole(shape) if box is None else box
    bytes_a_cell = out.itemsize * prod(values.shape[ndim:])
    for side in cut(box[1:], max(_SLAB // bytes_a_cell, 1), _LEAST):
        part = box[0], *side
        around = grown(shape, part)
        _Joiner(ufunc, values[around], out[within(box, part)], within(around, part), last).run()


class _Joiner:
    """The buffers of one join, all zero where no cell is ever written."""

    def __init__(self, ufunc: np.ufunc, values: Array, out: Array, box: Slices, last: np.ufunc | None) -> None:
        self.ufunc, self.out, self.last = ufunc, out, last
        self.values = values.view(np.uint8) if values.dtype == np.bool_ else values
        self.rows, self.box = box[0], box[1:]  # what is written, of the slabs and of each slab
        self.shape, dtype, ndim = tuple(values.shape[1:]), out.dtype, len(box)
        walled = tuple(n + (axis < ndim - 1 and n > 1) for axis, n in enumerate(self.shape))
        self.size = prod(walled)  # of a slab with its walls
        self.strides = [prod(walled[axis + 1 :]) for axis in range(ndim - 1) if self.shape[axis] > 1]
        self.block = max(min(_BLOCK // (self.size * dtype.itemsize), values.shape[0]), 1)
        self.margin = max(self.strides, default=0)
        self.inside = (slice(None), *whole(self.shape))
        self.walled = walled
        self.spaces = [np.zeros(2 * self.margin + self.block * self.size, dtype=dtype) for _ in range(3)]
        self.ring = np.zeros((max(self.block, _RING) + 2) * self.size, dtype=dtype)

    def run(self) -> None:
        """Joins all slabs; one is written when the next one is there."""
        count, done = len(self.values), self.rows.start
        at = 2  # place in the ring of the next slab; the two before it are kept
        for first in range(0, count, self.block):
            slabs = min(self.block, count - first)
            at = self._turned(at, slabs)
            self._load(first, slabs, at)
            self._write(at + done - first, done, first + slabs - 1)
            done = max(done, first + slabs - 1)
            at += slabs
        if done < self.rows.stop:  # nothing comes after the last slab of the grid
            at = self._turned(at, 1)
            self._slabs(at, 1)[:] = 0
            self._write(at + done - count, done, count)

    def _turned(self, at: int, slabs: int) -> int:
        """The place for so many slabs: the next, or behind the last two once they are at the beginning."""
        if (at + slabs) * self.size <= len(self.ring):
            return at
        self._slabs(0, 2)[:] = self._slabs(at - 2, 2).copy()
        return 2

    def _load(self, first: int, slabs: int, at: int) -> None:
        """Joins some slabs, each in itself, into a place of the ring."""
        filled = slice(self.margin, self.margin + slabs * self.size)
        source, *spare = self.spaces
        source[filled].reshape(slabs, *self.walled)[self.inside] = self.values[first : first + slabs]
        target = self._slabs(at, slabs)
        if not self.strides:
            target[:] = source[filled]
        for number, stride in enumerate(self.strides):
            into = target if number == len(self.strides) - 1 else spare[number % 2][filled]
            self.ufunc(source[filled], source[filled.start - stride : filled.stop - stride], out=into)
            self.ufunc(into, source[filled.start + stride : filled.stop + stride], out=into)
            source = spare[number % 2]

    def _write(self, at: int, first: int, stop: int) -> None:
        """Joins slabs with those before and after them; the first is at this place of the ring."""
        slabs = stop - first
        if slabs <= 0:
            return
        before, own, after = (self._slabs(at + k, slabs) for k in (-1, 0, 1))
        flat = self.spaces[1][self.margin :][: slabs * self.size]
        done = self.out[first - self.rows.start : stop - self.rows.start]
        self.ufunc(before, own, out=flat)
        self.ufunc(*(part.reshape(slabs, *self.walled)[:, *self.box] for part in (flat, after)), out=done)
        if self.last is not None:
            self.last(done, self.values[first:stop, *self.box], out=done, casting="unsafe")

    def _slabs(self, first: int, count: int) -> Array:
        return self.ring[first * self.size : (first + count) * self.size]
