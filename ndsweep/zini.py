"""ZiNi: how many clicks a board takes with flags and chords, by the greedy rule of the community."""

from __future__ import annotations

import numpy as np

from ndsweep.board import Board
from ndsweep.checks import check_memory
from ndsweep.engine.premiums import least_zini_of, zini_memory, zini_of
from ndsweep.engine.store import read
from ndsweep.spec import SpecError

ORDERS = ("c", "all")
"""The scan orders that decide between cells with the same premium."""


def zini(board: Board, orders: str = "c") -> int:
    """The greedy ZiNi of a board: the clicks to open all safe cells by a rule that flags and chords.

    Parameters
    ----------
    board : Board
        The layout, in any dimension.
    orders : {'c', 'all'}
        The order of cells that decides between equal premiums.  'c': C order, in two dimensions
        row by row from the top left.  'all': the least ZiNi over every order of the axes, each
        forwards or backwards: n! * 2**n scans, which in two dimensions are the eight of 8-way
        ZiNi.  (Axes of size 1 change no scan and are left out.)

    Returns
    -------
    int
        At most the 3BV of the board, and 0 if it has no safe cell.

    Raises
    ------
    SpecError
        If the board is no `Board`, or there are no such orders.
    TooLargeError
        If the work does not fit in memory.

    Notes
    -----
    The definition is by Elmar Zimmermann and Christoph Nikolaus, "New benchmark: 3bv for flaggers",
    forum of minesweeper.info (minesweepergame.com/forum, topic 70), 30 July 2009, as Greedy ZiNi.
    The player knows where the mines are.  A 3BV is an opening, or a number beside no opening: what
    a player without flags clicks once each.

    1. For each safe cell, open or closed, the premium is the number of 3BV that are still closed
       in it and around it, less the mines around it that have no flag, less 1 if it is closed, less 1.
    2. The first cell with the highest premium, if that is 0 or more, is solved: it is opened if it
       is closed (one click), the mines around it are flagged (one click each), and it is chorded
       (one click).  If the highest premium is negative, the first closed 3BV is opened (one click).
    3. This is repeated as long as closed safe cells remain.

    In n dimensions the neighbours are the 3**n - 1 cells around a cell, and nothing else changes.
    The text leaves three things open, which are read here as its implementations do (LlamaSweeper,
    ms_toollib): the 3BV around a cell include the cell itself; an opening counts once, however
    many of its cells are touched, and a cell on the border of several counts each; a left click
    is spent on a 3BV, not on a border cell.  ms_toollib's ``cal_zini`` scans column by column:
    it gives the ZiNi in C order of the transposed board.

    A solve with premium p opens p more 3BV than it takes clicks, and a left click opens one, so
    ZiNi is the 3BV less the premiums of all solves, and never more than the 3BV.  A left click
    raises no premium, so none is worth a solve any more once the highest is negative.

    Greedy is not optimal: fewer clicks may do, also than the best of all orders.  Solves follow one
    another, and each looks at all cells: a board of 1000 x 1000 with a fifth of mines takes some
    75,000 of them, ten seconds or more.

    Examples
    --------
    Eight numbers, a click each without flags.  To open the middle of the first row, to flag and to
    chord there opens five of them in three clicks; chords on both sides of the mine open the others.

    >>> import ndsweep as nd
    >>> board = nd.Board.from_coords((3, 3), [(1, 1)])
    >>> print(board)
    1 1 1
    1 * 1
    1 1 1
    >>> nd.zini(board)
    5

    The first of the best cells is not always the best of them:

    >>> board = nd.Board.from_coords((2, 5), [(0, 0), (0, 3)])
    >>> nd.zini(board), nd.zini(board, orders="all")
    (6, 5)
    """
    if not isinstance(board, Board):
        raise SpecError(f"board must be a Board. Got {type(board).__name__}.")
    if not isinstance(orders, str) or orders not in ORDERS:
        raise SpecError(f"orders must be 'c' or 'all'. Got {orders!r}.")
    mirrors = 2 ** sum(n > 1 for n in board.shape) if orders == "all" else 0
    needed = zini_memory(board.shape) + mirrors * board.size
    check_memory(f"the ZiNi of a grid of shape {board.shape}", needed)
    mines = np.asarray(read(board.mines, ()))[None]
    return int((zini_of if orders == "c" else least_zini_of)(mines)[0])
