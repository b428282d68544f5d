"""ndsweep beside what a user would pick instead, in one run on one machine.

    python benchmarks/compare.py            about two minutes
    python benchmarks/compare.py --quick    half a minute; short runs are rough, and cost us up to a seventh

A figure of one machine and hour says little; a ratio taken side by side says more. So the two
of each line run in turn, round after round, on one pinned core and by processor time, which
other programs disturb least; a line gives the medians of the rates and of the rounds' ratios.
Two worker processes against one is the exception: not pinned, by the clock on the wall.

Two players in C are compiled here: peers/plain.c, which has the goals, and peers/tuned.c, which
shows how far C goes. All must play the same game: wins, guesses and opened cells have to agree
within sampling error, or the run fails.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from math import sqrt
from pathlib import Path
from statistics import median

import numpy as np

import ndsweep as nd

PEERS = Path(__file__).parent / "peers"
CUBE, TESSERACT = nd.Spec((10, 10, 10), 99), nd.Spec((4, 4, 4, 4), 30)
PARTS = ("play", "deal", "numbers", "pairs", "workers", "memory")
MOST_Z = 5.0  # of some 15 comparisons, one in 100,000 runs goes beyond by chance

MEMORY = """
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
import ndsweep as nd

games = int(sys.argv[1])
unit = 1 if sys.platform == "darwin" else 1024
with ProcessPoolExecutor(2) as pool:
    nd.simulate(nd.EXPERT, games, executor=pool)
workers = getrusage(RUSAGE_CHILDREN).ru_maxrss * unit
nd.simulate(nd.EXPERT, games)
alone = getrusage(RUSAGE_SELF).ru_maxrss * unit
status = Path("/proc/self/status")
if status.exists():  # there, getrusage counts what the parent held before it started this program
    alone = int(status.read_text().split("VmHWM:")[1].split()[0]) * 1024
print(alone, workers)
"""


@dataclass(frozen=True)
class Goal:
    """What a figure should be: at least, or at most, so much; ``aim`` is what it would be at best."""

    least: float | None = None
    most: float | None = None
    aim: float | None = None
    of_rate: bool = False  # a goal of our rate rather than of the ratio

    def __str__(self) -> str:
        if self.most is not None:
            return f"at most {self.most:,g}"
        aim = "" if self.aim is None else f", aim {self.aim:g}"
        return f"{'our rate ' if self.of_rate else ''}at least {self.least:,g}{aim}"

    def verdict(self, figure: float) -> str:
        """Whether a figure reaches the goal."""
        if self.most is not None:
            return "reached" if figure <= self.most else "short"
        if self.aim is not None and figure >= self.aim:
            return "reached, aim too"
        return "reached" if figure >= (self.least or 0) else "short"


@dataclass
class Line:
    """One line of the report: our rate, the rate it is held against, their ratio."""

    what: str
    unit: str
    ours: float
    peer: float | None = None
    ratio: float | None = None
    goal: Goal | None = None
    verdict: str = field(init=False)

    def __post_init__(self) -> None:
        figure = self.ours if self.ratio is None or (self.goal and self.goal.of_rate) else self.ratio
        self.verdict = self.goal.verdict(figure) if self.goal else "no goal"

    def __str__(self) -> str:
        peer = "" if self.peer is None else f"{self.peer:,.0f}"
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        goal = str(self.goal) if self.goal else ""
        return f"{self.what:<36}{self.ours:>12,.0f}{peer:>12} {self.unit:<9}{ratio:>7}  {goal:<29}{self.verdict}"


@dataclass(frozen=True)
class Plan:
    """How long to measure: rounds of runs in turn, each so many seconds or so many games."""

    rounds: int
    seconds: float
    games: int | None
    many: int  # games of the runs that are meant for a million

    def games_at(self, rate: float) -> int:
        """The size of a run of something that does so many games a second."""
        return self.games or max(1000, int(rate * self.seconds))


Run = Callable[[int, int], float]
"""Plays so many games with a seed, and gives the seconds that took."""


# Measuring -------------------------------------------------------------------------------------


def in_turn(plan: Plan, *runs: Run) -> list[list[float]]:
    """The rates of each run, round by round, all runs in every round."""
    sizes = []
    for run in runs:
        run(1000, 0)  # the first run pays for imports and tables
        sizes.append(plan.games_at(8000 / run(8000, 0)))
    rates: list[list[float]] = [[] for _ in runs]
    for turn in range(plan.rounds):
        for run, games, rate in zip(runs, sizes, rates, strict=True):
            rate.append(games / run(games, turn + 1))
    return rates


def line_of(what: str, unit: str, ours: list[float], peer: list[float], goal: Goal | None) -> Line:
    """The line of two lists of rates."""
    ratio = median(a / b for a, b in zip(ours, peer, strict=True))
    return Line(what, unit, median(ours), median(peer), ratio, goal)


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps this process and those that it starts on one core, where the system allows it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def processor_seconds(function: Callable[[], object]) -> float:
    """The processor time of a call."""
    start = time.process_time()
    function()
    return time.process_time() - start


# The players -----------------------------------------------------------------------------------


@dataclass
class Totals:
    """What a player's games have come to."""

    games: int = 0
    wins: int = 0
    guesses: int = 0
    opened: int = 0

    def add(self, *counts: int) -> None:
        """Adds the counts of more games."""
        for name, count in zip(("games", "wins", "guesses", "opened"), counts, strict=True):
            setattr(self, name, getattr(self, name) + count)

    def __str__(self) -> str:
        n = self.games
        return f"{100 * self.wins / n:>9.3f} %{self.guesses / n:>9.3f}{self.opened / n:>9.2f}"


