"""Queries: in how many layouts some cells are all safe, for many such questions about counted positions.

A chain that has been eliminated has all its states and moves; when cells of its groups must
be safe, only the numbers of ways change.  So every question about a chain is one more pass along the
same moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ndsweep.engine.streams import Ints
from ndsweep.solver.chains import Chains
from ndsweep.solver.counts import Counts
from ndsweep.solver.elimination import Elimination, Moves, States, Weights, ways_table
from ndsweep.solver.totals import Floats, totals_of


@dataclass(frozen=True, eq=False)
class Queries:
    """Questions about positions: are these cells all safe?

    Attributes
    ----------
    position : (queries,) int64 array
        Which position each is about.
    free : (queries,) int64 array
        How many of its cells no number sees.
    query, group : (pairs,) int64 arrays
        For each of the other cells, the query and the group of the front.
    """

    position: Ints
    free: Ints
    query: Ints
    group: Ints


def log_layouts(queries: Queries, chains: Chains, counts: Counts, free: Ints, left: Ints) -> Floats:
    """The logarithm of the number of layouts in which the cells of each query are safe.

    Parameters
    ----------
    free, left : (k,) int64 arrays
        The free cells and the mines of each position.

    Returns
    -------
    (queries,) float64 array
        -inf where there is no such layout.

    Examples
    --------
    >>> from ndsweep.solver.chains import chains_of
    >>> from ndsweep.solver.counts import count
    >>> from ndsweep.solver.fronts import front_of
    >>> from ndsweep.solver.residue import residue_of
    >>> residue = residue_of(np.array([[-1, 1, -1, -1, -1]]), np.array([2]))
    >>> front = front_of(residue)
    >>> chains = chains_of(front)
    >>> counts = count(front, chains, residue.left, lambda states: None)
    >>> one = np.array([0])
    >>> np.exp(log_layouts(Queries(one, one + 1, one, one), chains, counts, front.free, residue.left))
    array([1.])
    """
    asked = queries.position.size
    here, chain = _chains_asked(queries.position, chains.position)
    by_chain = np.argsort(counts.final.chain, kind="stable")
    starts = np.searchsorted(counts.final.chain[by_chain], np.arange(chains.length.size + 1))
    pair, states = _spread(starts[chain], starts[chain + 1])
    states = by_chain[states]
    weight = counts.final.weight[states]
    begins = np.searchsorted(pair, np.arange(here.size))
    for unit, values in _passes(queries, chains, counts.done):
        at = np.searchsorted(here * chains.length.size + chain, unit)
        _, places = _spread(begins[at], begins[at] + starts[chain[at] + 1] - starts[chain[at]])
        weight[places] = values
    final = States(pair, np.empty((0, 0), dtype=np.uint64), counts.final.mines[states], weight)
    totals = totals_of(final, here, free[queries.position] - queries.free, left[queries.position])
    with np.errstate(divide="ignore"):
        found: Floats = np.log((totals.front * totals.free).sum(axis=1)) + totals.scale
    return found[:asked]


def _chains_asked(position: Ints, of_chain: Ints) -> tuple[Ints, Ints]:
    """Every chain of the position of each query: which query, which chain; ascending."""
    order = np.argsort(of_chain, kind="stable")
    sorted_positions = of_chain[order]
    first, last = _ends(sorted_positions, position)
    query, index = _spread(first, last)
    return query, order[index]


def _passes(queries: Queries, chains: Chains, done: Elimination) -> Iterator[tuple[Ints, Weights]]:
    """For each query and each chain that it touches, the weights of the final states of the chain.

    They come by the length of the chain, several at a time, and are named query * chains + chain.
    """
    asked = queries.position.size
    place = np.empty(chains.groups.size, dtype=np.int64)
    place[chains.groups] = np.arange(chains.groups.size)
    place = place[queries.group]
    touched = chains.chain[place]
    names, unit = np.unique(touched * asked + queries.query, return_inverse=True)
    chain, query = names // max(asked, 1), names % max(asked, 1)
    safe = np.zeros((names.size, len(done.steps)), dtype=np.int64)
    np.add.at(safe, (unit, place - chains.first[touched]), 1)
    weight, begins = np.ones(names.size), np.arange(names.size)
    size, most = chains.size.max(initial=0), max((int(moves.mines.max(initial=0)) for moves in done.steps), default=0)
    table = ways_table(int(size), most, False)
    for step, moves in enumerate(done.steps):
        going = int(np.searchsorted(-chains.length[chain], -step))
        chain, query, begins = chain[:going], query[:going], begins[:going]
        of_move = chains.chain[moves.group]
        first, last = _ends(of_move, chain)
        unit, move = _spread(first, last)
        source = moves.source[move] + (begins - np.searchsorted(moves.chain, chain))[unit]
        ways = table[chains.size[moves.group[move]] - safe[unit, step], moves.mines[move]]
        lowest, sizes = _targets(moves, of_move, chain)
        ends = np.cumsum(sizes)
        target = moves.target[move] + (ends - sizes - lowest)[unit]
        weight = np.bincount(target, weight[source] * ways, minlength=int(ends[-1]) if ends.size else 0)
        begins = ends - sizes
        ended = int(np.searchsorted(-chains.length[chain], -(step + 1)))
        if ended < going:
            yield query[ended:] * chains.length.size + chain[ended:], weight[begins[ended] :]


def _targets(moves: Moves, of_move: Ints, chain: Ints) -> tuple[Ints, Ints]:
    """For each of some chains, the first of the states that its moves lead to, and how many there are."""
    starts = np.flatnonzero(np.diff(of_move, prepend=-1))
    if not starts.size:
        nothing = np.zeros(chain.size, dtype=np.int64)
        return nothing, nothing
    lowest, highest = np.minimum.reduceat(moves.target, starts), np.maximum.reduceat(moves.target, starts)
    at = np.minimum(np.searchsorted(of_move[starts], chain), starts.size - 1)
    there = of_move[starts[at]] == chain
    return np.where(there, lowest[at], 0), np.where(there, highest[at] - lowest[at] + 1, 0)


def _ends(ascending: Ints, values: Ints) -> tuple[Ints, Ints]:
    """Where each value starts and stops in an ascending array."""
    return np.searchsorted(ascending, values), np.searchsorted(ascending, values, side="right")


def _spread(starts: Ints, stops: Ints) -> tuple[Ints, Ints]:
    """All indices of some ranges, one range after the other, and the range of each."""
    sizes = stops - starts
    which = np.repeat(np.arange(sizes.size), sizes)
    ends = np.cumsum(sizes)
    return which, np.arange(which.size) - (ends - sizes - starts)[which]
