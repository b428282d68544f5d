"""Pictures: what is drawn, read back from the artists."""

import builtins
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from ndsweep import BEGINNER, Result, SpecError, fit_transition, simulate
from ndsweep.bars import draw_hist
from ndsweep.pictures import Line, draw_lines, draw_scaled

X, WON = [0.1, 0.15, 0.2, 0.25], [97, 78, 31, 4]
FALLING = fit_transition(X, WON, [100] * 4)
RISING = fit_transition(X, WON[::-1], [100] * 4)


@pytest.fixture(autouse=True)
def _no_windows(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda *_, **__: pytest.fail("shown"))
    before = plt.get_fignums()
    yield
    for number in set(plt.get_fignums()) - set(before):
        plt.close(number)


def line(label="one", found=None, won=WON):
    y = np.array(won) / 100
    return Line(label, X, y, y - 0.03, np.minimum(y + 0.02, 1), found)


def axes():
    return Figure().subplots()


def labelled(ax):
    """The drawn lines that have a label."""
    return [artist for artist in ax.get_lines() if not artist.get_label().startswith("_")]


def ticks(axis):
    """What the axis says at its ticks, percent as numbers."""
    axis.axes.figure.canvas.draw()
    return [float(text.get_text().replace("−", "-").rstrip("%")) for text in axis.get_ticklabels()]  # noqa: RUF001


# Lines ------------------------------------------------------------------------------------------


def test_points_and_bands_are_drawn_as_they_are():
    ax = draw_lines([line("one"), line("two", won=WON[::-1])], axes(), xlabel="density", ylabel="won")
    for drawn, won in zip(labelled(ax), (WON, WON[::-1]), strict=True):
        np.testing.assert_allclose(drawn.get_xydata(), np.transpose([X, np.array(won) / 100]))
    for band, won in zip(ax.collections, (WON, WON[::-1]), strict=True):
        corners = band.get_paths()[0].vertices
        for x, y in zip(X, np.array(won) / 100, strict=True):
            heights = corners[np.isclose(corners[:, 0], x), 1]
            assert (heights.min(), heights.max()) == pytest.approx((y - 0.03, min(y + 0.02, 1)))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("density", "won")


def test_the_axis_of_rates_is_in_percent_and_has_room_for_marks():
    ax = draw_lines([line()], axes())
    low, high = ax.get_ylim()
    assert -0.1 < low < 0 < 0.99 < high < 1.1
    assert set(ticks(ax.yaxis)) >= {0, 20, 40, 60, 80}
    rare = Line("rare", [0.2, 0.3], [0.01, 0.001], [0.009, 0.0], [0.012, 0.002])
    assert draw_lines([rare], axes()).get_ylim()[1] < 0.02


def test_the_given_axes_are_used_or_new_ones_are_made():
    before, ax = plt.get_fignums(), axes()
    assert draw_lines([line()], ax) is ax
    assert draw_scaled([line(found=FALLING)], ax) is ax
    assert draw_hist([1], [True], "guesses", ax) is ax
    assert plt.get_fignums() == before
    for made in (draw_lines([line()]), draw_scaled([line(found=FALLING)]), draw_hist([1], [True])):
        assert made.figure.get_layout_engine().__class__.__name__ == "ConstrainedLayoutEngine"
        assert made is not ax
    assert len(plt.get_fignums()) == len(before) + 3


def test_a_legend_where_there_is_more_than_one_line():
    assert draw_lines([line()], axes()).get_legend() is None
    assert draw_lines([line(found=FALLING)], axes()).get_legend() is None
    legend = draw_lines([line("one", FALLING), line("two")], axes()).get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["one", "two"]
    many = draw_lines([line(str(k)) for k in range(7)])
    many.figure.canvas.draw()
    box, field = many.get_legend().get_window_extent(), many.get_window_extent()
    assert box.x0 >= field.x1
    assert box.x1 <= many.figure.bbox.x1 + 1


def test_seventy_lines_look_different_and_neighbours_have_different_marks():
    ax = draw_lines([line(str(k)) for k in range(70)], axes())
    looks = [(drawn.get_color(), drawn.get_marker(), drawn.get_linestyle()) for drawn in labelled(ax)]
    assert len(set(looks)) == 70
    assert len({look[1] for look in looks[:10]}) == 10
    assert "--" not in {look[2] for look in looks}
    for drawn, band in zip(labelled(ax), ax.collections, strict=True):
        assert to_rgba(drawn.get_color())[:3] == tuple(band.get_facecolor()[0][:3])


def test_lines_that_are_added_look_different_and_join_the_legend():
    ax = draw_lines([line("one")], draw_lines([line("two")], axes()))
    first, second = labelled(ax)
    assert first.get_color() != second.get_color()
    assert first.get_marker() != second.get_marker()
    assert len(ax.get_legend().get_texts()) == 2


