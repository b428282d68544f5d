"""The window on a virtual display: real clicks, real keys, and what is then to be seen on the screen."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from virtual_display import Person, virtual_display

import ndsweep as nd
from ndsweep.frontends.keys import KEYS
from ndsweep.frontends.sizes import CHOICES
from ndsweep.frontends.slices import Slices
from ndsweep.frontends.sprites import sprite
from ndsweep.frontends.window import Window, open_window

PAGE = (Path(__file__).parent.parent / "docs" / "window.md").read_text(encoding="utf-8")
KINDS = ("hidden", "flag", "wrong", "open", "mine", "burst")


@pytest.fixture(scope="session")
def look(tmp_path_factory):
    with virtual_display(tmp_path_factory.mktemp("display")) as screenshot:
        yield screenshot


@pytest.fixture
def play(look):
    """Opens a window for a person: on a spec, or on a board that is known."""
    windows = []

    def opened(spec, board=None, seed=0):
        windows.append(Window(spec, seed))
        if board is not None:
            windows[-1].sitting.game = nd.Game(board)
        return Person(windows[-1], look)

    yield opened
    for window in windows:
        window.close()
    assert [window.failure for window in windows] == [None] * len(windows)


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


# Playing with the mouse ----------------------------------------------------------------------


def test_a_left_click_opens_and_the_screen_shows_numbers(play):
    person = on(play, (3, 5), [(0, 4)])
    assert kind(person, (0, 0)) == ["hidden"]
    assert person.status == "open a cell to begin"
    person.click((1, 3))
    assert person.status == "1 cell opened"
    assert [text for text in numbers(person) if text] == ["1"]
    assert kind(person, (1, 3)) == []  # the number is in front of the open ground
    person.click((0, 0))
    assert kind(person, (0, 0)) == ["open"]
    assert person.window.sitting.game.status == nd.Status.WON
    assert re.fullmatch(r"won in \d+\.\d s", person.status)


def test_a_right_click_sets_and_removes_a_flag_and_so_does_ctrl_click(play):
    person = on(play, (3, 5), [(0, 4)])
    person.click((0, 4), button=3)
    assert (person.status, person.mines_left, kind(person, (0, 4))) == ("flag set", "0", ["flag"])
    person.click((1, 4), button=1, holding="ctrl")
    assert (person.status, person.mines_left, kind(person, (1, 4))) == ("flag set", "-1", ["flag"])
    person.click((1, 4), button=3)
    assert (person.status, person.mines_left, kind(person, (1, 4))) == ("flag removed", "0", ["hidden"])
    person.click((0, 4))
    assert (person.status, kind(person, (0, 4))) == ("nothing to open here", ["flag"])


@pytest.mark.parametrize("click", [{"times": 2}, {"button": 2}], ids=["double", "middle"])
def test_a_double_or_middle_click_chords(play, click):
    person = on(play, (3, 3), [(0, 0), (2, 2)])
    person.click((1, 1))
    person.click((0, 0), button=3)
    person.click((1, 1), button=2)
    assert person.status == "a number needs all its flags first"
    person.click((2, 2), button=3)
    person.click((1, 1), **click)
    assert person.status.startswith("won")


def test_two_fast_clicks_on_neighbours_open_both(play):
    """A double click may wander by a few pixels: here into the next cell, where there is nothing to chord."""
    person = on(play, (1, 5), [(0, 0), (0, 3)])
    edge, top = person.corner((0, 2))
    click = ("click", "--delay", 5, 1)
    person.point(edge - 2, top + 9, *click, "mousemove", edge + 2, top + 9, *click)
    assert person.window.sitting.game.moves == [("reveal", (0, 1)), ("reveal", (0, 2))]


def test_clicks_beside_the_cells_do_nothing(play):
    person = on(play, (2, 3, 3), [(0, 0, 0)])
    before = person.window.sitting.game.view
    left, top = person.corner((1, 0, 0))
    for x, y in ((left - 6, top + 5), (left + 5, top - 8)):
        for button in (1, 2, 3):
            person.click_at(x, y, button)
    assert np.array_equal(person.window.sitting.game.view, before)
    assert person.status == "open a cell to begin"


# The end ---------------------------------------------------------------------------------------


def test_a_lost_game_shows_all_mines_and_crosses_wrong_flags(play):
    person = on(play, (3, 4), [(0, 0), (0, 2), (2, 3)])
    person.click((2, 0), button=3)
    person.click((2, 3), button=3)
    person.click((0, 0))
    assert re.fullmatch(r"lost after \d+\.\d s", person.status)
    assert kind(person, (0, 0)) == ["burst"]
    assert kind(person, (0, 2)) == ["mine"]
    assert kind(person, (2, 0)) == ["wrong"]
    assert kind(person, (2, 3)) == ["flag"]
    assert kind(person, (1, 1)) == ["hidden"]


def test_after_the_end_nothing_changes_until_a_new_game(play):
    person = on(play, (3, 4), [(0, 0), (0, 2), (2, 3)])
    person.click((0, 0))
    view, seconds = person.window.sitting.game.view, person.window.sitting.seconds
    for button in (1, 2, 3):
        person.click((1, 1), button=button)
    person.press("space", "f", "c", "ctrl+1", "ctrl+2", "ctrl+3")
    assert np.array_equal(person.window.sitting.game.view, view)
    assert person.window.sitting.seconds == seconds
    assert person.status == "the game is over, F2 deals a new one"
    person.press("F2")
    assert not person.window.sitting.over
    assert kind(person, (0, 0)) == ["hidden"]
    assert person.status == "open a cell to begin"


def test_the_clock_runs_from_the_first_move_to_the_end(play):
    person = on(play, (3, 5), [(0, 4)])
    assert (person.window.sitting.seconds, person.window.clock.get()) == (0, "0:00")
    person.click((0, 4), button=3)
    person.window.sitting._started -= 61  # a minute ago
    person.wait_for(lambda: person.window.clock.get() == "1:01")
    person.click((0, 0))
    assert re.fullmatch(r"won in 61\.\d s", person.status)
    end = person.window.sitting.seconds
    time.sleep(0.02)
    assert person.window.sitting.seconds == end


# Keys and tools --------------------------------------------------------------------------------


def test_a_game_is_won_with_keys_alone(play):
    person = on(play, (3, 3), [(0, 0), (2, 2)])
    person.press("space")  # the middle is chosen at first
    assert person.status == "1 cell opened"
    person.press("Left", "Up", "f")
    assert (person.window.field.place, person.status) == ((0, 0), "flag set")
    person.press("Right", "Right", "Right", "Down", "Down", "F")
    assert (person.window.field.place, person.mines_left) == ((2, 2), "0")
    person.press("Up", "Left", "c")
    assert person.status.startswith("won")


@pytest.mark.parametrize("key", ["space", "Return", "KP_Enter"])
def test_each_of_these_keys_opens(play, key):
    person = on(play, (3, 3), [(0, 0)])
    person.press(key)
    assert person.status == "1 cell opened"


def test_ctrl_with_a_letter_is_not_the_letter(play):
    person = on(play, (3, 3), [(0, 0)])
    person.press("ctrl+f", "ctrl+c")
    assert person.status == "open a cell to begin"


def test_the_tools_flag_and_expose(play):
    person = on(play, (3, 6), [(0, 3), (2, 3)])
    person.press("ctrl+1")
    assert person.status == "nothing to flag"
    person.press("ctrl+2")
    assert person.status == "nothing to expose"
    person.click((0, 0))
    person.click((1, 3))
    person.press("ctrl+1")
    assert (person.status, person.mines_left) == ("2 flags set", "0")
    person.press("ctrl+2")
    assert person.status.startswith("won")


def test_autoplay_ends_or_gets_stuck(play):
    person = play(nd.Spec((9, 9), 10), seed=3)
    person.press("ctrl+3")
    assert re.match(r"won in|lost after|\d+ cells? opened", person.status)
    assert person.window.sitting.game.moves


def test_the_menus_do_the_same(play):
    person = play(nd.Spec((9, 9), 10), seed=1)
    bar = person.window.root.nametowidget(person.window.root["menu"])
    menus = {bar.entrycget(k, "label").strip(): bar.nametowidget(bar.entrycget(k, "menu")) for k in range(3)}
    entries = {
        name: [menu.entrycget(k, "label").strip() for k in range(menu.index("end") + 1)] for name, menu in menus.items()
    }
    assert entries == {
        "Game": ["New", "Size...", "Quit"],
        "Tools": ["Flag mines", "Expose neighbours", "Autoplay with 10 guesses"],
        "Help": ["Keys"],
    }
    assert [menus["Tools"].entrycget(k, "accelerator") for k in range(3)] == ["Ctrl+1", "Ctrl+2", "Ctrl+3"]
    for k, message in enumerate(("nothing to flag", "nothing to expose")):
        menus["Tools"].invoke(k)
        assert person.status == message
    menus["Tools"].invoke(2)
    assert person.window.sitting.game.moves
    menus["Game"].invoke(0)
    assert not person.window.sitting.game.moves
    menus["Game"].invoke(2)
    assert not person.is_open()


def test_a_menu_opens_under_a_real_click(play):
    person = play(nd.Spec((9, 9), 10), seed=1)
    root = person.window.root
    x, y = root.winfo_rootx() + 70, root.winfo_rooty()  # Tools lies above that in the menu bar, its first entry below
    person.click_at(x, y - 15)
    person.click_at(x, y + 12)
    assert person.status == "nothing to flag"


def test_new_games_are_the_numbers_of_a_seed(play):
    person = play(nd.Spec((9, 9), 10), seed=5)
    person.press("F2", "ctrl+n")
    person.click((4, 4))
    assert person.window.sitting.game.board == nd.Board.deal(nd.BEGINNER, seed=5, game=2, first_cell=(4, 4))


def test_the_button_deals_a_new_game_and_keys_still_play(play):
    person = on(play, (3, 3), [(0, 0)])
    person.press("space")
    root = person.window.root
    person.click_at(root.winfo_rootx() + root.winfo_width() // 2, root.winfo_rooty() + 28)
    assert person.status == "open a cell to begin"
    person.press("f")
    assert person.status == "flag set"


def test_windows_differ_without_a_seed(play):
    assert play(nd.BEGINNER, seed=None).window.seed != play(nd.BEGINNER, seed=None).window.seed


def test_what_the_engine_refuses_is_said_and_the_game_goes_on(play):
    person = play(nd.Spec((3, 3), 4, first="opening"))
    person.click((1, 1))
    assert "mines must be between 0 and 0" in person.status
    person.click((0, 0))
    assert "opened" in person.status or person.status.startswith("won")


def test_a_long_message_does_not_widen_the_window(play):
    person = on(play, (3, 3), [(0, 0)])
    width = person.window.root.winfo_width()
    person.window.sitting.message = "word " * 40
    person.window.refresh()
    person.settle()
    assert person.window.root.winfo_width() == width


def test_ctrl_q_quits(play):
    person = play(nd.BEGINNER)
    person.press("ctrl+q")
    assert not person.is_open()


def test_f1_shows_the_keys(play):
    person = play(nd.BEGINNER)
    person.press("F1")
    tops = [child for child in person.window.root.winfo_children() if child.winfo_class() == "Toplevel"]
    texts = [label["text"] for label in tops[0].winfo_children()]
    assert [row for pair in KEYS for row in pair] == texts[:-1]
    person.press("Escape")
    assert not tops[0].winfo_exists()


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
    assert 900 < drawn < 4000
    person.click((0, 15, 15))
    person.press("Page_Down", "Page_Down", "Page_Down")
    assert canvas.canvasx(0) > 0
    assert len(canvas.find_withtag("cell")) > drawn
    person.click(field.place, button=3)
    assert person.window.sitting.game.view[field.place] != nd.HIDDEN
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("lacking", [-15, -14, -1, 0, 1, 6, 14, 15, 200])
def test_scrollbars_come_to_rest_around_the_size_that_just_fits(play, monkeypatch, lacking):
    """A scrollbar takes space, which may call for the other one, but must not take either away again."""
    wide, high = Slices((4, 4, 4), 22).size
    monkeypatch.setattr("ndsweep.frontends.field.Field._most_space", lambda _: (wide - 6, high - lacking))
    person = play(nd.Spec((4, 4, 4), 9))
    frame, canvas = person.window.field._frame, person.window.field.canvas
    assert frame.winfo_width() == wide - 6
    assert canvas.xview() != (0, 1)
    assert (canvas.yview() == (0, 1)) == (high <= canvas.winfo_height())
    for width in (wide - 1, wide, wide + 13, wide + 14, wide + 15):
        person.window.root.geometry(f"{width}x{high + 100}")
        person.settle(2)


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
    code = "import ndsweep as nd; from ndsweep.frontends.window import Window\n"
    code += "w = Window(nd.BEGINNER); w.root.after(50, lambda: print('open', flush=True))\n"
    code += "try: w.run()\nexcept KeyboardInterrupt: print('interrupted')"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "open\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[0] == "interrupted\n"
    assert process.returncode == 0


# The page --------------------------------------------------------------------------------------


def rows(heading):
    """The rows of the table below a heading of the page."""
    part = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in part.splitlines() if line.startswith("| ")][1:]
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]


def test_the_page_lists_the_keys():
    assert rows("Keys") == list(KEYS)


def test_the_game_of_the_page(play):
    """Clicks and types what the page's table says, and reads what it says."""
    sizes, mines, seed = re.search(r"ndsweep window (\S+) --mines (\d+) --seed (\d+)", PAGE).groups()
    person = play(nd.Spec(tuple(map(int, sizes.split("x"))), int(mines)), seed=int(seed))
    for action, left, said in rows("A first game"):
        do(person, action)
        pattern = re.escape(said).replace(re.escape("..."), r"\d+\.\d")
        assert re.fullmatch(pattern, person.status), action
        assert person.mines_left == left, action


def do(person, action):
    click = re.fullmatch(r"(left|right|middle|double) click on \[([\d, ]+)\]", action)
    if click is None:
        person.press(action.replace("Ctrl", "ctrl"))
        return
    how = {"left": {}, "right": {"button": 3}, "middle": {"button": 2}, "double": {"times": 2}}[click[1]]
    person.click(tuple(map(int, click[2].split(","))), **how)
