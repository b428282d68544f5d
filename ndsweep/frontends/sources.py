"""Files that a command reads: the options that say how, and errors that name the argument."""

from __future__ import annotations

import argparse
import sys

import ndsweep as nd
from ndsweep.frontends.options import integer
from ndsweep.npy import checked_path

Kept = nd.Board | nd.Position | nd.Game
"""What a file holds."""

_BYTES_A_CELL, _LEAST_CELLS = 64, 1 << 18  # as much as a file may have


def add_source(command: argparse.ArgumentParser) -> None:
    """Adds ``--from`` and ``--most-cells`` to a command.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add_source(parser)
    >>> parser.parse_args(["--from", "mbf"]).source_format
    'mbf'
    """
    names = ", ".join(nd.FILE_FORMATS)
    command.add_argument(
        "--from", dest="source_format", metavar="FORMAT", help=f"{names} (default: by name and content)"
    )
    command.add_argument("--most-cells", metavar="N", help="allow grids of so many cells, instead of 10 million")


def check_format(option: str, name: str | None) -> None:
    """SpecError unless an option is not given or names a format.

    Examples
    --------
    >>> check_format("--from", "xml")
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: --from must be one of json, npz, text, nested, mbf, board, mine. Got 'xml'.
    """
    if name is not None and name not in nd.FILE_FORMATS:
        raise nd.SpecError(f"{option} must be one of {', '.join(nd.FILE_FORMATS)}. Got {name!r}.")


def read_file(argument: str, path: str, options: argparse.Namespace) -> Kept:
    """What a file holds; SpecError, with the argument that named it, if it cannot be read.

    Examples
    --------
    >>> read_file("SOURCE", "none.mbf", argparse.Namespace(source_format=None, most_cells=None))
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: SOURCE 'none.mbf' cannot be read: No such file or directory.
    """
    checked_path(path, argument)
    check_format("--from", options.source_format)
    most = _most_cells(options)
    try:
        return nd.load(path, most_cells=most, format=options.source_format)
    except OSError as error:
        raise nd.SpecError(f"{argument} {path!r} cannot be read: {error.strerror}.") from None


def read_board(argument: str, path: str, options: argparse.Namespace) -> nd.Board:
    """The board in a file, of a game too; an error, with the argument that named it, if there is none.

    Examples
    --------
    >>> read_board("FILE", "none.mbf", argparse.Namespace(source_format=None, most_cells=None))
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: FILE 'none.mbf' cannot be read: No such file or directory.
    """
    found = read_file(argument, path, options)
    board = found.board if isinstance(found, nd.Game) else found
    if not isinstance(board, nd.Board):
        what = "a game before its first reveal" if board is None else "what a player sees"
        raise nd.FormatError(f"{argument} {path!r} must hold a board, or a game that is dealt. It holds {what}.")
    return board


def read_standard_input(options: argparse.Namespace) -> Kept:
    """What the text on standard input holds; SpecError, FormatError if it cannot be read.

    Examples
    --------
    >>> from io import StringIO
    >>> from unittest.mock import patch
    >>> with patch("sys.stdin", StringIO("1 # #")):
    ...     read_standard_input(argparse.Namespace(source_format=None, most_cells=None))
    Position([[1, -1, -1]], mines=None)
    """
    check_format("--from", options.source_format)
    most = _most_cells(options)
    if sys.stdin is None:
        raise nd.SpecError("standard input cannot be read: it is closed.")
    limit = _BYTES_A_CELL * max(most or 0, _LEAST_CELLS) + 1  # one more than `loads` takes, so that it says so
    try:
        data = getattr(sys.stdin, "buffer", sys.stdin).read(limit)
        text = data if isinstance(data, str) else data.decode("utf-8")
    except OSError as error:
        raise nd.SpecError(f"standard input cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise nd.FormatError("standard input must be text in UTF-8. A file of another kind needs its name.") from None
    try:
        return nd.loads(text, options.source_format, most_cells=most)
    except nd.SweepError as error:
        raise type(error)(f"standard input: {error}") from None


def _most_cells(options: argparse.Namespace) -> int | None:
    most = None if options.most_cells is None else integer("--most-cells", options.most_cells)
    if most is not None and most < 0:
        raise nd.SpecError(f"--most-cells must be 0 or more. Got {most}.")
    return most