def build_player(name: str) -> Path:
    """Compiles a C player; ends the program with one line if that fails."""
    found = os.environ.get("CC") or next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    if found is None:
        sys.exit(f"compare.py: no C compiler. Install cc, gcc or clang, or name one in CC, to build peers/{name}.c.")
    source, program = PEERS / f"{name}.c", PEERS / "build" / name
    program.parent.mkdir(exist_ok=True)
    for flags in (["-O3", "-march=native"], ["-O3"]):  # some compilers know no -march=native
        command = [*shlex.split(found), *flags, "-o", str(program), str(source)]
        try:
            done = subprocess.run(command, capture_output=True, text=True)
        except OSError as error:
            sys.exit(f"compare.py: cannot run the C compiler {found!r}: {error.strerror}.")
        if done.returncode == 0:
            return program
    sys.exit(f"compare.py: {found} cannot build {source.name}: {(done.stderr.splitlines() or ['no message'])[0]}")


def player_command(player: Path, spec: nd.Spec, games: int, seed: int) -> list[str]:
    """The command that has the C player play."""
    return [str(player), *map(str, (games, seed, spec.mines, *spec.shape))]


def our_run(spec: nd.Spec) -> tuple[Run, Totals]:
    """Our player for games of one kind, with its totals."""
    totals = Totals()

    def run(games: int, seed: int) -> float:
        start = time.process_time()
        result = nd.simulate(spec, games, seed=seed)
        seconds = time.process_time() - start
        if seed:  # seed 0 is for warming up
            totals.add(result.games, result.wins, result.counts["guesses"], result.counts["opened"])
        return seconds

    return run, totals


def peer_run(player: Path, spec: nd.Spec) -> tuple[Run, Totals]:
    """A C player for games of one kind, with its totals."""
    totals = Totals()

    def run(games: int, seed: int) -> float:
        output = subprocess.check_output(player_command(player, spec, games, seed), text=True).split()
        if seed:
            totals.add(*(int(output[i]) for i in (0, 2, 3, 4)))
        return max(float(output[1]), 1e-6)

    return run, totals


@dataclass
class Match:
    """The games of both players on one board, and how far apart their averages are, in standard errors."""

    board: str
    ours: Totals
    peer: Totals
    apart: dict[str, float]

    @property
    def same_game(self) -> bool:
        """Whether the differences are within sampling error."""
        return max(map(abs, self.apart.values())) < MOST_Z

    def __str__(self) -> str:
        verdict = "the same game" if self.same_game else "NOT THE SAME GAME"
        largest = max(map(abs, self.apart.values()))
        return f"{self.board:<20}{self.ours}{self.peer}   {verdict}, at most {largest:.1f} standard errors apart"


MATCH_HEAD = f"{'per game':<20}{'our wins':>11}{'guesses':>9}{'opened':>9}{'C wins':>11}{'guesses':>9}{'opened':>9}"


