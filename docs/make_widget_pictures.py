"""Makes the pictures of docs/widget.md: JupyterLab and Chromium, the widget alone.

Run from the project's root with the package and its test extra installed: python docs/make_widget_pictures.py.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
sys.path.insert(0, str(ROOT / "tests"))

from lab import Board, Reader, chromium, jupyter_lab, written  # noqa: E402

EXPERT = """\
import ndsweep as nd
game = nd.Game.new(nd.Spec((16, 30), 99, first="opening"), seed=0)
shown = game.widget()
game.reveal((8, 15))
for _ in range(5):
    game.flag_mines(), game.expose_neighbors()
shown"""
FOUR = """\
game = nd.Game.new(nd.Spec((4, 4, 4, 4), 10, first="opening"), seed=221)
shown = game.widget()
game.reveal((1, 2, 1, 1)), game.flag_mines()
shown"""


def boards(page, address):
    """Both games in a notebook."""
    reader = Reader(page, address, 2)
    for number, shape in ((0, (16, 30)), (1, (4, 4, 4, 4))):
        reader.run(number)
        board = Board(reader.cell(number).locator(".ndsweep-widget"), shape)
        board.settle()
        yield board


def press(board, *names):
    """Presses buttons."""
    for name in names:
        board.root.get_by_role("button", name=name).click()
        board.settle()


def take(board, name, width):
    """Writes a picture of a widget, no wider than the board."""
    board.root.evaluate(f"root => {{ root.style.width = '{width}px' }}")
    board.root.screenshot(path=IMAGES / name)


def main():
    """The expert game with a hint and chances; the 4-d game in the dark, with the neighbours of a cell."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "root").mkdir()
        written(folder / "root" / "game.ipynb", EXPERT, FOUR)
        with jupyter_lab(folder, ROOT) as (address, token), chromium(viewport={"width": 1150, "height": 1500}) as page:
            expert, four = boards(page, f"{address}doc/tree/game.ipynb?token={token}")
            press(expert, "Chances", "Hint")
            expert.cell((13, 20)).hover()
            take(expert, "widget.png", 842)
            page.evaluate("document.body.dataset.jpThemeLight = 'false'")
            page.evaluate("document.documentElement.style.setProperty('--jp-layout-color1', '#111111')")
            press(four, "Hint")
            four.cell((1, 1, 2, 2)).hover()
            take(four, "widget_4d.png", 530)


if __name__ == "__main__":
    main()
