"""Statistics of many dealt boards: they are those of each board, whoever counts, and those that are published."""

import json
import pickle
import tracemalloc
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import seeds, specs

import ndsweep as nd
from ndsweep import columns, survey
from ndsweep.engine.grid import dilate
from ndsweep.histogram import Histogram

DATA = Path(__file__).parent / "data"
PUBLISHED = json.loads((DATA / "mc_3bv.json").read_text(encoding="utf-8"))["boards"]
IN_ND = json.loads((DATA / "nd_stats.json").read_text(encoding="utf-8"))["rows"]
ERRORS = 4  # standard errors


@given(specs(), st.integers(0, 150), seeds, st.integers(0, 2**40))
@settings(max_examples=25)
def test_the_boards_are_those_of_a_batch(spec, boards, seed, start):
    spec = nd.Spec(*spec)
    stats = nd.board_stats(spec, boards, seed, start)
    measured = nd.measure(nd.Batch.deal(spec, boards, seed, start)) if boards else stats
    assert stats.boards == boards
    assert stats.histograms == measured.histograms
    assert all(np.array_equal(stats[name], measured[name]) for name in measured.names)


@pytest.mark.parametrize(
    "spec", [nd.Spec((8, 8), 10), nd.Spec((30,), 6), nd.Spec((5, 5, 5), 12), nd.Spec((4,) * 4, 20)]
)
def test_jobs_and_executors_change_nothing(spec, monkeypatch):
    whole = nd.board_stats(spec, 1000, seed=9, start=50)
    monkeypatch.setattr(survey, "_JOB_CELLS", 200 * spec.size)
    with ThreadPoolExecutor(3) as threads:
        assert nd.board_stats(spec, 1000, seed=9, start=50, executor=threads) == whole
    assert nd.board_stats(spec, 1000, seed=9, start=50) == whole
    bare = nd.board_stats(spec, 1000, seed=9, start=50, rows=False)
    assert bare.histograms == whole.histograms
    assert not bare.has_rows


def test_processes_count_the_same():
    whole = nd.board_stats(nd.BEGINNER, 3000, seed=2)
    with ProcessPoolExecutor(2) as processes:
        assert nd.board_stats(nd.BEGINNER, 3000, seed=2, executor=processes) == whole


def test_statistics_add_in_any_order():
    parts = [nd.board_stats(nd.BEGINNER, 70, seed=1, start=start) for start in (140, 0, 70)]
    whole = nd.board_stats(nd.BEGINNER, 210, seed=1)
    assert sum(parts) == parts[1] + (parts[2] + parts[0]) == whole
    with pytest.raises(nd.MergeError, match=r"results must not share games\. Both hold games 70\.\.139 of seed 1"):
        whole + parts[2]
    with pytest.raises(nd.MergeError, match=r"results must not share games\. Both hold games 209\.\.209 of seed 1"):
        whole + nd.board_stats(nd.BEGINNER, 5, seed=1, start=209)
    with pytest.raises(nd.MergeError, match=r"statistics must have the same spec"):
        whole + nd.board_stats(nd.Spec((9, 9), 11), 5)
    with pytest.raises(nd.MergeError, match=r"statistics must have the same names"):
        whole + nd.board_stats(nd.BEGINNER, 5, start=900, columns=["bbbv"])
    bare = whole + nd.board_stats(nd.BEGINNER, 5, seed=1, start=210, rows=False)
    assert bare.boards == 215
    assert not bare.has_rows
    with pytest.raises(nd.SpecError, match=r"rows must be kept, with rows=True, for a column"):
        bare["bbbv"]
    assert pickle.loads(pickle.dumps(whole)) == whole


def test_boards_of_large_grids_are_dealt_one_by_one(monkeypatch):
    spec = nd.Spec((40, 50), 300)
    whole = nd.board_stats(spec, 5, seed=3)
    monkeypatch.setattr(columns, "_MOST_CELLS", 1)
    assert nd.board_stats(spec, 5, seed=3) == whole


