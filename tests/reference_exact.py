"""Mine probabilities again in plain Python: all layouts one by one, and a dictionary solver for larger grids.

Nothing here comes from ndsweep.  A view is a dict of codes, as in tests/reference.py; mines are
counted in Python integers, and nothing calls itself.
"""

from collections import defaultdict
from itertools import combinations
from math import comb
from typing import NamedTuple

from reference import FLAG, HIDDEN, MINE, neighbours


class Counted(NamedTuple):
    """How many layouts fit a view, and in how many of them each hidden cell is a mine."""

    layouts: int
    ways: dict


class Number(NamedTuple):
    """An open number: its cell, the mines it lacks beside the known ones, and the cells that may hold them."""

    cell: tuple
    lacks: int
    around: frozenset


def known_mines(view, trust_flags=False):
    """The opened mines, and the flags where they are trusted."""
    return {cell for cell, code in view.items() if code == MINE or (trust_flags and code == FLAG)}


def unknown_cells(view, trust_flags=False):
    """The cells that may hold a mine or not, in C order."""
    return [cell for cell, code in view.items() if code == HIDDEN or (code == FLAG and not trust_flags)]


def numbers_of(shape, view, trust_flags=False):
    mines, unknown = known_mines(view, trust_flags), set(unknown_cells(view, trust_flags))
    return [
        Number(cell, code - len(mines.intersection(near)), frozenset(unknown.intersection(near)))
        for cell, code in view.items()
        if code >= 0
        for near in [neighbours(shape, cell)]
    ]


def with_trusted_flags(counted, view, trust_flags):
    """A trusted flag is a hidden cell too, and a mine in every layout."""
    flags = [cell for cell, code in view.items() if code == FLAG and trust_flags]
    return Counted(counted.layouts, counted.ways | dict.fromkeys(flags, counted.layouts))


# All layouts, one by one --------------------------------------------------------------------------


def brute_force(shape, view, total=None, trust_flags=False):
    """Tries every layout with so many mines in all, or with any number of them."""
    known, unknown = known_mines(view, trust_flags), unknown_cells(view, trust_flags)
    around = {cell: (code, neighbours(shape, cell)) for cell, code in view.items() if code >= 0}
    layouts, ways = 0, dict.fromkeys(unknown, 0)
    for count in range(len(unknown) + 1) if total is None else [total - len(known)]:
        for mined in combinations(unknown, count) if count >= 0 else ():
            mines = known.union(mined)
            if all(sum(c in mines for c in near) == code for code, near in around.values()):
                layouts += 1
                for cell in mined:
                    ways[cell] += 1
    return with_trusted_flags(Counted(layouts, ways), view, trust_flags)


# Cell by cell, with a dictionary of what the numbers still lack -----------------------------------


def components(numbers):
    """The numbers that share unknown cells, directly or through others, together; each part a list."""
    seen_by = defaultdict(list)
    for number in numbers:
        for cell in number.around:
            seen_by[cell].append(number)
    parts, found = [], set()
    for start in numbers:
        if start in found:
            continue
        found.add(start)
        part = [start]
        for number in part:  # grows while it is read
            for other in {other.cell: other for cell in sorted(number.around) for other in seen_by[cell]}.values():
                if other not in found:
                    found.add(other)
                    part.append(other)
        parts.append(part)
    return parts


class Component:
    """A part of the numbers; its cells are filled one after the other.

    ``layers[i]`` tells, once i cells are filled, in how many ways each state is reached: what every
    number still lacks, and how many mines are placed.
    """

    def __init__(self, numbers):
        self.cells = list(dict.fromkeys(cell for number in numbers for cell in sorted(number.around)))
        self.seen_by = [[j for j, number in enumerate(numbers) if cell in number.around] for cell in self.cells]
        self.later = []  # for each cell, how many later ones each of its numbers sees
        left = [len(number.around) for number in numbers]
        for seen in self.seen_by:
            for j in seen:
                left[j] -= 1
            self.later.append([(j, left[j]) for j in seen])
        start = tuple(number.lacks for number in numbers)
        possible = all(0 <= number.lacks <= len(number.around) for number in numbers)
        self.layers = [{(start, 0): 1} if possible else {}]
        for i in range(len(self.cells)):
            self.layers.append(self._next_layer(i))

    def _next_layer(self, i):
        layer = defaultdict(int)
        for (lacks, mines), ways in self.layers[i].items():
            for mine, after in self._followers(i, lacks):
                layer[after, mines + mine] += ways
        return dict(layer)

    def _followers(self, i, lacks):
        """What all numbers lack after cell i: without a mine there, and with one, where that can be."""
        for mine in (0, 1):
            if all(0 <= lacks[j] - mine <= later for j, later in self.later[i]):
                after = list(lacks)
                for j in self.seen_by[i]:
                    after[j] -= mine
                yield mine, tuple(after)

    @property
    def ways_by_mines(self):
        """How many layouts of these cells there are with each number of mines."""
        return {mines: ways for (_, mines), ways in self.layers[-1].items()}

    def ways_with_a_mine(self, rest):
        """For each cell the layouts with a mine there; ``rest[m]`` are those of all other cells beside m mines here."""
        ways, onward = {}, {state: rest[state[1]] for state in self.layers[-1]}
        for i in reversed(range(len(self.cells))):
            here, mined = {}, 0
            for (lacks, mines), reached in self.layers[i].items():
                by_mine = {mine: onward[after, mines + mine] for mine, after in self._followers(i, lacks)}
                here[lacks, mines] = sum(by_mine.values())
                mined += reached * by_mine.get(1, 0)
            ways[self.cells[i]], onward = mined, here
        return ways


def together(polynomials):
    """The ways of several parts by their mines in all."""
    result = {0: 1}
    for polynomial in polynomials:
        product = defaultdict(int)
        for mines, ways in result.items():
            for more, other_ways in polynomial.items():
                product[mines + more] += ways * other_ways
        result = dict(product)
    return result


def placed(cells, mines):
    """The ways to lay so many mines in cells that no number sees; any number of mines if it is None."""
    if mines is None:
        return 2**cells
    return comb(cells, mines) if mines >= 0 else 0


def counted(shape, view, total=None, trust_flags=False):
    """The same as `brute_force`, by components; a grid may have any size."""
    unknown = unknown_cells(view, trust_flags)
    left = None if total is None else total - len(known_mines(view, trust_flags))
    parts = [Component(part) for part in components(numbers_of(shape, view, trust_flags))]
    polynomials = [part.ways_by_mines for part in parts]
    free = set(unknown).difference(*(part.cells for part in parts))

    def completed(others, mines, cells):
        """Layouts of the other parts and of some free cells, when so many mines lie elsewhere."""
        return sum(ways * placed(cells, None if left is None else left - mines - more) for more, ways in others.items())

    everything = together(polynomials)
    ways = dict.fromkeys(unknown, 0)
    if free:
        ways |= dict.fromkeys(free, completed(everything, 1, len(free) - 1))
    for k, part in enumerate(parts):
        others = together(polynomials[:k] + polynomials[k + 1 :])
        ways |= part.ways_with_a_mine({mines: completed(others, mines, len(free)) for mines in polynomials[k]})
    return with_trusted_flags(Counted(completed(everything, 0, len(free)), ways), view, trust_flags)


def proved(shape, view, total=None, trust_flags=False):
    """The cells that are mines in all layouts, and those that are in none; both empty if there are no layouts."""
    layouts, ways = counted(shape, view, total, trust_flags)
    if not layouts:
        return set(), set()
    return {cell for cell in ways if ways[cell] == layouts}, {cell for cell in ways if ways[cell] == 0}
