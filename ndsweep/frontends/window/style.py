"""How the parts around the cells look: one flat style for text, buttons, fields and scrollbars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ndsweep.render import sprites

if TYPE_CHECKING:
    import tkinter as tk
    from tkinter import ttk

_PAPER, _ACTIVE, _LINE, _WRONG = "#ffffff", "#dbe2eb", "#c3ccd8", "#b3202c"
_MAIN, _MAIN_ACTIVE = "#2f5fb3", "#264f96"


def apply_style(root: tk.Tk) -> None:
    """Sets the style of everything in a window that is not a cell."""
    from tkinter import font, ttk

    root.configure(background=sprites.PAGE)
    for name in ("TkDefaultFont", "TkTextFont", "TkMenuFont"):
        font.nametofont(name, root=root).configure(size=-13)
    style = ttk.Style(root)
    style.theme_use("clam")  # the one theme that takes colours on every system
    style.configure(".", background=sprites.PAGE, foreground=sprites.INK, bordercolor=_LINE, focuscolor=_LINE)
    family = font.nametofont("TkDefaultFont", root=root).actual("family")
    style.configure("Strong.TLabel", font=(family, -13, "bold"))
    style.configure("Number.TLabel", font=(family, -20, "bold"))
    style.configure("Faint.TLabel", foreground=sprites.FAINT)
    style.configure("Wrong.TLabel", foreground=_WRONG)
    _style_buttons(style)
    _style_fields(style)
    _style_scrollbars(style)
    _style_menus(root)


def _style_buttons(style: ttk.Style) -> None:
    kinds = {"TButton": (_PAPER, _ACTIVE, sprites.INK), "Main.TButton": (_MAIN, _MAIN_ACTIVE, _PAPER)}
    for name, (ground, active, text) in kinds.items():
        style.configure(name, background=ground, foreground=text, padding=(14, 5), focuscolor=ground)
        style.configure(name, lightcolor=ground, darkcolor=ground)
        states = [("active", active)]
        style.map(name, background=states, lightcolor=states, darkcolor=states, foreground=[("active", text)])


def _style_fields(style: ttk.Style) -> None:
    for name in ("TEntry", "TCombobox"):
        style.configure(name, padding=4, fieldbackground=_PAPER, lightcolor=_PAPER, darkcolor=_PAPER)
    paper = [("readonly", _PAPER)]
    style.map("TCombobox", fieldbackground=paper, background=paper, foreground=[("readonly", sprites.INK)])
    style.configure("TCombobox", background=_PAPER, arrowcolor=sprites.INK, selectbackground=_PAPER)
    style.configure("TCombobox", selectforeground=sprites.INK)
    style.map("TEntry", selectbackground=[("", _ACTIVE)], selectforeground=[("", sprites.INK)])


def _style_scrollbars(style: ttk.Style) -> None:
    """Bars without arrows at their ends."""
    for way, sticky in (("Horizontal", "we"), ("Vertical", "ns")):
        name = f"{way}.TScrollbar"
        thumb = (f"{way}.Scrollbar.thumb", {"expand": True, "sticky": "nswe"})
        trough = (f"{way}.Scrollbar.trough", {"sticky": sticky, "children": [thumb]})
        style.layout(name, [trough])  # type: ignore[list-item]
        style.configure(name, background=_LINE, troughcolor=sprites.PAGE, bordercolor=sprites.PAGE, gripcount=0)
        style.configure(name, lightcolor=_LINE, darkcolor=_LINE)
        style.map(name, background=[("disabled", sprites.PAGE), ("active", sprites.FAINT)])


def _style_menus(root: tk.Tk) -> None:
    colours = {"background": _PAPER, "foreground": sprites.INK}
    active = {"activeBackground": _ACTIVE, "activeForeground": sprites.INK}
    edges = {"relief": "flat", "borderWidth": 3, "activeBorderWidth": 0}  # an active border is drawn raised
    for option, value in (colours | active | edges).items():
        root.option_add(f"*Menu.{option}", value)
