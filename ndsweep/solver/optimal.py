"""The chance to win with the best play there is, exactly, for grids so small that all play can be searched."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, combinations
from math import comb

import numpy as np
import numpy.typing as npt

from ndsweep.checks import checked_first_cell, checked_spec
from ndsweep.engine.boxes import neighbourhood
from ndsweep.engine.grid import hints_of
from ndsweep.engine.store import frozen
from ndsweep.solver.endgame import Layouts, Search, packed, width_for
from ndsweep.solver.symmetry import first_alike, likeness
from ndsweep.spec import Cell, Spec, TooLargeError, in_short

_MOST_CELLS = 256
_MOST_LAYOUTS = 500_000  # times cells
_MOST_WORK = 60_000_000  # looks at a layout and a cell


@dataclass(frozen=True, eq=False)
class Optimal:
    """The chance to win of best play: what `optimal` gives.

    Attributes
    ----------
    spec : Spec
        The kind of game.
    win_rate : Fraction
        The share of the layouts, equally likely under the first-click rule, that are won from the
        best first cell.
    first_cell : tuple of int
        The best first cell; of equals the first in C order.
    by_first_cell : object array of the grid's shape
        The same chance as a Fraction for each first cell; None where the first-click rule makes it
        impossible, or where it was not asked for.

    Examples
    --------
    >>> import ndsweep as nd
    >>> best = nd.optimal(nd.Spec((3, 3), 4))
    >>> best
    Optimal(spec=Spec(shape=(3, 3), mines=4, first='safe'), win_rate=Fraction(27, 70), first_cell=(0, 1))
    >>> float(best.win_rate)
    0.38571428571428573
    """

    spec: Spec
    win_rate: Fraction
    first_cell: tuple[int, ...]
    by_first_cell: npt.NDArray[np.object_] = field(repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Optimal):
            return NotImplemented
        return self.spec == other.spec and bool(np.array_equal(self.by_first_cell, other.by_first_cell))

    def __hash__(self) -> int:
        return hash((self.spec, *self.by_first_cell.flat))


def optimal(spec: Spec, first_cell: Cell | None = None) -> Optimal:
    """The exact chance to win of best play, by a search of all play.

    Parameters
    ----------
    spec : Spec
        The kind of game.  Layouts are equally likely given the rule for the first cell that is
        chosen; under "any" it may be a mine.  A grid without a safe cell is won at the start.
    first_cell : cell, optional
        The cell to begin with; by default every one is tried.

    Returns
    -------
    Optimal
        With ``.win_rate``, ``.first_cell`` and ``.by_first_cell``.

    Raises
    ------
    SpecError, CellError
        If an argument is not of its kind, or the mines do not fit beside the first cell.
    TooLargeError
        If there is too much to search: more than 256 cells, more than 500,000 layouts times
        cells, or more positions than take a minute or so.

    Notes
    -----
    The search is `ndsweep.solver.endgame`, from the layouts after the first click.  Opening a safe
    cell c leaves the same layouts under "any" and "safe", so the same cells are best under both.

    Examples
    --------
    >>> import ndsweep as nd
    >>> nd.optimal(nd.Spec((3, 3), 2, first="any")).by_first_cell
    array([[Fraction(23, 36), Fraction(2, 3), Fraction(23, 36)],
           [Fraction(2, 3), Fraction(17, 36), Fraction(2, 3)],
           [Fraction(23, 36), Fraction(2, 3), Fraction(23, 36)]], dtype=object)
    >>> nd.optimal(nd.Spec((2, 2, 3), 3), first_cell=(0, 0, 1)).win_rate
    Fraction(2, 33)
    >>> nd.optimal(nd.Spec((20, 20), 1))
    Traceback (most recent call last):
    ...
    ndsweep.spec.TooLargeError: spec must have at most 256 cells for a search of all play. Got 400.
    """
    checked_spec(spec)
    wanted = None if first_cell is None else checked_first_cell(spec, first_cell)
    if spec.size > _MOST_CELLS:
        raise TooLargeError(f"spec must have at most {_MOST_CELLS} cells for a search of all play. Got {spec.size}.")
    alike = first_alike(spec.shape).reshape(-1).tolist()
    firsts = sorted(set(alike if wanted is None else alike[wanted : wanted + 1]))
    _check_layouts(spec, firsts)
    width = width_for(spec.mines)
    search = Search(spec.size, width, _MOST_WORK, likeness(spec.shape, width))
    try:
        found = {cell: _chance(spec, cell, search) for cell in firsts}
    except TooLargeError:
        looks = f"{_MOST_WORK:,} looks at a layout and a cell"
        raise TooLargeError(f"spec must be one whose play is searched in {looks}. {spec} takes more.") from None
    chances = [found[like] if wanted in (None, cell) else None for cell, like in enumerate(alike)]
    best = max(chance for chance in chances if chance is not None)
    place = np.unravel_index(chances.index(best), spec.shape)
    by_first_cell = np.empty(spec.size, dtype=np.object_)
    by_first_cell[:] = chances
    return Optimal(spec, best, tuple(int(x) for x in place), frozen(by_first_cell.reshape(spec.shape)))


def _chance(spec: Spec, first_cell: int, search: Search) -> Fraction | None:
    """The chance to win from a first cell; None where the first-click rule makes it impossible."""
    if spec.mines == spec.size:
        return Fraction(1)  # won at the start
    cells = _may_be_mined(spec, first_cell)
    count = comb(len(cells), spec.mines)
    if not count:
        return None
    won = search.won(_layouts(spec, cells, count))
    return Fraction(won, comb(spec.size, spec.mines) if spec.first == "any" else count)


def _may_be_mined(spec: Spec, first_cell: int) -> list[int]:
    """The flat cells that may be mines in a game that outlives its first click."""
    mined = np.ones(spec.shape, dtype=np.bool_)
    place = tuple(int(x) for x in np.unravel_index(first_cell, spec.shape))
    mined[neighbourhood(spec.shape, place) if spec.first == "opening" else place] = False
    return np.flatnonzero(mined).tolist()


def _layouts(spec: Spec, cells: list[int], count: int) -> Layouts:
    """Every layout with all mines among some cells."""
    picked = np.fromiter(chain.from_iterable(combinations(cells, spec.mines)), np.int64, count * spec.mines)
    mines = np.zeros((spec.size, count), dtype=np.bool_)
    mines[picked.reshape(count, spec.mines), np.arange(count)[:, None]] = True
    hints = hints_of(mines.reshape(*spec.shape, count), spec.ndim)
    return packed(mines.T, hints.reshape(spec.size, count).T, width_for(spec.mines))


def _check_layouts(spec: Spec, firsts: list[int]) -> None:
    """TooLargeError if there are too many layouts to list, found before any is."""
    count = max(comb(len(_may_be_mined(spec, cell)), spec.mines) for cell in firsts)
    if count * spec.size > _MOST_LAYOUTS:
        raise TooLargeError(
            f"spec must have at most {_MOST_LAYOUTS // spec.size} layouts on its {spec.size} cells for a search of all"
            f" play. Got {in_short(count)}."
        )
