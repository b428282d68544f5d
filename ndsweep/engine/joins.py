"""What each cell and its neighbours have together: their sum, or their union, slab by slab in the cache.

The join over a box of three is separable.  Blocks of slabs along the first axis are laid out
with a wall of zeros after each line of each further axis, so that a neighbour along an axis is
one constant distance away and every pass runs through one contiguous piece of memory.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

_BLOCK = 1 << 17  # bytes of a buffer; four of them fit the second-level cache
_RING = 8  # slabs at least between two turns of the ring

Array = npt.NDArray[Any]
Finish = Callable[[Array, slice], None]


def join(ufunc: np.ufunc, values: Array, out: Array, ndim: int, finish: Finish | None = None) -> None:
    """Writes the join of each cell with its neighbours to ``out``, an array of the same shape.

    The first ``ndim`` axes are those of the grid.  ``finish`` may change each block of ``out``,
    which it gets with its rows, while it is in the cache.
    """
    _Joiner(ufunc, values, out, ndim, finish).run()


class _Joiner:
    """The buffers of one join, all zero where no cell is ever written."""

    def __init__(self, ufunc: np.ufunc, values: Array, out: Array, ndim: int, finish: Finish | None) -> None:
        self.ufunc, self.out, self.finish = ufunc, out, finish
        self.values = values.view(np.uint8) if values.dtype == np.bool_ else values
        self.shape, dtype = tuple(values.shape[1:]), out.dtype
        walled = tuple(n + (axis < ndim - 1 and n > 1) for axis, n in enumerate(self.shape))
        self.size = prod(walled)  # of a slab with its walls
        self.strides = [prod(walled[axis + 1 :]) for axis in range(ndim - 1) if self.shape[axis] > 1]
        self.block = max(min(_BLOCK // (self.size * dtype.itemsize), values.shape[0]), 1)
        self.margin = max(self.strides, default=0)
        self.inside = (slice(None), *(slice(0, n) for n in self.shape))
        self.walled = walled
        self.spaces = [np.zeros(2 * self.margin + self.block * self.size, dtype=dtype) for _ in range(3)]
        self.ring = np.zeros((max(self.block, _RING) + 2) * self.size, dtype=dtype)

    def run(self) -> None:
        """Joins all slabs; one is written when the next one is there."""
        count = len(self.values)
        at = 2  # place in the ring of the next slab; the two before it are kept
        for first in range(0, count, self.block):
            slabs = min(self.block, count - first)
            at = self._turned(at, slabs)
            self._load(first, slabs, at)
            begin = max(first - 1, 0)
            self._write(at - 1 + begin - first, begin, first + slabs - 1)
            at += slabs
        at = self._turned(at, 1)
        self._slabs(at, 1)[:] = 0
        self._write(at - 2, count - 1, count)

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
            last = number == len(self.strides) - 1
            into = target if last else spare[number % 2][filled]
            self.ufunc(source[filled], source[filled.start - stride : filled.stop - stride], out=into)
            self.ufunc(into, source[filled.start + stride : filled.stop + stride], out=into)
            source = spare[number % 2]

    def _write(self, at: int, first: int, stop: int) -> None:
        """Joins slabs with those before and after them; the one before ``first`` is at this place of the ring."""
        slabs = stop - first
        if slabs <= 0:
            return
        before, own, after = (self._slabs(at + k, slabs) for k in range(3))
        flat, rows = self.spaces[1][self.margin :][: slabs * self.size], slice(first, stop)
        done = self.out[rows]
        self.ufunc(before, own, out=flat)
        self.ufunc(*(part.reshape(slabs, *self.walled)[self.inside] for part in (flat, after)), out=done)
        if self.finish is not None:
            self.finish(done, rows)

    def _slabs(self, first: int, count: int) -> Array:
        return self.ring[first * self.size : (first + count) * self.size]
