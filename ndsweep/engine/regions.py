"""The regions of a mask, found slab by slab: a grid need not fit in memory as labels.

Each block of slabs is labelled alone; where two blocks meet, labels that touch are joined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from itertools import product
from math import prod

import numpy as np
import numpy.typing as npt

from ndsweep.engine.boxes import rows_of
from ndsweep.engine.giants import giant_of
from ndsweep.engine.grid import Bools, dilate
from ndsweep.engine.labels import Ints, Labels, components, label, pairs
from ndsweep.engine.store import each

_BLOCK = 1 << 20  # cells that are labelled at a time
_SLABS = 16  # at least, as long as they are not too large: seams between blocks take time too
_LARGE = 1 << 24  # cells

Mask = Callable[[slice], Bools]
Summary = tuple[Ints, Labels, Labels]  # sizes of the regions of a block; labels of its first and its last slab


def region_labels(mask: Bools) -> tuple[Labels, int]:
    """Numbers the connected regions of a mask from 1 on, in C order of their first cells; 0 elsewhere."""
    giant = giant_of(mask.shape, lambda rows: mask[rows])
    return label(mask) if giant is None else giant.labels()


def region_sizes(shape: tuple[int, ...], mask: Mask, executor: Executor | None = None) -> Ints:
    """Cells of each connected region, in C order of the regions' first cells.

    ``mask`` gives some slabs of the first axis.
    """
    giant = giant_of(shape, mask)
    if giant is not None:
        return giant.sizes()
    if len(_blocks(shape)) == 1:
        return _sizes(*label(mask(slice(0, shape[0]))))
    sizes, place, count = _joined(shape, mask, executor)
    joined = np.zeros(count, dtype=np.int64)
    np.add.at(joined, place, np.concatenate(sizes))
    return joined


def region_at(shape: tuple[int, ...], mask: Mask, cell: tuple[int, ...]) -> Iterator[tuple[slice, Bools]]:
    """The connected region of a cell of the mask with all its neighbours: slabs, and what is reached of each."""
    sizes, place, _ = _joined(shape, mask, None)
    firsts = np.cumsum([0, *map(len, sizes)])
    blocks = _blocks(shape)
    home = next(k for k, rows in enumerate(blocks) if rows.stop > cell[0])
    own = label(mask(blocks[home]))[0][cell[0] - blocks[home].start, *cell[1:]]
    chosen = place == place[firsts[home] + own - 1]

    def region(block: int) -> Bools:
        inside = np.append(False, chosen[firsts[block] : firsts[block + 1]])
        rows = blocks[block]
        if not inside.any():
            return np.zeros((rows.stop - rows.start, *shape[1:]), dtype=np.bool_)
        return inside[label(mask(rows))[0]]

    before = np.zeros((0, *shape[1:]), dtype=np.bool_)
    here = region(0)
    for block, rows in enumerate(blocks):
        after = region(block + 1) if block + 1 < len(blocks) else before[:0]
        reached = dilate(np.concatenate([before, here, after[:1]]))[len(before) :][: len(here)]
        yield rows, reached
        before, here = here[-1:], after


def _joined(shape: tuple[int, ...], mask: Mask, executor: Executor | None) -> tuple[list[Ints], Ints, int]:
    """The sizes of each block's regions, the number of the whole region that each belongs to, how many there are."""

    def labelled(rows: slice) -> Summary:
        labels, count = label(mask(rows))
        return _sizes(labels, count), labels[0].copy(), labels[-1].copy()

    sizes: list[Ints] = []
    contacts = [np.zeros((2, 0), dtype=np.int64)]
    before, known, total = np.zeros(shape[1:], dtype=np.int32), 0, 0  # the last slab, regions before it and with it
    for found, first, last in each(labelled, _blocks(shape), executor):
        contacts.append(_contacts(before, first) + np.array([[known - 1], [total - 1]]))
        sizes.append(found)
        before, known, total = last, total, total + len(found)
    return sizes, *components(total, np.concatenate(contacts, axis=1))


def _sizes(labels: Labels, count: int) -> Ints:
    return np.bincount(labels.reshape(-1), minlength=count + 1)[1:]


def _blocks(shape: tuple[int, ...]) -> list[slice]:
    return rows_of(shape, max(_BLOCK, min(_SLABS * prod(shape[1:]), _LARGE)))


def _contacts(one: npt.NDArray[np.int32], other: npt.NDArray[np.int32]) -> Ints:
    """The pairs of labels that touch from one slab to the next, (2, pairs), some of them several times."""
    found: list[Ints] = []
    for steps in product(*((-1, 0, 1) if n > 1 else (0,) for n in one.shape)):
        a = one[tuple(slice(max(step, 0), n + min(step, 0)) for step, n in zip(steps, one.shape, strict=True))]
        b = other[tuple(slice(max(-step, 0), n + min(-step, 0)) for step, n in zip(steps, one.shape, strict=True))]
        touch = (a > 0) & (b > 0)
        found.append(pairs(a[touch], b[touch]))
    return np.concatenate(found, axis=1)
