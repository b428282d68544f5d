"""Totals: the chains of a position and its free cells put together, so that the mines add up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import comb

import numpy as np
import numpy.typing as npt

from ndsweep.checks import check_memory
from ndsweep.engine.streams import Ints
from ndsweep.solver.elimination import States, Weights, sums_of
from ndsweep.solver.residue import ANY

Floats = npt.NDArray[np.float64]

_FEW_LOG, _ROUNDED_BITS = 2000.0, 192
_INTEGER_BITS = 8 * 28  # of a Python integer besides its digits


@dataclass(frozen=True, eq=False)
class _Turn:
    """One more chain of each position that has so many.

    Attributes
    ----------
    states, weight : arrays
        Their final states, and the weight of these.
    games : int64 array
        The positions.
    here, there : (states, width) int64 arrays
        For each total of the chains before, its place in a table of all positions and totals,
        and the place that it moves to.
    """

    states: Ints
    weight: Weights
    games: Ints
    here: Ints
    there: Ints

    def forwards(self, table: Weights) -> Weights:
        """The ways to reach each total with this chain."""
        moved = table.reshape(-1)[self.here] * self.weight
        return self._replaced(table, self.there, moved)

    def backwards(self, table: Weights, before: Weights) -> tuple[Weights, Weights]:
        """The weight of what goes with each state, and of what follows each total before this chain."""
        ahead = table.reshape(-1)[self.there]
        rest = sums_along(before.reshape(-1)[self.here] * ahead)
        return rest, self._replaced(table, self.here, ahead * self.weight)

    def _replaced(self, table: Weights, places: Ints, values: Weights) -> Weights:
        """The table with new rows for the positions of this turn."""
        new = table.copy()
        new[self.games] = 0
        new += sums_of(places.reshape(-1), values.reshape(-1), table.size).reshape(table.shape)
        return new


@dataclass(frozen=True, eq=False)
class Totals:
    """What the chains of each position come to, all their layouts taken together.

    Attributes
    ----------
    least : (k,) int64 array
        The fewest mines that the front of each position can hold.
    front, free : (k, width) arrays
        For each number of mines on the front, from the fewest on, how many layouts the front
        has, and how many the free cells.
    scale : (k,) float64 array
        The logarithm of a factor that ``free`` lacks; 0 for integers.
    spread : (k,) float64 array
        How much the logarithms of ``free`` vary; 0 for integers.
    """

    least: Ints
    front: Weights
    free: Weights
    scale: Floats
    spread: Floats
    _turns: list[_Turn]
    _before: list[Weights]

    def rest(self, states: int) -> Weights:
        """For each of so many final states, the weight of all that goes with it."""
        rest, behind = np.zeros(states, dtype=self.front.dtype), self.free
        for turn, before in zip(reversed(self._turns), reversed(self._before), strict=True):
            rest[turn.states], behind = turn.backwards(behind, before)
        return rest


def totals_of(final: States, position: Ints, free: Ints, left: Ints, rounded: bool = False) -> Totals:
    """Puts chains together, one more of every position at a time.

    Parameters
    ----------
    final : States
        The final states of all chains.
    position : (chains,) int64 array
        Whose position each chain is.
    free, left : (k,) int64 arrays
        How many free cells each position has, and how many mines, or `ANY`.
    rounded : bool
        Whether the ways of the free cells may be rounded to some sixty digits, where integers
        have thousands.

    Examples
    --------
    >>> final = States(np.array([0, 1, 1]), np.empty((0, 3)), np.array([1, 0, 1]), np.array([2, 1, 3], dtype=object))
    >>> totals = totals_of(final, np.array([0, 0]), free=np.array([5]), left=np.array([2]))
    >>> totals.least, totals.front * totals.free
    (array([1]), array([[10, 6]], dtype=object))
    >>> totals.rest(3)
    array([8, 10, 2], dtype=object)
    """
    least, reach = _ranges(final, position.size)
    of_front = np.bincount(position, least, minlength=free.size).astype(np.int64)
    width = int(np.bincount(position, reach).max(initial=0)) + 1
    _check_tables(final, position, free.size * width)
    turns = list(_turns(final, position, final.mines - least[final.chain], width))
    table = np.zeros((free.size, width), dtype=final.weight.dtype)
    table[:, 0] = 1
    before = []
    for turn in turns:
        before.append(table)
        table = turn.forwards(table)
    return Totals(of_front, table, *_free_ways(table, of_front, free, left, rounded), turns, before)


def _check_tables(final: States, position: Ints, entries: int) -> None:
    """TooLargeError unless the tables before all chains fit in memory, of so many entries each."""
    tables, bits = int(np.bincount(position).max(initial=0)), 0
    if final.weight.dtype == object and final.chain.size:
        most = np.zeros(position.size, dtype=np.int64)
        np.maximum.at(most, final.chain, [weight.bit_length() for weight in final.weight.tolist()])
        bits = _INTEGER_BITS + int(most.sum()) // 2  # as numbers grow from table to table
    check_memory(f"a position with {tables} components of numbers", tables * entries * (8 + bits // 8))


def sums_along(rows: Weights) -> Weights:
    """The sum of each row, term by term: zeros at its end do not change how it is rounded.

    Examples
    --------
    >>> sums_along(np.array([[1.0, 2.0, 0.0], [4.0, 8.0, 16.0]]))
    array([ 3., 28.])
    """
    sums: Weights = np.add.accumulate(rows, axis=1)[:, -1]
    return sums


def _ranges(final: States, chains: int) -> tuple[Ints, Ints]:
    """The fewest mines of each chain, and how many more there can be."""
    least, most = np.full(chains, np.iinfo(np.int64).max), np.full(chains, -1)
    np.minimum.at(least, final.chain, final.mines)
    np.maximum.at(most, final.chain, final.mines)
    none = most < 0  # no layout of this chain
    least[none] = most[none] = 0
    return least, most - least


def _turns(final: States, position: Ints, extra: Ints, width: int) -> Iterator[_Turn]:
    """The first chain of every position, then the second of those that have two, and so on."""
    order = np.argsort(position, kind="stable")
    turn = np.empty(position.size, dtype=np.int64)
    turn[order] = np.arange(position.size) - np.searchsorted(position[order], position[order])
    by_turn = np.argsort(turn[final.chain], kind="stable")
    bounds = np.searchsorted(turn[final.chain[by_turn]], np.arange(int(turn.max(initial=-1)) + 2))
    column = np.arange(width)
    for number, (start, stop) in enumerate(pairwise(bounds)):
        states = by_turn[start:stop]
        row = position[final.chain[states]][:, None] * width
        # beyond the last total there is only weight 0, so it may stay there
        there = row + np.minimum(column + extra[states][:, None], width - 1)
        yield _Turn(states, final.weight[states][:, None], position[turn == number], row + column, there)


def _free_ways(table: Weights, of_front: Ints, free: Ints, left: Ints, rounded: bool) -> tuple[Weights, Floats, Floats]:
    """In how many ways the free cells hold what each total of the front leaves over, with scale and spread."""
    over = (left - of_front)[:, None] - np.arange(table.shape[1])
    cells = np.broadcast_to(free[:, None], over.shape)
    some = (over >= 0) & (over <= cells)
    any_number = left < ANY // 2
    logs = _log_ways(cells, over, some)
    logs[any_number] = 0
    if table.dtype == object:
        ways = np.zeros(table.shape, dtype=object)
        ways[any_number] = 1
        scale = np.zeros(free.size)
        for row in np.flatnonzero(some.any(axis=1) & ~any_number):
            chosen = np.flatnonzero(some[row])
            begin, scale[row] = _first_ways(logs[row, chosen], rounded, int(free[row]), int(over[row, chosen[0]]))
            ways[row, chosen] = _falling_ways(begin, int(free[row]), over[row, chosen].tolist())
        return ways, scale, np.zeros(free.size)
    reached = (table > 0) & np.isfinite(logs)
    scale = np.where(reached, logs, -np.inf).max(axis=1)
    scale[np.isneginf(scale)] = 0
    spread = scale - np.where(reached, logs, scale[:, None]).min(axis=1)
    return np.exp(np.minimum(logs - scale[:, None], 0)), scale, spread


def _first_ways(logs: Floats, rounded: bool, cells: int, mines: int) -> tuple[int, float]:
    """The ways for the most mines of a row, and the logarithm of a factor that they lack."""
    if not rounded or np.abs(logs).max() < _FEW_LOG:
        return comb(cells, mines), 0.0
    bits = int(np.ptp(logs) / np.log(2)) + _ROUNDED_BITS
    return 1 << bits, float(logs[0] - bits * np.log(2))


def _falling_ways(ways: int, cells: int, mines: list[int]) -> list[int]:
    """The ways for a mine less each time; never none, however rounded."""
    found = [ways]
    for m in mines[:-1]:
        found.append(max(1, found[-1] * m // (cells - m + 1)))
    return found


def _log_ways(cells: Ints, mines: Ints, some: npt.NDArray[np.bool_]) -> Floats:
    """The logarithms of the ways for so many cells to hold so many mines, a mine less in every column.

    Only the first one of a row comes from factorials; the others, whose differences decide
    the chances, follow from it by ratios.
    """
    from scipy.special import gammaln

    first = some.argmax(axis=1)[:, None]
    n, m = np.take_along_axis(cells, first, 1), np.take_along_axis(mines, first, 1)
    anchor = gammaln(n + 1) - gammaln(np.maximum(m, 0) + 1) - gammaln(np.maximum(n - m, 0) + 1)
    both = some[:, 1:] & some[:, :-1]
    ratios = np.where(both, mines[:, :-1], 1) / np.where(both, cells[:, 1:] - mines[:, :-1] + 1, 1)
    logs = np.concatenate([anchor, anchor + np.cumsum(np.log(ratios), axis=1)], axis=1)
    return np.where(some, logs, -np.inf)
