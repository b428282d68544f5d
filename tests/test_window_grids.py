"""Windows of all kinds of grids, and windows that cannot be: on a virtual display, with real clicks and keys."""

import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from virtual_display import kind, numbers, on

import ndsweep as nd
from ndsweep.frontends.window import Window, open_window
from ndsweep.frontends.window.dialog import CHOICES
from ndsweep.render.slices import Slices

# Sizes -----------------------------------------------------------------------------------------


def asked(person):
    person.window.ask_size()
    person.window.root.focus_force()
    person.window.dialog.entry.focus_force()
    person.settle()
    return person.window.dialog


def test_a_size_is_typed_and_played(play):
    person = play(nd.BEGINNER)
    dialog = asked(person)
    person.type("3x4x5")
    person.press("Tab", "ctrl+slash")
    person.type("7")
    person.press("Return")
    assert not dialog.top.winfo_exists()
    assert person.window.sitting.spec == nd.Spec((3, 4, 5), 7)
    assert "3x4x5, 7 mines" in person.window.root.title()
    person.window.root.focus_force()
    person.click((2, 3, 4))
    assert "opened" in person.status or person.status.startswith("won")


@pytest.mark.parametrize(
    ("sizes", "mines", "message"),
    [
        ("16 by 30", "9", r"sizes must look like 16x30 or 8x8x8\. Got '16 by 30'\."),
        ("", "9", r"sizes must look like"),
        ("16x", "9", r"sizes must look like"),
        ("9x9", "ten", r"mines must be an integer\. Got 'ten'\."),
        ("9x9", "", r"mines must be an integer"),
        ("9x9", "81", r"mines must be between 0 and 80 .*Got 81"),
        ("0x9", "1", r"shape must have sizes of 1 or more"),
        ("9999x9999", "1", r"at most 1,000,000 cells"),
        ("9" * 99, "1", r"sizes must look like"),
        ("9x9", "9" * 99, r"mines must be an integer"),
    ],
)
def test_a_wrong_size_is_said_in_the_dialog_and_asked_again(play, sizes, mines, message):
    person = play(nd.BEGINNER)
    game = person.window.sitting.game
    dialog = asked(person)
    dialog.sizes.set(sizes)
    dialog.mines.set(mines)
    person.press("Return")
    assert re.search(message, dialog.message.get())
    assert dialog.top.winfo_exists()
    assert person.window.sitting.game is game
    dialog.sizes.set("4x4")
    dialog.mines.set("2")
    person.press("Return")
    assert not dialog.top.winfo_exists()
    assert person.window.sitting.spec == nd.Spec((4, 4), 2)


def test_ctrl_a_selects_all_of_a_field(play):
    person = play(nd.BEGINNER)
    dialog = asked(person)
    person.press("ctrl+a", "4", "x", "5")
    assert dialog.sizes.get() == "4x5"


def test_escape_gives_up_and_presets_fill_the_fields(play):
    person = play(nd.EXPERT)
    dialog = asked(person)
    assert dialog.preset.get() == "Expert, 16x30"
    person.window.ask_size()
    assert person.window.dialog is dialog
    for name, spec in CHOICES.items():
        dialog.choose(name)
        assert (dialog.sizes.get(), dialog.mines.get()) == ("x".join(map(str, spec.shape)), str(spec.mines))
    person.press("Escape")
    assert not dialog.top.winfo_exists()
    assert person.window.sitting.spec == nd.EXPERT


# More dimensions -------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(12,), (5, 6), (3, 4, 5), (3, 3, 3, 4), (2, 2, 2, 2, 3), (2, 3, 2, 2, 2, 2)])
def test_a_click_reaches_each_cell_of_a_grid(play, shape):
    person = play(nd.Spec(shape, 1), seed=1)
    rng = np.random.default_rng(0)
    for _ in range(4):
        cell = tuple(int(x) for x in rng.integers(0, shape))
        person.hover(cell)
        assert person.window.field.place == cell
        assert person.window.where.get() == f"[{', '.join(map(str, cell))}]"
        person.click(cell, button=3)
    flagged = [cell for name, cell in person.window.sitting.game.moves if name == "flag"]
    assert cell in flagged
    assert kind(person, cell) == ["flag" if person.window.sitting.game.flagged[cell] else "hidden"]


def test_slices_have_titles_and_the_neighbours_are_outlined(play):
    person = play(nd.Spec((3, 3, 4, 4), 5), seed=1)
    canvas = person.window.field.canvas
    titles = [canvas.itemcget(item, "text") for item in canvas.find_withtag("title")]
    assert titles == [f"[{i}, {j}]" for i in range(3) for j in range(3)]
    person.hover((1, 1, 2, 2))
    assert len(canvas.find_withtag("outline")) == 10  # a block in each slice, and the cell
    person.hover((0, 1, 0, 0))
    assert len(canvas.find_withtag("outline")) == 7


def test_keys_move_through_slices(play):
    person = play(nd.Spec((2, 3, 4, 4), 5), seed=1)
    person.press("Page_Down", "Page_Down")
    assert person.window.field.place == (0, 2, 2, 2)
    person.press("shift+Down")
    assert person.window.field.place == (1, 2, 2, 2)
    person.press("shift+Left", "Right", "Right")
    assert person.window.field.place == (1, 2, 2, 0)
    person.press("Page_Up")
    assert person.window.field.place == (1, 1, 2, 0)


