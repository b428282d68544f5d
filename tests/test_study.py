"""A study as a table, a file, a picture, with transitions: the same numbers as its results."""

import csv
import json
import os
import sqlite3

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from pyarrow import parquet

from ndsweep import Spec, SpecError, Study, Task, collect, fit_scaling, fit_transition, grid, simulate
from ndsweep.table import COLUMNS

TASKS = grid([(8, 8), (4, 4, 4)], [0.05, 0.1, 0.15], ["single-point", "pairs"], seed=2**70)


@pytest.fixture(scope="module")
def study():
    return collect(TASKS, 400, progress=False)


@pytest.fixture(scope="module")
def sizes():
    return collect(grid([(6, 6), (12, 12), (18, 18)], [0.08, 0.12, 0.16, 0.2]), 600, progress=False)


def test_it_is_a_sequence_of_results(study):
    assert len(study) == len(list(study)) == 12
    assert study[3] == study.results[3] == simulate(TASKS[3].spec, 400, TASKS[3].policy, TASKS[3].seed)
    assert repr(study) == "<Study of 12 tasks, 4800 games>"
    assert study != collect(TASKS, 399, progress=False)
    assert study != collect(TASKS[::-1], 400, progress=False)
    assert study != "a study"


def test_the_table_says_what_was_played_and_how_it_went(study):
    row = study.rows()[7]
    task, result = TASKS[7], study[7]
    assert list(row) == list(COLUMNS)
    assert row == {
        "shape": "4x4x4",
        "dimensions": 3,
        "cells": 64,
        "length": pytest.approx(4),
        "mines": 3,
        "density": 3 / 64,
        "first": "safe",
        "policy": "pairs",
        "seed": 2**70,
        "first_cell": None,
        "games": 400,
        "wanted": 400,
        "wins": result.wins,
        "win_rate": result.win_rate,
        "low": result.interval()[0],
        "high": result.interval()[1],
        **result.counts,
        "key": task.key,
    }
    assert json.loads(json.dumps(row)) == row


def test_the_table_in_pandas(study):
    table = study.to_pandas()
    assert list(table.columns) == list(COLUMNS)
    assert table["wins"].tolist() == [result.wins for result in study]
    assert collect([], 5, progress=False).to_pandas().empty


def test_a_line_a_task(study):
    low, high = study[0].interval()
    expected = f"8x8/3 safe single-point, seed {2**70}: {study[0].win_rate:.4%} won"
    assert str(study).splitlines()[0] == f"{expected} (95 %: {low:.4%} .. {high:.4%}), 400 games"
    assert len(str(study).splitlines()) == 12


# Files ---------------------------------------------------------------------------------------


