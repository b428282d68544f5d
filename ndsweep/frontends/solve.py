"""The command ``solve``: how likely each hidden cell of a position is a mine, and the best move."""

from __future__ import annotations

import argparse
import json
import math
import shutil
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import ndsweep as nd
from ndsweep.engine.counting import View
from ndsweep.frontends.advice import POLICIES, Advice, advise, percent
from ndsweep.frontends.options import integer
from ndsweep.frontends.panels import panels
from ndsweep.frontends.sources import Kept, read_file, read_standard_input
from ndsweep.solver.counts import BUDGET
from ndsweep.solver.probability import Probability

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[Any]

_MOST_CELLS = 100_000  # as in a game in the terminal; a million take minutes
_SHOWN = 10_000  # cells that are still printed
_LONGEST = 1_000_000  # layouts that are told to the digit


def add(commands: Commands) -> None:
    """Adds the command to those of ``ndsweep``.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add(parser.add_subparsers())
    >>> parser.parse_args(["solve", "stuck.txt", "--mines", "10"]).mines
    '10'
    """
    command = commands.add_parser(
        "solve",
        help="mine probabilities of a position, the best move and why",
        description="Reads a position or a game and prints its board with the chance of each hidden cell to be a mine"
        " in per cent, the cells that are proved, and the best move with the reason.",
    )
    command.set_defaults(command=_solve)
    command.add_argument(
        "position", metavar="POSITION", nargs="?", help="the file to read; - for text on standard input"
    )
    command.add_argument("--mines", metavar="N", help="number of mines, where the position does not tell it")
    command.add_argument("--trust-flags", action="store_true", help="take the cells with flags for mines")
    command.add_argument(
        "--policy", metavar="P", default="exact+", help=f"how to guess: {' or '.join(POLICIES)} (default exact+)"
    )
    command.add_argument(
        "--budget", metavar="N", default=str(BUDGET), help=f"states before chances are estimated (default {BUDGET:,})"
    )
    names = ", ".join(nd.FILE_FORMATS)
    command.add_argument(
        "--from", "--format", dest="source_format", metavar="FORMAT", help=f"{names} (default: by name and content)"
    )
    command.add_argument(
        "--most-cells",
        metavar="N",
        default=str(_MOST_CELLS),
        help=f"allow grids of so many cells, instead of {_MOST_CELLS:,}",
    )
    command.add_argument("--json", action="store_true", help="print all of it as JSON")


def _solve(arguments: argparse.Namespace) -> int:
    policy, trust = arguments.policy, arguments.trust_flags
    if policy not in POLICIES:
        raise nd.SpecError(f"--policy must be one of {', '.join(POLICIES)}. Got {policy!r}.")
    if (budget := integer("--budget", arguments.budget)) < 1:
        raise nd.SpecError(f"--budget must be 1 or more. Got {budget}.")
    given = None if arguments.mines is None else integer("--mines", arguments.mines)
    name, found = _read(arguments)
    view, mines = _position(name, found, given)
    try:
        chances = nd.mine_probability(view, mines, trust, budget=budget)
    except nd.SweepError as error:
        raise nd.SpecError(f"{name} cannot be solved: {error}") from None
    if not (chances.p < 1).any():
        raise nd.SpecError(f"{name} must have something left to open. All its hidden cells are mines.")
    advice = advise(view, mines, chances, trust, policy, budget)
    if arguments.json:
        print(json.dumps(_document(view, mines, chances, advice, trust, policy)))
    else:
        print(_text(view, mines, chances, advice, trust))
    return 0


# What is read ----------------------------------------------------------------------------------


def _read(arguments: argparse.Namespace) -> tuple[str, Kept]:
    """How errors name the position, and what was read."""
    path = arguments.position
    if path is None and sys.stdin is not None and sys.stdin.isatty():
        raise nd.SpecError("POSITION is needed: the name of a file, or - for standard input.")
    if path in (None, "-"):
        return "standard input", read_standard_input(arguments)
    return f"POSITION {path!r}", read_file("POSITION", path, arguments)


def _position(name: str, found: Kept, given: int | None) -> tuple[View, int]:
    """The view, and the number of mines; SpecError where there is nothing to solve, or the number is not known."""
    if isinstance(found, nd.Board):
        raise nd.SpecError(f"{name} must hold a position, or a game. It holds a board, of which nothing is hidden.")
    if isinstance(found, nd.Game):
        if found.status != nd.Status.PLAYING:
            raise nd.SpecError(f"{name} must have something left to open. The game is {found.status.name.lower()}.")
        rule = found.deals_from[0].first if found.board is None and found.deals_from else "any"
        if rule != "any":
            raise nd.SpecError(f"{name} must be a game after its first reveal: the rule {rule!r} decides that one.")
    view, told = found.view, found.n_mines if isinstance(found, nd.Game) else found.mines
    if told is not None and given not in (None, told):
        raise nd.SpecError(f"--mines must be {told} or left out: {name} tells it. Got {given}.")
    mines = given if told is None else told
    if mines is None:
        raise nd.SpecError(f"--mines is needed: {name} does not tell the number of mines.")
    try:
        nd.Position(view, mines)
    except nd.SpecError as error:
        raise nd.SpecError(f"--{error}") from None
    return view, mines


# What is printed -------------------------------------------------------------------------------


