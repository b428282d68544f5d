"""Numbers of boards: 3BV, openings, islands and hints agree with the reference, one board or many, in any dimension."""

import json
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import pytest
import reference_stats as reference
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import cells_of
from strategies import layouts

import ndsweep as nd
from ndsweep import columns as columns_module
from ndsweep.columns import COLUMNS, measure_board, most_hint
from ndsweep.engine.memory import Workspace
from ndsweep.engine.planes import count_lanes
from ndsweep.engine.tallies import Tally

DATA = Path(__file__).parent / "data"
REAL = json.loads((DATA / "real_boards.json").read_text(encoding="utf-8"))


def numbers_of(mines):
    """The numbers of a layout by the reference, by name."""
    shape, mined = mines.shape, {cell for cell in cells_of(mines.shape) if mines[cell]}
    openings = reference.opening_sizes(shape, mined)
    islands = [len(island) for island in reference.islands(shape, mined)]
    hints = reference.hint_histogram(shape, mined)
    return {
        "bbbv": reference.bbbv(shape, mined),
        "openings": len(openings),
        "largest_opening": max(openings, default=0),
        "zeros": sum(openings),
        "isolated": len(reference.isolated_numbers(shape, mined)),
        "islands": len(islands),
        "largest_island": max(islands, default=0),
        **{f"hint_{hint}": hints[hint] for hint in range(most_hint(shape) + 1)},
    }, (sorted(openings), sorted(islands))


def row_of(stats, row=0):
    return {name: int(stats[name][row]) for name in stats.names}


def sizes_in(stats, name):
    histogram = stats.histogram(name)
    return np.repeat(histogram.values, histogram.counts).tolist()


@given(layouts())
def test_the_numbers_of_a_board_are_those_of_the_reference(mines):
    expected, (openings, islands) = numbers_of(mines)
    board = nd.Board(mines)
    for stats in (nd.measure(board), measure_board(board, COLUMNS)):
        assert row_of(stats) == expected
        assert (sizes_in(stats, "opening_size"), sizes_in(stats, "island_size")) == (openings, islands)
    assert nd.bbbv(board) == expected["bbbv"]


@given(st.data())
@settings(max_examples=30)
def test_the_numbers_of_many_boards_are_those_of_each(data):
    """More boards than one word holds, of shares of mines that differ."""
    one = data.draw(layouts())
    games = data.draw(st.integers(1, 130))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    mines = random.random((games, *one.shape)) < random.random((games, *[1] * one.ndim))
    stats = nd.measure(nd.Batch(mines))
    rows = random.choice(games, min(games, 5), replace=False)
    for row in {0, games - 1, *rows.tolist()}:
        assert row_of(stats, row) == numbers_of(mines[row])[0]
    assert stats == nd.measure([nd.Board(layout) for layout in mines])
    assert stats == sum(nd.measure(nd.Board(layout)) for layout in mines)


@pytest.mark.parametrize(
    "shape", [(1,), (9,), (1, 7), (3, 3), (2, 4), (2, 2, 2), (3, 1, 3), (2, 2, 1, 2), (1, 1, 1, 1)]
)
def test_every_layout_of_a_tiny_grid(shape):
    mines = np.array(list(product([False, True], repeat=prod(shape)))).reshape(-1, *shape)
    stats = nd.measure(nd.Batch(mines))
    expected = [numbers_of(layout)[0] for layout in mines]
    assert [row_of(stats, row) for row in range(len(mines))] == expected


