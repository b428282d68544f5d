"""Which games a result is of: ranges of numbers, joined when results add."""

from __future__ import annotations

from collections.abc import Iterable

from ndsweep.spec import MergeError

Range = tuple[int, int, int]
"""Seed, first game number, one past the last."""


def joined(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Ranges in order, neighbours made one; MergeError where two overlap.

    Examples
    --------
    >>> joined([(0, 10, 20), (1, 0, 5), (0, 0, 10)])
    ((0, 0, 20), (1, 0, 5))
    """
    result: list[Range] = []
    for seed, start, stop in sorted(ranges):
        if result and result[-1][0] == seed and start < result[-1][2]:
            last = min(stop, result[-1][2]) - 1
            raise MergeError(f"results must not share games. Both hold games {start}..{last} of seed {seed}.")
        if result and result[-1][0] == seed and start == result[-1][2]:
            start = result.pop()[1]
        result.append((seed, start, stop))
    return tuple(result)


def in_order(ranges: Iterable[Range]) -> list[slice]:
    """Where the rows of each range lie, one after another as given, listed in the order of the ranges.

    Examples
    --------
    >>> in_order([(0, 10, 20), (0, 0, 5)])
    [slice(10, 15, None), slice(0, 10, None)]
    """
    rows, first = [], 0
    for seed, start, stop in ranges:
        rows.append(((seed, start, stop), slice(first, first + stop - start)))
        first += stop - start
    return [part for _, part in sorted(rows, key=lambda row: row[0])]
