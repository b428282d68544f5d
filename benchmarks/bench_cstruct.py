"""Struct-compatible games beside C: what `init_game` and a flooding `select_cell` cost a cell.

    python benchmarks/bench_cstruct.py            half a minute
    python benchmarks/bench_cstruct.py --quick    fewer rounds, rough

Both sides do the same on the same mines, in turn, round after round, on one core and by processor
time; a figure is a median, a ratio the median of the rounds' ratios. The games are compared cell
by cell before anything is timed. Initialising is timed twice: with fresh memory, asked for within
the timed part (`calloc` and `nd.new_game`), and in memory used before. The flood opens the largest
opening of the board, with all cells hidden before.

The C programs are in peers/struct_cell.c. A goal is held against the fastest of the plain ones;
the tuned one, a program for speed alone, shows how far C goes.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import ndsweep as nd

SOURCE = Path(__file__).parent / "peers" / "struct_cell.c"
CASES = (((1000, 1000), 0.01), ((100, 100, 100), 0.03), ((20, 20, 20, 20), 0.01))
INITS = ("init_checks", "init_boxes", "init_tuned")
SELECTS = ("select_recursive", "select_stack")
INIT_GOAL, FLOOD_GOAL = 2.0, 3.0
INTS = ctypes.POINTER(ctypes.c_int)


# The C side -----------------------------------------------------------------------------------


def build(folder: Path, max_adjacent: int, max_dim: int) -> ctypes.CDLL:
    """The C programs for one size of the struct; ends the program with one line if there is no compiler."""
    compiler = os.environ.get("CC") or next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    if compiler is None:
        sys.exit("bench_cstruct.py: no C compiler. Install cc, gcc or clang, or name one in CC.")
    target = folder / f"struct_cell_{max_adjacent}_{max_dim}.so"
    sizes = (f"-DMAX_ADJACENT={max_adjacent}", f"-DMAX_DIM={max_dim}")
    library = ("-shared", "-fPIC", "-pthread", "-o", str(target), str(SOURCE))
    for flags in (("-O3", "-march=native"), ("-O3",)):  # some compilers know no -march=native
        done = subprocess.run([*shlex.split(compiler), *flags, *sizes, *library], capture_output=True, text=True)
        if done.returncode == 0:
            return declared(ctypes.CDLL(str(target)))
    sys.exit(f"bench_cstruct.py: {compiler} cannot build {SOURCE.name}: {(done.stderr.splitlines() or ['?'])[0]}")


def declared(c: ctypes.CDLL) -> ctypes.CDLL:
    """The library with the types of its functions."""
    game, cells = ctypes.c_void_p, ctypes.c_long
    for name in INITS:
        getattr(c, name).argtypes = [game, ctypes.c_int, INTS, ctypes.c_int, ctypes.POINTER(INTS)]
        getattr(c, name).restype = None
    for name in SELECTS:
        getattr(c, name).argtypes = [game, ctypes.c_int, INTS, INTS]
    c.differences.argtypes, c.differences.restype = [game, game, cells], cells
    c.clear_selected.argtypes, c.clear_selected.restype = [game, cells], None
    c.new_cells.argtypes, c.new_cells.restype = [cells], game
    c.free_cells.argtypes, c.free_cells.restype = [game], None
    return c


class Case:
    """One grid with its mines, for both sides, and memory of each that has been used before."""

    def __init__(self, c: ctypes.CDLL, shape: tuple[int, ...], share: float) -> None:
        self.c, self.shape, self.cells = c, shape, prod(shape)
        board = nd.Board.deal(nd.Spec(shape, round(share * self.cells), "any"), seed=1)
        self.name = f"{'x'.join(map(str, shape))}, {100 * share:g} %"
        self.mines = np.ascontiguousarray(np.argwhere(board.mines), dtype=np.intc)
        labels = board.openings.labels
        largest = int(np.bincount(labels.reshape(-1))[1:].argmax()) + 1
        self.start = tuple(int(x) for x in np.argwhere(labels == largest)[0])
        sizes = (ctypes.c_int * len(shape))(*shape)
        places = self.mines.ctypes.data + self.mines.strides[0] * np.arange(len(self.mines), dtype=np.uintp)
        self.places = places  # what int ** points to
        self.c_grid = len(shape), sizes
        self.c_mines = len(self.mines), ctypes.cast(places.ctypes.data, ctypes.POINTER(INTS))
        self.c_start = (ctypes.c_int * len(shape))(*self.start)
        self.in_c = c.new_cells(self.cells)
        self.ours = nd.new_game(shape)

    def init_c(self, name: str, game: int) -> None:
        getattr(self.c, name)(game, *self.c_grid, *self.c_mines)

    def init_ours(self, game: np.ndarray[Any, Any]) -> None:
        nd.init_game(game, len(self.shape), self.shape, len(self.mines), self.mines)

    def select_c(self, name: str) -> int:
        return int(getattr(self.c, name)(self.in_c, *self.c_grid, self.c_start))

    def select_ours(self) -> int:
        return nd.select_cell(self.ours, len(self.shape), self.shape, self.start)

    def check(self) -> int:
        """Compares all that is timed, cell by cell; gives the number of cells that the flood opens."""
        self.init_ours(self.ours)
        for name in INITS:
            self.init_c(name, self.in_c)
            self.demand_same(name)
        if self.select_ours() != 0:
            sys.exit(f"bench_cstruct.py: our select on {self.name} hits a mine.")
        for name in SELECTS:
            self.c.clear_selected(self.in_c, self.cells)
            self.select_c(name)
            self.demand_same(name)
        return int(self.ours["selected"].sum())

    def demand_same(self, name: str) -> None:
        differ = self.c.differences(self.in_c, self.ours.ctypes.data, self.cells)
        if differ:
            sys.exit(f"bench_cstruct.py: {differ} cells of {self.name} differ after {name}.")

    def close(self) -> None:
        self.c.free_cells(self.in_c)


# Timing ---------------------------------------------------------------------------------------


def seconds(function: Callable[[], object]) -> float:
    """The processor time of a call."""
    start = time.process_time()
    function()
    return time.process_time() - start


def fresh_c(case: Case, name: str) -> float:
    """C with memory of its own; giving it back is not timed."""
    kept = []

    def run() -> None:
        kept.append(case.c.new_cells(case.cells))
        case.init_c(name, kept[0])

    taken = seconds(run)
    case.c.free_cells(kept[0])
    return taken


def fresh_ours(case: Case) -> float:
    """The same here."""
    kept = []

    def run() -> None:
        kept.append(nd.new_game(case.shape))
        case.init_ours(kept[0])

    return seconds(run)


def flood_c(case: Case, name: str) -> float:
    case.c.clear_selected(case.in_c, case.cells)
    return seconds(lambda: case.select_c(name))


def flood_ours(case: Case) -> float:
    case.c.clear_selected(case.ours.ctypes.data, case.cells)
    return seconds(case.select_ours)


@dataclass
class Line:
    """Nanoseconds a cell of ours and of each C program, round by round."""

    what: str
    ours: list[float]
    peers: dict[str, list[float]]
    goal: float

    def ratio_to(self, name: str) -> float:
        return median(b / a for a, b in zip(self.ours, self.peers[name], strict=True))

    @property
    def peer(self) -> str:
        """The fastest plain program."""
        return min((name for name in self.peers if name != "init_tuned"), key=lambda name: median(self.peers[name]))

    def __str__(self) -> str:
        figures = "".join(f"{median(rounds):>13.1f}" for rounds in self.peers.values())
        ratio = self.ratio_to(self.peer)
        tuned = f"{self.ratio_to('init_tuned'):>10.2f}" if "init_tuned" in self.peers else ""
        verdict = "reached" if ratio >= self.goal else "short"
        found = f"{median(self.ours):>7.1f}{figures:<39}{ratio:>8.2f}"
        return f"{self.what:<42}{found}{self.goal:>6g}  {verdict:<8}{tuned}".rstrip()


def measure(case: Case, opened: int, rounds: int) -> list[Line]:
    """All lines of a case; both sides in turn in every round."""
    lines = [
        (f"init {case.name}, fresh memory", case.cells, INITS, INIT_GOAL, fresh_ours, fresh_c),
        (
            f"init {case.name}, memory used before",
            case.cells,
            INITS,
            INIT_GOAL,
            lambda case: seconds(lambda: case.init_ours(case.ours)),
            lambda case, name: seconds(lambda: case.init_c(name, case.in_c)),
        ),
        (f"flood {case.name}, {opened:,} cells", opened, SELECTS, FLOOD_GOAL, flood_ours, flood_c),
    ]
    found = []
    for what, cells, names, goal, ours, peer in lines:
        line = Line(what, [], {name: [] for name in names}, goal)
        for _ in range(rounds):
            line.ours.append(1e9 * ours(case) / cells)
            for name in names:
                line.peers[name].append(1e9 * peer(case, name) / cells)
        found.append(line)
    return found


def header(names: tuple[str, ...], last: str) -> str:
    columns = "".join(f"{'C ' + name.split('_')[1]:>13}" for name in names)
    return f"{'ns a cell':<42}{'ours':>7}{columns:<39}{'ratio':>8}{'goal':>6}  {'':<8}{last:>10}".rstrip()


def main(words: list[str] | None = None) -> int:
    """Prints the table."""
    from compare import machine, one_core  # beside this file; pytest, which collects here, does not find it

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="3 rounds, rough figures")
    parser.add_argument("--rounds", type=int, help="runs of each, in turn (default 7, quick 3)")
    options = parser.parse_args(words)
    rounds, lines = options.rounds or (3 if options.quick else 7), []
    with one_core(), tempfile.TemporaryDirectory() as folder:
        for shape, share in CASES:
            case = Case(build(Path(folder), 3 ** len(shape) - 1, len(shape)), shape, share)
            opened = case.check()
            lines += measure(case, opened, rounds)
            case.close()
    print(machine(), f"medians of {rounds} runs of each, in turn", "", sep="\n")
    print(header(INITS, "to tuned"), *(line for line in lines if line.goal == INIT_GOAL), sep="\n")
    print("", header(SELECTS, ""), *(line for line in lines if line.goal == FLOOD_GOAL), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
