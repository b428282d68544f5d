"""The pictures of the cells: small arrays, smooth at any size.

Every state has its own shape, so that none needs its colour to be known: hidden tiles stand
up from the page, open ones lie flat, flags have a pole, a wrong flag is crossed out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]

PAGE = "#e8ecf2"
"""Behind everything."""

OPEN = "#f9fafc"
"""Ground of an open cell."""

INK = "#27313f"
"""Text, mines and poles."""

FAINT = "#5d6b7e"
"""Titles and other text beside the game."""

ACCENT, NEAR = "#e8590c", "#e8590c"
"""The outlines of the chosen cell, and of its neighbours."""

_TILE, _TILE_LIGHT, _TILE_EDGE = "#a8b7cb", "#bcc9d9", "#8293ad"
_PENNANT, _BURST, _PAPER = "#d6293e", "#f2707c", "#ffffff"
_FINE = 4  # points a pixel and axis, averaged: edges come out smooth

_HINTS = ("#1c5fd4", "#237a36", "#cf2230", "#1d2a86", "#8a1c1c", "#0b7285", "#212529", "#636b74")
_MORE_HINTS = ("#7a2fb8", "#9a4a00", "#a61e6b", "#2f6b1f", "#3b4a9c")


def hint_colour(hint: int) -> str:
    """The colour of a number: that of common Minesweeper from 1 to 8, further ones beyond.

    Examples
    --------
    >>> hint_colour(1), hint_colour(3), hint_colour(27) != hint_colour(28)
    ('#1c5fd4', '#cf2230', True)
    """
    if hint <= len(_HINTS):
        return _HINTS[hint - 1]
    return _MORE_HINTS[(hint - len(_HINTS) - 1) % len(_MORE_HINTS)]


def sprite(kind: str, size: int) -> npt.NDArray[np.uint8]:
    """A cell's picture without its number.

    Parameters
    ----------
    kind : {"hidden", "flag", "wrong", "open", "mine", "burst"}
        What the cell shows: "wrong" is a flag without a mine, "burst" the mine that was opened.
    size : int
        Edge in pixels.

    Returns
    -------
    uint8 array, (size, size, 3)
        Red, green and blue.

    Examples
    --------
    >>> sprite("open", 24)[12, 12]
    array([249, 250, 252], dtype=uint8)
    """
    canvas = np.empty((size * _FINE, size * _FINE, 3))
    canvas[:] = _rgb(PAGE)
    y, x = (np.mgrid[: size * _FINE, : size * _FINE] + 0.5) / (size * _FINE)
    for colour, mask in _layers(kind, x, y, 1 / size):
        canvas[mask] = _rgb(colour)
    smooth = canvas.reshape(size, _FINE, size, _FINE, 3).mean(axis=(1, 3))
    return np.asarray(np.rint(smooth), dtype=np.uint8)


def ppm(pixels: npt.NDArray[np.uint8]) -> bytes:
    """The pixels as a portable pixmap, which tkinter reads without further libraries.

    Examples
    --------
    >>> ppm(sprite("open", 20))[:12]
    b'P6 20 20 255'
    """
    height, width, _ = pixels.shape
    return b"P6 %d %d 255\n" % (width, height) + pixels.tobytes()


def _rgb(colour: str) -> npt.NDArray[Any]:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])


def _layers(kind: str, x: npt.NDArray[Any], y: npt.NDArray[Any], pixel: float) -> list[tuple[str, Mask]]:
    """Colours and where they are laid, one over the other."""
    flat = _rounded(x, y, pixel, 1 - pixel)
    ground = [(_BURST if kind == "burst" else OPEN, flat)]
    if kind in ("hidden", "flag", "wrong"):
        top = flat & _rounded(x, y + 2 * pixel, pixel, 1 - pixel)
        lower = top & _rounded(x, y - pixel, pixel, 1 - pixel)
        ground = [(_TILE_EDGE, flat), (_TILE_LIGHT, top), (_TILE, lower)]
    marks = {"flag": _flag, "wrong": _wrong_flag, "mine": _mine, "burst": _mine}
    return ground + (marks[kind](x, y) if kind in marks else [])


def _rounded(x: npt.NDArray[Any], y: npt.NDArray[Any], low: float, high: float, radius: float = 0.12) -> Mask:
    """A square with round corners."""
    half = (high - low) / 2 - radius
    right, down = (np.maximum(np.abs(v - (low + high) / 2) - half, 0) for v in (x, y))
    return np.asarray(np.hypot(right, down) <= radius)


def _flag(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> list[tuple[str, Mask]]:
    pole = (np.abs(x - 0.4) < 0.035) & (y > 0.2) & (y < 0.76)
    foot = (np.abs(x - 0.4) < 0.17) & (np.abs(y - 0.76) < 0.04)
    pennant = (x > 0.4) & (np.abs(y - 0.36) < 0.165 * (0.78 - x) / 0.38)
    return [(INK, pole | foot), (_PENNANT, pennant)]


def _wrong_flag(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> list[tuple[str, Mask]]:
    inside = (np.abs(x - 0.5) < 0.36) & (np.abs(y - 0.5) < 0.36)
    away = np.minimum(np.abs(x - y), np.abs(x + y - 1))
    return [*_flag(x, y), (_PAPER, inside & (away < 0.1)), (INK, inside & (away < 0.05))]


def _mine(x: npt.NDArray[Any], y: npt.NDArray[Any]) -> list[tuple[str, Mask]]:
    right, down = x - 0.5, y - 0.5
    far = np.hypot(right, down)
    spokes = np.minimum(np.abs(right), np.abs(down)) < 0.035
    spokes |= np.minimum(np.abs(right - down), np.abs(right + down)) < 0.05
    return [
        (INK, (far < 0.23) | (spokes & (far < 0.33))),
        (_PAPER, np.hypot(x - 0.43, y - 0.43) < 0.06),
    ]
