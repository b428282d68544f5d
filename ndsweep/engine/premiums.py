"""Greedy ZiNi of many games at once: premiums that change only around what was just solved.

All games take their steps together.  Three facts save most of the work:

- A solve gains as many 3BV as it takes clicks, and as many more as its premium says.
- A left click gains one 3BV.  It never raises a premium: around a lone number it takes one away,
  and what a cell gains by being open it loses by the 3BV that is opened.
- So once the highest premium of a game is negative, it stays so, and one click for each 3BV is left.

Hence ZiNi is the 3BV less the premiums of all solves, and no left click has to be played.
"""

from __future__ import annotations

from itertools import permutations, product

import numpy as np

from ndsweep.engine.grid import Bools
from ndsweep.engine.labels import label, label_memory
from ndsweep.engine.stacks import Array, Ints, Stack

_BYTES = 64  # a cell, walls included
_CELLS = 1 << 19  # of a block of games, walls included
_SHORT = (1 << 16) - 1  # openings, counted from 1, of which the sort of 16 bits is the faster one
_LONG = 1 << 12  # cells; over shorter rows of bytes NumPy's argmax takes longer than three passes that vectorise

# What is closed or not flagged yet, in bits.  A cell that is done, or a wall, is 0.
_MINE, _LONE, _BORDER, _ZERO = 1, 2, 4, 8


