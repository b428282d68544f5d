"""What a window needs and no display does: where cells lie, how they look, the clock, sizes as text."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ndsweep as nd
from ndsweep.frontends.window.dialog import CHOICES, parse_spec, sizes_text
from ndsweep.frontends.window.field import bars_needed, fitting
from ndsweep.frontends.window.sitting import Sitting
from ndsweep.render import colours, sprites
from ndsweep.render.codes import UNCOVERED, WRONG
from ndsweep.render.slices import Slices, folded

FOLDS = {(5, 3, 4): 2, (4, 2, 2): 3, (3, 2, 2, 3, 2): 2, (7, 1, 1): 7}
SHAPES = [(7,), (1,), (4, 5), (2, 3, 4), (3, 1, 2), (2, 3, 3, 2), (2, 1, 2, 3, 2), (2, 2, 2, 2, 2, 2), (1,) * 8]
KINDS = ("hidden", "flag", "wrong", "open", "mine", "burst")


def cells(shape):
    return list(itertools.product(*map(range, shape)))


@pytest.fixture(params=[*((shape, 0) for shape in SHAPES), *FOLDS.items()], ids=str)
def slices(request):
    shape, fold = request.param
    return Slices(shape, cell=20, fold=fold)


# Where cells lie -------------------------------------------------------------------------------


def test_each_point_belongs_to_the_cell_that_is_drawn_there(slices):
    owners = {}
    for place in cells(slices.shape):
        left, top, right, bottom = slices.box(place)
        for x, y in itertools.product((left, right - 1), (top, bottom - 1)):
            assert slices.cell_at(x, y) == place
            assert owners.setdefault((x, y), place) == place


def test_points_beside_all_cells_belong_to_none(slices):
    width, height = slices.size
    painted = np.zeros((height, width), dtype=bool)
    for place in cells(slices.shape):
        left, top, right, bottom = slices.box(place)
        painted[top:bottom, left:right] = True
    rng = np.random.default_rng(0)
    for y, x in rng.choice(np.argwhere(~painted), 200):
        assert slices.cell_at(x, y) is None
    assert slices.cell_at(-5, -5) is None
    assert slices.cell_at(width + 50, height + 50) is None


def test_everything_lies_within_the_size(slices):
    width, height = slices.size
    for place in cells(slices.shape):
        left, top, right, bottom = slices.box(place)
        assert slices.margin <= left < right <= width - slices.margin
        assert slices.margin <= top < bottom <= height - slices.margin


def test_within_is_what_touches_the_part(slices):
    part = (30, 40, 90, 95)
    for place, inside in np.ndenumerate(slices.within(*part)):
        left, top, right, bottom = slices.box(place)
        assert inside == (left < part[2] and right > part[0] and top < part[3] and bottom > part[1])


def test_blocks_hold_the_neighbours_and_nothing_else(slices):
    for place in cells(slices.shape)[::3]:
        near = {p for p in cells(slices.shape) if max(abs(x - y) for x, y in zip(p, place, strict=True)) <= 1}
        found = set()
        for left, top, right, bottom in slices.blocks(place):
            centres = itertools.product(range(left + 10, right, 20), range(top + 10, bottom, 20))
            found |= {slices.cell_at(x, y) for x, y in centres}
        assert found == near


def test_arrows_go_to_the_next_cell_in_their_direction(slices):
    for place in cells(slices.shape):
        left, top, *_ = slices.box(place)
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            moved = slices.moved(place, right, down)
            x, y, *_ = slices.box(moved)
            assert (x - left, y - top) == (abs(x - left) * right, abs(y - top) * down)
            line = [p for p in cells(slices.shape) if slices.box(p)[right != 0] == (top if right else left)]
            beyond = [p for p in line if ((slices.box(p)[down != 0] - (top if down else left)) * (right + down)) > 0]
            assert (moved == place) == (not beyond)


def test_pages_go_through_all_slices_and_stop_at_the_ends(slices):
    place, seen = (0,) * len(slices.shape), []
    while not seen or place != seen[-1]:
        seen.append(place)
        place = slices.turned(place, 1)
    assert seen == [(*outer, *place[-2:]) for outer in cells(slices.shape[:-2])]
    for expected in reversed(seen[:-1]):
        place = slices.turned(place, -1)
        assert place == expected


def test_titles_do_not_touch_each_other():
    """A slice of one narrow cell is as wide as its title."""
    slices = Slices((9, 9, 9, 9, 1, 1), cell=20)
    first, second = (slices.box((0, 0, 0, k, 0, 0)) for k in (0, 1))
    assert second[0] - first[0] >= 7 * len(slices.title((0,) * 6))


@given(
    size=st.tuples(st.integers(1, 300), st.integers(1, 300)), space=st.tuples(st.integers(1, 300), st.integers(1, 300))
)
def test_scrollbars_are_needed_where_something_would_be_hidden(size, space):
    across, down = bars_needed(size, space, 14)
    assert across == (size[0] > space[0] - 14 * down)
    assert down == (size[1] > space[1] - 14 * across)


def test_cells_fit_where_they_can():
    for shape in SHAPES:
        wide, high = fitting(shape, 900, 600).size
        assert wide <= 900
        assert high <= 600
    assert fitting((1000, 1000), 900, 600) == fitting((1000, 1000), 1, 1)


@pytest.mark.parametrize(
    ("shape", "width", "fold"),
    [
        ((8, 8, 8), 1100, 4),
        ((8, 8, 8), 5000, 0),
        ((7, 8, 8), 800, 4),
        ((8, 8, 8), 10, 1),
        ((8, 8), 10, 0),
        ((4, 4, 8, 8), 10, 0),
        ((3, 2, 2, 4, 4), 300, 1),
    ],
)
def test_rows_of_slices_are_folded_to_the_width_that_there_is(shape, width, fold):
    slices = folded(shape, 22, width)
    assert slices.fold == fold
    if fold > 1:
        assert slices.size[0] <= width < Slices(shape, 22).size[0]


def test_arrows_follow_the_folded_picture():
    slices = Slices((5, 3, 4), cell=20, fold=2)  # [0] [1] / [2] [3] / [4]
    assert slices.moved((0, 2, 1), down=1) == (2, 0, 1)
    assert slices.moved((1, 0, 3), right=1) == (1, 0, 3)
    assert slices.moved((0, 1, 1), right=1, whole=True) == (1, 1, 1)
    assert slices.moved((2, 1, 1), down=1, whole=True) == (4, 1, 1)
    assert slices.moved((3, 2, 1), down=1) == (3, 2, 1)  # nothing stands below
    assert slices.turned((1, 0, 0), 1) == (2, 0, 0)


# How they look ---------------------------------------------------------------------------------


def lightness(colour):
    channels = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4) @ (
        0.2126,
        0.7152,
        0.0722,
    )


@pytest.mark.parametrize("hint", [*range(1, 30), 242, 728])
def test_numbers_stand_out_from_the_open_ground(hint):
    """At the contrast that accessibility guidelines ask of text."""
    assert (lightness(sprites.OPEN) + 0.05) / (lightness(colours.hint_colour(hint)) + 0.05) > 4.5


def test_neighbouring_numbers_differ_in_colour():
    found = [colours.hint_colour(hint) for hint in range(1, 100)]
    assert all(one != other for one, other in itertools.pairwise(found))
    assert len(set(found[:13])) == 13


@pytest.mark.parametrize("size", [16, 22, 36, 56])
def test_pictures_differ_without_colour(size):
    grey = {kind: sprites.sprite(kind, size) @ np.array((0.299, 0.587, 0.114)) for kind in KINDS}
    for one, other in itertools.combinations(KINDS, 2):
        assert np.count_nonzero(np.abs(grey[one] - grey[other]) > 25) > 0.05 * size * size, (one, other)


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_have_their_size_and_the_page_at_their_rim(kind):
    for size in range(12, 60, 7):
        picture = sprites.sprite(kind, size)
        assert picture.shape == (size, size, 3)
        assert [int(x) for x in picture[0, 0]] == [int(sprites.PAGE[k : k + 2], 16) for k in (1, 3, 5)]


# The clock and the messages --------------------------------------------------------------------


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def sitting_on(shape, mines):
    clock = Clock()
    sitting = Sitting(nd.Spec(shape, len(mines), first="any"), 0, clock=clock)
    sitting.game = nd.Game(nd.Board.from_coords(shape, mines))
    return sitting, clock


def test_the_clock_starts_with_the_first_change_and_stops_at_the_end():
    sitting, clock = sitting_on((1, 4), [(0, 3)])
    sitting.chord((0, 0))
    clock.now += 5
    assert sitting.seconds == 0
    sitting.flag((0, 3))
    clock.now += 2.25
    assert sitting.seconds == 2.25
    sitting.reveal((0, 0))
    clock.now += 9
    assert (sitting.seconds, sitting.message) == (2.25, "won in 2.2 s")


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([("reveal", (0, 1))], "1 cell opened"),
        ([("reveal", (0, 0))], "2 cells opened"),
        ([("reveal", (0, 0)), ("reveal", (0, 0))], "nothing to open here"),
        ([("flag", (0, 0))], "flag set"),
        ([("flag", (0, 0)), ("flag", (0, 0))], "flag removed"),
        ([("flag", (0, 0)), ("reveal", (0, 0))], "nothing to open here"),
        ([("reveal", (0, 0)), ("flag", (0, 0))], "an open cell takes no flag"),
        ([("reveal", (0, 1)), ("chord", (0, 1))], "a number needs all its flags first"),
        ([("reveal", (0, 0)), ("flag_mines",)], "flag set"),
        ([("reveal", (0, 0)), ("flag_mines",), ("flag_mines",)], "nothing to flag"),
        ([("reveal", (0, 1)), ("flag", (0, 2)), ("expose_neighbors",)], "1 cell opened"),
        ([("expose_neighbors",)], "nothing to expose"),
        ([("reveal", (0, 2))], "lost after 0.0 s"),
        ([("reveal", (0, 2)), ("flag", (0, 0))], "lost after 0.0 s"),
        ([("reveal", (0, 1)), ("chord_again", (0, 1))], "1 cell opened"),
        ([("reveal", (0, 1)), ("reveal", (0, 1)), ("chord_again", (0, 1))], "a number needs all its flags first"),
        ([("reveal", (9, 9))], "cell must lie in 0..0 x 0..5. Got (9, 9)."),
    ],
)
def test_the_message_says_what_the_last_action_did(actions, message):
    sitting, _ = sitting_on((1, 6), [(0, 2), (0, 4)])
    for name, *cell in actions:
        getattr(sitting, name)(*cell)
    assert sitting.message == message


def test_a_loss_shows_mines_and_wrong_flags_and_a_win_shows_the_game_as_it_stands():
    sitting, _ = sitting_on((5,), [(0,), (2,), (4,)])
    sitting.flag((4,))
    sitting.flag((3,))
    assert sitting.picture().tolist() == sitting.game.view.tolist()
    sitting.reveal((0,))
    assert sitting.picture().tolist() == [nd.MINE, nd.HIDDEN, UNCOVERED, WRONG, nd.FLAG]
    sitting, _ = sitting_on((3,), [(0,)])
    sitting.reveal((2,))
    assert sitting.picture().tolist() == [nd.HIDDEN, 1, 0]


def test_the_autoplay_of_a_game_is_repeatable():
    sittings = [Sitting(nd.Spec((9, 9), 10), seed=8, number=number) for number in (1, 1, 2)]
    for sitting in sittings:
        sitting.autoplay()
    one, again, other = (sitting.game.moves for sitting in sittings)
    assert one == again != other


def test_a_game_without_safe_cells_is_won_at_the_start():
    sitting = Sitting(nd.Spec((2, 2), 4, first="any"), 0)
    assert (sitting.over, sitting.message, sitting.seconds) == (True, "won: no cell is safe", 0)


# Sizes as text ---------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", ["16x30", " 16 X 30 ", "16*30", "16,30", "16, 30"])
def test_sizes_are_read_as_people_write_them(sizes):
    assert parse_spec(sizes, " 99 ") == nd.EXPERT


@pytest.mark.parametrize("spec", CHOICES.values(), ids=list(CHOICES))
def test_what_is_offered_can_be_played_and_read_back(spec):
    assert parse_spec(sizes_text(spec), str(spec.mines)) == spec
    game = nd.Game.new(spec)
    game.reveal(0)
    assert game.status != nd.Status.LOST


@pytest.mark.parametrize(
    ("sizes", "mines", "message"),
    [
        ("", "1", "sizes must look like"),
        ("x", "1", "sizes must look like"),
        ("9x", "1", "sizes must look like"),
        ("9 9", "1", "sizes must look like"),
        ("9.5x9", "1", "sizes must look like"),
        ("٩x9", "1", "sizes must look like"),
        ("9x9", "1.5", "mines must be an integer"),
        ("9x9", "-1", "mines must be between 0 and 80"),
        ("-9x9", "1", "sizes of 1 or more"),
        ("x".join("1" * 33), "0", "at most 32 axes"),
    ],
)
def test_wrong_sizes_are_refused_with_a_word(sizes, mines, message):
    with pytest.raises(nd.SweepError, match=message):
        parse_spec(sizes, mines)
