"""The widget in JupyterLab, from the wheel that users get, played with a real mouse and keyboard in Chromium."""

import io
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from lab import Board, Reader, chromium, jupyter_lab, written
from matplotlib.image import imread
from reference import neighbours

import ndsweep as nd
from ndsweep.frontends.hint import hint

ROOT = Path(__file__).parent.parent
SETUP = "import ndsweep as nd\nprint(nd.__file__)"
CUBE = "nd.Board.from_coords((4, 4, 3), [(0, 0, 0), (1, 2, 1), (3, 0, 1), (3, 3, 2)])"
PLANE = "nd.Board.from_coords((5, 6), [(0, 1), (3, 3), (4, 0)])"
HYPER = "nd.Board.from_coords((2, 3, 3, 3), [(0, 0, 0, 0), (1, 2, 2, 0)])"
TELL = "print(game.status.name, game.moves)"
CELLS = [
    SETUP,
    *(f"game = nd.Game({board}); game.widget()" for board in (CUBE, PLANE, HYPER, PLANE, PLANE)),
    "game.widget()",
    "game.flag((4, 0)); game.reveal((4, 5))",
    TELL,
    "game = nd.Game.new(nd.Spec((5, 6), 25, first='opening')); game.widget()",
    "nd.Game.new(nd.Spec((300,), 1)).widget()",
    "nd.Game.new(nd.Spec((300,), 299)).widget()",
]
CLICKS, MOUSE, KEYS, ADVICE, TWO, BESIDE, FROM_PYTHON, TOLD, REFUSED, ONE, ALL_BUT_ONE = range(1, len(CELLS))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A folder with the package as its wheel installs it."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    alone = ["--no-build-isolation"] if find_spec("hatchling") else []
    subprocess.run([*pip, "wheel", str(ROOT), "--no-deps", *alone, "--wheel-dir", str(folder)], check=True, timeout=120)
    (built,) = folder.glob("*.whl")
    subprocess.run(
        [*pip, "install", "--no-deps", "--target", str(folder / "installed"), str(built)], check=True, timeout=60
    )
    return folder / "installed"


@pytest.fixture(scope="module")
def page():
    with chromium(viewport={"width": 1100, "height": 900}) as page:
        yield page


@pytest.fixture(scope="module")
def reader(page, wheel, tmp_path_factory):
    """A notebook that is open; its kernel runs the wheel."""
    folder = tmp_path_factory.mktemp("jupyter")
    (folder / "root").mkdir()
    written(folder / "root" / "game.ipynb", *CELLS)
    with jupyter_lab(folder, wheel) as (address, token):
        reader = Reader(page, f"{address}doc/tree/game.ipynb?token={token}", len(CELLS))
        (file,) = reader.run(0)
        assert Path(file.strip()).is_relative_to(wheel)
        yield reader


@pytest.fixture
def shown(reader):
    """``shown(number)``: the board that a cell of the notebook shows, and the same game here."""

    def run(number):
        reader.run(number)
        game = nd.Game(eval(next(text for text in (CUBE, PLANE, HYPER) if text in CELLS[number])))
        return board_of(reader, number, game.shape), game

    return run


def board_of(reader, number, shape):
    root = reader.cell(number).locator(".ndsweep-widget")
    root.wait_for()
    board = Board(root, shape)
    board.settle()
    return board


def states(game):
    """What each cell of a game that is not lost is to show."""
    codes = {nd.HIDDEN: "hidden", nd.FLAG: "flag"}
    return [[codes.get(code, "open"), str(code) if code > 0 else ""] for code in game.view.ravel().tolist()]


def test_a_game_is_won_by_clicks(reader, shown):
    board, game = shown(CLICKS)
    for cell in map(tuple, np.argwhere(~game.board.mines).tolist()):
        if not game.revealed[cell]:
            game.reveal(cell)
            board.click(cell)
            assert board.states() == states(game)
    assert len(game.moves) > 3
    assert board.message.startswith("won in ")
    assert reader.run(TOLD) == [f"WON {game.moves}\n"]