def zini_of(mines: Bools) -> Ints:
    """The greedy ZiNi of each game, ties in C order; ``mines`` is (games, *shape)."""
    games = _games(mines)
    step = max(_CELLS // _width(games.shape[1:]), 1)
    found = [_Greedy(games[first : first + step]).run() for first in range(0, len(games), step)]
    return np.concatenate([np.zeros(0, dtype=np.int64), *found])


def least_zini_of(mines: Bools) -> Ints:
    """The least greedy ZiNi of each game over all orders of its axes, each forwards or backwards."""
    games = _games(mines)
    axes = range(1, games.ndim)
    mirrors = [tuple(axis for axis, back in zip(axes, signs, strict=True) if back) for signs in _signs(len(axes))]
    step = max(_CELLS // (_width(games.shape[1:]) * len(mirrors)), 1)
    least = np.full(len(games), np.iinfo(np.int64).max)
    for first in range(0, len(games), step):
        block = games[first : first + step]
        for order in permutations(axes):
            turned = block.transpose(0, *order)
            found = zini_of(np.concatenate([np.flip(turned, mirror) for mirror in mirrors]))
            some = least[first : first + step]
            np.minimum(some, found.reshape(len(mirrors), -1).min(axis=0), out=some)
    return least


def zini_memory(shape: tuple[int, ...]) -> int:
    """About as many bytes as `zini_of` takes for one game."""
    thick = _thick(shape)
    window = 8 * 5 ** len(thick)  # one array of places; a step holds some four
    return int(_BYTES * Stack(thick, 1).width + 4 * window + label_memory(0, len(thick)))


def _games(mines: Bools) -> Bools:
    return mines.reshape(len(mines), *_thick(mines.shape[1:]))


def _thick(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape without the axes of size 1, along which there are no neighbours."""
    return tuple([n for n in shape if n > 1] or [1])


def _width(shape: tuple[int, ...]) -> int:
    """What a game takes: its cells with their walls, or the window of a step if that is larger."""
    return max(Stack(shape, 1).width, int(5 ** len(shape)))


def _signs(axes: int) -> list[tuple[bool, ...]]:
    return list(product((False, True), repeat=axes))


class _Greedy:
    """A block of games.

    Attributes
    ----------
    state : flat uint8 array
        What each cell still is: an unflagged mine, or closed as a lone number (beside no opening),
        as the border of an opening, as a zero.
    premiums : flat signed array
        Those of numbers; far below zero elsewhere, whatever is added.
    labels : flat unsigned array
        The opening of each zero, from 1 on over all games.
    shown, starts : int64 arrays
        The border cells of all openings, opening by opening, and where each opening begins in them.
    """

    def __init__(self, mines: Bools) -> None:
        self.stack = stack = Stack(mines.shape[1:], len(mines))
        most = 3**stack.ndim
        self.dtype = np.min_scalar_type(-4 * most)
        mined, safe = stack.zeros(np.uint8), stack.zeros(np.uint8)
        stack.cells(mined)[...] = mines
        stack.cells(safe)[...] = ~mines
        around = stack.joined(np.add, mined.astype(self.dtype))
        zeros = (around == 0).view(np.uint8) & safe
        numbers = safe ^ zeros
        border = stack.joined(np.bitwise_or, zeros) & numbers
        lone = numbers ^ border
        self.state = mined * _MINE | lone * _LONE | border * _BORDER | zeros * _ZERO

        self.premiums = stack.joined(np.add, lone.astype(self.dtype)) - around - self.dtype.type(2)
        self.premiums *= numbers.view(np.int8)  # by arithmetic: choosing by a mask costs twenty times as much
        self.premiums += (1 - numbers.view(np.int8)) * self.dtype.type(-3 * most)
        self._find_openings(zeros, np.flatnonzero(border))

        last = np.maximum.accumulate(stack.rows(self.labels).max(axis=1)).astype(np.int64)
        self.bbbv: Ints = np.diff(last, prepend=0) + stack.rows(lone).sum(axis=1, dtype=np.int64)

    def _find_openings(self, zeros: Array, border: Ints) -> None:
        stack = self.stack
        found, count = label(stack.grid(zeros.view(np.bool_)))
        self.labels = stack.zeros(np.uint16 if count < _SHORT else np.uint32)
        stack.grid(self.labels)[...] = found
        self.closed = np.ones(count + 1, dtype=np.bool_)

        # Most border cells are beside one opening: the lowest label around is the highest, where none (0 - 1) is large.
        highest = stack.joined(np.maximum, self.labels)[border]
        lowest = stack.joined(np.minimum, self.labels - 1)[border] + 1
        self.premiums[border] += 1
        openings, cells = [highest], [border]
        more = np.flatnonzero(lowest != highest)
        border, highest = border[more], highest[more]
        around = self.labels[border + stack.near]
        while border.size:
            around[around == highest] = 0
            highest = around.max(axis=0)
            more = np.flatnonzero(highest)
            border, highest, around = border[more], highest[more], around[:, more]
            self.premiums[border] += 1
            openings.append(highest)
            cells.append(border)

        numbers = np.concatenate(openings)
        self.shown = np.concatenate(cells)[np.argsort(numbers, kind="stable")]
        self.starts = np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=count + 1))])

    def run(self) -> Ints:
        """The ZiNi of each game."""
        rows, games = self.stack.rows(self.premiums), np.arange(self.stack.games)
        clicks = self.bbbv.copy()
        while games.size:
            best, cells = _first_highest(rows if games.size == len(rows) else rows[games])
            more = np.flatnonzero(best >= 0)
            if more.size < games.size:
                games, best, cells = games[more], best[more], cells[more]
            clicks[games] -= best
            self._solve(games * self.stack.width + cells + self.stack.margin)
        return clicks

    def _solve(self, cells: Ints) -> None:
        """Opens one cell of each game, flags the mines around it and chords there."""
        near, far = cells + self.stack.near, cells + self.stack.far
        state = self.state[near]
        self.state[near] = 0
        lone, border = state >> 1 & 1, state >> 2 & 1
        change = self._spread(((state & _MINE) - lone).view(np.int8), (lone + border).view(np.int8))
        self.premiums[far] += change
        zeros = np.flatnonzero(state == _ZERO)
        if zeros.size:
            self._open(self.labels[near.reshape(-1)[zeros]], zeros % len(cells))

    def _spread(self, around: Array, own: Array) -> Array:
        """What is added to all cells up to two steps away by what the cells up to one step away add around them."""
        ndim = self.stack.ndim
        window = around.reshape(*(3,) * ndim, -1).astype(self.dtype)
        for axis in range(ndim):
            before, window = window, np.zeros((*(5,) * (axis + 1), *window.shape[axis + 1 :]), dtype=self.dtype)
            for first in range(3):
                window[(slice(None),) * axis + (slice(first, first + 3),)] += before
        middle = window[(slice(1, 4),) * ndim]
        middle += own.reshape(middle.shape)
        return window.reshape(len(self.stack.far), -1)

    def _open(self, openings: Ints, game: Ints) -> None:
        """Opens openings of games, which may be named several times, one a game at a time."""
        place = np.empty(self.stack.games, dtype=np.int64)
        while openings.size:
            left = np.flatnonzero(self.closed[openings])
            openings, game = openings[left], game[left]
            place[game] = np.arange(game.size)
            now = openings[place[game] == np.arange(game.size)]
            self.closed[now] = False
            self._show(now)

    def _show(self, openings: Ints) -> None:
        """Shows the border of openings that have no cell in common.

        Each cell has one 3BV less around it; one that was closed gains as much by being open.
        """
        starts = self.starts[openings]
        sizes = self.starts[openings + 1] - starts
        before = np.cumsum(sizes) - sizes
        cells = self.shown[np.repeat(starts - before, sizes) + np.arange(sizes.sum())]
        self.premiums[cells] -= self.state[cells] == 0
        self.state[cells] = 0


def _first_highest(rows: Array) -> tuple[Array, Ints]:
    """The highest number of each row, and the first place where it stands."""
    if rows.shape[1] >= _LONG:
        places = rows.argmax(axis=1)
        return rows[np.arange(len(rows)), places], places
    highest = rows.max(axis=1)
    return highest, (rows == highest[:, None]).argmax(axis=1)
