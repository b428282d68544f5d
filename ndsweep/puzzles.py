"""No-guess boards: layouts that can be opened from their first cell by proof alone, with the proof."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from ndsweep.board import Board
from ndsweep.checks import checked_cell, checked_range
from ndsweep.engine.boxes import neighbourhood
from ndsweep.engine.streams import Ints, first_cells_of
from ndsweep.executors import checked_executor, outcomes, workers_of
from ndsweep.game import Game
from ndsweep.solver.rating import LEVELS, Move, Rating, rate
from ndsweep.solver.search import SOLVABLE, solvable_games
from ndsweep.spec import Cell, Spec, SpecError, SweepError, UnsolvableError, checked_int, in_short
from ndsweep.tasks import Task

_FIRST_BLOCK = 64  # games of the first block of each worker, a word of lanes; then twice as many each time
_FIRST_CELLS = 1 << 22  # of such a block
_MOST_BLOCK = 1 << 18
_FEW = 200  # layouts and first cells; so many are all rated in a second or two

_Job = tuple[Spec, str, int, int, int, int | None]


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A board that can be opened from its first cell without a guess, with the proof.

    Attributes
    ----------
    board : Board
        The layout.
    first_cell : tuple of int
        Where the game begins.
    spec : Spec
        The kind of game.
    solvable : {"single", "pairs", "exact"}
        The rules that are enough.
    seed, game : int
        Which game it is: ``Board.deal(spec, seed, game, first_cell)`` is the board.
    tries : int
        How many layouts were looked at, this one included.
    rating : Rating
        How hard it is.

    Examples
    --------
    >>> import ndsweep as nd
    >>> puzzle = nd.generate(nd.BEGINNER, "pairs", first_cell=(4, 4))
    >>> puzzle
    <Puzzle 9x9/10 from (4, 4), solvable by 'pairs': game 2 of seed 0>
    >>> puzzle.board == nd.Board.deal(nd.BEGINNER, puzzle.seed, puzzle.game, puzzle.first_cell)
    True
    """

    board: Board
    first_cell: tuple[int, ...]
    spec: Spec
    solvable: str
    seed: int
    game: int
    tries: int
    rating: Rating

    @property
    def moves(self) -> tuple[Move, ...]:
        """The proof: moves that open the board, each with the rule that proves it."""
        return self.rating.moves

    def begin(self) -> Game:
        """A new game on the board, its first cell open.

        Examples
        --------
        >>> import ndsweep as nd
        >>> puzzle = nd.generate(nd.BEGINNER, first_cell="corner")
        >>> game = puzzle.begin()
        >>> for move in puzzle.moves[1:]:
        ...     changed = game.flag(move.cell) if move.action == "flag" else game.reveal(move.cell)
        >>> game.status
        <Status.WON: 1>
        """
        game = Game(self.board)
        game.reveal(self.first_cell)
        return game

    def __repr__(self) -> str:
        kind = f"{'x'.join(map(str, self.spec.shape))}/{self.spec.mines}"
        which = f"game {self.game} of seed {self.seed}"
        return f"<Puzzle {kind} from {self.first_cell}, solvable by {self.solvable!r}: {which}>"


