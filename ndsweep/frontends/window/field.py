"""The field of cells in the window: fits it to the screen, scrolls it, finds the cell under the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ndsweep.frontends.window.tiles import Tiles
from ndsweep.render import sprites
from ndsweep.render.slices import Place, Slices, folded
from ndsweep.spec import HIDDEN

if TYPE_CHECKING:
    import tkinter as tk
    from tkinter import ttk

_ZOOMS = (16, 22, 26, 30, 36, 44, 56)  # edges of a cell in pixels, for a person who asks for another one
_LARGEST_FIT, _SMALLEST_FIT = 36, 22  # what is taken without being asked for
_SCREEN = 0.85  # of the screen may be taken
_AROUND = 150  # pixels above and below the cells: menu, counters, status
_UNIT = 8  # pixels that scrollbars and wheels count in


def fitting(shape: Place, width: int, height: int) -> Slices:
    """The arrangement with the largest cells that fits a space, within what is good to click.

    Parameters
    ----------
    shape : tuple of int
        Sizes of the axes.
    width, height : int
        The space in pixels.

    Examples
    --------
    >>> [fitting(shape, 1000, 700).cell for shape in ((9, 9), (16, 30), (100, 100))]
    [36, 32, 22]
    """
    for cell in range(_LARGEST_FIT, _SMALLEST_FIT, -1):
        slices = folded(shape, cell, width)
        wide, high = slices.size
        if wide <= width and high <= height:
            return slices
    return folded(shape, _SMALLEST_FIT, width)


def bars_needed(size: tuple[int, int], space: tuple[int, int], thick: int) -> tuple[bool, bool]:
    """Whether scrollbars are needed below and at the right, each of which takes space from the other.

    Parameters
    ----------
    size, space : (int, int)
        Width and height of what is to be seen, and of where.
    thick : int
        Pixels that a scrollbar takes.

    Examples
    --------
    >>> bars_needed((100, 80), (100, 80), 14), bars_needed((100, 80), (100, 79), 14)
    ((False, False), (True, True))
    """
    down = size[1] > space[1]
    across = size[0] > space[0] - thick * down
    return across, size[1] > space[1] - thick * across


class Field:
    """All cells on one canvas, with scrollbars where they are needed.

    Parameters
    ----------
    root : tkinter.Tk
        The window, which the field fills as far as other parts leave room.
    shape : tuple of int
        Sizes of the axes.

    Attributes
    ----------
    canvas : tkinter.Canvas
        Where the cells are drawn, and what takes clicks.
    slices : Slices
        Where each cell lies.
    tiles : Tiles
        What is drawn.
    place : tuple of int
        The chosen cell.
    """

    def __init__(self, root: tk.Tk, shape: Place) -> None:
        import tkinter as tk
        from tkinter import ttk

        self._root = root
        self._frame = ttk.Frame(root)
        self._frame.pack(fill="both", expand=True)
        self._frame.grid_propagate(False)  # its size must not depend on the scrollbars, which depend on its size
        self._frame.rowconfigure(0, weight=1)
        self._frame.columnconfigure(0, weight=1)
        self.canvas = tk.Canvas(self._frame, background=sprites.PAGE, highlightthickness=0, borderwidth=0)
        self.canvas.grid(row=0, column=0, sticky="nsew")
        self._add_scrollbars()
        self.arrange(shape)

    def _add_scrollbars(self) -> None:
        from tkinter import ttk

        self._across = ttk.Scrollbar(self._frame, orient="horizontal", command=self.canvas.xview)
        self._down = ttk.Scrollbar(self._frame, orient="vertical", command=self.canvas.yview)
        self.canvas.configure(
            xscrollcommand=lambda *ends: self._scrolled(self._across, *ends),
            yscrollcommand=lambda *ends: self._scrolled(self._down, *ends),
            xscrollincrement=_UNIT,
            yscrollincrement=_UNIT,
        )
        self._thick = self._down.winfo_reqwidth()
        self._frame.bind("<Configure>", lambda _: self._fit_scrollbars())
        self.canvas.bind("<Configure>", lambda _: self._fit_region())

    # Arranging -----------------------------------------------------------------------------------

    def arrange(self, shape: Place) -> None:
        """Lays a grid out, with cells as large as the screen allows, and chooses one in the first slice."""
        self._picture: npt.NDArray[np.signedinteger[Any]] = np.full(shape, HIDDEN)
        self.place = (0,) * len(shape[:-2]) + tuple(n // 2 for n in shape[-2:])
        self._lay_out(fitting(shape, *self._most_space()))
        self.canvas.xview_moveto(0)
        self.canvas.yview_moveto(0)

    def zoom(self, steps: int) -> None:
        """Larger or smaller cells; 0 steps for those that fit."""
        nearest = min(range(len(_ZOOMS)), key=lambda k: abs(_ZOOMS[k] - self.slices.cell))
        at = min(max(nearest + steps, 0), len(_ZOOMS) - 1)
        shape = self.slices.shape
        most = self._most_space()
        self._lay_out(folded(shape, _ZOOMS[at], most[0]) if steps else fitting(shape, *most))
        self._scroll_to(self.place)

    def _most_space(self) -> tuple[int, int]:
        width, height = self._root.winfo_screenwidth(), self._root.winfo_screenheight()
        return int(width * _SCREEN), int(height * _SCREEN) - _AROUND

    def _lay_out(self, slices: Slices) -> None:
        self.slices = slices
        self.tiles = Tiles(self.canvas, slices)
        (wide, high), most = self.slices.size, self._most_space()
        across, down = bars_needed((wide, high), most, self._thick)
        self._frame.configure(width=min(wide + self._thick * down, most[0]))
        self._frame.configure(height=min(high + self._thick * across, most[1]))
        self._root.geometry("")  # as large as the cells ask for, also where a person had resized it
        self._fit_scrollbars()
        self._fit_region()
        self.choose(self.place)

    def _fit_scrollbars(self) -> None:
        """Shows the scrollbars that the space calls for."""
        space = self._frame.winfo_width(), self._frame.winfo_height()
        across, down = bars_needed(self.slices.size, space, self._thick)
        for bar, needed, row in ((self._across, across, 1), (self._down, down, 0)):
            if needed and min(space) > 1:  # 1 pixel before the window is on the screen
                bar.grid(row=row, column=1 - row, sticky="nsew")
            else:
                bar.grid_remove()

    def _fit_region(self) -> None:
        """Centres the cells where there is more space than they need."""
        (wide, high), canvas = self.slices.size, self.canvas
        across, down = max(canvas.winfo_width() - wide, 0), max(canvas.winfo_height() - high, 0)
        left, top = -(across // 2), -(down // 2)
        canvas.configure(scrollregion=(left, top, left + wide + across, top + high + down))
        self._root.after_idle(self._draw)

    # Showing -------------------------------------------------------------------------------------

    def show(self, picture: npt.NDArray[np.signedinteger[Any]]) -> int:
        """Draws what changed of the cells in sight; gives their number."""
        self._picture = picture
        return self._draw()

    def _draw(self) -> int:
        left, top, width, height = self._in_sight()
        return self.tiles.draw(self._picture, (left, top, left + width, top + height))

    def _in_sight(self) -> tuple[float, float, int, int]:
        """Left, top, width and height of what the canvas shows."""
        canvas = self.canvas
        left, top = float(canvas.canvasx(0)), float(canvas.canvasy(0))  # type: ignore[no-untyped-call]
        return left, top, canvas.winfo_width(), canvas.winfo_height()

    def _scrolled(self, bar: ttk.Scrollbar, first: str, last: str) -> None:
        bar.set(first, last)
        self._root.after_idle(self._draw)

    # Choosing ------------------------------------------------------------------------------------

    def cell_under(self, x: int, y: int) -> Place | None:
        """The cell under a point of the canvas, as far as it is scrolled now."""
        left, top, _, _ = self._in_sight()
        return self.slices.cell_at(left + x, top + y)

    def choose(self, place: Place, reach: bool = False) -> None:
        """Makes a cell the chosen one; ``reach`` scrolls to it."""
        self.place = place
        self.tiles.outline(place)
        if reach:
            self._scroll_to(place)

    def _scroll_to(self, place: Place) -> None:
        """Scrolls just as far as it takes to see a cell and what is next to it."""
        near = self.slices.cell + self.slices.margin
        box, sight = self.slices.box(place), self._in_sight()
        for axis, move in ((0, self.canvas.xview_moveto), (1, self.canvas.yview_moveto)):
            whole, start, shown = self.slices.size[axis], sight[axis], sight[axis + 2]
            low, high = box[axis] - near, box[axis + 2] + near
            if shown < whole and (low < start or high > start + shown):
                move((low if low < start else high - shown) / whole)
