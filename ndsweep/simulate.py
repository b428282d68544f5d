"""Many games of one kind under one policy, added up in one `Result`."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ndsweep.batch import Batch
from ndsweep.board import Board
from ndsweep.checks import check_memory, checked_range
from ndsweep.engine.deal import Dealer
from ndsweep.engine.planes import Layout, word_count
from ndsweep.engine.rounds import Player
from ndsweep.engine.slots import ENDED, HARDEST, Queue, Slots
from ndsweep.engine.streams import first_cells_of
from ndsweep.executors import checked_executor, outcomes, workers_of
from ndsweep.game import Game
from ndsweep.policies import Named, Policy, Turn, checked_policy
from ndsweep.progress import Progress
from ndsweep.result import Result
from ndsweep.spec import HIDDEN, Cell, PolicyError, Spec, SpecError, Status, checked_int
from ndsweep.tasks import Task

Parts = Generator[Result, None, None]

_BATCH = 1024  # games at a time under a policy without planes, fewer on large grids
_BATCH_CELLS = 1 << 22
_BLOCK_CELLS = 3 << 26  # of a block of games: three seconds of single-point play
_WORKER_CELLS = 1 << 26  # the same in a worker, which may have to end a second block before it stops
_LEAST_CELLS = 1 << 22  # a block that is smaller costs more to begin and end than to play
_LEAST = 64  # games
_OWN = 64  # how much slower policies of one's own are, roughly


@dataclass(frozen=True)
class _Job:
    """A task, and how to go about it."""

    task: Task
    records: bool = False
    luck: bool = False
    slots: int | None = None


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
    luck: bool = False,
    slots: int | None = None,
) -> Result:
    """Plays games number ``start`` .. ``start + games - 1`` of a seed and counts.

    The result is a function of the arguments up to ``policy``, ``seed``, ``start``,
    ``records``, ``first_cell`` and ``luck``; executor, slots and any split of the range change nothing.

    Parameters
    ----------
    spec : Spec
        The kind of game.
    games : int
        Number of games, 0 or more.
    policy : {"single-point", "pairs", "random", "exact", "exact+"} or Policy
        Which cell next.  "random" has no rules; "single-point" has two: all hidden
        neighbours of a number are mines, or all its mines are flagged; "pairs" also compares
        two numbers with overlapping neighbourhoods.  These three guess a uniformly random
        hidden unflagged cell when their rules prove nothing.  "exact" opens every cell that is proved
        safe by all numbers and the number of mines, and else the cell of least mine probability, of
        several the one that is the likeliest to have hint 0.  "exact+" guesses with an eye to the
        move after the guess, and plays on perfectly once 64 layouts or fewer are left.
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
    luck : bool
        Whether the records of a policy that guesses at random tell the luck of games with guesses:
        counting the chance of every guess takes about as long as playing.  Those of the exact
        policies always do.
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
    slots = None if slots is None else checked_int("slots", slots, 1)
    if luck and not records:
        raise SpecError("luck must go with records=True, which hold it. Got records=False.")
    job = _Job(Task(spec, policy, seed, first_cell), bool(records), bool(luck), slots)
    start, games = checked_range(start, games)
    if job.records:
        check_records(games)
    executor = checked_executor(executor)
    total = job.task.nothing()
    with Progress(games, progress) as bar:
        if executor is None:
            parts = _parts(job, start, start + games, bar)
        else:
            parts = _parts_elsewhere(job, start, start + games, executor, bar)
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
    task = Task(spec, policy, seed, first_cell)
    return play_alone(task, checked_int("game", game, 0, 2**63 - 1))[0]


def check_records(games: int) -> None:
    """TooLargeError unless the records of so many games fit in memory.

    Examples
    --------
    >>> check_records(1000)
    """
    check_memory(f"records of {games} games", 3 * games * ENDED.itemsize)


# Blocks of games -----------------------------------------------------------------------------