# What is published ------------------------------------------------------------------------------


def of_published(board, boards, **options):
    return nd.board_stats(nd.Spec((board["H"], board["W"]), board["M"]), boards, seed=7, **options)


EVERY = pytest.mark.parametrize("board", PUBLISHED, ids=[f"{b['W']}x{b['H']}/{b['M']}" for b in PUBLISHED])


@EVERY
def test_means_are_those_published(board):
    stats = of_published(board, 40_000, rows=False)
    for name, key in (
        ("bbbv", "mean3bv"),
        ("openings", "meanOpenings"),
        ("zeros", "meanZeros"),
        ("isolated", "meanIsolatedNumbers"),
    ):
        histogram = stats.histogram(name)
        error = histogram.sd * sqrt(1 / histogram.total + 1 / board["N"])
        assert abs(histogram.mean - board[key]) < ERRORS * error, name
    assert stats.histogram("bbbv").sd == pytest.approx(board["sd3bv"], rel=0.02)
    assert stats.histogram("openings").sd == pytest.approx(board["sdOpenings"], rel=0.02)


@EVERY
def test_what_a_click_opens_is_as_much_as_published(board):
    """Of a uniform first click, a mine counted as nothing; and of the click on the largest opening, border included."""
    spec = nd.Spec((board["H"], board["W"]), board["M"], first="any")
    batch = nd.Batch.deal(spec, 40_000, seed=3)
    opened = batch.reveal(batch.first_cells) * (batch.status != nd.Status.LOST)
    largest = []
    for openings in (batch.board(game).openings for game in range(500)):
        reached = (dilate(openings.labels == label) for label in range(1, openings.count + 1))
        largest.append(max((int(cells.sum()) for cells in reached), default=0))
    for sample, key in ((opened, "meanRevealUniformFirstClick"), (np.array(largest), "meanMaxOpening")):
        assert abs(sample.mean() - board[key]) < ERRORS * sample.std() / sqrt(len(sample)), key


@EVERY
def test_the_distribution_of_3bv_is_the_one_published(board):
    """A chi-square test of two samples, with bins of 20 boards at least."""
    stats = of_published(board, 40_000, columns=["bbbv"], rows=False).histogram("bbbv")
    published = {int(value): count for value, count in board["hist"].items()}
    ours = dict(zip(stats.values.tolist(), stats.counts.tolist(), strict=True))
    values = range(min(published.keys() | ours.keys()), max(published.keys() | ours.keys()) + 1)
    bins, pair = [], np.zeros(2)
    for value in values:
        pair += published.get(value, 0), ours.get(value, 0)
        if pair[1] >= 20 and pair[0] >= 20:
            bins.append(pair)
            pair = np.zeros(2)
    bins[-1] = bins[-1] + pair
    theirs, mine = np.array(bins).T
    expected = theirs * (mine.sum() / theirs.sum())
    chi_square = ((mine - expected) ** 2 / (expected * (1 + mine.sum() / theirs.sum()))).sum()
    freedom = len(bins) - 1
    assert chi_square < freedom + 4 * sqrt(2 * freedom)


@pytest.mark.parametrize("row", IN_ND, ids=[str(row["shape"]) for row in IN_ND])
def test_numbers_in_any_dimension_are_those_measured_elsewhere(row):
    stats = nd.board_stats(nd.Spec(tuple(row["shape"]), row["mines"]), 20_000, seed=5, rows=False)
    for name in ("openings", "bbbv"):
        histogram = stats.histogram(name)
        error = sqrt(row[f"{name}_se"] ** 2 + histogram.sd**2 / histogram.total)
        assert abs(histogram.mean - row[name]) < ERRORS * error, name
    zeros = stats.histogram("zeros")
    assert abs(zeros.mean - row["Ezeros"]) < ERRORS * zeros.sd / sqrt(zeros.total)


