"""Large grids beside what they are to be measured by: a copy of the mines, the C struct game, `ndimage.label`.

    python benchmarks/bench_large.py            two minutes, 2 GB of memory
    python benchmarks/bench_large.py --quick    grids of a few million cells, rough; copies stay in the cache

Both sides run in turn, round after round, on one core and by processor time; a figure is a median,
a ratio the median of the rounds' ratios. Results are compared before anything is timed.

- hints: the hints of a grid against `mines.copy()`, and against `np.copyto` into memory that was
  used before. Ours go to memory that was used before in the second line, to fresh memory in the first.
- deal, hints, reveal: all three, from nothing, against initialising and flooding the C struct game
  (bench_cstruct.py), whose mines are laid beforehand and not timed.
- openings: labels and sizes of all openings against one call of `scipy.ndimage.label` on the zero
  cells, which are computed beforehand and not timed.
- a small reveal: one opening of a few cells in a grid of 10**8.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

import ndsweep as nd

if TYPE_CHECKING:
    from bench_cstruct import Case


@dataclass
class Line:
    """One comparison: seconds of ours and of the other, round by round."""

    what: str
    cells: int
    limit: float | None
    """The goal: ours takes at most so many times as long as the other; below 1 it is to be so much faster."""
    ours: list[float] = field(default_factory=list)
    other: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        """How many times as long ours takes."""
        return median(a / b for a, b in zip(self.ours, self.other, strict=True))

    def __str__(self) -> str:
        figures = "".join(f"{1e9 * median(rounds) / self.cells:>10.2f}" for rounds in (self.ours, self.other))
        ratio = f"{self.ratio:.2f} x" if self.ratio >= 1 else f"1/{1 / self.ratio:.2f}"
        if self.limit is None:
            return f"{self.what:<72}{figures}{ratio:>10}"
        goal = f"{self.limit:g} x" if self.limit >= 1 else f"1/{1 / self.limit:g}"
        return f"{self.what:<72}{figures}{ratio:>10}{goal:>8}  {'reached' if self.ratio <= self.limit else 'short'}"


def in_turn(line: Line, rounds: int, ours: Callable[[], object], other: Callable[[], object]) -> Line:
    """The line with its rounds."""
    from bench_cstruct import seconds

    for _ in range(rounds):
        line.ours.append(seconds(ours))
        line.other.append(seconds(other))
    return line


def named(shape: tuple[int, ...], share: float) -> str:
    return f"{'x'.join(map(str, shape))}, {100 * share:g} %"


def dealt(shape: tuple[int, ...], share: float) -> nd.Board:
    return nd.Board.deal(nd.Spec(shape, round(share * np.prod(shape)), "any"), seed=1)


def hints(quick: bool, rounds: int) -> list[Line]:
    """Hints against copies of the mines."""
    lines = []
    for shape, limit in (((10_000, 10_000), 3.0), ((400, 400, 400), 4.0), ((90, 90, 90, 90), None)):
        side = shape[0] // 3 if quick else shape[0]
        board = dealt((side,) * len(shape), 0.1)
        out, mines = np.zeros(board.shape, dtype=np.uint8), board.mines.view(np.uint8)
        for what, fresh, copy in (
            ("mines.copy()", board.compute_hints, mines.copy),
            ("np.copyto", partial(board.compute_hints, out), partial(np.copyto, out, mines)),
        ):
            line = Line(f"hints {named(board.shape, 0.1)}: {what}", board.size, None if quick else limit)
            lines.append(in_turn(line, rounds, fresh, copy))
    return lines


def program(rounds: int) -> list[Line]:
    """Deal, hints and one reveal against the C struct program."""
    from bench_cstruct import CASES, INITS, SELECTS, Case, build

    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for shape, share in CASES:
            case = Case(build(Path(folder), 3 ** len(shape) - 1, len(shape)), shape, share)
            case.check()
            spec = nd.Spec(shape, len(case.mines), "any")
            for init, select in ((INITS[0], SELECTS[0]), (INITS[1], SELECTS[1])):
                line = Line(f"deal, hints, reveal {case.name}: C {init}, {select}", case.cells, 1 / 5)
                lines.append(
                    in_turn(line, rounds, partial(ours, spec, case.start), partial(theirs, case, init, select))
                )
            case.close()
    return lines


def ours(spec: nd.Spec, cell: tuple[int, ...], first_cell: tuple[int, ...] | None = None) -> None:
    """Deal, hints and a reveal, from nothing."""
    board = nd.Board.deal(spec, seed=1, first_cell=first_cell)
    _ = board.hints
    nd.Game(board).reveal(cell)


def theirs(case: Case, init: str, select: str) -> None:
    """The C program on the same mines."""
    case.init_c(init, case.in_c)
    case.select_c(select)


def million(rounds: int) -> list[Line]:
    """10**6 cells from nothing, against a copy of as many bytes."""
    lines = []
    for shape, share in (((1000, 1000), 0.01), ((1000, 1000), 0.2), ((100, 100, 100), 0.03), ((10,) * 6, 0.001)):
        spec, cell = nd.Spec(shape, round(share * 10**6), "opening"), tuple(n // 2 for n in shape)
        copy = partial(np.copyto, *np.zeros((2, 10**6), dtype=np.uint8))
        line = in_turn(Line("", 10**6, None), 5 * rounds, partial(ours, spec, cell, cell), copy)
        time = 1e3 * median(line.ours)
        verdict = "reached" if time <= 40 else "short"
        line.what = f"deal, hints, reveal {named(shape, share)}: np.copyto ({time:.1f} of 40 ms, {verdict})"
        lines.append(line)
    return lines


def openings(quick: bool, rounds: int) -> list[Line]:
    """Labels and sizes of openings against one call of `ndimage.label`."""
    from scipy import ndimage

    lines = []
    for shape, shares in (
        ((4096, 4096), (0.01, 0.05, 0.1)),
        ((256,) * 3, (0.01, 0.03, 0.1)),
        ((64,) * 4, (0.01, 0.03)),
    ):
        shape = tuple(n // 2 for n in shape) if quick else shape
        for share in shares:
            board = dealt(shape, share)
            zeros, structure = (board.hints == 0) & ~board.mines, np.ones((3,) * len(shape), dtype=bool)
            labels, count = ndimage.label(zeros, structure)
            if not np.array_equal(labels, board.openings.labels) or count != len(board.opening_sizes()):
                sys.exit(f"bench_large.py: the openings of {named(shape, share)} are not those of ndimage.label.")
            del labels
            limit = 1.0 if len(shape) == 2 else None
            for what, work in (("labels", fresh_openings), ("sizes", nd.Board.opening_sizes)):
                line = Line(f"{what} of openings {named(shape, share)}: ndimage.label", board.size, limit)
                label = partial(ndimage.label, zeros, structure)
                lines.append(in_turn(line, rounds, partial(work, board), label))
    return lines


def fresh_openings(board: nd.Board) -> None:
    vars(board).pop("openings", None)
    _ = board.openings


def small_reveals(quick: bool) -> str:
    """The reveal of small openings in a large grid, in microseconds."""
    from bench_cstruct import seconds

    side = 3000 if quick else 10_000
    board = dealt((side, side), 0.2)
    _ = board.hints
    game = nd.Game(board)
    times, opened = [], []
    rng = np.random.default_rng(0)
    while len(times) < 200:
        cell = tuple(int(x) for x in rng.integers(side, size=2))
        if board.hints[cell] == 0 and not board.mines[cell]:
            times.append(seconds(lambda cell=cell: opened.append(game.reveal(cell))))
    largest = int(np.argmax(times))
    typical = f"{1e6 * median(times):.0f} us for {median(opened):.0f} cells (medians of 200)"
    longest = f"{1e6 * times[largest]:.0f} us for {opened[largest]} cells"
    return f"one opening in {named((side, side), 0.2)}: {typical}, the longest {longest}; goal 1000 us"


def main(words: list[str] | None = None) -> int:
    """Prints the table."""
    from compare import machine, one_core

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="smaller grids, 3 rounds")
    parser.add_argument("--rounds", type=int, help="runs of each, in turn (default 7, quick 3)")
    options = parser.parse_args(words)
    rounds = options.rounds or (3 if options.quick else 7)
    with one_core():
        lines = hints(options.quick, rounds) + program(rounds) + million(rounds) + openings(options.quick, rounds)
        reveals = small_reveals(options.quick)
    print(machine(), f"medians of {rounds} runs of each, in turn", "", sep="\n")
    print(f"{'ns a cell':<72}{'ours':>10}{'other':>10}{'ratio':>10}{'goal':>8}", *lines, "", reveals, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