@given(st.sampled_from([(5, 9), (20,), (3, 4, 5), (2, 3, 3, 3)]), st.integers(1, 300), st.integers(0, 5))
@settings(max_examples=10)
def test_blocks_change_nothing(shape, games, seed):
    batch = nd.Batch.deal(nd.Spec(shape, prod(shape) // 6), games, seed)
    whole = nd.measure(batch)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns_module, "_BLOCK_CELLS", 1)
        assert nd.measure(batch) == whole


def test_a_large_board_is_counted_in_slabs(monkeypatch):
    boards = [nd.Board.deal(nd.Spec((60, 70), 600), game=game) for game in range(3)]
    whole = nd.measure(boards)
    monkeypatch.setattr(columns_module, "_MOST_CELLS", 1)
    monkeypatch.setattr(columns_module, "BLOCK", 300)
    assert nd.measure(boards) == whole
    assert nd.bbbv(boards[0]) == whole["bbbv"][0]


@given(layouts(most_cells=40))
@settings(max_examples=30)
def test_zini_is_a_column_too(mines):
    board = nd.Board(mines)
    assert nd.measure([board, board], ["zini"])["zini"].tolist() == [nd.zini(board)] * 2
    assert measure_board(board, ("zini",))["zini"].tolist() == [nd.zini(board)]


@pytest.mark.parametrize("spec", [nd.Spec((6, 7, 4), 20), nd.Spec((11, 13), 20), nd.Spec((50,), 9)], ids=str)
@pytest.mark.parametrize(
    "columns", [["zeros"], ["isolated"], ["bbbv"], ["openings"], ["islands", "hints"], ["largest_opening"], ["zini"]]
)
def test_a_column_is_the_same_with_others_and_without(columns, spec):
    batch = nd.Batch.deal(spec, 70)
    every, some = nd.measure(batch, [*COLUMNS, "zini"]), nd.measure(batch, columns)
    assert set(some.names) <= set(every.names)
    assert len(some.names) == (len(columns) if "hints" not in columns else 2 + most_hint(spec.shape))
    for name, histogram in some.histograms.items():
        assert histogram == every.histogram(name)
    one = measure_board(batch.board(5), tuple(columns))
    assert row_of(one) == row_of(some, 5)
    assert one.histograms.keys() == some.histograms.keys()


@pytest.mark.parametrize("real", REAL, ids=[f"{real['rows']}x{real['cols']}/{real['mines']}" for real in REAL])
def test_boards_that_people_played_have_the_3bv_of_their_files(real):
    board = nd.Board.from_coords((real["rows"], real["cols"]), map(tuple, real["mine_rc"]))
    stats = nd.measure(board)
    assert nd.bbbv(board) == real["bbbv_in_file"] == stats["bbbv"][0]
    assert [stats["openings"][0], stats["zeros"][0]] == [real["computed"]["openings"], real["computed"]["zeros"]]
    assert stats["hints"][0].tolist() == real["computed"]["hint_hist"]


VECTORS = [
    board
    for path in sorted((DATA.parent.parent / "docs" / "vectors").glob("boards_*.json"))
    for board in json.loads(path.read_text(encoding="utf-8"))["boards"]
]


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_the_numbers_are_those_of_the_conformance_vectors(vector):
    board = nd.Board.from_coords(vector["shape"], map(tuple, vector["mines"]))
    stats = nd.measure(board)
    row = row_of(stats)
    assert nd.bbbv(board) == row["bbbv"] == vector["bbbv"]
    assert (row["zeros"], row["isolated"]) == (vector["zeros"], len(vector["isolated"]))
    assert (row["openings"], row["islands"]) == (len(vector["openings"]), len(vector["islands"]))
    assert sizes_in(stats, "opening_size") == sorted(map(len, vector["openings"]))
    assert sizes_in(stats, "island_size") == sorted(map(len, vector["islands"]))
    hints = stats["hints"][0].tolist()
    assert vector["hint_histogram"] == hints + [0] * (len(vector["hint_histogram"]) - len(hints))


@given(layouts())
def test_the_numbers_hold_together(mines):
    """What must be true whatever the layout: a mirror image changes nothing, and all safe cells are counted."""
    row = row_of(nd.measure(nd.Board(mines)))
    assert row == row_of(nd.measure(nd.Board(mines[(slice(None, None, -1),) * mines.ndim])))
    assert sum(row[f"hint_{hint}"] for hint in range(most_hint(mines.shape) + 1)) == mines.size - mines.sum()
    assert row["hint_0"] == row["zeros"]
    assert row["bbbv"] == row["openings"] + row["isolated"] <= mines.size - mines.sum()
    assert row["islands"] <= row["isolated"]
    assert (row["bbbv"] == 0) == mines.all()


def test_a_board_of_a_6d_grid_keeps_hints_beyond_a_byte():
    """Nearly all mined, in six dimensions: hints up to 728, which a mine's own mark must not meet."""
    mines = np.ones((3,) * 6, dtype=bool)
    mines.reshape(-1)[::9] = False
    mines[(1,) * 6] = False
    board, columns = nd.Board(mines), ("zeros", "hints")
    stats = nd.measure(board, columns)
    assert row_of(stats) == row_of(measure_board(board, columns))
    assert stats[f"hint_{mines.sum()}"][0] == 1
    assert stats["hints"].sum() == (~mines).sum()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: nd.bbbv(np.zeros((3, 3), dtype=bool)), r"board must be a Board\. Got ndarray\."),
        (lambda: nd.measure([]), r"boards must be a Board, a Batch, or one or more boards\. Got \[\]\."),
        (lambda: nd.measure(7), r"boards must be a Board, .*\. Got 7\."),
        (lambda: nd.measure([nd.Board.from_coords((2,), []), 3]), r"boards must be a Board, .*"),
        (
            lambda: nd.measure([nd.Board.from_coords((2,), []), nd.Board.from_coords((3,), [])]),
            r"boards must have one shape\. Got \(2,\) and \(3,\)\.",
        ),
        (
            lambda: nd.measure(nd.Board.from_coords((2,), []), ["3bv"]),
            r"columns must be of 'bbbv', .*, 'zini'\. Got '3bv'\.",
        ),
        (
            lambda: nd.measure(nd.Board.from_coords((2,), []), "bbbv"),
            r"columns must be a sequence of names\. Got 'bbbv'",
        ),
        (lambda: nd.measure(nd.Board.from_coords((2,), []), []), r"columns must be one or more names\. Got none\."),
    ],
)
def test_what_cannot_be_measured_is_refused(call, message):
    with pytest.raises(nd.SpecError, match=message):
        call()


@pytest.mark.parametrize("games", [1, 63, 64, 65])
def test_lanes_without_a_board_hold_nothing(games):
    """Else they would be boards without mines, whose one opening takes the longest of all to shrink."""
    layout, mines = nd.Batch.deal(nd.BEGINNER, games).packed
    tally = Tally(layout, mines, games, Workspace())
    for plane in (tally.zeros, tally.isolated):
        assert not count_lanes(layout.lines(plane))[games:].any()
