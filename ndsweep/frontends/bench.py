"""How long a grid takes: dealing, hints, openings, the first reveal, a whole game, beside a copy of the mines.

A copy of one byte a cell, into memory that was used before, is the ceiling of any engine that
stores a grid in bytes.  Every step is run once for its memory, then timed in turn with the others.
"""

from __future__ import annotations

import platform
import sys
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from math import prod
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

import ndsweep as nd
from ndsweep.engine.grid import dilate
from ndsweep.npy import replacing
from ndsweep.spec import Spec, TooLargeError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHAPES = ((1000, 1000), (100, 100, 100), (30, 30, 30, 30))
DENSITIES = (0.01, 0.1)
_MOST_REVEALS = 1_000_000  # of a whole game: one takes some microseconds
_LONG = 1.0  # seconds; what takes longer is timed once
_SHORT = 0.1  # seconds; what takes less is run again, several times a round
_MARKS = {"copy": "", "deal": "o", "hints": "s", "openings": "^", "first reveal": "D", "whole game": "X"}
_COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")  # told apart with any colour vision


@dataclass
class Step:
    """One step on one grid.

    Attributes
    ----------
    name : str
        What is done.
    seconds : float
        The median of the rounds.
    ns_per_cell : float
        The same in nanoseconds for each cell of the grid.
    times_copy : float
        How many times as long as the copy.
    bytes_per_cell : float
        The largest memory while it is done, the board included.

    Examples
    --------
    >>> Step("copy", seconds=8e-5, ns_per_cell=0.08, times_copy=1, bytes_per_cell=2).name
    'copy'
    """

    name: str
    seconds: float
    ns_per_cell: float
    times_copy: float
    bytes_per_cell: float


@dataclass
class Case:
    """One grid with its steps; ``opened`` cells are opened by the first reveal.

    Examples
    --------
    >>> Case((30, 30), 90, 49, []).cells
    900
    """

    shape: tuple[int, ...]
    mines: int
    opened: int
    steps: list[Step]

    @property
    def cells(self) -> int:
        """Number of cells."""
        return prod(self.shape)


