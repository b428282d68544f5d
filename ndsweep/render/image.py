"""Pictures as arrays of pixels, with no further library."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from ndsweep.checks import check_memory
from ndsweep.render.codes import UNCOVERED, WRONG, Codes, codes_of, shape_of
from ndsweep.render.colours import LIGHT, heat, hint_colour, percent, rgb
from ndsweep.render.probabilities import checked_probability
from ndsweep.render.signs import written
from ndsweep.render.slices import TITLE, Slices, folded
from ndsweep.render.sprites import sprite
from ndsweep.spec import FLAG, HIDDEN, MINE, checked_int

Pixels = npt.NDArray[np.uint8]

_KINDS = {HIDDEN: "hidden", FLAG: "flag", MINE: "burst", UNCOVERED: "mine", WRONG: "wrong"}
_FLAT = {HIDDEN: "tile", FLAG: "flag", MINE: "burst", UNCOVERED: "ink", WRONG: "accent", 0: "open"}
_SIGNS = 9  # pixels from which on a cell has room for signs; a smaller one has one colour
_HEIGHTS = {1: 0.58, 2: 0.48, 3: 0.36}  # of a number, by how many characters it has
_EDGE, _MOST_EDGE = 26, 512  # of a cell
_WIDTH = 1000  # of a picture, beyond which cells are smaller or rows of slices fold
_TITLE_HEIGHT = 10
_BLOCK = 1 << 20  # pixels that are laid at a time
_STEPS = 10_000  # of probabilities from 0 to 1, as many as differ in a picture
_BELOW = WRONG - 1  # where they are numbered, below all codes


def image(board: object, *, cell: int | None = None, probability: npt.ArrayLike | None = None) -> Pixels:
    """A board, game, position or view as a picture in pixels.

    Slices of three and more axes stand side by side, with their coordinates: the axes run,
    from the last, right, down, right, down and so on.

    Parameters
    ----------
    board : Board, Game, Position or integer array
        What to draw: a board with all its mines, a game as its player sees it (a lost one with
        the mines that were not found), or view codes.
    cell : int, optional
        Edge of a cell in pixels; by default as large as a picture some 1,000 pixels wide
        allows, at most 26.  Below 9 pixels a cell is one colour, without a sign.
    probability : float array of the grid's shape, optional
        Mine probabilities; hidden cells show them in per cent, on grounds from pale to deep orange.
        NaN where there is none to show.

    Returns
    -------
    (height, width, 3) uint8 array
        Red, green and blue.

    Raises
    ------
    SpecError
        If there is nothing that can be drawn, or an argument is not of its kind.
    TooLargeError
        If the picture does not fit in memory.

    Examples
    --------
    >>> import ndsweep as nd
    >>> from ndsweep import render
    >>> render.image(nd.Game.new(nd.BEGINNER), cell=20).shape
    (196, 196, 3)
    """
    shape = shape_of(board)
    if cell is not None:
        cell = checked_int("cell", cell, 1, _MOST_EDGE)
    width, height = _arranged(shape, cell).size
    check_memory(f"a picture of {height} x {width} pixels", 8 * height * width)
    return drawn(codes_of(board), checked_probability(probability, shape), cell)


def drawn(
    codes: Codes, chances: npt.NDArray[np.float64] | None = None, cell: int | None = None, titled: bool = True
) -> Pixels:
    """The same of picture codes, with the coordinates of slices or without.

    Examples
    --------
    >>> drawn(np.zeros((2, 3), dtype=int), cell=10).shape
    (36, 46, 3)
    """
    shape = codes.shape
    slices = _arranged(shape, cell, titled)
    width, height = slices.size
    canvas = np.empty((height, width, 3), dtype=np.uint8)
    canvas[:] = rgb(LIGHT["page"]).astype(np.uint8)
    full = (1,) * max(0, 2 - len(shape)) + shape
    block = max(1, _BLOCK // (full[-1] * slices.cell**2))
    lines, chances = codes.reshape(full), None if chances is None else chances.reshape(full)
    for place, row in product(np.ndindex(*full[:-2]), range(0, full[-2], block)):
        left, top, _, _ = slices.box((*place, row, 0)[-len(shape) :])
        rows: tuple[int | slice, ...] = (*place, slice(row, row + block))
        _lay(canvas, left, top, lines[rows], None if chances is None else chances[rows], slices.cell)
        if titled and row == 0 and place:
            _write(canvas, left, top - TITLE, slices.title((*place, 0, 0)))
    return canvas


def _arranged(shape: tuple[int, ...], cell: int | None, titled: bool = True) -> Slices:
    """Where the cells lie, in as large a size as there is room for if none is given."""
    if cell is not None:
        return _folded(shape, cell, titled)
    most = max(1, int(sqrt(_WIDTH * _WIDTH / max(1, int(np.prod(shape, dtype=np.float64))))))
    for edge in range(min(_EDGE, most), 1, -1):
        slices = _folded(shape, edge, titled)
        if max(slices.size) <= _WIDTH:
            return slices
    return _folded(shape, 1, titled)


def _folded(shape: tuple[int, ...], cell: int, titled: bool) -> Slices:
    return replace(folded(shape, cell, _WIDTH, titled), margin=min(8, 4 * cell))


def _numbered(codes: Codes, chances: npt.NDArray[np.float64] | None, size: int) -> tuple[npt.NDArray[Any], Pixels]:
    """For each cell the number of its tile, and the tiles."""
    if chances is None:
        found, numbers = np.unique(codes, return_inverse=True)
        return numbers.reshape(codes.shape), np.stack([tile(int(code), size) for code in found])
    shown = ((codes == HIDDEN) | (codes == FLAG)) & ~np.isnan(chances)
    some = np.where(shown, chances, 0)
    steps = np.where((some > 0) & (some < 1), np.clip(np.rint(some * _STEPS), 1, _STEPS - 1), some * _STEPS)
    steps = steps.astype(np.int64)
    found, numbers = np.unique(np.where(shown, _BELOW - steps, codes), return_inverse=True)
    tiles = [tile(code, size) if code > _BELOW else likely((_BELOW - code) / _STEPS, size) for code in found.tolist()]
    return numbers.reshape(codes.shape), np.stack(tiles)


def _lay(canvas: Pixels, left: int, top: int, codes: Codes, chances: npt.NDArray[np.float64] | None, size: int) -> None:
    """Puts some (rows, columns) of a slice on the canvas."""
    rows, columns = codes.shape
    numbers, found = _numbered(codes, chances, size)
    tiles = found[numbers]
    laid = tiles.transpose(0, 2, 1, 3, 4).reshape(rows * size, columns * size, 3)
    canvas[top : top + rows * size, left : left + columns * size] = laid


def _write(canvas: Pixels, left: int, top: int, text: str) -> None:
    cover = written(text, _TITLE_HEIGHT)
    rows, columns = cover.shape
    below = canvas[top : top + rows, left : left + columns]
    below[:] = _blended(below, LIGHT["faint"], cover[: below.shape[0], : below.shape[1]])


def flat_colour(code: int) -> str:
    """The one colour of a cell that has no room for a sign.

    Examples
    --------
    >>> flat_colour(HIDDEN), flat_colour(1)
    ('#a8b7cb', '#8aace8')
    """
    if code <= 0:
        return LIGHT[_FLAT[code]]
    paler = ((rgb(hint_colour(code)) + rgb(LIGHT["open"])) / 2).astype(int)
    return "#" + "".join(f"{channel:02x}" for channel in paler)


@lru_cache(maxsize=512)
def tile(code: int, size: int) -> Pixels:
    """The picture of a cell.

    Parameters
    ----------
    code : int
        A picture code.
    size : int
        Edge in pixels.

    Returns
    -------
    (size, size, 3) uint8 array
        Read-only.

    Examples
    --------
    >>> tile(3, 20).shape, int(tile(0, 1)[0, 0, 0])
    ((20, 20, 3), 249)
    """
    if size < _SIGNS:
        pixels = np.empty((size, size, 3), dtype=np.uint8)
        pixels[:] = rgb(flat_colour(code)).astype(np.uint8)
    elif code <= 0:
        pixels = sprite(_KINDS.get(code, "open"), size)
    else:
        pixels = _signed(sprite("open", size), str(code), hint_colour(code))
    pixels.flags.writeable = False
    return pixels


@lru_cache(maxsize=2048)
def likely(p: float, size: int) -> Pixels:
    """The picture of a hidden cell that is a mine with some probability.

    Examples
    --------
    >>> likely(0.25, 20).shape
    (20, 20, 3)
    """
    ground, ink = heat(p)
    pixels = np.empty((size, size, 3), dtype=np.uint8)
    if size < _SIGNS:
        pixels[:] = rgb(ground)
    else:
        pixels[:] = rgb(LIGHT["page"])
        pixels[1:, 1:] = rgb(ground)
        pixels = _signed(pixels, percent(p), ink)
    pixels.flags.writeable = False
    return pixels


def _signed(pixels: Pixels, text: str, colour: str) -> Pixels:
    """A tile with a text in its middle."""
    size = len(pixels)
    height = max(5, round(_HEIGHTS.get(len(text), 1.0 / len(text)) * size))
    cover = written(text, height)[:size, :size]
    top, left = ((size - n + 1) // 2 for n in cover.shape)
    under = pixels[top : top + cover.shape[0], left : left + cover.shape[1]]
    signed = pixels.copy()
    signed[top : top + cover.shape[0], left : left + cover.shape[1]] = _blended(under, colour, cover)
    return signed


def _blended(under: Pixels, colour: str, cover: npt.NDArray[np.float64]) -> Pixels:
    mixed = under + cover[..., None] * (rgb(colour) - under)
    return np.rint(mixed).astype(np.uint8)
