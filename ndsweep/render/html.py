"""Boards, games and views as HTML: tables of numbers, or a picture where there are too many cells."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from math import isnan

import numpy as np
import numpy.typing as npt

from ndsweep.render.codes import UNCOVERED, WRONG, Codes, codes_of, shape_of
from ndsweep.render.colours import heat, hint_number, percent
from ndsweep.render.image import drawn, flat_colour
from ndsweep.render.png import png
from ndsweep.render.probabilities import checked_probability
from ndsweep.render.slices import folded
from ndsweep.render.style import framed
from ndsweep.spec import FLAG, HIDDEN, MINE, SpecError

_MOST_CELLS = 1600  # of a table; more are pixels of a picture
_MOST_TOGETHER = 800  # cells of all tables of a batch
_EDGE = 820  # of a picture in pixels
_SHORT = 8  # cells of an axis that is thinned last
_MOST_PIXELS = 8  # of the edge of a cell in it
_SIGNS = {
    HIDDEN: "<td class=h>·",  # a sign of its own, for those who see no grounds
    FLAG: "<td class='h f'>⚑",
    MINE: "<td class='m b' title='the mine that was opened'>✹",
    UNCOVERED: "<td class=m>✹",
    WRONG: "<td class='h f w' title='a flag without a mine'>⚑",
    0: "<td>",
}
_KEY = {
    HIDDEN: "hidden",
    FLAG: "flag",
    WRONG: "wrong flag",
    MINE: "opened mine",
    UNCOVERED: "mine",
    0: "open",
}
_MOST_HINTS = 8  # of the key


def html(board: object, *, probability: npt.ArrayLike | None = None, caption: str | None = None) -> str:
    """A board, game, position or view as HTML.

    Up to 1,600 cells are a table of numbers, in labelled slices from three axes on; more are a
    picture, of every so many cells where even pixels are too many.  Light or dark as the page is.

    Parameters
    ----------
    board : Board, Game, Position or integer array
        What to draw, as for `image`.
    probability : float array of the grid's shape, optional
        Mine probabilities, as for `image`.
    caption : str, optional
        What to say below it.

    Returns
    -------
    str
        Of some kilobytes; a picture may have 700.

    Raises
    ------
    SpecError
        If there is nothing that can be drawn, or an argument is not of its kind.

    Examples
    --------
    >>> import ndsweep as nd
    >>> from ndsweep import render
    >>> text = render.html(nd.Board.from_coords((1, 3), [(0, 0)]), caption="tiny")
    >>> text.count("<td"), text.count("tiny")
    (3, 1)
    """
    if not (caption is None or isinstance(caption, str)):
        raise SpecError(f"caption must be a string or None. Got {type(caption).__name__}.")
    said = f'<div class="say">{escape(caption)}</div>' if caption else ""
    return framed(_drawn(board, checked_probability(probability, shape_of(board))), said)


def _drawn(board: object, chances: npt.NDArray[np.float64] | None) -> str:
    """Tables, or a picture."""
    shape = shape_of(board)
    if np.prod(shape, dtype=np.float64) <= _MOST_CELLS:
        return grids(codes_of(board), chances)
    return _pictured(board, shape, chances)


def shown_of(games: int, cells: int) -> int:
    """How many of some games of so many cells each are shown together.

    Examples
    --------
    >>> shown_of(1000, 81), shown_of(3, 81), shown_of(1000, 5000)
    (9, 3, 1)
    """
    return min(games, max(1, _MOST_TOGETHER // cells))


def several(views: Codes, games: int, caption: str, probability: npt.NDArray[np.float64] | None = None) -> str:
    """The first of many games side by side.

    Parameters
    ----------
    views : (k, n1, ..., nd) integer array
        Picture codes of the games that are shown.
    games : int
        How many there are.
    caption : str
        What to say above them.
    probability : float array of the shape of the views, optional

    Examples
    --------
    >>> import numpy as np
    >>> several(np.zeros((2, 1, 3), dtype=int), 50, "").count("<table")
    2
    """
    pictures = (_drawn(view, None if probability is None else probability[k]) for k, view in enumerate(views))
    more = f'<div class="say">the first {len(views)} of {games:,} games</div>' if 0 < len(views) < games else ""
    return framed(f'<div class="say">{escape(caption)}</div><div class="across">{"".join(pictures)}</div>{more}')


def grids(codes: Codes, chances: npt.NDArray[np.float64] | None = None) -> str:
    """The cells as tables: rows along the last axis, slices side by side and below each other in turn.

    Examples
    --------
    >>> import numpy as np
    >>> print(grids(np.array([[-1, 0, 2]])))
    <table class="grid"><tr><td class=h>·<td><td class=n1>2</table>
    """
    return _nested(
        codes if codes.ndim > 1 else codes[None], chances if codes.ndim > 1 or chances is None else chances[None], ()
    )


def _nested(codes: Codes, chances: npt.NDArray[np.float64] | None, place: tuple[int, ...]) -> str:
    if codes.ndim == 2:
        title = f"<caption>[{', '.join(map(str, place))}]</caption>" if place else ""
        return f'<table class="grid">{title}{_rows(codes, chances)}</table>'
    parts = [_nested(codes[k], None if chances is None else chances[k], (*place, k)) for k in range(len(codes))]
    return f'<div class="{"down" if codes.ndim % 2 == 0 else "across"}">{"".join(parts)}</div>'


def _rows(codes: Codes, chances: npt.NDArray[np.float64] | None) -> str:
    if chances is None:
        found, numbers = np.unique(codes, return_inverse=True)
        cells = np.array([_cell(int(code)) for code in found], dtype=object)[numbers.reshape(codes.shape)].tolist()
    else:
        cells = [
            [_cell(*both) for both in zip(*row, strict=True)]
            for row in zip(codes.tolist(), chances.tolist(), strict=True)
        ]
    return "".join(f"<tr>{''.join(row)}" for row in cells)


def _cell(code: int, chance: float = float("nan")) -> str:
    """A cell; hidden ones with their probability, if there is one."""
    if code in (HIDDEN, FLAG) and not isnan(chance):
        ground, ink = heat(chance)
        title = f"{'flag, ' if code == FLAG else ''}{100 * chance:.4g} %"
        return f"<td class=p style='background:{ground};color:{ink}' title='{title}'>{escape(percent(chance))}"
    return _SIGNS.get(code) or f"<td class=n{hint_number(code)}>{code}"


def _pictured(board: object, shape: tuple[int, ...], chances: npt.NDArray[np.float64] | None) -> str:
    """A picture of a large grid, a pixel or more a cell, or of every so many cells of each axis; with its scale."""
    steps = _steps(shape)
    thinned = max(steps) > 1
    part = tuple(slice(None, None, step) for step in steps) if thinned else ()
    codes = codes_of(board, part)
    edge = next((edge for edge in range(_MOST_PIXELS, 1, -1) if _fits(codes.shape, edge)), 1)
    pixels = drawn(codes, None if chances is None else chances[part], edge, titled=False)
    source = b64encode(png(pixels)).decode()
    what = "a pixel a cell" if edge == 1 else f"{edge} pixels a cell"
    if thinned:
        each = f"{steps[0]} cells of each axis" if len(set(steps)) == 1 else f"{' x '.join(map(str, steps))} cells"
        what = f"a pixel for every {each}"
    picture = (
        f'<img src="data:image/png;base64,{source}" width={pixels.shape[1]} height={pixels.shape[0]} alt="{shape}">'
    )
    return f'{picture}<div class="say key">{"x".join(map(str, shape))}, {what}{_key(codes, chances, thinned)}</div>'


def _fits(shape: tuple[int, ...], cell: int) -> bool:
    return max(folded(shape, cell, _EDGE, titled=False).size) <= _EDGE


def _steps(shape: tuple[int, ...]) -> list[int]:
    """Every how many cells of each axis are shown: all long axes are thinned alike, short ones one by one."""
    steps = np.ones(len(shape), dtype=np.int64)
    while not _fits(tuple((shown := -(-np.array(shape) // steps)).tolist()), 1):
        thinned = shown > _SHORT if (shown > _SHORT).any() else np.arange(len(shape)) == shown.argmax()
        steps[thinned] += 1 + steps[thinned] // 8
    return steps.tolist()


def _key(codes: Codes, chances: npt.NDArray[np.float64] | None, thinned: bool) -> str:
    """What the colours stand for; the hints of a board are not worked out where it is thinned."""
    found = set(np.unique(codes).tolist())
    names = {**_KEY, 0: "no mine" if thinned and not found & {HIDDEN, FLAG, MINE, WRONG} else _KEY[0]}
    names |= {hint: str(hint) for hint in sorted(hint for hint in found if hint > 0)[:_MOST_HINTS]}
    there = [(flat_colour(code), text) for code, text in names.items() if code in found]
    if chances is not None:
        there += [(heat(p)[0], f"a mine in {percent(p)} %") for p in (0.0, 0.05, 0.5, 0.95, 1.0)]
    return "".join(f'<span style="background:{colour}"></span>{text}' for colour, text in there)
