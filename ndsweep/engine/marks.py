"""The first so many different cells of a stream, marked on one large grid.

As many cells are drawn as lack, and again for those that fell on a taken cell, until none lacks.
So many draws never mark too many cells, and are counted only when all are made.  A stream can be
read again at will: a grid beyond memory is marked window by window, with the same draws for each.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from math import prod

import numpy as np

from ndsweep.engine.boxes import rows_of
from ndsweep.engine.store import Store, each, in_memory, read, write
from ndsweep.engine.streams import Ints, Words, draws

Progress = Callable[[int, int], None]

_BLOCK = 1 << 16  # draws at a time: they stay in the second-level cache, and are few beside a large grid
_LONGER = 4  # times as many where threads take turns
_FEW = 1000  # a count of the whole grid takes as long as one of a thousandth of its cells alone
_WINDOW = 1 << 30  # cells of a store that are marked at a time


class Marks:
    """A grid of cells that are taken or not.

    Parameters
    ----------
    store : Store
        Boolean, all false.
    taken : (k,) int64 array
        Cells that are taken from the start; no draw counts there.
    executor : Executor, optional
        Threads that draw and mark.
    """

    def __init__(self, store: Store, taken: Ints, executor: Executor | None = None) -> None:
        self.store, self.taken, self.executor = store, taken, executor
        self.size = prod(store.shape)
        self.windows = [slice(0, store.shape[0])] if in_memory(store) else rows_of(store.shape, _WINDOW)
        self._set(taken, True)

    def mark(self, key: Words, wanted: int, progress: Progress | None = None) -> None:
        """Marks the first ``wanted`` different cells of a stream that are not taken."""
        cursor = marked = 0
        while marked < wanted:
            left = wanted - marked
            few = left * _FEW < self.size
            found = 0
            for number, rows in enumerate(self.windows):

                def told(made: int, begun: int = cursor + number * left // len(self.windows)) -> None:
                    if progress is not None:
                        progress(min(begun + made // len(self.windows), wanted), wanted)

                found += self._mark(rows, key, range(cursor, cursor + left), few, told)
            marked = marked + found if few else found - len(self.taken)
            cursor += left

    def invert(self) -> None:
        """Takes the cells that were not, and gives up those that were."""
        for rows in self.windows:
            part = read(self.store, (rows,))
            write(self.store, (rows,), np.logical_not(part, out=part))

    def release(self) -> None:
        """Gives up the cells that were taken from the start."""
        self._set(self.taken, False)

    def _set(self, cells: Ints, value: bool) -> None:
        if isinstance(self.store, np.ndarray):
            self.store.flat[cells] = value
            return
        for cell in np.stack(np.unravel_index(cells, self.store.shape), axis=-1).tolist():
            self.store[tuple(cell)] = value

    def _mark(self, rows: slice, key: Words, numbers: range, few: bool, told: Callable[[int], None]) -> int:
        """Marks the cells of some draws in a window; gives how many are new, or if not ``few`` all that are taken."""
        part = read(self.store, (rows,))
        grid = np.ascontiguousarray(part).reshape(-1)
        base = rows.start * prod(self.store.shape[1:])
        executor = None if few else self.executor
        block = _BLOCK if executor is None else _LONGER * _BLOCK

        def mark(start: int) -> int:
            drawn = draws(key, self.size, start, min(block, numbers.stop - start))[0]
            if base:
                drawn -= drawn.dtype.type(base)  # what is drawn before the window becomes very large
            places = drawn[drawn < grid.size]
            if few:
                places = np.unique(places[~grid[places]])
            grid[places] = True
            return len(places)

        new = 0
        for number, count in enumerate(each(mark, numbers[::block], executor), start=1):
            told(min(number * block, len(numbers)))
            new += count
        write(self.store, (rows,), grid.reshape(part.shape))
        return new if few else int(np.count_nonzero(grid))
