"""Stuck games in slots: what their players still ask."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ndsweep.engine.planes import Layout, count_bits, lanes_of
from ndsweep.engine.slots import Slots
from ndsweep.engine.streams import Ints, Words
from ndsweep.solver.residue import Residue, as_plane, lacks_dtype

_CELLS = 1 << 19  # of the games that are looked at together, as many as are solved together
_CELL_BYTES = 64  # that a look takes, roughly


def some_at_a_time(slots: Slots, stuck: Words, move: Callable[[Slots, Ints], None]) -> Ints:
    """Moves on in the stuck games, once these are half of all in play; gives the slots of those that were.

    Examples
    --------
    >>> from ndsweep.engine.deal import Dealer
    >>> from ndsweep.engine.slots import Queue
    >>> slots = Slots(Queue(Dealer(Layout((9, 9)), 10, "safe"), 0, 0, 3, None), words=1)
    >>> slots.reseat()
    >>> some_at_a_time(slots, np.array([5], dtype=np.uint64), lambda slots, lanes: print(lanes))
    [0 2]
    array([0, 2])
    """
    if 2 * count_bits(stuck) < count_bits(slots.active):
        return np.empty(0, dtype=np.int64)
    lanes = lanes_of(stuck)
    some = max(1, _CELLS // slots.layout.width)
    for start in range(0, lanes.size, some):
        move(slots, lanes[start : start + some])
    return lanes


def memory(layout: Layout) -> int:
    """Bytes that it takes to move on in games, besides those of their slots; roughly.

    Examples
    --------
    >>> memory(Layout((16, 30))) < memory(Layout((1000, 1000)))
    True
    """
    return _CELL_BYTES * max(_CELLS, layout.width)


def still_asked(slots: Slots, lanes: Ints) -> Residue:
    """The residue of the games in some slots; a number lacks the mines without a flag, as every flag is right.

    Examples
    --------
    >>> from ndsweep.engine.deal import Dealer
    >>> from ndsweep.engine.slots import Queue
    >>> slots = Slots(Queue(Dealer(Layout((9, 9)), 10, "safe"), 0, 0, 3, None), words=1)
    >>> slots.reseat()
    >>> still_asked(slots, np.arange(3))
    <Residue of 3 positions of shape (9, 9)>
    """
    layout = slots.layout
    done, quiet, safe = (layout.columns(plane, lanes) for plane in (slots.done, slots.quiet, slots.safe))
    lacks = layout.add_up(as_plane(layout, ~quiet).astype(lacks_dtype(layout)))
    unknown, number = as_plane(layout, ~(done & quiet)), as_plane(layout, done & safe)
    return Residue(layout, unknown, number, lacks, (~quiet).sum(axis=1))
