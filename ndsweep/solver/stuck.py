"""Stuck games in slots: what their players still ask."""

from __future__ import annotations

import numpy as np

from ndsweep.engine.slots import Slots
from ndsweep.engine.streams import Ints
from ndsweep.solver.residue import Residue, as_plane


def still_asked(slots: Slots, lanes: Ints) -> Residue:
    """The residue of the games in some slots; a number lacks the mines without a flag, as every flag is right.

    Examples
    --------
    >>> from ndsweep.engine.deal import Dealer
    >>> from ndsweep.engine.planes import Layout
    >>> from ndsweep.engine.slots import Queue
    >>> slots = Slots(Queue(Dealer(Layout((9, 9)), 10, "safe"), 0, 0, 3, None), words=1)
    >>> slots.reseat()
    >>> still_asked(slots, np.arange(3))
    <Residue of 3 positions of shape (9, 9)>
    """
    layout = slots.layout
    done, quiet, safe = (layout.columns(plane, lanes) for plane in (slots.done, slots.quiet, slots.safe))
    lacks = layout.add_up(as_plane(layout, ~quiet).astype(np.int16))
    unknown, number = as_plane(layout, ~(done & quiet)), as_plane(layout, done & safe)
    return Residue(layout, unknown, number, lacks, (~quiet).sum(axis=1))
