"""Mine layouts from streams, for one board or for many games at once.

The mines of a game are the first M distinct valid cells of its stream; where more than
half of the grid is mined, its safe cells are drawn instead (those that the first-click rule
keeps free are safe beforehand).  Valid are all cells but those that the rule keeps free.
Each layout that satisfies the rule is equally likely, because the stream does not know one
valid cell from another.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from math import prod

import numpy as np
import numpy.typing as npt

from ndsweep.engine.grid import neighbours_of
from ndsweep.engine.marks import Marks, Progress
from ndsweep.engine.memory import Workspace
from ndsweep.engine.planes import LANES, Layout, mask_of, word_count
from ndsweep.engine.store import Store
from ndsweep.engine.streams import (
    Ints,
    Words,
    bounded,
    bounded_dtype,
    bounded_end,
    cursors,
    draws,
    draws_per_word,
    mix,
)

_REDRAW = 16  # draws a game in each round of redraws


class Dealer:
    """Deals layouts of one kind: a grid, a number of mines, a first-click rule.

    Attributes
    ----------
    draws_safe_cells : bool
        Whether the safe cells are drawn rather than the mines.
    """

    def __init__(self, layout: Layout, mines: int, first: str) -> None:
        self.layout, self.mines, self.first = layout, mines, first
        self.draws_safe_cells = 2 * mines > layout.size
        self._rows = bounded_end(layout.size) + 1  # of the table: cells, then rejected draws and padding
        self._space = Workspace()

    def free_cells(self, first_cells: Ints) -> Ints:
        """The cells that the first-click rule keeps free of mines, (games, k), padded with ``size``."""
        if self.first == "any":
            return np.empty((first_cells.size, 0), dtype=np.int64)
        if self.first == "safe":
            return first_cells[:, None]
        return neighbours_of(self.layout.shape, first_cells)

    def wanted(self, free: Ints) -> Ints:
        """How many cells are drawn in each game, given its free cells."""
        if self.draws_safe_cells:
            safe: Ints = self.layout.size - (free < self.layout.size).sum(axis=1) - self.mines
            return safe
        return np.full(free.shape[0], self.mines, dtype=np.int64)

    # One board ---------------------------------------------------------------------------

    def board(
        self,
        out: Store,
        key: Words,
        first_cell: int,
        progress: Progress | None = None,
        executor: Executor | None = None,
    ) -> None:
        """The mines of one game, written to a store of the grid's shape that is all false."""
        free = self.free_cells(np.array([first_cell]))
        (wanted,) = map(int, self.wanted(free))
        marks = Marks(out, free[free < self.layout.size], executor)
        marks.mark(key, wanted, progress)
        if self.draws_safe_cells:
            marks.invert()
        else:
            marks.release()

    # Many games --------------------------------------------------------------------------

    def block_words(self) -> int:
        """How many words of games to deal at a time, for a table of about a megabyte."""
        return max(1, (1 << 20) // (self._rows * LANES))

    def memory(self, words: int) -> int:
        """Bytes that dealing so many words of games takes at the most."""
        drawn = min(self.mines, self.layout.size - self.mines) + _REDRAW
        free = prod(min(n, 3) for n in self.layout.shape) if self.first == "opening" else 1
        return words * LANES * (self._rows + 32 * drawn + 32 * free)

    def plane(self, keys: Words, first_cells: Ints) -> Words:
        """The plane of mines of many games, dealt in blocks that stay in cache."""
        layout, games, block = self.layout, keys.size, self.block_words()
        plane = layout.plane(word_count(games))
        for word in range(0, word_count(games), block):
            part = slice(word * LANES, min((word + block) * LANES, games))
            lanes = np.arange(part.stop - part.start)
            mines = self.deal(keys[part], first_cells[part], lanes, word_count(lanes.size))
            layout.write(plane, mines, word)
        return plane

    def deal(self, keys: Words, first_cells: Ints, lanes: Ints, words: int) -> Words:
        """The mines of many games, each in its lane of ``words`` words, (words, size).

        The table has 64 bytes for each cell of each word, so that its packed bits are the
        mines.  A first block of draws marks it at once; the marks are counted; then single
        draws fill up the games in which some fell on a taken cell.
        """
        size, rows = self.layout.size, self._rows
        table = self._space.array("table", (words, rows, LANES), np.uint8)
        column = lanes // LANES * (rows * LANES) + lanes % LANES
        self._mark(table, keys, column, LANES, first_cells, lambda: self._lane_sums(table[:, :size])[lanes])
        packed = np.packbits(table, bitorder="little").view("<u8").astype(np.uint64, copy=False)
        mines: Words = packed.reshape(words, rows)[:, :size]
        if self.draws_safe_cells:
            mines ^= mask_of(lanes, words)[:, None]
        return mines

    def rows(self, keys: Words, first_cells: Ints) -> npt.NDArray[np.uint8]:
        """The same with a row of bytes a game, (games, size); to be read before the next deal."""
        games, size = keys.size, self.layout.size
        table = self._space.array("table", (games, self._rows), np.uint8)
        mines = table[:, :size]

        def count() -> Ints:
            marked: Ints = np.bitwise_count(np.packbits(mines, axis=1)).sum(axis=1, dtype=np.int64)
            return marked

        self._mark(table, keys, np.arange(games) * self._rows, 1, first_cells, count)
        if self.draws_safe_cells:
            np.bitwise_xor(mines, 1, out=mines)
        return mines

    def _mark(
        self,
        table: npt.NDArray[np.uint8],
        keys: Words,
        column: Ints,
        step: int,
        first_cells: Ints,
        count: Callable[[], Ints],
    ) -> None:
        """Marks what is drawn in a table, cell c of a game at its place in ``column`` plus ``step`` times c.

        ``count`` gives how many cells are marked in each game.
        """
        table.fill(0)
        marks = table.reshape(-1)
        free = self.free_cells(first_cells)
        wanted, free = self.wanted(free), free * step + column[:, None]
        most = int(wanted.max(initial=0))
        places = self._first_places(keys, column, step, wanted, most)
        marks[places] = 1
        marks[free] = 0
        left = wanted - count()
        marks[free] = 1
        size = self.layout.size
        rejected = table[:, size:]  # a rejected draw finds its place taken
        rejected[...] = 1
        for drawn in set(wanted.tolist()):  # each stream goes on behind its own first draws
            part = np.flatnonzero((wanted == drawn) & (left > 0))
            self._redraw(marks, keys[part], column[part], step, left[part], drawn)
        if not self.draws_safe_cells:
            marks[free] = 0

    def _first_places(self, keys: Words, column: Ints, step: int, wanted: Ints, most: int) -> Ints:
        """The places in the table of the first ``wanted`` draws of each game, (games, most)."""
        size, parts = self.layout.size, draws_per_word(self.layout.size)
        shape = keys.size, -(-most // parts)
        source, scratch = (self._space.array(name, shape, np.uint64) for name in ("words", "scratch"))
        np.add(keys[:, None], cursors(np.zeros(1, dtype=np.uint64), np.arange(shape[1])), out=source)
        mix(source, scratch)
        drawn = self._space.array("drawn", (keys.size, shape[1] * parts), bounded_dtype(size))
        drawn = bounded(source, size, out=drawn)[:, :most]
        if int(wanted.min(initial=most)) < most:
            np.copyto(drawn, size, where=np.arange(most) >= wanted[:, None])
        places: Ints = self._space.array("places", drawn.shape, np.int64)
        np.multiply(drawn, step, dtype=np.int64, out=places)
        places += column[:, None]
        return places

    def _lane_sums(self, table: npt.NDArray[np.uint8]) -> Ints:
        """The sums of (words, cells, 64) zeros and ones over the cells: in bytes, by halves, while they reach."""
        sums, rows, most = table, table.shape[1], 1
        buffer = self._space.array("sums", (table.shape[0], max(rows // 2, 1), LANES), np.uint8)
        while rows > 1 and 3 * most <= 255:
            half = rows // 2
            joined = np.add(sums[:, :half], sums[:, half : 2 * half], out=buffer[:, :half])
            if rows % 2:
                joined[:, 0] += sums[:, rows - 1]
            sums, rows, most = joined, half, 3 * most
        totals: Ints = sums.sum(axis=1, dtype=np.int64)
        return totals.reshape(-1)

    def _redraw(
        self, marks: npt.NDArray[np.uint8], keys: Words, column: Ints, step: int, left: Ints, cursor: int
    ) -> None:
        """Marks the next ``left`` valid cells of each stream, one draw at a time."""
        while (unfinished := left > 0).any():
            keys, column, left = keys[unfinished], column[unfinished], left[unfinished]
            drawn = np.multiply(draws(keys, self.layout.size, cursor, _REDRAW).T, step, dtype=np.int64, order="C")
            drawn += column
            for places in drawn:
                taken = marks.take(places)
                fresh = taken < (left > 0).view(np.uint8)
                marks[places] = taken | fresh
                left -= fresh
                if not left.any():
                    break
            cursor += _REDRAW
