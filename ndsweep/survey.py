"""The statistics of many dealt boards, block by block, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np

from ndsweep.board import Board
from ndsweep.boardstats import BoardStats
from ndsweep.checks import check_memory, checked_range, checked_spec
from ndsweep.columns import checked_columns, fits_planes, measure_board, measure_planes, no_boards
from ndsweep.engine.deal import Dealer
from ndsweep.engine.planes import LANES, Layout
from ndsweep.engine.streams import Purpose, first_cells_of, stream_keys
from ndsweep.executors import checked_executor, outcomes, workers_of
from ndsweep.progress import Progress
from ndsweep.spec import Spec, checked_int

_JOB_CELLS = 1 << 24  # of the boards of a job in two dimensions: half a second


@dataclass(frozen=True)
class _Job:
    """Boards start .. stop-1 of a seed, and what to count."""

    spec: Spec
    columns: tuple[str, ...]
    rows: bool
    seed: int
    start: int
    stop: int


def board_stats(
    spec: Spec,
    boards: int,
    seed: int = 0,
    start: int = 0,
    executor: Executor | None = None,
    progress: bool = False,
    *,
    columns: Iterable[str] | None = None,
    rows: bool = True,
) -> BoardStats:
    """The statistics of boards number ``start`` .. ``start + boards - 1`` of a seed.

    They are the boards that `Board.deal` and `simulate` deal for the same numbers, each for its own
    random first cell.  Under the rules "any" and "safe" all layouts are equally likely: a random
    first cell that is kept free is as likely to be any safe cell of any layout.

    Parameters
    ----------
    spec : Spec
        The kind of game.
    boards : int
        How many boards, 0 or more.
    seed, start : int
        Which games' boards.
    executor : concurrent.futures.Executor, optional
        Where jobs of some thousand boards are done; it is used, not shut down.  Without one they
        are done here, on one core.
    progress : bool
        Whether to show a progress bar on standard error (plain lines without tqdm).
    columns : iterable of str, optional
        Which numbers, see `measure`; all but "zini" by default.
    rows : bool
        Whether to keep a row for each board: 4 bytes a number.  Without them memory does not grow
        with the number of boards, and the histograms hold what is counted.

    Returns
    -------
    BoardStats

    Raises
    ------
    SpecError
        If an argument is not of its kind, or the first-click rule leaves too few cells.
    TooLargeError
        If the rows would not fit in memory.

    Examples
    --------
    >>> import ndsweep as nd
    >>> stats = nd.board_stats(nd.EXPERT, 1000, seed=1)
    >>> int(stats["bbbv"][7]) == nd.bbbv(nd.Board.deal(nd.EXPERT, seed=1, game=7))
    True
    >>> print(nd.board_stats(nd.Spec((1, 5), 1), 1000, columns=["bbbv", "openings"]))  # doctest: +NORMALIZE_WHITESPACE
                mean      se      sd  min  1%  25%  50%  75%  99%  max
    bbbv      1.6200  0.0154  0.4856    1   1    1    2    2    2    2
    openings  1.2110  0.0129  0.4082    1   1    1    1    1    2    2
    """
    checked_spec(spec)
    start, count = checked_range(start, boards, "boards")
    spec.check_first_cells(spec.most_free, "random first cells")
    names, seed = checked_columns(columns, spec.shape), checked_int("seed", seed)
    total, kept = replace(no_boards(spec.shape, names), spec=spec), []
    if rows:  # once as parts, and once as a whole
        instead = "board_stats(..., rows=False) keeps histograms alone."
        check_memory(f"rows of {count} boards", 2 * total.row_bytes * count, instead)
    job = _Job(spec, names, bool(rows), seed, start, start + count)
    executor = checked_executor(executor)
    with (
        Progress(count, progress, unit="boards") as bar,
        closing(outcomes(executor, _survey, enumerate(_jobs(job, workers_of(executor))))) as ended,
    ):
        for _, part in ended:
            bar.add(part.boards)
            if rows:
                kept.append((part.ranges, part.columns))
            total += part.without_rows()
    if kept:
        kept.sort(key=lambda one: one[0])
        whole = {name: np.concatenate([part[name] for _, part in kept]) for name in total.names}
        total = replace(total, columns=whole)
    return total


def _jobs(job: _Job, workers: int) -> Iterator[_Job]:
    """The boards in parts of about half a second, in whole words, and two at least for every worker."""
    count, spec = job.stop - job.start, job.spec
    slowness = 2 ** max(spec.ndim - 2, 0) + ("zini" in job.columns) * 3 ** (spec.ndim - 1)  # measured, roughly
    step = max(1, _JOB_CELLS // (spec.size * slowness))
    if workers > 1:
        step = min(step, max(1, -(-count // (2 * workers))))
    if fits_planes(spec.shape):
        step = -(-step // LANES) * LANES
    for first in range(job.start, job.stop, step):
        yield replace(job, start=first, stop=min(first + step, job.stop))


def _survey(job: _Job) -> BoardStats:
    """The statistics of the boards of a job; runs in a worker."""
    found = _in_planes(job) if fits_planes(job.spec.shape) else _one_by_one(job)
    found = replace(found, spec=job.spec, ranges=((job.seed, job.start, job.stop),))
    return found if job.rows else found.without_rows()


def _in_planes(job: _Job) -> BoardStats:
    numbers, layout = np.arange(job.start, job.stop), Layout(job.spec.shape)
    dealer = Dealer(layout, job.spec.mines, job.spec.first)
    keys, first_cells = stream_keys(job.seed, Purpose.MINES, numbers), first_cells_of(job.seed, numbers, layout.size)
    return measure_planes(layout, dealer.plane(keys, first_cells), numbers.size, job.columns)


def _one_by_one(job: _Job) -> BoardStats:
    total = no_boards(job.spec.shape, job.columns)
    for game in range(job.start, job.stop):
        total += measure_board(Board.deal(job.spec, job.seed, game), job.columns)
    return total
