"""Elimination: the layouts of many chains, counted side by side, one group of cells after the other.

A state of a chain says what its open numbers still lack and how many mines lie so far; its
weight counts the layouts of the groups so far that lead to it.  In every step each state takes
each possible number of mines in the next group, and equal states are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import GAMMA, Ints, Words
from ndsweep.solver.chains import Chains, Fields

Weights = npt.NDArray[Any]  # float64, or Python integers

_HASH = np.uint64(0xBF58476D1CE4E5B9)
_CHAIN_BITS = np.uint64(20)  # of a sorting key, the rest is a hash; chains that share them cost time, no more


@dataclass(frozen=True, eq=False)
class States:
    """The states after so many steps, chain by chain."""

    chain: Ints
    fields: Words
    mines: Ints
    weight: Weights

    def of(self, chosen: slice | Ints) -> States:
        """Some of them."""
        return States(self.chain[chosen], self.fields[:, chosen], self.mines[chosen], self.weight[chosen])


@dataclass(frozen=True, eq=False)
class Moves:
    """One step: which state becomes which, by so many mines in the group, in so many ways.

    ``chain`` and ``weight`` are those of the states before; the moves of a chain stand together.
    """

    source: Ints
    target: Ints
    group: Ints
    mines: Ints
    ways: Weights
    chain: Ints
    weight: Weights


@dataclass(frozen=True, eq=False)
class Elimination:
    """All steps of a forward pass.

    Attributes
    ----------
    steps : list of Moves
    ended : list of States
        After each number of steps, the states that go no further: those of chains that have
        no more groups, and with a weight of 0 those that were dropped.
    """

    steps: list[Moves]
    ended: list[States]

    @property
    def final(self) -> States:
        """All states that go no further."""
        fields = np.concatenate([states.fields for states in self.ended], axis=1)
        parts = ([getattr(states, name) for states in self.ended] for name in ("chain", "mines", "weight"))
        chain, mines, weight = map(np.concatenate, parts)
        return States(chain, fields, mines, weight)


Judge = Callable[[States], "npt.NDArray[np.float64] | None"]
"""Given the states after a step: by how much each weight changes, 0 to drop the state; or None to change nothing."""


def eliminate(
    chains: Chains, fields: Fields, most: Ints, judge: Judge, exact: bool = False, by_mines: bool = True
) -> Elimination:
    """Counts the layouts of each chain.

    Parameters
    ----------
    most : (chains,) int64 array
        How many mines a chain may have.
    judge : callable
        Keeps the number of states in bounds.
    exact : bool
        Whether weights are Python integers; floats hold them for some 900 cells a chain.
    by_mines : bool
        Whether states tell how many mines lie so far; else they hold 0, and there are fewer of them.

    Examples
    --------
    >>> from ndsweep.solver.chains import chains_of, fields_of
    >>> from ndsweep.solver.fronts import front_of
    >>> from ndsweep.solver.residue import residue_of
    >>> front = front_of(residue_of(np.array([[1, -1, 1, -1, -1]]), np.array([2])))
    >>> chains = chains_of(front)
    >>> final = eliminate(chains, fields_of(front, chains), np.array([2]), lambda states: None, exact=True).final
    >>> final.mines, final.weight
    (array([1]), array([1], dtype=object))
    """
    count, steps = chains.length.size, int(chains.length.max(initial=0))
    weight = np.ones(count, dtype=object if exact else np.float64)
    fresh = np.full((len(fields.unit), count), fields.guards)
    states = States(np.arange(count), fresh, np.zeros(count, dtype=np.int64), weight)
    longer = np.searchsorted(-chains.length, -np.arange(steps + 1))  # how many chains have groups left
    done, kept = Elimination([], []), count
    for step in range(steps):
        going = int(np.searchsorted(states.chain[:kept], longer[step]))
        done.ended.append(states.of(slice(going, None)))
        moves, states = _step(chains, fields, most, states.of(slice(going)), step, by_mines)
        kept, factors = states.chain.size, judge(states)
        if factors is not None:
            moves, states, kept = _judged(moves, states, factors)
        done.steps.append(moves)
    done.ended.append(states)
    return done


def _judged(moves: Moves, states: States, factors: npt.NDArray[np.float64]) -> tuple[Moves, States, int]:
    """Changes the weights by factors; puts the states that are dropped behind the others, and counts these."""
    order = np.argsort(factors == 0, kind="stable")
    place = np.empty(order.size, dtype=np.int64)
    place[order] = np.arange(order.size)
    if states.weight.dtype == object:
        factors = factors.astype(np.int64).astype(object)
    changed = replace(moves, target=place[moves.target], ways=moves.ways * factors[moves.target])
    return changed, replace(states, weight=states.weight * factors).of(order), int(np.count_nonzero(factors))


def _step(
    chains: Chains, fields: Fields, most: Ints, states: States, step: int, by_mines: bool
) -> tuple[Moves, States]:
    """Every state with every possible number of mines in the next group of its chain."""
    group = chains.first[states.chain] + step
    choices = fields.most[group] + 1
    ends = np.cumsum(choices)
    source = np.repeat(np.arange(group.size), choices)
    mines = np.arange(source.size) - (ends - choices)[source]
    reached, fits = _placed(fields, states.fields + fields.opening[:, group], group, source, mines)
    total = states.mines[source] + by_mines * mines
    kept = np.flatnonzero(fits & (total <= most[states.chain[source]]))
    source, mines, total, reached = source[kept], mines[kept], total[kept], reached[:, kept]
    chain = states.chain[source]
    target, firsts = _merged(chain, reached, total)
    group = group[source]
    ways = ways_table(int(chains.size.max()), int(fields.most.max()), states.weight.dtype == object)[
        chains.size[group], mines
    ]
    moves = Moves(source, target, group, mines, ways, states.chain, states.weight)
    weight = sums_of(target, states.weight[source] * ways, firsts.size)
    return moves, States(chain[firsts], reached[:, firsts], total[firsts], weight)


def _placed(
    fields: Fields, before: Words, group: Ints, source: Ints, mines: Ints
) -> tuple[Words, npt.NDArray[np.bool_]]:
    """The fields after so many mines in the group, and whether they fit."""
    guards, count = fields.guards, mines.astype(np.uint64)
    group = group[source]
    reached = np.empty((len(before), source.size), dtype=np.uint64)
    fits = np.ones(source.size, dtype=np.bool_)
    for w, word in enumerate(reached):
        np.subtract(before[w][source], count * fields.unit[w][group], out=word)
        fits &= word & guards == guards
        fits &= ((word ^ guards) + fields.excess[w][group]) & guards == 0
    return reached, fits


def _merged(chain: Ints, fields: Words, mines: Ints) -> tuple[Ints, Ints]:
    """Numbers equal states alike, in the order in which they first come up; gives numbers and first places.

    That order, unlike one by keys, depends on nothing but the chain, and so does the rounding of sums.
    """
    order = np.argsort(_keys(chain, fields, mines))
    new = np.ones(order.size, dtype=np.bool_)
    new[1:] = False
    for values in (chain, mines, *fields):
        ordered = values[order]
        new[1:] |= ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(new)
    first = np.minimum.reduceat(order, starts) if starts.size else order
    is_first = np.zeros(order.size, dtype=np.bool_)
    is_first[first] = True
    number = np.cumsum(is_first) - 1
    target = np.empty(order.size, dtype=np.int64)
    target[order] = np.repeat(number[first], np.diff(starts, append=order.size))
    return target, np.flatnonzero(is_first)


def _keys(chain: Ints, fields: Words, mines: Ints) -> Words:
    """Sorting keys: by chain, and within it equal states together, but for strays, which are harmless."""
    key = mines.astype(np.uint64) * GAMMA
    for word in fields:
        key ^= key >> np.uint64(29)
        key += word
        key *= _HASH
    return (key >> _CHAIN_BITS) | (chain.astype(np.uint64) << (np.uint64(64) - _CHAIN_BITS))


def flows(done: Elimination, rest: Weights) -> Iterator[tuple[Moves, Weights]]:
    """The weight of all layouts that take each move, from the last step to the first.

    Parameters
    ----------
    rest : (states,) array
        The weight of whatever goes with each final state.
    """
    bounds = np.cumsum([states.chain.size for states in done.ended])[:-1]
    *earlier, behind = np.split(rest, bounds)
    for moves, ended in zip(reversed(done.steps), reversed(earlier), strict=True):
        ahead = moves.ways * behind[moves.target]
        yield moves, moves.weight[moves.source] * ahead
        behind = np.concatenate([sums_of(moves.source, ahead, moves.weight.size), ended])


def trace_back(chains: Chains, done: Elimination, rest: Weights) -> tuple[Weights, Weights]:
    """For each group, the weight of its mines and the weight of its safe cells."""
    mined, safe = np.zeros((2, chains.groups.size), dtype=rest.dtype)
    for moves, flow in flows(done, rest):
        mined += sums_of(moves.group, flow * moves.mines, mined.size)
        safe += sums_of(moves.group, flow * (chains.size[moves.group] - moves.mines), safe.size)
    return mined, safe


def sums_of(index: Ints, values: Weights, size: int) -> Weights:
    """The sum of the values at each index; of floats or of Python integers."""
    if values.dtype != object:
        return np.bincount(index, values, minlength=size)
    total = np.zeros(size, dtype=object)
    np.add.at(total, index, values)
    return total


@lru_cache(maxsize=32)
def ways_table(cells: int, most: int, exact: bool) -> Weights:
    """In how many ways up to so many cells hold up to so many mines."""
    table = np.zeros((cells + 1, most + 1), dtype=object)
    table[:, 0] = 1
    for n in range(1, cells + 1):
        table[n, 1:] = table[n - 1, 1:] + table[n - 1, :-1]
    return table if exact else table.astype(np.float64)
