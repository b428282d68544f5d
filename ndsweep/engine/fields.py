"""Many games of one kind in rows of numbers, each of which goes on to another game on its own.

A move is one gather and one scatter here, where in bit planes it would be a pass over all
cells; so this is for players that move once a call and want to see everything after it.  What
a cell would show if it were opened lies ready, with the walls of `planes` between the cells.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine.boxes import Slices
from ndsweep.engine.deal import Dealer
from ndsweep.engine.flood import flood
from ndsweep.engine.grid import hints_of, view_dtype
from ndsweep.engine.memory import Workspace
from ndsweep.engine.planes import LANES, Layout, set_bits, word_count
from ndsweep.engine.streams import Ints, Words

HIDDEN, FLAG, MINE = -1, -2, -3
PLAYING, WON, LOST = 0, 1, 2
_LARGE = 1 << 12  # cells; grids from here on are dealt and flooded one by one, in what the flood reaches

Codes = npt.NDArray[np.signedinteger[Any]]
Bools = npt.NDArray[np.bool_]


class Fields:
    """Games of one kind, a row each; a game is dealt at its first reveal.

    Attributes
    ----------
    views : (rows, size) array
        The view codes.
    status : (rows,) int8 array
    safe_left : (rows,) int64 array
        Safe cells that are hidden.
    dealt : (rows,) bool array
    """

    def __init__(self, shape: tuple[int, ...], mines: int, first: str, rows: int) -> None:
        self.layout = Layout(shape)
        self.mines = mines
        self._dealer = Dealer(self.layout, mines, first)
        dtype, size = view_dtype(len(shape)), self.layout.size
        self.views = np.full((rows, size), HIDDEN, dtype=dtype)
        self.status = np.full(rows, PLAYING, dtype=np.int8)
        self.safe_left = np.full(rows, size - mines, dtype=np.int64)
        self.dealt = np.zeros(rows, dtype=np.bool_)
        self._keys = np.zeros(rows, dtype=np.uint64)
        self._beneath = np.zeros((rows, self.layout.width), dtype=dtype)  # what each cell shows when open
        self._flags = 0
        self._inside = np.zeros(self.layout.width, dtype=np.uint8)
        self._inside[self.layout.positions] = 1
        self._space = Workspace()

    def start(self, rows: Ints, keys: Words) -> None:
        """Other games in some rows: those of these keys."""
        if self._flags:
            self._flags -= int(np.count_nonzero(self.views[rows] == FLAG))
        self.views[rows], self._keys[rows], self.dealt[rows] = HIDDEN, keys, False
        self.status[rows], self.safe_left[rows] = PLAYING, self.layout.size - self.mines

    # Moves -------------------------------------------------------------------------------------

    def reveal(self, rows: Ints, cells: Ints) -> Ints:
        """Reveals a cell in each of some rows, whose games are being played; gives the numbers of cells opened."""
        shown = self.views.reshape(-1)
        opened = np.zeros(rows.size, dtype=np.int64)
        places = rows * self.layout.size + cells
        moved = np.flatnonzero(shown.take(places) == HIDDEN)
        if moved.size < rows.size:
            rows, cells, places = rows[moved], cells[moved], places[moved]
        fresh = np.flatnonzero(~self.dealt.take(rows))
        if fresh.size:
            self._deal(rows[fresh], cells[fresh])
        found = self._beneath.reshape(-1).take(rows * self.layout.width + self.layout.positions.take(cells))
        shown[places] = found
        opened[moved] = 1
        zero, mined = np.flatnonzero(found == 0), np.flatnonzero(found == MINE)
        if zero.size:
            opened[moved[zero]] += self._flood(rows[zero], cells[zero])
        self.safe_left[rows] -= opened[moved]
        self.safe_left[rows[mined]] += 1
        self.status[rows[self.safe_left.take(rows) == 0]] = WON
        self.status[rows[mined]] = LOST
        return opened

    def flag(self, rows: Ints, cells: Ints) -> Ints:
        """Sets or removes a flag in each of some rows: +1, -1, or 0 on an open cell."""
        shown = self.views.reshape(-1)
        places = rows * self.layout.size + cells
        codes = shown.take(places)
        change: Ints = (codes == HIDDEN).astype(np.int64) - (codes == FLAG)
        moved = change != 0
        shown[places[moved]] = np.where(change[moved] > 0, FLAG, HIDDEN)
        self._flags += int(change.sum())
        return change

    # Dealing -----------------------------------------------------------------------------------

    def _deal(self, rows: Ints, cells: Ints) -> None:
        self.dealt[rows] = True
        if self.layout.size < _LARGE:
            some = self._dealer.block_words() * LANES  # at a time: as many as work in the cache
            for start in range(0, rows.size, some):
                part = rows[start : start + some]
                mines = self._dealer.rows(self._keys[part], cells[start : start + some])
                self._beneath[part] = self._codes(mines)
        else:
            for row, cell in zip(rows.tolist(), cells.tolist(), strict=True):
                self._deal_one(row, cell)

    def _codes(self, mines: npt.NDArray[np.uint8]) -> Codes:
        """The hint of each cell of (games, size) layouts, MINE on mines, (games, width); walls hold anything."""
        layout, codes = self.layout, self._beneath.dtype
        unsigned = np.dtype(f"u{codes.itemsize}")
        units = np.zeros(len(mines) * layout.width + layout.reach, dtype=unsigned)
        layout.cells_of(units)[...] = mines.reshape(-1, *layout.shape)
        # as an unsigned number MINE is larger than any hint; numpy.copyto takes twenty times as long
        mined = units * np.array(MINE).astype(unsigned)
        sums = np.maximum(layout.add_up(units), mined, out=mined)
        return layout.lines(sums).view(codes)

    def _deal_one(self, row: int, cell: int) -> None:
        mines = np.zeros(self.layout.shape, dtype=np.bool_)
        self._dealer.board(mines, self._keys[row : row + 1], cell)
        codes = hints_of(mines).astype(self._beneath.dtype)
        codes[mines] = MINE
        self._beneath[row, self.layout.positions] = codes.reshape(-1)

    # Floods ------------------------------------------------------------------------------------

    def _flood(self, rows: Ints, cells: Ints) -> Ints:
        """Opens what follows from these zeros, which are open; gives the numbers of further cells."""
        if self.layout.size >= _LARGE:
            pairs = zip(rows.tolist(), cells.tolist(), strict=True)
            return np.array([self._flood_one(row, cell) for row, cell in pairs], dtype=np.int64)
        views = self.views.take(rows, axis=0)
        beneath = self._beneath.take(rows, axis=0)
        fresh = self._reached(beneath == 0, views, cells)
        fresh &= views == HIDDEN
        unsigned = np.dtype(f"u{views.itemsize}")
        codes = self.layout.without_walls(beneath).reshape(views.shape).view(unsigned)
        # as an unsigned number HIDDEN is the largest, so the least of both is the new view, where the rest is masked
        codes |= fresh.astype(unsigned) - unsigned.type(1)
        self.views[rows] = np.minimum(codes, views.view(unsigned), out=codes).view(views.dtype)
        counts: Ints = np.bitwise_count(np.packbits(fresh, axis=1)).sum(axis=1, dtype=np.int64)
        return counts

    def _reached(self, zeros: Bools, views: Codes, cells: Ints) -> Bools:
        """The cells that floods reach from a cell each, (rows, size); flags let none through."""
        layout, games = self.layout, np.arange(cells.size)
        units = self._space.array("units", (word_count(cells.size) * LANES, layout.width), np.uint8)
        np.bitwise_and(zeros.view(np.uint8), self._inside, out=units[: cells.size])
        if self._flags:
            units[: cells.size, layout.positions] &= views != FLAG
        units[cells.size :] = 0
        passable = layout.from_units(units)
        reached = np.zeros_like(passable)
        set_bits(reached, layout.positions[cells] + games // LANES * layout.width, games)
        self._spread(reached, passable)
        return layout.boards(reached)[: cells.size].reshape(cells.size, -1).view(np.bool_)

    def _spread(self, reached: Words, passable: Words) -> None:
        """Carries what is reached on through what is passable and one cell beyond."""
        grown, step = np.empty_like(reached), np.empty_like(reached)
        passes = [self.layout.passes(plane, plane, step) for plane in (grown, reached)]
        rounds = [(reached, grown, passes[0]), (grown, reached, passes[1])]
        while True:
            for source, target, joins in rounds:  # two at a time: to look costs as much as a round
                np.bitwise_and(source, passable, target)
                for one, other, joined in joins:
                    np.bitwise_or(one, other, joined)
            if not np.bitwise_xor(reached, grown, step).any():
                break

    def _flood_one(self, row: int, cell: int) -> int:
        beneath, view = (
            self.layout.without_walls(self._beneath[row : row + 1])[0],
            self.views[row].reshape(self.layout.shape),
        )

        def passable(box: Slices) -> Bools:
            mask: Bools = (beneath[box] == 0) & (view[box] != FLAG)
            return mask

        opened = 0
        place = tuple(int(x) for x in np.unravel_index(cell, self.layout.shape))
        for box, reached in flood(self.layout.shape, place, passable):
            reached &= view[box] == HIDDEN
            np.copyto(view[box], beneath[box], where=reached)
            opened += int(np.count_nonzero(reached))
        return opened


def memory_of_fields(shape: tuple[int, ...], mines: int, first: str, rows: int) -> int:
    """Bytes that so many games take, those that a move needs for a while included."""
    layout = Layout(shape)
    dealer = Dealer(layout, mines, first)
    words = word_count(rows) if layout.size < _LARGE else 0
    dealt = 0 if not words else dealer.memory(min(dealer.block_words(), words))
    a_row = 4 * (layout.size + layout.width) * view_dtype(len(shape)).itemsize + 3 * layout.width
    return rows * a_row + dealt + 16 * layout.size
