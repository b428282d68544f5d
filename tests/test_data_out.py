"""Data out: arrays without copies, tables of pandas and of Arrow, studies as arrays with named axes."""

import builtins
import json
from dataclasses import replace
from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import ndsweep as nd
from ndsweep.frames import arrow_table, tensors
from ndsweep.table import COLUMNS

SHAPES = [(12,), (8, 8), (4, 4, 4), (3, 3, 3, 3)]
DENSITIES = [0.1, 0.15]


@pytest.fixture(scope="module")
def study():
    tasks = nd.grid(SHAPES, DENSITIES, ["random", "pairs"], ["safe", "any"])
    return nd.collect(tasks, 200, progress=False)


def collected(*arguments, games=20, **options):
    return nd.collect(nd.grid(*arguments, **options), games, progress=False)


def address(array):
    return array.__array_interface__["data"][0]


# Arrays --------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES)
def test_arrays_that_are_kept_are_given_without_a_copy(shape):
    spec = nd.Spec(shape, 2)
    batch, board = nd.Batch.deal(spec, 70), nd.Board.deal(spec)
    for owner, name in ((batch, "mines"), (batch, "hints"), (board, "mines"), (board, "hints")):
        one, other = getattr(owner, name), getattr(owner, name)
        assert np.shares_memory(one, other)
        assert not one.flags.writeable


def test_records_and_columns_are_given_without_a_copy():
    result, stats = nd.simulate(nd.BEGINNER, 50, records=True), nd.board_stats(nd.BEGINNER, 50)
    assert np.shares_memory(result.records["luck"], result.records)
    assert np.shares_memory(stats["bbbv"], stats.columns["bbbv"])
    assert not stats["bbbv"].flags.writeable
    assert not result.records.flags.writeable


@pytest.mark.parametrize("shape", SHAPES)
def test_views_are_new_arrays_and_may_be_written_to(shape):
    batch = nd.Batch.deal(nd.Spec(shape, 2), 70)
    batch.reveal(batch.first_cells)
    game = nd.Game.new(nd.Spec(shape, 2))
    for views in (batch.views(), batch.views([3, 5]), game.view):
        views[...] = 5
    assert (batch.views() <= 5).all()
    assert (game.view == nd.HIDDEN).all()


def test_a_board_on_an_array_copies_nothing_if_it_is_told_so():
    mines = np.eye(5, dtype=bool)
    assert np.shares_memory(nd.Board.wrap(mines).mines, mines)
    assert not np.shares_memory(nd.Board(mines).mines, mines)


# Arrow ---------------------------------------------------------------------------------------


def test_records_as_arrow():
    result = nd.simulate(nd.BEGINNER, 40, records=True, luck=True)
    table = result.to_arrow()
    assert table.column_names == list(result.records.dtype.names)
    assert [str(kind) for kind in table.schema.types] == ["int64", "bool", "int32", "int32", "int32", "double", "uint8"]
    assert [tuple(row.values()) for row in table.to_pylist()] == result.records.tolist()
    assert json.loads(table.schema.metadata[b"ndsweep"]) == json.loads(json.dumps(result.summary()))


def test_records_keep_what_is_not_known():
    result = nd.simulate(nd.EXPERT, 40, records=True)
    luck = result.to_arrow()["luck"].to_numpy()
    assert np.isnan(luck).any()
    np.testing.assert_array_equal(luck, result.records["luck"])


@pytest.mark.parametrize("seed", [5, -(2**70)])
def test_a_result_without_records_is_a_row_of_totals(seed):
    result = nd.simulate(nd.Spec((3, 4, 5), 6), 40, seed=seed)
    (row,) = result.to_arrow().to_pylist()
    expected = {name: value for name, value in result.summary().items() if name != "ranges"}
    assert row == expected
    assert json.loads(result.to_arrow().schema.metadata[b"ndsweep"])["ranges"] == [[seed, 0, 40]]
    assert nd.simulate(nd.BEGINNER, 0).to_arrow().num_rows == 0


