"""Boards, games and views as SVG: sharp at any size, for papers and web pages."""

from __future__ import annotations

from html import escape
from math import isnan

import numpy as np
import numpy.typing as npt

from ndsweep.render.codes import UNCOVERED, WRONG, codes_of, shape_of
from ndsweep.render.colours import DARK, DARK_HINTS, HINTS, LIGHT, checked_theme, heat, hint_number, percent
from ndsweep.render.probabilities import checked_probability
from ndsweep.render.slices import Slices, folded
from ndsweep.spec import FLAG, HIDDEN, MINE, TooLargeError, checked_int

_MOST_CELLS = 20_000  # some two megabytes
_WIDTH = 1400
_HEIGHTS = {1: 0.62, 2: 0.52, 3: 0.4}  # of a text, by how many characters it has

# Signs in a cell of 1 x 1, as paths
_FLAG = "M.38.2h.06v.52h.13v.08H.25V.72h.13zM.46.2.8.37.46.54z"
_MINE = "M.5.27a.23.23 0 1 1 0 .46.23.23 0 1 1 0-.46zM.465.16h.07v.68h-.07zM.16.465h.68v.07H.16z"
_CROSS = "M.16.22.22.16.84.78.78.84zM.78.16.84.22.22.84.16.78z"


def svg(board: object, *, cell: int = 24, probability: npt.ArrayLike | None = None, theme: str = "light") -> str:
    """A board, game, position or view as SVG.

    Slices of three and more axes stand side by side, with their coordinates, as in `image`.

    Parameters
    ----------
    board : Board, Game, Position or integer array
        What to draw, as for `image`.
    cell : int
        Edge of a cell.
    probability : float array of the grid's shape, optional
        Mine probabilities, as for `image`.
    theme : {"light", "dark", "auto"}
        "auto" is dark where the reader's system prefers that.

    Returns
    -------
    str
        An ``<svg>`` element, which is a file too.

    Raises
    ------
    SpecError
        If there is nothing that can be drawn, or an argument is not of its kind.
    TooLargeError
        If there are more than 20,000 cells.

    Examples
    --------
    >>> import ndsweep as nd
    >>> from ndsweep import render
    >>> text = render.svg(nd.Board.from_coords((1, 3), [(0, 0)]))
    >>> text[:78]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 88 40" width="88" height='
    """
    shape, cell, theme = shape_of(board), checked_int("cell", cell, 1, 1000), checked_theme(theme)
    chances = checked_probability(probability, shape)
    if np.prod(shape, dtype=np.float64) > _MOST_CELLS:
        raise TooLargeError(
            f"board must have at most {_MOST_CELLS} cells for SVG; render.image takes more. Got {shape}."
        )
    slices = Slices(shape, cell, margin=8, fold=folded(shape, cell, _WIDTH).fold)
    width, height = slices.size
    shown = np.full(shape, np.nan) if chances is None else chances
    cells = zip(np.ndindex(*shape), codes_of(board).ravel().tolist(), shown.ravel().tolist(), strict=True)
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"',
            f' class="nds-{theme}" font-family="ui-monospace,Menlo,Consolas,monospace" text-anchor="middle">',
            _styles(theme),
            f'<rect width="{width}" height="{height}" class="page"/>',
            *(_cell(slices, place, code, chance) for place, code, chance in cells),
            *(_title(slices, place) for place in np.ndindex(*shape) if slices.heads_slice(place)),
            "</svg>",
        ]
    )


def _styles(theme: str) -> str:
    light, dark = _rules(theme, LIGHT, HINTS), _rules(theme, DARK, DARK_HINTS)
    rules = {"light": light, "dark": dark, "auto": f"{light}@media(prefers-color-scheme:dark){{{dark}}}"}[theme]
    return f"<style>.nds-{theme} text{{font-weight:bold}}{rules}</style>"


def _rules(theme: str, grounds: dict[str, str], hints: tuple[str, ...]) -> str:
    """The colours of a theme, as classes; those of pictures of other themes beside it are others."""
    colours = {**grounds, **{f"n{k}": colour for k, colour in enumerate(hints)}}
    return "".join(f".nds-{theme} .{name}{{fill:{colour}}}" for name, colour in colours.items())


def _cell(slices: Slices, place: tuple[int, ...], code: int, chance: float) -> str:
    left, top, _, _ = slices.box(place)
    size = slices.cell
    if code in (HIDDEN, FLAG) and not isnan(chance):
        ground, ink = heat(chance)
        return _square(left, top, size, f'fill="{ground}"') + _text(left, top, size, percent(chance), f'fill="{ink}"')
    if code in (HIDDEN, FLAG, WRONG):
        tile = _square(left, top, size, 'class="tile-edge"') + (
            f'<rect x="{left + 1}" y="{top + 1}" width="{size - 2}" height="{size - 4}" rx="2" class="tile"/>'
        )
        flag = _sign(left, top, size, _FLAG, "flag") if code != HIDDEN else ""
        return tile + flag + (_sign(left, top, size, _CROSS, "ink") if code == WRONG else "")
    ground = _square(left, top, size, f'class="{"burst" if code == MINE else "open"}"')
    if code in (MINE, UNCOVERED):
        return ground + _sign(left, top, size, _MINE, "ink")
    return ground + (_text(left, top, size, str(code), f'class="n{hint_number(code)}"') if code else "")


def _square(left: int, top: int, size: int, look: str) -> str:
    return f'<rect x="{left + 0.5}" y="{top + 0.5}" width="{size - 1}" height="{size - 1}" rx="2" {look}/>'


def _sign(left: int, top: int, size: int, path: str, name: str) -> str:
    return f'<path transform="translate({left} {top}) scale({size})" d="{path}" class="{name}"/>'


def _text(left: int, top: int, size: int, text: str, look: str) -> str:
    height = _HEIGHTS.get(len(text), 1.1 / len(text)) * size
    at = f'x="{left + size / 2:g}" y="{top + size / 2 + 0.36 * height:.4g}"'
    return f'<text {at} font-size="{height:.3g}" {look}>{escape(text)}</text>'


def _title(slices: Slices, place: tuple[int, ...]) -> str:
    left, top, _, _ = slices.box(place)
    return (
        f'<text x="{left}" y="{top - 5}" font-size="11" text-anchor="start" class="faint">{slices.title(place)}</text>'
    )
