"""The command ``ndsweep``.

Each command is a function that takes the parsed arguments and prints; what is wrong with
them is said in one line on standard error, with exit code 2.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import ndsweep as nd
from ndsweep.frontends import boards, puzzles, solve, studies, surveys
from ndsweep.frontends.console import let_go
from ndsweep.frontends.kinds import add_kind, spec_in
from ndsweep.frontends.options import MOST_WORKERS, check_picture, first_cell_in, integer, number, pool, workers_in
from ndsweep.frontends.sizes import sizes_in
from ndsweep.policies import NAMED
from ndsweep.result import Result
from ndsweep.simulate import simulate
from ndsweep.spec import SpecError, SweepError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_FURTHER = """\
further doors:
  demineur                  the French console game, a command of its own
  ndsweep.interop.cstruct   the game of a C program, on memory shared with it
  ndsweep.interop.bytecell  the board of a microcontroller game, one byte a cell"""
_WORTH_A_POOL = 50_000  # games; fewer are played sooner than a pool of processes starts


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        raise SpecError(message)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Prints the help; an output that takes none is told, which argparse would not."""
        print(self.format_help(), end="", file=file)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; gives its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments, by default those of the process.

    Examples
    --------
    >>> main(["simulate", "9x9", "--mines", "10", "--games", "0", "--json"])  # doctest: +ELLIPSIS
    {"shape": [9, 9], "mines": 10, "first": "safe", "policy": "single-point", ...}
    0
    """
    if sys.stdout is None:
        return _fail("error: cannot write: standard output is closed", 1)
    try:
        try:
            arguments = _parser().parse_args(argv)
            return int(arguments.command(arguments))
        finally:
            print(end="", flush=True)  # what cannot be written is to be known here, not at the very end
    except SweepError as error:
        return _fail(f"error: {error}", 2)
    except KeyboardInterrupt:
        return _fail("interrupted", 130)
    except OSError as error:
        return 1 if let_go(error) else _fail(f"error: cannot write: {error.strerror}", 1)


def _fail(message: str, code: int) -> int:
    """Says what went wrong in one line; gives the exit code."""
    print("ndsweep:", " ".join(message.split()), file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="ndsweep",
        description="n-dimensional Minesweeper as a subject of study.",
        epilog=_FURTHER,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ndsweep {nd.__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_simulate(commands)
    _add_play(commands)
    _add_window(commands)
    _add_classic(commands)
    studies.add(commands)
    surveys.add(commands)
    puzzles.add(commands)
    boards.add(commands)
    solve.add(commands)
    _add_bench(commands)
    return parser


def _add_seed(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--seed", metavar="S", help="any integer, for a game that can be played again (default: random)"
    )


def _add_play(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "play",
        help="play in the terminal, in any dimension",
        description="Plays in the terminal: slices side by side, cells named by their coordinates. ? lists the"
        " commands, a hint that is proved and why, save and load among them.",
    )
    command.set_defaults(command=_play)
    add_kind(command, optional=True)
    _add_seed(command)
    command.add_argument("--load", metavar="FILE", help="go on with a game that was saved")


def _add_window(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "window",
        help="play on the desktop with a mouse; 3-d and 4-d boards as slices",
        description="Opens a desktop window: left opens, right flags, double click or middle chords; the menus hold"
        " the deduction tools, new games and sizes.",
    )
    command.set_defaults(command=_window)
    add_kind(command, optional=True)
    _add_seed(command)


def _add_classic(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "classic",
        help="the 9x9 console game with a menu",
        description="A console game of 9x9 cells with 10 mines: rows and columns typed, from 1 to 9.",
    )
    command.set_defaults(command=_classic)
    _add_seed(command)


def _add_simulate(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "simulate",
        help="play many games under a policy and count",
        description="Plays games number START .. START + GAMES - 1 of a seed and counts. The outcome does not"
        " depend on the number of workers.",
    )
    command.set_defaults(command=_simulate)
    add_kind(command)
    command.add_argument("--games", metavar="N", default="10000", help="number of games (default 10000)")
    command.add_argument(
        "--policy", default="single-point", metavar="P", help=f"{', '.join(NAMED)} (default single-point)"
    )
    command.add_argument("--seed", default="0", metavar="S", help="any integer (default 0)")
    command.add_argument("--start", default="0", metavar="G", help="number of the first game (default 0)")
    command.add_argument(
        "--first-cell",
        default="random",
        metavar="CELL",
        help="random, corner, or coordinates such as 3,4 (default random)",
    )
    command.add_argument("--workers", metavar="K", help="number of processes (default: all cores)")
    command.add_argument("--json", action="store_true", help="print the result as one line of JSON")


def _add_bench(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "bench",
        help="how long a grid takes, step by step, beside a copy of it",
        description="Times dealing, hints, openings, the first reveal and a whole game on grids of given shapes and"
        " densities, in ns and bytes a cell, beside a copy of the mines: one byte a cell, the ceiling.",
    )
    command.set_defaults(command=_bench)
    command.add_argument(
        "shapes", metavar="SHAPE", nargs="*", help="sizes such as 1000x1000 (default 1000x1000 100x100x100 30x30x30x30)"
    )
    command.add_argument("--density", metavar="D", nargs="+", help="mines a cell, between 0 and 1 (default 0.01 0.1)")
    command.add_argument("--rounds", metavar="R", default="3", help="how often each step is timed (default 3)")
    command.add_argument("--seed", default="0", metavar="S", help="any integer (default 0)")
    command.add_argument("--threads", metavar="K", default="1", help="threads for deal, hints, openings (default 1)")
    command.add_argument("--json", action="store_true", help="print the figures as JSON")
    command.add_argument("--plot", metavar="FILE", help="draw ns a cell against the number of cells (needs matplotlib)")


# The games are imported where they are played: none needs another, and tkinter is not everywhere.


def _play(arguments: argparse.Namespace) -> int:
    from ndsweep.frontends.play import load, play

    if arguments.load is None:
        spec = spec_in(arguments.kind or "beginner", arguments.mines, arguments.first)
        return play(nd.Game.new(spec, _seed(arguments)))
    others = ("kind", "mines", "first", "seed")
    if given := [name for name in others if getattr(arguments, name) is not None]:
        raise SpecError(f"--load takes the game from a file, without {given[0]}. Got {getattr(arguments, given[0])!r}.")
    return load(arguments.load)


def _window(arguments: argparse.Namespace) -> int:
    from ndsweep.frontends.window import open_window

    return open_window(spec_in(arguments.kind or "beginner", arguments.mines, arguments.first), _seed(arguments))


def _classic(arguments: argparse.Namespace) -> int:
    from ndsweep.frontends.classic import play

    return play(_seed(arguments))


def _bench(arguments: argparse.Namespace) -> int:
    from concurrent.futures import ThreadPoolExecutor

    from ndsweep.frontends import bench

    rounds, threads = (integer(name, getattr(arguments, name[2:])) for name in ("--rounds", "--threads"))
    for name, count in (("--rounds", rounds), ("--threads", threads)):
        if not 1 <= count <= MOST_WORKERS:
            raise SpecError(f"{name} must be between 1 and {MOST_WORKERS}. Got {count}.")
    shapes = [_shape(text) for text in arguments.shapes] or bench.SHAPES
    densities = [
        number("--density", text, 0, 1, "a number between 0 and 1") for text in arguments.density or ()
    ] or bench.DENSITIES
    specs = [bench.spec_of(shape, density) for shape in shapes for density in densities]
    seed, cases = integer("--seed", arguments.seed), []
    if arguments.plot is not None:
        check_picture("--plot", arguments.plot)
    if not arguments.json:
        print(bench.machine())
    with ThreadPoolExecutor(threads) as pool:
        for spec in specs:
            cases.append(bench.measure(spec, rounds, seed, pool if threads > 1 else None))
            if not arguments.json:
                print("", bench.table(cases[-1]), sep="\n", flush=True)
    if arguments.json:
        print(json.dumps(bench.document(cases)))
    if arguments.plot is not None:
        bench.plot(cases, arguments.plot)
    return 0


def _seed(arguments: argparse.Namespace) -> int:
    return secrets.randbits(64) if arguments.seed is None else integer("--seed", arguments.seed)


def _simulate(arguments: argparse.Namespace) -> int:
    spec = spec_in(arguments.kind, arguments.mines, arguments.first)
    games = integer("--games", arguments.games)
    workers = workers_in(arguments.workers)
    started = time.perf_counter()
    with pool(workers if games >= _WORTH_A_POOL else 1) as executor:
        result = simulate(
            spec,
            games,
            arguments.policy,
            seed=integer("--seed", arguments.seed),
            start=integer("--start", arguments.start),
            executor=executor,
            progress=sys.stderr.isatty(),
            first_cell=first_cell_in(arguments.first_cell),
        )
    seconds = time.perf_counter() - started
    if arguments.json:
        print(json.dumps(result.summary() | {"seconds": round(seconds, 3)}))
    else:
        print(_table(result, seconds))
    return 0


def _shape(text: str) -> tuple[int, ...]:
    shape = sizes_in(text)
    if shape is None:
        raise SpecError(f"a shape must be sizes such as 1000x1000. Got {text!r}.")
    return shape


def _table(result: Result, seconds: float) -> str:
    """The result as lines of a name and a value."""
    low, high = result.interval()
    games = max(result.games, 1)
    lines = {
        "board": f"{'x'.join(map(str, result.spec.shape))}, {result.spec.mines} mines, first cell {result.spec.first}",
        "policy": result.policy,
        "games": f"{result.games:,}",
        "wins": f"{result.wins:,}",
        "win rate": f"{result.win_rate:.4%}  (95 %: {low:.4%} .. {high:.4%})" if result.games else "none played",
        "guesses a game": f"{result.counts['guesses'] / games:.3f}",
        "reveals a game": f"{result.counts['reveals'] / games:.3f}",
        "opened a game": f"{result.counts['opened'] / games:.3f}",
        "games/s": f"{result.games / seconds:,.0f}  ({seconds:.2f} s)",
    }
    return "\n".join(f"{name:<15} {value}" for name, value in lines.items())
