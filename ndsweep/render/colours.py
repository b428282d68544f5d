"""Colours: of the numbers on a light and on a dark ground, and of probabilities.

No meaning is carried by colour alone: numbers are written, every other state has a shape.
Probabilities run from pale to deep orange, proved cells are blue or nearly black, which people
who see few colours tell apart too.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ndsweep.spec import SpecError

LIGHT = {
    "page": "#e8ecf2",
    "open": "#f9fafc",
    "ink": "#27313f",
    "faint": "#5d6b7e",
    "tile": "#a8b7cb",
    "tile-light": "#bcc9d9",
    "tile-edge": "#8293ad",
    "flag": "#d6293e",
    "burst": "#f2707c",
    "accent": "#e8590c",
}
"""The grounds, and the signs on them."""

DARK = {
    "page": "#12161c",
    "open": "#1d232c",
    "ink": "#e3e8ef",
    "faint": "#97a3b4",
    "tile": "#46546a",
    "tile-light": "#5a6a83",
    "tile-edge": "#2f3a4a",
    "flag": "#ff8c96",
    "burst": "#a5303d",
    "accent": "#ff9a5c",
}
"""The same on a dark page."""

THEMES = ("light", "dark", "auto")
"""How a picture may look; "auto" follows what the reader's system prefers."""

HINTS = (
    "#1c5fd4", "#237a36", "#cf2230", "#1d2a86", "#8a1c1c", "#0b7285", "#212529", "#636b74",
    "#7a2fb8", "#9a4a00", "#a61e6b", "#2f6b1f", "#3b4a9c",
)  # fmt: skip
"""Numbers from 1 on a light ground, the first eight as in common Minesweeper."""

DARK_HINTS = (
    "#7fb0ff", "#7fd18b", "#ff8a8f", "#aeb8ff", "#e8a0a0", "#5fd0e0", "#f0f3f7", "#b5bdc9",
    "#cf9dff", "#f0b070", "#ff8fd0", "#b6d97f", "#9fb4ea",
)  # fmt: skip
"""Numbers from 1 on a dark ground."""

_COMMON = 8  # numbers that have a colour of their own; further ones take turns
_PALE, _DEEP = (255, 244, 230), (217, 88, 13)
_SAFE, _MINED = "#bfe0ff", "#2b2320"  # where there can be no mine, and where there must be one


def hint_number(hint: int) -> int:
    """Which of the colours a number has.

    Examples
    --------
    >>> hint_number(1), hint_number(8), hint_number(9), hint_number(14)
    (0, 7, 8, 8)
    """
    return hint - 1 if hint <= _COMMON else _COMMON + (hint - _COMMON - 1) % (len(HINTS) - _COMMON)


def hint_colour(hint: int) -> str:
    """The colour of a number on a light ground.

    Examples
    --------
    >>> hint_colour(1), hint_colour(3), hint_colour(27) != hint_colour(28)
    ('#1c5fd4', '#cf2230', True)
    """
    return HINTS[hint_number(hint)]


def heat(p: float) -> tuple[str, str]:
    """The ground of a cell that is a mine with this probability, and of the text on it.

    Examples
    --------
    >>> heat(0.0), heat(0.02), heat(1.0)
    (('#bfe0ff', '#000000'), ('#fef1e2', '#000000'), ('#2b2320', '#ffffff'))
    """
    if p in (0, 1):
        return (_MINED, "#ffffff") if p else (_SAFE, "#000000")
    channels = (round(pale + p * (deep - pale)) for pale, deep in zip(_PALE, _DEEP, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in channels), "#000000"


def percent(p: float) -> str:
    """A probability in whole per cent; 0 and 100 are certain.

    Examples
    --------
    >>> [percent(p) for p in (0, 0.001, 0.251, 0.999, 1)]
    ['0', '<1', '25', '>99', '100']
    """
    if p in (0, 1):
        return str(int(100 * p))
    return "<1" if p < 0.01 else ">99" if p > 0.99 else f"{100 * p:.0f}"


def rgb(colour: str) -> npt.NDArray[np.float64]:
    """Red, green and blue of a colour.

    Examples
    --------
    >>> rgb("#ff8000")
    array([255., 128.,   0.])
    """
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=np.float64)


def checked_theme(theme: object, themes: tuple[str, ...] = THEMES) -> str:
    """A theme; SpecError if there is no such one.

    Examples
    --------
    >>> checked_theme("dark")
    'dark'
    """
    if not isinstance(theme, str) or theme not in themes:
        raise SpecError(f"theme must be {', '.join(map(repr, themes))}. Got {theme!r}.")
    return theme