def test_board_statistics_share_their_memory_with_arrow():
    stats = nd.board_stats(nd.Spec((4, 4, 4), 6), 100)
    table = stats.to_arrow()
    assert table.column_names == list(stats.names)
    for name in stats.names:
        (chunk,) = table[name].chunks
        assert chunk.buffers()[1].address == address(stats[name])
        assert chunk.to_pylist() == stats[name].tolist()
    bare = nd.board_stats(nd.BEGINNER, 100, rows=False).to_arrow().to_pylist()
    assert [row["name"] for row in bare] == list(nd.board_stats(nd.BEGINNER, 100).describe())
    assert bare[0]["mean"] == nd.board_stats(nd.BEGINNER, 100).describe()[bare[0]["name"]]["mean"]


def test_a_study_as_arrow_is_its_table(study, tmp_path):
    table = study.to_arrow()
    elsewhere = nd.collect([nd.Task(nd.BEGINNER, first_cell="corner")], 10, progress=False).to_arrow()
    assert table.schema == elsewhere.schema == nd.Study((), (), ()).to_arrow().schema
    assert pa.concat_tables([table, elsewhere]).num_rows == len(study) + 1
    assert table.column_names == list(COLUMNS)
    assert table.to_pylist() == [{**row, "seed": str(row["seed"])} for row in study.rows()]
    study.export(tmp_path / "table.parquet")
    assert parquet.read_table(tmp_path / "table.parquet").equals(table)


@pytest.mark.parametrize("shape", SHAPES)
def test_examples_share_their_memory_with_arrow_and_keep_their_shape(shape, tmp_path):
    block = next(nd.dataset(nd.Spec(shape, 3), 60, "random"))
    table = block.to_arrow()
    for name in ("views", "mines", "probability"):
        column, array = table[name].chunk(0), getattr(block, name)
        assert column.storage.flatten().buffers()[1].address == address(array)
        assert column.type.shape == list(shape)
    parquet.write_table(table, tmp_path / "examples.parquet")
    again = parquet.read_table(tmp_path / "examples.parquet")
    for name, array in block.as_dict().items():
        column = again[name].combine_chunks()
        values = column.to_numpy_ndarray() if array.ndim > 1 else column.to_numpy(zero_copy_only=False)
        np.testing.assert_array_equal(values, array)


def test_no_examples_are_a_table_too():
    block = next(nd.dataset(nd.BEGINNER, 60))
    nothing = block.take([]).to_arrow()
    assert (nothing.num_rows, nothing.schema.equals(block.to_arrow().schema)) == (0, True)
    bare = next(nd.dataset(nd.BEGINNER, 60, probability=False)).to_arrow()
    assert bare.column_names == ["views", "mines", "game", "move", "stuck"]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(0, 5), st.sampled_from(["i1", "?", "f8"]))
@settings(max_examples=30)
def test_tensors_come_back_as_they_were(shape, rows, dtype):
    array = np.random.default_rng(1).integers(0, 2, (rows, *shape)).astype(dtype)
    column = arrow_table({"x": tensors(array)})["x"].combine_chunks()
    assert (column.type.shape, len(column)) == (shape, rows)
    assert column.storage.to_pylist() == [row.ravel().tolist() for row in array]


# pandas --------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(9,), (3, 5), (2, 3, 3), (2, 2, 2, 3)])
def test_chances_as_a_table_have_a_row_a_hidden_cell(shape):
    game = nd.Game(nd.Board.deal(nd.Spec(shape, 2), game=3, first_cell=0))
    game.reveal(0)
    found = nd.mine_probability(game.view, 2)
    table = found.to_pandas()
    names = [f"axis_{axis}" for axis in range(len(shape))]
    assert table.columns.tolist() == [*names, "p", "stderr"]
    assert [tuple(cell) for cell in table[names].to_numpy()] == [tuple(c) for c in np.argwhere(game.view < 0)]
    assert table["p"].tolist() == [found.p[tuple(cell)] for cell in table[names].to_numpy()]
    many = nd.mine_probability(np.array([game.view] * 3), np.full(3, 2)).to_pandas()
    assert many.columns.tolist() == ["game", *names, "p", "stderr"]
    assert many[many["game"] == 1].drop(columns="game").reset_index(drop=True).equals(table)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_moves_of_a_rating_as_a_table(shape):
    rating = nd.rate(nd.Board.deal(nd.Spec(shape, 3), game=1, first_cell=0), first_cell=0)
    table = rating.to_pandas()
    assert len(table) == len(rating.moves)
    for row, move in zip(table.itertuples(index=False), rating.moves, strict=True):
        assert tuple(row) == (*move.cell, move.action, move.rule)


