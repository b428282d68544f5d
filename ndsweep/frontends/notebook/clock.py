"""The time of a game: one clock for all that show it."""

from __future__ import annotations

import time
from collections.abc import Callable
from weakref import WeakKeyDictionary

import ndsweep as nd


class Clock:
    """Runs from the first move that it is told of to the end of the game.

    Parameters
    ----------
    now : callable
        Gives seconds that never go back.

    Examples
    --------
    >>> times = iter([100.0, 101.5, 104.0])
    >>> clock, game = Clock(lambda: next(times)), nd.Game(nd.Board.from_coords((4,), [0]))
    >>> end = game.watch(clock.told)
    >>> game.flag(0), clock.seconds, clock.ticks
    (1, 1.5, True)
    >>> game.reveal(3), clock.seconds, clock.seconds, clock.ticks
    (3, 4.0, 4.0, False)
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._started: float | None = None
        self._ended: float | None = None

    def told(self, game: nd.Game) -> None:
        """Starts at the first move and stops at the end."""
        if self._started is None:
            self._started = self._now()
            if game.status != nd.Status.PLAYING:
                self._ended = self._started
        elif self._ended is None and game.status != nd.Status.PLAYING:
            self._ended = self._now()

    @property
    def began(self) -> bool:
        """Whether it was told of a move."""
        return self._started is not None

    @property
    def ticks(self) -> bool:
        """Whether it has begun and not ended."""
        return self.began and self._ended is None

    @property
    def seconds(self) -> float:
        """The time so far."""
        if self._started is None:
            return 0.0
        return (self._now() if self._ended is None else self._ended) - self._started


_CLOCKS: WeakKeyDictionary[nd.Game, Clock] = WeakKeyDictionary()


def clock_of(game: nd.Game) -> Clock:
    """The clock of a game, which looks on from the first time that it is asked for.

    Parameters
    ----------
    game : Game
        A game at any stage.

    Examples
    --------
    >>> game = nd.Game.new(nd.BEGINNER)
    >>> clock_of(game) is clock_of(game), clock_of(game).seconds
    (True, 0.0)
    """
    if game not in _CLOCKS:
        _CLOCKS[game] = Clock()
        game.watch(_CLOCKS[game].told)
    return _CLOCKS[game]