@pytest.mark.parametrize("found", [FALLING, RISING])
def test_a_fit_is_a_dashed_curve_with_its_midpoint(found):
    ax = draw_lines([line("none"), line("one", found)], axes())
    curve, bar, tick = ax.get_lines()[2:]
    assert {each.get_color() for each in (curve, bar, tick)} == {labelled(ax)[1].get_color()}
    assert curve.get_linestyle() == "--"
    at, rates = curve.get_data()
    np.testing.assert_allclose(rates, found.rate(at))
    assert (at[0], at[-1]) == (X[0], X[-1])
    np.testing.assert_allclose(bar.get_xydata(), [(found.low, 0.5), (found.high, 0.5)])
    np.testing.assert_allclose(tick.get_xydata(), [(found.midpoint, 0.5)])


def test_a_midpoint_is_marked_as_far_as_the_points_reach():
    for low, high in ((-np.inf, np.inf), (0.05, 0.4)):
        ax = draw_lines([line(found=replace(FALLING, low=low, high=high))], axes())
        np.testing.assert_allclose(ax.get_lines()[2].get_xdata(), [X[0], X[-1]])
        assert ax.get_xlim() == pytest.approx(draw_lines([line()], axes()).get_xlim())
    for outside in (0.05, 7.0):
        ax = draw_lines([line(found=replace(FALLING, midpoint=outside, low=-np.inf, high=np.inf))], axes())
        assert len(ax.get_lines()) == 2
        assert ax.get_xlim()[1] < 0.3


def test_points_are_drawn_in_order():
    mixed = Line("one", X[::-1], [4, 31, 78, 97], [3, 30, 77, 96], [5, 32, 79, 98])
    for name, values in (("x", X), ("y", [97, 78, 31, 4]), ("low", [96, 77, 30, 3]), ("high", [98, 79, 32, 5])):
        np.testing.assert_array_equal(getattr(mixed, name), values)
    np.testing.assert_array_equal(labelled(draw_lines([mixed], axes()))[0].get_xdata(), X)


def test_a_picture_can_be_saved(tmp_path):
    for k, ax in enumerate(
        (draw_lines([line("a", FALLING)]), draw_scaled([line("a", FALLING)]), draw_hist([3], [True]))
    ):
        ax.figure.savefig(tmp_path / f"{k}.png")
        assert (tmp_path / f"{k}.png").stat().st_size > 1000


# Scaled -----------------------------------------------------------------------------------------


def test_scaled_lines_fall_on_the_common_curve():
    exact = [replace(FALLING, midpoint=m, width=w) for m, w in ((0.1, 0.02), (0.2, 0.01))]
    x = [np.linspace(each.midpoint - 3 * each.width, each.midpoint + 3 * each.width, 9) for each in exact]
    lines = [
        Line(str(k), x[k], found.rate(x[k]), found.rate(x[k]) - 0.01, found.rate(x[k]) + 0.02, found)
        for k, found in enumerate(exact)
    ]
    ax = draw_scaled([line("left out"), *lines], axes())
    points, curve = ax.get_lines()[:2], ax.get_lines()[2]
    at, rates = curve.get_data()
    np.testing.assert_allclose(rates, 1 / (1 + np.exp(at)))
    for drawn in points:
        np.testing.assert_allclose(drawn.get_xdata(), np.linspace(-3, 3, 9), atol=1e-9)
        np.testing.assert_allclose(drawn.get_ydata(), 1 / (1 + np.exp(drawn.get_xdata())))
    bars = ax.containers[0].lines[2][0].get_segments()
    np.testing.assert_allclose([bar[:, 1] for bar in bars], np.transpose([lines[0].low, lines[0].high]))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["0", "1"]
    assert len({drawn.get_marker() for drawn in points}) == len({drawn.get_color() for drawn in points}) == 2
    assert ax.get_ylabel() == "games won"


def test_a_rising_line_has_a_rising_curve():
    for lines, rising in (([RISING], [True]), ([FALLING, RISING], [False, True])):
        ax = draw_scaled([line(str(k), found) for k, found in enumerate(lines)], axes())
        curves = [drawn.get_ydata() for drawn in ax.get_lines() if drawn.get_linestyle() == "--"]
        assert [rates[-1] > rates[0] for rates in curves] == rising


# Histograms -------------------------------------------------------------------------------------

GAMES = st.lists(st.tuples(st.integers(0, 300), st.booleans()), min_size=1, max_size=50)


def bars(ax):
    """Left edge, width, foot and height of all bars, those of won games and those of lost ones."""
    each = [
        [(bar.get_x(), bar.get_width(), bar.get_y(), bar.get_height()) for bar in container]
        for container in ax.containers
    ]
    return tuple(np.array(part).T for part in each)


