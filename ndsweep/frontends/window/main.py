"""A game on the desktop, in any dimension.

The window shows a `Sitting` and hands it what a person clicks and types; every rule lives in
the engine.  tkinter is loaded when a window opens.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING

import ndsweep as nd
from ndsweep.checks import checked_spec
from ndsweep.frontends.window.dialog import SizeDialog, sizes_text
from ndsweep.frontends.window.field import Field
from ndsweep.frontends.window.keys import show_keys
from ndsweep.frontends.window.sitting import GUESSES, Sitting
from ndsweep.frontends.window.style import apply_style
from ndsweep.render import sprites
from ndsweep.render.slices import Place

if TYPE_CHECKING:
    import tkinter as tk

    Event = tk.Event[tk.Misc]

_LEAST_WIDTH = 360  # pixels, for the counters and a message also above a tiny grid
_TICK = 100  # milliseconds between two looks at the clock


def open_window(spec: nd.Spec, seed: int | None = None) -> int:
    """Opens a window and plays in it until it is closed.

    Parameters
    ----------
    spec : Spec
        The kind of the first game.
    seed : int, optional
        The games are number 0, 1, 2, ... of this seed, by default of a random one.

    Returns
    -------
    int
        The exit code: 0.

    Raises
    ------
    SweepError
        If there is no display, no tkinter, or no such game.

    Examples
    --------
    >>> open_window(nd.EXPERT)  # doctest: +SKIP
    0
    """
    return Window(spec, seed).run()


class Window:
    """A window with one game in it; `run` hands it to the person.

    Parameters
    ----------
    spec : Spec
        The kind of the first game.
    seed : int, optional
        The games are number 0, 1, 2, ... of this seed, by default of a random one.

    Attributes
    ----------
    root : tkinter.Tk
        The window itself.
    sitting : Sitting
        The game and its clock.
    field : Field
        The cells, and the chosen one, on which keys act.
    failure : BaseException or None
        What went wrong in a callback, for `run` to raise.
    """

    def __init__(self, spec: nd.Spec, seed: int | None = None) -> None:
        self.seed = secrets.randbits(64) if seed is None else seed
        self.sitting = Sitting(checked_spec(spec), self.seed)
        self.failure: BaseException | None = None
        self.root = _new_root()
        self.root.report_callback_exception = self._report
        self.root.protocol("WM_DELETE_WINDOW", self.close)
        self.root.minsize(_LEAST_WIDTH, 0)
        apply_style(self.root)
        self._build_counters()
        self._build_status()
        self.field = Field(self.root, spec.shape)
        self._build_menu()
        self._bind_clicks()
        self._bind_keys()
        self.dialog: SizeDialog | None = None
        self.refresh()
        self._timer = self.root.after(_TICK, self._tick)

    def run(self) -> int:
        """Plays until the window is closed; gives the exit code."""
        try:
            self.root.mainloop()
        finally:
            self.close()
        if self.failure is not None:
            raise self.failure
        return 0

    def close(self) -> None:
        """Closes the window."""
        if self._timer:
            self.root.after_cancel(self._timer)
            self._timer = ""
            self.root.destroy()

    def _report(self, _kind: type[BaseException], error: BaseException, _traceback: TracebackType | None) -> None:
        self.failure = error
        self.root.quit()

    # Games ---------------------------------------------------------------------------------------

    def new_game(self, spec: nd.Spec | None = None) -> None:
        """The next game of the seed, of the same kind or of another one."""
        old = self.sitting
        self.sitting = Sitting(spec or old.spec, self.seed, old.number + 1)
        if self.sitting.spec.shape != old.spec.shape:
            self.field.arrange(self.sitting.spec.shape)
        self.refresh()

    def ask_size(self) -> None:
        """Opens the dialog that asks for a size and mines; the one that is open comes to the front."""
        if self.dialog is not None and self.dialog.top.winfo_exists():
            self.dialog.top.lift()
            return
        self.dialog = SizeDialog(self.root, self.sitting.spec, self.new_game)

    def flag_mines(self) -> None:
        """Lets the tool flag what the numbers prove."""
        self._act(self.sitting.flag_mines)

    def expose_neighbors(self) -> None:
        """Lets the tool open around the numbers that have their flags."""
        self._act(self.sitting.expose_neighbors)

    def autoplay(self) -> None:
        """Lets the game play itself as far as it gets."""
        self._act(self.sitting.autoplay)

    def _act(self, action: Callable[..., None], *cell: Place) -> None:
        action(*cell)
        self.refresh()

    # Parts ---------------------------------------------------------------------------------------

    def _build_counters(self) -> None:
        import tkinter as tk
        from tkinter import ttk

        self.mines, self.clock = tk.StringVar(self.root), tk.StringVar(self.root)
        top = ttk.Frame(self.root, padding=(16, 12, 16, 0))
        top.pack(side="top", fill="x")
        top.columnconfigure((0, 2), weight=1, uniform="side")
        data = sprites.ppm(sprites.sprite("flag", 26))
        self._flag = tk.PhotoImage(master=self.root, data=data, format="PPM")
        left = ttk.Label(top, textvariable=self.mines, image=self._flag, compound="left", style="Number.TLabel")
        left.grid(row=0, column=0, sticky="w")
        button = ttk.Button(top, text="New game", command=self.new_game, takefocus=False)
        button.grid(row=0, column=1)
        ttk.Label(top, textvariable=self.clock, style="Number.TLabel").grid(row=0, column=2, sticky="e")

    def _build_status(self) -> None:
        import tkinter as tk
        from tkinter import ttk

        self.status, self.where = tk.StringVar(self.root), tk.StringVar(self.root)
        bottom = ttk.Frame(self.root, padding=(16, 4, 16, 12))
        bottom.pack(side="bottom", fill="x")
        ttk.Label(bottom, textvariable=self.where, style="Faint.TLabel").pack(side="right", padx=(12, 0))
        # As wide as there is space, whatever it says: the window must not jump with every message.
        status = ttk.Label(bottom, textvariable=self.status, width=1)
        status.pack(side="left", fill="x", expand=True)
        status.bind("<Configure>", lambda event: status.configure(wraplength=event.width))

    def _build_menu(self) -> None:
        import tkinter as tk

        bar = tk.Menu(self.root, tearoff=False)
        menus: dict[str, list[tuple[str, str, Callable[[], object]]]] = {
            "Game": [("New", "F2", self.new_game), ("Size...", "", self.ask_size), ("Quit", "Ctrl+Q", self.close)],
            "Tools": [
                ("Flag mines", "Ctrl+1", self.flag_mines),
                ("Expose neighbours", "Ctrl+2", self.expose_neighbors),
                (f"Autoplay with {GUESSES} guesses", "", self.autoplay),  # no key: it may lose the game
            ],
            "Help": [("Keys", "F1", lambda: show_keys(self.root))],
        }
        self._space = tk.PhotoImage(master=self.root, width=4, height=24)  # the one way to give entries air
        for name, entries in menus.items():
            menu = tk.Menu(bar, tearoff=False)
            bar.add_cascade(label=f"{name} ", menu=menu, underline=0, image=self._space, compound="left")
            for label, keys, command in entries:
                menu.add_command(
                    label=f"{label}   ", accelerator=keys, command=command, image=self._space, compound="left"
                )
        self.root.configure(menu=bar)

    # Clicks and keys -----------------------------------------------------------------------------

    def _bind_clicks(self) -> None:
        right, middle = (2, 3) if self.root.tk.call("tk", "windowingsystem") == "aqua" else (3, 2)
        self._pressed: Place | None = None
        canvas = self.field.canvas
        canvas.bind("<Button-1>", self._on_cell(lambda cell: self.sitting.reveal(cell)))
        canvas.bind("<Double-Button-1>", self._on_cell(self._second_click))
        canvas.bind(f"<Button-{middle}>", self._on_cell(lambda cell: self.sitting.chord(cell)))
        for click in (f"<Button-{right}>", "<Control-Button-1>", "<Control-Double-Button-1>"):
            canvas.bind(click, self._on_cell(lambda cell: self.sitting.flag(cell)))
        canvas.bind("<Motion>", self._on_motion)
        for shift, scroll in (("", canvas.yview_scroll), ("Shift-", canvas.xview_scroll)):
            canvas.bind(f"<{shift}MouseWheel>", partial(_on_wheel, scroll))
            canvas.bind(f"<{shift}Button-4>", _on_key(partial(scroll, -6, "units")))
            canvas.bind(f"<{shift}Button-5>", _on_key(partial(scroll, 6, "units")))

    def _bind_keys(self) -> None:
        keys: dict[str, Callable[[], object]] = {
            "<F1>": lambda: show_keys(self.root),
            "<F2> <Control-n>": self.new_game,
            "<Control-q>": self.close,
            "<Control-plus> <Control-equal> <Control-KP_Add>": partial(self.field.zoom, 1),
            "<Control-minus> <Control-KP_Subtract>": partial(self.field.zoom, -1),
            "<Control-Key-0> <Control-KP_0>": partial(self.field.zoom, 0),
            "<Control-Key-1> <Control-KP_1>": self.flag_mines,
            "<Control-Key-2> <Control-KP_2>": self.expose_neighbors,
            "<space> <Return> <KP_Enter>": lambda: self._act(self.sitting.reveal, self.field.place),
            "<f> <F>": lambda: self._act(self.sitting.flag, self.field.place),
            "<c> <C>": lambda: self._act(self.sitting.chord, self.field.place),
            "<Control-f> <Control-c> <Alt-f> <Alt-c>": lambda: None,  # else they would act as F and C
            "<Prior>": lambda: self._choose(self.field.slices.turned(self.field.place, -1), reach=True),
            "<Next>": lambda: self._choose(self.field.slices.turned(self.field.place, 1), reach=True),
        }
        for names, command in keys.items():
            for name in names.split():
                self.root.bind(name, _on_key(command))
        for name, (right, down) in {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}.items():
            self.root.bind(f"<{name}>", _on_key(partial(self._move, right, down)))
            self.root.bind(f"<Shift-{name}>", _on_key(partial(self._move, right, down, whole=True)))

    def _on_cell(self, action: Callable[[Place], None]) -> Callable[[Event], None]:
        """The answer to a click: the action, if there is a cell under the pointer."""

        def answer(event: Event) -> None:
            cell = self.field.cell_under(event.x, event.y)
            if cell is not None:
                self._choose(cell)
                self._act(action, cell)
                self._pressed = cell

        return answer

    def _second_click(self, cell: Place) -> None:
        """Two fast clicks on neighbours are two first clicks."""
        if cell == self._pressed:
            self.sitting.chord_again(cell)
        else:
            self.sitting.reveal(cell)

    def _on_motion(self, event: Event) -> None:
        cell = self.field.cell_under(event.x, event.y)
        if cell is not None and cell != self.field.place:
            self._choose(cell)

    def _move(self, right: int, down: int, whole: bool = False) -> None:
        self._choose(self.field.slices.moved(self.field.place, right, down, whole), reach=True)

    def _choose(self, place: Place, reach: bool = False) -> None:
        self.field.choose(place, reach)
        self._show_place()

    # Showing -------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Shows how the game stands."""
        self.field.show(self.sitting.picture())
        self.mines.set(f" {self.sitting.mines_left}")
        self.status.set(self.sitting.message)
        self._show_place()
        self._show_clock()
        spec = self.sitting.spec
        self.root.title(f"ndsweep {sizes_text(spec)}, {spec.mines} mines")

    def _show_place(self) -> None:
        self.where.set(f"[{', '.join(map(str, self.field.place))}]")

    def _show_clock(self) -> None:
        minutes, seconds = divmod(int(self.sitting.seconds), 60)
        self.clock.set(f"{minutes}:{seconds:02}")

    def _tick(self) -> None:
        self._show_clock()
        self._timer = self.root.after(_TICK, self._tick)


def _on_key(command: Callable[[], object]) -> Callable[[Event], None]:
    """The answer to an event that says nothing more than that it happened."""

    def answer(_: Event) -> None:
        command()

    return answer


def _on_wheel(scroll: Callable[..., None], event: Event) -> None:
    scroll(-event.delta // 30, "units")


def _new_root() -> tk.Tk:
    """An empty window; SweepError where there can be none."""
    try:
        import tkinter as tk
    except ImportError as error:
        raise nd.SweepError(
            f"a window needs tkinter, which this Python lacks ({error}); many systems call its package python3-tk."
        ) from None
    try:
        return tk.Tk(className="ndsweep")
    except tk.TclError as error:
        raise nd.SweepError(f"a window needs a display: {error}.") from None
