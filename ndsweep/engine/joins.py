"""What each cell and its neighbours have together: their sum, or their union, slab by slab in the cache.

The join over a box of three is separable.  Blocks of slabs along the first axis are laid out
with a wall of zeros after each line of each further axis, so that a neighbour along an axis is
one constant distance away and every pass runs through one contiguous piece of memory.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

_BLOCK = 1 << 17  # bytes of a buffer; four of them fit the second-level cache
_RING = 8  # slabs at least between two turns of the ring
_LEAST_PART = 1 << 22  # cells for a thread; fewer are not worth one

Array = npt.NDArray[Any]
Finish = Callable[[Array, slice], None]


def join(ufunc: np.ufunc, values: Any, out: Any, ndim: int, finish: Finish | None = None) -> None:
    """Writes the join of each cell with its neighbours to ``out``.

    ``values`` and ``out`` are arrays, or anything that is sliced like one, of the same shape;
    the first ``ndim`` axes are those of the grid.  ``finish`` may change each block of
    ``out``, which it gets with its rows, while it is in the cache.
    """
    _Joiner(ufunc, values, out, ndim, finish).rows(0, values.shape[0])


def join_in_threads(
    executor: Executor, ufunc: np.ufunc, values: Any, out: Any, ndim: int, finish: Finish | None = None
) -> None:
    """The same by the threads of an executor, each for some slabs."""
    count = values.shape[0]
    part = max(-(-_LEAST_PART * count // prod(values.shape)), 1)
    starts = range(0, count, part)
    list(executor.map(lambda i: _Joiner(ufunc, values, out, ndim, finish).rows(i, min(i + part, count)), starts))


class _Joiner:
    """The buffers of one thread, all zero where no cell is ever written."""

    def __init__(self, ufunc: np.ufunc, values: Any, out: Any, ndim: int, finish: Finish | None) -> None:
        self.ufunc, self.out, self.finish = ufunc, out, finish
        self.values = values.view(np.uint8) if isinstance(values, np.ndarray) and values.dtype == np.bool_ else values
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
        self.direct = isinstance(out, np.ndarray)  # else a copy of a block is written
        self.done = np.empty((0 if self.direct else self.block, *self.shape), dtype=dtype)

    def rows(self, start: int, stop: int) -> None:
        """The slabs from ``start`` to ``stop``; reads one more on each side."""
        count = self.values.shape[0]
        self._slabs(0, 2)[:] = 0
        at = 2  # place in the ring of the next slab; the two before it are kept
        for first in range(max(start - 1, 0), min(stop + 1, count), self.block):
            slabs = min(self.block, min(stop + 1, count) - first)
            at = self._turned(at, slabs)
            self._load(first, slabs, at)
            begin = max(first - 1, start)
            self._write(at - 2 + begin - (first - 1), begin, first + slabs - 1)
            at += slabs
        if stop == count:
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
        done = self.out[rows] if self.direct else self.done[:slabs]
        self.ufunc(before, own, out=flat)
        self.ufunc(*(part.reshape(slabs, *self.walled)[self.inside] for part in (flat, after)), out=done)
        if self.finish is not None:
            self.finish(done, rows)
        if not self.direct:
            self.out[rows] = done

    def _slabs(self, first: int, count: int) -> Array:
        return self.ring[first * self.size : (first + count) * self.size]
