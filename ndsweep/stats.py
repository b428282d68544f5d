"""Numbers of boards, one or many: 3BV, openings, islands, zeros, hints.

An *opening* is a connected region of safe cells with hint 0.  An *isolated number* is a safe cell
with a larger hint that is on no opening's border: it has no zero beside it.  An *island* is a
connected group of isolated numbers.  All connect through the 3**n - 1 neighbours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import prod

import numpy as np
import numpy.typing as npt

from ndsweep.batch import Batch
from ndsweep.board import Board
from ndsweep.boardstats import BoardStats, Columns
from ndsweep.engine.boxes import Slices, grown, rows_of, whole, within
from ndsweep.engine.grid import dilate
from ndsweep.engine.memory import Workspace
from ndsweep.engine.planes import LANES, Layout, word_count
from ndsweep.engine.premiums import zini_of
from ndsweep.engine.regions import region_sizes
from ndsweep.engine.store import BLOCK, read
from ndsweep.engine.streams import Ints, Words
from ndsweep.engine.tallies import Regions, Tally
from ndsweep.histogram import Histogram
from ndsweep.spec import SpecError, in_short
from ndsweep.zini import zini

COLUMNS = ("bbbv", "openings", "largest_opening", "zeros", "isolated", "islands", "largest_island", "hints")
"""The numbers of a board that are counted by default."""

Sizes = dict[str, Ints]
"""The sizes of all openings, and of all islands, where they are counted."""

_BLOCK_CELLS = 1 << 18  # of the boards that are counted together
MOST_CELLS = 1 << 17
"""Larger boards are counted one by one: 64 of them side by side would take much memory."""


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
    return board.opening_sizes().size + sum(int(mask.sum()) for mask in _isolated_slabs(board))


def measure(boards: Board | Batch | Sequence[Board], columns: Iterable[str] | None = None) -> BoardStats:
    """The statistics of boards that are there already: one, several of one grid, or a batch.

    Parameters
    ----------
    boards : Board, sequence of Board, or Batch
        Any boards of one shape.
    columns : iterable of str, optional
        Which numbers: any of "bbbv", "openings", "largest_opening", "zeros" (cells of openings),
        "isolated" (numbers on no opening's border), "islands", "largest_island", "hints" (as
        hint_0, hint_1, ..: how many safe cells have that hint) and "zini", see `zini`.  All but
        the last by default.  With the largest come the histograms of all sizes; these two take
        most of the time.

    Returns
    -------
    BoardStats
        One row a board.

    Raises
    ------
    SpecError
        If they are no boards of one shape, or there is no such column.

    Examples
    --------
    >>> import ndsweep as nd
    >>> stats = nd.measure(nd.Board.from_coords((3, 5), [(1, 1)]))
    >>> {name: int(stats[name][0]) for name in ("bbbv", "openings", "zeros", "isolated", "hint_1")}
    {'bbbv': 6, 'openings': 1, 'zeros': 6, 'isolated': 5, 'hint_1': 8}
    """
    names = checked_columns(columns)
    if isinstance(boards, Batch):
        layout, mines = boards.packed
        return measure_planes(layout, mines, len(boards), names)
    given = [boards] if isinstance(boards, Board) else _checked_boards(boards)
    shape = given[0].shape
    if prod(shape) > MOST_CELLS:
        parts = [measure_board(board, names) for board in given]
        return sum(parts[1:], parts[0])
    layout = Layout(shape)
    mines = layout.pack(np.stack([np.asarray(read(board.mines, ())).reshape(-1) for board in given]))
    return measure_planes(layout, mines, len(given), names)


def _checked_boards(boards: object) -> list[Board]:
    if not isinstance(boards, Sequence) or not boards or not all(isinstance(board, Board) for board in boards):
        raise SpecError(f"boards must be a Board, a Batch or a sequence of one or more boards. Got {in_short(boards)}.")
    shapes = sorted({board.shape for board in boards})
    if len(shapes) > 1:
        raise SpecError(f"boards must have one shape. Got {shapes[0]} and {shapes[1]}.")
    return list(boards)


def checked_columns(columns: object) -> tuple[str, ...]:
    """The names of columns, in their order; SpecError unless they are known.

    Examples
    --------
    >>> checked_columns(["openings", "bbbv"])
    ('bbbv', 'openings')
    """
    if columns is None:
        return COLUMNS
    known = (*COLUMNS, "zini")
    if isinstance(columns, str) or not isinstance(columns, Iterable):
        raise SpecError(f"columns must be a sequence of names. Got {columns!r}.")
    given = list(columns)
    if unknown := [name for name in given if name not in known]:
        raise SpecError(f"columns must be of {', '.join(map(repr, known))}. Got {unknown[0]!r}.")
    if not given:
        raise SpecError("columns must be one or more names. Got none.")
    return tuple(name for name in known if name in given)


def most_hint(shape: tuple[int, ...]) -> int:
    """The largest hint that a cell of a grid can have.

    Examples
    --------
    >>> most_hint((16, 30)), most_hint((1, 9))
    (8, 2)
    """
    return prod(min(n, 3) for n in shape) - 1


# Many boards ----------------------------------------------------------------------------------


def block_words(layout: Layout) -> int:
    """How many words of boards to count at a time.

    Examples
    --------
    >>> block_words(Layout((16, 30)))
    7
    """
    return max(1, _BLOCK_CELLS // (LANES * layout.width))


def measure_planes(layout: Layout, mines: Words, boards: int, names: tuple[str, ...]) -> BoardStats:
    """The statistics of boards in a plane of mines, some words at a time.

    Examples
    --------
    >>> layout = Layout((1, 3))
    >>> measure_planes(layout, layout.pack(np.array([[False, False, True]])), 1, ("bbbv",))["bbbv"]
    array([1], dtype=int32)
    """
    parts, space, step = [], Workspace(), block_words(layout)
    for word in range(0, word_count(boards), step):
        part = min(boards - word * LANES, step * LANES)
        # the wall before the next line is the wall behind the last
        plane = mines[word * layout.width : (word + word_count(part)) * layout.width + layout.reach]
        parts.append(_measured(Tally(layout, plane, part, space), names))
    return _concatenated(layout.shape, parts)


def _measured(tally: Tally, names: tuple[str, ...]) -> tuple[Columns, Sizes]:
    """The numbers of some boards, and how many regions have so many cells."""
    wanted, boards = set(names), tally.games
    columns: Columns = {}
    sizes: Sizes = {}
    for kind, plane, needed in (
        ("opening", tally.zeros, {"openings", "bbbv"}),
        ("island", tally.isolated, {"islands"}),
    ):
        if f"largest_{kind}" in wanted:
            regions = tally.regions(plane)
            columns |= _of_regions(kind, regions, boards)
            sizes[f"{kind}_size"] = regions.size
        elif wanted & needed:
            columns[f"{kind}s"] = tally.count_regions(plane)
    if wanted & {"bbbv", "isolated"}:
        columns["isolated"] = tally.count(tally.isolated)
    if "bbbv" in wanted:
        columns["bbbv"] = columns["openings"] + columns["isolated"]
    if "zeros" in wanted:
        columns["zeros"] = tally.count(tally.zeros)
    if "hints" in wanted:
        columns |= _by_hint(tally.hints(most_hint(tally.layout.shape)))
    if "zini" in wanted:
        columns["zini"] = zini_of(np.ascontiguousarray(tally.layout.boards(tally.mines)[:boards]).view(np.bool_))
    return _chosen(columns, tally.layout.shape, names), sizes


def _of_regions(kind: str, regions: Regions, boards: int) -> Columns:
    return {f"{kind}s": regions.counts(boards), f"largest_{kind}": regions.largest(boards)}


def _by_hint(counts: npt.NDArray[np.int64]) -> Columns:
    return {f"hint_{hint}": column for hint, column in enumerate(counts.T)}


def _chosen(columns: Columns, shape: tuple[int, ...], names: tuple[str, ...]) -> Columns:
    """The columns of these names, in their order, and in as few bytes as never overflow."""
    dtype = np.int32 if prod(shape) < 2**31 else np.int64
    hints = [f"hint_{hint}" for hint in range(most_hint(shape) + 1)]
    order = [one for name in names for one in (hints if name == "hints" else [name])]
    return {name: columns[name].astype(dtype) for name in order}


def _chosen_sizes(sizes: Mapping[str, Ints], names: tuple[str, ...]) -> Sizes:
    """The sizes of the regions of which the largest is asked for."""
    return {f"{kind}_size": sizes[f"{kind}_size"] for kind in ("opening", "island") if f"largest_{kind}" in names}


def no_boards(shape: tuple[int, ...], names: tuple[str, ...]) -> BoardStats:
    """The statistics of no boards, which add to any of their kind.

    Examples
    --------
    >>> no_boards((1, 3), ("bbbv",)).boards
    0
    """
    empty: dict[str, Ints] = defaultdict(lambda: np.zeros(0, dtype=np.int64))
    return _concatenated(shape, [(_chosen(empty, shape, names), _chosen_sizes(empty, names))])


def _concatenated(shape: tuple[int, ...], parts: list[tuple[Columns, Sizes]]) -> BoardStats:
    columns, sizes = (
        {name: np.concatenate([part[which][name] for part in parts]) for name in parts[0][which]} for which in (0, 1)
    )
    histograms = {name: Histogram.of(column) for name, column in (columns | sizes).items()}
    return BoardStats(shape, len(next(iter(columns.values()))), histograms, columns)


# One large board ------------------------------------------------------------------------------


def measure_board(board: Board, names: tuple[str, ...]) -> BoardStats:
    """The statistics of one board, some slabs at a time.

    Examples
    --------
    >>> measure_board(Board.from_coords((1, 3), [(0, 2)]), ("zeros", "isolated")).columns
    {'zeros': array([1], dtype=int32), 'isolated': array([0], dtype=int32)}
    """
    wanted, shape = set(names), board.shape
    openings = islands = _one(np.zeros(0, dtype=np.int64))
    if wanted & {"bbbv", "openings", "largest_opening", "zeros"}:
        openings = _one(board.opening_sizes())
    if wanted & {"islands", "largest_island"}:
        islands = _one(region_sizes(shape, lambda rows: _isolated_in(board, (rows, *whole(shape[1:])))))
    columns: Columns = _of_regions("opening", openings, 1) | _of_regions("island", islands, 1)
    columns["zeros"] = openings.size.sum(keepdims=True)
    if wanted & {"bbbv", "isolated"}:
        columns["isolated"] = np.array([sum(int(mask.sum()) for mask in _isolated_slabs(board))])
        columns["bbbv"] = columns["openings"] + columns["isolated"]
    if "hints" in wanted:
        columns |= _by_hint(_hint_counts(board)[None])
    if "zini" in wanted:
        columns["zini"] = np.array([zini(board)])
    sizes = {"opening_size": openings.size, "island_size": islands.size}
    return _concatenated(shape, [(_chosen(columns, shape, names), _chosen_sizes(sizes, names))])


def _one(sizes: Ints) -> Regions:
    return Regions(np.zeros_like(sizes), sizes)


def _slabs(board: Board) -> list[Slices]:
    return [(rows, *whole(board.shape[1:])) for rows in rows_of(board.shape, BLOCK)]


def _isolated_slabs(board: Board) -> Iterable[npt.NDArray[np.bool_]]:
    return (_isolated_in(board, box) for box in _slabs(board))


def _isolated_in(board: Board, box: Slices) -> npt.NDArray[np.bool_]:
    """The safe cells of a box that are no zeros and have none beside them."""
    around = grown(board.shape, box)
    beside = dilate(board.zeros_in(around))[within(around, box)]
    isolated: npt.NDArray[np.bool_] = ~(beside | read(board.mines, box))
    return isolated


def _hint_counts(board: Board) -> Ints:
    """How many safe cells have each hint."""
    counts = np.zeros(most_hint(board.shape) + 1, dtype=np.int64)
    for box in _slabs(board):
        counts += np.bincount(board.hints_in(box)[~read(board.mines, box)], minlength=len(counts))
    return counts
