"""Where the time of a simulation goes, in us a game: a table for the presets.

    python benchmarks/profile_simulate.py
    python benchmarks/profile_simulate.py --policy pairs --games 50000 --boards expert

The parts are methods that are wrapped for the run; each is charged what it spends itself,
less what the wrapped methods that it calls spend. Processor time, one core.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import ndsweep as nd
from ndsweep.engine.deal import Dealer
from ndsweep.engine.pairs import Pairs
from ndsweep.engine.slots import Slots
from ndsweep.policies import NAMED

BOARDS = {
    "beginner": nd.BEGINNER,
    "intermediate": nd.INTERMEDIATE,
    "expert": nd.EXPERT,
    "10x10x10": nd.Spec((10, 10, 10), 99),
    "4x4x4x4": nd.Spec((4, 4, 4, 4), 30),
}
PARTS = {
    "deal": "lay the mines of new games (Dealer.deal)",
    "seat": "clear their slots, make their planes, open their first cells (Slots.reseat)",
    "rules": "the rules and the floods (the policy's round)",
    "wins": "find the games that are won (Slots.take_wins)",
    "pairs": "compare pairs of numbers (Pairs.compare)",
    "guess": "tries for a guess, guessed cells (Slots.guess)",
    "rank": "guesses by rank (Slots._choose)",
    "totals": "count what the ended games came to (Slots.totals)",
    "rest": "the loop around all that, and the set-up",
}
METHODS = (
    (Dealer, "deal", "deal"),
    (Slots, "reseat", "seat"),
    (Slots, "take_wins", "wins"),
    (Pairs, "compare", "pairs"),
    (Slots, "guess", "guess"),
    (Slots, "_choose", "rank"),
    (Slots, "totals", "totals"),
)


class Clock:
    """Charges the time that passes to the part that runs: the innermost of those that were entered."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.calls: dict[str, int] = defaultdict(int)
        self.running, self.since = ["rest"], time.process_time()

    def charge(self) -> None:
        """Charges the time since the last charge."""
        now = time.process_time()
        self.seconds[self.running[-1]] += now - self.since
        self.since = now

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with its calls charged to a part."""

        def wrapped(*args: Any) -> Any:
            self.charge()
            self.running.append(part)
            self.calls[part] += 1
            try:
                return function(*args)
            finally:
                self.charge()
                self.running.pop()

        return wrapped


def profile(spec: nd.Spec, games: int, policy: str) -> Clock:
    """Simulates with all parts wrapped."""
    named, originals = NAMED[policy], [getattr(owner, name) for owner, name, _ in METHODS]
    clock = Clock()
    try:
        for (owner, name, part), function in zip(METHODS, originals, strict=True):
            setattr(owner, name, clock.timed(part, function))
        NAMED[policy] = replace(named, round=clock.timed("rules", named.round))
        nd.simulate(spec, games, policy, seed=1)
        clock.charge()
    finally:
        NAMED[policy] = named
        for (owner, name, _), function in zip(METHODS, originals, strict=True):
            setattr(owner, name, function)
    return clock


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--policy", choices=NAMED, default="single-point")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--boards", nargs="+", choices=BOARDS, default=list(BOARDS)[:3])
    options = parser.parse_args()
    clocks = []
    for name in options.boards:
        nd.simulate(BOARDS[name], min(options.games, 5_000), options.policy)  # imports, tables, memory
        clocks.append(profile(BOARDS[name], options.games, options.policy))
    print(f"{options.policy}, {options.games:,} games each, us a game", "", sep="\n")
    print(f"{'':<8}", *(f"{name:>13}" for name in options.boards))
    for part, meaning in PARTS.items():
        times = [1e6 * clock.seconds[part] / options.games for clock in clocks]
        if any(times):
            print(f"{part:<8}", *(f"{t:>13.2f}" for t in times), f"  {meaning}")
    print(f"{'all':<8}", *(f"{1e6 * sum(clock.seconds.values()) / options.games:>13.2f}" for clock in clocks))
    print(f"{'rounds':<8}", *(f"{clock.calls['rules']:>13,}" for clock in clocks))


if __name__ == "__main__":
    main()
