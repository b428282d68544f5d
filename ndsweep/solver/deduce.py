"""What a view proves, cell by cell, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep import render
from ndsweep.checks import checked_cell
from ndsweep.engine.grid import Bools
from ndsweep.position import checked_view
from ndsweep.solver.closure import RULES, Closure
from ndsweep.solver.counts import BUDGET
from ndsweep.solver.probability import refuse
from ndsweep.solver.proofs import SAFE, Proof, proof_of
from ndsweep.spec import FLAG, HIDDEN, MINE, Cell, CellError, SpecError, checked_int


@dataclass(frozen=True, eq=False)
class Deduction:
    """The cells that a view proves, and why.

    Attributes
    ----------
    mined : bool array of the grid's shape
        True where there must be a mine.
    safe : bool array of the grid's shape
        True where a hidden cell can hold no mine.
    steps : int array of the grid's shape
        The step at which each cell was proved, from 1 on, 0 where nothing is proved: a proof
        rests on open numbers and on cells proved at earlier steps.
    complete : bool
        Whether the rule "exact" has looked at all layouts: what is not proved then holds in
        some and not in others.

    Examples
    --------
    >>> import numpy as np, ndsweep as nd
    >>> proved = nd.deduce(np.array([[1, -1, 1, -1]]))
    >>> proved.mined, proved.safe, proved.complete
    (array([[False,  True, False, False]]), array([[False, False, False,  True]]), True)
    """

    mined: Bools
    safe: Bools
    steps: npt.NDArray[np.int64]
    complete: bool
    _by_step: tuple[str, ...]
    _view: npt.NDArray[np.int64]
    _total: int | None
    _budget: int

    def __repr__(self) -> str:
        size = "x".join(map(str, self.mined.shape))
        counts = (int(np.count_nonzero(cells)) for cells in (self.mined, self.safe))
        return "<Deduction {}, {} mined, {} safe>".format(size, *counts)

    def _repr_html_(self) -> str:
        """Proved cells as chances of 0 and 1; nothing is said of the others."""
        chances = np.select([self.safe, self.mined], [0.0, 1.0], np.nan)
        return render.html(self._view, probability=chances, caption=repr(self)[1:-1])

    @cached_property
    def rules(self) -> npt.NDArray[np.str_]:
        """The rule that proved each cell, in an array of the grid's shape; "" where nothing is proved."""
        return np.array(self._by_step)[self.steps]

    def proof(self, cell: Cell) -> Proof:
        """Why a cell is proved: the rule, the numbers and whatever else the proof rests on.

        The numbers are looked for when they are asked for.

        Parameters
        ----------
        cell : cell
            Coordinates or flat index of a proved cell.

        Returns
        -------
        Proof
            With ``.rule``, ``.numbers``, ``.known_mines``, ``.known_safe`` and ``.total``: all that it
            takes to check it without the solver.

        Raises
        ------
        CellError
            If the cell lies outside the grid or is not proved.

        Examples
        --------
        >>> import numpy as np, ndsweep as nd
        >>> proof = nd.deduce(np.array([[1, 2, 1], [-1, -1, -1]])).proof((1, 0))
        >>> proof.mined, proof.rule, proof.numbers
        (True, 'pairs', ((0, 1), (0, 2)))
        """
        place = checked_cell(self.mined.shape, cell)
        step = self.steps[place]
        if not step:
            raise CellError(f"cell must be one that is proved. Got {place}.")
        before = (self.steps > 0) & (self.steps < step)
        view = self._view.copy()
        view[before & self.mined], view[before & self.safe] = FLAG, SAFE
        return proof_of(view, place, bool(self.mined[place]), self._by_step[step], self._total, self._budget)

    def explain(self, cell: Cell) -> str:
        """Says in words why a cell is proved.

        Parameters
        ----------
        cell : cell
            Coordinates or flat index of a proved cell.

        Returns
        -------
        str

        Raises
        ------
        CellError
            If the cell lies outside the grid or is not proved.

        Examples
        --------
        >>> import numpy as np, ndsweep as nd
        >>> proved = nd.deduce(np.array([[1, -1, 1, -1]]))
        >>> print(proved.explain((0, 3)))
        (0, 3) is safe: the 1 at (0, 2) has its mine, (0, 1).
        >>> print(proved.explain((0, 1)))
        (0, 1) is a mine: the 1 at (0, 0) has no other hidden neighbour.
        """
        return self.proof(cell).words


