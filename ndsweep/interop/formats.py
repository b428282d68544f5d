"""The formats by name, and which of them a file is in."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import Protocol

from ndsweep.interop import arrays, documents, jsminesweeper, mbf, metasweeper, nested, pasted
from ndsweep.interop.bounds import Bound
from ndsweep.interop.kept import Kept
from ndsweep.spec import FormatError, SpecError, in_short


class _TextFormat(Protocol):
    """What a module of a text format has."""

    def write(self, obj: Kept) -> str: ...
    def read(self, text: str, bound: Bound) -> Kept: ...


@dataclass(frozen=True)
class Format:
    """How objects are written and read.

    Attributes
    ----------
    suffix : str
        How the names of its files end.
    what : str
        What such a file holds, for messages.
    is_text : bool
        Whether it is text, in UTF-8.
    write, read : callable
        From an object to bytes, and from bytes, under a `Bound`, to an object.
    """

    suffix: str
    what: str
    is_text: bool
    write: Callable[[Kept], bytes]
    read: Callable[[bytes, Bound], Kept]


def _encoded(module: _TextFormat, obj: Kept) -> bytes:
    return module.write(obj).encode()


def _decoded(module: _TextFormat, data: bytes, bound: Bound) -> Kept:
    return module.read(text_of(data), bound)


def _text(suffix: str, what: str, module: _TextFormat) -> Format:
    return Format(suffix, what, True, partial(_encoded, module), partial(_decoded, module))


FORMATS = {
    "json": _text(".json", "a JSON document", documents),
    "npz": Format(".npz", "arrays of a board, a position or a game", False, arrays.write, arrays.read),
    "text": _text(".txt", "a board or a position as text", pasted),
    "nested": _text(".nested", "nested lists of a board or a game", nested),
    "mbf": Format(".mbf", "a board in MBF", False, mbf.write, mbf.read),
    "board": _text(".board", "a MINESWEEPER-BOARD", metasweeper),
    "mine": _text(".mine", "a position of JSMinesweeper", jsminesweeper),
}
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")  # in no text of these
_SUFFIXES = {format.suffix: name for name, format in FORMATS.items()}


def named(name: object, text_only: bool = False) -> str:
    """The name of a format; SpecError unless it is one, and of text where only that will do.

    Examples
    --------
    >>> named("xml")
    Traceback (most recent call last):
    ...
    ndsweep.spec.SpecError: format must be 'json', 'npz', 'text', 'nested', 'mbf', 'board' or 'mine'. Got 'xml'.
    """
    names = [known for known, format in FORMATS.items() if format.is_text or not text_only]
    if not isinstance(name, str) or name not in names:
        *first, last = map(repr, names)
        raise SpecError(f"format must be {', '.join(first)} or {last}. Got {in_short(name)}.")
    return name


def of_suffix(path: PurePath) -> str | None:
    """The name of the format that a file's name ends in, or None.

    Examples
    --------
    >>> of_suffix(PurePath("a.MBF")), of_suffix(PurePath("game"))
    ('mbf', None)
    """
    return _SUFFIXES.get(path.suffix.lower())


def of_content(data: bytes, suffixed: str | None = None) -> str | None:
    r"""The name of the format that some bytes are in, given what the file's name says; None where nothing tells.

    Our own documents are known by their first words whatever the name: a saved game may have any.

    Examples
    --------
    >>> of_content(b"3x1x1"), of_content(b"[[1, '.']]"), of_content(b"[0]\n1 *"), of_content(b"1#")
    ('mine', 'nested', 'text', 'text')
    >>> of_content(b"{}"), of_content(b"\x89PNG") is None
    ('json', True)
    """
    try:
        text = text_of(data)
    except FormatError:
        text = ""
    if documents.looks(text):
        return "json"
    if suffixed == "json":
        return "nested" if nested.looks(text) else "json"
    if suffixed is not None:
        return suffixed
    if arrays.looks(data):
        return "npz"
    if mbf.fits(data) and (not text or _CONTROL.search(text)):
        return "mbf"
    looks = {"board": metasweeper.looks, "mine": jsminesweeper.looks, "text": pasted.looks, "nested": nested.looks}
    found = next((name for name, look in looks.items() if look(text)), None)
    return found or ("json" if text.lstrip()[:1] in ("{", "[") else None)


def text_of(data: bytes) -> str:
    r"""The text of some bytes in UTF-8; FormatError if they are none.

    Examples
    --------
    >>> text_of(b"1\xff")
    Traceback (most recent call last):
    ...
    ndsweep.spec.FormatError: byte 1 must belong to text in UTF-8. Got 0xff.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(f"byte {error.start} must belong to text in UTF-8. Got {data[error.start]:#04x}.") from None
