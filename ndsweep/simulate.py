"""Many games of one kind under one policy, added up in one `Result`."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from concurrent.futures import Executor, Future
from contextlib import closing
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ndsweep.batch import Batch
from ndsweep.board import Board
from ndsweep.checks import check_memory, checked_first_cell, checked_range, checked_spec
from ndsweep.engine.deal import Dealer
from ndsweep.engine.pairs import Pairs
from ndsweep.engine.planes import Layout, word_count
from ndsweep.engine.rounds import Player
from ndsweep.engine.slots import ENDED, Queue, Slots
from ndsweep.engine.streams import first_cells_of
from ndsweep.game import Game
from ndsweep.policies import NAMED, Named, Policy, Turn, checked_policy
from ndsweep.progress import Progress
from ndsweep.result import Result
from ndsweep.spec import HIDDEN, Cell, PolicyError, Spec, SpecError, Status, checked_int

Parts = Generator[Result, None, None]

_PLANE_BYTES = 200_000  # of the planes of all slots: a dozen of them work in a second-level cache
_MOST_WORDS = 128
_BATCH = 1024  # games at a time under a policy without planes, fewer on large grids
_BATCH_CELLS = 1 << 22
_BLOCK_CELLS = 1 << 26  # of a block of games for an executor: about a second of work


@dataclass(frozen=True)
class _Task:
    """What decides the outcome of a simulation, and how to go about it."""

    spec: Spec
    policy: str | Policy
    seed: int
    first_cell: int | None
    records: bool
    slots: int | None

    @property
    def policy_name(self) -> str:
        if isinstance(self.policy, str):
            return self.policy
        name = str(getattr(self.policy, "name", type(self.policy).__qualname__))
        return f"own {name}" if name in NAMED else name

    def result(self, start: int, stop: int, rows: npt.NDArray[np.void], **totals: int) -> Result:
        """A result of these games."""
        rows.flags.writeable = False
        return Result(
            self.spec,
            self.policy_name,
            self.first_cell,
            totals.pop("games"),
            totals.pop("wins"),
            totals,
            rows,
            ((self.seed, start, stop),) if stop > start else (),
        )


def simulate(
    spec: Spec,
    games: int,
    policy: str | Policy = "single-point",
    seed: int = 0,
    start: int = 0,
    executor: Executor | None = None,
    progress: bool = False,
    records: bool = False,
    *,
    first_cell: Cell | str | None = None,
    slots: int | None = None,
) -> Result:
    """Plays games number ``start`` .. ``start + games - 1`` of a seed and counts.

    The result is a function of the arguments up to ``policy``, ``seed``, ``start``,
    ``records`` and ``first_cell``; executor, slots and any split of the range change nothing.

    Parameters
    ----------
    spec : Spec
        The kind of game.
    games : int
        Number of games, 0 or more.
    policy : {"single-point", "pairs", "random"} or Policy
        Which cell next.  All named ones guess a uniformly random hidden unflagged cell when
        their rules prove nothing.  "random" has no rules; "single-point" has two: all hidden
        neighbours of a number are mines, or all its mines are flagged; "pairs" also compares
        two numbers with overlapping neighbourhoods.
    seed, start : int
        Which games.
    executor : concurrent.futures.Executor, optional
        Where blocks of games are played; it is used, not shut down.  Without one they are
        played here, on one core.
    progress : bool
        Whether to show a progress bar on standard error (plain lines without tqdm).
    records : bool
        Whether to keep a row for each game.
    first_cell : cell, "corner" or None
        The first cell of every game; by default each game's own random one.
    slots : int, optional
        Number of games in play at once under a named policy; by default as many as the cache holds.

    Returns
    -------
    Result

    Raises
    ------
    SweepError
        If an argument is not of its kind, or the games would not fit in memory.

    Examples
    --------
    >>> import ndsweep as nd
    >>> result = nd.simulate(nd.BEGINNER, 10_000, seed=1)
    >>> result.games, 0.66 < result.win_rate < 0.70
    (10000, True)
    """
    task = _checked_task(spec, policy, seed, records, first_cell, slots)
    start, games = checked_range(start, games)
    if task.records:
        check_memory(f"records of {games} games", 3 * games * ENDED.itemsize)
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise SpecError(f"executor must have a submit method, as concurrent.futures.Executor has. Got {executor!r}.")
    total = Result.empty(spec, task.policy_name, task.first_cell)
    with Progress(games, progress) as bar:
        if executor is None:
            parts = _parts(task, start, start + games, bar)
        else:
            parts = _parts_elsewhere(task, start, start + games, executor, bar)
        with closing(parts):
            for part in parts:
                total += part
    return total


def replay(
    spec: Spec,
    policy: str | Policy = "single-point",
    seed: int = 0,
    game: int = 0,
    *,
    first_cell: Cell | str | None = None,
) -> Game:
    """Plays one game of a simulation again, alone, move for move.

    Parameters
    ----------
    spec, policy, seed, first_cell
        As in `simulate`.
    game : int
        Number of the game.

    Returns
    -------
    Game
        The game at its end; ``game.moves`` tells how it went.

    Raises
    ------
    SweepError
        As `simulate`.

    Examples
    --------
    >>> import ndsweep as nd
    >>> records = nd.simulate(nd.BEGINNER, 100, records=True).records
    >>> game = nd.replay(nd.BEGINNER, game=42)
    >>> bool(records["won"][42]) == (game.status == nd.Status.WON)
    True
    """
    task = _checked_task(spec, policy, seed, False, first_cell, None)
    return play_alone(task, checked_int("game", game, 0, 2**63 - 1))[0]


def _checked_task(
    spec: Spec, policy: str | Policy, seed: int, records: bool, first_cell: Cell | str | None, slots: int | None
) -> _Task:
    checked_spec(spec)
    checked_policy(policy)
    check_memory(f"games of shape {spec.shape}", spec.size)
    if isinstance(first_cell, str) and first_cell == "corner":
        first_cell = 0
    flat = checked_first_cell(spec, first_cell)
    if slots is not None:
        slots = checked_int("slots", slots, 1)
    return _Task(spec, policy, checked_int("seed", seed), flat, bool(records), slots)


# Blocks of games -----------------------------------------------------------------------------


def _parts(task: _Task, start: int, stop: int, bar: Progress) -> Parts:
    """The results of the games as they end; only their sum is a result of these games."""
    policy = checked_policy(task.policy)
    if isinstance(policy, Named):
        yield _play_on_planes(task, policy, start, stop, bar)
    else:
        batch = max(1, min(_BATCH, _BATCH_CELLS // task.spec.size))
        for first in range(start, stop, batch):
            part = _play_in_step(task, policy, first, min(first + batch, stop))
            bar.add(part.games)
            yield part


def _parts_elsewhere(task: _Task, start: int, stop: int, executor: Executor, bar: Progress) -> Parts:
    """The results of blocks of games, in order, with a bounded number of them under way."""
    workers = getattr(executor, "_max_workers", None) or 16
    most = max(1 << 10, _BLOCK_CELLS // task.spec.size)
    block = min(most, max(1 << 12, -(-(stop - start) // (4 * workers))))
    under_way: deque[Future[Result]] = deque()
    blocks = ((first, min(first + block, stop)) for first in range(start, stop, block))
    try:
        for first, last in blocks:
            under_way.append(executor.submit(_block, task, first, last))
            if len(under_way) >= 3 * workers:
                yield _finished(under_way, bar)
        while under_way:
            yield _finished(under_way, bar)
    finally:
        for future in under_way:
            future.cancel()


def _finished(under_way: deque[Future[Result]], bar: Progress) -> Result:
    part = under_way.popleft().result()
    bar.add(part.games)
    return part


def _block(task: _Task, start: int, stop: int) -> Result:
    """The result of a block of games; runs in a worker."""
    total = Result.empty(task.spec, task.policy_name, task.first_cell)
    for part in _parts(task, start, stop, Progress(0, False)):
        total += part
    return total


def _play_on_planes(task: _Task, policy: Named, start: int, stop: int, bar: Progress) -> Result:
    """Plays games with a named policy in slots on bit planes."""
    layout = Layout(task.spec.shape)
    words = _words(task, layout, stop - start)
    dealer = Dealer(layout, task.spec.mines, task.spec.first)
    needed = Slots.memory(dealer, words) + (Pairs.memory(layout, words) if policy.pairs else 0)
    check_memory(f"simulating games of shape {task.spec.shape}", needed)
    slots = Slots(Queue(dealer, task.seed, start, stop, task.first_cell), words)
    player = Player(slots, policy.round, policy.pairs)
    totals = dict.fromkeys(("games", "wins", "guesses", "reveals", "opened"), 0)
    rows = [np.empty(0, dtype=ENDED)]
    while True:
        if slots.want_reseating():
            for name, count in slots.totals().items():
                totals[name] += count
            if task.records:
                rows.append(slots.rows())
            bar.add(totals["games"] - bar.done)
            slots.reseat()
            if not slots.seated.any():
                break
        player.round()
    records = np.concatenate(rows)
    return task.result(start, stop, records[np.argsort(records["game"])], **totals)


def _words(task: _Task, layout: Layout, games: int) -> int:
    """How many words of slots to play in."""
    if task.slots is not None:
        return word_count(task.slots)
    return max(1, min(_PLANE_BYTES // (8 * layout.width), _MOST_WORDS, word_count(games)))


def _play_in_step(task: _Task, policy: Policy, start: int, stop: int) -> Result:
    """Plays a batch of games with any policy, one reveal a game and turn."""
    spec, numbers = task.spec, np.arange(start, stop)
    first_cells = None if task.first_cell is None else np.full(numbers.size, task.first_cell)
    batch = Batch.deal(spec, numbers.size, task.seed, start, first_cells)
    rows = np.zeros(numbers.size, dtype=ENDED)
    rows["game"] = numbers
    rows["reveals"] = batch.status == Status.PLAYING
    opened = batch.reveal(np.asarray(batch.first_cells))
    picks = np.zeros(numbers.size, dtype=np.int64)
    while (playing := np.flatnonzero(batch.status == Status.PLAYING)).size:
        turn = Turn(spec, task.seed, numbers[playing], picks[playing])
        views = batch.views(playing)
        views.flags.writeable = False
        cells = np.full(numbers.size, -1)
        cells[playing] = _checked_choice(policy.choose(views, turn), views, turn)
        picks[playing] = turn.picks
        opened += batch.reveal(cells)
        rows["reveals"][playing] += 1
    rows["won"], rows["guesses"], rows["opened"] = batch.status == Status.WON, picks, opened
    totals = {name: int(rows[name].sum()) for name in ("guesses", "reveals", "opened")}
    kept = rows if task.records else rows[:0]
    return task.result(start, stop, kept, games=numbers.size, wins=int(rows["won"].sum()), **totals)


def _checked_choice(cells: npt.ArrayLike, views: npt.NDArray[np.signedinteger], turn: Turn) -> npt.NDArray[np.int64]:
    """The chosen cells; PolicyError unless there is one hidden cell for each game."""
    try:
        chosen = np.asarray(cells)
    except ValueError:
        raise PolicyError("choose must give one cell a game. Got rows of different lengths.") from None
    games, flat = turn.games.size, views.reshape(turn.games.size, -1)
    if chosen.shape != (games,) or chosen.dtype.kind not in "iu":
        raise PolicyError(
            f"choose must give integers of shape ({games},), one cell a game."
            f" Got {chosen.dtype} of shape {chosen.shape}."
        )
    inside = (chosen >= 0) & (chosen < flat.shape[1])
    hidden = inside & (flat[np.arange(games), np.where(inside, chosen, 0)] == HIDDEN)
    if not hidden.all():
        bad = int(np.flatnonzero(~hidden)[0])
        raise PolicyError(
            f"choose must give hidden cells without a flag. Got cell {chosen[bad]} in game {turn.games[bad]}."
        )
    return chosen.astype(np.int64)


# One game ------------------------------------------------------------------------------------


def play_alone(task: _Task, number: int) -> tuple[Game, dict[str, int]]:
    """Plays one game with `Game`, deciding by counting; gives it and its counts, as in a record.

    Examples
    --------
    >>> from ndsweep.spec import BEGINNER
    >>> game, counts = play_alone(_checked_task(BEGINNER, "pairs", 0, False, None, None), 7)
    >>> sorted(counts)
    ['guesses', 'opened', 'reveals']
    """
    numbers = np.array([number])
    first = task.first_cell
    if first is None:
        first = int(first_cells_of(task.seed, numbers, task.spec.size)[0])
    game = Game(Board.deal(task.spec, task.seed, number, first))
    turn = Turn(task.spec, task.seed, numbers)
    policy, reveals = checked_policy(task.policy), int(game.status == Status.PLAYING)
    game.reveal(first)
    while game.status == Status.PLAYING:
        proved = _proved(policy, game) if isinstance(policy, Named) else []
        if not proved and not isinstance(policy, Named):
            views = game.view[None]
            views.flags.writeable = False
            proved = [int(_checked_choice(policy.choose(views, turn), views, turn)[0])]
        elif not proved:
            proved = [int(turn.pick(game.view[None] == HIDDEN)[0])]
        reveals += sum(cell >= 0 for cell in proved)
        for cell in proved:
            game.reveal(cell)
    return game, {"guesses": int(turn.picks[0]), "reveals": reveals, "opened": int(game.revealed.sum())}


def _proved(policy: Named, game: Game) -> list[int]:
    """Flags what the first successful rule proves to be mines, and gives the cells that it proves safe."""
    provers = list(policy.provers)
    while provers:
        mined, safe = provers[0](game.view)
        for cell in np.flatnonzero(mined):
            game.flag(int(cell))
        if safe.any():
            return [int(cell) for cell in np.flatnonzero(safe)]
        provers = list(policy.provers) if mined.any() else provers[1:]
    return []