@settings(max_examples=30)
@given(GAMES, st.sampled_from([0, 7, -5, 10**6]), st.sampled_from([1, 10**4]))
def test_bars_are_the_shares_of_games(games, shift, scale):
    values = np.array([value for value, _ in games]) * scale + shift
    won = np.array([won for _, won in games])
    (left, width, foot, height), (left_lost, width_lost, foot_lost, height_lost) = bars(
        draw_hist(values, won, ax=axes())
    )
    np.testing.assert_array_equal((left, width), (left_lost, width_lost))
    assert len(left) <= 61
    assert (foot == 0).all()
    np.testing.assert_allclose(foot_lost, height)
    for k in range(len(left)):
        inside = (left[k] < values) & (values < left[k] + width[k])
        assert height[k] == pytest.approx((inside & won).mean())
        assert height_lost[k] == pytest.approx((inside & ~won).mean())
    assert height.sum() + height_lost.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("most", "step"), [(0, 1), (59, 1), (60, 2), (119, 2), (120, 5), (300, 10), (1200, 50), (10**9, 20_000_000)]
)
def test_a_bar_for_more_numbers_where_they_differ_much(most, step):
    ax = draw_hist([0, most], [True, False], "opened", axes())
    (left, width, _, _), _ = bars(ax)
    assert width == pytest.approx(np.full(len(left), step))
    np.testing.assert_allclose(left, step * np.arange(len(left)) - 0.5)
    assert ax.get_xlabel() == ("opened a game" if step == 1 else f"opened a game (bars of {step})")


def test_a_histogram_says_what_it_shows():
    ax = draw_hist([0, 1, 1, 2], [True, False, True, False], ax=axes())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("guesses a game", "share of games")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["won", "lost"]
    assert all(tick == round(tick) for tick in ticks(ax.xaxis))
    assert set(ticks(ax.yaxis)) >= {0, 10, 20, 30, 40, 50}
    won, lost = (container[0] for container in ax.containers)
    assert won.get_facecolor() != lost.get_facecolor()
    assert (won.get_hatch() or "") != lost.get_hatch()


def test_the_histogram_of_a_result():
    result = simulate(BEGINNER, 300, records=True)
    for name in ("guesses", "reveals", "opened", "hardest"):
        ax = axes()
        assert result.hist(name, ax) is ax
        np.testing.assert_array_equal(bars(ax), bars(draw_hist(result.records[name], result.records["won"], ax=axes())))
        assert ax.get_xlabel().startswith(f"{name} a game")
    assert result.hist().get_xlabel() == "guesses a game"
    assert bars(result.hist())[0][3].sum() == pytest.approx(result.win_rate)


# What cannot be drawn ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Line("a", [1, 2], [1], [1, 2], [1, 2]), r"y must have as many values as x, 2\. Got 1\."),
        (lambda: Line("a", [1, 2], [1, 2], [1, 2], []), r"high must have as many values as x, 2\. Got 0\."),
        (lambda: Line("a", [], [], [], []), r"x must have at least one value\. Got none\."),
        (lambda: Line("a", [1], [np.nan], [0], [1]), r"y must be a sequence of finite numbers\. Got \[nan\]\."),
        (lambda: draw_lines([]), r"lines must hold at least one line\. Got none\."),
        (lambda: draw_lines(line()), r"lines must be a sequence of Lines\. Got Line\."),
        (lambda: draw_lines([line(), "a"]), r"lines must be Lines\. Got str\."),
        (lambda: draw_scaled(3), r"lines must be a sequence of Lines\. Got int\."),
        (lambda: draw_scaled([]), r"lines must hold at least one line\. Got none\."),
        (lambda: draw_scaled([line()]), r"lines must have one with a transition\. Got none\."),
        (lambda: draw_hist([], []), r"values must be a sequence of integers, one a game\. Got \[\]\."),
        (lambda: draw_hist([0.5], [True]), r"values must be a sequence of integers, one a game\. Got \[0\.5\]\."),
        (lambda: draw_hist([[1]], [[True]]), r"values must be a sequence of integers, one a game\. Got \[\[1\]\]\."),
        (lambda: draw_hist([1, 2], [True]), r"won must be 2 truth values, one a game\. Got \[True\]\."),
        (lambda: draw_hist([1, 2], [1, 0]), r"won must be 2 truth values, one a game\. Got \[1, 0\]\."),
        (lambda: simulate(BEGINNER, 10).hist(), r"records must be kept, with records=True\. Got 0 of 10 games\."),
        (
            lambda: Result.empty(BEGINNER, "pairs", None).hist(),
            r"records must be kept, with records=True\. Got 0 of 0 games\.",
        ),
        (
            lambda: simulate(BEGINNER, 10, records=True).hist("won"),
            r"name must be 'guesses', 'reveals', 'opened', 'hardest'\. Got 'won'\.",
        ),
        (lambda: simulate(BEGINNER, 10).hist(["guesses"]), r"name must be .*\. Got \['guesses'\]\."),
    ],
)
def test_what_cannot_be_drawn(call, message):
    before = plt.get_fignums()
    with pytest.raises(SpecError, match=message):
        call()
    assert plt.get_fignums() == before


@pytest.mark.parametrize(
    "draw",
    [
        lambda: draw_lines([line()]),
        lambda: draw_scaled([line(found=FALLING)]),
        lambda: draw_hist([1], [True]),
        lambda: simulate(BEGINNER, 10, records=True).hist(),
    ],
)
def test_without_matplotlib_it_says_what_to_install(draw, monkeypatch):
    original = builtins.__import__

    def without(name, *rest, **named):
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return original(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r'pictures need matplotlib: pip install "ndsweep\[plot\]"'):
        draw()
