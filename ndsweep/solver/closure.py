"""Closure: the rules run on, the simplest first, until they find nothing more."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ndsweep.checks import first_where
from ndsweep.engine.grid import Bools
from ndsweep.position import check_numbers, check_total
from ndsweep.solver import rules
from ndsweep.solver.certain import certain
from ndsweep.solver.proofs import SAFE
from ndsweep.solver.residue import ANY, residue_of
from ndsweep.spec import FLAG, HIDDEN, SpecError

RULES = ("single", "pairs", "count", "exact")
"""The names of the rules, the simplest first."""

_MOST_AXES_OF_PAIRS = 6  # in more, the pairs of a number and one near it take too long to compare


def quick_rules(ndim: int) -> tuple[str, ...]:
    """The rules that a person does not have to wait for, on grids of so many axes, the simplest first.

    Examples
    --------
    >>> quick_rules(2), quick_rules(7)
    (('single', 'pairs', 'count', 'exact'), ('single', 'count', 'exact'))
    """
    return tuple(rule for rule in RULES if rule != "pairs" or ndim <= _MOST_AXES_OF_PAIRS)


class Closure:
    """The rules at work on one view, in which they write what they prove.

    Attributes
    ----------
    known : integer array of the grid's shape
        View codes, with `FLAG` where a mine is known and `SAFE` where a hidden cell is known to be safe.
    steps : int array of the grid's shape
        The step at which each cell was proved, 0 where it was not.
    by_step : list of str
        The rule of each step; "" for step 0.
    complete : bool
        Whether nothing more can be proved, as the rule "exact" found.

    Examples
    --------
    >>> closure = Closure(np.array([[1, -1, 1, -1]]), None, ("single",), budget=1)
    >>> closure.to_the_end()
    >>> closure.known, closure.steps, closure.by_step
    (array([[ 1, -2,  1, -4]]), array([[0, 1, 0, 2]]), ['', 'single', 'single'])
    """

    def __init__(self, known: npt.NDArray[np.int64], total: int | None, names: tuple[str, ...], budget: int) -> None:
        self.known, self.total, self.names, self.budget = known, total, names, budget
        self.steps = np.zeros(known.shape, dtype=np.int64)
        self.by_step = [""]
        self.complete = False
        self._truth: tuple[Bools, Bools] | None = None

    def to_the_end(self) -> None:
        """Repeats the rules until they find nothing more."""
        going = True
        while going:
            check_numbers(self.known)
            check_total(self.known, self.total)
            going = self._one_more()

    def _one_more(self) -> bool:
        """Notes what the first rule proves that proves anything; whether there is one."""
        for name in self.names:
            if name != "single" and "exact" in self.names and self._all_is_found():
                return False
            mined, safe = self._found_by(name)
            if (mined & safe).any():
                cell = first_where(mined & safe)
                raise SpecError(f"view must be that of some layout of mines. Its numbers prove {cell} a mine and safe.")
            if mined.any() or safe.any():
                self._note(name, mined, safe)
                return True
        return False

    def _all_is_found(self) -> bool:
        """Whether no rule can prove more, so that none needs to be tried."""
        mined, safe = self._in_all_layouts()
        return self.complete and not ((mined | safe) & (self.known == HIDDEN)).any()

    def _found_by(self, name: str) -> tuple[Bools, Bools]:
        if name == "single":
            return rules.single_point(self.known)
        if name == "pairs":
            return rules.pairs(self.known)
        if name == "count":
            return rules.count(self.known, self.total or 0)
        mined, safe = self._in_all_layouts()
        hidden = self.known == HIDDEN
        return mined & hidden, safe & hidden

    def _in_all_layouts(self) -> tuple[Bools, Bools]:
        """The mines and the safe cells of all layouts; looked for once."""
        if self._truth is None:
            left = ANY if self.total is None else self.total - int(np.count_nonzero(self.known == FLAG))
            residue = residue_of(self.known[None], np.array([left]))
            found = certain(residue, self.budget)
            if not found.possible:
                raise SpecError("view must be that of some layout of mines.")
            self._truth = tuple(residue.layout.cells_of(cells)[0] for cells in (found.mined, found.safe))
            self.complete = found.complete
        return self._truth

    def _note(self, name: str, mined: Bools, safe: Bools) -> None:
        """Writes down what a rule has proved; only the safe cells of "single" may rest on its mines."""
        for cells, code in ((mined, FLAG), (safe, SAFE)):
            if code == FLAG or name == "single":
                self.by_step.append(name)
            self.steps[cells] = len(self.by_step) - 1
            self.known[cells] = code