CLOSED = [
    nd.EXPERT,
    nd.Spec((9, 9), 10, "opening"),
    nd.Spec((40,), 8),
    nd.Spec((6, 5, 5), 14),
    nd.Spec((4, 4, 4, 4), 14, "any"),
]


@pytest.mark.parametrize("spec", CLOSED, ids=str)
def test_means_come_to_the_closed_forms(spec):
    """Also under the rule "opening", whose layouts are not equally likely."""
    stats, expected = nd.board_stats(spec, 20_000, seed=11, rows=False), nd.expected(spec)
    closed = {"zeros": expected.zeros, "isolated": expected.isolated}
    closed |= {f"hint_{hint}": value for hint, value in enumerate(expected.hints)}
    for name, value in closed.items():
        histogram = stats.histogram(name)
        rare = sqrt(min(1, max(float(value), 1 / histogram.total)))  # the error of a Poisson count
        assert abs(histogram.mean - value) < 5 * max(histogram.sd, rare) / sqrt(histogram.total), name


PAGE = (DATA.parent.parent / "docs" / "boards.md").read_text(encoding="utf-8")


def rows_in(page, start):
    """The rows of the tables of a page whose first cell begins like this, cell by cell."""
    lines = (line for line in page.splitlines() if line.startswith(f"| {start}"))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@EVERY
def test_the_page_tells_what_is_published_and_ours_within_four_errors(board):
    rows = {row[1]: row[2:] for row in rows_in(PAGE, f"{board['W']}x{board['H']}/{board['M']} |")}
    for name, key in (("mean 3BV", "mean3bv"), ("mean openings", "meanOpenings"), ("mean zeros", "meanZeros")):
        published, ours, apart = rows[name]
        mean, error = map(float, ours.split(" ± "))
        assert float(published) == pytest.approx(board[key], abs=1e-4)
        assert abs(mean - board[key]) < ERRORS * error * 1.2
        assert abs(float(apart)) < ERRORS


def test_the_standard_boards_of_the_page_are_dealt_again():
    rows = rows_in(PAGE, "")
    standard = [row for row in rows if row[0].count("x") in (2, 3) and "/" in row[0]]
    assert len(standard) == 8
    for name, _, bbbv, *_, exact, _, _ in standard:
        shape, mines = name.split("/")
        spec = nd.Spec(tuple(map(int, shape.split("x"))), int(mines))
        histogram = nd.board_stats(spec, 3000, seed=1, columns=["bbbv"], rows=False).histogram("bbbv")
        assert abs(histogram.mean - float(bbbv.split(" ± ")[0])) < ERRORS * histogram.sd / sqrt(histogram.total), name
        assert float(exact) == pytest.approx(float(nd.expected(spec).zeros), abs=1e-4)


# Histograms and tables --------------------------------------------------------------------------

numbers = st.lists(st.integers(-5, 300) | st.integers(0, 2**40), max_size=60).map(
    lambda ns: np.array(ns, dtype=np.int64)
)


@given(numbers, numbers, st.floats(0, 1))
def test_a_histogram_says_what_the_numbers_say(some, more, level):
    histogram, both = Histogram.of(some), np.concatenate([some, more])
    assert dict(zip(histogram.values.tolist(), histogram.counts.tolist(), strict=True)) == Counter(some.tolist())
    assert histogram + Histogram.of(more) == Histogram.of(both)
    assert histogram.total == len(some)
    if len(some):
        assert histogram.mean == pytest.approx(some.mean())
        assert histogram.sd == pytest.approx(some.std(ddof=1) if len(some) > 1 else 0)
        ordered = np.sort(some)
        assert (histogram.quantile(0), histogram.quantile(1)) == (ordered[0], ordered[-1])
        found = histogram.quantile(level)
        assert (some <= found).mean() >= level - 1e-12
        assert (some < found).mean() <= level + 1e-12
        assert histogram.share(below=float(ordered[-1])) == pytest.approx((some < ordered[-1]).mean())
    else:
        assert np.isnan([histogram.mean, histogram.sd, histogram.quantile(0.5), histogram.share(3)]).all()


