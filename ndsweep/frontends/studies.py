"""The commands of studies: ``study`` plays a plan, ``status``, ``export`` and ``plot`` show what is stored."""

from __future__ import annotations

import argparse
import json
import shlex
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any

from ndsweep.collect import Collector
from ndsweep.frontends.options import check_picture, number, pool, workers_in
from ndsweep.npy import replacing
from ndsweep.plan import Plan, read_plan
from ndsweep.spec import SpecError
from ndsweep.study import Study, line

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[Any]


def add(commands: Commands) -> None:
    """Adds the commands to those of ``ndsweep``.

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add(parser.add_subparsers())
    >>> parser.parse_args(["status", "study.db"]).store
    'study.db'
    """
    _add_study(commands)
    _add_status(commands)
    _add_export(commands)
    _add_plot(commands)


def _add_study(commands: Commands) -> None:
    command = commands.add_parser(
        "study",
        help="play the games of a plan, so that they can be stopped and gone on with",
        description="Plays the games of a plan (a TOML file with grids of shapes, densities and policies) and keeps"
        " every finished block in a store. Started again, it goes on where it was; started twice at a time, both"
        " share the work. A line is printed for each task that is complete.",
    )
    command.set_defaults(command=_study)
    command.add_argument("plan", metavar="PLAN", help="a TOML file")
    command.add_argument("--store", metavar="FILE", help="where to keep it (default: the plan's name with .db)")
    command.add_argument("--workers", metavar="K", help="number of processes (default: all cores)")
    command.add_argument("--seconds", metavar="T", help="begin no more blocks after so many seconds")


def _add_status(commands: Commands) -> None:
    command = commands.add_parser(
        "status", help="how far a study is", description="Shows how far each task of a study is, and its win rate."
    )
    command.set_defaults(command=_status)
    command.add_argument("store", metavar="STORE", help="the file of a study")
    command.add_argument("--json", action="store_true", help="print the table as one line of JSON")


def _add_export(commands: Commands) -> None:
    command = commands.add_parser(
        "export",
        help="a study as a table, in .csv or .parquet",
        description="Writes the table of a study, a row for each task.",
    )
    command.set_defaults(command=_export)
    command.add_argument("store", metavar="STORE", help="the file of a study")
    command.add_argument("table", metavar="TABLE", help="a file that ends in .csv, or in .parquet (needs pyarrow)")


def _add_plot(commands: Commands) -> None:
    command = commands.add_parser(
        "plot",
        help="win rates of a study as a picture",
        description="Draws win rates with their intervals, a line for each group (needs matplotlib).",
    )
    command.set_defaults(command=_plot)
    command.add_argument("store", metavar="STORE", help="the file of a study")
    command.add_argument("picture", metavar="PICTURE", help="a file that ends in .png, .svg or .pdf")
    command.add_argument("--x", metavar="COLUMN", default="density", help="what runs along (default density)")
    command.add_argument(
        "--group",
        metavar="COLUMN",
        action="append",
        help="what a line has in common, such as shape or policy; may be given again",
    )
    command.add_argument("--fit", action="store_true", help="a logistic curve for each line, with its midpoint")
    command.add_argument("--scaled", action="store_true", help="all lines over their distance from the midpoint")


# What they do ----------------------------------------------------------------------------------


def _study(arguments: argparse.Namespace) -> int:
    plan = _plan(arguments.plan)
    store = arguments.store or str(Path(arguments.plan).with_suffix(".db"))
    seconds = None
    if arguments.seconds is not None:
        seconds = number("--seconds", arguments.seconds, 1e-9, 1e9, "a number of more than 0")
    again = shlex.join(["ndsweep", "study", arguments.plan, "--store", store])
    signals: list[int] = []
    try:
        with pool(workers_in(arguments.workers)) as executor:
            collector = Collector(
                plan.tasks, plan.games, executor, store, sys.stderr.isatty(), seconds=seconds, **plan.options
            )
            with _stopped_by_signals(collector, signals):
                complete = _play(collector)
    except BrokenExecutor:
        print("ndsweep: a worker process was killed, or memory ran out.", _advice(store, again), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("ndsweep: interrupted.", _advice(store, again), file=sys.stderr)
        return 128 + signal.SIGINT
    if complete == len(plan.tasks):
        print(f"complete: {complete} tasks in {store}")
        return 0
    text = f"ndsweep: {complete} of {len(plan.tasks)} tasks are complete."
    print(text, _advice(store, again), file=sys.stderr)
    return 128 + signals[0] if signals else 0


def _advice(store: str, again: str) -> str:
    return f"What was finished is in {store}. Go on with: {again}"


def _plan(path: str) -> Plan:
    try:
        return read_plan(path)
    except OSError as error:
        raise SpecError(f"plan {path!r} cannot be read: {error.strerror}.") from None


def _play(collector: Collector) -> int:
    """Plays, and prints a line for each task that is complete; gives how many there are."""
    results, complete = [task.nothing() for task in collector.tasks], 0
    with closing(collector.parts()) as parts:
        for part in parts:
            results[part.index] += replace(part.result, records=part.result.records[:0])
            if part.over:
                complete += 1
                result = results[part.index]
                collector.say(line(part.task, result, result.games))
    return complete


@contextmanager
def _stopped_by_signals(collector: Collector, seen: list[int]) -> Iterator[None]:
    """Ends the work with the blocks under way at an interrupt or a request to end, and at once at a second one."""

    def stop(number: int, frame: object) -> None:
        seen.append(number)
        if len(seen) > 1:
            raise KeyboardInterrupt
        collector.stop()
        print("\nndsweep: ending with the blocks under way; once more ends at once", file=sys.stderr)

    if current_thread() is not main_thread():  # where Python takes no signals
        yield
        return
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _status(arguments: argparse.Namespace) -> int:
    study = Study.open(arguments.store)
    if arguments.json:
        print(json.dumps(study.rows()))
        return 0
    complete = sum(result.games >= wanted for result, wanted in zip(study, study.wanted, strict=True))
    games, wanted = sum(result.games for result in study), sum(study.wanted)
    print(f"{complete} of {len(study)} tasks are complete, {games:,} of {wanted:,} games are stored")
    if len(study):
        print(study)
    return 0


def _export(arguments: argparse.Namespace) -> int:
    try:
        Study.open(arguments.store).export(arguments.table)
    except ImportError as error:
        raise SpecError(str(error)) from None
    except OSError as error:
        raise SpecError(f"{arguments.table!r} cannot be written: {error.strerror}.") from None
    return 0


def _plot(arguments: argparse.Namespace) -> int:
    check_picture("PICTURE", arguments.picture)
    from matplotlib.figure import Figure

    figure, kind = Figure((8, 4.8), layout="constrained"), Path(arguments.picture).suffix[1:].lower()
    study = Study.open(arguments.store)
    study.plot(arguments.x, arguments.group, figure.subplots(), fit=arguments.fit, scaled=arguments.scaled)
    with replacing(arguments.picture) as scratch:
        figure.savefig(scratch, dpi=150, format=kind)
    return 0
