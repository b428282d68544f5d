"""Shown: a game as text and as pictures; what its player sees, and after a loss the mines."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ndsweep import render
from ndsweep.board import Board
from ndsweep.engine.store import Store, read
from ndsweep.render.codes import Codes, Part, uncovered
from ndsweep.spec import Status


class _Played(Protocol):
    """What is needed of a game."""

    _view: Store
    _safe_left: int
    _flags: int

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def status(self) -> Status: ...
    @property
    def board(self) -> Board | None: ...
    def _picture(self, part: Part) -> Codes: ...


class Shown:
    """How a game shows itself; it keeps the view and the counts."""

    def __repr__(self: _Played) -> str:
        size = "x".join(map(str, self.shape))
        return f"<Game {size}, {self.status.name.lower()}, {self._safe_left} safe cells hidden, {self._flags} flags>"

    def __str__(self: _Played) -> str:
        return render.view_text(read(self._view, ()))

    def _repr_html_(self: _Played) -> str:
        playing = self.status == Status.PLAYING
        state = f"{self._safe_left:,} safe cells hidden" if playing else self.status.name.lower()
        return render.html(self, caption=f"{state}, {self._flags:,} flags")

    def _picture(self: _Played, part: Part) -> Codes:
        view: npt.NDArray[np.signedinteger[Any]] = read(self._view, part)
        if self.status != Status.LOST or self.board is None:
            return view
        return uncovered(view, read(self.board._mines, part))
