"""The study of docs/study.md, all of it: python docs/study/run.py

Plays the games of the plans, finds where openings stop spanning, and writes tables and figures.  What is finished is
kept in two stores, so it goes on where it was when it is started again.
"""

import argparse
import sys
import time
from pathlib import Path

import spanning
from draw import draw_rates, draw_spanning
from report import curves_of, lines, read_table

import ndsweep as nd
from ndsweep.executors import outcomes
from ndsweep.frontends.options import pool
from ndsweep.plan import read_plan

HERE = Path(__file__).resolve().parent
SIZES = {  # boards of each
    2: {150: 600, 300: 400, 600: 300, 1200: 80},
    3: {24: 400, 32: 400, 48: 250, 64: 200, 96: 120},
    4: {8: 300, 12: 300, 16: 150, 24: 80, 32: 50},
}
QUICK_GAMES = 15
QUICK_SIZES = {2: {20: 20, 30: 20, 40: 20}, 3: {8: 20, 10: 20, 12: 20}, 4: {4: 20, 5: 20, 6: 20}}


def read_arguments():
    """The options of the command line."""
    parser = argparse.ArgumentParser(description="Does the study of docs/study.md, or goes on with it.")
    parser.add_argument("--workers", type=int, default=2, metavar="K", help="number of processes (default 2)")
    parser.add_argument("--quick", action="store_true", help="few games and small boards, to see that it runs")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where to write (default: the files of the page)")
    arguments = parser.parse_args()
    if arguments.quick and arguments.out is None:
        parser.error("--quick needs --out: its results are not those of the page")
    return arguments


def play(executor, store, quick):
    """Plays what the two plans ask for; gives the study of both."""
    for name in ("plan.toml", "pairs.toml"):
        plan = read_plan(HERE / name)
        games = QUICK_GAMES if quick else plan.games
        nd.collect(plan.tasks, games, executor, store, sys.stderr.isatty(), **plan.options)
    return nd.Study.open(store)


def find_thresholds(executor, store, sizes):
    """Finds all thresholds that are not in the store yet; gives them by shape, in order of the games."""
    for shape, found in outcomes(executor, spanning.thresholds_of, spanning.jobs(store, sizes)):
        store.add(shape, found)
    return {shape: list(store.known(shape, games).values()) for shape, games in sizes.items()}


def main():
    """Runs it."""
    arguments = read_arguments()
    folder = arguments.out or HERE
    images = arguments.out or HERE.parent / "images"
    folder.mkdir(parents=True, exist_ok=True)
    sizes = QUICK_SIZES if arguments.quick else SIZES
    shapes = {(side,) * axes: boards for axes, some in sizes.items() for side, boards in some.items()}
    began = time.monotonic()
    with pool(arguments.workers) as executor:
        play(executor, folder / "games.db", arguments.quick).export(folder / "table.csv")
        print(f"games: {time.monotonic() - began:.0f} s", flush=True)
        found = find_thresholds(executor, spanning.Store(folder / "spanning.db"), shapes)
        spanning.write(folder / "spanning.csv", found)
        print(f"with spanning: {time.monotonic() - began:.0f} s", flush=True)
    rows, found = read_table(folder / "table.csv"), spanning.read(folder / "spanning.csv")
    limits = {axes: spanning.limit(curves) for axes, curves in curves_of(found).items()}
    draw_rates(rows, limits, images / "study_rates.png")
    draw_spanning(found, images / "study_spanning.png")
    print("", *lines(rows, found), sep="\n")


if __name__ == "__main__":
    main()
