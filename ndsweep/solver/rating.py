"""Ratings: whether a board can be opened from a cell without a guess, and by which rules, move by move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ndsweep.board import Board
from ndsweep.checks import checked_cell
from ndsweep.engine.counting import View
from ndsweep.engine.grid import Bools
from ndsweep.engine.store import read
from ndsweep.frames import data_frame
from ndsweep.game import Game
from ndsweep.solver import rules
from ndsweep.solver.counts import BUDGET
from ndsweep.solver.probability import mine_probability
from ndsweep.spec import HIDDEN, Cell, CellError, SpecError, Status, TooLargeError, checked_int
from ndsweep.stats import bbbv

if TYPE_CHECKING:
    import pandas as pd

LEVELS = ("none", "single", "pairs", "count", "exact", "guess")
"""What the hardest move of a board may rest on, from easy to hard."""

_AS_LIKELY = 1 + 1e-9  # chances that differ by rounding are equal


@dataclass(frozen=True)
class Move:
    """One move of the proof that a board can be opened.

    Attributes
    ----------
    cell : tuple of int
        Where.
    action : {"reveal", "flag"}
        "reveal" opens a cell that is proved safe, "flag" marks one that is proved a mine.
    rule : {"first", "single", "pairs", "count", "exact", "guess"}
        What proves it: "first" is the first cell, which is given; the others are those of `deduce`.
        Nothing proves a "guess".

    Examples
    --------
    >>> import ndsweep as nd
    >>> nd.rate(nd.Board.from_coords((4,), [2]), first_cell=0).moves[1]
    Move(cell=(2,), action='flag', rule='single')
    """

    cell: tuple[int, ...]
    action: str
    rule: str


@dataclass(frozen=True)
class Rating:
    """How hard a board is from its first cell on, for a player who proves all that can be proved.

    Attributes
    ----------
    first_cell : tuple of int
        Where the game begins.
    guesses : int
        How often nothing is proved safe.  Then the cell that is least likely a mine, of those
        that are none, is opened: the first in C order among equals.
    hardest : {"none", "single", "pairs", "count", "exact", "guess"}
        The hardest rule that is needed, each rule being tried when the ones before it are stuck:
        none beyond the first cell, single numbers, pairs of numbers, the number of all mines
        where it settles the rest at once, all layouts that fit, or a guess.
    bbbv : int
        The 3BV, see `bbbv`.
    openings : int
        Number of openings.
    moves : tuple of Move
        All of it from the first cell to the last safe one.

    Examples
    --------
    >>> import ndsweep as nd
    >>> rating = nd.rate(nd.Board.from_coords((2, 2), [0]), first_cell=(1, 1))
    >>> rating.solvable, rating.guesses, rating.hardest
    (False, 2, 'guess')
    """

    first_cell: tuple[int, ...]
    guesses: int
    hardest: str
    bbbv: int
    openings: int
    moves: tuple[Move, ...]

    @property
    def solvable(self) -> bool:
        """Whether no guess is needed."""
        return self.guesses == 0

    @property
    def counts(self) -> dict[str, int]:
        """How many moves rest on each rule, for the rules that have some."""
        found = Counter(move.rule for move in self.moves)
        return {rule: found[rule] for rule in ("first", *LEVELS) if found[rule]}

    def to_pandas(self) -> pd.DataFrame:
        """The moves as a table, a row a move, with its coordinates, action and rule.

        Needs pandas (``pip install "ndsweep[pandas]"``).

        Examples
        --------
        >>> import ndsweep as nd
        >>> nd.rate(nd.Board.from_coords((4,), [2]), first_cell=0).to_pandas()
           axis_0  action    rule
        0       0  reveal   first
        1       2    flag  single
        2       3  reveal   count
        """
        columns = {
            f"axis_{axis}": places for axis, places in enumerate(zip(*(m.cell for m in self.moves), strict=True))
        }
        rest = {name: [getattr(move, name) for move in self.moves] for name in ("action", "rule")}
        return data_frame({**columns, **rest})

    def __repr__(self) -> str:
        verdict = "solvable" if self.solvable else f"{self.guesses} guesses"
        return f"<Rating from {self.first_cell}: {verdict}, hardest {self.hardest}, 3BV {self.bbbv}>"


def rate(board: Board, first_cell: Cell | str, *, budget: int = BUDGET) -> Rating:
    """Whether a board can be opened from its first cell without a guess, and how hard that is.

    A player who knows the number of mines opens every cell that is proved safe, by the
    easiest rule that proves any; where nothing is proved safe, a guess is counted and a safe cell
    opened for nothing.  So the number of guesses is that of the places where even a
    perfect player is stuck on this way through the board.

    Parameters
    ----------
    board : Board
        Any, in any dimension.
    first_cell : cell or "corner"
        Where the game begins, by coordinates or flat index; no mine.  "corner" is cell 0.
    budget : int
        As in `mine_probability`.

    Returns
    -------
    Rating

    Raises
    ------
    SpecError
        If an argument is not of its kind.
    CellError
        If the first cell lies outside the grid or is a mine.
    TooLargeError
        If a position cannot be settled within the budget: an estimate proves nothing.

    Examples
    --------
    >>> import ndsweep as nd
    >>> rating = nd.rate(nd.Board.deal(nd.BEGINNER, game=1), first_cell="corner")
    >>> rating
    <Rating from (0, 0): solvable, hardest pairs, 3BV 18>
    >>> rating.counts
    {'first': 1, 'single': 29, 'pairs': 7}
    """
    if not isinstance(board, Board):
        raise SpecError(f"board must be a Board. Got {type(board).__name__}.")
    corner = isinstance(first_cell, str) and first_cell == "corner"
    first = checked_cell(board.shape, 0 if corner else first_cell, "first_cell")
    budget = checked_int("budget", budget, 1)
    if board.mines[first] and board.n_mines < board.size:
        raise CellError(f"first_cell must be a cell without a mine. Got {first}.")
    moves = tuple(_moves(board, first, budget))
    used = [LEVELS.index(move.rule) for move in moves if move.rule != "first"]
    guesses = sum(move.rule == "guess" for move in moves)
    return Rating(first, guesses, LEVELS[max(used, default=0)], bbbv(board), board.opening_sizes().size, moves)


def _moves(board: Board, first: tuple[int, ...], budget: int) -> Iterator[Move]:
    """All moves of a game, from the first cell to the last."""
    game, free = Game(board), ~np.asarray(read(board.mines, ()))
    if game.reveal(first):
        yield Move(first, "reveal", "first")
    while game.status == Status.PLAYING:
        rule, mined, safe = _next(game.view, board.n_mines, free, budget)
        for cells, action, act in ((mined, "flag", game.flag), (safe, "reveal", game.reveal)):
            for index in np.argwhere(cells).tolist():
                if act(cell := tuple(index)):  # the flood of one may have opened another
                    yield Move(cell, action, rule)


def _next(view: View, mines: int, free: Bools, budget: int) -> tuple[str, Bools, Bools]:
    """The easiest rule that proves something, the cells that it proves mines, and those that it proves safe."""
    for rule, prover in (("single", rules.single_point), ("pairs", rules.pairs)):
        mined, safe = prover(view)
        if mined.any() or safe.any():
            return rule, mined, safe
    mined, safe = rules.count(view, mines)
    if mined.any() or safe.any():
        return "count", mined, safe
    found = mine_probability(view, mines, trust_flags=True, budget=budget)
    if not found.exact:
        raise TooLargeError(f"budget must be larger to tell what is proved in a position of this board. Got {budget}.")
    hidden = view == HIDDEN
    mined, safe = hidden & (found.p == 1), hidden & (found.p == 0)
    if mined.any() or safe.any():
        return "exact", mined, safe
    chance = np.where(hidden & free, found.p, np.inf)
    guess = np.zeros_like(hidden)
    guess.flat[int((chance <= chance.min() * _AS_LIKELY).argmax())] = True
    return "guess", mined, guess