def test_a_rating_without_moves_is_an_empty_table():
    rating = nd.rate(nd.Board(np.ones((2, 2), dtype=bool)), first_cell=0)
    assert (rating.moves, rating.to_pandas().empty) == ((), True)


def test_tables_of_pandas_may_be_written_to():
    stats = nd.board_stats(nd.BEGINNER, 5)
    table = stats.to_pandas()
    table.loc[0, "bbbv"] = -1
    assert stats["bbbv"][0] >= 0
    result = nd.simulate(nd.BEGINNER, 5, records=True)
    table = result.to_pandas()
    table.loc[0, "guesses"] = -1
    assert result.records["guesses"][0] >= 0


# xarray --------------------------------------------------------------------------------------


def test_a_study_has_a_place_for_every_combination(study):
    data = study.to_xarray(densities=DENSITIES)
    assert data["games"].dims == ("shape", "density", "first", "policy")
    assert data.coords["shape"].values.tolist() == ["12", "8x8", "4x4x4", "3x3x3x3"]
    assert data.coords["cells"].values.tolist() == [12, 64, 64, 81]
    assert data.coords["length"].values == pytest.approx([12, 8, 4, 3])
    assert data.coords["dimensions"].values.tolist() == [1, 2, 3, 4]
    assert data.attrs == {"seed": "0", "first_cell": "random"}
    for task, result in zip(study.tasks, study, strict=True):
        shape = "x".join(map(str, task.spec.shape))
        some = data.sel(shape=shape, first=task.spec.first, policy=task.policy)
        places = [d for d in DENSITIES if round(d * task.spec.size) == task.spec.mines]
        assert places
        for density in places:
            here = some.sel(density=density)
            assert (int(here.games), int(here.wins)) == (result.games, result.wins)
            assert float(here.win_rate) == result.win_rate
            assert (float(here.low), float(here.high)) == result.interval()
            assert {name: int(here[name]) for name in result.counts} == result.counts
            assert int(here.mines) == task.spec.mines
    assert (data.games == 200).all()


def test_true_densities_leave_places_where_nothing_was_played(study):
    data = study.to_xarray()
    assert data.sizes["density"] == len({task.spec.mines / task.spec.size for task in study.tasks})
    assert (np.diff(data.density) > 0).all()
    empty = data.games == 0
    assert int((~empty).sum()) == len(study)
    for name, variable in data.items():
        blank = variable.values[empty.values]
        assert (blank == 0).all() if variable.dtype.kind == "i" else np.isnan(blank).all(), name


def test_axes_are_what_is_asked_for():
    study = collected([(6, 6), (5, 5)], mines=[3, 5], policies=["random", "pairs"])
    data = study.to_xarray(["policy", "mines", "shape"])
    assert data.wins.dims == ("policy", "mines", "shape")
    assert data.mines.values.tolist() == [3, 5]
    assert float(data.density.sel(policy="pairs", mines=5, shape="5x5")) == 0.2
    assert data.attrs == {"first": "safe", "seed": "0", "first_cell": "random"}
    assert "mines" not in data.data_vars


def test_seeds_and_first_cells_are_axes_too():
    tasks = [nd.Task(nd.BEGINNER, "pairs", seed, cell) for seed, cell in product((3, 2**80), (None, 40))]
    data = nd.collect(tasks, 20, progress=False).to_xarray(["seed", "first_cell"])
    assert data.coords["seed"].values.tolist() == ["3", str(2**80)]
    assert data.coords["first_cell"].values.tolist() == ["random", "40"]
    assert data.games.values.tolist() == [[20, 20], [20, 20]]
    assert data.attrs["shape"] == "9x9"


def test_tasks_without_games_are_there_but_tell_nothing():
    data = collected([(6, 6)], [0.1], games=0).to_xarray()
    assert data.games.values.ravel().tolist() == [0]
    assert np.isnan(data.win_rate).all()


