"""What a store costs, what a second worker gains, and how long ten thousand tasks take to begin.

Goals: at most 3 % over plain `nd.simulate` for a million expert games; two workers 1.8 times as
fast as one; with 10,000 tasks in one store the status in 1 s, the start in 3 s.
Run: python benchmarks/bench_collect.py [--quick]
"""

import argparse
import statistics
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import ndsweep as nd


def seconds(work):
    """How long some work takes by the clock."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def collect(folder, games, executor=None):
    """Expert games through a new store."""
    path = Path(folder, f"{time.monotonic_ns()}.db")
    study = nd.collect([nd.EXPERT], games, executor, path, progress=False)
    if study[0].games != games:
        raise RuntimeError(f"{study[0].games} games of {games}")


def in_turn(rounds, works):
    """The times of some works, each so often and in turn, as the machine's speed drifts."""
    times = [[seconds(work) for work in works] for _ in range(rounds)]
    return [list(column) for column in zip(*times, strict=True)]


def report(name, above, below, unit):
    """The median of the ratios of each round."""
    ratios = sorted(a / b for a, b in zip(above, below, strict=True))
    print(f"{name:<58} {statistics.median(ratios):6.3f}  ({ratios[0]:.3f} .. {ratios[-1]:.3f}) {unit}")


def main(games, rounds, tasks):
    """Prints the figures beside their goals."""
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(2) as two, ProcessPoolExecutor(1) as one:
        for pool in (one, two):
            list(pool.map(str, range(4)))  # the processes are there before the clock runs
        plain, stored = in_turn(rounds, [lambda: nd.simulate(nd.EXPERT, games), lambda: collect(folder, games)])
        report(f"{games:,} expert games: collect with a store / simulate", stored, plain, "goal 1.03")
        single, double = in_turn(rounds, [lambda: collect(folder, games, one), lambda: collect(folder, games, two)])
        report("the same: one worker / two workers", single, double, "goal 1.8")
        path = Path(folder, "many.db")
        many = [nd.Task(nd.Spec((4, 4), 3), seed=seed) for seed in range(tasks)]
        first = seconds(lambda: next(nd.iter_collect(many, 64, store=path, progress=False)))
        print(f"{tasks:,} tasks: first block of a new study after {first:.2f} s, goal 3")
        nd.collect(many, 64, two, path, progress=False)
        print(f"{tasks:,} tasks: status of the finished study {seconds(lambda: nd.Study.open(path)):.2f} s, goal 1")
        again = seconds(lambda: next(nd.iter_collect(many, 65, store=path, progress=False)))
        print(f"{tasks:,} tasks: first block of the study resumed after {again:.2f} s, goal 3")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a smoke run")
    quick = parser.parse_args().quick
    main(20_000 if quick else 1_000_000, 1 if quick else 5, 100 if quick else 10_000)