def test_a_large_cube_is_drawn_as_far_as_it_is_seen(play):
    started = time.monotonic()
    person = play(nd.Spec((30, 30, 30), 1500), seed=1)
    canvas, field = person.window.field.canvas, person.window.field
    drawn = len(canvas.find_withtag("cell"))
    assert 900 <= drawn < 4000
    person.click((0, 15, 15))
    person.press("Page_Down", "Page_Down", "Page_Down")
    assert canvas.canvasy(0) > 0
    assert len(canvas.find_withtag("cell")) > drawn
    person.click(field.place, button=3)
    assert person.window.sitting.game.view[field.place] != nd.HIDDEN
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("lacking", [-15, -14, -1, 0, 1, 6, 14, 15, 200])
def test_scrollbars_come_to_rest_around_the_size_that_just_fits(play, monkeypatch, lacking):
    """A scrollbar takes space, which may call for the other one, but must not take either away again."""
    wide, high = Slices((1, 4, 4, 4), 22).size
    monkeypatch.setattr("ndsweep.frontends.window.field.Field._most_space", lambda _: (wide - 6, high - lacking))
    person = play(nd.Spec((1, 4, 4, 4), 9))
    frame, canvas = person.window.field._frame, person.window.field.canvas
    assert frame.winfo_width() == wide - 6
    assert canvas.xview() != (0, 1)
    assert (canvas.yview() == (0, 1)) == (high <= canvas.winfo_height())
    for width in (wide - 1, wide, wide + 13, wide + 14, wide + 15):
        person.window.root.geometry(f"{width}x{high + 100}")
        person.settle(2)


def test_the_wheel_scrolls(play):
    person = play(nd.Spec((30, 30, 60), 100), seed=1)
    canvas = person.window.field.canvas
    person.click((0, 9, 9), button=5)
    assert (canvas.canvasx(0), canvas.canvasy(0) > 0) == (0, True)
    person.click((0, 9, 9), button=5, holding="shift")
    assert canvas.canvasx(0) > 0
    person.click((0, 9, 9), button=4)
    person.click((0, 9, 9), button=4, holding="shift")
    assert (canvas.canvasx(0), canvas.canvasy(0)) == (0, 0)
    assert not person.window.sitting.game.moves


def test_only_changed_cells_are_drawn(play):
    person = on(play, (9, 9), [(0, 0)])
    field, sitting = person.window.field, person.window.sitting
    assert field.show(sitting.picture()) == 0
    sitting.flag((0, 0))
    assert field.show(sitting.picture()) == 1
    sitting.reveal((8, 8))
    assert field.show(sitting.picture()) == 80


def test_zooming_keeps_the_game(play):
    person = on(play, (3, 3), [(0, 0)])
    person.press("space")
    fit = person.window.field.slices.cell
    person.press("ctrl+plus")
    assert person.window.field.slices.cell > fit
    assert [text for text in numbers(person) if text] == ["1"]
    person.press("ctrl+minus", "ctrl+minus")
    assert person.window.field.slices.cell < fit
    person.press("ctrl+0")
    assert person.window.field.slices.cell == fit
    person.click((0, 0), button=3)
    assert kind(person, (0, 0)) == ["flag"]


def test_the_cells_stay_in_the_middle_of_a_larger_window(play):
    person = on(play, (3, 3), [(0, 0)])
    person.window.root.geometry("900x700")
    person.settle(20)
    assert person.middle((1, 1))[0] > 400
    person.click((0, 0), button=3)
    assert kind(person, (0, 0)) == ["flag"]


# Outside the window ----------------------------------------------------------------------------


def python(code, **environment):
    return subprocess.run([sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True)


@pytest.mark.parametrize("display", ["", ":987654"])
def test_a_missing_display_is_said_in_one_line(display):
    code = "import ndsweep as nd; from ndsweep.frontends.window import open_window\n"
    code += "try: open_window(nd.BEGINNER)\nexcept nd.SweepError as error: print(error)"
    ran = python(code, DISPLAY=display)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert re.fullmatch(r"a window needs a display: [^\n]+\n", ran.stdout)


def test_a_missing_tkinter_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "tkinter", None)
    with pytest.raises(nd.SweepError, match=r"needs tkinter.*python3-tk"):
        open_window(nd.BEGINNER)


@pytest.mark.parametrize(
    ("spec", "seed", "message"),
    [
        ("expert", 0, "spec must be a Spec"),
        (nd.BEGINNER, 0.5, "seed must be an integer"),
        (nd.Spec((1001, 1000), 1), 0, "at most 1,000,000 cells"),
    ],
)
def test_wrong_arguments_open_no_window(spec, seed, message):
    with pytest.raises(nd.SweepError, match=message):
        open_window(spec, seed)


def test_tkinter_is_loaded_when_a_window_opens():
    ran = python("import sys, ndsweep, ndsweep.frontends.window; print('tkinter' in sys.modules)")
    assert (ran.stdout, ran.stderr) == ("False\n", "")


def test_the_main_loop_ends_with_an_exit_code_and_raises_what_went_wrong(look):
    window = Window(nd.BEGINNER, 0)
    window.root.after(1, window.close)
    assert window.run() == 0
    window = Window(nd.BEGINNER, 0)
    window.root.after(1, lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        window.run()
    assert not window._timer


def test_an_interrupt_ends_the_window(look):
    """Ctrl+C in the terminal that it was started from, at any time."""
    code = "import signal, ndsweep as nd; from ndsweep.frontends.window import Window\n"
    code += "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # also where the tests run with it ignored
    code += "w = Window(nd.BEGINNER); w.root.after(50, lambda: print('open', flush=True))\n"
    code += "try: w.run()\nexcept KeyboardInterrupt: print('interrupted')"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "open\n"
        process.send_signal(signal.SIGINT)
        try:
            assert process.communicate(timeout=20)[0] == "interrupted\n"
        finally:
            process.kill()  # else the end of the block waits for it
    assert process.returncode == 0
