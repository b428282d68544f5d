"""Policies: the named ones on planes, the same by counting, and one's own agree game for game."""

import json

import numpy as np
import plain_streams
import pytest
import reference
from make_golden import GOLDEN, PLAYED, play
from players import Noted, OneByOne, Uniform
from reference import cells_of

from ndsweep import BEGINNER, HIDDEN, Board, Game, PolicyError, Spec, SpecError, Status, replay, simulate
from ndsweep.simulate import play_alone
from ndsweep.tasks import Task

NAMES = ("random", "single-point", "pairs")
CASES = {
    "beginner": (BEGINNER, None),
    "20/4": (Spec((20,), 4), None),
    "8x8/12 any": (Spec((8, 8), 12, "any"), None),
    "6x7/6 opening": (Spec((6, 7), 6, "opening"), None),
    "12/7 opening": (Spec((12,), 7, "opening"), None),
    "4x4x4/8": (Spec((4, 4, 4), 8), None),
    "3x3x3x3/8": (Spec((3, 3, 3, 3), 8), None),
    "2x3/2": (Spec((2, 3), 2), None),
    "2x3/5": (Spec((2, 3), 5), None),
    "1/0": (Spec((1,), 0), None),
    "3x1x2/6 any": (Spec((3, 1, 2), 6, "any"), None),
    "3x3/4 opening, corner": (Spec((3, 3), 4, "opening"), "corner"),
    "5x5/5, inner": (Spec((5, 5), 5), (2, 3)),
}
EVERY_CASE = pytest.mark.parametrize(("spec", "first_cell"), CASES.values(), ids=CASES)
EVERY_NAME = pytest.mark.parametrize("name", NAMES)
SEED = 20
COUNTED = ("guesses", "reveals", "opened", "luck", "hardest")


def rows_of(spec, name, games, first_cell, **options):
    return simulate(spec, games, name, SEED, records=True, luck=True, first_cell=first_cell, **options).records.tolist()


def row_alone(spec, name, number, first_cell, seed=SEED):
    """The record of a game that is played alone, with `Game`."""
    game, counts = play_alone(Task(spec, name, seed, first_cell), number)
    return (number, game.status == Status.WON, *(counts[name] for name in COUNTED))


def row_by_reference(spec, name, number, first_cell, seed=SEED):
    """The record of a game that the reference plays, on a layout and with guesses from plain Python."""
    cells = cells_of(spec.shape)
    if first_cell is None:
        first = plain_streams.first_cell(seed, number, spec.size)
    else:
        first = 0 if first_cell == "corner" else cells.index(first_cell)
    mines = {cells[c] for c in plain_streams.layout(spec.shape, spec.mines, spec.first, seed, number, first)}
    guesses = iter(range(1000))

    def guess(candidates):
        return cells[plain_streams.guess(seed, number, next(guesses), [cell in candidates for cell in cells])]

    game, counts = reference.play(spec.shape, mines, cells[first], name, guess)
    return (number, game.status == reference.WON, *(counts[name] for name in COUNTED))


# The named policies ---------------------------------------------------------------------------


@EVERY_NAME
@EVERY_CASE
def test_slots_change_nothing(spec, first_cell, name):
    rows = rows_of(spec, name, 700, first_cell)
    assert rows == rows_of(spec, name, 700, first_cell, slots=64)
    assert rows == rows_of(spec, name, 700, first_cell, slots=2048)


@EVERY_NAME
@EVERY_CASE
def test_a_game_of_many_is_the_game_alone(spec, first_cell, name):
    games = 10 if (spec.ndim, name) == (4, "pairs") else 60  # comparing 624 offsets takes its time
    rows = rows_of(spec, name, games, first_cell)
    assert rows == [row_alone(spec, name, number, first_cell) for number in range(games)]


@EVERY_NAME
@EVERY_CASE
def test_a_game_of_many_is_the_game_of_the_reference(spec, first_cell, name):
    games = 60
    rows = rows_of(spec, name, games, first_cell)
    assert rows == [row_by_reference(spec, name, number, first_cell) for number in range(games)]


