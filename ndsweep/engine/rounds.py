"""The players' counting rules as set tests on planes: one round for all slots at once.

The engine knows the mines, so the rules need no counting.  For an open cell and its
neighbourhood, "hint = flagged neighbours" is "no mine without a flag in it", and "hint =
hidden neighbours" is "no hidden safe cell in it": given that flags stand only on proved
mines, each test is true exactly when the count is.  Each is an erosion of a plane.

A round takes a game whose floods are complete: first every proved mine gets its flag, then
every cell proved safe is opened, then the floods run.  Floods take two steps a round here;
the other rules wait in the games where they are still running.

Each function returns the mask of the games in which something changed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ndsweep.engine.pairs import Pairs
from ndsweep.engine.planes import count_bits, expand, mask_of
from ndsweep.engine.slots import AND, NOT, OR, XOR, Slots
from ndsweep.engine.streams import Ints, Words

Round = Callable[[Slots], Words]
Last = Callable[[Slots, Words], Ints]


def flood(slots: Slots) -> Words:
    """The flood alone: opens the neighbours of the zeros that were opened last."""
    layout, (spread, scratch) = slots.layout, slots.scratch[:2]
    AND(slots.fresh, slots.zeros, out=spread)
    layout.spread(OR, spread, spread, scratch)
    _open(slots, spread)
    return np.asarray(OR.reduce(layout.lines(slots.fresh), axis=1))


def single_point(slots: Slots) -> Words:
    """The two single-point rules, after a step of the flood.

    The flags and the first step of the flood share a dilation: what it reaches besides mines
    and cells to open is quiet and done already.
    """
    layout, lines, (found, calm, scratch) = slots.layout, slots.layout.lines, slots.scratch[:3]
    layout.spread(AND, slots.done, found, scratch)
    AND(found, slots.safe, out=found)  # open, and only mines are hidden around
    AND(slots.fresh, slots.zeros, out=slots.fresh)
    OR(found, slots.fresh, out=found)
    layout.spread(OR, found, found, scratch)
    OR(slots.quiet, found, out=slots.quiet)
    found = _open(slots, found)
    flooding = OR.reduce(lines(slots.fresh), axis=1)

    layout.spread(AND, slots.quiet, found, scratch)
    AND(found, slots.done, out=found)
    AND(found, slots.safe, out=found)  # open, and every mine around has its flag
    expand(NOT(flooding), lines(calm))
    AND(found, calm, out=found)
    AND(slots.fresh, slots.zeros, out=slots.fresh)
    OR(found, slots.fresh, out=found)
    layout.spread(OR, found, found, scratch)
    _open(slots, found)
    AND(calm, slots.fresh, out=calm)
    OR(slots.chosen, calm, out=slots.chosen)
    return np.asarray(flooding | OR.reduce(lines(slots.fresh), axis=1))


def _open(slots: Slots, found: Words) -> Words:
    """Opens what is set in ``scratch[0]``, notes what is new as fresh, and gives scratch in its place."""
    OR(found, slots.done, out=found)
    XOR(found, slots.done, out=slots.fresh)
    slots.done, slots.scratch[0] = found, slots.done
    return slots.scratch[0]


class Player:
    """Plays the games of slots: a round of rules, then pairs, and the last resort where all is stuck.

    The last resort, by default a random guess, is given the slots and the mask of the stuck
    games, and gives the slots in which it has moved.
    """

    def __init__(self, slots: Slots, rules: Round, pairs: bool = False, last: Last = Slots.guess) -> None:
        self.slots, self.rules, self.last = slots, rules, last
        self.pairs = Pairs(slots.layout) if pairs else None

    def round(self) -> None:
        """One round in every game."""
        slots = self.slots
        moved = self.rules(slots)
        stuck = slots.take_wins(slots.active & ~moved)
        if self.pairs is not None:
            self._compare(self.pairs, stuck)
            stuck &= slots.helpless
        moved_on = self.last(slots, stuck)
        if self.pairs is not None:
            slots.helpless &= ~mask_of(moved_on, slots.words)

    def _compare(self, pairs: Pairs, stuck: Words) -> None:
        """Compares pairs of numbers in the stuck games, once these are two thirds of those in play.

        Sooner, the comparison would run for few games; later, the rounds would.
        """
        slots, waiting = self.slots, stuck & ~self.slots.helpless
        if 3 * count_bits(waiting) >= 2 * count_bits(slots.active & ~(stuck & slots.helpless)) > 0:
            moved = pairs.compare(slots, waiting)
            slots.helpless |= waiting & ~moved
            slots.paired |= moved
