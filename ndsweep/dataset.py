"""Dataset: positions of simulated games as examples for learning, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ndsweep.batch import Batch, memory_of_batch
from ndsweep.checks import check_memory, checked_array, checked_indices, checked_range
from ndsweep.engine.deal import Dealer
from ndsweep.engine.grid import view_dtype
from ndsweep.engine.planes import LANES, Layout
from ndsweep.engine.slots import Slots
from ndsweep.frames import arrow_table, tensors
from ndsweep.policies import Named, Policy, checked_policy
from ndsweep.solver.counts import BUDGET
from ndsweep.solver.probability import BLOCK_CELLS, chances_on
from ndsweep.spec import HIDDEN, Cell, Spec, SpecError, checked_int, in_short
from ndsweep.tasks import Task
from ndsweep.trails import Trail, trail_of

if TYPE_CHECKING:
    import pyarrow as pa

WHICH = ("guesses", "all", "random")
"""Which positions of a game may be asked for."""

_GAMES = 4096  # whose positions are held at a time under a fast policy
_CELLS = 1 << 21  # of them
_OWN = 4  # times fewer games are at hand under a policy of one's own
_TRAIL_BYTES = 1 << 28  # of the positions of these, each of which may take as many moves as it has cells
_CELL_BYTES = 16  # of an example, while a block is put together
_CHANCE_BYTES = 64  # of it more, while its chances are counted
_NEAR_BYTES = 20  # and for each of its neighbours, of the positions that are counted at a time


@dataclass(frozen=True, eq=False)
class Examples:
    """A block of positions: what the player saw, where the mines were, how likely they were.

    ``views, mines, probability = block`` unpacks the three.

    Attributes
    ----------
    views : (k, *shape) array of view codes
        What the player saw: the hints of open cells, `HIDDEN` elsewhere.  Flags are left out: they
        follow from the rest, and not every policy sets them.
    mines : (k, *shape) bool array
        Where the mines were, which no view tells.
    probability : (k, *shape) float64 array or None
        How likely each hidden cell is a mine, from the view and the number of mines; NaN on open
        cells, as in `mine_probability`.  None where it was not asked for.
    exact : (k,) bool array or None
        Whether it is exact; beyond the budget it is an estimate, NaN where there is not even one.
    game : (k,) int64 array
        Number of the game.
    move : (k,) int64 array
        How many moves the policy had made in it: opened all that a round of its rules
        proved safe, or guessed.  The first cell is not counted.
    stuck : (k,) bool array
        Whether the policy guessed in this position, as its rules proved no cell safe.  A policy of
        one's own guesses where it calls ``turn.pick``.

    Examples
    --------
    >>> import ndsweep as nd
    >>> block = next(nd.dataset(nd.BEGINNER, 1000, block=256))
    >>> block
    <Examples: 256 positions of shape (9, 9)>
    >>> views, mines, probability = block
    >>> bool(mines[probability == 1].all()), bool(mines[probability == 0].any())
    (True, False)
    """

    views: npt.NDArray[np.signedinteger[Any]]
    mines: npt.NDArray[np.bool_]
    probability: npt.NDArray[np.float64] | None
    exact: npt.NDArray[np.bool_] | None
    game: npt.NDArray[np.int64]
    move: npt.NDArray[np.int64]
    stuck: npt.NDArray[np.bool_]

    @property
    def count(self) -> int:
        """Number of examples."""
        return self.game.size

    def __iter__(self) -> Iterator[npt.NDArray[Any] | None]:
        return iter((self.views, self.mines, self.probability))

    def take(self, rows: slice | npt.ArrayLike) -> Examples:
        """Some of the examples, in any order.

        Parameters
        ----------
        rows : slice, or (m,) int or bool array
            Which; the arrays of a slice are views of these.

        Returns
        -------
        examples : Examples

        Raises
        ------
        SpecError
            If there is no such example.

        Examples
        --------
        >>> import numpy as np, ndsweep as nd
        >>> block = next(nd.dataset(nd.BEGINNER, 100))
        >>> shuffled = block.take(np.random.default_rng(1).permutation(block.count))
        >>> shuffled.count == block.count
        True
        """
        chosen = rows if isinstance(rows, slice) else _checked_rows(rows, self.count)
        arrays = {name: array for name, array in self.as_dict().items() if array is not None}
        return replace(self, **{name: array[chosen] for name, array in arrays.items()})

    def as_dict(self) -> dict[str, Any]:
        """The arrays by name.

        Examples
        --------
        >>> import ndsweep as nd
        >>> list(next(nd.dataset(nd.BEGINNER, 10)).as_dict())
        ['views', 'mines', 'probability', 'exact', 'game', 'move', 'stuck']
        """
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def to_arrow(self) -> pa.Table:
        """A table with a row an example; views, mines (0 and 1) and probability are columns of tensors.

        Needs pyarrow (``pip install "ndsweep[arrow]"``).  The columns of numbers share memory with
        the arrays, if these are contiguous; ``exact`` and ``stuck`` become bits.

        Examples
        --------
        >>> import ndsweep as nd
        >>> table = next(nd.dataset(nd.BEGINNER, 100)).to_arrow()
        >>> table["views"].combine_chunks().to_numpy_ndarray().shape[1:]
        (9, 9)
        """
        columns = {name: array for name, array in self.as_dict().items() if array is not None}
        return arrow_table({name: tensors(array) if array.ndim > 1 else array for name, array in columns.items()})

    def __repr__(self) -> str:
        return f"<Examples: {self.count} positions of shape {self.views.shape[1:]}>"


def dataset(
    spec: Spec,
    games: int,
    policy: str | Policy = "single-point",
    seed: int = 0,
    start: int = 0,
    *,
    which: str = "guesses",
    probability: bool = True,
    block: int = 1024,
    first_cell: Cell | str | None = None,
    budget: int = BUDGET,
) -> Iterator[Examples]:
    """Positions of games number ``start`` .. ``start + games - 1`` as examples for learning.

    They come in order of game and move, in blocks of equal size, and are a function of the
    arguments besides ``block``; so parts of a range may be played by different workers.
    However many games are asked for, it takes memory for a block and for the games at hand alone.

    Parameters
    ----------
    spec, games, policy, seed, start, first_cell
        As in `simulate`; the games are the same.
    which : {"guesses", "all", "random"}
        Positions in which the policy guesses (one of your own: calls ``turn.pick``); those before
        each of its moves; or of these a uniformly random one a game, drawn from the game's own
        stream, so that no two examples are of the same board.  The untouched grid is not among them, nor is
        the end.
    probability : bool
        Whether to tell how likely each cell is a mine, which takes most of the time.
    block : int
        Number of examples in a block; the last one has what is left.
    budget : int
        As in `mine_probability`; beyond it probabilities are estimates.

    Returns
    -------
    iterator of Examples

    Raises
    ------
    SweepError
        If an argument is not of its kind, or a block would not fit in memory.

    Examples
    --------
    >>> import ndsweep as nd
    >>> for views, mines, probability in nd.dataset(nd.Spec((4, 4, 4), 6), 1000, which="random", block=400):
    ...     print(views.shape, mines.dtype, probability.dtype)
    (400, 4, 4, 4) bool float64
    (400, 4, 4, 4) bool float64
    (200, 4, 4, 4) bool float64
    """
    task = Task(spec, policy, seed, first_cell)
    start, games = checked_range(start, games)
    if not isinstance(which, str) or which not in WHICH:
        raise SpecError(f"which must be {', '.join(map(repr, WHICH))}. Got {in_short(which)}.")
    block, budget = checked_int("block", block, 1), checked_int("budget", budget, 1)
    _check_room(task, games, block, bool(probability))
    chunks = (_Chunk.play(task, *span, which) for span in _spans(task, start, start + games))
    return _blocks(chunks, block, (spec.mines, budget) if probability else None)


def _check_room(task: Task, games: int, block: int, probability: bool) -> None:
    """TooLargeError unless a block and the games that are played at a time fit in memory."""
    shape, policy = task.spec.shape, checked_policy(task.policy)
    cells = min(block, games * task.spec.size) * task.spec.size
    needed = _CELL_BYTES * cells
    if probability:
        needed += _CHANCE_BYTES * cells + _NEAR_BYTES * 3 ** len(shape) * min(cells, BLOCK_CELLS)
    check_memory(f"examples of shape {shape} in blocks of {block}", needed)
    layout, most = Layout(shape), min(games, _games(task))
    needed = memory_of_batch(layout, most)
    if isinstance(policy, Named):
        dealer = Dealer(layout, task.spec.mines, task.spec.first)
        needed += policy.memory(dealer, Slots.words_for(layout, most))
    check_memory(f"examples of games of shape {shape}", needed)


def _games(task: Task) -> int:
    """How many games to play at a time: sooner or later all their positions are held."""
    policy = checked_policy(task.policy)
    most = _CELLS // task.spec.size
    if isinstance(policy, Named):
        return max(1, min(max(_GAMES // policy.slowness, LANES), most))
    return max(1, min(_GAMES // _OWN, most, _TRAIL_BYTES // max(1, task.spec.size**2 // 4)))


def _spans(task: Task, start: int, stop: int) -> Iterator[tuple[int, int]]:
    games = _games(task)
    return ((first, min(first + games, stop)) for first in range(start, stop, games))


@dataclass(frozen=True, eq=False)
class _Chunk:
    """The positions of some games, with their boards."""

    trail: Trail
    start: int
    mines: npt.NDArray[np.bool_]
    hints: npt.NDArray[np.signedinteger[Any]]

    @classmethod
    def play(cls, task: Task, start: int, stop: int, which: str) -> _Chunk:
        trail, games = trail_of(task, start, stop, which == "guesses"), stop - start
        first_cells = None if task.flat_cell is None else np.full(games, task.flat_cell)
        batch = Batch.deal(task.spec, games, task.seed, start, first_cells)
        trail = trail.one_each(task.seed) if which == "random" else trail
        hints = np.ascontiguousarray(batch.hints, dtype=view_dtype(task.spec.ndim))
        return cls(trail, start, np.ascontiguousarray(batch.mines), hints)

    def examples(self, rows: slice) -> Examples:
        """Some of the positions, without their chances."""
        part = self.trail[rows]
        games = part.game - self.start
        views = self.hints[games]
        opened = np.unpackbits(part.opened, axis=1, count=prod(views.shape[1:])).view(np.bool_)
        np.copyto(views, HIDDEN, where=~opened.reshape(views.shape))
        return Examples(views, self.mines[games], None, None, part.game, part.move, part.stuck)


def _blocks(chunks: Iterator[_Chunk], block: int, chances: tuple[int, int] | None) -> Iterator[Examples]:
    """Blocks of equal size; with the number of mines and the budget their chances are told too."""
    parts: list[Examples] = []
    missing = block
    for chunk in chunks:
        at, count = 0, len(chunk.trail)
        while at < count:
            parts.append(chunk.examples(slice(at, at + missing)))
            at, missing = at + missing, missing - parts[-1].count
            if not missing:
                yield _finished(parts, chances)
                parts, missing = [], block
    if parts:
        yield _finished(parts, chances)


def _finished(parts: list[Examples], chances: tuple[int, int] | None) -> Examples:
    """The block of these parts, with chances if they are asked for."""
    whole = parts[0]
    if len(parts) > 1:
        names = ("views", "mines", "game", "move", "stuck")
        whole = replace(whole, **{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})
    if chances is None:
        return whole
    mines, budget = chances
    p, _, logs = chances_on(whole.views, np.full(whole.count, mines), budget, seed=0)
    return replace(whole, probability=p, exact=~np.isnan(logs))


def _checked_rows(rows: npt.ArrayLike, count: int) -> npt.NDArray[np.int64]:
    """Indices of examples, from indices or from a mask."""
    chosen = checked_array("rows", rows)
    if chosen.dtype == np.bool_ and chosen.shape == (count,):
        return np.flatnonzero(chosen)
    return checked_indices(chosen, count, "rows")
