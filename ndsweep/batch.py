"""Batch: many games of one kind at once, in bit planes."""

from __future__ import annotations

from copy import deepcopy
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.board import Board
from ndsweep.checks import (
    check_memory,
    checked_array,
    checked_cells,
    checked_indices,
    checked_range,
    checked_spec,
)
from ndsweep.engine import grid
from ndsweep.engine.deal import Dealer
from ndsweep.engine.planes import LANES, Layout, count_lanes, get_bits, lane_bits, set_bits, word_count
from ndsweep.engine.streams import Ints, Purpose, Words, first_cells_of, stream_keys
from ndsweep.render.html import several, shown_of
from ndsweep.spec import FLAG, HIDDEN, MINE, Spec, SpecError, Status, checked_int, checked_shape

_BLOCK_WORDS = 16  # words whose hints are counted at a time
_PLANES = 8  # mines, zeros, opened, flagged, and work space


class Batch:
    """Many games of one grid, played in step: one move a game and call.

    Parameters
    ----------
    mines : (games, n1, ..., nd) bool array
        The layouts, games on axis 0.

    Attributes
    ----------
    first_cells : (games,) int64 array or None
        The flat first cell of each game, for a batch that was dealt.

    Examples
    --------
    >>> import ndsweep as nd
    >>> batch = nd.Batch.deal(nd.BEGINNER, games=1000, seed=5)
    >>> opened = batch.reveal(batch.first_cells)
    >>> bool((opened >= 1).all())
    True
    >>> batch.views().shape
    (1000, 9, 9)
    >>> batch.board(17) == nd.Board.deal(nd.BEGINNER, seed=5, game=17)
    True
    """

    def __init__(self, mines: npt.NDArray[np.bool_]) -> None:
        array = checked_array("mines", mines)
        if array.dtype != np.bool_ or array.ndim < 2:
            raise SpecError(
                f"mines must be a boolean array with games on axis 0. Got {array.dtype} with {array.ndim} axes."
            )
        games = array.shape[0]
        layout = Layout(checked_shape(array.shape[1:]))
        check_memory(f"a batch of {games} games of shape {layout.shape}", memory_of_batch(layout, games))
        self._start(layout, layout.pack(array.reshape(games, layout.size)), games)
        self.first_cells: Ints | None = None

    @classmethod
    def deal(
        cls, spec: Spec, games: int, seed: int = 0, start: int = 0, first_cells: npt.ArrayLike | None = None
    ) -> Batch:
        """Games number ``start`` .. ``start + games - 1`` of a seed.

        Parameters
        ----------
        spec : Spec
            The kind of game.
        games : int
            Number of games, 0 or more.
        seed, start : int
            Which games.
        first_cells : (games,) int array, optional
            The flat first cell of each game, which the first-click rule protects; by default
            each game's own random first cell.  It is not opened: that is the first reveal.

        Returns
        -------
        Batch

        Raises
        ------
        SpecError
            If the first-click rule leaves too few cells for the mines, or an argument is not
            of its kind.
        CellError
            If there is not one first cell inside the grid for each game.
        TooLargeError
            If the batch does not fit in memory.

        Examples
        --------
        >>> import ndsweep as nd
        >>> batch = nd.Batch.deal(nd.Spec((4, 4, 4), 10), games=3, first_cells=[0, 0, 63])
        >>> batch.first_cells
        array([ 0,  0, 63])
        """
        checked_spec(spec)
        start, games = checked_range(start, games)
        seed = checked_int("seed", seed)
        layout = Layout(spec.shape)
        what, needed = f"a batch of {games} games of shape {spec.shape}", memory_of_batch(layout, games)
        check_memory(what, needed)
        dealer = Dealer(layout, spec.mines, spec.first)
        check_memory(what, needed + dealer.memory(min(dealer.block_words(), word_count(games))))
        numbers = np.arange(start, start + games)
        if first_cells is None:
            spec.check_first_cells(spec.most_free, "random first cells")
            first = first_cells_of(seed, numbers, spec.size)
        else:
            first = checked_cells(first_cells, games, spec.size, 0, "first_cells")
        free = dealer.free_cells(first)
        spec.check_first_cells(int((free < spec.size).sum(axis=1).max(initial=0)), "these first_cells")
        batch = cls.__new__(cls)
        batch._start(layout, dealer.plane(stream_keys(seed, Purpose.MINES, numbers), first), games)
        batch.first_cells = first
        return batch

    def _start(self, layout: Layout, mines: Words, games: int) -> None:
        self._layout, self._mines, self._games = layout, mines, games
        words = word_count(games)
        self._opened, self._flagged, self._fresh = (layout.plane(words) for _ in range(3))
        self._scratch = layout.plane(words)
        self._line = np.arange(games) // LANES * layout.width
        self._lanes = np.arange(games)
        self._zeros = self._zeros_plane()
        self._safe_left = layout.size - count_lanes(layout.lines(mines))[:games]
        self._status = np.where(self._safe_left == 0, np.int8(Status.WON), np.int8(Status.PLAYING))

    def _zeros_plane(self) -> Words:
        """Cells that have no mine in their neighbourhood."""
        layout, zeros = self._layout, self._layout.plane(word_count(self._games))
        layout.spread(np.bitwise_or, self._mines, zeros, self._scratch)
        np.invert(zeros, out=zeros)
        lines = layout.lines(zeros)
        np.bitwise_and(lines, layout.grid, out=lines)
        zeros[lines.size :] = 0
        return zeros

    # What the players see --------------------------------------------------------------------

    def __copy__(self) -> Batch:
        return deepcopy(self)

    def __len__(self) -> int:
        return self._games

    def _repr_html_(self) -> str:
        views = self.views(np.arange(shown_of(self._games, self._layout.size)))
        return several(views, self._games, repr(self)[1:-1])

    def __repr__(self) -> str:
        size = "x".join(map(str, self.shape))
        counts = ", ".join(f"{int((self._status == s).sum())} {s.name.lower()}" for s in Status)
        return f"<Batch of {self._games} games, {size}: {counts}>"

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes of the grid."""
        return self._layout.shape

    @property
    def status(self) -> npt.NDArray[np.int8]:
        """The `Status` of each game, (games,)."""
        return self._status.copy()

    @property
    def packed(self) -> tuple[Layout, Words]:
        """How the bit planes are laid out, and the plane of the mines; see docs/layout.md."""
        return self._layout, self._mines

    @cached_property
    def mines(self) -> npt.NDArray[np.bool_]:
        """The layouts, (games, *shape)."""
        return self._by_game(self._layout.octets(self._mines).view(np.bool_)[:, : self._games])

    @cached_property
    def hints(self) -> npt.NDArray[np.unsignedinteger[Any]]:
        """The hints, (games, *shape), as `Board.hints`."""
        layout, ndim, block = self._layout, len(self.shape), _BLOCK_WORDS
        hints = np.empty((layout.size, self._games), dtype=grid.hint_dtype(ndim))
        for word in range(0, word_count(self._games), block):
            mines = layout.octets(self._mines, word, word + block)
            part = grid.hints_of(mines.view(np.bool_).reshape(*self.shape, -1), ndim)
            lanes = slice(word * LANES, min((word + block) * LANES, self._games))
            hints[:, lanes] = part.reshape(layout.size, -1)[:, : lanes.stop - lanes.start]
        return self._by_game(hints)

    def _by_game(self, cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A (size, games) array as a read-only (games, *shape) view: games are last in memory."""
        cells.flags.writeable = False
        return np.moveaxis(cells.reshape(*self.shape, self._games), -1, 0)

    def board(self, i: int) -> Board:
        """The board of game ``i`` of the batch.

        Parameters
        ----------
        i : int
            Index of the game within the batch.

        Raises
        ------
        SpecError
            If there is no such game.

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.Batch.deal(nd.BEGINNER, 2).board(1).n_mines
        10
        """
        i = checked_int("i", i, 0, self._games - 1)
        return Board(self._layout.unpack(self._mines, np.array([i])).reshape(self.shape))

    def views(self, games: npt.ArrayLike | None = None) -> npt.NDArray[np.signedinteger[Any]]:
        """The view codes of all games, or of those listed: (games, *shape).

        Parameters
        ----------
        games : (k,) int array, optional
            Indices of games within the batch.

        Returns
        -------
        (games or k, *shape) array
            A new array.  That of all games has the games last in memory, which makes it cheap.

        Examples
        --------
        >>> import ndsweep as nd
        >>> batch = nd.Batch.deal(nd.Spec((2, 2), 1), 3)
        >>> batch.views([0])
        array([[[-1, -1],
                [-1, -1]]], dtype=int8)
        """
        if games is None:
            opened, flagged, mines = (
                self._by_game(self._layout.octets(plane).view(np.bool_)[:, : self._games])
                for plane in (self._opened, self._flagged, self._mines)
            )
            return _views(opened, flagged, mines, self.hints)
        lanes = checked_indices(games, self._games)
        opened, flagged, mines = (
            self._layout.unpack(plane, lanes).reshape(lanes.size, *self.shape)
            for plane in (self._opened, self._flagged, self._mines)
        )
        return _views(opened, flagged, mines, self.hints[lanes])

    # Moves -----------------------------------------------------------------------------------

    def reveal(self, cells: npt.ArrayLike) -> Ints:
        """Reveals one cell in each game, with the rules of `Game.reveal`.

        Parameters
        ----------
        cells : (games,) int array
            A flat cell index a game, or -1 for no move.

        Returns
        -------
        (games,) int64 array
            Number of cells opened in each game.

        Raises
        ------
        CellError
            If there is not one cell of the grid, or -1, for each game.

        Examples
        --------
        >>> import ndsweep as nd
        >>> batch = nd.Batch.deal(nd.Spec((3, 3), 1, first="opening"), 2, first_cells=[0, 0])
        >>> batch.reveal([0, -1]) > 3
        array([ True, False])
        """
        places, lanes = self._movable(cells)
        free = ~get_bits(self._opened, places, lanes) & ~get_bits(self._flagged, places, lanes)
        places, lanes = places[free], lanes[free]
        set_bits(self._opened, places, lanes)
        opened = np.zeros(self._games, dtype=np.int64)
        opened[lanes] = 1
        mined = get_bits(self._mines, places, lanes)
        self._status[lanes[mined]] = Status.LOST
        zero = get_bits(self._zeros, places, lanes)
        if zero.any():
            opened += self._flood(places[zero], lanes[zero])
        self._safe_left -= opened
        self._safe_left[lanes[mined]] += 1
        self._status[lanes[~mined & (self._safe_left[lanes] == 0)]] = Status.WON
        return opened

    def flag(self, cells: npt.ArrayLike) -> Ints:
        """Sets or removes a flag in each game, with the rules of `Game.flag`.

        Parameters
        ----------
        cells : (games,) int array
            A flat cell index a game, or -1 for no move.

        Returns
        -------
        (games,) int64 array
            +1 where a flag was set, -1 where one was removed, 0 where nothing happened.

        Raises
        ------
        CellError
            If there is not one cell of the grid, or -1, for each game.

        Examples
        --------
        >>> import ndsweep as nd
        >>> batch = nd.Batch.deal(nd.BEGINNER, 2)
        >>> batch.flag([5, -1]), batch.flag([5, 7])
        (array([1, 0]), array([-1,  1]))
        """
        places, lanes = self._movable(cells)
        hidden = ~get_bits(self._opened, places, lanes)
        places, lanes = places[hidden], lanes[hidden]
        flagged = get_bits(self._flagged, places, lanes)
        np.subtract.at(self._flagged, places[flagged], lane_bits(lanes[flagged]))
        set_bits(self._flagged, places[~flagged], lanes[~flagged])
        change = np.zeros(self._games, dtype=np.int64)
        change[lanes] = np.where(flagged, -1, 1)
        return change

    def _movable(self, cells: npt.ArrayLike) -> tuple[Ints, Ints]:
        """The flat places and the lanes of the moves in games that are being played."""
        chosen = checked_cells(cells, self._games, self._layout.size, -1)
        lanes = np.flatnonzero((chosen >= 0) & (self._status == Status.PLAYING))
        return self._layout.positions[chosen[lanes]] + self._line[lanes], lanes

    def _flood(self, places: Ints, lanes: Ints) -> Ints:
        """Opens the openings of these zeros and their borders, as far as flags let it pass."""
        region, step = self._fresh, self._scratch
        region.fill(0)
        set_bits(region, places, lanes)
        layout, grown = self._layout, np.empty_like(region)
        while True:
            np.bitwise_and(region, self._zeros, out=grown)
            layout.spread(np.bitwise_or, grown, grown, step)
            np.bitwise_or(grown, region, out=grown)
            lines = layout.lines(grown)
            np.bitwise_and(lines, layout.grid, out=lines)
            np.bitwise_and(grown, np.invert(self._flagged, out=step), out=grown)
            grown[lines.size :] = 0
            if np.array_equal(grown, region):
                break
            region, grown = grown, region
        np.bitwise_and(region, np.invert(self._opened, out=step), out=grown)
        np.bitwise_or(self._opened, grown, out=self._opened)
        return count_lanes(layout.lines(grown))[: self._games]


def _views(
    opened: npt.NDArray[np.bool_],
    flagged: npt.NDArray[np.bool_],
    mines: npt.NDArray[np.bool_],
    hints: npt.NDArray[np.unsignedinteger[Any]],
) -> npt.NDArray[np.signedinteger[Any]]:
    views = np.full_like(opened, HIDDEN, dtype=grid.view_dtype(opened.ndim - 1))
    np.copyto(views, hints, where=opened, casting="unsafe")
    np.copyto(views, FLAG, where=flagged)
    np.copyto(views, MINE, where=opened & mines)
    return views


def memory_of_batch(layout: Layout, games: int) -> int:
    """Bytes that a batch takes, its hints and views included.

    Examples
    --------
    >>> memory_of_batch(Layout((9, 9)), games=64)
    28432
    """
    words = word_count(games)
    return _PLANES * 8 * words * layout.width + (4 * LANES * words + 16) * layout.size
