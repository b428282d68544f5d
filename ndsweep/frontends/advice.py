"""The best move of a position, and why, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import ndsweep as nd
from ndsweep.engine.boxes import neighbourhood
from ndsweep.engine.counting import View
from ndsweep.policies import NAMED
from ndsweep.solver.chances import chances_of
from ndsweep.solver.closure import quick_rules
from ndsweep.solver.endgame import endgame
from ndsweep.solver.finish import MOST
from ndsweep.solver.layouts import layouts_of
from ndsweep.solver.probability import Probability
from ndsweep.solver.residue import residue_of

POLICIES = ("exact", "exact+")
"""The policies that say which guess is best; the second looks at what comes after it too."""

_ALIKE = 1e-9  # chances that differ by less differ by rounding
_MOST_CELLS = 1 << 22  # of the views that follow one guess


@dataclass(frozen=True)
class Advice:
    """The best move.

    Attributes
    ----------
    cell : tuple of int
        The cell to open.
    rule : str
        The hardest rule that it takes to prove the cell safe: "single", "pairs", "count" or "exact"; "guess"
        where no cell is proved safe.
    mine : float
        How likely the cell is a mine.
    hint_zero : float or None
        How likely it is safe and has hint 0.
    two_moves : float or None
        How likely a guess and the move after it survive.
    wins : int or None
        How many of all layouts best play wins from here on, where they are few.
    sentence : str
        All that in words.

    Examples
    --------
    >>> view = np.array([[1, -1, 1, -1]])
    >>> best = advise(view, 1, nd.mine_probability(view, 1), False, "exact", 1000)
    >>> best.cell, best.rule, best.mine
    ((0, 3), 'single', 0.0)
    """

    cell: tuple[int, ...]
    rule: str
    mine: float
    hint_zero: float | None
    two_moves: float | None
    wins: int | None
    sentence: str


def advise(view: View, mines: int, found: Probability, trust_flags: bool, policy: str, budget: int) -> Advice:
    """The best move of a view in which a cell can still be opened.

    Parameters
    ----------
    view : integer array of the grid's shape
        View codes.
    mines : int
        Number of mines of the whole grid.
    found : Probability
        How likely each cell is a mine.
    trust_flags : bool
        Whether flags count as mines.
    policy : {"exact", "exact+"}
        By which a guess is chosen.
    budget : int
        As of `mine_probability`.

    Examples
    --------
    >>> view = np.array([[1, -1, -1, -1]])
    >>> found = nd.mine_probability(view, mines=2)
    >>> print(advise(view, 2, found, False, "exact+", 1000).sentence)
    guess (0, 2): a mine in 50 %, the least; best play wins in 1 of the 2 layouts
    """
    known = np.where(view == nd.MINE, nd.FLAG, np.where((view == nd.FLAG) & (not trust_flags), nd.HIDDEN, view))
    if (found.p == 0).any():
        return _proved(known, mines, found)
    return _guess(known, mines, found, policy, budget)


def _proved(known: View, mines: int, found: Probability) -> Advice:
    """A safe cell: one that the simplest rules prove, in the fewest steps."""
    names = quick_rules(known.ndim)
    for number, rule in enumerate(names, 1):
        proved = nd.deduce(known, mines, names[:number], trust_flags=True)
        if proved.safe.any():
            steps = np.where(proved.safe, proved.steps, proved.steps.max() + 1)
            cell = _cell(known, int(steps.argmin()))
            return Advice(cell, rule, 0.0, None, None, None, proved.explain(cell))
    cell = _cell(known, int((found.p == 0).argmax()))
    return Advice(cell, "exact", 0.0, None, None, None, f"{cell} is safe: no layout that fits has a mine there.")


def _guess(known: View, mines: int, found: Probability, policy: str, budget: int) -> Advice:
    least = float(np.nanmin(found.p))
    ahead = policy == "exact+" and found.exact
    place, wins = _finish(known, mines, found) if ahead else (None, None)
    if place is None:
        place = _chosen(known, mines, found, policy)
    cell, mine = _cell(known, place), float(found.p.flat[place])
    after = _after(known, mines, cell, mine, budget) if found.exact else None
    hint_zero, two_moves = after or (None, None)
    if not ahead or wins is not None:
        two_moves = None
    what = f"the least{'' if found.exact else ' known'}"
    if mine > least * (1 + _ALIKE):
        what = f"where {what} is {percent(least)}"
    parts = [f"guess {cell}: a mine in {percent(mine)}, {what}"]
    if hint_zero:
        parts.append(f"hint 0 in {percent(hint_zero)}")
    if two_moves is not None:
        parts.append(f"it and the move after it survive in {percent(two_moves)}")
    if wins is not None:
        parts.append(f"best play wins in {wins} of the {found.layouts} layouts")
    return Advice(cell, "guess", mine, hint_zero, two_moves, wins, "; ".join(parts))


def _finish(known: View, mines: int, found: Probability) -> tuple[int | None, int | None]:
    """Where best play to the end begins and how many layouts it wins, unless it takes too long to find."""
    if found.layouts > MOST:
        return None, None
    residue = _residue(known[None], mines)
    listed = layouts_of(residue)
    if listed is None:
        return None, None
    places, layouts = listed
    near = np.isin(places[:, None] - places, residue.layout.offsets)
    end = endgame(layouts, layouts.astype(np.int64) @ near)
    if end is None or end.cell is None:
        return None, None
    return int(np.searchsorted(residue.layout.positions, places[end.cell])), end.won


def _chosen(known: View, mines: int, found: Probability, policy: str) -> int:
    """The first of the best guesses of a policy."""
    verdict_on = NAMED[policy].verdict
    if found.exact and verdict_on is not None:
        verdict = verdict_on(known, mines)
        place = int(verdict.best[0].argmax())
        if verdict.best[0, place] and abs(verdict.survival[0] - (1 - found.p.flat[place])) < _ALIKE:
            return place
    return int(np.nanargmin(found.p))  # a policy estimates sooner than is done here


def _after(known: View, mines: int, cell: tuple[int, ...], mine: float, budget: int) -> tuple[float, float] | None:
    """How likely a guess has hint 0, and how likely it and the move after it survive; None if that is not known."""
    around = known[neighbourhood(known.shape, cell)]
    low, hidden = (int(np.count_nonzero(around == code)) for code in (nd.FLAG, nd.HIDDEN))
    if known.size * hidden > _MOST_CELLS:
        return None
    views = np.repeat(known[None], hidden, axis=0)  # the cell itself is hidden too
    views.reshape(hidden, -1)[:, np.ravel_multi_index(cell, known.shape)] = np.arange(low, low + hidden)
    residue = _residue(views, mines)
    chances = chances_of(residue, budget)
    logs = chances.log_layouts
    if np.isnan(logs).any():
        return None
    share = np.exp(logs - logs.max())
    share *= (1 - mine) / share.sum()
    least = np.fmin.reduce(residue.layout.lines(chances.mined), axis=1)
    survives = np.where(least < 1, 1 - least, 1.0)  # with mines alone, or nothing, left to open the game is won
    return float(share[0]) if low == 0 else 0.0, float(share @ survives)


def _residue(views: npt.NDArray[np.integer[Any]], mines: int) -> Any:
    flags = np.count_nonzero(views == nd.FLAG, axis=tuple(range(1, views.ndim)))
    return residue_of(views.astype(np.int64), mines - np.asarray(flags, dtype=np.int64))


def _cell(view: View, place: int) -> tuple[int, ...]:
    return tuple(int(x) for x in np.unravel_index(place, view.shape))


def percent(share: float) -> str:
    """A share of all layouts, to three digits.

    Examples
    --------
    >>> percent(0.125), percent(1 / 3), percent(0.00012), percent(0)
    ('12.5 %', '33.3 %', '0.012 %', '0 %')
    """
    return f"{100 * share:.3g} %"
