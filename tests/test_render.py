"""Pictures of boards and games: HTML, SVG and pixels say the same as the text, in any dimension."""

import base64
import io
import re
import tracemalloc
import warnings
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import matplotlib.image
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ndsweep as nd
from ndsweep import render
from ndsweep.render import colours
from ndsweep.render.codes import UNCOVERED, WRONG, codes_of
from ndsweep.render.image import flat_colour, likely, tile
from ndsweep.render.png import png
from ndsweep.render.signs import written
from ndsweep.render.slices import Slices
from ndsweep.render.style import style

SHAPES = [(7,), (3, 5), (2, 3, 4), (2, 3, 2, 4), (2, 1, 3, 2, 2)]
EVERY_SHAPE = pytest.mark.parametrize("shape", SHAPES, ids=str)
SIGNS = {nd.HIDDEN: "·", nd.FLAG: "⚑", nd.MINE: "✹", UNCOVERED: "✹", WRONG: "⚑", 0: ""}


def some_codes(shape, seed=0):
    """Every code that there is, in any order."""
    few = np.array([nd.HIDDEN, nd.FLAG, nd.MINE, UNCOVERED, WRONG, 0, 1, 2])
    return np.random.default_rng(seed).choice(few, size=shape)


def some_chances(shape, seed=0):
    return np.random.default_rng(seed).choice([0.0, 0.004, 0.25, 0.996, 1.0, np.nan], size=shape)


def lost_game():
    game = nd.Game(nd.Board.from_coords((2, 3, 3), [(0, 0, 0), (0, 0, 2), (1, 2, 2)]))
    game.flag((0, 0, 2))
    game.flag((0, 2, 0))
    game.reveal((0, 1, 1))
    game.reveal((0, 0, 0))
    return game


class Tables(HTMLParser):
    """What stands in the cells of the grids of a page, with their captions."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.captions, self.open = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag == "td":
            self.tables[-1][-1].append("")
        self.open = tag

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open == "td":
            self.tables[-1][-1][-1] += data
        elif self.open == "caption":
            self.captions.append(data)


def luminance(colour):
    channels = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def contrast(one, other):
    """As the Web Content Accessibility Guidelines define it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


# What is drawn ------------------------------------------------------------------------------------


@EVERY_SHAPE
def test_a_board_is_drawn_with_all_its_mines(shape):
    board = nd.Board.deal(nd.Spec(shape, 2), seed=4)
    expected = np.where(board.mines, UNCOVERED, board.hints.astype(int))
    np.testing.assert_array_equal(codes_of(board), expected)


def test_a_game_is_drawn_as_its_player_sees_it_and_with_all_mines_once_it_is_lost():
    game = nd.Game(nd.Board.from_coords((1, 6), [(0, 0), (0, 3)]))
    game.flag((0, 1))
    assert codes_of(game).tolist() == [[-1, -2, -1, -1, -1, -1]]
    game.reveal((0, 5))
    assert codes_of(game).tolist() == [[-1, -2, -1, -1, 1, 0]]
    game.reveal((0, 0))
    assert codes_of(game).tolist() == [[nd.MINE, WRONG, -1, UNCOVERED, 1, 0]]
    assert codes_of(nd.Game.new(nd.BEGINNER)).tolist() == [[-1] * 9] * 9


def test_positions_and_arrays_of_codes_are_drawn_as_they_are():
    view = np.array([[1, -1, -2]])
    assert codes_of(nd.Position(view)).tolist() == codes_of(view).tolist() == codes_of([[1, -1, -2]]).tolist()


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (np.zeros((2, 2)), "board must be a Board, Game, Position or an array of view codes. Got float64"),
        (np.zeros((2, 0), dtype=int), r"Got int64 of shape \(2, 0\)"),
        (7, r"Got int64 of shape \(\)"),
        ("7", "Got <U1"),
        (np.array([[0, 9]]), r"board must hold codes between -5 and 8. Got 9 at \(0, 1\)"),
        (np.array([-6]), r"board must hold codes between -5 and 2. Got -6 at \(0,\)"),
    ],
)
@pytest.mark.parametrize("draw", [render.html, render.svg, render.image])
def test_what_cannot_be_drawn_is_refused(draw, board, message):
    with pytest.raises(nd.SpecError, match=message):
        draw(board)