def test_quantiles_are_those_of_numpy():
    stats = nd.board_stats(nd.BEGINNER, 5000, seed=4)
    levels = [0.07, 0.1, 0.25, 0.5, 0.9, 0.999]
    row = stats.describe(levels)["bbbv"]
    expected = np.quantile(stats["bbbv"], levels, method="inverted_cdf")
    assert [row[f"{100 * level:.10g}%"] for level in levels] == expected.tolist()
    assert row["se"] == pytest.approx(stats["bbbv"].std(ddof=1) / sqrt(5000))


def test_tables_have_a_row_a_board_or_a_row_a_number():
    stats = nd.board_stats(nd.BEGINNER, 40)
    table = stats.to_pandas()
    assert table.shape == (40, 16)
    assert table["bbbv"].tolist() == stats["bbbv"].tolist()
    bare = nd.board_stats(nd.BEGINNER, 40, rows=False).to_pandas()
    assert bare.loc["bbbv", "mean"] == pytest.approx(table["bbbv"].mean())
    assert "hint_8" not in str(stats)
    assert str(stats).splitlines()[1].startswith("bbbv")
    assert repr(stats).startswith("<BoardStats of 40 9x9/10: bbbv, openings, largest_opening")


def test_no_boards_have_a_table_too():
    nothing = nd.board_stats(nd.BEGINNER, 0)
    assert nothing.boards == len(nothing["bbbv"]) == 0
    assert "nan" in str(nothing)
    assert nothing + nd.board_stats(nd.BEGINNER, 5) == nd.board_stats(nd.BEGINNER, 5)


def test_memory_does_not_grow_with_the_number_of_boards_without_rows(monkeypatch):
    """Many jobs, each of which makes rows; none may stay."""
    monkeypatch.setattr(survey, "_JOB_CELLS", 1000 * 16)
    spec, peaks = nd.Spec((4, 4), 3), []
    nd.board_stats(spec, 2000, rows=False)
    for boards in (5000, 50_000):
        tracemalloc.start()
        nd.board_stats(spec, boards, rows=False)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0] < 2_000_000


@pytest.mark.parametrize(
    ("shape", "columns", "message"),
    [
        ((3,) * 9, ["hints"], r"columns must be without 'hints' for shape .* would be 19683 columns, and 6561 at most"),
        ((2,) * 30, ["zeros"], r"counting boards of shape .* would need .* of memory"),
        ((3,) * 11, ["zini"], r"counting boards of shape .* would need"),
    ],
)
def test_what_would_take_too_much_memory_is_refused_at_once(shape, columns, message, monkeypatch):
    monkeypatch.setattr("ndsweep.checks.available_memory", lambda: 10**9)
    with pytest.raises(nd.TooLargeError, match=message):
        nd.board_stats(nd.Spec(shape, 2), 1, columns=columns)


def test_a_long_strip_is_labelled_and_done_at_once():
    spec = nd.Spec((2, 30_000), 1)
    stats = nd.board_stats(spec, 64, columns=["bbbv", "openings"])
    assert (stats["openings"] <= 2).all()


def test_statistics_are_a_mapping_of_columns_in_the_order_asked_for():
    stats = nd.board_stats(nd.BEGINNER, 5, columns=["zini", "bbbv", "zini"])
    assert list(stats) == list(stats.names) == list(dict(stats)) == ["zini", "bbbv"]
    assert "bbbv" in stats
    assert "zeros" not in stats
    with pytest.raises(ValueError, match="read-only"):
        stats["bbbv"][0] = 7


