"""Those who look on at a game: told after every move, and the playable board of a notebook."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ndsweep.spec import SpecError


class _Played(Protocol):
    """What is told of a game: its moves."""

    @property
    def moves(self) -> list[tuple[str, tuple[int, ...]]]: ...
    @property
    def _watching(self) -> tuple[Callable[[Any], object], ...]: ...


class Onlookers:
    """A game that tells of its moves; it makes them itself.

    Copies and pickles of a game have no onlookers.
    """

    _watching: tuple[Callable[[Any], object], ...] = ()  # of the class: a game that nobody watches holds nothing

    def watch(self, callback: Callable[[Any], object]) -> Callable[[], None]:
        """Calls back after every move that changes something.

        Parameters
        ----------
        callback : callable
            Takes the game, the move being the last of its ``moves``.  An exception of it ends the
            call of the move once all others have been told; the move is made all the same.  If it moves
            itself, others hear of its move first.

        Returns
        -------
        callable
            Ends it; without arguments.

        Raises
        ------
        SpecError
            If the callback cannot be called.

        Examples
        --------
        >>> import ndsweep as nd
        >>> game = nd.Game(nd.Board.from_coords((1, 4), [(0, 3)]))
        >>> end = game.watch(lambda game: print(game.moves[-1], game.status.name))
        >>> game.flag((0, 3)), game.flag((0, 3))
        ('flag', (0, 3)) PLAYING
        ('flag', (0, 3)) PLAYING
        (1, -1)
        >>> end()
        >>> game.reveal((0, 0))
        3
        """
        if not callable(callback):
            raise SpecError(f"callback must be callable. Got {type(callback).__name__}.")

        def told(game: Any) -> object:  # a name of its own, so that the same callback may look on twice
            return callback(game)

        def end() -> None:
            self._watching = tuple(other for other in self._watching if other is not told)

        self._watching = (*self._watching, told)
        return end

    def widget(self: Any) -> Any:
        """The game as a board to play on, in JupyterLab, Jupyter Notebook and marimo.

        Needs anywidget (``pip install "ndsweep[notebook]"``).  The page docs/widget.md says what
        the mouse and the keys do.

        Returns
        -------
        anywidget.AnyWidget
            A view of this very game: moves made in it are in ``moves``, those made from Python
            show in it.  A game may have several.

        Raises
        ------
        SpecError
            If the game has more than 10,000 cells.
        ImportError
            If anywidget is missing.

        Examples
        --------
        >>> import ndsweep as nd
        >>> game = nd.Game(nd.Board.from_coords((1, 4), [(0, 3)]))
        >>> shown = game.widget()
        >>> game.reveal((0, 0)), shown.message
        (3, 'won in 0.0 s')
        """
        from ndsweep.frontends.notebook import widget

        return widget(self)

    def _moved(self: _Played, kind: str, cell: tuple[int, ...], changed: int) -> int:
        """Keeps a move that was made and tells of it; gives what it changed."""
        self.moves.append((kind, cell))
        failed: Exception | None = None
        for callback in self._watching:
            try:
                callback(self)
            except Exception as error:
                failed = failed or error
        if failed is not None:
            raise failed
        return changed
