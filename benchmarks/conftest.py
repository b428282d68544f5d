"""What the benchmarks share: a fixture that turns times into rates, and a table of them at the end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

RATES = pytest.StashKey[list[str]]()
SCALES = {"ns": 1e9, "us": 1e6, "ms": 1e3}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Times by processor time, which other programs disturb least; everything here runs on one core."""
    for item in items:
        item.add_marker(pytest.mark.benchmark(timer=time.process_time))


@pytest.fixture
def rate(benchmark: Any, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """``rate(function, items, unit)``: times calls that do so many items each, and notes the median as a rate.

    The unit is either like "games/s" or like "ns a cell". The rate goes to ``extra_info``, beside
    the goal: the docstring of the benchmark.
    """

    def run(function: Callable[..., Any], items: int, unit: str, setup: Callable[[], Any] | None = None) -> Any:
        result = benchmark.pedantic(function, setup=setup, rounds=5, warmup_rounds=1)
        benchmark.extra_info["goal"] = goal = " ".join((request.function.__doc__ or "").split())
        if benchmark.stats:  # not with --benchmark-disable
            seconds = benchmark.stats.stats.median
            figure = items / seconds if unit.endswith("/s") else SCALES[unit.split()[0]] * seconds / items
            benchmark.extra_info[unit] = figure
            line = f"{request.node.name:<48}{figure:>12,.{0 if figure > 100 else 2}f} {unit:<20}{goal}"
            request.config.stash.setdefault(RATES, []).append(line)
        return result

    return run


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Prints the rates beside the goals."""
    for line in config.stash.get(RATES, []):
        terminalreporter.write_line(line)