def match_of(name: str, spec: nd.Spec, ours: Totals, peer: Totals) -> Match:
    """Compares wins, guesses and opened cells a game; how they spread is taken from games of ours."""
    records = nd.simulate(spec, 20_000, seed=-1, records=True).records
    apart = {}
    for total, column in (("wins", "won"), ("guesses", "guesses"), ("opened", "opened")):
        difference = getattr(ours, total) / ours.games - getattr(peer, total) / peer.games
        spread = float(np.std(records[column])) or 1 / sqrt(len(records))  # all alike: rare, not impossible
        apart[total] = difference / (spread * sqrt(1 / ours.games + 1 / peer.games))
    return Match(f"{name_of(spec)} {name}", ours, peer, apart)


# The parts of the report -----------------------------------------------------------------------


def play(plan: Plan) -> tuple[list[Line], list[Match]]:
    """Single-point play against both C players; the goals are held against the plain one."""
    players, lines, matches = {name: build_player(name) for name in ("plain", "tuned")}, [], []
    in_2d, in_nd = Goal(1.0, aim=2.0), Goal(20_000, of_rate=True)
    boards = (
        (nd.BEGINNER, in_2d),
        (nd.INTERMEDIATE, in_2d),
        (nd.EXPERT, Goal(1.0, aim=1.5)),
        (CUBE, in_nd),
        (TESSERACT, in_nd),
    )
    for spec, goal in boards:
        ours, our_totals = our_run(spec)
        peers = {name: peer_run(player, spec) for name, player in players.items()}
        our_rates, *peer_rates = in_turn(plan, ours, *(run for run, _ in peers.values()))
        for (name, (_, totals)), rates in zip(peers.items(), peer_rates, strict=True):
            what = f"play {name_of(spec)}: ours, {name} C"
            lines.append(line_of(what, "games/s", our_rates, rates, goal if name == "plain" else None))
            matches.append(match_of(name, spec, our_totals, totals))
    return lines, matches


def deal(plan: Plan) -> list[Line]:
    """Dealing expert boards with hints against ms-toollib, from Python."""
    try:
        from ms_toollib import laymine
    except ImportError:
        print('left out: dealing needs ms-toollib (pip install ".[bench]")', file=sys.stderr)
        return []
    rows, columns = nd.EXPERT.shape
    batch = 4096

    def ours(games: int, seed: int) -> float:
        def run() -> None:
            for start in range(0, games, batch):
                _ = nd.Batch.deal(nd.EXPERT, min(batch, games - start), seed, start).hints

        return processor_seconds(run)

    def peer(games: int, seed: int) -> float:
        return processor_seconds(lambda: [laymine(rows, columns, nd.EXPERT.mines, 0, 0) for _ in range(games)])

    rates = in_turn(plan, ours, peer)
    return [line_of("deal expert, hints: ours, ms-toollib", "boards/s", *rates, Goal(10))]


def numbers(plan: Plan) -> list[Line]:
    """3BV and openings of expert boards that are there already, against ms-toollib; both must find the same."""
    try:
        from ms_toollib import cal_bbbv
    except ImportError:
        print('left out: 3BV needs ms-toollib (pip install ".[bench]")', file=sys.stderr)
        return []

    def ours(games: int, seed: int) -> float:
        batch = nd.Batch.deal(nd.EXPERT, games, seed)
        return processor_seconds(lambda: nd.measure(batch, ["bbbv", "openings"]))

    def peer(games: int, seed: int) -> float:
        batch = nd.Batch.deal(nd.EXPERT, games, seed)
        boards = np.where(batch.mines, -1, batch.hints.astype(int)).tolist()
        found: list[int] = []
        seconds = processor_seconds(lambda: found.extend(map(cal_bbbv, boards)))
        if found != nd.measure(batch, ["bbbv"])["bbbv"].tolist():
            raise SystemExit("the 3BV of ours and of ms-toollib differ")
        return seconds

    rates = in_turn(plan, ours, peer)
    return [line_of("3BV and openings of expert boards: ours, 3BV by ms-toollib", "boards/s", *rates, Goal(8))]


def pairs(plan: Plan) -> list[Line]:
    """What the comparison of pairs costs."""

    def run_of(policy: str) -> Run:
        return lambda games, seed: processor_seconds(lambda: nd.simulate(nd.EXPERT, games, policy, seed))

    rates = in_turn(plan, run_of("pairs"), run_of("single-point"))
    return [line_of("play expert: pairs, single-point", "games/s", *rates, Goal(0.2))]


