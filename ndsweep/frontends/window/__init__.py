"""``ndsweep window``: a game on the desktop, in any dimension."""

from ndsweep.frontends.window.main import Window, open_window

__all__ = ["Window", "open_window"]
