"""The commands of board statistics: ``survey`` for boards that are dealt, ``stats`` for boards in files."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import TYPE_CHECKING, Any

import ndsweep as nd
from ndsweep.boardstats import QUANTILES
from ndsweep.columns import COLUMNS
from ndsweep.frontends.kinds import add_kind, spec_in
from ndsweep.frontends.options import check_picture, integer, pool, workers_in
from ndsweep.frontends.sources import add_source, read_board

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[Any]

_WORTH_A_POOL = 1 << 25  # cells; fewer are counted sooner than a pool of processes starts
_ZINI_CELLS = 10_000  # the ZiNi of larger boards takes seconds and is told on request


def add(commands: Commands) -> None:
    """Adds the commands to those of ``ndsweep``.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add(parser.add_subparsers())
    >>> parser.parse_args(["survey", "expert", "--boards", "1e6"]).boards
    '1e6'
    """
    _add_survey(commands)
    _add_stats(commands)


def _add_survey(commands: Commands) -> None:
    command = commands.add_parser(
        "survey",
        help="statistics of many dealt boards: 3BV, openings, islands, hints",
        description="Counts boards number START .. START + BOARDS - 1 of a seed: 3BV, openings, islands, hints. The"
        " outcome does not depend on the number of workers, nor does memory grow with the number of boards.",
    )
    command.set_defaults(command=_survey)
    add_kind(command)
    command.add_argument("--boards", metavar="N", default="10000", help="number of boards (default 10000)")
    command.add_argument("--seed", default="0", metavar="S", help="any integer (default 0)")
    command.add_argument("--start", default="0", metavar="G", help="number of the first board (default 0)")
    _add_columns(command, f"{', '.join(COLUMNS)} (default), zini")
    command.add_argument("--workers", metavar="K", help="number of processes (default: all cores)")
    command.add_argument("--json", action="store_true", help="print statistics and histograms as JSON")
    command.add_argument("--plot", metavar="FILE", help="draw the histogram of the first number (needs matplotlib)")


def _add_stats(commands: Commands) -> None:
    command = commands.add_parser(
        "stats",
        help="statistics of board files: 3BV, ZiNi, openings, islands, hints",
        description="Prints the numbers of boards in files of any format that ndsweep reads; of a game, those of its"
        " board.",
    )
    command.set_defaults(command=_stats)
    command.add_argument("files", metavar="FILE", nargs="+", help="files with a board or a game")
    add_source(command)
    _add_columns(command, f"{', '.join(COLUMNS)}, zini (default all; zini up to {_ZINI_CELLS} cells)")
    command.add_argument("--json", action="store_true", help="print the numbers as JSON")


def _add_columns(command: argparse.ArgumentParser, help: str) -> None:
    command.add_argument("--columns", metavar="NAME,...", help=f"which numbers: {help}")


def _columns(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(name.strip() for name in text.split(","))


def _survey(arguments: argparse.Namespace) -> int:
    spec = spec_in(arguments.kind, arguments.mines, arguments.first)
    boards, workers = integer("--boards", arguments.boards), workers_in(arguments.workers)
    columns = _columns(arguments.columns)
    if arguments.plot is not None:
        check_picture("--plot", arguments.plot)
    started = time.perf_counter()
    with pool(workers if boards * spec.size >= _WORTH_A_POOL else 1) as executor:
        stats = nd.board_stats(
            spec,
            boards,
            seed=integer("--seed", arguments.seed),
            start=integer("--start", arguments.start),
            executor=executor,
            progress=sys.stderr.isatty(),
            columns=columns,
            rows=False,
        )
    seconds = time.perf_counter() - started
    if arguments.plot is not None:
        _plot(stats, arguments.plot)
    if arguments.json:
        print(json.dumps(_document(stats) | {"seconds": round(seconds, 3)}))
    else:
        size = "x".join(map(str, spec.shape))
        print(f"board     {size}, {spec.mines} mines, first cell {spec.first}")
        print(f"boards    {boards:,}\nboards/s  {boards / seconds:,.0f}  ({seconds:.2f} s)\n\n{stats}")
    return 0


def _plot(stats: nd.BoardStats, path: str) -> None:
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(layout="constrained")
    stats.hist(stats.names[0], ax)
    figure.savefig(path, dpi=150)
    plt.close(figure)


def _document(stats: nd.BoardStats) -> dict[str, Any]:
    """Statistics and histograms, ready for JSON."""
    spec = stats.spec
    kind = {} if spec is None else {"shape": list(spec.shape), "mines": spec.mines, "first": spec.first}
    return {
        **kind,
        "boards": stats.boards,
        "ranges": [list(part) for part in stats.ranges],
        "stream_version": stats.stream_version,
        "numbers": {name: _plain(row) for name, row in stats.describe(QUANTILES).items()},
        "histograms": {
            name: {"values": histogram.values.tolist(), "counts": histogram.counts.tolist()}
            for name, histogram in stats.histograms.items()
        },
    }


def _plain(row: dict[str, float]) -> dict[str, float | None]:
    """Without NaN, which JSON has not."""
    return {name: value if value == value else None for name, value in row.items()}


def _stats(arguments: argparse.Namespace) -> int:
    columns = _columns(arguments.columns)
    rows = [_row(path, columns, arguments) for path in arguments.files]
    print(json.dumps(rows) if arguments.json else _table(rows))
    return 0


def _row(path: str, columns: tuple[str, ...] | None, options: argparse.Namespace) -> dict[str, Any]:
    """The numbers of the board in a file."""
    board = read_board("FILE", path, options)
    if columns is None:
        columns = (*COLUMNS, "zini") if board.size <= _ZINI_CELLS else COLUMNS
    stats = nd.measure(board, columns)
    hints = {"hints": stats["hints"][0].tolist()} if "hint_0" in stats.names else {}
    numbers = {name: int(stats[name][0]) for name in stats.names if not name.startswith("hint_")}
    return {"file": path, "shape": list(board.shape), "mines": board.n_mines, **numbers, **hints}


def _table(rows: list[dict[str, Any]]) -> str:
    """A line of names, and a line a board."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [names, *([_shown(name, row.get(name)) for name in names] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def _shown(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if name == "shape":
        return "x".join(map(str, value))
    if name == "file":  # a line break would break the table, and bytes that are no text cannot be printed
        return str(value) if value.isprintable() else repr(value)[1:-1]
    if name == "hints":  # up to the largest that there is
        last = max((hint for hint, count in enumerate(value) if count), default=0)
        return " ".join(map(str, value[: last + 1]))
    return str(value)