def block_games(task: Task, games: int, blocks: int = 0) -> int:
    """How many games to play at a time: some seconds of work, and not too few to be worth it.

    Parameters
    ----------
    games : int
        How many there are in all.
    blocks : int
        How many blocks there should be at least, so that every worker has some; 0 without workers.

    Examples
    --------
    >>> block_games(Task(Spec((16, 30), 99)), 1_000_000, blocks=8)
    125000
    """
    policy = checked_policy(task.policy)
    pairs = 5 ** (task.spec.ndim - 1)  # a fifth of the places where the other number of a pair may be
    slowness = policy.slowness * (pairs if policy.pairs else 1) if isinstance(policy, Named) else _OWN
    cells = _WORKER_CELLS if blocks else _BLOCK_CELLS
    most, least = (max(_LEAST, some // (task.spec.size * slowness)) for some in (cells, _LEAST_CELLS))
    return max(1, -(-games // max(-(-games // most), min(blocks, games // least), 1)))


def play_block(job: tuple[Task, int, int, bool] | tuple[Task, int, int, bool, bool]) -> Result:
    """The result of games start .. stop-1 of a task, with records or without, with luck or without; runs in a worker.

    Examples
    --------
    >>> play_block((Task(Spec((9, 9), 10)), 100, 300, False)).ranges
    ((0, 100, 300),)
    """
    task, start, stop, *options = job
    total = task.nothing()
    for part in _parts(_Job(task, *options), start, stop, Progress(0, False)):
        total += part
    return total


def _parts(job: _Job, start: int, stop: int, bar: Progress) -> Parts:
    """The results of the games as they end; only their sum is a result of these games."""
    policy, size = checked_policy(job.task.policy), job.task.spec.size
    if isinstance(policy, Named):
        yield _play_on_planes(job, policy, start, stop, bar)
    else:
        batch = max(1, min(_BATCH, _BATCH_CELLS // size))
        for first in range(start, stop, batch):
            part = _play_in_step(job, policy, first, min(first + batch, stop))
            bar.add(part.games)
            yield part


def _parts_elsewhere(job: _Job, start: int, stop: int, executor: Executor, bar: Progress) -> Parts:
    """The results of blocks of games as they end."""
    block = block_games(job.task, stop - start, 4 * workers_of(executor))
    spans = ((first, min(first + block, stop)) for first in range(start, stop, block))
    blocks = ((span, (job.task, *span, job.records, job.luck)) for span in spans)
    with closing(outcomes(executor, play_block, blocks)) as ended:
        for _, part in ended:
            bar.add(part.games)
            yield part


def _play_on_planes(job: _Job, policy: Named, start: int, stop: int, bar: Progress) -> Result:
    """Plays games with a named policy in slots on bit planes."""
    task = job.task
    layout = Layout(task.spec.shape)
    words = Slots.words_for(layout, stop - start) if job.slots is None else word_count(job.slots)
    dealer = Dealer(layout, task.spec.mines, task.spec.first)
    check_memory(f"simulating games of shape {task.spec.shape}", policy.memory(dealer, words))
    slots = Slots(Queue(dealer, task.seed, start, stop, task.flat_cell), words, job.luck or policy.verdict is not None)
    player = Player(slots, policy.round, policy.pairs, policy.last)
    totals = dict.fromkeys(("games", "wins", "guesses", "reveals", "opened"), 0)
    rows = [np.empty(0, dtype=ENDED)]
    while True:
        if slots.want_reseating():
            for name, count in slots.totals().items():
                totals[name] += count
            if job.records:
                rows.append(slots.rows())
            bar.add(totals["games"] - bar.done)
            slots.reseat()
            if not slots.seated.any():
                break
        player.round()
    records = np.concatenate(rows)
    return task.result(start, stop, records[np.argsort(records["game"])], **totals)


def _play_in_step(job: _Job, policy: Policy, start: int, stop: int) -> Result:
    """Plays a batch of games with any policy, one reveal a game and turn."""
    task, spec, numbers = job.task, job.task.spec, np.arange(start, stop)
    first_cells = None if task.flat_cell is None else np.full(numbers.size, task.flat_cell)
    batch = Batch.deal(spec, numbers.size, task.seed, start, first_cells)
    rows = np.zeros(numbers.size, dtype=ENDED)
    rows["game"] = numbers
    rows["reveals"] = batch.status == Status.PLAYING
    opened = batch.reveal(np.asarray(batch.first_cells))
    rows["luck"] = 1
    while (playing := np.flatnonzero(batch.status == Status.PLAYING)).size:
        turn = Turn(spec, task.seed, *(rows[name][playing] for name in ("game", "guesses", "luck", "hardest")))
        views = batch.views(playing)
        views.flags.writeable = False
        cells = np.full(numbers.size, -1)
        cells[playing] = _checked_choice(policy.choose(views, turn), views, turn)
        turn.check()
        rows["guesses"][playing], rows["luck"][playing], rows["hardest"][playing] = turn.picks, turn.luck, turn.hardest
        opened += batch.reveal(cells)
        rows["reveals"][playing] += 1
    rows["won"], rows["opened"] = batch.status == Status.WON, opened
    totals = {name: int(rows[name].sum()) for name in ("guesses", "reveals", "opened")}
    kept = rows if job.records else rows[:0]
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


def play_alone(task: Task, number: int) -> tuple[Game, dict[str, float]]:
    """Plays one game with `Game`, deciding by counting; gives it and its counts, as in a record.

    Examples
    --------
    >>> from ndsweep.spec import BEGINNER
    >>> game, counts = play_alone(Task(BEGINNER, "pairs"), 7)
    >>> sorted(counts)
    ['guesses', 'hardest', 'luck', 'opened', 'reveals']
    """
    numbers = np.array([number])
    first = task.flat_cell
    if first is None:
        first = int(first_cells_of(task.seed, numbers, task.spec.size)[0])
    game = Game(Board.deal(task.spec, task.seed, number, first))
    turn = Turn(task.spec, task.seed, numbers)
    policy, reveals = checked_policy(task.policy), int(game.status == Status.PLAYING)
    game.reveal(first)
    while game.status == Status.PLAYING:
        if isinstance(policy, Named):
            chosen = _proved(policy, game, turn) or _chosen(policy, game, turn)
        else:
            views = game.view[None]
            views.flags.writeable = False
            chosen = [int(_checked_choice(policy.choose(views, turn), views, turn)[0])]
            turn.check()
        reveals += len(chosen)
        for cell in chosen:
            game.reveal(cell)
    opened = int(game.revealed.sum())
    made = {"guesses": int(turn.picks[0]), "luck": float(turn.luck[0]), "hardest": int(turn.hardest[0])}
    return game, {"reveals": reveals, "opened": opened, **made}


def _proved(policy: Named, game: Game, turn: Turn) -> list[int]:
    """Flags what the first successful rule proves to be mines, and gives the cells that it proves safe."""
    rule = 0
    while rule < len(policy.provers):
        mined, safe = policy.provers[rule](game.view)
        for cell in np.flatnonzero(mined):
            game.flag(int(cell))
        if safe.any() or (mined.any() and rule):  # the first rule counts once it opens a cell
            turn.hardest[0] = max(turn.hardest[0], rule + 1)
        if safe.any():
            return [int(cell) for cell in np.flatnonzero(safe)]
        rule = 0 if mined.any() else rule + 1
    return []


def _chosen(policy: Named, game: Game, turn: Turn) -> list[int]:
    """What to open where the rules are stuck."""
    if policy.verdict is None:  # any cell; the mines among them are known in number
        hidden = game.view[None] == HIDDEN
        return [int(turn.pick(hidden, [1 - (game.n_mines - game.n_flags) / np.count_nonzero(hidden)])[0])]
    verdict = policy.verdict(game.view, game.n_mines)
    for cell in np.flatnonzero(verdict.mined):
        game.flag(int(cell))
    if verdict.safe.any():
        turn.hardest[0] = HARDEST.index("exact")
        return [int(cell) for cell in np.flatnonzero(verdict.safe)]
    return [int(turn.pick(verdict.best, verdict.survival)[0])]
