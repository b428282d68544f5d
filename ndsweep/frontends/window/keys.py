"""The keys and clicks of the window: what they are called, and the list that Help shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ndsweep.render import sprites

if TYPE_CHECKING:
    import tkinter as tk

KEYS = (
    ("left click, Space, Return", "open the cell"),
    ("right click, Ctrl+click, F", "set or remove a flag"),
    ("double click, middle click, C", "chord: open around a number that has all its flags"),
    ("arrows", "choose a cell"),
    ("Shift+arrows", "the same cell of the slice beside, above or below"),
    ("PageUp, PageDown", "the same cell of the slice before or after"),
    ("Ctrl+1", "flag mines: all that single numbers prove"),
    ("Ctrl+2", "expose neighbours: open around all numbers that have their flags"),
    ("F2, Ctrl+N", "new game"),
    ("Ctrl+plus, Ctrl+minus, Ctrl+0", "larger, smaller, fitting cells"),
    ("wheel, Shift+wheel", "scroll down, right"),
    ("F1", "these keys"),
    ("Ctrl+Q", "quit"),
)
"""Keys and clicks, and what they do to the chosen cell or to the game."""


def show_keys(parent: tk.Tk) -> tk.Toplevel:
    """Opens a small window with the list of keys."""
    import tkinter as tk
    from tkinter import ttk

    top = tk.Toplevel(parent, background=sprites.PAGE, padx=20, pady=16)
    top.title("Keys")
    top.resizable(False, False)
    top.transient(parent)
    for row, (keys, what) in enumerate(KEYS):
        ttk.Label(top, text=keys, style="Strong.TLabel").grid(row=row, column=0, sticky="w", padx=(0, 24), pady=2)
        ttk.Label(top, text=what).grid(row=row, column=1, sticky="w", pady=2)
    close = ttk.Button(top, text="Close", command=top.destroy, style="Main.TButton")
    close.grid(row=len(KEYS), column=1, sticky="e", pady=(12, 0))
    for key in ("<Return>", "<Escape>"):
        top.bind(key, lambda _: top.destroy())
    close.focus_set()
    return top
