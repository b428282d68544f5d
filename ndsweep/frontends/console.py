"""What the console games share: asking a line, a board in a frame, an end without a traceback."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt

_LONGEST = 1000  # characters of a line; no answer is nearly as long
_TALL = 20  # lines; the numbers above a taller board may have left the screen


def run(play: Callable[[], int], *, ended: str, interrupted: str, unwritable: str) -> int:
    """Plays, and ends without a traceback however the player or the output goes away.

    Parameters
    ----------
    play : callable
        Gives an exit code; EOFError stands for the end of input.
    ended, interrupted, unwritable : str
        What to say at the end of input, after Ctrl-C, and where output cannot be written.

    Returns
    -------
    int
        The exit code: that of the play, 0 at the end of input, 130 after Ctrl-C, 1 where
        output cannot be written.

    Examples
    --------
    >>> def play():
    ...     raise EOFError
    >>> run(play, ended="That was all.", interrupted="Interrupted.", unwritable="cannot write")
    That was all.
    0
    """
    if sys.stdout is None:  # it was closed before the program began
        print(unwritable, file=sys.stderr)
        return 1
    for stream in (sys.stdin, sys.stdout):
        _let_pass(stream)
    try:
        try:
            code = play()
        except EOFError:
            print(ended)
            code = 0
        except KeyboardInterrupt:
            print("\n" + interrupted)
            code = 130
        print(end="", flush=True)  # what cannot be written is to be known here, not at the very end
        return code
    except OSError as error:
        if not let_go(error):
            print(unwritable, file=sys.stderr)
        return 1


def let_go(error: OSError) -> bool:
    """Sends what is still to come nowhere, after output failed; whether the reader just went away.

    Parameters
    ----------
    error : OSError
        How it failed.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return isinstance(error, BrokenPipeError)


def _let_pass(stream: object) -> None:
    """Lets any byte come in, and any character go out: as a question mark where it has to be."""
    if isinstance(stream, io.TextIOWrapper) and stream.errors != "replace":
        with suppress(io.UnsupportedOperation):  # it was read before, by a caller who chose how
            stream.reconfigure(errors="replace")


def ask(prompt: str) -> str:
    r"""Asks for a line.

    Parameters
    ----------
    prompt : str
        Stands in front of the cursor, or on a line of its own where no terminal shows what is
        typed.

    Returns
    -------
    str
        The line without its end; empty for a line that is too long to mean anything.

    Raises
    ------
    EOFError
        At the end of input.

    Examples
    --------
    >>> from unittest.mock import patch
    >>> with patch("sys.stdin", io.StringIO("O 3 2\n")):
    ...     ask("Your move:")
    Your move:
    'O 3 2'
    """
    terminal = sys.stdin is not None and sys.stdin.isatty()
    print(prompt, end=" " if terminal else "\n", flush=True)
    line = _read_line()
    if terminal and not line.endswith("\n"):
        print()  # Ctrl-D leaves the cursor behind the prompt
    if not line:
        raise EOFError
    return line.strip()


def _read_line() -> str:
    if sys.stdin is None:
        return ""
    try:
        line = sys.stdin.readline(_LONGEST)
        if len(line) < _LONGEST or line.endswith("\n"):
            return line
        while line and not line.endswith("\n"):
            line = sys.stdin.readline(_LONGEST)
    except OSError:  # the terminal is gone
        return ""
    return "\n"


def integer(word: str) -> int | None:
    """The integer that a word of ASCII digits stands for, with or without a sign, or None.

    Parameters
    ----------
    word : str
        What was typed.

    Examples
    --------
    >>> integer("12"), integer("-3"), integer("2.5"), integer("1_000")
    (12, -3, None, None)
    """
    return int(word) if re.fullmatch(r"[+-]?[0-9]{1,99}", word) else None


def framed(view: npt.NDArray[np.integer[Any]], signs: Mapping[int, str], first: int) -> str:
    """A two-dimensional view in a frame, with the numbers of its columns and lines.

    Parameters
    ----------
    view : (lines, columns) integer array
        View codes.
    signs : mapping of int to str
        One character for each code that is not shown as its digit.
    first : int
        Number of the first column and of the first line.

    Returns
    -------
    str
        Numbers of two digits stand above their column digit under digit.

    Examples
    --------
    >>> print(framed(np.array([[-1, 2, 0], [-1, 1, 0]]), {-1: ".", 0: " "}, first=9))
           1 1
         9 0 1
       +-------+
     9 | . 2   |
    10 | . 1   |
       +-------+
    """
    lines, columns = view.shape
    left, deep = len(str(first + lines - 1)), len(str(first + columns - 1))
    numbers = [str(first + column).rjust(deep) for column in range(columns)]
    head = [" " * (left + 3) + " ".join(digits) for digits in zip(*numbers, strict=True)]
    edge = " " * left + " +" + "-" * (2 * columns + 1) + "+"
    rows = [" ".join(signs.get(code, str(code)) for code in row) for row in view.tolist()]
    body = [f"{first + line:{left}} | {row} |" for line, row in enumerate(rows)]
    return "\n".join([*head, edge, *body, edge, *(head if lines > _TALL else [])])