@pytest.mark.parametrize(
    ("probability", "message"),
    [
        ([[0.5]], r"probability must have the shape of the grid, \(1, 2\). Got \(1, 1\)"),
        ([[0.5, -0.1]], r"probability must be between 0 and 1, or NaN. Got -0.1 at \(0, 1\)"),
        ("much", "probability must be an array of numbers. Got str"),
    ],
)
@pytest.mark.parametrize("draw", [render.html, render.svg, render.image])
def test_what_is_no_probability_is_refused(draw, probability, message):
    with pytest.raises(nd.SpecError, match=message):
        draw([[-1, 1]], probability=probability)


def test_text_takes_lists_and_shows_lost_games():
    assert render.view_text([[1, -1, -4, -5]]) == "1 # * X"
    assert render.view_text([12]) == "12"
    with pytest.raises(nd.SpecError, match=r"Got <U1"):
        render.view_text("7")
    with pytest.raises(nd.SpecError, match=r"mines and hints must have one shape, of a grid\. Got \(1,\) and \(2,\)"):
        render.board_text([True], [1, 2])


def test_sizes_and_themes_are_checked():
    with pytest.raises(nd.SpecError, match=r"cell must be an integer between 1 and 512\. Got 0"):
        render.image([1], cell=0)
    with pytest.raises(nd.SpecError, match=r"cell must be an integer between 1 and 1000\. Got 2.5"):
        render.svg([1], cell=2.5)
    with pytest.raises(nd.SpecError, match=r"theme must be 'light', 'dark', 'auto'\. Got 'blue'"):
        render.svg([1], theme="blue")
    with pytest.raises(
        nd.TooLargeError, match=r"at most 20000 cells for SVG; render.image takes more\. Got \(200, 200\)"
    ):
        render.svg(np.zeros((200, 200), dtype=int))


def test_a_picture_that_does_not_fit_in_memory_is_refused(monkeypatch):
    monkeypatch.setattr("ndsweep.checks.available_memory", lambda: 10**6)
    with pytest.raises(nd.TooLargeError, match=r"a picture of .* pixels would need"):
        render.image(np.zeros((100, 100), dtype=int), cell=20)


# HTML ---------------------------------------------------------------------------------------------


def expected_tables(codes, chances=None):
    """The cells of each slice, by plain loops."""
    lines = codes.reshape(-1, *((1,) * max(0, 2 - codes.ndim) + codes.shape)[-2:])
    shown = np.full(codes.shape, np.nan) if chances is None else chances
    shown = shown.reshape(lines.shape)
    tables = []
    for k in range(len(lines)):
        tables.append([])
        for row, likely_ in zip(lines[k].tolist(), shown[k].tolist(), strict=True):
            tables[-1].append([])
            for code, p in zip(row, likely_, strict=True):
                text = SIGNS.get(code, str(code))
                if code in (nd.HIDDEN, nd.FLAG) and p == p:
                    text = {0.0: "0", 0.004: "<1", 0.25: "25", 0.996: ">99", 1.0: "100"}[p]
                tables[-1][-1].append(text)
    return tables


@EVERY_SHAPE
@pytest.mark.parametrize("with_chances", [False, True])
def test_the_cells_of_html_are_those_of_the_grid(shape, with_chances):
    codes = some_codes(shape)
    chances = some_chances(shape) if with_chances else None
    found = Tables(render.html(codes, probability=chances))
    assert found.tables == expected_tables(codes, chances)
    outer = [str(list(place)) for place in np.ndindex(*shape[:-2])] if len(shape) > 2 else []
    assert found.captions == outer


def test_slices_stand_side_by_side_and_below_each_other_in_turn():
    text = render.html(np.zeros((2, 3, 1, 1), dtype=int))
    assert (text.count('class="down"'), text.count('class="across"')) == (1, 2)
    assert render.html(np.zeros((3, 1, 1), dtype=int)).count('class="across"') == 1


def test_every_number_has_the_class_of_its_colour():
    text = render.html(np.arange(27).reshape(27, 1, 1)[:, :, [0, 0]])
    for hint in range(1, 27):
        assert f"<td class=n{hint - 1 if hint <= 8 else 8 + (hint - 9) % 5}>{hint}<" in text


