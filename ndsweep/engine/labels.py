"""Labels of connected regions, through all 3**n - 1 neighbours.

SciPy labels regions that meet at faces several times faster than those that meet anywhere, the
more so the more axes.  From four axes on it pays to join the few that touch elsewhere after that.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ndsweep.engine.grid import Bools
from ndsweep.engine.joins import join

_FACES_FROM = 4  # axes; measured: 3-d boards take as long either way
_LEAST = 1 << 12  # cells; joining takes a tenth of a millisecond at least

Labels = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]


def label(mask: Bools, faces_from: int = _FACES_FROM) -> tuple[Labels, int]:
    """Numbers the connected regions of a mask from 1 on, in C order of their first cells; 0 elsewhere."""
    from scipy import ndimage

    flat = mask.reshape([n for n in mask.shape if n > 1] or [1])  # an axis of size 1 has no neighbours
    if flat.ndim >= faces_from and flat.size >= _LEAST:
        labels, count = _joined_faces(flat)
    else:
        found, count = ndimage.label(flat, structure=np.ones((3,) * flat.ndim, dtype=np.bool_))
        labels = found.astype(np.int32, copy=False)
    return labels.reshape(mask.shape), int(count)


def _joined_faces(mask: Bools) -> tuple[Labels, int]:
    """The regions that meet at faces, joined where their cells neighbour a larger number."""
    from scipy import ndimage

    found, count = ndimage.label(mask)
    labels = found.astype(np.int32, copy=False)
    largest = np.empty_like(labels)
    while True:
        join(np.maximum, labels, largest, labels.ndim)
        touch = (largest != labels) & mask
        if not touch.any():
            return labels, count
        place, count = components(count, pairs(labels[touch], largest[touch]) - 1)
        labels = np.concatenate([[0], place + 1]).astype(np.int32)[labels]


def pairs(one: Labels, other: Labels) -> Ints:
    """The different pairs of two rows of labels, (2, pairs)."""
    both = one.astype(np.int64) << 32 | other
    both = np.unique(both[np.diff(both, prepend=-1) != 0])  # along a line most are alike
    return np.stack([both >> 32, both & 0xFFFFFFFF])


def components(count: int, contacts: Ints) -> tuple[Ints, int]:
    """For each of so many regions the number of the one that it becomes through contacts; their order is kept."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(contacts.shape[1], dtype=np.int64), contacts), shape=(count, count))
    found, component = connected_components(graph, directed=False)
    firsts = np.full(found, count, dtype=np.int64)
    np.minimum.at(firsts, component, np.arange(count))
    rank = np.empty(found, dtype=np.int64)
    rank[np.argsort(firsts)] = np.arange(found)
    return rank[component], int(found)


def label_memory(size: int, axes: int) -> int:
    """Bytes that `label` takes: a structure of 3**axes cells, offsets to each of them, the labels."""
    return int(8 * axes * 3**axes + 4 * size)
