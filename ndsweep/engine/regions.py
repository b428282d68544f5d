"""The regions of a mask, counted slab by slab: a grid need not fit in memory as labels."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod

import numpy as np
import numpy.typing as npt

from ndsweep.engine.grid import Bools
from ndsweep.engine.labels import Ints, components, label, pairs

_BLOCK = 1 << 22  # cells that are labelled at a time


def region_sizes(shape: tuple[int, ...], mask: Callable[[slice], Bools]) -> Ints:
    """Cells of each connected region, in C order of the regions' first cells.

    ``mask`` gives some slabs of the first axis.  Each block of them is labelled alone; where
    two blocks meet, labels that touch are joined.
    """
    block = max(_BLOCK // prod(shape[1:]), 1)
    sizes: list[Ints] = [np.zeros(0, dtype=np.int64)]
    contacts = [np.zeros((2, 0), dtype=np.int64)]
    before, known, total = np.zeros(shape[1:], dtype=np.int32), 0, 0  # the last slab, regions before it and with it
    for first in range(0, shape[0], block):
        labels, count = label(mask(slice(first, min(first + block, shape[0]))))
        sizes.append(np.bincount(labels.reshape(-1), minlength=count + 1)[1:])
        contacts.append(_contacts(before, labels[0]) + np.array([[known - 1], [total - 1]]))
        before, known, total = labels[-1].copy(), total, total + count
    each = np.concatenate(sizes)
    place, count = components(each.size, np.concatenate(contacts, axis=1))
    joined = np.zeros(count, dtype=np.int64)
    np.add.at(joined, place, each)
    return joined


def _contacts(one: npt.NDArray[np.int32], other: npt.NDArray[np.int32]) -> Ints:
    """The pairs of labels that touch from one slab to the next, (2, pairs), some of them several times."""
    found: list[Ints] = []
    for steps in product(*((-1, 0, 1) if n > 1 else (0,) for n in one.shape)):
        a = one[tuple(slice(max(step, 0), n + min(step, 0)) for step, n in zip(steps, one.shape, strict=True))]
        b = other[tuple(slice(max(-step, 0), n + min(-step, 0)) for step, n in zip(steps, one.shape, strict=True))]
        touch = (a > 0) & (b > 0)
        found.append(pairs(a[touch], b[touch]))
    return np.concatenate(found, axis=1)