def test_a_study_of_nothing_is_a_dataset_too():
    data = collected([(6, 6)], [0.1]).to_xarray()
    nothing = nd.Study((), (), ()).to_xarray()
    assert set(nothing.variables) == set(data.variables)
    assert set(nothing.sizes.values()) == {0}


def test_two_tasks_in_one_place_are_refused():
    both = collected([(6, 6)], [0.1], ["random", "pairs"])
    with pytest.raises(nd.SpecError, match="dims must hold 'policy' too: 'random' and 'pairs' meet in one place"):
        both.to_xarray(["shape", "density"])
    seeds = nd.collect([nd.Task(nd.BEGINNER, seed=seed) for seed in (4, 5)], 20, progress=False)
    with pytest.raises(nd.SpecError, match="dims must hold 'seed' too: '4' and '5' meet"):
        seeds.to_xarray()
    shapes = collected([(6, 6), (4, 9)], [0.1])
    with pytest.raises(nd.SpecError, match="dims must hold 'shape' too: '6x6' and '4x9' meet"):
        shapes.to_xarray(["density"])
    one = collected([(6, 6)], [0.1])
    twice = replace(one, tasks=one.tasks * 2, results=one.results * 2, wanted=one.wanted * 2)
    with pytest.raises(nd.SpecError, match=r"tasks must differ\. Two are 6x6 with 4 mines and 'single-point'"):
        twice.to_xarray()


@pytest.mark.parametrize(
    ("dims", "densities", "message"),
    [
        (["shape", "luck"], None, "dims must be some of shape, density, mines, first, policy, seed, first_cell"),
        (["shape", "shape"], None, "dims must be some of shape, .* each once. Got .'shape', 'shape'."),
        (5, None, "dims must be some of shape"),
        ([["shape"]], None, "dims must be some of shape"),
        (["shape", "mines"], [0.1], "densities must go with 'density' in dims. Got shape, mines"),
        (["shape", "density"], [0.2], "densities must hold that of every task. Got none for 4 mines of 6x6"),
        (["shape", "density"], [1.5], "densities must be numbers between 0 and 1. Got .1.5."),
        (["shape", "density"], ["many"], "densities must be numbers between 0 and 1. Got .'many'."),
        (["shape", "density"], 0.1, "densities must be numbers between 0 and 1. Got 0.1"),
    ],
)
def test_wrong_axes_are_refused(dims, densities, message):
    with pytest.raises(nd.SpecError, match=message):
        collected([(6, 6)], [0.1]).to_xarray(dims, densities)


# Extras --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("library", "message", "make"),
    [
        ("pandas", "to_pandas needs pandas: pip install", lambda: nd.simulate(nd.BEGINNER, 5).to_pandas()),
        ("pyarrow", "Arrow needs pyarrow: pip install", lambda: nd.simulate(nd.BEGINNER, 5).to_arrow()),
        ("pyarrow", "Arrow needs pyarrow: pip install", lambda: nd.board_stats(nd.BEGINNER, 5).to_arrow()),
        ("pyarrow", "Arrow needs pyarrow: pip install", lambda: next(nd.dataset(nd.BEGINNER, 50)).to_arrow()),
        ("pyarrow", "Arrow needs pyarrow: pip install", lambda: nd.Study((), (), ()).to_arrow()),
        ("xarray", "to_xarray needs xarray: pip install", lambda: nd.Study((), (), ()).to_xarray()),
    ],
)
def test_a_missing_library_is_named_with_what_to_install(monkeypatch, library, message, make):
    original = builtins.__import__

    def without(name, *rest, **named):
        if name.split(".")[0] == library:
            raise ImportError(name)
        return original(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    extra = "arrow" if library == "pyarrow" else library
    with pytest.raises(ImportError, match=rf'{message} "ndsweep\[{extra}\]"'):
        make()


def test_metadata_are_kept_in_a_file(tmp_path):
    result = nd.simulate(nd.BEGINNER, 30, seed=6, records=True)
    parquet.write_table(result.to_arrow(), tmp_path / "records.parquet")
    table = parquet.read_table(tmp_path / "records.parquet")
    assert json.loads(table.schema.metadata[b"ndsweep"])["ranges"] == [[6, 0, 30]]
    assert table["won"].type == pa.bool_()
