"""The commands of no-guess boards: ``generate`` finds one, ``rate`` says how hard a board in a file is."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

import ndsweep as nd
from ndsweep.frontends.kinds import add_kind, spec_in
from ndsweep.frontends.options import first_cell_in, integer, pool, workers_in
from ndsweep.frontends.sources import add_source, read_board
from ndsweep.frontends.targets import check_target, write_file
from ndsweep.solver.search import SOLVABLE

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[Any]

_TRIES = 10_000


def add(commands: Commands) -> None:
    """Adds the commands to those of ``ndsweep``.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add(parser.add_subparsers())
    >>> parser.parse_args(["generate", "expert", "--solvable", "exact"]).solvable
    'exact'
    """
    _add_generate(commands)
    _add_rate(commands)


def _add_generate(commands: Commands) -> None:
    command = commands.add_parser(
        "generate",
        help="a board that can be opened without a guess, with the proof",
        description="Looks at games START, START + 1, .. of a seed for one that can be won from its first cell without"
        " a guess, and prints it. All such layouts are equally likely for a first cell that is given.",
    )
    command.set_defaults(command=_generate)
    add_kind(command)
    command.add_argument(
        "--solvable", default="pairs", metavar="RULES", help=f"what is enough: {', '.join(SOLVABLE)} (default pairs)"
    )
    _add_first_cell(command, "random, corner, or coordinates such as 3,4 (default random)", "random")
    command.add_argument("--seed", default="0", metavar="S", help="any integer (default 0)")
    command.add_argument("--start", default="0", metavar="G", help="number of the first game (default 0)")
    command.add_argument(
        "--tries", default=str(_TRIES), metavar="N", help=f"layouts to look at, at most (default {_TRIES})"
    )
    command.add_argument("--workers", metavar="K", default="1", help="number of processes (default 1)")
    command.add_argument("--save", metavar="FILE", help="write the board to a file instead of printing it")
    names = ", ".join(nd.FILE_FORMATS)
    command.add_argument("--to", dest="target_format", metavar="FORMAT", help=f"{names} (default: by name)")
    command.add_argument(
        "--begun",
        action="store_true",
        help="save the game with its first cell open, for ndsweep play --load, instead of the board",
    )
    _add_output(command)


def _add_rate(commands: Commands) -> None:
    command = commands.add_parser(
        "rate",
        help="whether a board can be opened without a guess, and how hard it is",
        description="Rates the board in a file from a first cell on: guesses, the hardest rule, 3BV.",
    )
    command.set_defaults(command=_rate)
    command.add_argument("file", metavar="FILE", help="a file with a board or a game")
    add_source(command)
    _add_first_cell(command, "corner, or coordinates such as 3,4 (default corner)", "corner")
    _add_output(command)


def _add_first_cell(command: argparse.ArgumentParser, help: str, default: str) -> None:
    command.add_argument("--first-cell", default=default, metavar="CELL", help=help)


def _add_output(command: argparse.ArgumentParser) -> None:
    command.add_argument("--moves", action="store_true", help="print the proof too: every move and its rule")
    command.add_argument("--json", action="store_true", help="print everything as one line of JSON")


def _generate(arguments: argparse.Namespace) -> int:
    spec = spec_in(arguments.kind, arguments.mines, arguments.first)
    target, tries = arguments.save, integer("--tries", arguments.tries)
    for option, given in (("--to", arguments.target_format), ("--begun", arguments.begun)):
        if given and target is None:
            raise nd.SpecError(f"{option} must go with --save, which names the file.")
    if target is not None:
        check_target("--save", target, arguments.target_format)
    with pool(workers_in(arguments.workers)) as executor:
        puzzle = nd.generate(
            spec,
            arguments.solvable,
            first_cell_in(arguments.first_cell),
            seed=integer("--seed", arguments.seed),
            tries=tries,
            start=integer("--start", arguments.start),
            executor=executor,
        )
    if target is not None:
        write_file("--save", puzzle.begin() if arguments.begun else puzzle.board, target, arguments.target_format)
    head = {
        "board": f"{'x'.join(map(str, spec.shape))}, {spec.mines} mines, first cell {spec.first}",
        "solvable by": puzzle.solvable,
        "game": f"{puzzle.game} of seed {puzzle.seed}, {puzzle.tries:,} looked at",
    }
    if arguments.json:
        print(json.dumps(_document(puzzle)))
    else:
        print(_table(head, puzzle.rating))
        if target is None:
            print("", puzzle.board, sep="\n")
        _print_moves(puzzle.rating, arguments)
    return 0


def _rate(arguments: argparse.Namespace) -> int:
    cell = first_cell_in(arguments.first_cell)
    if cell is None:
        raise nd.SpecError("--first-cell must be corner, or coordinates such as 3,4. Got 'random'.")
    board = read_board("FILE", arguments.file, arguments)
    rating = nd.rate(board, cell)
    if arguments.json:
        print(json.dumps({"shape": list(board.shape), "mines": board.n_mines, **_plain(rating)}))
    else:
        verdict = "without a guess" if rating.solvable else f"{rating.guesses} forced"
        head = {"board": f"{'x'.join(map(str, board.shape))}, {board.n_mines} mines", "guesses": verdict}
        print(_table(head, rating))
        _print_moves(rating, arguments)
    return 0


def _table(head: dict[str, str], rating: nd.Rating) -> str:
    """What is known of a board as lines of a name and a value."""
    counts = ", ".join(f"{count} {rule}" for rule, count in rating.counts.items())
    lines = head | {
        "first cell": ",".join(map(str, rating.first_cell)),
        "hardest rule": rating.hardest,
        "moves": f"{len(rating.moves)}: {counts}" if rating.moves else "0",
        "3BV": rating.bbbv,
        "openings": rating.openings,
    }
    return "\n".join(f"{name:<13} {value}" for name, value in lines.items())


def _print_moves(rating: nd.Rating, arguments: argparse.Namespace) -> None:
    if arguments.moves:
        print(
            "", *(f"{move.action:<6} {','.join(map(str, move.cell))}  {move.rule}" for move in rating.moves), sep="\n"
        )


def _document(puzzle: nd.Puzzle) -> dict[str, Any]:
    """A puzzle, ready for JSON."""
    spec = puzzle.spec
    return {
        "shape": list(spec.shape),
        "mines": spec.mines,
        "first": spec.first,
        "solvable_by": puzzle.solvable,
        "seed": puzzle.seed,
        "game": puzzle.game,
        "tries": puzzle.tries,
        "board": json.loads(nd.dumps(puzzle.board)),
        **_plain(puzzle.rating),
    }


def _plain(rating: nd.Rating) -> dict[str, Any]:
    """A rating, ready for JSON."""
    return {
        "first_cell": list(rating.first_cell),
        "solvable": rating.solvable,
        "guesses": rating.guesses,
        "hardest": rating.hardest,
        "bbbv": rating.bbbv,
        "openings": rating.openings,
        "moves": [[list(move.cell), move.action, move.rule] for move in rating.moves],
    }
