"""What follows from the mines of a board: its hints and its openings."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from ndsweep.checks import check_memory, checked_threads
from ndsweep.engine import grid
from ndsweep.engine.boxes import Slices, whole
from ndsweep.engine.flood import flood, flood_labels
from ndsweep.engine.labels import label_memory
from ndsweep.engine.regions import region_labels, region_sizes
from ndsweep.engine.store import Store, frozen, in_memory, read
from ndsweep.npy import PathLike, filled, scratch_array
from ndsweep.spec import SpecError, checked_int

_LABELLED = 1 << 14  # cells; all openings of a small grid are labelled once, those of a larger one flooded singly
_SMALL = 1 << 16  # cells; the hints of so few are computed at once, in memory
_HINTED = 1 << 22  # cells; the hints of a larger grid are computed where they are needed, unless they are asked for


Mines = npt.NDArray[np.bool_]
Hints = npt.NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True, eq=False)
class Openings:
    """The openings of a board: connected regions of safe cells with hint 0.

    Attributes
    ----------
    labels : int32 array of the grid's shape
        The number of the opening that each cell belongs to, 1 .. count, and 0 elsewhere.
    count : int
        Number of openings.

    Examples
    --------
    >>> import ndsweep as nd
    >>> openings = nd.Board.from_coords((1, 9), [(0, 4)]).openings
    >>> openings.labels
    array([[1, 1, 1, 0, 0, 0, 2, 2, 2]], dtype=int32)
    >>> openings.count
    2
    """

    labels: npt.NDArray[np.int32]
    count: int

    def spans(self, axis: int = 0) -> bool:
        """Whether one opening reaches from the first to the last slab of an axis.

        Parameters
        ----------
        axis : int
            Number of the axis, from 0 on.

        Returns
        -------
        bool
            For an axis of size 1: whether there is an opening.

        Raises
        ------
        SpecError
            If there is no such axis.

        Examples
        --------
        >>> import ndsweep as nd
        >>> board = nd.Board.from_coords((3, 9), [(0, 3)])
        >>> print(board)
        . . 1 * 1 . . . .
        . . 1 1 1 . . . .
        . . . . . . . . .
        >>> board.openings.spans(axis=1)
        True
        >>> nd.Board.from_coords((1, 9), [(0, 3)]).openings.spans(axis=1)
        False
        """
        place = checked_int("axis", axis, 0, self.labels.ndim - 1)
        first, last = np.take(self.labels, [0], place), np.take(self.labels, [-1], place)
        return bool(np.isin(last, first[first > 0]).any())


class Numbers:
    """The part of `Board` that is computed from its mines."""

    _mines: Store
    _path: str | None

    @property
    def mines(self) -> Mines:
        """True where a mine lies: an array, a memory map, or what `wrap` and ``out`` were given."""
        return cast(Mines, self._mines)

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes."""
        return tuple(self._mines.shape)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of cells."""
        return prod(self.shape)

    @cached_property
    def hints(self) -> Hints:
        """Number of mines among the neighbours of every cell, mines included.

        The smallest unsigned type that holds 3**ndim - 1: the n-d convolution of the mines
        with a kernel of ones, less the cell itself.  They are computed when they are first
        asked for, as `compute_hints` does.
        """
        return self.compute_hints()

    def compute_hints(self, out: PathLike | Store | None = None, executor: Executor | None = None) -> Hints:
        """Computes the hints of all cells, which are then kept as `hints`.

        Parameters
        ----------
        out : path or array-like, optional
            Where they are kept: a new ``.npy`` file, which is memory-mapped, or an array of the
            grid's shape and the type of hints.  By default a new array in memory; for mines
            that are not in memory, a memory map of a file without a name that is gone with the
            board, in the folder of the mines or else of temporary files.
        executor : ThreadPoolExecutor, optional
            Threads that share the work.

        Returns
        -------
        array of the grid's shape
            `hints`.

        Raises
        ------
        SpecError
            If ``out`` is no such array.
        TooLargeError
            If the hints do not fit in memory.
        OSError
            If the file cannot be written.

        Examples
        --------
        >>> import ndsweep as nd
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> board = nd.Board.deal(nd.Spec((1000, 1000), 100_000))
        >>> with ThreadPoolExecutor(2) as executor:
        ...     hints = board.compute_hints(executor=executor)
        >>> int(hints.max()), hints is board.hints
        (6, True)
        """
        threads, dtype = checked_threads(executor), grid.hint_dtype(self.ndim)
        self.check_apart("out", out)
        if out is None and threads is None and self.size <= _SMALL:
            vars(self)["hints"] = hints = frozen(grid.hints_of(read(self._mines, ())))
            return hints
        if out is None and not in_memory(self._mines):
            out = scratch_array(self._folder(), self.shape, dtype)

        def work(out: Store) -> None:
            grid.write_hints(self._mines, out, threads)

        hints = cast(Hints, filled("hints", "out", out, self.shape, dtype, work))
        vars(self)["hints"] = hints
        return hints

    def hints_in(self, box: Slices) -> Hints:
        """The hints in a part of the grid; those of a large grid are not all computed for that.

        Parameters
        ----------
        box : tuple of slice
            A slice with start and stop for each axis.

        Returns
        -------
        array of the box's shape

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.Board.from_coords((1, 9), [(0, 3)]).hints_in((slice(0, 1), slice(2, 5)))
        array([[1, 0, 1]], dtype=uint8)
        """
        if "hints" in vars(self) or (self.size <= _HINTED and in_memory(self._mines)):
            return read(self.hints, box)
        return grid.hints_in(self._mines, box)

    def zeros_in(self, box: Slices) -> npt.NDArray[np.bool_]:
        """The safe cells with hint 0 in a part of the grid: those of openings.

        Parameters
        ----------
        box : tuple of slice
            A slice with start and stop for each axis.

        Returns
        -------
        bool array of the box's shape

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.Board.from_coords((1, 9), [(0, 3)]).zeros_in((slice(0, 1), slice(0, 4)))
        array([[ True,  True, False, False]])
        """
        if "hints" in vars(self):
            together = read(self.hints, box) | read(self._mines, box).view(np.uint8)
            place = together.view(np.bool_) if together.itemsize == 1 else None  # in the same memory, if it fits
            return np.asarray(np.equal(together, 0, out=place))
        return grid.zeros_in(self._mines, box)

    @cached_property
    def openings(self) -> Openings:
        """The connected regions of safe cells with hint 0."""
        axes = sum(n > 1 for n in self.shape)
        needed, instead = label_memory(self.size, axes), "opening_sizes() needs no labels for the whole grid."
        check_memory(f"the openings of a grid with {axes} axes", needed, instead)
        labels, count = region_labels(self.zeros_in(whole(self.shape)))
        return Openings(frozen(labels), count)

    def opening_sizes(self, executor: Executor | None = None) -> npt.NDArray[np.int64]:
        """Number of cells of each opening, in the order of `openings`, without labels for the whole grid.

        Parameters
        ----------
        executor : ThreadPoolExecutor, optional
            Threads that share the work.

        Returns
        -------
        (count,) int64 array

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.Board.from_coords((1, 9), [(0, 3)]).opening_sizes()
        array([2, 4])
        """
        further = whole(self.shape[1:])
        return region_sizes(self.shape, lambda rows: self.zeros_in((rows, *further)), checked_threads(executor))

    def _folder(self) -> str:
        """Where a file for the hints may lie: beside the mines, or else where temporary files do."""
        folder = os.path.dirname(getattr(self._mines, "filename", None) or "")
        return folder if folder and os.access(folder, os.W_OK) else tempfile.gettempdir()

    def check_apart(self, name: str, out: PathLike | Store | None) -> None:
        """SpecError if what is to be written lies in the memory or the file of the mines.

        Examples
        --------
        >>> import ndsweep as nd
        >>> mines = np.zeros((2, 2), dtype=bool)
        >>> nd.Board.wrap(mines).compute_hints(out=mines.view(np.uint8))
        Traceback (most recent call last):
        ...
        ndsweep.spec.SpecError: out must be apart from the mines. Got what they lie in.
        """
        if isinstance(out, str | os.PathLike):
            same = self._path is not None and os.path.realpath(out) == self._path
        elif isinstance(out, np.ndarray) and isinstance(self._mines, np.ndarray):
            same = np.may_share_memory(out, self._mines)
        else:
            same = out is not None and out is self._mines
        if same:
            raise SpecError(f"{name} must be apart from the mines. Got what they lie in.")


def reach(
    board: Numbers, cell: tuple[int, ...], flags: Callable[[Slices], npt.NDArray[np.bool_]]
) -> Iterator[tuple[Slices, npt.NDArray[np.bool_]]]:
    """What a flood from a cell with hint 0 reaches around flags, which it does not pass.

    Parameters
    ----------
    board : Board
        The layout.
    cell : tuple of int
        A safe cell with hint 0.
    flags : callable
        Where flags stand in a box of the grid.

    Yields
    ------
    box : tuple of slice
        A part of the grid.
    reached : bool array of the box's shape
        True for the opening of the cell and its border, as far as the flood comes.

    Examples
    --------
    >>> from ndsweep import Board
    >>> board = Board.from_coords((1, 6), [(0, 5)])
    >>> for box, reached in reach(board, (0, 0), lambda box: np.array([[False, True] + [False] * 4])[box]):
    ...     print(reached)
    [[ True  True False False False False]]
    """
    if board.size <= _LABELLED or "openings" in vars(board):
        parts = list(flood_labels(board.shape, cell, board.openings.labels))
        if not any((reached & flags(box)).any() for box, reached in parts):
            return iter(parts)
    return flood(board.shape, cell, lambda box: board.zeros_in(box) & ~flags(box))