def test_ten_thousand_games_in_slots_of_64_of_2048_and_alone():
    games = 10_000
    rows = rows_of(BEGINNER, "single-point", games, None, slots=64)
    assert rows == rows_of(BEGINNER, "single-point", games, None, slots=2048)
    assert rows == [row_alone(BEGINNER, "single-point", number, None) for number in range(games)]


@EVERY_NAME
def test_large_games_agree_too(name):
    spec = Spec((16, 30), 99)
    rows = rows_of(spec, name, 500, None)
    assert rows == rows_of(spec, name, 500, None, slots=64)
    assert rows[:5] == [row_alone(spec, name, number, None) for number in range(5)]


@EVERY_NAME
def test_the_records_are_those_that_the_stream_version_promises(name):
    """These games are pinned, as the layouts in test_deal.py are."""
    pinned = json.loads(GOLDEN.read_text(encoding="utf-8"))["games"][name]
    assert len(pinned) == PLAYED["games"]
    assert play(name) == pinned


@EVERY_CASE
def test_replay_plays_a_game_again_move_by_move(spec, first_cell):
    for row in rows_of(spec, "pairs", 30 if spec.ndim < 4 else 5, first_cell):
        game = replay(spec, "pairs", SEED, row[0], first_cell=first_cell)
        again = Game(game.board)
        for kind, cell in game.moves:
            assert getattr(again, kind)(cell) != 0
        assert (again.status == Status.WON, again.revealed.sum()) == (row[1], row[4])
        assert again.status == game.status != Status.PLAYING


@EVERY_NAME
def test_flags_of_a_policy_stand_on_mines(name):
    for number in range(50):
        game = replay(BEGINNER, name, SEED, number)
        assert not (game.flagged & ~game.board.mines).any()


def test_better_rules_win_more():
    wins = [simulate(BEGINNER, 20_000, name).wins for name in NAMES]
    assert wins[0] < wins[1] < wins[2]


# Policies of one's own ------------------------------------------------------------------------


@EVERY_CASE
def test_a_random_policy_of_ones_own_is_the_named_one(spec, first_cell):
    assert rows_of(spec, Uniform(), 1500, first_cell) == rows_of(spec, "random", 1500, first_cell)


@EVERY_CASE
def test_opening_one_proved_cell_at_a_time_makes_no_difference(spec, first_cell):
    games = 40
    own, named = (rows_of(spec, policy, games, first_cell) for policy in (OneByOne(), "single-point"))
    without_reveals = [[row[:3] + row[4:] for row in rows] for rows in (own, named)]
    assert without_reveals[0] == without_reveals[1]


@EVERY_CASE
def test_a_policy_of_ones_own_plays_the_same_game_in_a_batch_and_alone(spec, first_cell):
    """Move for move: `simulate` asks it through `Batch`, `replay` through `Game`."""
    many, alone = Noted(Uniform()), Noted(Uniform())
    rows = rows_of(spec, many, 70, first_cell)
    assert rows == [row_alone(spec, alone, number, first_cell) for number in range(70)]
    assert many.notes == alone.notes


def test_a_policy_of_ones_own_sees_views_and_the_numbers_of_its_games():
    class Spy:
        def choose(self, views, turn):
            assert views.shape == (turn.games.size, 3, 4)
            assert views.dtype == np.int8
            assert (views == HIDDEN).any(axis=(1, 2)).all()
            assert (turn.spec, turn.seed) == (Spec((3, 4), 3), 6)
            assert ((turn.games >= 900) & (turn.games < 920)).all()
            return turn.pick(views == HIDDEN)

    result = simulate(Spec((3, 4), 3), 20, Spy(), 6, 900)
    assert result.policy.endswith("Spy")
    assert result.ranges == ((6, 900, 920),)


def test_a_policy_may_give_a_list():
    class First:
        def choose(self, views, turn):
            return [int(np.flatnonzero(view.reshape(-1) == HIDDEN)[0]) for view in views]

    assert simulate(Spec((5,), 1), 100, First()).games == 100


