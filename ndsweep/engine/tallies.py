"""What boards count, many at a time: zeros, openings, isolated numbers, islands, hints.

To label their regions, the boards stand side by side along the last axis, each behind one wall
cell, because `scipy.ndimage.label` likes long lines: measured against games on an axis of their own
with a structure that is zero off its centre, it takes three quarters of the time in two dimensions,
half in three and a fifth in four.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ndsweep.engine.grid import Bools, hints_of
from ndsweep.engine.labels import label, label_memory
from ndsweep.engine.memory import Workspace
from ndsweep.engine.planes import LANES, Layout, add_octets, count_lanes, mask_of
from ndsweep.engine.shrink import count_regions, is_quick
from ndsweep.engine.streams import Ints, Words

_FACES_FROM = 5  # axes; measured: long lines are labelled as fast through all neighbours up to four


class Tally:
    """The numbers of some boards, given as the plane of their mines; each is computed when it is asked for.

    Attributes
    ----------
    zeros, isolated : plane
        The cells of openings; the safe numbers without a zero beside them.
    """

    def __init__(self, layout: Layout, mines: Words, games: int, space: Workspace) -> None:
        self.layout, self.mines, self.games, self._space = layout, mines, games, space
        self._scratch = np.empty_like(mines)
        self._boards = mask_of(np.arange(games), layout.lines(mines).shape[0])
        self.zeros = self._away_from(mines)
        self.isolated = self._away_from(self.zeros)
        self._clear(self.isolated, mines)

    def _away_from(self, plane: Words) -> Words:
        """The cells that are not set and have no neighbour that is set; none in lanes without a board."""
        away = np.empty_like(plane)
        self.layout.spread(np.bitwise_or, plane, away, self._scratch)
        np.invert(away, out=away)
        lines = self.layout.lines(away)
        np.bitwise_and(lines, self.layout.grid, out=lines)
        if self.games < self._boards.size * LANES:
            np.bitwise_and(lines, self._boards[:, None], out=lines)
        away[lines.size :] = 0
        return away

    def _clear(self, plane: Words, where: Words) -> None:
        np.bitwise_and(plane, np.invert(where, out=self._scratch), out=plane)

    def count(self, plane: Words) -> Ints:
        """How many cells of a plane are set in each board, (games,)."""
        return count_lanes(self.layout.lines(plane))[: self.games]

    def count_regions(self, plane: Words) -> Ints:
        """How many connected regions each board has, (games,); without their sizes, which take longer to find."""
        if is_quick(self.layout, self.games):
            return count_regions(self.layout, plane)[: self.games]
        return self.regions(plane).counts(self.games)

    def hints(self, most: int) -> Ints:
        """How many safe cells of each board have the hint 0, 1, .., ``most``, (games, most + 1)."""
        layout, shape = self.layout, self.layout.shape
        mines = layout.octets(self.mines)
        found = hints_of(mines.view(np.bool_).reshape(*shape, -1), len(shape)).reshape(mines.shape)
        mines = mines.astype(found.dtype, copy=False)
        np.bitwise_or(found, np.negative(mines, out=mines), out=found)  # all bits: no safe cell has such a hint
        counts = np.zeros((self.games, most + 1), dtype=np.int64)
        left, equal = layout.size - self.count(self.mines), np.empty(found.shape, dtype=np.bool_)
        for hint in range(most + 1):
            counts[:, hint] = add_octets(np.equal(found, hint, out=equal).view(np.uint8))[: self.games]
            left -= counts[:, hint]
            if not left.any():
                break
        return counts

    def regions(self, plane: Words) -> Regions:
        """The connected regions of all boards."""
        image = self._side_by_side(plane)
        games, length = image.shape[-2:]
        joined = image.reshape(*image.shape[:-2], games * length)
        labels, count = label(joined, _FACES_FROM)
        cells = np.flatnonzero(joined)
        region = labels.reshape(-1).take(cells)
        some = np.empty(count + 1, dtype=np.int64)
        some[region] = cells  # one of its cells tells the board of a region
        return Regions(some[1:] % (games * length) // length, np.bincount(region, minlength=count + 1)[1:])

    def _side_by_side(self, plane: Words) -> Bools:
        """The boards of a plane along the last axis, (..., games, n + 1), each behind one wall cell."""
        shape = [n for n in self.layout.shape if n > 1] or [1]
        image: Bools = self._space.array("image", (*shape[:-1], self.games, shape[-1] + 1), np.bool_)
        image[..., 0] = False
        boards = self.layout.boards(plane)[: self.games].reshape(self.games, *shape)
        np.copyto(image[..., 1:].view(np.uint8), np.moveaxis(boards, 0, -2))
        return image


@dataclass(frozen=True)
class Regions:
    """Connected regions of many boards: the board and the number of cells of each."""

    board: Ints
    size: Ints

    def counts(self, boards: int) -> Ints:
        """How many there are on each board."""
        return np.bincount(self.board, minlength=boards)

    def largest(self, boards: int) -> Ints:
        """The size of the largest on each board, 0 where there is none."""
        largest = np.zeros(boards, dtype=np.int64)
        np.maximum.at(largest, self.board, self.size)
        return largest


def tally_memory(layout: Layout, words: int) -> int:
    """Bytes that counting so many words of boards takes at the most."""
    planes, boards = 16 * 8 * layout.width, LANES * (layout.width + 24 * layout.size)
    return words * (planes + boards) + label_memory(0, len(layout.strides))
