"""The cells on a canvas: draws what changed and can be seen, and outlines the chosen cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

import ndsweep as nd
from ndsweep.render import colours, sprites
from ndsweep.render.codes import UNCOVERED, WRONG
from ndsweep.render.slices import TITLE, Place, Slices

if TYPE_CHECKING:
    import tkinter as tk
    from tkinter import font as tkfont

_KINDS = {nd.HIDDEN: "hidden", nd.FLAG: "flag", nd.MINE: "burst", UNCOVERED: "mine", WRONG: "wrong"}
_NOT_DRAWN = np.iinfo(np.int32).min
_DIGIT_HEIGHTS = {1: 0.58, 2: 0.48, 3: 0.38}  # of the cell's edge
_MOST_ITEMS = 40_000  # a canvas gets slow with more: those out of sight are then given up
_MOST_BLOCKS = 1000  # outlines of neighbours; beyond 8-d they are no help to the eye any more


class Tiles:
    """The cells of one arrangement on a canvas.

    Parameters
    ----------
    canvas : tkinter.Canvas
        Where to draw; the caller scrolls it.
    slices : Slices
        Where each cell lies.
    """

    def __init__(self, canvas: tk.Canvas, slices: Slices) -> None:
        self.canvas, self.slices = canvas, slices
        self._images: dict[str, tk.PhotoImage] = {}
        self._fonts: dict[int, tkfont.Font] = {}
        self.clear()

    def clear(self) -> None:
        """Takes everything off the canvas."""
        self.canvas.delete("all")
        self._items: dict[int, tuple[int, int]] = {}  # of each drawn cell: its picture, its number
        self._drawn = np.full(self.slices.shape, _NOT_DRAWN, dtype=np.int32)

    def draw(self, picture: npt.NDArray[np.signedinteger[Any]], part: tuple[float, float, float, float]) -> int:
        """Draws the cells of a part of the canvas that look different from when they were last drawn.

        Parameters
        ----------
        picture : int array of the grid's shape
            View codes, UNCOVERED and WRONG.
        part : left, top, right, bottom
            What can be seen.

        Returns
        -------
        int
            Number of cells drawn.
        """
        if len(self._items) > _MOST_ITEMS:
            self.clear()
        seen = self.slices.within(part[0], part[1] - TITLE, part[2], part[3] + TITLE)
        changed = np.flatnonzero(seen & (picture != self._drawn))
        for cell in changed.tolist():
            self._draw_cell(cell, int(picture.flat[cell]))
        self._drawn.flat[changed] = picture.flat[changed]
        if changed.size:
            self.canvas.tag_raise("outline")
        return int(changed.size)

    def _draw_cell(self, cell: int, code: int) -> None:
        if cell not in self._items:
            self._items[cell] = self._new_items(cell)
        image, number = self._items[cell]
        self.canvas.itemconfigure(image, image=self._image(_KINDS.get(code, "open")))
        if code > 0:
            font = self._font(len(str(code)))
            self.canvas.itemconfigure(number, text=str(code), fill=colours.hint_colour(code), font=font)
        else:
            self.canvas.itemconfigure(number, text="")

    def _new_items(self, cell: int) -> tuple[int, int]:
        place = tuple(map(int, np.unravel_index(cell, self.slices.shape)))
        left, top, right, bottom = self.slices.box(place)
        if self.slices.heads_slice(place):
            self.canvas.create_text(
                left + 1, top - 4, text=self.slices.title(place), anchor="sw", fill=sprites.FAINT, tags="title"
            )
        image = self.canvas.create_image(left, top, anchor="nw", tags=("cell",))
        number = self.canvas.create_text((left + right) / 2, (top + bottom) / 2, tags=("number",))
        return image, number

    def _image(self, kind: str) -> tk.PhotoImage:
        if kind not in self._images:
            import tkinter as tk

            data = sprites.ppm(sprites.sprite(kind, self.slices.cell))
            self._images[kind] = tk.PhotoImage(master=self.canvas, data=data, format="PPM")
        return self._images[kind]

    def _font(self, digits: int) -> tkfont.Font:
        if digits not in self._fonts:
            from tkinter import font as tkfont

            height = round(self.slices.cell * _DIGIT_HEIGHTS.get(digits, 1.1 / digits))
            family = tkfont.nametofont("TkDefaultFont", root=self.canvas).actual("family")
            self._fonts[digits] = tkfont.Font(root=self.canvas, family=family, size=-height, weight="bold")
        return self._fonts[digits]

    def outline(self, place: Place) -> None:
        """Outlines a cell and, from 3-d on, its neighbours in every slice that holds some."""
        self.canvas.delete("outline")
        if len(self.slices.shape) > 2:
            for block, _ in zip(self.slices.blocks(place), range(_MOST_BLOCKS), strict=False):
                self._frame(block, sprites.NEAR, 1)
        self._frame(self.slices.box(place), sprites.ACCENT, 2)

    def _frame(self, box: tuple[int, int, int, int], colour: str, width: int) -> None:
        left, top, right, bottom = box
        self.canvas.create_rectangle(left, top, right - 1, bottom - 1, outline=colour, width=width, tags="outline")