def test_the_time_goes_on_until_the_end(shown, page):
    over, _ = shown(CLICKS)
    over.click((0, 0, 0))
    going, _ = shown(MOUSE)
    going.click((1, 0))
    ended = over.time
    for hundreds in (1, 2):  # the clock of the page is set; both boards look at it equally often
        later = f"performance.now = () => Performance.prototype.now.call(performance) + {hundreds}e5"
        page.evaluate(f"() => {{ {later} }}")
        going.root.get_by_text(re.compile(rf"^{hundreds}\d\d s$")).wait_for()
    assert over.time == ended
    page.evaluate("() => { delete performance.now }")


def test_flags_chords_and_a_loss_by_mouse(reader, shown):
    board, game = shown(MOUSE)
    board.click((1, 0))
    board.click((0, 1), button="right")
    board.click((1, 0))  # an open number: a chord
    board.click((3, 3), modifiers=["Control"])
    board.click((2, 4))
    board.click((2, 4), button="middle")
    board.cell((4, 3)).dblclick()
    board.click((0, 1), button="right")
    board.click((4, 1), button="right")
    assert board.page.locator(".lm-Menu").count() == 0  # of JupyterLab
    for kind, cell in (
        *(("reveal", (1, 0)), ("flag", (0, 1)), ("chord", (1, 0)), ("flag", (3, 3)), ("reveal", (2, 4))),
        *(("chord", (2, 4)), ("reveal", (4, 3)), ("chord", (4, 3)), ("flag", (0, 1)), ("flag", (4, 1))),
    ):
        assert getattr(game, kind)(cell)
    assert board.states() == states(game)
    assert board.left == "1"
    assert reader.run(TOLD) == [f"PLAYING {game.moves}\n"]
    board.click((4, 0))
    assert board.message.startswith("lost after ")
    marked = {cell: state for cell, state in board.by_cell().items() if state not in ("open", "hidden")}
    assert marked == {(4, 0): "burst", (0, 1): "mine", (3, 3): "flag", (4, 1): "wrong"}
    assert_all_look_different(board, [*marked, (0, 3), (1, 0)])


def assert_all_look_different(board, cells):
    """No colour is needed to tell these cells apart, in light and in dark."""
    board.page.mouse.move(1, 1)
    board.page.evaluate("document.activeElement.blur()")
    for light in ("true", "false"):
        board.page.evaluate("light => { document.body.dataset.jpThemeLight = light }", light)
        greys = [imread(io.BytesIO(board.cell(cell).screenshot()))[..., :3].mean(axis=-1) for cell in cells]
        assert (np.median(greys[-2]) > 0.5) == (light == "true")  # the ground of an open cell
        size = [min(grey.shape[axis] for grey in greys) for axis in (0, 1)]
        inner = [grey[3 : size[0] - 3, 3 : size[1] - 3] for grey in greys]
        for k, one in enumerate(inner):
            assert all(np.count_nonzero(abs(one - other) > 0.15) >= 12 for other in inner[:k]), (light, cells[k])
    board.page.evaluate("document.body.dataset.jpThemeLight = 'true'")


def test_four_dimensions_by_keys(reader, shown):
    board, game = shown(KEYS)
    cells = reader.page.locator(".jp-Cell").count()
    board.root.get_by_role("button", name="Chances").focus()
    board.press("Tab")
    assert board.focused == (0, 0, 1, 1)
    for key, cell in [
        ("Shift+ArrowRight", (0, 1, 1, 1)),
        ("PageDown", (0, 2, 1, 1)),
        ("PageDown", (1, 0, 1, 1)),
        ("ArrowRight", (1, 0, 1, 2)),
        ("ArrowRight", (1, 1, 1, 0)),
        ("ArrowUp", (1, 1, 0, 0)),
        ("ArrowUp", (0, 1, 2, 0)),
        ("ArrowLeft", (0, 0, 2, 2)),
        ("Shift+ArrowUp", (0, 0, 2, 2)),  # the edge
        ("Shift+ArrowDown", (1, 0, 2, 2)),
        ("PageUp", (0, 2, 2, 2)),
        ("PageDown", (1, 0, 2, 2)),
    ]:
        board.press(key)
        assert board.focused == cell
        assert board.near() == set(neighbours(game.shape, cell))
    board.press("PageDown", "PageDown", "ArrowLeft", "ArrowLeft", "f", "ArrowUp", " ", "c", "Shift+ArrowLeft", "Enter")
    for kind, cell in [("flag", (1, 2, 2, 0)), ("reveal", (1, 2, 1, 0)), ("chord", (1, 2, 1, 0))]:
        assert getattr(game, kind)(cell)
    game.reveal((1, 1, 1, 0))
    assert board.states() == states(game)
    board.press("h", "x", "d", "d")  # x cuts a cell of the notebook, d d deletes it
    assert board.message == hint(game).sentence
    board.press("p")
    assert board.root.get_by_role("button", name="Chances").get_attribute("aria-pressed") == "true"
    assert reader.run(TOLD) == [f"PLAYING {game.moves}\n"]
    assert reader.page.locator(".jp-Cell").count() == cells  # no key was one of the notebook
    assert reader.page.locator(".jp-Dialog").count() == 0


