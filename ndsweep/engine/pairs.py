r"""The comparison of two numbers with overlapping neighbourhoods, on planes, in any dimension.

For open cells a and b with neighbourhoods A and B, the difference of what their hints still
lack is the number of mines in A \ B less those in B \ A.  It is as large as it can be
exactly when A \ B holds no hidden safe cell and B \ A no mine without a flag; then every
hidden cell of A \ B is a mine and every one of B \ A is safe.

For b = a + d, A \ B is a union of slabs, one for each axis along which d is not 0: the
slab is one or two layers thick along that axis, on the side away from b, and three cells
wide along the others.  So a few planes of slabs, made once, serve every d: shifted, they
are the sets around a and around b.  What is proved is gathered slab by slab in the same
way, and spread out at the end.

Where b = a + d runs over the edge of the grid, the flat offset leads to some other cell, and
the test compares a with that.  It is never wrong there, and tells no more than the true offset
and the single-point rules, which have been through.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from ndsweep.engine.planes import Layout, expand
from ndsweep.engine.slots import AND, OR, XOR, Slots
from ndsweep.engine.streams import ALL, Words


class Pairs:
    """The comparison of pairs for games of one layout, with its work space."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        reaches = (min(2, n - 1) for n in layout.shape if n > 1)
        self.offsets = [d for d in product(*(range(-r, r + 1) for r in reaches)) if any(d)]
        self._make_room(0)

    @staticmethod
    def memory(layout: Layout, words: int) -> int:
        """Bytes of the work space for so many words."""
        return 8 * words * layout.width * (3 + 8 * len(layout.strides))

    def _make_room(self, words: int) -> None:
        self.words = words
        layout, axes = self.layout, range(len(self.layout.strides))
        self.open, self.proof, self.scratch = (layout.plane(words) for _ in range(3))
        # [thickness - 1][axis]: no hidden safe cell, no mine without a flag in the slab
        self.done, self.quiet = ([[layout.plane(words, ALL) for _ in axes] for _ in range(2)] for _ in range(2))
        # the same for what is proved: mines, safe cells
        self.mined, self.safe = ([[layout.plane(words) for _ in axes] for _ in range(2)] for _ in range(2))

    def compare(self, slots: Slots, waiting: Words) -> Words:
        """Flags and opens what pairs prove in the waiting games, and tells in which they do."""
        layout = self.layout
        if self.words != slots.words:
            self._make_room(slots.words)
        expand(waiting, layout.lines(self.scratch))
        AND(slots.safe, slots.done, out=self.open)
        AND(self.open, self.scratch, out=self.open)
        for source, slabs in ((slots.done, self.done), (slots.quiet, self.quiet)):
            self._make_slabs(source, slabs)
        for gathered in (*self.mined, *self.safe):
            for plane in gathered:
                plane.fill(0)
        for offset in self.offsets:
            self._compare(offset)
        changed = self._spread(self.mined, slots.quiet)
        moved = OR.reduce(layout.lines(changed), axis=1)
        changed = self._spread(self.safe, slots.done)
        OR(slots.fresh, changed, out=slots.fresh)
        OR(slots.chosen, changed, out=slots.chosen)
        return np.asarray(moved | OR.reduce(layout.lines(changed), axis=1))

    def _make_slabs(self, source: Words, slabs: list[list[Words]]) -> None:
        """Erodes along all axes but one; a cell of the thick slabs is joined with the next one."""
        for axis, s in enumerate(self.layout.strides):
            thin, thick = slabs[0][axis], slabs[1][axis]
            self.layout.spread(AND, source, thin, self.scratch, skip=axis)
            AND(thin[:-s], thin[s:], out=thick[:-s])

    def _compare(self, offset: tuple[int, ...]) -> None:
        """Compares every open cell a with the cell at a + offset."""
        strides, reach, n = self.layout.strides, self.layout.reach, self.open.size
        shift = sum(x * s for x, s in zip(offset, strides, strict=True))
        start, stop = max(reach, reach - shift), min(n - reach, n - reach - shift)
        if start >= stop:
            return

        def at(plane: Words, place: int) -> Words:
            return plane[start + place : stop + place]

        proof = at(self.proof, 0)
        AND(at(self.open, 0), at(self.open, shift), out=proof)
        around_a = [_slab(axis, x, strides[axis]) for axis, x in enumerate(offset) if x]
        around_b = [_slab(axis, -x, strides[axis]) for axis, x in enumerate(offset) if x]
        for thickness, axis, place in around_a:
            AND(proof, at(self.done[thickness][axis], place), out=proof)
        for thickness, axis, place in around_b:
            AND(proof, at(self.quiet[thickness][axis], shift + place), out=proof)
        for thickness, axis, place in around_a:
            OR(at(self.mined[thickness][axis], place), proof, out=at(self.mined[thickness][axis], place))
        for thickness, axis, place in around_b:
            place += shift
            OR(at(self.safe[thickness][axis], place), proof, out=at(self.safe[thickness][axis], place))

    def _spread(self, gathered: list[list[Words]], target: Words) -> Words:
        """Sets the cells of all gathered slabs in the target, and gives what is new in it."""
        total, old = self.proof, self.open
        np.copyto(old, target)
        for axis, s in enumerate(self.layout.strides):
            thin, thick = gathered[0][axis], gathered[1][axis]
            OR(thin, thick, out=thin)
            OR(thin[s:], thick[:-s], out=thin[s:])
            self.layout.spread(OR, thin, total, self.scratch, skip=axis)
            OR(target, total, out=target)
        return XOR(target, old, out=old)


def _slab(axis: int, x: int, stride: int) -> tuple[int, int, int]:
    """The slab along an axis of a cell's neighbourhood, away from an offset of x: thickness - 1, axis, place.

    The place is where the slab's plane is read: at its first layer.
    """
    if x > 0:
        return x - 1, axis, -stride
    return -x - 1, axis, stride if x == -1 else 0
