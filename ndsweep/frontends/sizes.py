"""Sizes of a grid as people write them."""

from __future__ import annotations

import re

_NUMBER = "-?[0-9]{1,18}"


def sizes_in(text: str) -> tuple[int, ...] | None:
    """The sizes that a text such as 16x30 or "8 x 8 x 8" names, or None.

    Parameters
    ----------
    text : str
        What was typed.

    Examples
    --------
    >>> sizes_in("16x30"), sizes_in(" 8 X 8, 8"), sizes_in("16x"), sizes_in("8 by 8")
    ((16, 30), (8, 8, 8), None, None)
    """
    plain = re.sub(r"\s*[xX*,]\s*", "x", text.strip())
    return tuple(map(int, plain.split("x"))) if re.fullmatch(f"{_NUMBER}(x{_NUMBER})*", plain) else None
