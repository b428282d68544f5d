"""Files that a command writes: errors that name the argument, before any work is done and after."""

from __future__ import annotations

import ndsweep as nd
from ndsweep.frontends.sources import Kept, check_format
from ndsweep.npy import checked_path


def check_target(argument: str, target: str, name: str | None) -> None:
    """SpecError unless it is clear in which format to write, and a file can be there.

    Examples
    --------
    >>> check_target("TARGET", "board.doc", None)
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: TARGET must end in one of .json, .npz, .txt, .nested, .mbf, .board, .mine, or --to say its \
format. Got 'board.doc'.
    """
    path = checked_path(target, argument)
    check_format("--to", name)
    suffixes, suffix = nd.FILE_FORMATS.values(), path.suffix.lower()
    if name is None and suffix not in suffixes:
        raise nd.SpecError(
            f"{argument} must end in one of {', '.join(suffixes)}, or --to say its format. Got {target!r}."
        )
    if name is not None and suffix in suffixes and suffix != nd.FILE_FORMATS[name]:
        raise nd.SpecError(f"{argument} must not end as another format for --to {name}. Got {target!r}.")
    if path.exists() and not path.is_file():
        raise nd.SpecError(f"{argument} must name a file. Got {target!r}, which is something else.")


def write_file(argument: str, found: Kept, target: str, name: str | None) -> None:
    """Writes a file; SpecError, with the argument that named it, if it cannot be written.

    Examples
    --------
    >>> write_file("TARGET", nd.Board.from_coords((2,), [0]), "/none/a.json", None)
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: TARGET '/none/a.json' cannot be written: No such file or directory.
    """
    try:
        nd.save(found, target, format=name)
    except OSError as error:
        raise nd.SpecError(f"{argument} {target!r} cannot be written: {error.strerror}.") from None