def workers(plan: Plan) -> list[Line]:
    """Two worker processes against one, and what two C players at once get out of this machine."""
    player = build_player("plain")
    with ProcessPoolExecutor(1) as one, ProcessPoolExecutor(2) as two:
        for pool in (one, two):
            nd.simulate(nd.EXPERT, 20_000, executor=pool)  # starts the workers
        rates: dict[str, list[float]] = {"one": [], "two": [], "one C": [], "two C": []}
        for _ in range(max(2, plan.rounds // 2)):
            for name, pool in (("one", one), ("two", two)):
                start = time.perf_counter()
                nd.simulate(nd.EXPERT, plan.many, executor=pool)
                rates[name].append(plan.many / (time.perf_counter() - start))
            for name, count in (("one C", 1), ("two C", 2)):
                rates[name].append(count * plan.many / wall_seconds(player, plan.many, count))
    ours = line_of("play expert: two workers, one", "games/s", rates["two"], rates["one"], Goal(1.8))
    machine_gives = line_of("beside it: two C players, one", "games/s", rates["two C"], rates["one C"], None)
    if ours.verdict == "short" and (machine_gives.ratio or 0) < 1.8:
        ours.verdict = "short, machine busy"  # two programs that share nothing do no better
    return [ours, machine_gives]


def wall_seconds(player: Path, games: int, count: int) -> float:
    """How long so many C players take side by side, each with all the games."""
    start = time.perf_counter()
    players = [
        subprocess.Popen(player_command(player, nd.EXPERT, games, seed), stdout=subprocess.DEVNULL)
        for seed in range(count)
    ]
    for process in players:
        process.wait()
    return time.perf_counter() - start


def memory(plan: Plan) -> list[Line]:
    """The largest memory of a process that plays a million expert games."""
    if find_spec("resource") is None:
        print("left out: memory needs the module resource, which this system does not have", file=sys.stderr)
        return []
    output = subprocess.check_output([sys.executable, "-c", MEMORY, str(plan.many)], text=True)
    alone, in_workers = (int(word) / 1e6 for word in output.split())
    goal = Goal(most=300)
    return [
        Line(f"peak memory, {plan.many:,} expert games", "MB", alone, goal=goal),
        Line("the same, the larger of two workers", "MB", in_workers, goal=goal),
    ]


# The report ------------------------------------------------------------------------------------


def name_of(spec: nd.Spec) -> str:
    """A board as it is usually written: 16x30/99."""
    return f"{'x'.join(map(str, spec.shape))}/{spec.mines}"


def machine() -> str:
    """What this is measured on."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    versions = f"ndsweep {nd.__version__}, Python {platform.python_version()}, NumPy {np.__version__}"
    return f"{versions}, {platform.machine()}, {os.cpu_count()} cores{load}"


def measure(plan: Plan, parts: list[str]) -> tuple[list[Line], list[Match]]:
    """All lines of the parts, and what both players have played."""
    lines: list[Line] = []
    matches: list[Match] = []
    with one_core():
        if "play" in parts:
            lines, matches = play(plan)
        for name, part in (("deal", deal), ("numbers", numbers), ("pairs", pairs)):
            if name in parts:
                lines += part(plan)
    for name, part in (("workers", workers), ("memory", memory)):
        if name in parts:
            lines += part(plan)
    return lines, matches


def arguments(words: list[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--quick", action="store_true", help="short runs, rough figures")
    parser.add_argument("--seconds", type=float, help="length of one run (default 1, quick 0.2)")
    parser.add_argument("--games", type=int, help="games in one run, instead of --seconds")
    parser.add_argument("--rounds", type=int, help="runs of each, in turn (default 5, quick 3)")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="what to measure (default all)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    """Runs the comparison; 1 if the players do not play the same game."""
    options = arguments(words)
    rounds, seconds, many = (3, 0.2, 200_000) if options.quick else (5, 1.0, 1_000_000)
    plan = Plan(options.rounds or rounds, options.seconds or seconds, options.games, many)
    lines, matches = measure(plan, options.parts)
    if options.json:
        found = {"lines": [asdict(line) for line in lines], "matches": [asdict(match) for match in matches]}
        print(json.dumps({"machine": machine(), **found}, indent=1))
    else:
        length = f"{plan.games:,} games" if plan.games else f"about {plan.seconds:g} s"
        print(machine(), f"medians of {plan.rounds} runs of {length} each, in turn", "", sep="\n")
        print(f"{'':<36}{'ours':>12}{'against':>12} {'':<9}{'ratio':>7}  goal", *lines, sep="\n")
        if matches:
            print("", MATCH_HEAD, *matches, sep="\n")
    if not all(match.same_game for match in matches):
        print("compare.py: the players do not play the same game.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
