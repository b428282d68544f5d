"""ZiNi of many boards at once, and of one large board, beside `cal_zini` of ms_toollib (Rust), called from Python.

    python benchmarks/bench_zini.py            half a minute

Both sides run in turn, round after round, on one core and by processor time; a figure is a median,
a ratio the median of the rounds' ratios. All numbers are compared before anything is timed.

- One scan: `zini_of` of so many boards in C order against `cal_zini` of each transposed board, as
  it scans by columns. Its boards are lists with the numbers in place, which is not timed; ours are
  the mines alone. Goal for 2048 expert boards: 2 times as fast.
- Every scan: `least_zini_of` against `cal_zini` of the eight turned boards. Goal: 2 times as fast.
- One board: `nd.zini`, which has no other boards to take its steps with; no goal. Ours grows
  little faster than the cells, that of ms_toollib with their square.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from statistics import median

import numpy as np
import numpy.typing as npt

import ndsweep as nd
from ndsweep.engine.premiums import least_zini_of, zini_of

Mines = npt.NDArray[np.bool_]
Numbers = list[list[int]]


def numbers(mines: Mines) -> Numbers:
    """A board as ms_toollib takes it: lists of numbers, -1 for a mine."""
    return [[int(hint) for hint in row] for row in np.where(mines, -1, nd.Board(mines).hints.astype(int))]


def turned(mines: Mines) -> list[Mines]:
    """A board on its eight sides."""
    return [np.flip(side, axes) for side in (mines, mines.T) for axes in ((), 0, 1, (0, 1))]


def of_each(boards: list[Numbers]) -> list[int]:
    from ms_toollib import cal_zini

    return [cal_zini(board) for board in boards]


def of_all_sides(boards: list[list[Numbers]]) -> list[int]:
    return [min(of_each(sides)) for sides in boards]


def compared(
    what: str, boards: int, rounds: int, goal: float | None, ours: Callable[[], object], peer: Callable[[], object]
) -> str:
    """A line of the table: microseconds a board of ours and of the peer, and how many times as fast ours is."""
    from bench_cstruct import seconds

    if list(np.atleast_1d(np.asarray(ours()))) != list(np.atleast_1d(np.asarray(peer()))):
        sys.exit(f"bench_zini.py: the numbers of {what} are not those of ms_toollib.")
    times = [(seconds(ours), seconds(peer)) for _ in range(rounds)]
    ratio = median(other / own for own, other in times)
    figures = "".join(f"{1e6 * median(side) / boards:>14,.1f}" for side in zip(*times, strict=True))
    verdict = "" if goal is None else f"{goal:>8g}  {'reached' if ratio >= goal else 'short'}"
    return f"{what:<44}{figures}{ratio:>10.2f}{verdict}"


def one_scan(name: str, spec: nd.Spec, boards: int, rounds: int, goal: float | None) -> str:
    mines = np.ascontiguousarray(nd.Batch.deal(spec, boards, seed=1).mines)
    peers = [numbers(one.T) for one in mines]
    return compared(f"{boards} {name}, C order", boards, rounds, goal, partial(zini_of, mines), partial(of_each, peers))


def every_scan(name: str, spec: nd.Spec, boards: int, rounds: int, goal: float | None) -> str:
    mines = np.ascontiguousarray(nd.Batch.deal(spec, boards, seed=1).mines)
    peers = [[numbers(side) for side in turned(one)] for one in mines]
    what = f"{boards} {name}, all eight scans"
    return compared(what, boards, rounds, goal, partial(least_zini_of, mines), partial(of_all_sides, peers))


def one_board(side: int, rounds: int) -> str:
    board = nd.Board.deal(nd.Spec((side, side), side * side // 5), seed=1)
    peer = partial(of_each, [numbers(board.mines.T)])
    return compared(f"one of {side}x{side}, a fifth mines", 1, rounds, None, partial(nd.zini, board), peer)


def main(words: list[str] | None = None) -> int:
    """Prints the table."""
    from compare import machine, one_core

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="runs of each, in turn (default 7)")
    rounds = parser.parse_args(words).rounds
    with one_core():
        lines = [
            one_scan("expert", nd.EXPERT, 256, rounds, None),
            one_scan("expert", nd.EXPERT, 2048, rounds, 2.0),
            one_scan("beginner", nd.BEGINNER, 8192, rounds, None),
            every_scan("expert", nd.EXPERT, 256, rounds, 2.0),
            one_board(16, rounds),
            one_board(100, rounds),
            one_board(250, 1),
        ]
    print(machine(), f"medians of {rounds} runs of each, in turn", "", sep="\n")
    print(f"{'us a board':<44}{'ours':>14}{'ms_toollib':>14}{'ratio':>10}{'goal':>8}", *lines, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