def test_the_neighbours_of_the_cell_under_the_pointer_are_marked_in_every_slice(shown):
    board, game = shown(KEYS)
    for cell in ((0, 1, 1, 1), (1, 2, 2, 2), (0, 0, 0, 1)):
        board.cell(cell).hover()
        assert board.near() == set(neighbours(game.shape, cell))
    assert board.ring((0, 1, 1, 1)) != "none"
    board.page.mouse.move(1, 1)
    board.page.evaluate("document.activeElement.blur()")
    assert board.ring((0, 1, 1, 1)) == "none"


def test_a_hint_and_how_likely_mines_are(shown):
    board, game = shown(ADVICE)
    board.click((2, 2))
    game.reveal((2, 2))
    board.root.get_by_role("button", name="Hint").click()
    board.settle()
    found = hint(game)
    assert board.message == found.sentence
    assert board.pointed == found.cell
    board.root.get_by_role("button", name="Chances").click()
    board.settle()
    assert board.texts() == likely(game)
    board.click((0, 5))
    game.reveal((0, 5))
    assert board.texts() == likely(game)
    assert board.pointed is None
    safe = board.cell((1, 2)).get_attribute("aria-label")
    assert safe == "(1, 2): 1 mine near"
    cell = next(cell for cell in np.ndindex(game.shape) if game.view[cell] == nd.HIDDEN)
    text = dict(zip(np.ndindex(game.shape), board.texts(), strict=True))[cell]
    assert board.cell(cell).get_attribute("aria-label") == f"{cell}: hidden, a mine in {text} %"
    board.root.get_by_role("button", name="Chances").click()
    board.settle()
    assert board.states() == states(game)


def likely(game):
    """The text of every cell with the chances shown, where none of them has a flag."""
    chances = nd.mine_probability(game.view, game.n_mines).p.ravel()
    texts = [text for _, text in states(game)]
    return [text if np.isnan(p) else str(int(100 * p + 0.5)) for p, text in zip(chances, texts, strict=True)]


@pytest.mark.parametrize(("number", "text"), [(ONE, "<1"), (ALL_BUT_ONE, ">99")])
def test_what_is_nearly_sure_is_not_shown_as_sure(reader, number, text):
    reader.run(number)
    board = board_of(reader, number, (300,))
    board.root.get_by_role("button", name="Chances").click()
    board.settle()
    assert board.texts() == [text] * 300


def test_two_widgets_and_python_stay_in_step(reader, shown):
    board, game = shown(TWO)
    reader.run(BESIDE)
    beside = board_of(reader, BESIDE, game.shape)
    reader.run(FROM_PYTHON)
    game.flag((4, 0))
    game.reveal((4, 5))
    for one in (board, beside):
        assert one.states() == states(game)
        assert one.left == "2"
    game.reveal((0, 0))
    beside.click((0, 0))
    for one in (board, beside):
        one.root.get_by_text("1 cell opened").wait_for()
        assert one.states() == states(game)
    assert reader.run(TOLD) == [f"PLAYING {game.moves}\n"]


def test_what_cannot_be_is_said_in_the_page(reader):
    reader.run(REFUSED)
    board = board_of(reader, REFUSED, (5, 6))
    board.click((2, 2))
    with pytest.raises(nd.SweepError) as refused:
        nd.Game.new(nd.Spec((5, 6), 25, first="opening")).reveal((2, 2))
    assert board.message == str(refused.value)
    board.click((0, 0))
    assert board.states()[0] == ["open", ""]
