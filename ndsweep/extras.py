"""Extras: optional libraries, imported where they are used, and what to install where one is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needed(needs: str, extra: str) -> Iterator[None]:
    """Around an import: ImportError that says what needs which library, and what to install for it.

    Examples
    --------
    >>> with needed("a moon needs cheese", "moon"):
    ...     import cheese
    Traceback (most recent call last):
    ...
    ImportError: a moon needs cheese: pip install "ndsweep[moon]"
    """
    try:
        yield
    except ImportError:
        raise ImportError(f'{needs}: pip install "ndsweep[{extra}]"') from None