def test_sizes_have_no_standard_error_because_those_of_one_board_depend_on_each_other():
    row = nd.board_stats(nd.BEGINNER, 50).describe()["opening_size"]
    assert np.isnan(row["se"])
    assert row["mean"] > 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Histogram.of([1.5]), r"numbers must be integers\. Got \[1\.5\]\."),
        (lambda: Histogram.of(["a"]), r"numbers must be integers\."),
        (lambda: Histogram.of([[1], [2, 3]]), r"numbers must be integers\."),
        (lambda: Histogram.of(None), r"numbers must be integers\."),
        (lambda: Histogram.of(np.array([2**64 - 1], dtype=np.uint64)), r"numbers must be below 2\*\*63"),
        (lambda: Histogram.of([1]).share("a"), r"below must be a number\. Got 'a'\."),
        (lambda: Histogram.of([1]).share(float("nan")), r"below must be a number\. Got nan\."),
        (lambda: Histogram.of([1]).quantile(True), r"level must be a number between 0 and 1\. Got True\."),
        (lambda: Histogram.of([1]).quantile(None), r"level must be a number between 0 and 1\. Got None\."),
        (lambda: Histogram.of([1]).describe([0.5, "a"]), r"quantiles must be numbers between 0 and 1\. Got 'a'\."),
    ],
)
def test_a_histogram_refuses_what_is_no_number(call, message):
    with pytest.raises(nd.SpecError, match=message):
        call()


def test_large_numbers_have_a_mean():
    assert Histogram.of(np.array([2**62] * 4)).mean == 2.0**62


def test_progress_is_told_in_boards(capsys, monkeypatch):
    nd.board_stats(nd.BEGINNER, 2000, progress=True)
    assert "boards" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["bbbv", "opening_size"])
def test_a_histogram_is_drawn(name):
    import matplotlib.pyplot as plt

    stats = nd.board_stats(nd.EXPERT, 300, rows=False)
    ax = stats.hist(name)
    assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(1)
    assert ax.get_ylabel() == ("share of openings" if name == "opening_size" else "share of boards")
    plt.close(ax.figure)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: nd.board_stats("expert", 5), nd.SpecError, r"spec must be a Spec\. Got 'expert'\."),
        (lambda: nd.board_stats(nd.EXPERT, -1), nd.SpecError, r"boards must be"),
        (lambda: nd.board_stats(nd.EXPERT, 2**63), nd.SpecError, r"boards must be an integer between 0 and"),
        (lambda: nd.board_stats(nd.EXPERT, 5, start=-1), nd.SpecError, r"start must be"),
        (lambda: nd.board_stats(nd.EXPERT, 5, seed=0.5), nd.SpecError, r"seed must be an integer"),
        (lambda: nd.board_stats(nd.EXPERT, 5, executor=3), nd.SpecError, r"executor must have a submit method"),
        (lambda: nd.board_stats(nd.EXPERT, 5, columns=["x"]), nd.SpecError, r"columns must be of .* Got 'x'\."),
        (
            lambda: nd.board_stats(nd.Spec((9, 9), 75, "opening"), 5),
            nd.SpecError,
            r"mines must be between 0 and",
        ),
        (
            lambda: nd.board_stats(nd.EXPERT, 10**12),
            nd.TooLargeError,
            r"rows of 1000000000000 boards would need .* board_stats\(\.\.\., rows=False\) keeps histograms alone\.",
        ),
        (lambda: nd.board_stats(nd.BEGINNER, 5)["3bv"], nd.SpecError, r"name must be 'bbbv', .*\. Got '3bv'\."),
        (lambda: nd.board_stats(nd.BEGINNER, 5).histogram("x"), nd.SpecError, r"name must be 'bbbv', .*'island_size'"),
        (
            lambda: nd.board_stats(nd.BEGINNER, 5).describe([2]),
            nd.SpecError,
            r"quantiles must be numbers between 0 and 1\. Got 2\.",
        ),
        (
            lambda: nd.board_stats(nd.BEGINNER, 5).describe("x"),
            nd.SpecError,
            r"quantiles must be numbers between 0 and 1",
        ),
        (
            lambda: nd.board_stats(nd.BEGINNER, 0).hist("bbbv"),
            nd.SpecError,
            r"bbbv must be counted for one of the boards",
        ),
    ],
)
def test_what_cannot_be_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
