"""Arrays that need not lie in memory: they are read and written a box at a time.

A store is whatever has a shape and a type and takes slices: an array in memory, a memory map,
an array of Zarr.  A part of an array, mapped or not, is a view; a part of another store is a copy.
"""

from __future__ import annotations

import mmap
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from ndsweep.engine.boxes import Slices, shape_of

_MANY = 1 << 20  # cells; reading so many lets go what was read before
_AHEAD = 2 * (os.cpu_count() or 1)  # parts that threads work on before the first of them is asked for
_SHARED = ("r", "r+", "w+")  # modes of maps whose changes are in the file, unlike those of "c"
BLOCK = 1 << 24  # cells that are worked on at a time

T = TypeVar("T")
R = TypeVar("R")


class Store(Protocol):
    """What the engine asks of an array."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> Any: ...
    def __getitem__(self, box: Any, /) -> Any: ...
    def __setitem__(self, box: Any, values: Any, /) -> None: ...


def read(store: Store, box: Slices) -> npt.NDArray[Any]:
    """A part of a store."""
    part = np.asarray(store[box])
    if part.size >= _MANY:
        _let_go(store)
    return part if part.flags.writeable or isinstance(store, np.ndarray) else part.copy()


def part_of(store: Store, box: Slices) -> npt.NDArray[Any]:
    """An array for a part of a store, to be filled and then given to `write`."""
    if isinstance(store, np.ndarray):
        return read(store, box)
    return np.empty(shape_of(box), dtype=store.dtype)


def write(store: Store, box: Slices, part: npt.NDArray[Any]) -> None:
    """Puts a part into a store; a view that was read from it has changed it already."""
    if not (isinstance(store, np.ndarray) and np.may_share_memory(store, part)):
        store[box] = part


def in_memory(store: Store) -> bool:
    """Whether it is an array that is no memory map."""
    return isinstance(store, np.ndarray) and _map_of(store) is None


def frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, from now on only to be read."""
    array.flags.writeable = False
    return array


def each(work: Callable[[T], R], parts: Iterable[T], executor: Executor | None = None) -> Iterator[R]:
    """The work on each part, in order; side by side in the threads of an executor."""
    return map(work, parts) if executor is None else _ahead(work, parts, executor)


def _ahead(work: Callable[[T], R], parts: Iterable[T], executor: Executor) -> Iterator[R]:
    """The same with some parts under way before the first of them is asked for, but not all.

    What no thread has begun when it is asked for is done here, so that a thread that waits for
    threads of its own pool cannot wait forever.
    """
    under_way: deque[tuple[T, Future[R]]] = deque()

    def first() -> R:
        part, future = under_way.popleft()
        return work(part) if future.cancel() else future.result()

    try:
        for part in parts:
            under_way.append((part, executor.submit(work, part)))
            if len(under_way) > _AHEAD:
                yield first()
        while under_way:
            yield first()
    finally:
        for _, future in under_way:
            future.cancel()


def _let_go(store: Store) -> None:
    """Takes the pages of a memory map out of the process; they stay in the file, written or not."""
    pages = _map_of(store)
    if pages is not None and hasattr(mmap, "MADV_DONTNEED"):
        pages.madvise(mmap.MADV_DONTNEED)


def _map_of(store: object) -> mmap.mmap | None:
    """The memory map of a file that an array lies in."""
    mode = None
    while isinstance(store, np.ndarray):
        mode = store.mode if isinstance(store, np.memmap) else mode
        store = store.base
    return store if isinstance(store, mmap.mmap) and mode in _SHARED else None
