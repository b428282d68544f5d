"""The cells of the C game in memory: their layout, and how all of them are written in one pass.

Two slabs of the grid that are no border along an axis differ in little: every pointer is larger
by the size of a slab, and one coordinate by one.  So only the first, second and last place on
every axis is worked out cell by cell; the rest is copied from there with a sum, axis by axis,
in pieces that stay in the cache until mines and hints are written too.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine import grid

_PIECE = 1 << 18  # bytes; with its source and the step between them it fits the second-level cache

_BLOCK = 1 << 14  # cells that are read at a time

Cells = npt.NDArray[np.void]
Words = npt.NDArray[np.uintp]


def layout(max_adjacent: int, max_dim: int) -> np.dtype[np.void]:
    """The struct as a C compiler lays it out."""
    return np.dtype(
        [
            ("mined", np.intc),
            ("selected", np.intc),
            ("num_adjacent", np.intc),
            ("adjacent", np.uintp, (max_adjacent,)),
            ("coords", np.intc, (max_dim,)),
            ("hint", np.intc),
        ],
        align=True,
    )


def most_adjacent(shape: tuple[int, ...]) -> int:
    """The largest number of neighbours that a cell has."""
    return prod(min(n, 3) for n in shape) - 1


def mined_and_selected(cells: Cells, shape: tuple[int, ...]) -> tuple[grid.Bools, grid.Bools]:
    """Where mines lie and what is selected, read in one pass: the two stand side by side in a cell."""
    pair = np.dtype({"names": ["pair"], "formats": [np.uint64], "offsets": [0], "itemsize": cells.itemsize})
    pairs, block = cells.view(pair)["pair"], np.empty(min(_BLOCK, cells.size), dtype=np.uint64)
    found = np.empty((2, cells.size), dtype=np.bool_)
    for first in range(0, cells.size, _BLOCK):
        here = slice(first, min(first + _BLOCK, cells.size))
        read = block[: here.stop - first]
        read[:] = pairs[here]
        for side, ints in zip(found, read.view(np.intc).reshape(-1, 2).T, strict=True):
            np.not_equal(ints, 0, out=side[here])
    mined, selected = found.reshape(2, *shape)
    return mined, selected


def write(cells: Cells, mines: grid.Bools, hints: npt.NDArray[Any]) -> None:
    """Writes every field of every cell; nothing is selected."""
    shape = mines.shape
    _write_places(cells, shape)
    cells["mined"].reshape(shape)[_all_places(shape)] = mines[_all_places(shape)]
    cells["hint"].reshape(shape)[_all_places(shape)] = hints[_all_places(shape)]
    for axis in reversed(range(len(shape))):
        for place in product(*(_places(n) for n in shape[:axis])):
            _copy_slabs(cells.reshape(shape)[place], axis, mines[place], hints[place])


def _places(n: int) -> list[int]:
    """The first, second and last index on an axis."""
    return sorted({0, min(1, n - 1), n - 1} | ({2} if n == 3 else set()))


def _all_places(shape: tuple[int, ...]) -> tuple[npt.NDArray[np.intp], ...]:
    return np.ix_(*(_places(n) for n in shape))


def _write_places(cells: Cells, shape: tuple[int, ...]) -> None:
    """Writes the cells whose every coordinate is first, second or last, without mines and hints."""
    chosen = np.ravel_multi_index(_all_places(shape), shape).reshape(-1)
    _words(cells)[chosen] = 0
    cells["coords"][chosen, : len(shape)] = np.transpose(np.unravel_index(chosen, shape))
    near, start = grid.neighbours_of(shape, chosen), cells.ctypes.data
    adjacent, num_adjacent = cells["adjacent"], cells["num_adjacent"]
    for cell, row in zip(chosen, near, strict=True):
        around = row[(row != cells.size) & (row != cell)]
        adjacent[cell, : around.size] = start + around * cells.itemsize
        num_adjacent[cell] = around.size


def _copy_slabs(slabs: Cells, axis: int, mines: grid.Bools, hints: npt.NDArray[Any]) -> None:
    """Writes the slabs between the second and the last one along the first axis of ``slabs``.

    Whole pieces are copied from the cache: sums that go right into memory take longer.
    """
    n, rest = len(slabs), slabs[0].size
    if n <= 3:
        return
    slabs, mines, hints = slabs.reshape(n, rest), mines.reshape(n, rest), hints.reshape(n, rest)
    target = _words(slabs)
    width = min(max(_PIECE // slabs.itemsize, 1), rest)
    count = min(max(_PIECE // (slabs.itemsize * rest), 1), n - 3)
    space = np.empty(count * width, dtype=slabs.dtype)
    for column in range(0, rest, width):
        columns = slice(column, min(column + width, rest))
        piece = space[: count * (columns.stop - column)].reshape(count, -1)
        words, mined, hint = _words(piece), piece["mined"], piece["hint"]
        step = _step(slabs[1, columns], axis, rest)
        np.multiply.outer(np.arange(1, count + 1, dtype=np.uintp), step, out=words)
        words += target[1, columns]
        step *= np.uintp(count)
        for row in range(2, n - 1, count):
            rows = slice(row, min(row + count, n - 1))
            mined[: rows.stop - row], hint[: rows.stop - row] = mines[rows, columns], hints[rows, columns]
            target[rows, columns] = words[: rows.stop - row]
            words += step


def _words(cells: Cells) -> Words:
    """The cells as words of the size of a pointer; no sum of ours carries from one field into another."""
    return cells.view(np.uintp).reshape(*cells.shape, -1)


def _step(cells: Cells, axis: int, distance: int) -> Words:
    """What each cell has more than the one so many cells before it, one place back along an axis."""
    step = np.zeros_like(cells)
    step["coords"][:, axis] = 1
    np.multiply(cells["adjacent"] != 0, np.uintp(distance * cells.itemsize), out=step["adjacent"])
    return _words(step)
