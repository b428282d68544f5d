"""The numbers of boards as columns: of many boards in planes, of a large one in slabs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import prod

import numpy as np
import numpy.typing as npt

from ndsweep.board import Board
from ndsweep.boardstats import BoardStats, Columns
from ndsweep.checks import check_memory
from ndsweep.engine.boxes import Slices, grown, rows_of, whole, within
from ndsweep.engine.grid import dilate
from ndsweep.engine.labels import label_memory
from ndsweep.engine.memory import Workspace
from ndsweep.engine.planes import LANES, Layout, word_count
from ndsweep.engine.premiums import zini_memory, zini_of
from ndsweep.engine.regions import region_sizes
from ndsweep.engine.store import BLOCK, read
from ndsweep.engine.streams import Ints, Words
from ndsweep.engine.tallies import Regions, Tally, tally_memory
from ndsweep.histogram import Histogram
from ndsweep.spec import SpecError, TooLargeError, in_short
from ndsweep.zini import zini

COLUMNS = ("bbbv", "openings", "largest_opening", "zeros", "isolated", "islands", "largest_island", "hints")
"""The numbers of a board that are counted by default."""

Sizes = dict[str, Ints]
"""The sizes of all openings, and of all islands, where they are counted."""

_BLOCK_CELLS = 1 << 18  # of the boards that are counted together
_MOST_CELLS = 1 << 17  # walls included; 64 larger boards side by side would take much memory
_MOST_HINTS = 3**8  # columns


def checked_columns(columns: object, shape: tuple[int, ...]) -> tuple[str, ...]:
    """The names of columns, each once; SpecError unless they are known, TooLargeError unless they fit in memory.

    Examples
    --------
    >>> checked_columns(["zini", "bbbv", "zini"], (9, 9))
    ('zini', 'bbbv')
    """
    names = COLUMNS if columns is None else _checked_names(columns)
    hints = most_hint(shape) + 1
    if "hints" in names and hints > _MOST_HINTS:
        raise TooLargeError(
            f"columns must be without 'hints' for shape {shape}: they would be {hints} columns, and {_MOST_HINTS} at"
            " most are counted."
        )
    layout = Layout(shape)
    needed = tally_memory(layout, block_words(layout)) if fits_planes(shape) else label_memory(0, len(layout.strides))
    if "zini" in names:
        needed += zini_memory(shape)
    check_memory(f"counting boards of shape {shape}", needed)
    return names


def _checked_names(columns: object) -> tuple[str, ...]:
    known = (*COLUMNS, "zini")
    if isinstance(columns, str | bytes) or not isinstance(columns, Iterable):
        raise SpecError(f"columns must be a sequence of names. Got {columns!r}.")
    given = list(columns)
    if unknown := [name for name in given if not isinstance(name, str) or name not in known]:
        raise SpecError(f"columns must be of {', '.join(map(repr, known))}. Got {in_short(unknown[0])}.")
    if not given:
        raise SpecError("columns must be one or more names. Got none.")
    return tuple(dict.fromkeys(given))


def fits_planes(shape: tuple[int, ...]) -> bool:
    """Whether boards are counted many at a time; larger ones are counted one by one.

    Examples
    --------
    >>> fits_planes((16, 30)), fits_planes((1000, 1000))
    (True, False)
    """
    return Layout(shape).width <= _MOST_CELLS


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
    order = [one for name in names for one in (_hint_names(shape) if name == "hints" else [name])]
    return {name: columns[name].astype(dtype) for name in order}


def _hint_names(shape: tuple[int, ...]) -> list[str]:
    return [f"hint_{hint}" for hint in range(most_hint(shape) + 1)]


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
        columns["isolated"] = np.array([count_isolated(board)])
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


def count_isolated(board: Board) -> int:
    """How many isolated numbers a board has.

    Examples
    --------
    >>> count_isolated(Board.from_coords((1, 5), [(0, 1)]))
    1
    """
    return sum(int(np.count_nonzero(_isolated_in(board, box))) for box in _slabs(board))


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
