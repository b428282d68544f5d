"""The window on a virtual display: real clicks, real keys, and what is then to be seen on the screen."""

import re
import time
from pathlib import Path

import numpy as np
import pytest
from virtual_display import kind, numbers, on

import ndsweep as nd
from ndsweep.frontends.window.keys import KEYS

PAGE = (Path(__file__).parent.parent / "docs" / "window.md").read_text(encoding="utf-8")


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
    person.press("space", "f", "c", "ctrl+1", "ctrl+2")
    assert np.array_equal(person.window.sitting.game.view, view)
    assert person.window.sitting.seconds == seconds
    assert re.fullmatch(r"lost after \d+\.\d s", person.status)
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


def test_a_double_click_that_opens_says_what_opened(play):
    person = on(play, (3, 4), [(0, 0)])
    person.click((2, 3), times=2)
    assert person.status == "won in 0.0 s" or person.status.startswith("won")
    person = on(play, (3, 5), [(0, 0), (0, 4)])
    person.click((0, 1), times=2)
    assert person.status == "1 cell opened"
    person.click((0, 1), times=2)
    assert person.status == "a number needs all its flags first"


@pytest.mark.parametrize("keys", ["alt+f", "alt+c", "ctrl+f", "ctrl+c"])
def test_letters_with_alt_or_ctrl_are_no_moves(play, keys):
    person = on(play, (3, 4), [(0, 0)])
    person.press(keys)
    person.press("Escape", "Escape")  # Alt+F may open a menu
    assert person.window.sitting.game.moves == []


def test_autoplay_ends_or_gets_stuck(play):
    person = play(nd.Spec((9, 9), 10), seed=3)
    person.window.autoplay()
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
    assert [menus["Tools"].entrycget(k, "accelerator") for k in range(3)] == ["Ctrl+1", "Ctrl+2", ""]
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
