"""Progress on standard error: a tqdm bar where tqdm is installed, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

_SECONDS_BETWEEN_LINES = 5.0


class Progress:
    """Counts games that are done, and shows it if asked to.

    Examples
    --------
    >>> with Progress(100, show=False) as bar:
    ...     bar.add(40)
    >>> bar.done
    40
    """

    def __init__(self, total: int, show: bool, done: int = 0, unit: str = "games") -> None:
        self.total, self.done, self.show, self.unit = total, done, show, unit
        self._before = done
        self._bar: Any = None
        self._started = self._last_line = time.monotonic()
        if show:
            try:
                from tqdm import tqdm
            except ImportError:
                return
            self._bar = tqdm(
                total=total, initial=done, unit=f" {unit}", unit_scale=True, file=sys.stderr, dynamic_ncols=True
            )

    def add(self, games: int) -> None:
        """So many games more are done."""
        self.done += games
        if self._bar is not None:
            self._bar.update(games)
        elif self.show and time.monotonic() - self._last_line >= _SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            self._line()

    def reach(self, done: int, total: int) -> None:
        """So many are done now, of so many."""
        if self._bar is not None:
            self._bar.total = total
        self.total = total
        self.add(done - self.done)

    def say(self, line: str) -> None:
        """Prints a line on standard output, above the bar if there is one."""
        if self._bar is None:
            print(line, flush=True)
        else:
            self._bar.write(line, file=sys.stdout)

    def _line(self) -> None:
        rate = (self.done - self._before) / max(time.monotonic() - self._started, 1e-9)
        print(f"{self.done} of {self.total} {self.unit}, {rate:.0f} {self.unit}/s", file=sys.stderr)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self.show:
            self._line()
