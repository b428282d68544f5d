"""Examples for learning a second, with and without mine probabilities, beside plain simulation of the same games.

    python benchmarks/bench_dataset.py            one minute
    python benchmarks/bench_dataset.py --quick    a quarter of one; rough

One core, processor time, medians of rounds. Goals at 16x30/99 under "single-point": 40,000 positions a
second without probabilities, 6,000 with them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import ndsweep as nd

KINDS = (
    (nd.BEGINNER, "single-point", 30_000),
    (nd.EXPERT, "single-point", 10_000),
    (nd.EXPERT, "exact", 500),
    (nd.Spec((6, 6, 6), 10), "single-point", 5000),
    (nd.Spec((4, 4, 4, 4), 6), "single-point", 2000),
)


def seconds(work: Callable[[], int]) -> tuple[int, float]:
    """What some work gives, and the processor time that it takes."""
    begin = time.process_time()
    found = work()
    return found, time.process_time() - begin


def examples(spec: nd.Spec, policy: str, games: int, which: str, probability: bool) -> int:
    """How many examples these games give."""
    return sum(block.count for block in nd.dataset(spec, games, policy, which=which, probability=probability))


def rate(work: Callable[[], int], rounds: int) -> float:
    """How many things a second, of all rounds the median."""
    return median(found / time for found, time in (seconds(work) for _ in range(rounds)))


def main() -> None:
    """Prints a line for each kind of game and of examples."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    rounds, share = (1, 5) if quick else (3, 1)
    print(f"{'':34}{'games/s':>10}{'':12}{'positions/s':>13}{'with chances':>14}")
    for spec, policy, most in KINDS:
        games = most // share
        played = rate(lambda: nd.simulate(spec, games, policy).games, rounds)  # noqa: B023
        for which in ("guesses", "all", "random"):
            bare, full = (
                rate(lambda: examples(spec, policy, part, which, chances), rounds)  # noqa: B023
                for part, chances in ((games, False), (games // 10, True))
            )
            size = "x".join(map(str, spec.shape))
            print(f"{size + f'/{spec.mines} ' + policy:34}{played:10,.0f}  {which:10}{bare:13,.0f}{full:14,.0f}")


if __name__ == "__main__":
    main()
