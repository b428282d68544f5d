"""The exact solver beside `cal_probability_onboard` of ms_toollib (Rust), called from Python.

    python benchmarks/bench_solver.py            two minutes
    python benchmarks/bench_solver.py --quick    a quarter of one; rough

Both sides run in turn, round after round, on one core and by processor time; a figure is a median,
a ratio the median of the rounds' ratios. All chances are compared before anything is timed.

- Positions: those of expert games in which single numbers and pairs of them prove nothing, met while
  `exact` plays. Ours are solved at once, from the views on, theirs one after the other from lists that
  are not timed. Goal: 10 times as many, aim 20.
- One of them alone: the median is to be under 5 ms.
- Games: `nd.simulate` under "exact" beside a player of ms_toollib's chances that opens what is safe
  and else the least likely mine, its boards dealt by us. Goals of ours: 8,000, 2,000 and 400 games a
  second, aims twice that.
- The comb: 26 numbers around one front of 74 cells. Goal: 2 seconds.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import islice
from statistics import median

import numpy as np
import numpy.typing as npt

import ndsweep as nd

View = npt.NDArray[np.int8]
Lists = list[list[int]]
GAMES = ((nd.BEGINNER, 8000, 400), (nd.INTERMEDIATE, 2000, 80), (nd.EXPERT, 400, 20))
_HIDDEN = 10  # of ms_toollib


def stuck(spec: nd.Spec) -> Iterator[View]:
    """Views of played games in which no number and no pair of numbers proves a cell safe."""
    game_number = 0
    while True:
        game = nd.Game.new(spec, game=game_number)
        game_number += 1
        game.reveal(0)
        while game.status == nd.Status.PLAYING:
            safe = nd.deduce(game.view, rules=("single", "pairs")).safe
            if not safe.any():
                if np.count_nonzero(game.view >= 0) > 1:
                    yield game.view
                chances = nd.mine_probability(game.view, spec.mines).p
                safe = chances == 0
                safe.reshape(-1)[np.nanargmin(chances)] = True
            for cell in np.argwhere(safe):
                game.reveal(tuple(cell))


def as_lists(view: View) -> Lists:
    return [[int(code) for code in row] for row in np.where(view == nd.HIDDEN, _HIDDEN, view)]


def their_chances(boards: list[Lists], mines: int) -> list[Lists]:
    from ms_toollib import cal_probability_onboard

    return [cal_probability_onboard(board, mines)[0] for board in boards]


def their_wins(boards: list[tuple[Lists, int, int]], mines: int) -> int:
    """How many boards are won by ms_toollib's chances, each from its first cell on."""
    from ms_toollib import cal_probability_onboard, refresh_board

    wins = 0
    for numbers, row, column in boards:
        view = [[_HIDDEN] * len(line) for line in numbers]
        cells, safe = [(row, column)], sum(n >= 0 for line in numbers for n in line)
        while all(numbers[i][j] >= 0 for i, j in cells):
            view = refresh_board(numbers, view, cells)
            hidden = [(i, j) for i, line in enumerate(view) for j, n in enumerate(line) if n == _HIDDEN]
            if sum(map(len, view)) - len(hidden) == safe:
                wins += 1
                break
            chances, _ = cal_probability_onboard(view, mines)
            least = min(chances[i][j] for i, j in hidden)
            cells = [(i, j) for i, j in hidden if chances[i][j] == least][: None if least == 0 else 1]
    return wins


def dealt(spec: nd.Spec, games: int) -> list[tuple[Lists, int, int]]:
    """The first games of a seed as ms_toollib takes them, -1 for a mine, with their first cells."""
    batch = nd.Batch.deal(spec, games, seed=1)
    numbers = np.where(batch.mines, -1, batch.hints.astype(int)).tolist()
    return [(board, *divmod(int(cell), spec.shape[1])) for board, cell in zip(numbers, batch.first_cells, strict=True)]


def ratio_line(what: str, ours: list[float], peer: list[float], goal: str) -> str:
    ratio = median(a / b for a, b in zip(ours, peer, strict=True))
    return f"{what:<44}{median(ours):>12,.0f}{median(peer):>12,.0f}{ratio:>10.1f}  {goal}"


def positions(count: int, rounds: int) -> list[str]:
    from bench_cstruct import seconds

    views = np.array(list(islice(stuck(nd.EXPERT), count)))
    mines = np.full(count, nd.EXPERT.mines)
    boards = [as_lists(view) for view in views]
    ours, theirs = nd.mine_probability(views, mines).p, np.array(their_chances(boards, nd.EXPERT.mines))
    if not np.allclose(ours[views < 0], theirs[views < 0], rtol=0, atol=1e-9):
        sys.exit("bench_solver.py: the chances are not those of ms_toollib.")
    rates: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        rates[0].append(count / seconds(partial(nd.mine_probability, views, mines)))
        rates[1].append(count / seconds(partial(their_chances, boards, nd.EXPERT.mines)))
    alone = [seconds(partial(nd.mine_probability, view, nd.EXPERT.mines)) for view in views]
    return [
        ratio_line(f"{count} stuck expert positions, a second", *rates, "at least 10, aim 20"),
        f"{'one of them alone, ms, median':<44}{1000 * median(alone):>12.2f}{'':>24}at most 5",
    ]


def games(spec: nd.Spec, goal: int, fewer: int, rounds: int, share: float) -> str:
    from bench_cstruct import seconds

    many, few = int(goal * 5 * share), max(4, int(fewer * share))
    boards = dealt(spec, few)
    rates: tuple[list[float], list[float]] = ([], [])
    for seed in range(rounds):
        rates[0].append(many / seconds(partial(nd.simulate, spec, many, "exact", seed)))
        rates[1].append(few / seconds(partial(their_wins, boards, spec.mines)))
    what = f"{'x'.join(map(str, spec.shape))}/{spec.mines} games under exact, a second"
    return ratio_line(what, *rates, f"ours at least {goal:,}, aim {2 * goal:,}")


def comb() -> str:
    opened = np.zeros((10, 21), dtype=bool)
    opened[[[0], [2]], ::2] = True
    opened[4, :8:2] = True
    mines = np.zeros(opened.size, dtype=bool)
    mines[np.random.default_rng(0).permutation(np.flatnonzero(~opened))[:75]] = True
    board = nd.Board(mines.reshape(opened.shape))
    view = np.where(opened, board.hints.astype(int), nd.HIDDEN)
    start = time.process_time()
    found = nd.mine_probability(view, 75)
    taken = time.process_time() - start
    return f"{'the comb, seconds' + ('' if found.exact else ', NOT EXACT'):<44}{taken:>12.3f}{'':>24}at most 2"


def main(words: list[str] | None = None) -> int:
    """Prints the table."""
    from compare import machine, one_core

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="runs of each, in turn (default 5)")
    parser.add_argument("--quick", action="store_true", help="a quarter of a minute; rough")
    arguments = parser.parse_args(words)
    rounds, share = (1, 0.1) if arguments.quick else (arguments.rounds, 1.0)
    with one_core():
        lines = positions(60 if arguments.quick else 1000, rounds)
        lines += [games(*kind, rounds, share) for kind in GAMES]
        lines.append(comb())
    print(machine(), f"medians of {rounds} runs of each, in turn", "", sep="\n")
    print(f"{'':<44}{'ours':>12}{'ms_toollib':>12}{'ratio':>10}", *lines, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