class _Grid:
    """The steps on one grid; each leaves what the next ones need."""

    def __init__(self, spec: Spec, seed: int, executor: Executor | None) -> None:
        self.spec, self.seed, self.executor = spec, seed, executor
        self.first = tuple(n // 2 for n in spec.shape)
        self.board, self.opened = self.deal(), 0
        self.spare = np.zeros(spec.shape, dtype=np.bool_)

    def copy(self) -> None:
        np.copyto(self.spare, self.board.mines)

    def deal(self) -> nd.Board:
        return nd.Board.deal(self.spec, self.seed, first_cell=self.first, executor=self.executor)

    def hints(self) -> None:
        self.board.compute_hints(executor=self.executor)

    def openings(self) -> int:
        return len(self.board.opening_sizes(self.executor))

    def first_reveal(self) -> None:
        self.opened = nd.Game(self.board).reveal(self.first)

    def whole_game(self) -> nd.Game:
        """Opens every opening, then every safe cell that is left; none of these reveals can be spared."""
        zeros = (self.board.hints == 0) & ~self.board.mines
        left = np.flatnonzero(~(dilate(zeros) | self.board.mines))
        labels = self.board.openings.labels.reshape(-1)
        firsts = np.zeros(self.board.openings.count + 1, dtype=np.int64)
        if len(firsts) + len(left) > _MOST_REVEALS:
            raise _TooLong
        inside = np.flatnonzero(labels)[::-1]
        firsts[labels[inside]] = inside  # the first cell of each opening is written last
        game = nd.Game(self.board)
        for cell in (*firsts[1:].tolist(), *left.tolist()):
            game.reveal(cell)
        return game

    def steps(self) -> Iterator[tuple[str, Callable[[], object]]]:
        """Each step and its name, in order."""
        yield "copy", self.copy
        yield "deal", self.deal
        yield "hints", self.hints
        yield "openings", self.openings
        yield "first reveal", self.first_reveal
        yield "whole game", self.whole_game


class _TooLong(Exception):
    """A whole game would take too many reveals."""


def spec_of(shape: tuple[int, ...], density: float) -> Spec:
    """The spec of a grid with so many mines a cell: its first cell has an opening, where there is room for one.

    Examples
    --------
    >>> spec_of((20, 20), 0.1)
    Spec(shape=(20, 20), mines=40, first='opening')
    """
    mines = round(density * prod(shape))
    room = prod(shape) - prod(min(n, 3) for n in shape)
    return Spec(shape, mines, "opening" if mines <= room else "any")


def measure(spec: Spec, rounds: int = 3, seed: int = 0, executor: Executor | None = None) -> Case:
    """The times of all steps on one grid.

    Parameters
    ----------
    spec : Spec
        The grid and its mines.
    rounds : int
        How often each step is timed, in turn; once if it takes a second.
    seed : int
        Of the layout.
    executor : ThreadPoolExecutor, optional
        Threads that share the work of dealing, hints and openings.

    Examples
    --------
    >>> [step.name for step in measure(spec_of((30, 30), 0.1), rounds=1).steps]
    ['copy', 'deal', 'hints', 'openings', 'first reveal', 'whole game']
    """
    nd.Board(np.zeros((2, 2), dtype=np.bool_)).opening_sizes()  # so that no step pays for imports
    grid = _Grid(spec, seed, executor)
    steps, memory = {}, {}
    for name, step in grid.steps():
        _tell(spec, name)
        try:
            memory[name] = _held(grid, name) + _peak(step)
        except (TooLargeError, _TooLong):
            continue
        steps[name] = step
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(rounds):
        for name, step in steps.items():
            if max(times[name], default=0) < _LONG:
                _tell(spec, name)
                times[name].append(_seconds(step))
    _tell(spec, "")
    copy, cells = median(times["copy"]), prod(spec.shape)
    found = [
        Step(name, at, 1e9 * at / cells, at / copy, memory[name] / cells)
        for name, at in ((name, median(each)) for name, each in times.items())
    ]
    return Case(spec.shape, spec.mines, grid.opened, found)


def _tell(spec: Spec, name: str) -> None:
    """What is being done, where somebody looks."""
    if sys.stderr.isatty():
        text = f"{'x'.join(map(str, spec.shape))}: {name}" if name else ""
        print(f"\r{text[:60]:<60}\r", end="", file=sys.stderr, flush=True)


def _held(grid: _Grid, name: str) -> int:
    """Bytes of the arrays that a step begins with: the mines, and their hints once they are computed."""
    hints = vars(grid.board).get("hints")
    begun = {"deal": 0, "copy": 2 * grid.board.size}
    return begun.get(name, grid.board.size + (0 if hints is None else int(hints.nbytes)))


def _peak(step: Callable[[], object]) -> int:
    """The most bytes that a step takes beyond what is there when it begins."""
    tracemalloc.start()
    try:
        step()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _seconds(step: Callable[[], object]) -> float:
    """How long a step takes; a short one is run several times, and the shortest counts."""
    shortest, total, runs = float("inf"), 0.0, 0
    while runs == 0 or (total < _SHORT and runs < 10):
        start = time.perf_counter()
        step()
        seconds = time.perf_counter() - start
        shortest, total, runs = min(shortest, seconds), total + seconds, runs + 1
    return shortest


# What is shown -----------------------------------------------------------------------------------


def machine() -> str:
    """What this is measured on, in a line.

    Examples
    --------
    >>> machine().split()[0]
    'ndsweep'
    """
    return f"ndsweep {nd.__version__}, Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}"


def table(case: Case) -> str:
    """The steps of a grid as lines.

    Examples
    --------
    >>> print(table(Case((1000, 1000), 10_000, 840_000, [Step("copy", 8e-5, 0.08, 1, 2)])))
    1000x1000 with 10,000 mines, 1 %: 1,000,000 cells, the first reveal opens 840,000
                          time   ns a cell  times a copy  bytes a cell
    copy              80.00 us        0.08           1.0           2.0
    """
    size = "x".join(map(str, case.shape))
    share = f"{100 * case.mines / case.cells:.2g} %"
    lines = [
        f"{size} with {case.mines:,} mines, {share}: {case.cells:,} cells, the first reveal opens {case.opened:,}",
        f"{'':<14}{'time':>12}{'ns a cell':>12}{'times a copy':>14}{'bytes a cell':>14}",
    ]
    for step in case.steps:
        figures = f"{step.ns_per_cell:>12,.2f}{step.times_copy:>14,.1f}{step.bytes_per_cell:>14.1f}"
        lines.append(f"{step.name:<14}{_in_words(step.seconds):>12}{figures}")
    return "\n".join(lines)


def _in_words(seconds: float) -> str:
    for unit, length in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= length:
            return f"{seconds / length:.2f} {unit}"
    return f"{1e6 * seconds:.2f} us"


def document(cases: Iterable[Case]) -> dict[str, Any]:
    """All figures, for JSON.

    Examples
    --------
    >>> document([Case((30, 30), 90, 49, [])])["cases"]
    [{'shape': (30, 30), 'mines': 90, 'opened': 49, 'steps': [], 'cells': 900}]
    """
    return {"machine": machine(), "cases": [asdict(case) | {"cells": case.cells} for case in cases]}


def plot(cases: Iterable[Case], path: str) -> None:
    """Draws ns a cell against the number of cells: a field for each number of axes and density."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    fields: dict[tuple[int, float], list[Case]] = defaultdict(list)
    for case in sorted(cases, key=lambda case: case.cells):
        fields[len(case.shape), float(f"{case.mines / case.cells:.2g}")].append(case)
    axes_counts, densities = (sorted({key[k] for key in fields}) for k in (0, 1))
    rows, columns = len(densities), len(axes_counts)
    figure = Figure(figsize=(1.2 + 3.1 * columns, 1.3 + 2.5 * rows), layout="constrained")
    FigureCanvasAgg(figure)
    shared = None
    for (ndim, density), group in sorted(fields.items()):
        place = densities.index(density) * columns + axes_counts.index(ndim) + 1
        shared = figure.add_subplot(rows, columns, place, sharex=shared, sharey=shared)
        _draw(shared, group)
        shared.set_title(f"{ndim}-D, {100 * density:.2g} % mines", fontsize="medium")
    figure.supxlabel("cells")
    figure.supylabel("ns a cell")
    handles = {line.get_label(): line for axes in figure.axes for line in axes.get_lines()}
    figure.legend(handles=list(handles.values()), loc="outside upper center", ncols=len(handles), frameon=False)
    with replacing(path) as scratch:
        figure.savefig(scratch, dpi=120, format=Path(path).suffix[1:].lower())


def _draw(axes: Axes, group: list[Case]) -> None:
    """The steps of grids of one kind as lines, the copy dashed."""
    for (name, mark), colour in zip(_MARKS.items(), _COLOURS, strict=True):
        points = [(case.cells, step.ns_per_cell) for case in group for step in case.steps if step.name == name]
        if points:
            style = "--" if name == "copy" else "-"
            axes.plot(*zip(*points, strict=True), style, marker=mark or "_", color=colour, label=name, markersize=5)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25)
