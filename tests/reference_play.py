"""The policies "exact" and "exact+" again in plain Python, with fractions and by all layouts.

Nothing here comes from ndsweep.  A view is a dict of codes whose flags all stand on mines.
"""

from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import reference_optimal
from reference import FLAG, HIDDEN, PLAYING, RULES, ReferenceGame, cells_of, neighbours, prove, single_point
from reference_exact import counted

FEW = 64  # layouts, from which on exact+ plays perfectly
RIVALS = 8  # guesses that exact+ looks at beside the first
PROGRESS = Fraction(1, 5)
NEAR = Fraction(897, 1000)  # of the chance of the safest guess


class Verdict(NamedTuple):
    """What is proved; where no cell is proved safe, the best guesses and how likely one of them is safe."""

    safe: set
    mined: set
    best: set
    survival: Fraction | None


def unknown_of(view):
    return [cell for cell, code in view.items() if code == HIDDEN]


def layouts_of(shape, view, total):
    """All layouts that fit a view, each the set of its mines; all ways to lay mines are tried."""
    flags = {cell for cell, code in view.items() if code == FLAG}
    around = [(code, neighbours(shape, cell)) for cell, code in view.items() if code >= 0]
    found = []
    for mined in combinations(unknown_of(view), total - len(flags)) if total >= len(flags) else ():
        mines = flags.union(mined)
        if all(sum(cell in mines for cell in near) == code for code, near in around):
            found.append(frozenset(mines))
    return found


def opened_as(shape, view, cell, lacks):
    """The view once a cell is open that lacks so many mines beside the flags around it."""
    return {**view, cell: lacks + sum(view[c] == FLAG for c in neighbours(shape, cell))}


def chance(shape, view, total, layouts, cell, lacks):
    """How likely a cell is safe and lacks so many mines."""
    return Fraction(counted(shape, opened_as(shape, view, cell, lacks), total, trust_flags=True).layouts, layouts)


def hint_zero(shape, view, total, layouts, cell):
    """How likely a cell is safe and has hint 0."""
    if any(view[c] == FLAG for c in neighbours(shape, cell)):
        return Fraction(0)
    return chance(shape, view, total, layouts, cell, 0)


def verdict(shape, view, total, ahead=False):
    """What exact chances say of a view."""
    layouts, ways = counted(shape, view, total, trust_flags=True)
    unknown = unknown_of(view)
    safe = {cell for cell in unknown if ways[cell] == 0}
    mined = {cell for cell in unknown if ways[cell] == layouts}
    if safe or not unknown:
        return Verdict(safe, mined, set(), None)
    least = min(ways[cell] for cell in unknown)
    best = {cell for cell in unknown if ways[cell] == least}
    zero = {cell: hint_zero(shape, view, total, layouts, cell) for cell in best}
    best = {cell for cell in best if zero[cell] == max(zero.values())}
    if ahead and layouts <= FEW:
        best = {finishing_cell(shape, view, total)}
    elif ahead:
        best = survivors(shape, view, total, best)
    return Verdict(safe, mined, best, 1 - Fraction(ways[min(best)], layouts))


def worth(shape, view, total, cell):
    """How likely a guess and the move after it survive, and a fifth of how likely a cell is safe then, or all won."""
    layouts, _ = counted(shape, view, total, trust_flags=True)
    others, value = [c for c in unknown_of(view) if c != cell], Fraction(0)
    for lacks in range(len(others) + 1):
        left, ways = counted(shape, opened_as(shape, view, cell, lacks), total, trust_flags=True)
        least = min((ways[c] for c in others), default=0)
        if least == 0 or all(ways[c] == left for c in others):
            value += Fraction(left, layouts) * (1 + PROGRESS)
        else:
            value += Fraction(left - least, layouts)
    return value


def looked_at(shape, view, total, best):
    """The guesses that exact+ looks at: the first of the best, and those that may be better."""
    layouts, ways = counted(shape, view, total, trust_flags=True)
    unknown = unknown_of(view)
    safe = {cell: 1 - Fraction(ways[cell], layouts) for cell in unknown}
    near = {cell: sum(view[c] == HIDDEN for c in neighbours(shape, cell)) for cell in unknown}
    first = min(best)
    value = worth(shape, view, total, first) / (1 + PROGRESS)
    rivals = [c for c in unknown if c != first and safe[c] > value and safe[c] >= NEAR * max(safe.values())]
    return [first, *sorted(rivals, key=lambda cell: (-safe[cell], near[cell], cell))[:RIVALS]]


def survivors(shape, view, total, best):
    """Those of the guesses looked at that are worth most, the next move in mind."""
    values = {cell: worth(shape, view, total, cell) for cell in looked_at(shape, view, total, best)}
    return {cell for cell in values if values[cell] == max(values.values())}


def win_counts(shape, view, total):
    """For each unknown cell, how many layouts best play wins that begins there."""
    layouts = frozenset(layouts_of(shape, view, total))
    opened = frozenset(cell for cell, code in view.items() if code >= 0)
    return {cell: reference_optimal.won_by(shape, layouts, opened, cell) for cell in unknown_of(view)}


def finishing_cell(shape, view, total):
    """Of the cells with which best play may begin, the one that survives in most layouts, and then the first."""
    wins = win_counts(shape, view, total)
    ways = counted(shape, view, total, trust_flags=True).ways
    return min((cell for cell in wins if wins[cell] == max(wins.values())), key=lambda cell: (ways[cell], cell))


def play(shape, mines, first_cell, ahead, guess):
    """Plays a layout to its end; gives the game, its reveals that opened cells in order, and what was counted."""
    game, moves = ReferenceGame(shape, mines), []
    reveals, guesses, luck, hardest = int(game.status == PLAYING), 0, Fraction(1), 0

    def reveal(cells):
        moves.extend(cell for cell in sorted(cells) if game.reveal(cell))

    reveal([first_cell])
    while game.status == PLAYING:
        mined, safe, rule = prove(game, RULES["pairs"])
        if rule is not None and (safe or rule is not single_point):
            hardest = max(hardest, 1 + RULES["pairs"].index(rule))
        if rule is None:
            view = {cell: game.code(cell) for cell in cells_of(game.shape)}
            safe, mined, best, survival = verdict(game.shape, view, len(mines), ahead)
            if safe:
                hardest = 3
            else:
                safe, guesses, luck = {guess(best)}, guesses + 1, luck * survival
        for cell in mined:
            game.flag(cell)
        reveals += len(safe)
        reveal(safe)
    counts = {"guesses": guesses, "reveals": reveals, "opened": len(game.opened), "luck": luck, "hardest": hardest}
    return game, moves, counts
