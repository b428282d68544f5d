"""Expected numbers of boards in closed form, as exact fractions, for any shape.

They judge what is dealt and what is measured: the mean of many boards must come to them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import comb, perm, prod
from operator import mul

import numpy as np

from ndsweep.checks import checked_cell, checked_first_cell, checked_spec
from ndsweep.engine.classes import Places, nears, sights
from ndsweep.engine.unions import most_neighbourhoods, signed_unions
from ndsweep.spec import Cell, Spec, TooLargeError

_MOST_SUMMED = 3**6  # cells; so many hints, or bits of unions, take seconds
_MOST_AROUND = 3**8  # cells; a fraction of more has tens of thousands of digits
_MOST_JOINED = 27  # neighbourhoods


@dataclass(frozen=True)
class Expected:
    """Expected numbers of the boards of a spec, as exact fractions: what `expected` gives.

    Each is computed when it is first asked for.  ``float(x.zeros)`` and
    ``numpy.array(x.hints, float)`` are the nearest floating-point numbers.

    Attributes
    ----------
    spec : Spec
        The kind of game.
    first_cell : tuple of int or None
        The cell that the first-click rule protects, or None for each game's own random one.

    Examples
    --------
    >>> import ndsweep as nd
    >>> numbers = nd.expected(nd.EXPERT)
    >>> float(numbers.zeros), float(numbers.isolated)
    (70.48770572811071, 160.24197110564043)
    >>> [round(float(x), 2) for x in numbers.hints]
    [70.49, 130.74, 108.19, 52.11, 15.92, 3.14, 0.39, 0.03, 0.0]
    """

    spec: Spec
    first_cell: tuple[int, ...] | None = None

    @property
    def n_mines(self) -> int:
        """Number of mines."""
        return self.spec.mines

    @cached_property
    def zeros(self) -> Fraction:
        """Expected number of zeros: safe cells with hint 0.

        A sum of chances C(N-1-d, M) / C(N, M), for N cells, M mines and d neighbours; a
        first-click rule takes the cells that it keeps free of mines out of N and d.

        Raises
        ------
        TooLargeError
            If a cell can have more than 6560 neighbours, those of eight axes.
        """
        return self._zeros(None)

    @cached_property
    def hints(self) -> tuple[Fraction, ...]:
        """Expected number of safe cells with hint 0, 1, ... up to the largest number of neighbours.

        Their sum is the number of safe cells.  Hypergeometric: a safe cell with d neighbours
        has hint k with chance C(d, k) C(N-1-d, M-k) / C(N, M).

        Raises
        ------
        TooLargeError
            If a cell can have more than 728 neighbours, those of six axes.
        """
        sums = [Fraction(0)] * _checked_around("hints", self.spec.shape, _MOST_SUMMED)
        by_kept: dict[int, Counter[tuple[int, int]]] = {}
        for near, many in nears(self._places(None)).items():
            by_kept.setdefault(near.kept, Counter())[near.cell, near.neighbours] += many
        for kept, classes in by_kept.items():
            for hint, value in enumerate(_hint_sums(self.spec.size - kept, self.n_mines, classes)):
                sums[hint] += value
        return tuple(value / self._first_cells for value in sums)

    @cached_property
    def isolated(self) -> Fraction:
        """Expected number of isolated numbers: safe cells with hint > 0 that neighbour no zero.

        By inclusion and exclusion over the cells that may be zeros; see
        `ndsweep.engine.unions`.  Exact for up to three axes of any sizes; further axes must
        be short.  Two long axes take milliseconds, three some seconds at most.

        Raises
        ------
        TooLargeError
            If the neighbourhoods that meet beside one cell are too many.  They are the
            product of 1 for each axis of size 1 or 2, 2 for size 3 or 4 and 3 for size 5 or
            more, and at most 27 may be: four axes of size 5 have 81.  Or if a cell can have
            more than 728 neighbours.
        """
        _checked_around("isolated", self.spec.shape, _MOST_SUMMED)
        joined = most_neighbourhoods(self.spec.shape)
        if joined > _MOST_JOINED:
            raise TooLargeError(
                f"isolated must have at most {_MOST_JOINED} neighbourhoods to join beside a cell (for each axis"
                f" a factor of 1 for sizes 1 and 2, of 2 for 3 and 4, else of 3). Got {joined} for shape"
                f" {self.spec.shape}."
            )
        unions: Counter[tuple[int, int]] = Counter()
        for (sight, kept), many in sights(self._places(None)).items():
            for size, signed in signed_unions(sight).items():
                unions[kept, size] += many * signed
        return self._free(unions)

    def zero_chance(self, cell: Cell) -> Fraction:
        """The chance that a cell is a zero on the boards that are dealt.

        Parameters
        ----------
        cell : cell
            Coordinates or flat index.

        Returns
        -------
        Fraction
            Their sum over all cells is `zeros`.

        Raises
        ------
        CellError
            If the cell lies outside the grid.
        TooLargeError
            If a cell can have more than 6560 neighbours.

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.expected(nd.Spec((1, 4), 1), first_cell=0).zero_chance(1)
        Fraction(1, 3)
        """
        return self._zeros(checked_cell(self.spec.shape, cell))

    def opening_chance(self, cell: Cell, first: str = "any") -> Fraction:
        """The chance that a first click at a cell opens an opening.

        Parameters
        ----------
        cell : cell
            Coordinates or flat index.
        first : {"any", "safe", "opening"}
            The first-click rule, instead of the spec's: the layout is uniform; or uniform
            among those without a mine at this cell; or an opening is certain.

        Returns
        -------
        Fraction
            For N cells, M mines and d neighbours C(N-1-d, M) / C(N, M) with "any" and
            C(N-1-d, M) / C(N-1, M) with "safe".

        Raises
        ------
        CellError
            If the cell lies outside the grid.
        SpecError
            If there is no such rule, or no layout satisfies it.
        TooLargeError
            If a cell can have more than 6560 neighbours.

        Examples
        --------
        >>> import ndsweep as nd
        >>> numbers = nd.expected(nd.EXPERT)
        >>> round(float(numbers.opening_chance((0, 0))), 6)
        0.395655
        >>> numbers.opening_chance((0, 0), first="safe")
        Fraction(3024420, 6067493)
        """
        place = checked_cell(self.spec.shape, cell)
        return expected(replace(self.spec, first=first), place).zero_chance(place)

    # Parts -----------------------------------------------------------------------------------

    def _places(self, cell: tuple[int, ...] | None) -> list[Places]:
        """The pairs of a cell and a first cell, axis by axis, that a number is the mean of.

        The rule "safe" with a random first cell keeps nothing free here.  A layout is dealt
        with chance 1/C(N-1, M) if the first cell is one of its N-M safe ones, so with
        (N-M) / (N C(N-1, M)) = 1/C(N, M) on the whole: all layouts are equally likely.
        """
        radius = {"any": None, "safe": None if self.first_cell is None else 0, "opening": 1}[self.spec.first]
        nowhere = (None,) * self.spec.ndim
        places = zip(self.spec.shape, cell or nowhere, self.first_cell or nowhere, strict=True)
        return [Places(size, radius, x, first) for size, x, first in places]

    @property
    def _first_cells(self) -> int:
        """How many first cells are counted."""
        return self.spec.size if self.spec.first == "opening" and self.first_cell is None else 1

    def _zeros(self, cell: tuple[int, ...] | None) -> Fraction:
        _checked_around("zeros", self.spec.shape, _MOST_AROUND)
        free: Counter[tuple[int, int]] = Counter()
        for near, many in nears(self._places(cell)).items():
            free[near.kept, near.cell + near.neighbours] += many
        return self._free(free)

    def _free(self, sets: Counter[tuple[int, int]]) -> Fraction:
        """The expected number of sets of cells without a mine.

        Of so many sets, by the cells that the first click keeps free and by their own cells
        beside those.
        """
        total = Fraction(0)
        for kept in {kept for kept, _ in sets}:
            sizes = {size: many for (k, size), many in sets.items() if k == kept}
            cells, largest = self.spec.size - kept, max(sizes)
            safe = cells - self.n_mines
            # u cells are free with chance C(cells - u, M) / C(cells, M): a ratio of products of u
            # factors, which are brought to those of the largest set
            terms = (many * perm(safe, u) * perm(cells - u, largest - u) for u, many in sizes.items())
            total += Fraction(sum(terms), perm(cells, largest))
        return total / self._first_cells


def _hint_sums(cells: int, mines: int, classes: Counter[tuple[int, int]]) -> list[Fraction]:
    """The expected number of safe cells with each hint.

    Of classes of cells: 1 or 0 for a cell that may hold a mine or not, and how many of its
    neighbours may; among so many cells that may hold mines.
    """
    most = max(near for _, near in classes)
    largest = max(own + near for own, near in classes)
    safe_ways, mine_ways = _falling(cells - mines, largest), _falling(mines, most)
    sums = [0] * (most + 1)
    for (own, near), many in classes.items():
        common = many * perm(cells - own - near, largest - own - near)
        for hint in range(near + 1):
            ways = comb(near, hint) * mine_ways[hint] * safe_ways[own + near - hint]
            sums[hint] += common * ways
    return [Fraction(value, perm(cells, largest)) for value in sums]


def _falling(start: int, most: int) -> list[int]:
    """1, start, start (start-1), ...: products of up to so many factors."""
    return list(accumulate(range(start, start - most, -1), mul, initial=1))


def _checked_around(name: str, shape: tuple[int, ...], most: int) -> int:
    """The most cells within 1 of a cell, itself included; TooLargeError where they are too many."""
    around = prod(min(n, 3) for n in shape)
    if around > most:
        raise TooLargeError(
            f"{name} must have cells with at most {most - 1} neighbours. Got {around - 1} for shape {shape}."
        )
    return around


def expected(spec: Spec, first_cell: Cell | None = None) -> Expected:
    """Expected numbers of the boards that `Board.deal` deals, in closed form.

    Parameters
    ----------
    spec : Spec
        The kind of game; also the rule of the first click matters.
    first_cell : cell, optional
        The cell that the first-click rule protects; by default each game's own random one.

    Returns
    -------
    Expected
        Exact fractions: zeros, cells of each hint, isolated numbers, the chance that a cell
        opens.  With rule "any", and "safe" with random first cells, all layouts are equally
        likely; else those that the rule allows.

    Raises
    ------
    SpecError
        If the first-click rule leaves too few cells for the mines at that first cell, or the
        spec is none.
    CellError
        If the first cell lies outside the grid.

    Examples
    --------
    >>> import ndsweep as nd
    >>> line = nd.expected(nd.Spec((5,), 1))
    >>> line.zeros, line.isolated
    (Fraction(12, 5), Fraction(2, 5))
    >>> line.hints
    (Fraction(12, 5), Fraction(8, 5), Fraction(0, 1))
    >>> nd.expected(nd.Spec((5,), 1, first="opening"), first_cell=0).zeros
    Fraction(7, 3)
    >>> float(nd.expected(nd.Spec((1000, 1000), 100_000)).zeros)
    387994.94656476926
    """
    flat = checked_first_cell(checked_spec(spec), first_cell)
    return Expected(spec, None if flat is None else tuple(int(x) for x in np.unravel_index(flat, spec.shape)))
