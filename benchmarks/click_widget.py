"""How soon the widget answers a click, measured in the page: JupyterLab and Chromium on this machine.

Run from the project's root with the package installed: python benchmarks/click_widget.py.
Goal: the board shows the answer within 100 ms of the click, on 16x30 cells.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

import numpy as np

import ndsweep as nd

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from lab import Board, Reader, chromium, jupyter_lab, written  # noqa: E402

CLICKS = 50
SHAPE = (16, 30)

# Takes the time from the click to the first change of a cell, and to the picture after it.
WATCH = """
field => {
  window.times = [];
  field.addEventListener("click", event => {
    const seen = new MutationObserver(() => {
      seen.disconnect();
      const changed = performance.now() - event.timeStamp;
      requestAnimationFrame(() => setTimeout(() => times.push([changed, performance.now() - event.timeStamp])));
    });
    seen.observe(field, { subtree: true, attributeFilter: ["data-state"] });
  }, true);
}
"""


def times(overlay):
    """Milliseconds from each click to the change of the page and to its picture, (clicks, 2)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "root").mkdir()
        code = "import ndsweep as nd\ngame = nd.Game.new(nd.Spec((16, 30), 99, first='opening'), seed=0)\ngame.widget()"
        written(folder / "root" / "game.ipynb", code)
        with jupyter_lab(folder, ROOT) as (address, token), chromium(viewport={"width": 1200, "height": 900}) as page:
            reader = Reader(page, f"{address}doc/tree/game.ipynb?token={token}", 1)
            reader.run(0)
            board = Board(reader.cell(0).locator(".ndsweep-widget"), SHAPE)
            board.settle()
            if overlay:
                board.root.get_by_role("button", name="Chances").click()
                board.settle()
            board.root.locator(".nd-field").evaluate(WATCH)
            game = nd.Game.new(nd.Spec(SHAPE, 99, first="opening"), seed=0)
            for number in range(CLICKS):
                hidden = (
                    [(8, 15)] if number == 0 else np.argwhere((game.view == nd.HIDDEN) & ~game.board.mines).tolist()
                )
                cell = tuple(hidden[(number * 37) % len(hidden)])
                game.reveal(cell)
                board.click(cell)
                page.wait_for_function("count => times.length === count", arg=number + 1)
            return np.array(page.evaluate("times"))


def main():
    """Prints a line for each case."""
    for overlay in (False, True):
        taken = times(overlay)
        for what, column in zip(("the page has changed", "it is drawn"), taken.T, strict=True):
            case = "with chances shown" if overlay else "without chances"
            figures = f"least {column.min():.0f} ms, median {median(column):.0f} ms, most {column.max():.0f} ms"
            print(f"{case}, {what}: {figures} of {len(column)} clicks")


if __name__ == "__main__":
    main()
