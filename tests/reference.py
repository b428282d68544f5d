"""The game again in plain Python loops, from the rules alone: the oracle of the tests.

Nothing here comes from ndsweep, and nothing is clever.  Cells are tuples of coordinates, sets of
cells are sets, and whatever is asked of a cell is asked of its neighbours one by one.
"""

from functools import cache
from itertools import product

HIDDEN, FLAG, MINE = -1, -2, -3
PLAYING, WON, LOST = 0, 1, 2


@cache
def cells_of(shape):
    """All cells in C order."""
    return tuple(product(*(range(n) for n in shape)))


@cache
def neighbours(shape, cell):
    """The cells that differ from a cell by at most 1 on every axis, without the cell itself."""
    offsets = product((-1, 0, 1), repeat=len(shape))
    around = [tuple(x + step for x, step in zip(cell, offset, strict=True)) for offset in offsets]
    return tuple(c for c in around if c != cell and all(0 <= x < n for x, n in zip(c, shape, strict=True)))


def hints_of(shape, mines):
    """The number of mines among the neighbours of every cell, mines included."""
    return {cell: sum(c in mines for c in neighbours(shape, cell)) for cell in cells_of(shape)}


def connected(shape, cells, start):
    """The cells that can be reached from a start through neighbours within a set of cells."""
    found, stack = {start}, [start]
    while stack:
        for cell in neighbours(shape, stack.pop()):
            if cell in cells and cell not in found:
                found.add(cell)
                stack.append(cell)
    return found


def openings_of(shape, mines):
    """The openings, a set of cells each: connected regions of safe cells with hint 0."""
    hints = hints_of(shape, mines)
    left = {cell for cell in cells_of(shape) if cell not in mines and hints[cell] == 0}
    openings = []
    while left:
        openings.append(connected(shape, left, min(left)))
        left -= openings[-1]
    return openings


def satisfies(shape, mines, first_cell, rule):
    """Whether a layout satisfies a first-click rule."""
    kept_free = {"any": set(), "safe": {first_cell}, "opening": {first_cell, *neighbours(shape, first_cell)}}
    return not mines & kept_free[rule]


class ReferenceGame:
    """One play of one layout; the attributes are sets of cells, the moves give what the contract says."""

    def __init__(self, shape, mines, flag_limit=None):
        self.shape, self.mines, self.flag_limit = tuple(shape), frozenset(mines), flag_limit
        self.hints = hints_of(self.shape, self.mines)
        self.zeros = {c for c in cells_of(self.shape) if c not in self.mines and self.hints[c] == 0}
        self.opened, self.flags, self.status = set(), set(), PLAYING
        self._look_for_a_win()

    def _look_for_a_win(self):
        if len(self.opened - self.mines) == len(self.hints) - len(self.mines):
            self.status = WON

    def is_hidden(self, cell):
        return cell not in self.opened and cell not in self.flags

    def reveal(self, cell):
        if self.status != PLAYING or not self.is_hidden(cell):
            return 0
        return self._open(cell)

    def _open(self, cell):
        reached = {cell}
        if cell in self.mines:
            self.status = LOST
        elif cell in self.zeros:
            for zero in connected(self.shape, self.zeros - self.flags, cell):
                reached |= {zero, *neighbours(self.shape, zero)}
        fresh = reached - self.opened - self.flags
        self.opened |= fresh
        if self.status == PLAYING:
            self._look_for_a_win()
        return len(fresh)

    def flag(self, cell):
        if self.status != PLAYING or cell in self.opened:
            return 0
        if cell in self.flags:
            self.flags.remove(cell)
            return -1
        if self.flag_limit is not None and len(self.flags) >= self.flag_limit:
            return 0
        self.flags.add(cell)
        return 1

    def chord(self, cell):
        around = neighbours(self.shape, cell)
        flagged = [c for c in around if c in self.flags]
        if self.status != PLAYING or cell not in self.opened:
            return 0
        if self.hints[cell] == 0 or len(flagged) != self.hints[cell]:
            return 0
        hidden = [c for c in around if self.is_hidden(c)]
        mined = [c for c in hidden if c in self.mines]
        return sum(self._open(c) for c in mined or hidden if self.is_hidden(c))

    def code(self, cell):
        if cell in self.flags:
            return FLAG
        if cell not in self.opened:
            return HIDDEN
        return MINE if cell in self.mines else self.hints[cell]

    def view(self):
        """The view codes of all cells in C order."""
        return [self.code(cell) for cell in cells_of(self.shape)]


