"""A display of its own for tests of windows: what a person would do with it and see on it."""

import os
import shutil
import subprocess
import time
from contextlib import contextmanager

import numpy as np
import pytest
from needed import missing

import ndsweep as nd
from ndsweep.render.sprites import sprite

SCREEN = (1280, 1000)
KINDS = ("hidden", "flag", "wrong", "open", "mine", "burst")
NEEDED = {"Xvfb": "xvfb", "xdotool": "xdotool"}  # programs, and what systems call their packages


@contextmanager
def virtual_display(folder):
    """Runs a display with a free number and points DISPLAY at it; gives a function that takes a screenshot."""
    for program, package in NEEDED.items():
        if shutil.which(program) is None:
            missing(f"these tests use a virtual display: install {program} (package {package})")
    reading, writing = os.pipe()
    size = f"{SCREEN[0]}x{SCREEN[1]}x24"
    options = ["-displayfd", str(writing), "-screen", "0", size, "-fbdir", str(folder), "-nolisten", "tcp"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(["Xvfb", *options], pass_fds=[writing], stderr=log)
    os.close(writing)
    try:
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()  # ends at once if the server could not start
        assert number, f"Xvfb did not start: {(folder / 'log').read_text()}"
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("DISPLAY", f":{number}")
            yield lambda: screenshot(folder / "Xvfb_screen0")
    finally:
        server.terminate()
        server.wait(timeout=10)


def screenshot(path):
    """Red, green and blue of the screen, (height, width, 3), from the server's own X window dump."""
    header = np.fromfile(path, dtype=">u4", count=25)
    start, width, height, per_line, colours = (int(header[k]) for k in (0, 4, 5, 12, 19))
    data = np.fromfile(path, dtype=np.uint8)[start + 12 * colours :]
    lines = data[: height * per_line].reshape(height, per_line)[:, : 4 * width]
    return lines.reshape(height, width, 4)[:, :, 2::-1]


class Person:
    """Clicks and types into a window, and looks at it."""

    def __init__(self, window, look):
        self.window, self._look = window, look
        window.root.update()
        window.root.focus_force()  # no window manager does it here
        self.settle()

    @property
    def status(self):
        return self.window.status.get()

    @property
    def mines_left(self):
        return self.window.mines.get().strip()

    def click(self, cell, button=1, times=1, holding=None):
        self.click_at(*self.middle(cell), button, times, holding)

    def click_at(self, x, y, button=1, times=1, holding=None):
        keys = (["keydown", holding], ["keyup", holding]) if holding else ([], [])
        self.point(x, y, *keys[0], "click", "--repeat", times, "--delay", 5, button, *keys[1])

    def hover(self, cell):
        self.point(*self.middle(cell))

    def point(self, x, y, *then):
        self._do("mousemove", x, y, *then)

    def press(self, *keys):
        self._do("key", "--delay", "5", *keys)

    def type(self, text):
        self._do("type", "--delay", "5", text)

    def _do(self, *words):
        subprocess.run(["xdotool", *map(str, words)], check=True, timeout=10)
        self.settle()

    def settle(self, rounds=4):
        """Lets the window take what is under way to it."""
        for _ in range(rounds):
            time.sleep(0.005)
            if self.window.failure is None and self.is_open():
                self.window.root.update()

    def is_open(self):
        return bool(self.window._timer)

    def wait_for(self, condition):
        end = time.monotonic() + 5
        while not condition():
            assert time.monotonic() < end, "it did not happen within 5 seconds"
            self.settle(1)

    # Looking -------------------------------------------------------------------------------------

    def corner(self, cell):
        """Left and top of a cell on the screen."""
        canvas = self.window.field.canvas
        left, top, _, _ = self.window.field.slices.box(cell)
        x = canvas.winfo_rootx() + left - canvas.canvasx(0)
        return round(x), round(canvas.winfo_rooty() + top - canvas.canvasy(0))

    def middle(self, cell):
        half = self.window.field.slices.cell // 2
        return tuple(edge + half for edge in self.corner(cell))

    def sees(self, cell):
        """The pixels of a cell without its rim, which may bear an outline."""
        self.settle()
        left, top = self.corner(cell)
        size = self.window.field.slices.cell
        return self._look()[top + 3 : top + size - 3, left + 3 : left + size - 3]


def on(play, shape, mines):
    return play(nd.Spec(shape, len(mines), first="any"), nd.Board.from_coords(shape, mines))


def kind(person, cell):
    """What the screen shows at a cell: the sprite that its pixels are."""
    size = person.window.field.slices.cell
    pixels = person.sees(cell)
    return [name for name in KINDS if np.array_equal(sprite(name, size)[3:-3, 3:-3], pixels)]


def numbers(person):
    """The texts on the cells, in their order."""
    canvas = person.window.field.canvas
    return [canvas.itemcget(item, "text") for item in canvas.find_withtag("number")]
