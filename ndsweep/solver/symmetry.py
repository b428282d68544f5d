"""Cells and views of a grid that are alike: one of them stands for all, in a search.

Two things leave a game as it is.  A grid may be mirrored on any axis, and axes of one length may
change places.  And on an axis of length 2 both cells have the same neighbours, so the cells that
differ on such axes only, here called a column, may change places in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import islice, permutations, product
from math import prod
from operator import itemgetter

import numpy as np
import numpy.typing as npt

_MOST_IMAGES = 48  # those of a cube; more would cost more than they save


def first_alike(shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    """For each cell the first flat cell that a symmetry of the grid takes it to.

    Examples
    --------
    >>> first_alike((3, 3))
    array([[0, 1, 0],
           [1, 4, 1],
           [0, 1, 0]])
    """
    firsts: dict[tuple[tuple[int, int], ...], int] = {}
    alike = np.empty(shape, dtype=np.int64)
    for number, cell in enumerate(np.ndindex(shape)):
        folded = sorted((n, min(x, n - 1 - x)) for x, n in zip(cell, shape, strict=True))
        alike[cell] = firsts.setdefault(tuple(folded), number)
    return alike


def likeness(shape: tuple[int, ...], width: int) -> Callable[[int], Hashable]:
    """A function that gives views which are alike the same key, as a rule, and others never.

    A view comes as an integer: a bit for each hidden cell, and above them a field of ``width``
    bits with the hint of each open one.

    Examples
    --------
    >>> key_of = likeness((3,), width=8)
    >>> key_of(0b110 | 1 << 3) == key_of(0b011 | 1 << 19)  # the 1 of "1 # #" and of "# # 1"
    True
    """
    size, field = prod(shape), (1 << width) - 1
    every, fields = (1 << size) - 1, {1 << cell: field << width * cell for cell in range(size)}
    columns, images = _columns(shape), [itemgetter(*image) for image in islice(_images(shape), _MOST_IMAGES)]
    covers: dict[int, int] = {}

    def key_of(view: int) -> Hashable:
        hidden = view & every
        cover = covers.get(hidden)
        if cover is None:
            cover = covers[hidden] = sum(bits for bit, bits in fields.items() if hidden & bit)
        shown = (view >> size | cover).to_bytes(size * width // 8, "little")
        cells = shown if width == 8 else memoryview(shown).cast("H")
        kinds = cells if columns is None else [tuple(sorted(column(cells))) for column in columns]
        key: Hashable = min([image(kinds) for image in images])
        return key

    return key_of


def _columns(shape: tuple[int, ...]) -> list[itemgetter[tuple[int, ...]]] | None:
    """What takes the cells of each column out of all cells; None where each cell is one of its own."""
    if 2 not in shape:
        return None
    long = tuple(n if n > 2 else 1 for n in shape)
    column_of = np.broadcast_to(np.arange(prod(long)).reshape(long), shape).reshape(-1)
    return [itemgetter(*np.flatnonzero(column_of == column).tolist()) for column in range(prod(long))]


def _images(shape: tuple[int, ...]) -> Iterator[list[int]]:
    """The columns in each order that a symmetry of the grid gives them, as they are first."""
    long = tuple(n for n in shape if n > 2)
    numbers = np.arange(prod(long)).reshape(long)
    for order in permutations(range(len(long))):
        turned = numbers.transpose(order)
        if turned.shape == long:
            for steps in product((1, -1), repeat=len(long)):
                yield turned[tuple(slice(None, None, step) for step in steps)].reshape(-1).tolist()
