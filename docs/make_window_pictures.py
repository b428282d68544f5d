"""Makes the pictures of docs/window.md; needs a display and ImageMagick.

Run from the project's root: xvfb-run -s "-screen 0 1440x900x24" python docs/make_window_pictures.py.
"""

import subprocess
from pathlib import Path

import ndsweep as nd
from ndsweep.frontends.window import Window

IMAGES = Path("docs/images")


def take(window, path):
    """Writes a picture of a window with its menu, in few colours."""
    root = window.root
    root.geometry("+0+0")
    root.after(300, root.quit)
    root.mainloop()
    menu = root.winfo_rooty()
    size = f"{root.winfo_width()}x{root.winfo_height() + menu}+0+0"
    subprocess.run(
        ["import", "-silent", "-window", "root", "-crop", size, "+repage", "+dither", "-colors", "255", path],
        check=True,
    )
    window.close()


def expert():
    """An expert game, as far as seven rounds of the two tools bring it."""
    window = Window(nd.Spec((16, 30), 99, first="opening"), seed=0)
    window.sitting.reveal((8, 15))
    for _ in range(7):
        window.flag_mines()
        window.expose_neighbors()
    window.field.choose((4, 9))
    window.refresh()
    return window


def four_dimensions():
    """A 4-d game with the neighbours of one cell outlined."""
    window = Window(nd.Spec((4, 4, 4, 4), 10, first="opening"), seed=221)
    window.sitting.reveal((1, 2, 1, 1))
    window.flag_mines()
    window.field.choose((1, 1, 2, 2))
    window.refresh()
    return window


if __name__ == "__main__":
    take(expert(), IMAGES / "window.png")
    take(four_dimensions(), IMAGES / "window_4d.png")
