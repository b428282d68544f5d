"""JSON that says each thing once: no key twice, no fractions, nothing that is no JSON."""

from __future__ import annotations

import json
from typing import Any

from ndsweep.spec import FormatError, in_short


def parsed(text: str, fractions: bool = False) -> Any:
    """The value of a JSON document; FormatError if it is none, or says more than integers, words and lists of them.

    ``fractions`` allows numbers with a point, for what is read over.

    Examples
    --------
    >>> parsed('{"mines": [1, 2]}')
    {'mines': [1, 2]}
    >>> parsed('{"mines": 1, "mines": 2}')
    Traceback (most recent call last):
    ...
    ndsweep.spec.FormatError: an object must have each key once. Got 'mines' a second time.
    """
    try:
        return json.loads(
            text.removeprefix("\ufeff"),
            object_pairs_hook=_object,
            parse_float=float if fractions else _no_number,
            parse_constant=_no_number,
        )
    except FormatError:
        raise
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{type(error).__name__}: {error}.") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise FormatError(f"an object must have each key once. Got {in_short(key)} a second time.")
        found[key] = value
    return found


def _no_number(word: str) -> Any:
    raise FormatError(f"a number must be an integer. Got {in_short(word)[1:-1]}.")


def keys_of(document: Any, what: str, needed: tuple[str, ...], others: tuple[str, ...] = ()) -> dict[str, Any]:
    """The document; FormatError unless it is an object with all of some keys, and no more than some others.

    Examples
    --------
    >>> keys_of({"kind": "board", "mine": []}, "a board", ("kind",), ("mines",))
    Traceback (most recent call last):
    ...
    ndsweep.spec.FormatError: a board must have no key but 'kind', 'mines'. Got 'mine'.
    """
    if not isinstance(document, dict):
        raise FormatError(f"{what} must be an object. Got {in_short(document)}.")
    for key in needed:
        if key not in document:
            raise FormatError(f"{what} must have all its keys. {key!r} is missing.")
    for key in document:
        if key not in needed and key not in others:
            allowed = ", ".join(map(repr, (*needed, *others)))
            raise FormatError(f"{what} must have no key but {allowed}. Got {in_short(key)}.")
    return document


def list_of(value: Any, what: str) -> list[Any]:
    """The list; FormatError unless it is one.

    Examples
    --------
    >>> list_of(3, "moves")
    Traceback (most recent call last):
    ...
    ndsweep.spec.FormatError: moves must be a list. Got 3.
    """
    if not isinstance(value, list):
        raise FormatError(f"{what} must be a list. Got {in_short(value)}.")
    return value
