"""The command of files: ``convert`` reads a board, a position or a game in one format and writes it in another."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

import ndsweep as nd
from ndsweep.frontends.sources import Kept, add_source, read_file
from ndsweep.frontends.targets import check_target, write_file

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[Any]

_PARTS = ("board", "position", "state")


def add(commands: Commands) -> None:
    """Adds the command to those of ``ndsweep``.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add(parser.add_subparsers())
    >>> parser.parse_args(["convert", "a.mbf", "b.json"]).target
    'b.json'
    """
    command = commands.add_parser(
        "convert",
        help="a board, position or game from one file format to another",
        description="Reads a board, a position or a game and writes it in another format. What the target cannot keep"
        " is refused, so that nothing is lost unless --take says so. A target that exists is replaced.",
    )
    command.set_defaults(command=_convert)
    command.add_argument("source", metavar="SOURCE", help="the file to read")
    command.add_argument("target", metavar="TARGET", help="the file to write")
    add_source(command)
    names, suffixes = ", ".join(nd.FILE_FORMATS), ", ".join(nd.FILE_FORMATS.values())
    command.add_argument("--to", dest="target_format", metavar="FORMAT", help=f"{names} (default: by name: {suffixes})")
    command.add_argument(
        "--take",
        metavar="PART",
        help="of a game: board, its mines alone; position, what the player sees; state, all but its moves",
    )


def _convert(arguments: argparse.Namespace) -> int:
    target, name = arguments.target, arguments.target_format
    if arguments.take not in (None, *_PARTS):
        raise nd.SpecError(f"--take must be one of {', '.join(_PARTS)}. Got {arguments.take!r}.")
    check_target("TARGET", target, name)
    found = _taken(read_file("SOURCE", arguments.source, arguments), arguments.take)
    if os.path.exists(target) and os.path.samefile(arguments.source, target):
        raise nd.SpecError(f"TARGET must be another file than SOURCE. Got {target!r} for both.")
    write_file("TARGET", found, target, name)
    return 0


def _taken(found: Kept, part: str | None) -> Kept:
    """The part of a game that is asked for; SpecError if there is none."""
    if part is None:
        return found
    if not isinstance(found, nd.Game):
        raise nd.SpecError(f"--take {part} must be of a game. Got a {type(found).__name__}.")
    if part == "position":
        return nd.Position.of(found)
    if (board := found.board) is None:
        raise nd.SpecError(f"--take {part} must be of a game that has one. Got a game before its first reveal.")
    return board if part == "board" else nd.Game.resume(board, found.revealed, found.flagged, found.flag_limit)
