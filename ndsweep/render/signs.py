"""Signs: digits and a few other characters as strokes, smooth at any size."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Cover = npt.NDArray[np.float64]

_FINE = 4  # points a pixel and axis, averaged
_WIDTH, _GAP, _STROKE = 0.6, 0.16, 0.17  # of the height of a character


def _arc(x: float, y: float, across: float, down: float, start: float, end: float) -> Points:
    """A part of an ellipse, from one angle to another in degrees, clockwise from the right."""
    angle = np.radians(np.linspace(start, end, max(2, int(abs(end - start) // 15) + 1)))
    return np.stack([x + across * np.cos(angle), y + down * np.sin(angle)], axis=1)


def _line(*points: tuple[float, float]) -> Points:
    return np.array(points, dtype=np.float64)


_SIX = [
    _arc(0.3, 0.68, 0.22, 0.24, 0, 360),
    np.concatenate([_arc(0.5, 0.62, 0.42, 0.56, 270, 190), _line((0.08, 0.68))]),
]
_STROKES: dict[str, list[Points]] = {
    "0": [_arc(0.3, 0.5, 0.22, 0.42, 0, 360)],
    "1": [_line((0.12, 0.26), (0.34, 0.08), (0.34, 0.92))],
    "2": [np.concatenate([_arc(0.3, 0.31, 0.22, 0.23, 190, 395), _line((0.08, 0.92), (0.53, 0.92))])],
    "3": [_arc(0.28, 0.29, 0.2, 0.21, 200, 440), _arc(0.28, 0.7, 0.23, 0.22, -85, 160)],
    "4": [_line((0.42, 0.92), (0.42, 0.08), (0.06, 0.66), (0.56, 0.66))],
    "5": [np.concatenate([_line((0.5, 0.08), (0.13, 0.08), (0.1, 0.46)), _arc(0.28, 0.66, 0.24, 0.26, 230, 510)])],
    "6": _SIX,
    "7": [_line((0.07, 0.08), (0.53, 0.08), (0.22, 0.92))],
    "8": [_arc(0.3, 0.29, 0.19, 0.21, 0, 360), _arc(0.3, 0.71, 0.22, 0.21, 0, 360)],
    "9": [np.array([0.6, 1.0]) - stroke for stroke in _SIX],
    "<": [_line((0.52, 0.24), (0.08, 0.5), (0.52, 0.76))],
    ">": [_line((0.08, 0.24), (0.52, 0.5), (0.08, 0.76))],
    "[": [_line((0.42, -0.02), (0.18, -0.02), (0.18, 1.02), (0.42, 1.02))],
    "]": [_line((0.18, -0.02), (0.42, -0.02), (0.42, 1.02), (0.18, 1.02))],
    ",": [_line((0.26, 0.88), (0.18, 1.1))],
    " ": [],
}


@lru_cache(maxsize=1024)
def written(text: str, height: int) -> Cover:
    """How much of each pixel a text covers, 0 to 1.

    Parameters
    ----------
    text : str
        Of digits, ``<``, ``>``, brackets, commas and blanks.
    height : int
        Of a digit in pixels.

    Returns
    -------
    float64 array, (rows, columns)
        Somewhat higher than a digit.

    Examples
    --------
    >>> written("1", 10).shape, written("10", 10).shape
    ((12, 8), (12, 16))
    """
    return np.concatenate([_sign(sign, height) for sign in text], axis=1)


@lru_cache(maxsize=1024)
def _sign(sign: str, height: int) -> Cover:
    """One of the signs, with its share of the gaps."""
    rows, columns = height + 2 * max(1, height // 6), max(1, round((_WIDTH + _GAP) * height))
    y, x = (np.mgrid[: rows * _FINE, : columns * _FINE] + 0.5) / (_FINE * height)
    y -= (rows - height) / (2 * height)
    x -= _GAP / 2
    covered = np.zeros(x.shape, dtype=np.bool_)
    for stroke in _STROKES[sign]:
        covered |= _near(x, y, stroke) < _STROKE / 2
    cover: Cover = covered.reshape(rows, _FINE, columns, _FINE).mean(axis=(1, 3))
    return cover


def _near(x: Cover, y: Cover, stroke: Points) -> Cover:
    """How far each point is from a line of several pieces."""
    least = np.full(x.shape, np.inf)
    for (x0, y0), (x1, y1) in pairwise(stroke):
        across, down = x1 - x0, y1 - y0
        along = np.clip(((x - x0) * across + (y - y0) * down) / (across**2 + down**2), 0, 1)
        np.minimum(least, np.hypot(x - x0 - along * across, y - y0 - along * down), out=least)
    return least
