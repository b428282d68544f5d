"""Tables of numbers as HTML, with win rates as bars."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ndsweep.render.style import framed

_WIDTH = 120  # of a bar in pixels


def listed(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """A table with a head; cells that are HTML begin with ``<``.

    Parameters
    ----------
    head : sequence of str
    rows : iterable of sequences of str
    caption : str
        What to say below it.

    Examples
    --------
    >>> "<td>5<td>&lt;5" in listed(["games", "wins"], [["5", "&lt;5"]])
    True
    """
    lines = ["<tr>" + "".join(f"<th>{escape(name)}" for name in head)]
    lines += ["<tr>" + "".join(f"<td>{cell}" for cell in row) for row in rows]
    said = f'<div class="say">{escape(caption)}</div>' if caption else ""
    return framed(f'<table class="list">{"".join(lines)}</table>', said)


def rate_bar(rate: float, low: float, high: float) -> str:
    """A win rate as a bar from 0 to 1, its interval as a whisker.

    Examples
    --------
    >>> rate_bar(0.5, 0.4, 0.6).count("<rect")
    3
    """
    at, start, end = (round(_WIDTH * x, 1) for x in (rate, low, high))
    return (
        f'<svg class="bar" width="{_WIDTH}" height="12" role="img" aria-label="{100 * rate:.3g} %">'
        f'<rect width="{_WIDTH}" height="12" rx="2" style="fill:var(--page)"/>'
        f'<rect width="{at}" height="12" rx="2" style="fill:var(--tile)"/>'
        f'<rect x="{start}" y="4" width="{max(1.0, end - start):g}" height="4" style="fill:var(--ink)"/></svg>'
    )
