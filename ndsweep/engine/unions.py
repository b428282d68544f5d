"""Unions of neighbourhoods: inclusion and exclusion over which cells beside a cell are zeros.

An isolated number is a safe cell c that is no zero and has no zero beside it.  A cell z is a zero
where its neighbourhood N[z], itself included, is free of mines, so by inclusion and exclusion

    P(c is an isolated number) = sum over sets S of cells z in N[c] of (-1)^|S| P(c and all N[z], z in S, are free)

and the last chance depends on the number of cells in the union alone.  There are 2^27 sets in
three dimensions, but few numbers: of two sets with the same union and sizes of unlike parity none
counts.  The cells z are therefore taken one by one, and what is kept is the signed number of sets
by their union, of which cells that no further z can reach are only counted.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import prod

from ndsweep.engine.classes import Axis, Sight


@lru_cache(maxsize=4096)
def signed_unions(sight: Sight) -> dict[int, int]:
    """The signed number of sets S, even less odd, by the cells of their unions with c that may hold mines."""
    masks = _neighbourhoods(sight)
    if 0 in masks:  # one beside c is a zero for certain
        return {}
    sets = {(0, 0): 1}  # by the part of the union that further cells may reach, and the size of the rest
    for i, mask in enumerate(masks):
        further = 0
        for other in masks[i + 1 :]:
            further |= other
        sets = _with_or_without(sets, mask, further)
    sizes = {size: signed for (_, size), signed in sets.items()}
    empty = sizes.pop(0)  # the empty set, whose union is c alone
    own = 0 if all(axis.kept and axis.kept[0] <= 0 <= axis.kept[1] for axis in sight) else 1
    sizes[own] = sizes.get(own, 0) + empty
    return sizes


def _with_or_without(sets: dict[tuple[int, int], int], mask: int, further: int) -> dict[tuple[int, int], int]:
    """The sets with a further neighbourhood, counted with the other sign, and those without it."""
    new: dict[tuple[int, int], int] = {}
    for (union, size), signed in sets.items():
        for joined, sign in ((union, signed), (union | mask, -signed)):
            key = joined & further, size + (joined & ~further).bit_count()
            if total := new.get(key, 0) + sign:
                new[key] = total
            else:
                new.pop(key, None)
    return new


def _neighbourhoods(sight: Sight) -> list[int]:
    """The cells of each N[z] that may hold mines, as bits, without those that contain another.

    A set of cells z with one whose N[z] contains another's has the same union with and without
    that other one, so that these sets cancel.
    """
    cells = product(*(range(-axis.before, axis.after + 1) for axis in sight))
    bits = {cell: 1 << i for i, cell in enumerate(cells) if not _is_kept(cell, sight)}
    masks = set()
    for ranges in product(*map(_shortest, sight)):
        masks.add(sum(bits.get(cell, 0) for cell in product(*ranges)))
    return [mask for mask in sorted(masks) if not any(other != mask and other & mask == other for other in masks)]


def _is_kept(cell: tuple[int, ...], sight: Sight) -> bool:
    return all(axis.kept and axis.kept[0] <= x <= axis.kept[1] for x, axis in zip(cell, sight, strict=True))


def _shortest(axis: Axis) -> list[range]:
    """The neighbourhoods on one axis of the cells within 1, without those that contain another."""
    low, high = -axis.before, axis.after
    steps = {range(max(z - 1, low), min(z + 1, high) + 1) for z in range(-min(axis.before, 1), min(axis.after, 1) + 1)}
    within = [range_ for range_ in steps if not any(o != range_ and set(o) <= set(range_) for o in steps)]
    return sorted(within, key=lambda range_: range_.start)


def most_neighbourhoods(shape: tuple[int, ...]) -> int:
    """How many neighbourhoods are joined for the cell that has the most; the work is exponential in it."""
    return prod(1 if n <= 2 else 2 if n <= 4 else 3 for n in shape)