def test_export_to_csv(study, tmp_path):
    study.export(tmp_path / "table.csv")
    with open(tmp_path / "table.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [{name: str("" if value is None else value) for name, value in row.items()} for row in study.rows()] == rows


def test_export_to_parquet(study, tmp_path):
    study.export(tmp_path / "table.parquet")
    rows = parquet.read_table(tmp_path / "table.parquet").to_pylist()
    assert rows == [row | {"seed": str(row["seed"])} for row in study.rows()]
    collect([], 5, progress=False).export(tmp_path / "none.parquet")
    assert parquet.read_table(tmp_path / "none.parquet").column_names == list(COLUMNS)


def test_export_of_unplayed_tasks(tmp_path):
    empty = collect(TASKS, 0, progress=False)
    for name in ("t.csv", "t.parquet"):
        empty.export(tmp_path / name)
    assert parquet.read_table(tmp_path / "t.parquet")["win_rate"].to_pylist() == [None] * 12


@pytest.mark.parametrize("name", ["table.xlsx", "table", ""])
def test_other_files_are_refused(study, tmp_path, name):
    with pytest.raises(SpecError, match=r"path must (end in .csv or .parquet|be the name)"):
        study.export(os.path.join(tmp_path, name) if name else name)
    assert not os.listdir(tmp_path)


def test_a_damaged_task_in_a_store(tmp_path):
    collect(TASKS[:1], 10, store=tmp_path / "s.db", progress=False)
    for text in ("no json", "{}", '{"shape": 5}', "[]"):
        with sqlite3.connect(tmp_path / "s.db") as file:
            file.execute("UPDATE tasks SET task = ?", (text,))
        file.close()
        with pytest.raises(ValueError, match=r"store must be the file of a study. It holds a task that cannot be read"):
            Study.open(tmp_path / "s.db")


# Transitions ---------------------------------------------------------------------------------


def test_transitions_are_fitted_to_each_group(study):
    found = study.transitions()
    assert list(found) == ["8x8, single-point", "8x8, pairs", "4x4x4, single-point", "4x4x4, pairs"]
    for k, name in enumerate(found):
        chosen = [6 * (k // 2) + k % 2 + 2 * j for j in range(3)]
        x = [TASKS[c].spec.mines / 64 for c in chosen]
        assert found[name] == fit_transition(x, [study[c].wins for c in chosen], [400] * 3)
    assert study.transitions(group=["policy", "dimensions"], level=0.9)["pairs, 3-D"].level == 0.9


def test_scaling_takes_the_shapes_of_a_dimension_together(sizes):
    found = sizes.scaling()
    transitions = sizes.transitions()
    assert list(found) == ["2-D"]
    assert found["2-D"] == fit_scaling([6.0, 12.0, 18.0], transitions.values())
    assert found["2-D"].midpoint_exponent.value < 0


def test_kinds_of_scaling():
    tasks = grid([(6, 6), (12, 12), (4, 4, 4), (6, 6, 6)], [0.05, 0.08, 0.12], ["single-point", "pairs"])
    found = collect(tasks, 300, progress=False).scaling()
    assert list(found) == ["2-D, single-point", "2-D, pairs", "3-D, single-point", "3-D, pairs"]


def test_what_has_no_transition_is_named(study):
    won = collect(grid([(30, 30), (8, 8)], mines=[1, 2]), 100, progress=False)
    with pytest.raises(SpecError, match=r"'(30x30|8x8)' has no transition to fit: "):
        won.transitions()
    with pytest.raises(SpecError, match=r"'2-D, single-point' has no scaling: "):
        study.scaling()


def test_a_plot_with_fits_leaves_out_those_that_do_not_change():
    study = collect(grid([(8, 8), (30, 30)], [0.002, 0.15, 0.2]), 200, progress=False)
    some = collect([*study.tasks, Task(Spec((5, 5), 0))], 200, progress=False)
    ax, plain = Figure().subplots(), Figure().subplots()
    some.plot(ax=ax, fit=True), some.plot(ax=plain)
    assert len(plain.lines) < len(ax.lines)
    with pytest.raises(SpecError, match="'5x5' has no transition to fit"):
        some.plot(ax=ax, scaled=True)


def test_sizes_of_two_dimensions_are_two_lines():
    study = collect(grid([(8, 8), (4, 16), (4, 4, 4)], mines=5), 100, progress=False)
    with pytest.raises(SpecError, match="group must hold 'shape' too: it differs within '2-D"):
        study.plot("cells", ["dimensions"], Figure().subplots())
    study = collect(grid([(8, 8), (16, 16), (4, 4, 4), (8, 8, 4)], 0.1), 100, progress=False)
    ax = study.plot("cells", "dimensions", Figure().subplots())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["2-D", "3-D"]


# Groups --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "group", "message"),
    [
        ("wins", None, "x must be one of density, mines, cells"),
        ("density", "colour", "group must be one or some of shape, .* Got 'colour'"),
        ("density", ["shape", "x"], "Got 'x'"),
        ("density", "shape", "group must hold 'policy' too: it differs within '8x8'"),
        ("density", [], "group must hold '(shape|policy)' too: it differs within 'the study'"),
    ],
)
def test_wrong_groups(study, x, group, message):
    for call in (study.transitions, study.plot):
        with pytest.raises(SpecError, match=message):
            call(x, group)


def test_nothing_to_show():
    with pytest.raises(SpecError, match=r"the study must have games. It has none yet"):
        collect(TASKS, 0, progress=False).plot()


# Pictures ------------------------------------------------------------------------------------


def test_a_plot_shows_rates_and_intervals(study):
    ax = Figure().subplots()
    assert study.plot("density", ["policy", "shape"], ax) is ax
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["single-point, 8x8", "pairs, 8x8", "single-point, 4x4x4", "pairs, 4x4x4"]
    line = next(line for line in ax.lines if line.get_label() == labels[0])
    assert line.get_xdata().tolist() == [TASKS[k].spec.mines / 64 for k in (0, 2, 4)]
    assert line.get_ydata().tolist() == [study[k].win_rate for k in (0, 2, 4)]
    band = ax.collections[0].get_paths()[0].vertices
    assert {low for k in (0, 2, 4) for low in study[k].interval()} <= set(band[:, 1].tolist())


def test_a_plot_of_fits_and_of_the_collapse(study):
    plain, fitted, scaled = (Figure().subplots() for _ in range(3))
    study.plot(ax=plain), study.plot(ax=fitted, fit=True), study.plot(ax=scaled, scaled=True)
    assert len(fitted.lines) > len(plain.lines)
    assert "midpoint" in scaled.get_xlabel()


def test_a_plot_makes_its_own_figure(sizes):
    ax = sizes.plot("length", "density")
    assert ax.get_xlabel() == "length"
    plt.close(ax.figure)


@pytest.mark.parametrize("level", [0, 1, "95"])
def test_wrong_levels(study, level):
    for call in (study.transitions, study.plot):
        with pytest.raises(SpecError, match="level must be between 0 and 1"):
            call(level=level)


def test_a_wider_level_has_a_wider_band(study):
    heights = []
    for level in (0.8, 0.999):
        ax = study.plot(ax=Figure().subplots(), level=level)
        heights.append(np.ptp(ax.collections[0].get_paths()[0].vertices[:, 1]))
    assert heights[0] < heights[1]


def test_one_task_is_a_study(tmp_path):
    study = collect(Task(Spec((5,), 1)), 50, store=tmp_path / "one.db", progress=False)
    assert study.plot(ax=Figure().subplots()).get_legend() is None