# Rules by counting ------------------------------------------------------------------------------
#
# A rule takes a shape and a view as a dict of codes, and gives the cells proved mines and the cells
# proved safe.  In the views that come here every flag stands on a mine.


def near(shape, view, cell, code):
    """The neighbours of a cell that show a code."""
    return {c for c in neighbours(shape, cell) if view[c] == code}


def lacking(shape, view, cell):
    """How many mines a number lacks beside its flags."""
    return view[cell] - len(near(shape, view, cell, FLAG))


def numbers(view):
    return [cell for cell, code in view.items() if code >= 0]


def nothing(shape, view):
    """The rules of the policy that has none."""
    return set(), set()


def single_point(shape, view):
    """All hidden neighbours are mines where as many lack; then they are safe where none lacks."""
    mined, safe = set(), set()
    for cell in numbers(view):
        hidden = near(shape, view, cell, HIDDEN)
        if lacking(shape, view, cell) == len(hidden):
            mined |= hidden
    flagged = {**view, **dict.fromkeys(mined, FLAG)}
    for cell in numbers(view):
        if lacking(shape, flagged, cell) == 0:
            safe |= near(shape, flagged, cell, HIDDEN)
    return mined, safe


def pairs(shape, view):
    """Number a lacks more than number b by just the hidden cells that only a sees: these are mines."""
    mined, safe = set(), set()
    hidden = {cell: near(shape, view, cell, HIDDEN) for cell in numbers(view)}
    left = {cell: lacking(shape, view, cell) for cell in numbers(view)}
    for a, b in product(numbers(view), repeat=2):
        if max(abs(x - y) for x, y in zip(a, b, strict=True)) <= 2 and left[a] - left[b] == len(hidden[a] - hidden[b]):
            mined |= hidden[a] - hidden[b]
            safe |= hidden[b] - hidden[a]
    return mined, safe


RULES = {"random": (nothing,), "single-point": (single_point,), "pairs": (single_point, pairs)}


def play(shape, mines, first_cell, policy, guess):
    """Plays a layout to its end; ``guess`` picks one of a set of cells.  Gives the game and what was counted."""
    game = ReferenceGame(shape, mines)
    reveals, guesses, luck, hardest = int(game.status == PLAYING), 0, 1.0, 0
    game.reveal(first_cell)
    while game.status == PLAYING:
        mined, safe, rule = prove(game, RULES[policy])
        if safe or (mined and rule == pairs):
            hardest = max(hardest, {single_point: 1, pairs: 2}[rule])
        for cell in mined:
            game.flag(cell)
        if not mined and not safe:
            hidden = {cell for cell in cells_of(game.shape) if game.is_hidden(cell)}
            safe = {guess(hidden)}
            guesses += 1
            luck *= 1 - len(hidden & mines) / len(hidden)
        reveals += len(safe)
        for cell in safe:
            game.reveal(cell)
    return game, {
        "guesses": guesses,
        "reveals": reveals,
        "opened": len(game.opened),
        "luck": luck,
        "hardest": hardest,
    }


def prove(game, rules):
    """What the first rule proves that proves anything, and which it is."""
    view = {cell: game.code(cell) for cell in cells_of(game.shape)}
    for rule in rules:
        mined, safe = rule(game.shape, view)
        if mined or safe:
            return mined, safe, rule
    return set(), set(), None
