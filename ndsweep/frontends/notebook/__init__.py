"""``game.widget()``: a board to play on in a notebook, in any dimension."""

from ndsweep.frontends.notebook.traits import widget

__all__ = ["widget"]