def deduce(
    view: npt.NDArray[np.signedinteger[Any]],
    mines: int | None = None,
    rules: Sequence[str] = RULES,
    trust_flags: bool = False,
    *,
    budget: int = BUDGET,
) -> Deduction:
    """The cells that must be mines and those that must be safe, as far as the rules prove it.

    The rules are repeated, the simplest first, until they find nothing more; what is proved
    counts in the next proof.

    Parameters
    ----------
    view : (n1, ..., nd) integer array
        View codes: the hint of each open cell, `HIDDEN`, `FLAG`, or `MINE`.
    mines : int, optional
        Number of mines of the grid, for the rules "count" and "exact".
    rules : sequence of {"single", "pairs", "count", "exact"}
        "single": all hidden neighbours of a number are mines if as many lack, and safe if
        none lacks.  "pairs" compares two numbers with common neighbours: if one lacks as
        many mines more as it has hidden neighbours that the other does not see, these are
        mines, and those that only the other sees are safe.  "count": all other cells are safe
        when all mines are known, and mines when there are just as many.  "exact": whatever is
        true in all layouts that fit, those with as many mines if these are given.  By default all
        four, without "count" if no mines are given.
    trust_flags : bool
        Whether flags count as mines.  By default they are marks of the player, and their
        cells are hidden like any other.
    budget : int
        For "exact": how many states a component of the numbers and the cells they see may have, all
        steps together.  Where one needs more, "exact" proves nothing of it, of the others what
        holds with any number of mines, and ``complete`` is False.

    Returns
    -------
    Deduction
        With ``.mined`` and ``.safe``, boolean arrays of the grid's shape, ``.rules``, ``.proof`` and
        ``.explain``.

    Raises
    ------
    SpecError
        If an argument is not of its kind, or no layout of mines fits the view: with "exact"
        always, else where a rule meets a number that shows it.
    TooLargeError
        If there is no memory for the view.

    Examples
    --------
    >>> import numpy as np, ndsweep as nd
    >>> view = np.array([[1, 2, 1], [-1, -1, -1]])
    >>> nd.deduce(view, rules=("single",)).mined.any()
    np.False_
    >>> proved = nd.deduce(view)
    >>> proved.mined[1], proved.safe[1]
    (array([ True, False,  True]), array([False,  True, False]))
    >>> print(proved.rules[1])
    ['pairs' 'single' 'pairs']
    """
    names, known = _checked_rules(rules, mines), checked_view(view)
    total = None if mines is None else checked_int("mines", mines, 0, known.size)
    budget = checked_int("budget", budget, 1)
    if not trust_flags:
        known[known == FLAG] = HIDDEN
    known[known == MINE] = FLAG
    start, run = known.copy(), Closure(known, total, names, budget)
    try:
        run.to_the_end()
    except SpecError:
        if "exact" not in names:
            raise
    else:
        mined, safe, steps = (known == FLAG) & (start != FLAG), known == SAFE, run.steps
        return Deduction(mined, safe, steps, run.complete, tuple(run.by_step), start, total, budget)
    refuse(start, total)


def _checked_rules(rules: object, mines: object) -> tuple[str, ...]:
    """The names of the rules, the simplest first."""
    names = (rules,) if isinstance(rules, str) or not isinstance(rules, Iterable) else tuple(rules)
    if not names or any(not isinstance(name, str) or name not in RULES for name in names):
        raise SpecError(f"rules must be some of {', '.join(map(repr, RULES))}. Got {rules!r}.")
    if mines is None and set(names) == set(RULES):
        names = tuple(name for name in names if name != "count")
    if mines is None and "count" in names:
        raise SpecError("mines must be given for the rule 'count'. Got None.")
    return tuple(name for name in RULES if name in names)
