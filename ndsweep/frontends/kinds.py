"""Which kind of game is meant: the arguments of a command that say it, and what they say."""

from __future__ import annotations

import argparse

from ndsweep.frontends.options import integer
from ndsweep.frontends.sizes import sizes_in
from ndsweep.spec import FIRST_RULES, PRESETS, Spec, SpecError


def add_kind(command: argparse.ArgumentParser, optional: bool = False) -> None:
    """Adds the arguments that say what is played.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add_kind(parser)
    >>> parser.parse_args(["9x9", "--mines", "10"]).mines
    '10'
    """
    command.add_argument(
        "kind",
        metavar="PRESET|SHAPE",
        nargs="?" if optional else None,
        help=f"{', '.join(PRESETS)}, or sizes such as 16x30 or 10x10x10" + (" (default beginner)" if optional else ""),
    )
    command.add_argument("--mines", metavar="M", help="number of mines; needed with a shape")
    command.add_argument(
        "--first", metavar="RULE", help=f"what the first cell may be: {', '.join(FIRST_RULES)} (default safe)"
    )


def spec_in(kind: str, mines: str | None, first: str | None) -> Spec:
    """The spec of a preset or of a shape such as 10x10x10.

    Examples
    --------
    >>> spec_in("expert", None, None)
    Spec(shape=(16, 30), mines=99, first='safe')
    """
    kind = kind.lower()
    preset = PRESETS.get(kind)
    shape = preset.shape if preset else sizes_in(kind)
    if shape is None:
        names = ", ".join(PRESETS)
        raise SpecError(f"the kind of game must be one of {names}, or sizes such as 16x30. Got {kind!r}.")
    if mines is not None:
        count = integer("--mines", mines)
    elif preset:
        count = preset.mines
    else:
        raise SpecError(f"--mines is needed with a shape. Got {kind} alone.")
    return Spec(shape, count, first or "safe")
