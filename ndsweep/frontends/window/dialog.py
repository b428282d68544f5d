"""The dialog that asks for a size and a number of mines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import ndsweep as nd
from ndsweep.frontends.sizes import sizes_in
from ndsweep.render import sprites
from ndsweep.spec import PRESETS

if TYPE_CHECKING:
    import tkinter as tk

CHOICES = {
    "Beginner, 9x9": PRESETS["beginner"],
    "Intermediate, 16x16": PRESETS["intermediate"],
    "Expert, 16x30": PRESETS["expert"],
    "Line, 40": nd.Spec((40,), 8),
    "Cube, 8x8x8": nd.Spec((8, 8, 8), 30),
    "4-D, 4x4x4x4": nd.Spec((4, 4, 4, 4), 12),
    "5-D, 3x3x3x4x4": nd.Spec((3, 3, 3, 4, 4), 10),
}
"""What the dialog offers by name."""


def sizes_text(spec: nd.Spec) -> str:
    """The sizes of a grid, such as 16x30.

    Examples
    --------
    >>> sizes_text(nd.EXPERT)
    '16x30'
    """
    return "x".join(map(str, spec.shape))


def parse_spec(sizes: str, mines: str, first: str = "safe") -> nd.Spec:
    """The kind of game that two lines of text describe.

    Parameters
    ----------
    sizes : str
        Such as "16x30" or "8 x 8 x 8".
    mines : str
        Such as "99".
    first : str
        The first-click rule.

    Raises
    ------
    SpecError
        If a line cannot be read, or there can be no such game.

    Examples
    --------
    >>> parse_spec("8 x 8 x 8", "40")
    Spec(shape=(8, 8, 8), mines=40, first='safe')
    >>> parse_spec("8 by 8", "40")
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: sizes must look like 16x30 or 8x8x8. Got '8 by 8'.
    """
    shape = sizes_in(sizes)
    if shape is None:
        raise nd.SpecError(f"sizes must look like 16x30 or 8x8x8. Got {sizes[:40]!r}.")
    counts = sizes_in(mines)
    if counts is None or len(counts) > 1:
        raise nd.SpecError(f"mines must be an integer. Got {mines[:40]!r}.")
    return nd.Spec(shape, counts[0], first)


class SizeDialog:
    """Asks for a size and mines until they make a game or the person gives up.

    Parameters
    ----------
    parent : tkinter.Tk
        The window in front of which it opens.
    spec : Spec
        What stands in the fields at first.
    accept : callable
        Takes the spec that was chosen; a SweepError of it is said in the dialog.
    """

    def __init__(self, parent: tk.Tk, spec: nd.Spec, accept: Callable[[nd.Spec], None]) -> None:
        import tkinter as tk

        self._accept, self._first = accept, spec.first
        self.top = tk.Toplevel(parent, background=sprites.PAGE, padx=20, pady=16)
        self.top.title("Size")
        self.top.resizable(False, False)
        self.top.transient(parent)
        self.sizes = tk.StringVar(self.top, sizes_text(spec))
        self.mines = tk.StringVar(self.top, str(spec.mines))
        self.preset = tk.StringVar(self.top, self._preset_of(spec))
        self.message = tk.StringVar(self.top)
        for field in (self.sizes, self.mines):
            field.trace_add("write", lambda *_: self._forget_preset())
        self._fill()
        self.top.bind("<Return>", lambda _: self.accept())
        self.top.bind("<KP_Enter>", lambda _: self.accept())
        self.top.bind("<Escape>", lambda _: self.top.destroy())
        self.top.geometry(f"+{parent.winfo_rootx() + 40}+{parent.winfo_rooty() + 40}")

    def _fill(self) -> None:
        from tkinter import ttk

        presets = ttk.Combobox(self.top, textvariable=self.preset, values=list(CHOICES), state="readonly", width=22)
        presets.bind("<<ComboboxSelected>>", lambda _: self.choose(self.preset.get()))
        self.entry = ttk.Entry(self.top, textvariable=self.sizes, width=24)
        fields = {
            "Preset": presets,
            "Size": self.entry,
            "Mines": ttk.Entry(self.top, textvariable=self.mines, width=24),
        }
        for row, (name, field) in enumerate(fields.items()):
            field.bind("<Control-a>", _select_all)  # which X11 takes for a move to the start
            ttk.Label(self.top, text=name).grid(row=row, column=0, sticky="w", padx=(0, 16), pady=4)
            field.grid(row=row, column=1, sticky="ew", pady=4)
        wrong = ttk.Label(self.top, textvariable=self.message, style="Wrong.TLabel", wraplength=300)
        wrong.grid(row=3, column=0, columnspan=2, sticky="w", pady=(6, 0))
        buttons = ttk.Frame(self.top)
        buttons.grid(row=4, column=0, columnspan=2, sticky="e", pady=(10, 0))
        ttk.Button(buttons, text="Cancel", command=self.top.destroy).pack(side="left", padx=(0, 8))
        ttk.Button(buttons, text="New game", command=self.accept, style="Main.TButton").pack(side="left")
        self.entry.focus_set()
        self.entry.selection_range(0, "end")

    def choose(self, preset: str) -> None:
        """Puts a preset into the fields."""
        spec = CHOICES[preset]
        self.sizes.set(sizes_text(spec))
        self.mines.set(str(spec.mines))
        self.preset.set(preset)

    def _forget_preset(self) -> None:
        """What is typed is no preset, and what was wrong before may be right now."""
        self.preset.set("")
        self.message.set("")

    def accept(self) -> None:
        """Hands the game on and closes; says what is wrong with the fields and stays open otherwise."""
        try:
            self._accept(parse_spec(self.sizes.get(), self.mines.get(), self._first))
        except nd.SweepError as error:
            self.message.set(str(error))
            self.entry.selection_range(0, "end")
        else:
            self.top.destroy()

    def _preset_of(self, spec: nd.Spec) -> str:
        same = [name for name, choice in CHOICES.items() if (choice.shape, choice.mines) == (spec.shape, spec.mines)]
        return same[0] if same else ""


def _select_all(event: tk.Event[tk.Misc]) -> str:
    event.widget.event_generate("<<SelectAll>>")
    return "break"
