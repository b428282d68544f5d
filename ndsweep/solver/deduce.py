"""What a view proves: the rules run on until they find nothing more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.checks import checked_array, checked_cell
from ndsweep.engine import counting
from ndsweep.engine.counting import View
from ndsweep.engine.grid import Bools
from ndsweep.solver import explain, rules
from ndsweep.spec import FLAG, HIDDEN, MINE, Cell, CellError, SpecError, checked_shape

_SAFE = -4  # proved safe, of unknown number: a code that no rule looks at
_RULES: dict[str, Callable[[View], tuple[Bools, Bools]]] = {"single": rules.single_point, "pairs": rules.pairs}


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
    _rules: tuple[str, ...]

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
    view: npt.NDArray[np.signedinteger[Any]], *, rules: Sequence[str] = ("single",), trust_flags: bool = False
) -> Deduction:
    """The cells that must be mines and those that must be safe, as far as the rules prove it.

    The rules are repeated until they find nothing more; what is proved counts in the next
    proof.

    Parameters
    ----------
    view : (n1, ..., nd) integer array
        View codes: the hint of each open cell, `HIDDEN`, `FLAG`, or `MINE`.
    rules : sequence of {"single", "pairs"}
        "single": all hidden neighbours of a number are mines if as many lack, and safe if
        none lacks.  "pairs" compares two numbers with common neighbours: if one lacks as
        many mines more as it has hidden neighbours that the other does not see, these are
        mines, and those that only the other sees are safe.
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
    names = _checked_rules(rules)
    known = _checked_view(view)
    known[(known == MINE) | ((known == FLAG) & trust_flags)] = FLAG
    if not trust_flags:
        known[np.asarray(view) == FLAG] = HIDDEN
    start, steps, step = known.copy(), np.zeros(known.shape, dtype=np.int64), 0
    while True:
        _check_numbers(known)
        found = _first_found(known, names)
        if found is None:
            break
        for cells, code in zip(found, (FLAG, _SAFE), strict=True):
            step += 1
            steps[cells] = step
            known[cells] = code
    return Deduction((known == FLAG) & (start != FLAG), known == _SAFE, steps, start, names)


def _first_found(known: View, names: tuple[str, ...]) -> tuple[Bools, Bools] | None:
    """What the first rule proves that proves anything."""
    for name in names:
        mined, safe = _RULES[name](known)
        if (mined & safe).any():
            cell = tuple(map(int, np.argwhere(mined & safe)[0]))
            raise SpecError(f"view must be that of some layout of mines. Its numbers prove {cell} a mine and safe.")
        if mined.any() or safe.any():
            return mined, safe
    return None


def _checked_rules(rules: object) -> tuple[str, ...]:
    names = (rules,) if isinstance(rules, str) else tuple(rules) if isinstance(rules, Sequence) else (rules,)
    unknown = [name for name in names if name not in _RULES]
    if unknown or not names:
        raise SpecError(f"rules must be some of {', '.join(map(repr, _RULES))}. Got {rules!r}.")
    return tuple(names)


def _checked_view(view: object) -> npt.NDArray[np.int64]:
    """The codes of a view as integers that can be written on; SpecError unless all are codes."""
    array = checked_array("view", view)
    if array.dtype.kind not in "iu":
        raise SpecError(f"view must be an array of integers. Got {array.dtype}.")
    shape = checked_shape(array.shape)
    codes = array.astype(np.int64)
    wrong = (codes < MINE) | (codes > 3 ** len(shape) - 1)
    if wrong.any():
        cell = tuple(map(int, np.argwhere(wrong)[0]))
        raise SpecError(f"view must hold codes between {MINE} and {3 ** len(shape) - 1}. Got {codes[cell]} at {cell}.")
    return codes


def _check_numbers(known: npt.NDArray[np.int64]) -> None:
    """SpecError at a number that has too many mines around it, or too few cells for them."""
    lacking, hidden = counting.lacking(known, known == FLAG), counting.around(known == HIDDEN)
    wrong = (known >= 0) & ((lacking < 0) | (lacking > hidden))
    if wrong.any():
        cell = tuple(map(int, np.argwhere(wrong)[0]))
        mines = int(known[cell] - lacking[cell])
        raise SpecError(
            f"view must be that of some layout of mines. Got {known[cell]} at {cell}, beside"
            f" {mines} mines and {hidden[cell]} more cells that may hold one."
        )
