"""Chains: the groups of every component of a front in their order of elimination, and what it has to remember."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ndsweep.engine.streams import Ints
from ndsweep.solver.fronts import Front
from ndsweep.solver.orders import components_of, ordered


@dataclass(frozen=True, eq=False)
class Chains:
    """The chains of many positions, the longest first.

    Attributes
    ----------
    position, first, length : (chains,) int64 arrays
        Whose position a chain is, where its groups start in ``groups``, how many it has.
    groups : (groups,) int64 array
        The groups of the front, chain by chain in the order of elimination.
    chain, size : (groups,) int64 arrays
        The chain of each of those groups, and how many cells it has.

    Examples
    --------
    >>> from ndsweep.solver.fronts import front_of
    >>> from ndsweep.solver.residue import residue_of
    >>> chains = chains_of(front_of(residue_of(np.array([[1, -1, 1, -1, -1]]), np.array([2]))))
    >>> chains.length, chains.size
    (array([2]), array([1, 1]))
    """

    position: Ints
    first: Ints
    length: Ints
    groups: Ints
    chain: Ints
    size: Ints


def chains_of(front: Front) -> Chains:
    """The chains of a front.

    Examples
    --------
    >>> from ndsweep.solver.fronts import front_of
    >>> from ndsweep.solver.residue import residue_of
    >>> chains_of(front_of(residue_of(np.array([[-1, 1, 1]] * 3), np.array([1, 1, 1])))).length
    array([1, 1, 1])
    """
    label, of_number = components_of(front)
    order = ordered(front, of_number)
    length = np.bincount(label)
    longest = np.argsort(-length, kind="stable")
    rank = np.empty(length.size, dtype=np.int64)
    rank[longest] = np.arange(length.size)
    groups = order[np.argsort(rank[label[order]], kind="stable")]
    length = length[longest]
    first = np.cumsum(length) - length
    return Chains(
        position=front.position[groups[first]],
        first=first,
        length=length,
        groups=groups,
        chain=np.repeat(np.arange(length.size), length),
        size=front.size[groups],
    )


@dataclass(frozen=True, eq=False)
class Fields:
    """What the numbers of each chain lack, as bit fields of a few words, and what each group asks of them.

    An open number holds a field: its low bits say how many mines it still lacks, its high
    bit is a guard that is always set, and shows by going out that more were taken than there
    are.  In the turn of their opening the numbers of a chain take the fields of a ring.

    Attributes
    ----------
    guards : uint64
        The guards of a word.
    opening, unit, excess : (words, groups) uint64 arrays
        For each group in the order of the chains: what numbers lack that open with it; a 1 in the
        field of each number that sees it; and what makes a field run over into its guard if
        after this group the number lacks more than it still sees cells.
    most : (groups,) int64 array
        How many mines a group can hold at most, by its size and what its numbers lack at first.

    Examples
    --------
    >>> from ndsweep.solver.fronts import front_of
    >>> from ndsweep.solver.residue import residue_of
    >>> front = front_of(residue_of(np.array([[1, -1, 1, -1, -1]]), np.array([2])))
    >>> fields = fields_of(front, chains_of(front))
    >>> fields.most, fields.guards == 0xAAAAAAAAAAAAAAAA  # 32 fields of 2 bits
    (array([1, 1]), np.True_)
    """

    guards: np.uint64
    opening: npt.NDArray[np.uint64]
    unit: npt.NDArray[np.uint64]
    excess: npt.NDArray[np.uint64]
    most: Ints


def fields_of(front: Front, chains: Chains) -> Fields:
    """The fields for the elimination of chains.

    Examples
    --------
    >>> from ndsweep.solver.fronts import front_of
    >>> from ndsweep.solver.residue import residue_of
    >>> front = front_of(residue_of(np.array([[1, -1, -1]]), np.array([1])))
    >>> fields_of(front, chains_of(front)).opening
    array([[1]], dtype=uint64)
    """
    place = np.empty(chains.groups.size, dtype=np.int64)
    place[chains.groups] = np.arange(chains.groups.size)
    group = place[front.by_group]
    pairs = np.argsort(front.by_number * group.size + group)  # number by number, its groups in order
    number, group = front.by_number[pairs], group[pairs]
    starts = np.flatnonzero(np.diff(number, prepend=-1))
    ends = np.append(starts, number.size)[1:] - 1
    ring_place = _ring_places(chains, group[starts], group[ends])

    seen = chains.size[group]
    so_far = np.cumsum(seen)
    so_far -= np.repeat(so_far[starts] - seen[starts], ends - starts + 1)
    bits = int(front.lacks.max(initial=1)).bit_length() + 1
    top = (1 << (bits - 1)) - 1
    opening = np.where(np.arange(number.size) == starts[number], front.lacks[number], 0)
    excess = top - np.minimum(front.near[number] - so_far, top)
    most = chains.size.copy()
    np.minimum.at(most, group, front.lacks[number])

    in_word = 64 // bits
    words = int(ring_place.max(initial=0)) // in_word + 1
    word, shift = ring_place // in_word, (ring_place % in_word * bits).astype(np.uint64)
    by_group = np.argsort(group, kind="stable")
    turns = np.searchsorted(group[by_group], np.arange(chains.groups.size))

    def packed(values: Ints) -> npt.NDArray[np.uint64]:
        shifted = values.astype(np.uint64) << shift[number]
        parts = (np.where(word[number] == w, shifted, np.uint64(0)) for w in range(words))
        return np.array([np.add.reduceat(part[by_group], turns) if turns.size else part for part in parts])

    guards = np.uint64(sum(1 << (bits * (field + 1) - 1) for field in range(in_word)))
    return Fields(guards, packed(opening), packed(np.ones_like(number)), packed(excess), most)


def _ring_places(chains: Chains, opens: Ints, closes: Ints) -> Ints:
    """The place of each number in the ring of its chain, which is as large as needed.

    A number must have closed before the next one takes its place.
    """
    chain = chains.chain[opens]
    turn = np.argsort(opens, kind="stable")
    before = np.searchsorted(opens[turn], chains.first[chain])
    rank = np.empty(turn.size, dtype=np.int64)
    rank[turn] = np.arange(turn.size)
    rank -= before
    needed = np.searchsorted(opens[turn], closes, side="right") - before - rank
    ring = np.ones(chains.length.size, dtype=np.int64)
    np.maximum.at(ring, chain, needed)
    places: Ints = rank % ring[chain]
    return places