def test_what_objects_show_in_a_notebook():
    board = nd.Board.from_coords((3, 4), [(0, 0)])
    assert Tables(board._repr_html_()).tables == expected_tables(codes_of(board))
    assert "1 mines" in board._repr_html_()
    game = lost_game()
    assert Tables(game._repr_html_()).tables == expected_tables(codes_of(game))
    assert "lost, 2 flags" in game._repr_html_()
    assert "15 safe cells hidden, 0 flags" in nd.Game(nd.Board.from_coords((4, 4), [(0, 0)]))._repr_html_()
    position = nd.Position([[1, -1], [-1, -2]], mines=1)
    assert Tables(position._repr_html_()).tables == expected_tables(position.view)
    assert "1 mines" in position._repr_html_()
    assert "mines" not in Tables(nd.Position([[1, -1]])._repr_html_()).tables[0]


def test_probabilities_are_shown_over_their_view():
    view = np.array([[1, -1, -1, -1], [1, 1, -1, -2]])
    found = nd.mine_probability(view, 2)
    shown = Tables(found._repr_html_()).tables[0]
    for cell, p in np.ndenumerate(found.p):
        assert shown[cell[0]][cell[1]] == (colours.percent(p) if p == p else SIGNS.get(view[cell], str(view[cell])))
    assert f"{found.layouts:,} layouts" in found._repr_html_()
    batch = nd.mine_probability(np.stack([view] * 300), 2, batch=True)
    assert len(Tables(batch._repr_html_()).tables) == 100
    assert "the first 100 of 300 games" in batch._repr_html_()
    large = nd.mine_probability(np.full((16, 30), nd.HIDDEN), 99)
    assert "e+104 layouts" in large._repr_html_()


def test_a_deduction_shows_what_is_proved():
    proved = nd.deduce(np.array([[1, -1, 1, -1, -1]]))
    assert Tables(proved._repr_html_()).tables == [[["1", "100", "1", "0", "·"]]]


def test_a_batch_shows_its_first_games():
    batch = nd.Batch.deal(nd.BEGINNER, 1000, seed=3)
    batch.reveal(batch.first_cells)
    tables = Tables(batch._repr_html_()).tables
    assert len(tables) == 9
    assert tables == [table for view in batch.views(np.arange(9)) for table in expected_tables(view)]
    assert "the first 9 of 1,000 games" in batch._repr_html_()
    assert "Batch of 1000 games, 9x9" in batch._repr_html_()
    assert Tables(nd.Batch.deal(nd.Spec((50, 50), 9), 3)._repr_html_()).tables == []
    assert Tables(nd.Batch.deal(nd.BEGINNER, 0)._repr_html_()).tables == []


def test_results_and_studies_are_tables_of_win_rates():
    result = nd.simulate(nd.BEGINNER, 1000)
    row = Tables(result._repr_html_()).tables[0][1]
    low, high = result.interval()
    assert row[:5] == ["9x9", "10", "single-point", "1,000", f"{100 * result.win_rate:.4g} %"]
    assert row[6] == f"{100 * low:.4g} to {100 * high:.4g}"
    study = nd.collect(nd.grid([(8, 8), (4, 4, 4)], [0.1, 0.2]), 200, progress=False)
    rows = Tables(study._repr_html_()).tables[0][1:]
    assert [row[0] for row in rows] == ["8x8", "8x8", "4x4x4", "4x4x4"]
    assert Tables(nd.simulate(nd.BEGINNER, 0)._repr_html_()).tables[0][1][3] == "0"
    many = nd.Study(study.tasks * 20, study.results * 20, study.wanted * 20)
    assert len(Tables(many._repr_html_()).tables[0]) == 61
    assert "20 more tasks" in many._repr_html_()


def test_captions_are_text():
    with pytest.raises(nd.SpecError, match=r"caption must be a string or None\. Got int"):
        render.html([1], caption=5)


def test_names_cannot_write_html():
    class Evil:
        name = "<b>&"

        def choose(self, views, turn):
            return np.array([int(np.flatnonzero(view.ravel() == nd.HIDDEN)[0]) for view in views])

    result = nd.simulate(nd.Spec((3, 3), 1), 2, Evil())
    assert "<b>" not in result._repr_html_()
    assert "<b>" not in render.html([1], caption="<b>")