def generate(
    spec: Spec,
    solvable: str = "pairs",
    first_cell: Cell | str | None = None,
    seed: int = 0,
    tries: int = 10_000,
    *,
    start: int = 0,
    executor: Executor | None = None,
) -> Puzzle:
    """The first game of a seed that can be won from its first cell without a guess.

    Layouts are dealt, played as far as proofs go, and passed over until one is opened; so for a
    given first cell all layouts that can be are equally likely; with each game's own first cell,
    a cell and a layout come together as often as they are dealt.  The board that is found is
    proved a second time, move by move, by counting what a player sees.

    Parameters
    ----------
    spec : Spec
        The kind of game, in any dimension.
    solvable : {"pairs", "single", "exact"}
        By which rules: "single" numbers; "pairs" of numbers too; or "exact", all that follows from
        the numbers and the number of all mines.  Where a component of the numbers and the cells
        that they see has more than a million states, nothing is taken to be proved.
    first_cell : cell, "corner" or None
        The first cell; by default each game's own random one.
    seed : int
        Which games.
    tries : int
        How many layouts are looked at, at most.
    start : int
        The number of the first of them.  One more than the ``game`` of a puzzle gives the next puzzle.
    executor : concurrent.futures.Executor, optional
        Where games are played, as in `simulate`; it changes nothing else.

    Returns
    -------
    Puzzle

    Raises
    ------
    UnsolvableError
        If no layout of those that were looked at can be opened without a guess.
    SweepError
        If an argument is not of its kind.

    Examples
    --------
    >>> import ndsweep as nd
    >>> puzzle = nd.generate(nd.Spec((4, 4, 4), 6), "pairs", first_cell=(1, 1, 1))
    >>> puzzle.rating
    <Rating from (1, 1, 1): solvable, hardest pairs, 3BV 10>
    >>> nd.generate(nd.Spec((2, 2), 1))
    Traceback (most recent call last):
    ...
    ndsweep.spec.UnsolvableError: tries must reach a layout that 'pairs' opens from its first cell without a guess. \
Got none in 10000 of 2x2/1, first 'safe'. There is none at all.
    """
    if not isinstance(solvable, str) or solvable not in SOLVABLE:
        raise SpecError(f"solvable must be one of {', '.join(map(repr, SOLVABLE))}. Got {in_short(solvable)}.")
    start, tries = checked_range(start, checked_int("tries", tries, 1), "tries")
    task = Task(spec, seed=seed, first_cell=first_cell)
    game = _first_solvable(task, solvable, start, tries, checked_executor(executor))
    if game is None:
        kind = f"{'x'.join(map(str, spec.shape))}/{spec.mines}, first {spec.first!r}"
        raise UnsolvableError(
            f"tries must reach a layout that {solvable!r} opens from its first cell without a guess. Got none in"
            f" {tries} of {kind}.{_or_never(task, solvable)}"
        )
    return _puzzle(task, solvable, game, game - start + 1)


def _first_solvable(task: Task, solvable: str, start: int, tries: int, executor: Executor | None) -> int | None:
    """The number of the first game that is won without a guess, looked for in blocks that grow."""
    block, workers = max(1, min(_FIRST_BLOCK, _FIRST_CELLS // task.spec.size)), workers_of(executor)
    while tries:
        games = min(block * workers, tries)
        size = -(-games // workers)
        firsts = range(start, start + games, size)
        jobs = (
            (first, (task.spec, solvable, task.seed, first, min(first + size, start + games), task.flat_cell))
            for first in firsts
        )
        found = [games for _, games in outcomes(executor, _search, jobs) if games.size]
        if found:
            return int(min(numbers[0] for numbers in found))
        start, tries, block = start + games, tries - games, min(2 * block, _MOST_BLOCK)
    return None


def _search(job: _Job) -> Ints:
    """The solvable games of a block; runs in a worker."""
    return solvable_games(*job)


def _puzzle(task: Task, solvable: str, game: int, tries: int) -> Puzzle:
    """The puzzle of a game that was won, proved again by what a player sees."""
    board = Board.deal(task.spec, task.seed, game, task.flat_cell)
    first = task.flat_cell
    if first is None:
        first = int(first_cells_of(task.seed, np.array([game]), task.spec.size)[0])
    rating = rate(board, first)
    if not _is_enough(solvable, rating):
        raise SweepError(
            f"the search for {solvable!r} must find only what these rules prove. Got game {game} of seed {task.seed}"
            f" of {task.spec}, which needs {rating.hardest!r}: an error of ndsweep, which its authors want to know of."
        )
    return Puzzle(board, rating.first_cell, task.spec, solvable, task.seed, game, tries, rating)


def _is_enough(solvable: str, rating: Rating) -> bool:
    """Whether some rules, with the easier ones, open a board without a guess."""
    return LEVELS.index(rating.hardest) <= LEVELS.index(solvable)


def _or_never(task: Task, solvable: str) -> str:
    """Says that there is no such layout, where so few are possible that all can be rated."""
    size, mines = task.spec.size, task.spec.mines
    cells = range(size) if task.flat_cell is None else [task.flat_cell]
    if len(cells) * comb(size, mines) > _FEW:
        return ""
    every = (rate(board, cell) for cell in cells for board in _layouts(task.spec, cell))
    return "" if any(_is_enough(solvable, rating) for rating in every) else " There is none at all."


def _layouts(spec: Spec, first: int) -> Iterator[Board]:
    """Every layout that a game may have whose first cell is opened and no mine."""
    place = checked_cell(spec.shape, first)
    kept = np.zeros(spec.shape, dtype=np.bool_)
    kept[neighbourhood(spec.shape, place) if spec.first == "opening" else place] = True
    yield from (Board.from_coords(spec.shape, mined) for mined in combinations(np.flatnonzero(~kept), spec.mines))
