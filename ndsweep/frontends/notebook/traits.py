"""The anywidget of a game: carries what is shown to the page, and what the page asks back."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import ndsweep as nd
from ndsweep.extras import needed
from ndsweep.frontends.notebook.seat import Seat

_HERE = Path(__file__).parent


def widget(game: nd.Game) -> Any:
    """A board to play on, of a game that Python may go on to play too.

    Needs anywidget (``pip install "ndsweep[notebook]"``).

    Parameters
    ----------
    game : Game
        A game at any stage, of at most 10,000 cells.

    Returns
    -------
    anywidget.AnyWidget
        With ``game``, and what it shows as traits: ``shape``, ``view`` (int16 codes as bytes),
        ``status``, ``left``, ``message``, ``seconds``, ``ticks``, ``pointed``, ``overlay``,
        ``chances`` (float32 as bytes) and ``exact``.  ``close()`` takes it off the page and ends
        its part in the game.

    Raises
    ------
    SpecError
        If it is no game, or has too many cells.
    ImportError
        If anywidget is missing.

    Examples
    --------
    >>> game = nd.Game.new(nd.Spec((4, 4, 4), 5), seed=1)
    >>> shown = widget(game)
    >>> shown.status, shown.left, shown.message
    ('playing', 5, 'open a cell to begin')
    >>> game.flag((0, 0, 0)), shown.left, shown.message
    (1, 4, 'flag set')
    """
    if not isinstance(game, nd.Game):
        raise nd.SpecError(f"game must be a Game. Got {type(game).__name__}.")
    return _widget_class()(Seat(game))


@cache
def _widget_class() -> Any:
    """The class, made when the first widget is: its base is a library that is loaded only then."""
    with needed("widgets need anywidget", "notebook"):
        import anywidget
        import traitlets as t

    class GameWidget(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
        """One game on a page."""

        _esm = (_HERE / "widget.js").read_text(encoding="utf-8")
        _css = (_HERE / "widget.css").read_text(encoding="utf-8")
        shape = t.List(t.Int()).tag(sync=True)
        view = t.Bytes().tag(sync=True)
        status = t.Unicode().tag(sync=True)
        left = t.Int().tag(sync=True)
        message = t.Unicode().tag(sync=True)
        seconds = t.Float().tag(sync=True)
        ticks = t.Bool().tag(sync=True)
        pointed = t.Int().tag(sync=True)
        overlay = t.Bool().tag(sync=True)
        chances = t.Bytes().tag(sync=True)
        exact = t.Bool().tag(sync=True)

        def __init__(self, seat: Seat) -> None:
            self._seat = seat
            super().__init__(**seat.shown())
            seat.show = self._show
            self.on_msg(self._asked)

        @property
        def game(self) -> nd.Game:
            """The game that is played."""
            return self._seat.game

        def _show(self) -> None:
            with self.hold_sync():  # one message
                for name, value in self._seat.shown().items():
                    setattr(self, name, value)

        def _asked(self, _: Any, ask: Any, buffers: Any) -> None:
            try:
                self._seat.ask(ask)
            finally:  # the page waits, whatever stops this
                self.send({"done": ask.get("number")} if isinstance(ask, dict) else {})

        def close(self) -> None:
            self._seat.leave()
            super().close()

    return GameWidget
