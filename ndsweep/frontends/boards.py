"""The command of files: ``convert`` reads a board, a position or a game in one format and writes it in another."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ndsweep as nd
from ndsweep.frontends.options import integer

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[Any]

Kept = nd.Board | nd.Position | nd.Game
FORMATS = ("json", "npz", "text", "nested", "mbf", "board", "mine")
"""The formats of `nd.save` and `nd.load`."""

SUFFIXES = (".json", ".npz", ".txt", ".nested", ".mbf", ".board", ".mine")
"""How the names of their files end."""

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
    names, suffixes = ", ".join(FORMATS), ", ".join(SUFFIXES)
    command.add_argument(
        "--from", dest="source_format", metavar="FORMAT", help=f"{names} (default: by name and content)"
    )
    command.add_argument("--to", dest="target_format", metavar="FORMAT", help=f"{names} (default: by name: {suffixes})")
    command.add_argument(
        "--take",
        metavar="PART",
        help="of a game: board, its mines alone; position, what the player sees; state, all but its moves",
    )
    command.add_argument("--most-cells", metavar="N", help="allow grids of so many cells, instead of 10 million")


def _convert(arguments: argparse.Namespace) -> int:
    source, target = arguments.source, arguments.target
    if arguments.take not in (None, *_PARTS):
        raise nd.SpecError(f"--take must be one of {', '.join(_PARTS)}. Got {arguments.take!r}.")
    if arguments.target_format is None and Path(target).suffix.lower() not in SUFFIXES:
        raise nd.SpecError(f"TARGET must end in one of {', '.join(SUFFIXES)}, or --to say its format. Got {target!r}.")
    most = None if arguments.most_cells is None else integer("--most-cells", arguments.most_cells)
    found = _taken(_read(source, most, arguments.source_format), arguments.take)
    if os.path.exists(target) and os.path.samefile(source, target):
        raise nd.SpecError(f"TARGET must be another file than SOURCE. Got {target!r} for both.")
    try:
        nd.save(found, target, arguments.target_format)
    except OSError as error:
        raise nd.SpecError(f"TARGET {target!r} cannot be written: {error.strerror}.") from None
    return 0


def _read(source: str, most: int | None, name: str | None) -> Kept:
    try:
        return nd.load(source, most, name)
    except OSError as error:
        raise nd.SpecError(f"SOURCE {source!r} cannot be read: {error.strerror}.") from None


def _taken(found: Kept, part: str | None) -> Kept:
    """The part of a game that is asked for; SpecError if there is none."""
    if part is None:
        return found
    if not isinstance(found, nd.Game) or (found.board is None and part != "position"):
        what = "a game before its first reveal" if isinstance(found, nd.Game) else f"a {type(found).__name__}"
        raise nd.SpecError(f"--take {part} must be of a game that has one. Got {what}.")
    if part == "position":
        return nd.Position.of(found)
    assert found.board is not None
    return found.board if part == "board" else nd.Game.resume(found.board, found.revealed, found.flagged)