# Large grids --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shape", [(41, 40), (2000, 1000), (30, 40, 50), (12, 12, 12, 12), (9,) * 5, (100_000,)], ids=str
)
def test_large_grids_are_pictures_of_some_kilobytes(shape):
    board = nd.Board.deal(nd.Spec(shape, int(np.prod(shape)) // 6), seed=1)
    text = board._repr_html_()
    assert len(text) < 1_000_000
    assert ("hints" in vars(board)) == ("a pixel for every" not in text)
    source = re.search(r'base64,([^"]+)"', text).group(1)
    pixels = matplotlib.image.imread(io.BytesIO(base64.b64decode(source)))
    assert max(pixels.shape) <= 1000
    assert f"width={pixels.shape[1]} height={pixels.shape[0]}" in text
    assert "x".join(map(str, shape)) in text
    assert "</span>mine" in text


def test_a_picture_says_how_much_of_the_grid_it_shows():
    assert "a pixel for every 3 cells of each axis" in render.html(np.zeros((2000, 900), dtype=np.int8))
    assert "a pixel for every 1 x 2 cells" in render.html(np.zeros((2, 1000), dtype=np.int8))
    assert "8 pixels a cell" in render.html(np.zeros((60, 50), dtype=np.int8))
    assert "a pixel a cell" in render.html(np.zeros((500, 600), dtype=np.int8))


def test_what_a_large_picture_shows_is_what_is_there():
    view = np.full((300, 300), nd.HIDDEN)
    view[:100] = 0
    source = re.search(r'base64,([^"]+)"', render.html(view)).group(1)
    pixels = matplotlib.image.imread(io.BytesIO(base64.b64decode(source)))
    height, width = (n // 300 * 300 for n in pixels.shape[:2])
    rim = (len(pixels) - height) // 2
    pixels = pixels[rim : rim + height, rim : rim + width]
    edge = len(pixels) // 300
    opened = pixels[: 100 * edge].reshape(-1, 3)
    hidden = pixels[100 * edge :].reshape(-1, 3)
    assert len(np.unique(opened, axis=0)) == len(np.unique(hidden, axis=0)) == 1
    assert (opened[0] != hidden[0]).any()


def pixels_of(text):
    """The picture of a page, uint8."""
    source = re.search(r'base64,([^"]+)"', text).group(1)
    return np.rint(255 * matplotlib.image.imread(io.BytesIO(base64.b64decode(source)))[..., :3]).astype(np.uint8)


@pytest.mark.parametrize("shape", [(2,) * 11, (3,) * 8, (4,) * 6, (5,) * 5, (50, 50)], ids=str)
def test_every_cell_is_drawn_while_there_is_room(shape):
    board = nd.Board.deal(nd.Spec(shape, int(np.prod(shape)) // 9), seed=1)
    text = board._repr_html_()
    edge = int(re.search(r"(\d+) pixels a cell", text).group(1))
    pixels = pixels_of(text)
    for hint in range(1, 9):
        colour = np.array([int(flat_colour(hint)[k : k + 2], 16) for k in (1, 3, 5)])
        assert (pixels == colour).all(axis=2).sum() == edge**2 * np.count_nonzero(~board.mines & (board.hints == hint))
    ink = np.array([int(colours.LIGHT["ink"][k : k + 2], 16) for k in (1, 3, 5)])
    assert (pixels == ink).all(axis=2).sum() == edge**2 * board.n_mines


def test_the_key_says_what_is_known():
    thinned = nd.Board.deal(nd.Spec((2000, 1000), 300_000), seed=1)._repr_html_()
    assert "</span>no mine" in thinned
    assert "</span>open" not in thinned
    assert "</span>3" in nd.Board.deal(nd.Spec((50, 50), 500), seed=1)._repr_html_()
    both = render.html(np.tile([nd.FLAG, WRONG], (50, 25)))
    assert len(set(re.findall(r"background:(#\w+)\"></span>(?:flag|wrong flag)", both))) == 2


def test_a_large_array_is_only_read_where_it_is_shown():
    """All but the cells that are shown are no codes at all."""
    view = np.full((4000, 4000), 99, dtype=np.int8)
    step = int(re.search(r"every (\d+) cells", render.html(np.zeros(view.shape, dtype=np.int8))).group(1))
    view[::step, ::step] = nd.HIDDEN
    assert "</span>hidden" in render.html(view)


def test_large_games_of_a_batch_are_pictures():
    batch = nd.Batch.deal(nd.Spec((30, 60), 300), 5, seed=1)
    text = batch._repr_html_()
    assert text.count("<img") == 1
    assert "the first 1 of 5 games" in text


def test_an_image_takes_little_more_memory_than_its_pixels():
    codes = np.zeros((3000, 1000), dtype=np.int8)
    codes[::3] = nd.HIDDEN
    for probability in (None, np.linspace(0, 1, codes.size).reshape(codes.shape)):
        tracemalloc.start()
        try:
            pixels = render.image(codes, probability=probability)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < pixels.nbytes + 120_000_000 * (1 if probability is None else 2)


def test_a_large_heat_map_has_a_key():
    text = render.html(np.full((60, 60), nd.HIDDEN), probability=np.full((60, 60), 0.3))
    assert "a mine in 50 %" in text
    assert "<img" in text


# SVG ----------------------------------------------------------------------------------------------


@EVERY_SHAPE
@pytest.mark.parametrize("with_chances", [False, True])
def test_the_texts_of_svg_stand_in_the_cells_they_belong_to(shape, with_chances):
    codes, chances = some_codes(shape, 1), some_chances(shape, 1)
    root = ElementTree.fromstring(render.svg(codes, cell=30, probability=chances if with_chances else None))
    texts = {}
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        if text.get("text-anchor") is None:
            texts[(float(text.get("x")), float(text.get("y")))] = text.text
    slices = Slices(shape, 30, margin=8)
    expected = {}
    for place, code in np.ndenumerate(codes):
        shown = code in (nd.HIDDEN, nd.FLAG) and with_chances and not np.isnan(chances[place])
        if code > 0 or shown:
            expected[slices.box(place)] = colours.percent(chances[place]) if shown else str(code)
    found = {}
    for (x, y), text in texts.items():
        inside = [box for box in expected if box[0] < x < box[2] and box[1] < y < box[3]]
        assert len(inside) == 1
        found[inside[0]] = text
    assert found == expected


@EVERY_SHAPE
def test_svg_has_a_sign_for_every_flag_and_mine_and_a_title_for_every_slice(shape):
    codes = some_codes(shape, 2)
    text = render.svg(codes)
    signed = np.isin(codes, [nd.FLAG, nd.MINE, UNCOVERED]).sum() + 2 * (codes == WRONG).sum()
    assert text.count("<path") == signed
    titles = re.findall(r'text-anchor="start"[^>]*>([^<]+)<', text)
    assert titles == ([str(list(place)) for place in np.ndindex(*shape[:-2])] if len(shape) > 2 else [])


def test_svg_has_the_colours_of_its_theme():
    light, dark, auto = (render.svg([[1, -1]], theme=theme) for theme in ("light", "dark", "auto"))
    assert colours.LIGHT["tile"] in light
    assert colours.LIGHT["tile"] not in dark
    assert colours.DARK["tile"] in dark
    assert "prefers-color-scheme" in auto
    assert len({light, dark, auto}) == 3
    classes = [set(re.findall(r"nds-\w+", text)) for text in (light, dark, auto)]
    assert all(len(found) == 1 for found in classes)
    assert len(set.union(*classes)) == 3


# Pixels -------------------------------------------------------------------------------------------


@EVERY_SHAPE
@pytest.mark.parametrize("cell", [3, 12, 26])
@pytest.mark.parametrize("with_chances", [False, True])
def test_every_cell_of_an_image_is_its_tile(shape, cell, with_chances):
    codes, chances = some_codes(shape, 3), some_chances(shape, 3)
    pixels = render.image(codes, cell=cell, probability=chances if with_chances else None)
    slices = Slices(shape, cell, margin=8)
    assert pixels.shape == (*slices.size[::-1], 3)
    assert pixels.dtype == np.uint8
    for place, code in np.ndenumerate(codes):
        left, top, right, bottom = slices.box(place)
        shown = code in (nd.HIDDEN, nd.FLAG) and with_chances and not np.isnan(chances[place])
        expected = likely(chances[place], cell) if shown else tile(code, cell)
        np.testing.assert_array_equal(pixels[top:bottom, left:right], expected)


@pytest.mark.parametrize("size", [9, 16, 26, 60])
def test_tiles_differ_without_colour(size):
    kinds = [nd.HIDDEN, nd.FLAG, nd.MINE, UNCOVERED, WRONG, *range(27)]
    grey = [tile(kind, size) @ np.array((0.299, 0.587, 0.114)) for kind in kinds]
    for k, one in enumerate(grey):
        for other in grey[:k]:
            assert np.count_nonzero(np.abs(one - other) > 25) > 0.02 * size * size


def test_a_number_of_four_digits_has_room():
    assert tile(6560, 26).shape == (26, 26, 3)
    assert (tile(6560, 26) != tile(0, 26)).sum() > 50


@pytest.mark.parametrize(
    "shape", [(16, 30), (9, 9), (40, 40), (5, 5, 5), (4, 4, 4, 4), (1000, 1000), (30, 2000)], ids=str
)
def test_an_image_is_as_large_as_there_is_room_for(shape):
    height, width, _ = render.image(np.zeros(shape, dtype=np.int8)).shape
    assert max(height, width) <= 1000 + 16 or max(shape) > 1000


@given(st.integers(0, 10**6), st.integers(6, 40))
def test_digits_are_written_in_their_order(number, height):
    cover = written(str(number), height)
    assert cover.min() >= 0
    assert cover.max() <= 1
    ink = cover.sum(axis=0) > 0
    assert np.count_nonzero(ink[1:] & ~ink[:-1]) + ink[0] <= len(str(number))


def test_no_two_signs_look_alike():
    signs = "0123456789<>[],"
    for size in (6, 12, 30):
        covers = [written(sign, size) for sign in signs]
        for k, one in enumerate(covers):
            assert all(np.abs(one - other).max() > 0.5 for other in covers[:k])


def test_png_holds_the_pixels():
    pixels = np.random.default_rng(0).integers(0, 256, (7, 5, 3), dtype=np.uint8)
    read = matplotlib.image.imread(io.BytesIO(png(pixels)))
    np.testing.assert_array_equal(np.rint(255 * read[..., :3]).astype(np.uint8), pixels)


# Colours ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hint", [*range(1, 30), 242, 728])
def test_numbers_stand_out_from_light_and_dark_grounds(hint):
    assert contrast(colours.HINTS[colours.hint_number(hint)], colours.LIGHT["open"]) > 4.5
    assert contrast(colours.DARK_HINTS[colours.hint_number(hint)], colours.DARK["open"]) > 4.5


def test_every_hint_colour_of_one_theme_has_one_in_the_other():
    assert len(colours.HINTS) == len(colours.DARK_HINTS) == len(set(colours.DARK_HINTS))
    assert set(colours.LIGHT) == set(colours.DARK)


@pytest.mark.parametrize("theme", [colours.LIGHT, colours.DARK])
def test_words_and_flags_stand_out(theme):
    assert contrast(theme["ink"], theme["open"]) > 7
    assert contrast(theme["faint"], theme["page"]) > 4.5
    assert contrast(theme["ink"], theme["burst"]) > 3
    assert contrast(theme["tile"], theme["open"]) > 1.5


def test_heat_darkens_with_the_chance_and_its_text_can_be_read():
    heats = [colours.heat(p) for p in np.linspace(0.001, 0.999, 500)]
    lights = [luminance(ground) for ground, _ in heats]
    assert all(after <= before for before, after in pairwise(lights))
    for ground, ink in [*heats, colours.heat(0.0), colours.heat(1.0)]:
        assert contrast(ground, ink) > 4.5
    assert len({colours.heat(p)[0] for p in (0.0, 1e-9, 1 - 1e-9, 1.0)}) == 4


def test_the_style_has_every_colour_and_no_rule_for_the_page_around():
    rules = re.sub(r"@media[^{]*\{", "", style()).removeprefix("<style>").removesuffix("</style>")
    for selectors in re.findall(r"([^{}]+)\{", rules):
        assert all(".ndsweep" in selector for selector in selectors.split(",")), selectors
    for k in range(len(colours.HINTS)):
        assert style().count(f"--n{k}:") == 4
        assert f"td.n{k}{{" in style()


def test_nothing_is_drawn_with_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for shape in SHAPES:
            render.html(some_codes(shape), probability=some_chances(shape))
            render.image(some_codes(shape), probability=some_chances(shape))
