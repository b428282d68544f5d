"""The pictures of the cells: small arrays, smooth at any size.

Every state has its own shape, so that none needs its colour to be known: hidden tiles stand
up from the page, open ones lie flat, flags have a pole, a wrong flag is crossed out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.render.colours import LIGHT, rgb

Mask = npt.NDArray[np.bool_]

PAGE = LIGHT["page"]
"""Behind everything."""

OPEN = LIGHT["open"]
"""Ground of an open cell."""

INK = LIGHT["ink"]
"""Text, mines and poles."""

FAINT = LIGHT["faint"]
"""Titles and other text beside the game."""

ACCENT, NEAR = LIGHT["accent"], LIGHT["accent"]
"""The outlines of the chosen cell, and of its neighbours."""

_PAPER = "#ffffff"
_FINE = 4  # points a pixel and axis, averaged: edges come out smooth


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
    canvas[:] = rgb(PAGE)
    y, x = (np.mgrid[: size * _FINE, : size * _FINE] + 0.5) / (size * _FINE)
    for colour, mask in _layers(kind, x, y, 1 / size):
        canvas[mask] = rgb(colour)
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


def _layers(kind: str, x: npt.NDArray[Any], y: npt.NDArray[Any], pixel: float) -> list[tuple[str, Mask]]:
    """Colours and where they are laid, one over the other."""
    flat = _rounded(x, y, pixel, 1 - pixel)
    ground = [(LIGHT["burst"] if kind == "burst" else OPEN, flat)]
    if kind in ("hidden", "flag", "wrong"):
        top = flat & _rounded(x, y + 2 * pixel, pixel, 1 - pixel)
        lower = top & _rounded(x, y - pixel, pixel, 1 - pixel)
        ground = [(LIGHT["tile-edge"], flat), (LIGHT["tile-light"], top), (LIGHT["tile"], lower)]
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
    return [(INK, pole | foot), (LIGHT["flag"], pennant)]


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
