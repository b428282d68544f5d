"""Numbers of boards, one or many: 3BV, openings, islands, zeros, hints.

An *opening* is a connected region of safe cells with hint 0.  An *isolated number* is a safe cell
with a larger hint that is on no opening's border: it has no zero beside it.  An *island* is a
connected group of isolated numbers.  All connect through the 3**n - 1 neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ndsweep.batch import Batch
from ndsweep.board import Board
from ndsweep.boardstats import BoardStats
from ndsweep.columns import checked_columns, count_isolated, fits_planes, measure_board, measure_planes
from ndsweep.engine.planes import Layout
from ndsweep.engine.store import read
from ndsweep.spec import SpecError, in_short


def bbbv(board: Board) -> int:
    """The 3BV of a board: the fewest clicks that open it without flags.

    The number of openings and of safe numbers on no opening's border: each takes one click.
    "Bechtel's Board Benchmark Value", after Stephan Bechtel; in n dimensions the definition
    stands as it is.

    Parameters
    ----------
    board : Board
        Any; of a large one some slabs at a time are in memory.

    Returns
    -------
    int

    Raises
    ------
    SpecError
        If it is no board.

    Examples
    --------
    >>> import ndsweep as nd
    >>> board = nd.Board.from_coords((3, 5), [(1, 1)])
    >>> print(board)
    1 1 1 . .
    1 * 1 . .
    1 1 1 . .
    >>> nd.bbbv(board)  # one opening, and the five numbers beside the left edge and above and below the mine
    6
    """
    if not isinstance(board, Board):
        raise SpecError(f"board must be a Board. Got {type(board).__name__}.")
    return board.opening_sizes().size + count_isolated(board)


def measure(boards: Board | Batch | Iterable[Board], columns: Iterable[str] | None = None) -> BoardStats:
    """The statistics of boards that are there already: one, several of one grid, or a batch.

    Parameters
    ----------
    boards : Board, Batch, or iterable of Board
        Any boards of one shape.
    columns : iterable of str, optional
        Which numbers: any of "bbbv", "openings", "largest_opening", "zeros" (cells of openings),
        "isolated" (numbers on no opening's border), "islands", "largest_island", "hints" (as
        hint_0, hint_1, ..: how many safe cells have that hint) and "zini", see `zini`.  All but
        the last by default.  With the largest come the histograms of all sizes; these two take
        most of the time.  ZiNi takes more, the more so the more axes: it looks at 5**n cells.

    Returns
    -------
    BoardStats
        One row a board.

    Raises
    ------
    SpecError
        If they are no boards of one shape, or there is no such column.
    TooLargeError
        If the work does not fit in memory, or "hints" were more than 6561 columns.

    Examples
    --------
    >>> import ndsweep as nd
    >>> stats = nd.measure(nd.Board.from_coords((3, 5), [(1, 1)]))
    >>> {name: int(stats[name][0]) for name in ("bbbv", "openings", "zeros", "isolated", "hint_1")}
    {'bbbv': 6, 'openings': 1, 'zeros': 6, 'isolated': 5, 'hint_1': 8}
    """
    if isinstance(boards, Batch):
        names = checked_columns(columns, boards.shape)
        return measure_planes(*boards.packed, len(boards), names)
    given = [boards] if isinstance(boards, Board) else _checked_boards(boards)
    names, layout = checked_columns(columns, given[0].shape), Layout(given[0].shape)
    if not fits_planes(layout.shape):
        parts = [measure_board(board, names) for board in given]
        return sum(parts[1:], parts[0])
    mines = layout.pack(np.stack([np.asarray(read(board.mines, ())).reshape(-1) for board in given]))
    return measure_planes(layout, mines, len(given), names)


def _checked_boards(boards: object) -> list[Board]:
    given = list(boards) if isinstance(boards, Iterable) else []
    if not given or not all(isinstance(board, Board) for board in given):
        raise SpecError(f"boards must be a Board, a Batch, or one or more boards. Got {in_short(boards)}.")
    shapes = sorted({board.shape for board in given})
    if len(shapes) > 1:
        raise SpecError(f"boards must have one shape. Got {shapes[0]} and {shapes[1]}.")
    return given