def _text(view: View, mines: int, found: Probability, advice: Advice, trust_flags: bool) -> str:
    size = "x".join(map(str, view.shape))
    wrong = [tuple(map(int, cell)) for cell in np.argwhere((view == nd.FLAG) & (found.p == 0))]
    lines = {
        "position": f"{size}, {mines} mine{'' if mines == 1 else 's'}",
        "proved": f"{_count(found.p == 0)} safe (ok), {_count(_mined(view, found, trust_flags))} mined (**)",
        "flags": f"on safe cells: {', '.join(map(str, wrong[:5]))}{', ...' if wrong[5:] else ''}" if wrong else "",
        "layouts": _layouts(found),
        "best": advice.sentence,
    }
    table = "\n".join(f"{name:<9} {value}" for name, value in lines.items() if value)
    if view.size > _SHOWN:
        return f"{table}\nThe board has more than {_SHOWN:,} cells: --json has them all."
    return f"{_board(view, found, trust_flags, shutil.get_terminal_size().columns)}\n\n{table}"


def _layouts(found: Probability) -> str:
    if not found.exact:
        return (
            f"not counted: chances are estimates, with standard errors up to {percent(float(np.nanmax(found.stderr)))}"
        )
    return f"{shortened(found.layouts)}, all counted: chances are exact"


def shortened(number: int) -> str:
    """A number of layouts, large ones with three digits and the power of ten.

    Examples
    --------
    >>> shortened(53120), shortened(3072905550), shortened(9999999)
    ('53,120', '3.07e9', '1.00e7')
    """
    if number < _LONGEST:
        return f"{number:,}"
    power = math.floor(log := math.log10(number))
    digits = f"{10 ** (log - power):.2f}"
    return f"{digits}e{power}" if digits != "10.00" else f"1.00e{power + 1}"


def _board(view: View, found: Probability, trust_flags: bool, width: int) -> str:
    """The board in panels; where a line is too long for the terminal, the columns in parts."""
    shown = [
        sign(code, p, trust_flags) for code, p in zip(view.ravel().tolist(), found.p.ravel().tolist(), strict=True)
    ]
    wide = max(map(len, shown))
    cells = np.array([text.rjust(wide) for text in shown], dtype=object).reshape(view.shape)
    columns = view.shape[-1]
    left = len(str(view.shape[-2] - 1)) + 2 if view.ndim > 1 else 2
    fit = max(1, (width - left) // (max(wide, len(str(columns - 1))) + 1))
    parts = np.array_split(np.arange(columns), -(-columns // fit))
    return "\n\n".join(panels(cells[..., part], width, first=int(part[0])) for part in parts)


def sign(code: int, p: float, trust_flags: bool) -> str:
    """What stands for a cell: its number, or how likely it is a mine.

    Parameters
    ----------
    code : int
        Its view code.
    p : float
        How likely it is a mine, where it is hidden.
    trust_flags : bool
        Whether flags count as mines.

    Examples
    --------
    >>> [sign(code, 0.0, False) for code in (nd.MINE, nd.FLAG, 0, 12)]
    ['X', 'ok', '.', '12']
    >>> [sign(nd.HIDDEN, p, False) for p in (0.0, 0.001, 0.173, 0.997, 1.0)]
    ['ok', '<1%', '17%', '>99%', '**']
    """
    if code >= 0:
        return str(code) if code else "."
    if code == nd.MINE or (code == nd.FLAG and trust_flags):
        return "X" if code == nd.MINE else "F"
    if p in (0, 1):
        return "**" if p else "ok"
    if p < 0.005:
        return "<1%"
    return f"{100 * p:.0f}%" if p < 0.995 else ">99%"


def _document(
    view: View,
    mines: int,
    found: Probability,
    advice: Advice,
    trust_flags: bool,
    policy: str,
) -> dict[str, Any]:
    """All of it, ready for JSON."""
    layouts = found.layouts
    return {
        "shape": list(view.shape),
        "mines": mines,
        "trust_flags": trust_flags,
        "exact": found.exact,
        "layouts": None if layouts is None else in_digits(layouts),
        "safe": np.argwhere(found.p == 0).tolist(),
        "mined": np.argwhere(_mined(view, found, trust_flags)).tolist(),
        "best": {
            "policy": policy,
            "cell": list(advice.cell),
            "rule": advice.rule,
            "mine": advice.mine,
            "hint_0": advice.hint_zero,
            "two_moves": advice.two_moves,
            "wins": advice.wins,
            "sentence": advice.sentence,
        },
        "probabilities": _plain(found.p),
        "stderr": _plain(found.stderr),
    }


def in_digits(number: int) -> str:
    """All digits of a number, of which Python by itself writes 4300 at most.

    Examples
    --------
    >>> in_digits(3072905550), len(in_digits(10**5000)), in_digits(0)
    ('3072905550', 5001, '0')
    """
    parts, base = [], 10**4000
    while number >= base:
        number, part = divmod(number, base)
        parts.append(f"{part:04000d}")
    return str(number) + "".join(reversed(parts))


def _plain(values: npt.NDArray[np.float64]) -> Any:
    """Nested lists, with None on open cells."""
    plain = values.astype(object)
    plain[np.isnan(values)] = None
    return plain.tolist()


def _mined(view: View, found: Probability, trust_flags: bool) -> npt.NDArray[np.bool_]:
    """The hidden cells that are proved to be mines, not those of trusted flags."""
    return np.asarray((found.p == 1) & ~((view == nd.FLAG) & trust_flags))


def _count(cells: npt.NDArray[np.bool_]) -> int:
    return int(np.count_nonzero(cells))
