"""The connected regions of many planar boards, counted on planes by shrinking them.

In each step a cell is set where, of the square that it is the last corner of, two cells or more
are set, and at least one on each of the two sides that meet in it.  So a region loses its first
lines and moves towards its last corner; it neither falls apart nor meets another, its holes close,
and once it is a single cell it is counted and vanishes.  (S. Levialdi, "On shrinking binary picture
patterns", Comm. ACM 15 (1972) 7-10.)

This is for two axes.  With three, cells joined along an edge of a cube and cells joined along a
face can move to where they touch, so regions may meet: there, regions are labelled.
"""

from __future__ import annotations

import numpy as np

from ndsweep.engine.planes import LANES, Layout, count_lanes
from ndsweep.engine.streams import Ints, Words

AND, OR, XOR = np.bitwise_and, np.bitwise_or, np.bitwise_xor

_LONGEST = 150  # both sides together; a region that winds from end to end takes as many steps
_STEPS = 4  # between looks whether any cell is left


def is_quick(layout: Layout, games: int) -> bool:
    """Whether boards are of two axes, many, and not so long that the steps take longer than labels would."""
    return len(layout.strides) == 2 and games >= LANES and sum(layout.shape) <= _LONGEST


def count_regions(layout: Layout, plane: Words) -> Ints:
    """How many connected regions each lane of a plane has; the layout must have two axes longer than 1."""
    cells, ahead = plane.copy(), np.zeros_like(plane)
    single, scratch = np.empty_like(plane), np.zeros_like(plane)
    digits: list[Words] = []  # of how many regions have vanished at each cell
    while True:
        for _ in range(_STEPS):
            _step(layout, cells, ahead, single, scratch)
            _count(digits, single, scratch)
            cells, ahead = ahead, cells
        if not cells.max():  # quicker than any()
            break
    counts = np.zeros(layout.lines(plane).shape[0] * LANES, dtype=np.int64)
    for place, digit in enumerate(digits):
        counts += count_lanes(layout.lines(digit)) << place
    return counts


def _step(layout: Layout, cells: Words, ahead: Words, single: Words, scratch: Words) -> None:
    """Writes the cells one step ahead, and the single cells that vanish in it."""
    (long, short), n = layout.strides, cells.size
    reach = long + short
    own, side, above, corner = cells[reach:], cells[long : n - short], cells[short : n - long], cells[: n - reach]
    found, both = ahead[reach:], scratch[reach:]
    OR(side, above, out=found)
    OR(found, corner, out=found)
    AND(found, own, out=found)
    AND(side, above, out=both)
    OR(found, both, out=found)
    # what has a neighbour has moved to itself, or by one along either axis or both
    OR(ahead[: n - short], ahead[short:], out=scratch[: n - short])
    OR(scratch[: n - long], scratch[long:], out=single[: n - long])
    OR(single, cells, out=scratch)
    XOR(scratch, single, out=single)


def _count(digits: list[Words], carry: Words, scratch: Words) -> None:
    """Adds single cells to binary numbers, one a cell; both planes may be overwritten."""
    for digit in digits:
        AND(digit, carry, out=scratch)
        XOR(digit, carry, out=digit)
        if not scratch.max():
            return
        carry[...] = scratch
    digits.append(carry.copy())
