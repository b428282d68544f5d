"""How likely each hidden cell of a view is a mine."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import numpy.typing as npt

from ndsweep import render
from ndsweep.checks import checked_array
from ndsweep.engine.grid import view_dtype
from ndsweep.frames import data_frame
from ndsweep.position import check_numbers, check_total, checked_view
from ndsweep.render.html import several, shown_of
from ndsweep.solver.chains import chains_of
from ndsweep.solver.chances import chances_of
from ndsweep.solver.contradictions import contradiction
from ndsweep.solver.counts import BUDGET, count
from ndsweep.solver.fronts import front_of
from ndsweep.solver.residue import ANY, as_plane, residue_of, simplified
from ndsweep.solver.totals import Floats
from ndsweep.spec import FLAG, HIDDEN, MINE, SpecError, TooLargeError, checked_int

if TYPE_CHECKING:
    import pandas as pd

_NAMED = 8  # numbers in a message
BLOCK_CELLS = 1 << 19
"""Cells of the views that are looked at together."""


@dataclass(frozen=True, eq=False)
class Probability:
    """How likely each hidden cell of a view, or of each view of a batch, is a mine.

    Attributes
    ----------
    p : float64 array of the view's shape
        The share of the layouts that have a mine there, all layouts that fit the view being
        equally likely; NaN on open cells.  It is 0 exactly on the cells that must be safe, 1 on
        those that must be mines.
    exact : bool, or (games,) bool array of a batch
        Whether ``p`` is exact, but for rounding; else it is an estimate.
    stderr : float64 array of the view's shape
        The standard error of an estimate; 0 where exact, NaN on open cells.

    Examples
    --------
    >>> import numpy as np, ndsweep as nd
    >>> found = nd.mine_probability(np.array([[1, -1, -1, -1]]), mines=2)
    >>> found.p, found.layouts
    (array([[nan, 1. , 0.5, 0.5]]), 2)
    >>> found.ways
    array([[0, 2, 1, 1]], dtype=object)
    """

    p: Floats
    exact: bool | npt.NDArray[np.bool_]
    stderr: Floats
    _known: npt.NDArray[np.int64]
    _left: npt.NDArray[np.int64]

    def __repr__(self) -> str:
        size = "x".join(map(str, self._known.shape[1:]))
        what = f"a view, {size}" if isinstance(self.exact, bool) else f"{len(self._known)} views, {size}"
        return f"<Probability of {what}{'' if np.all(self.exact) else ', estimated'}>"

    def _repr_html_(self) -> str:
        if isinstance(self.exact, bool):
            what = f"{_in_short(self.layouts)} layouts" if self.exact else "estimated"
            return render.html(self._known[0], probability=self.p, caption=f"mines in per cent, {what}")
        shown = slice(shown_of(len(self._known), self._known[:1].size))
        return several(self._known[shown], len(self._known), repr(self)[1:-1], self.p[shown])

    def to_pandas(self) -> pd.DataFrame:
        """A row for each cell that is not open: its coordinates, ``p`` and ``stderr``; of a batch its game too.

        Needs pandas (``pip install "ndsweep[pandas]"``).

        Examples
        --------
        >>> import numpy as np, ndsweep as nd
        >>> nd.mine_probability(np.array([[1, -1, -1, -1]]), mines=2).to_pandas()
           axis_0  axis_1    p  stderr
        0       0       1  1.0     0.0
        1       0       2  0.5     0.0
        2       0       3  0.5     0.0
        """
        hidden = ~np.isnan(self.p)
        places, first = np.nonzero(hidden), 0 if isinstance(self.exact, bool) else -1
        names = ["game" if axis < 0 else f"axis_{axis}" for axis in range(first, first + len(places))]
        columns = dict(zip(names, places, strict=True))
        return data_frame({**columns, "p": self.p[hidden], "stderr": self.stderr[hidden]})

    @property
    def layouts(self) -> Any:
        """The number of layouts that fit, an int; a (games,) object array of a batch; None where not exact."""
        layouts = self._counted[0]
        return layouts[0] if isinstance(self.exact, bool) else layouts

    @property
    def ways(self) -> Any:
        """In how many layouts each hidden cell is a mine, ints in an object array; None where not exact."""
        ways = self._counted[1]
        return ways[0] if isinstance(self.exact, bool) else ways

    @cached_property
    def _counted(self) -> tuple[npt.NDArray[np.object_], npt.NDArray[np.object_]]:
        """Layouts and ways, position by position, with Python integers."""
        games = len(self._known)
        layouts, ways = np.full(games, None), np.full(self._known.shape, None)
        for game in np.flatnonzero(self.exact):
            layouts[game], ways[game] = _ways(self._known[game : game + 1], self._left[game : game + 1])
        exact = np.reshape(self.exact, (games, *[1] * (ways.ndim - 1)))
        ways[np.isnan(self.p).reshape(ways.shape) & exact] = 0
        if isinstance(self.exact, bool) and not self.exact:
            return layouts, np.full(1, None)
        return layouts, ways


def mine_probability(
    view: npt.ArrayLike,
    mines: int | npt.ArrayLike,
    trust_flags: bool = False,
    *,
    batch: bool | None = None,
    budget: int = BUDGET,
    seed: int = 0,
) -> Probability:
    """The chance of every hidden cell to be a mine, all layouts that fit the view being equally likely.

    Parameters
    ----------
    view : (n1, ..., nd) or (games, n1, ..., nd) integer array
        View codes: the hint of each open cell, `HIDDEN`, `FLAG`, or `MINE` for a mine that was
        opened.
    mines : int or (games,) int array
        Number of mines of the whole grid; of each grid for a batch.
    trust_flags : bool
        Whether flags count as mines.  By default they are marks of the player, and their
        cells are hidden like any other.
    batch : bool, optional
        Whether axis 0 of the view holds games; by default if ``mines`` is an array.
    budget : int
        How many states a component of the numbers and the cells they see may have in the
        elimination, all steps together.  A position with one that needs more is estimated by Monte
        Carlo over its layouts, with ``exact`` False and a standard error.
    seed : int
        Of the estimates.

    Returns
    -------
    Probability
        With ``.p``, ``.exact``, ``.layouts``, ``.ways`` and ``.stderr``.

    Raises
    ------
    SpecError
        If an argument is not of its kind, or no layout of so many mines fits a view.
    TooLargeError
        If a position can neither be solved nor estimated within the budget.

    Examples
    --------
    >>> import numpy as np, ndsweep as nd
    >>> view = np.full((100, 100), nd.HIDDEN)
    >>> view[0, 0] = 1
    >>> nd.mine_probability(view, mines=2000).p[[0, 50], [1, 50]]
    array([0.33333333, 0.19997999])
    """
    many = (np.ndim(mines) > 0) if batch is None else bool(batch)
    known = checked_view(view, many)
    known = known if many else known[None]
    totals = _checked_totals(mines, known)
    budget, seed = checked_int("budget", budget, 1), checked_int("seed", seed, 0)
    known = known.astype(view_dtype(known.ndim - 1))
    if not trust_flags:
        known[known == FLAG] = HIDDEN
    opened = known == MINE
    known[opened] = FLAG
    left = totals - (known == FLAG).sum(axis=tuple(range(1, known.ndim)))
    p, stderr, logs = chances_on(known, left, budget, seed)
    if opened.any():
        p[opened] = stderr[opened] = np.nan
    exact = ~np.isnan(logs)
    for game in np.flatnonzero(np.isneginf(logs))[:1]:
        _refuse(known[game], int(totals[game]), int(game) if many else None)
    if (np.isnan(p[~exact]) & (known[~exact] < 0) & ~opened[~exact]).any():
        raise TooLargeError(f"budget must be larger for a position that cannot even be estimated. Got {budget}.")
    if many:
        return Probability(p, exact, stderr, known, left)
    return Probability(p[0], bool(exact[0]), stderr[0], known, left)


def _in_short(number: int) -> str:
    """An integer, rounded where it has many digits."""
    return f"{number:,}" if number < 10**9 else f"{Decimal(number):.3e}"


def _refuse(known: npt.NDArray[np.int64], total: int, game: int | None) -> NoReturn:
    try:
        refuse(known, total)
    except SpecError as error:
        raise SpecError(f"{error}{'' if game is None else f' This is game {game}.'}") from None


def refuse(known: npt.NDArray[np.int64], total: int | None) -> NoReturn:
    """SpecError that says why no layout fits a view whose flags stand on known mines.

    Examples
    --------
    >>> refuse(np.array([2, HIDDEN, 1, HIDDEN]), 1)
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: view must be that of some layout of mines. Got 2 at (0,), beside 0 mines and 1 more cells \
that may hold one.
    """
    check_numbers(known)
    check_total(known, total)
    left = ANY if total is None else total - int(np.count_nonzero(known == FLAG))
    residue = residue_of(known[None], np.array([left]))
    found = contradiction(residue)
    if found is None:  # within the budget
        raise SpecError(f"view must be that of some layout of mines{'' if total is None else f' with {total} mines'}.")
    places, needs_total = found
    order = np.searchsorted(residue.layout.positions, places)
    cells = list(zip(*np.unravel_index(order, known.shape), strict=True))
    named = [f"{known[cell]} at {tuple(map(int, cell))}" for cell in cells[:_NAMED]]
    numbers = " and ".join(named + ([f"{len(cells) - _NAMED} more"] if len(cells) > _NAMED else []))
    mines = f" with {total} mines" if needs_total else ""
    raise SpecError(f"view must be that of some layout of mines. Got none{mines} for {numbers}.")


def _checked_totals(mines: object, known: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The number of mines of each game."""
    games, size = len(known), prod(known.shape[1:])
    if np.ndim(mines) == 0:  # type: ignore[arg-type]
        return np.full(games, checked_int("mines", mines, 0, size))
    totals = checked_array("mines", mines)
    if totals.shape != (games,) or totals.dtype.kind not in "iu":
        raise SpecError(
            f"mines must be an integer for each of {games} games. Got {totals.dtype} of shape {totals.shape}."
        )
    for game in np.flatnonzero((totals < 0) | (totals > size))[:1]:
        raise SpecError(f"mines must be between 0 and {size}. Got {totals[game]} for game {game}.")
    return totals.astype(np.int64)