def bad_policy(choice):
    class Bad:
        turns = 0

        def choose(self, views, turn):
            self.turns += 1
            assert self.turns < 1000, "a bad choice was taken"
            return choice(views)

    return Bad()


@pytest.mark.parametrize(
    ("choice", "message"),  # k views ask for k cells
    [
        (lambda views: np.zeros(len(views)), r"choose must give integers of shape \(\d+,\).*Got float64"),
        (lambda views: np.zeros(len(views), dtype=bool), r"choose must give integers.*Got bool"),
        (lambda views: 0, r"choose must give integers of shape \(\d+,\).*Got int64 of shape \(\)"),
        (
            lambda views: np.zeros((len(views), 2), dtype=int),
            r"choose must give integers.*Got int64 of shape \(\d, 2\)",
        ),
        (lambda views: [0] * (len(views) + 1), r"choose must give integers.*Got int64 of shape"),
        (lambda views: None, r"choose must give integers.*Got object"),
        (lambda views: ["a1"] * len(views), r"choose must give integers.*Got <U2"),
        (lambda views: np.full(len(views), -1), r"choose must give hidden cells.*Got cell -1 in game \d+"),
        (lambda views: np.full(len(views), 81), r"choose must give hidden cells.*Got cell 81 in game \d+"),
        (lambda views: (views.reshape(len(views), -1) >= 0).argmax(axis=1), r"choose must give hidden cells.*Got cell"),
    ],
)
def test_a_bad_choice_is_an_error(choice, message):
    with pytest.raises(PolicyError, match=message):
        simulate(BEGINNER, 5, bad_policy(choice))
    with pytest.raises(PolicyError, match=message):
        replay(BEGINNER, bad_policy(choice))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        (
            "hardest",
            [300] * 5,
            r"turn\.hardest must be an integer between 0 and 255 for each of \d games\. Got \[300, 300",
        ),
        ("hardest", [-1] * 5, r"turn\.hardest must be an integer between 0 and 255"),
        ("hardest", None, r"turn\.hardest must be .* Got None\."),
        ("hardest", 0.5, r"turn\.hardest must be .* Got 0\.5\."),
        ("luck", [1.0], r"turn\.luck must be a chance between 0 and 1 for each of \d games\."),
        ("luck", [2.0] * 5, r"turn\.luck must be a chance between 0 and 1"),
    ],
)
def test_a_bad_label_is_an_error(name, value, message):
    class Bad:
        def choose(self, views, turn):
            cells = turn.pick(views == HIDDEN, [0.5] * len(views))
            setattr(turn, name, value[: len(views)] if isinstance(value, list) and len(value) > 1 else value)
            return cells

    with pytest.raises(PolicyError, match=message):
        simulate(Spec((30, 30), 5), 5, Bad())
    if name == "hardest":
        with pytest.raises(PolicyError, match=message.split(" for each")[0]):
            replay(Spec((30, 30), 5), Bad())


@pytest.mark.parametrize("survival", [[0.5], [1.5] * 5, "x", [None] * 5])
def test_a_bad_chance_is_an_error(survival):
    class Bad:
        def choose(self, views, turn):
            return turn.pick(views == HIDDEN, survival)

    with pytest.raises(PolicyError, match=r"survival must be a chance between 0 and 1 for each of \d games"):
        simulate(Spec((30, 30), 5), 5, Bad())


def test_luck_needs_records():
    with pytest.raises(SpecError, match=r"luck must go with records=True"):
        simulate(BEGINNER, 5, luck=True)


def test_an_error_of_a_policy_comes_through():
    def fail(views):
        raise RuntimeError("no idea")

    with pytest.raises(RuntimeError, match="no idea"):
        simulate(BEGINNER, 5, bad_policy(fail))


def test_a_board_of_a_simulation_can_be_dealt_again():
    for number in range(20):
        assert replay(BEGINNER, "random", SEED, number).board == Board.deal(BEGINNER, SEED, number)
