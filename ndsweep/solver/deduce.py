"""What a view proves: the rules run on until they find nothing more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.checks import checked_cell, first_where
from ndsweep.engine.counting import View
from ndsweep.engine.grid import Bools
from ndsweep.position import check_numbers, check_total, checked_view
from ndsweep.solver import explain, rules
from ndsweep.spec import FLAG, HIDDEN, MINE, Cell, CellError, SpecError, checked_int

_SAFE = -4  # proved safe, of unknown number: a code that no rule looks at
_RULES = ("single", "pairs", "count")


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

    Examples
    --------
    >>> import numpy as np, ndsweep as nd
    >>> proved = nd.deduce(np.array([[1, -1, 1, -1]]))
    >>> proved.mined, proved.safe
    (array([[False,  True, False, False]]), array([[False, False, False,  True]]))
    """

    mined: Bools
    safe: Bools
    steps: npt.NDArray[np.int64]
    _view: View

    def __repr__(self) -> str:
        size = "x".join(map(str, self.mined.shape))
        counts = (int(np.count_nonzero(cells)) for cells in (self.mined, self.safe))
        return "<Deduction {}, {} mined, {} safe>".format(size, *counts)

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
        place = checked_cell(self.mined.shape, cell)
        step = self.steps[place]
        if not step:
            raise CellError(f"cell must be one that is proved. Got {place}.")
        before = (self.steps > 0) & (self.steps < step)
        view = self._view.copy()
        view[before & self.mined], view[before & self.safe] = FLAG, _SAFE
        return explain.in_words(view, place, bool(self.mined[place]))


def deduce(
    view: npt.NDArray[np.signedinteger[Any]],
    mines: int | None = None,
    rules: Sequence[str] = ("single",),
    trust_flags: bool = False,
) -> Deduction:
    """The cells that must be mines and those that must be safe, as far as the rules prove it.

    The rules are repeated until they find nothing more; what is proved counts in the next
    proof.

    Parameters
    ----------
    view : (n1, ..., nd) integer array
        View codes: the hint of each open cell, `HIDDEN`, `FLAG`, or `MINE`.
    mines : int, optional
        Number of mines of the grid, for the rule "count".
    rules : sequence of {"single", "pairs", "count"}
        "single": all hidden neighbours of a number are mines if as many lack, and safe if
        none lacks.  "pairs" compares two numbers with common neighbours: if one lacks as
        many mines more as it has hidden neighbours that the other does not see, these are
        mines, and those that only the other sees are safe.  "count": all other cells are safe
        when all mines are known, and mines when there are just as many.
    trust_flags : bool
        Whether flags count as mines.  By default they are marks of the player, and their
        cells are hidden like any other.

    Returns
    -------
    Deduction
        With ``.mined`` and ``.safe``, boolean arrays of the grid's shape, and ``.explain``.

    Raises
    ------
    SpecError
        If an argument is not of its kind, or no layout of mines fits the view and a rule
        meets a number that shows it.

    Examples
    --------
    >>> import numpy as np, ndsweep as nd
    >>> view = np.array([[1, 2, 1], [-1, -1, -1]])
    >>> nd.deduce(view).mined.any()
    np.False_
    >>> proved = nd.deduce(view, rules=("single", "pairs"))
    >>> proved.mined[1], proved.safe[1]
    (array([ True, False,  True]), array([False,  True, False]))
    """
    names, known = _checked_rules(rules, mines), checked_view(view)
    total = None if mines is None else checked_int("mines", mines, 0, known.size)
    if not trust_flags:
        known[known == FLAG] = HIDDEN
    known[known == MINE] = FLAG
    start, steps, step = known.copy(), np.zeros(known.shape, dtype=np.int64), 0
    while True:
        check_numbers(known)
        check_total(known, total)
        found = _first_found(known, total, names)
        if found is None:
            break
        for cells, code in zip(found, (FLAG, _SAFE), strict=True):
            step += 1
            steps[cells] = step
            known[cells] = code
    return Deduction((known == FLAG) & (start != FLAG), known == _SAFE, steps, start)


def _first_found(known: View, total: int | None, names: tuple[str, ...]) -> tuple[Bools, Bools] | None:
    """What the first rule proves that proves anything."""
    provers: dict[str, Callable[[View], tuple[Bools, Bools]]] = {
        "single": rules.single_point,
        "pairs": rules.pairs,
        "count": lambda view: rules.count(view, total or 0),
    }
    for name in names:
        mined, safe = provers[name](known)
        if (mined & safe).any():
            cell = first_where(mined & safe)
            raise SpecError(f"view must be that of some layout of mines. Its numbers prove {cell} a mine and safe.")
        if mined.any() or safe.any():
            return mined, safe
    return None


def _checked_rules(rules: object, mines: object) -> tuple[str, ...]:
    names = (rules,) if isinstance(rules, str) or not isinstance(rules, Iterable) else tuple(rules)
    if not names or any(not isinstance(name, str) or name not in _RULES for name in names):
        raise SpecError(f"rules must be some of {', '.join(map(repr, _RULES))}. Got {rules!r}.")
    if "count" in names and mines is None:
        raise SpecError("mines must be given for the rule 'count'. Got None.")
    return names