def chances_on(
    known: npt.NDArray[np.signedinteger[Any]], left: npt.NDArray[np.int64], budget: int, seed: int
) -> tuple[Floats, Floats, Floats]:
    """Chances, standard errors and the logarithms of the numbers of layouts of views whose flags stand on mines.

    Beyond the budget the logarithm is NaN, and so are the chances that cannot even be estimated.

    Examples
    --------
    >>> chances_on(np.array([[1, -1, -1, -1]]), np.array([2]), BUDGET, seed=0)[0]
    array([[nan, 1. , 0.5, 0.5]])
    """
    p, stderr, logs = np.empty(known.shape), np.empty(known.shape), np.empty(len(known))
    block = max(1, BLOCK_CELLS // max(1, p[:1].size))
    for start in range(0, len(known), block):
        part = slice(start, start + block)
        p[part], stderr[part], logs[part] = _chances(known[part], left[part], budget, seed)
    return p, stderr, logs


def _chances(
    known: npt.NDArray[np.signedinteger[Any]], left: npt.NDArray[np.int64], budget: int, seed: int
) -> tuple[Floats, Floats, Floats]:
    """The same, all views at once."""
    rest, mined, safe = simplified(residue_of(known, left))
    found = chances_of(rest, budget, seed)
    layout = rest.layout
    found.mined[mined], found.mined[safe] = 1, 0
    p = layout.cells_of(found.mined).copy()
    flags = known == FLAG
    if flags.any():
        p[flags] = 1
    stderr = 0 * p
    for number, errors in found.errors.items():
        some = layout.cells_of(as_plane(layout, errors[None]))[0]
        np.copyto(stderr[number], some, where=~np.isnan(some))
    return p, stderr, found.log_layouts


def _ways(known: npt.NDArray[np.int64], left: npt.NDArray[np.int64]) -> tuple[int, npt.NDArray[np.object_]]:
    """The number of layouts of one view, and in how many of them there is a mine on each cell that is not open."""
    rest, mined, safe = simplified(residue_of(known, left))
    front = front_of(rest)
    counts = count(front, chains_of(front), rest.left, lambda states: None, exact=True)
    free = counts.free_mined // np.maximum(front.free, 1)
    plane = front.spread_out(rest, counts.mined // front.size, free)
    plane[mined], plane[safe] = counts.layouts[0], 0
    ways = rest.layout.cells_of(plane)[0].copy()
    ways[known[0] == FLAG] = counts.layouts[0]
    return counts.layouts[0], ways
