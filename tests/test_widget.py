"""What looks on at a game: callbacks in 1-D to 4-D, and the widget as far as it goes without a browser."""

import copy
import pickle
import re
import sys
from importlib import resources

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import ReferenceGame, cells_of
from strategies import layouts, moves

import ndsweep as nd
from ndsweep import Board, Game, Spec, SpecError
from ndsweep.frontends.hint import hint
from ndsweep.frontends.notebook import clock, traits

FILES = resources.files("ndsweep.frontends.notebook")


def ask(widget, **request):
    """Sends a message as the page does."""
    widget._handle_msg({"content": {"data": {"method": "custom", "content": request}}, "buffers": []})


def codes(widget):
    return np.frombuffer(widget.view, "<i2").reshape(widget.shape)


def state(widget):
    """All that is sent to the page, without the time."""
    sent = {name for name in widget.keys if not name.startswith("_")} - {"layout", "seconds", "tabbable", "tooltip"}
    return {name: getattr(widget, name) for name in sent}


def line(*mines, size=6):
    """A game on a line of cells."""
    return Game(Board.from_coords((size,), [(x,) for x in mines]))


# Those who look on ----------------------------------------------------------------------------------


@given(st.data())
def test_every_move_that_changes_something_is_told_after_it_is_made(data):
    game = Game(Board(data.draw(layouts())))
    seen = []
    game.watch(lambda told: seen.append((told is game, told.moves[-1], told.view, told.status)))
    expected = []
    for kind, cell in data.draw(moves(game.view.size, ["reveal", "flag", "chord"])):
        if getattr(game, kind)(cell):
            expected.append((True, (kind, cells_of(game.shape)[cell]), game.view, game.status))
    assert len(seen) == len(expected) == len(game.moves)
    for one, other in zip(seen, expected, strict=True):
        assert np.array_equal(one[2], other[2])
        assert (one[0], one[1], one[3]) == (other[0], other[1], other[3])


def test_each_flag_of_a_tool_is_told():
    game, told = line(2, 3), []
    game.reveal(0)
    game.watch(lambda game: told.append(game.moves[-1]))
    game.flag_mines()
    assert told == [("flag", (2,))]


def test_several_look_on_and_one_leaves():
    game, told = line(2), []
    ends = [game.watch(told.append), game.watch(told.append)]
    game.flag(2)
    ends[0]()
    ends[0]()
    game.flag(2)
    assert len(told) == 3


def test_who_fails_stops_the_call_and_not_the_move():
    game, told = line(2), []
    game.watch(lambda game: 1 // 0)
    game.watch(lambda game: told.append(game.moves[-1]))
    with pytest.raises(ZeroDivisionError):
        game.reveal(0)
    assert told == [("reveal", (0,))]
    assert (game.moves, game.view.tolist()) == ([("reveal", (0,))], [0, 1, -1, -1, -1, -1])


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_a_copy_has_no_onlookers(copied):
    game, told = line(2), []
    game.watch(lambda game: told.append(game))  # a lambda cannot be pickled: it is left out
    game.widget()
    again = copied(game)
    again.reveal(0)
    assert told == []
    game.reveal(0)
    assert told == [game]
    assert again.moves == game.moves


def test_only_what_can_be_called_looks_on():
    with pytest.raises(SpecError, match=re.escape("callback must be callable. Got int.")):
        line(2).watch(3)


# What is shown --------------------------------------------------------------------------------------


def plain_picture(plain):
    """The code of each cell; after a loss -4 for the other mines and -5 for flags on none."""
    shown = {cell: plain.code(cell) for cell in cells_of(plain.shape)}
    if plain.status == nd.Status.LOST:
        for cell, code in shown.items():
            if code == nd.HIDDEN and cell in plain.mines:
                shown[cell] = -4
            elif code == nd.FLAG and cell not in plain.mines:
                shown[cell] = -5
    return list(shown.values())


@given(st.data())
def test_two_widgets_show_every_move_whoever_makes_it(data):
    mines = data.draw(layouts())
    game, plain = Game(Board(mines)), ReferenceGame(mines.shape, set(map(tuple, np.argwhere(mines).tolist())), None)
    widgets = [game.widget(), game.widget()]
    for kind, cell in data.draw(moves(mines.size, ["reveal", "flag", "chord"])):
        by = data.draw(st.sampled_from([None, *widgets]))
        if by is None or kind == "reveal":  # a page says "press" for it, which may chord
            getattr(game, kind)(cell)
        else:
            ask(by, do=kind, cell=cell)
        getattr(plain, kind)(cells_of(mines.shape)[cell])
        for widget in widgets:
            assert codes(widget).ravel().tolist() == plain_picture(plain)
            assert widget.shape == list(mines.shape)
            assert widget.left == mines.sum() - sum(code == nd.FLAG for code in map(plain.code, cells_of(mines.shape)))
            assert widget.status == nd.Status(plain.status).name.lower()


@pytest.mark.parametrize("shape", [(7,), (4, 5), (3, 3, 3), (2, 3, 2, 3)])
def test_moves_by_mouse_are_moves_of_the_game(shape):
    game = Game.new(Spec(shape, 3), seed=1)
    widget = game.widget()
    ask(widget, do="flag", cell=0)
    ask(widget, do="press", cell=game.view.size - 1)
    assert game.moves == [("flag", (0,) * len(shape)), ("reveal", tuple(n - 1 for n in shape))]


def test_a_press_on_an_open_number_is_a_chord():
    game = line(0, 2)
    widget = game.widget()
    ask(widget, do="press", cell=1)
    ask(widget, do="press", cell=1)
    assert widget.message == "a number needs all its flags first"
    for mine in (0, 2):
        ask(widget, do="flag", cell=mine)
    ask(widget, do="press", cell=3)
    assert game.moves[-1] == ("reveal", (3,))
    ask(widget, do="press", cell=3)
    assert game.moves[-1] == ("chord", (3,))
    assert (widget.status, codes(widget).tolist()) == ("won", [-2, 2, -2, 1, 0, 0])


def test_what_happened_is_said():
    game = line(2, size=9)
    widget, said = game.widget(), []
    widget.observe(lambda change: said.append(change["new"]), "message")
    ask(widget, do="flag", cell=2)
    ask(widget, do="flag", cell=2)
    ask(widget, do="press", cell=1)
    ask(widget, do="press", cell=1)
    ask(widget, do="flag", cell=1)
    ask(widget, do="press", cell=0)
    ask(widget, do="press", cell=0)
    game.flag(2)
    assert said == [
        "flag set",
        "flag removed",
        "1 cell opened",
        "a number needs all its flags first",
        "an open cell takes no flag",
        "1 cell opened",
        "nothing to open here",
        "flag set",
    ]


def test_why_a_move_came_to_nothing_is_said():
    game = nd.Game(nd.Board.from_coords((7,), [(2,), (6,)]), flag_limit=1)
    widget = game.widget()
    for request, said in (
        ({"do": "press", "cell": 0}, "2 cells opened"),
        ({"do": "flag", "cell": 2}, "flag set"),
        ({"do": "flag", "cell": 5}, "all flags are set"),
        ({"do": "press", "cell": 3}, "1 cell opened"),
        ({"do": "press", "cell": 1}, "nothing is left to open around it"),
        ({"do": "chord", "cell": 4}, "a number needs all its flags first"),
    ):
        ask(widget, **request)
        assert widget.message == said


def test_a_page_hears_that_its_question_was_stopped(monkeypatch):
    """As it is where the kernel is interrupted while chances are counted."""

    def stopped(*arguments):
        raise KeyboardInterrupt

    game = line(2, size=9)
    widget, sent = game.widget(), []
    monkeypatch.setattr(nd, "mine_probability", stopped)
    monkeypatch.setattr(widget, "send", sent.append)
    with pytest.raises(KeyboardInterrupt):
        widget._asked(None, {"do": "overlay", "on": True, "number": "a.1"}, [])
    assert sent == [{"done": "a.1"}]
    game.reveal(0)
    assert not widget.overlay


def test_a_game_that_is_over_shows_no_chances():
    game = line(0)
    widget = game.widget()
    game.reveal(0)
    ask(widget, do="overlay", on=True)
    assert (widget.overlay, widget.chances) == (False, b"")


def test_the_second_click_of_two_is_not_missed():
    widget = line(2, size=9).widget()
    ask(widget, do="press", cell=1)
    ask(widget, do="press", cell=1, again=True)
    assert widget.message == "1 cell opened"
    ask(widget, do="press", cell=1, again=False)
    assert widget.message == "a number needs all its flags first"


def test_an_answer_says_which_message_it_is_to(monkeypatch):
    widget, sent = line(2).widget(), []
    monkeypatch.setattr(widget, "send", sent.append)
    ask(widget, do="flag", cell=2, number="a.7")
    ask(widget, do="nothing", number="a.8")
    assert sent == [{"done": "a.7"}, {"done": "a.8"}]


def test_a_widget_that_is_closed_leaves_the_game():
    game = line(2)
    widgets = [game.widget(), game.widget()]
    widgets[0].close()
    game.reveal(0)
    assert [widget.message for widget in widgets] == ["open a cell to begin", "2 cells opened"]


@given(st.data())
def test_nothing_of_hidden_mines_is_shown_while_the_game_goes_on(data):
    """Two layouts with the same view have the same page, hint and chances included."""
    mines = data.draw(layouts())
    safe, mined = np.flatnonzero(~mines), np.flatnonzero(mines)
    if not (safe.size and mined.size):
        return
    other = mines.copy()
    other.flat[[data.draw(st.sampled_from(list(safe))), data.draw(st.sampled_from(list(mined)))]] ^= True
    games = [Game(Board(one)) for one in (mines, other)]
    widgets = [game.widget() for game in games]
    for kind, cell in data.draw(moves(mines.size, ["reveal", "flag", "chord"])):
        for game in games:
            getattr(game, kind)(cell)
        if not np.array_equal(games[0].view, games[1].view) or games[0].status != nd.Status.PLAYING:
            return
        if games[1].status != nd.Status.PLAYING:
            return
        for widget in widgets:
            ask(widget, do="hint")
            ask(widget, do="overlay", on=True)
        assert state(widgets[0]) == state(widgets[1])


# Hints and chances ----------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(9,), (4, 5), (3, 3, 3), (2, 3, 2, 3)])
def test_a_hint_says_what_the_terminal_says_and_points_at_its_cell(shape):
    game = Game.new(Spec(shape, 2), seed=3)
    widget = game.widget()
    ask(widget, do="hint")
    assert (widget.message, widget.pointed) == (hint(game).sentence, -1)
    assert widget.message.startswith("Nothing is open yet")
    game.reveal(0)
    ask(widget, do="hint")
    assert widget.message == hint(game).sentence
    cell = cells_of(shape)[widget.pointed]
    assert str(cell) in widget.message
    game.flag(next(cell for cell in cells_of(shape) if game.view[cell] == nd.HIDDEN))
    assert (widget.message, widget.pointed) == ("flag set", -1)


@pytest.mark.parametrize("shape", [(9,), (4, 5), (3, 3, 3), (2, 3, 2, 3)])
def test_chances_are_those_of_the_position_and_forgotten_after_a_move(shape):
    game = Game.new(Spec(shape, 3), seed=3)
    widget = game.widget()
    ask(widget, do="overlay", on=True)
    assert np.frombuffer(widget.chances, "<f4") == pytest.approx(np.full(game.view.size, 3 / game.view.size))
    game.reveal(0)
    assert (widget.overlay, widget.chances) == (True, b"")
    ask(widget, do="overlay", on=True)
    expected = nd.mine_probability(game.view, 3).p.ravel()
    assert np.frombuffer(widget.chances, "<f4") == pytest.approx(expected, nan_ok=True)
    assert widget.exact
    ask(widget, do="overlay", on=False)
    assert not widget.overlay


def test_a_position_that_is_estimated_is_shown_as_such(monkeypatch):
    game, real = line(2), nd.mine_probability
    widget = game.widget()

    def estimated(view, mines):
        found = real(view, mines)
        return type(found)(found.p, False, found.stderr, found._known, found._left)

    monkeypatch.setattr(nd, "mine_probability", estimated)
    ask(widget, do="overlay", on=True)
    assert not widget.exact
    game.flag(2)
    assert widget.exact


@pytest.mark.parametrize("error", [nd.TooLargeError("too many layouts."), RuntimeError("it broke")])
def test_what_fails_is_said(monkeypatch, error):
    def fail(*_):
        raise error

    widget = line(2).widget()
    monkeypatch.setattr(nd, "mine_probability", fail)
    ask(widget, do="overlay", on=True)
    assert widget.message in ("too many layouts.", "RuntimeError: it broke")
    assert widget.chances == b""
    assert not (widget.overlay and isinstance(error, nd.SweepError))  # else it is asked for after every move


def test_what_the_first_click_rule_refuses_is_said_and_the_game_goes_on():
    game = Game.new(Spec((4,), 2, first="opening"))
    widget = game.widget()
    ask(widget, do="press", cell=1)
    assert "first" in widget.message
    assert "Got" in widget.message
    ask(widget, do="press", cell=0)
    assert widget.status == "won"


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"do": "dig"}, "do must be one of press, flag, chord, hint, overlay, look."),
        ({}, "do must be one of"),
        ({"do": "press"}, "cell must"),
        ({"do": "press", "cell": 6}, "cell must"),
        ({"do": "press", "cell": -1}, "cell must"),
        ({"do": "flag", "cell": "a"}, "cell must"),
        ({"do": "chord", "cell": [0, 0]}, "cell must"),
    ],
)
def test_a_page_that_asks_for_nonsense_changes_nothing(request_, said):
    game = line(2)
    widget = game.widget()
    ask(widget, **request_)
    assert said in widget.message
    assert game.moves == []


@pytest.mark.parametrize("nonsense", [None, "press", ["press"], 3])
def test_a_message_that_is_no_request_is_refused(nonsense):
    game = line(2)
    widget = game.widget()
    widget._handle_msg({"content": {"data": {"method": "custom", "content": nonsense}}, "buffers": []})
    assert widget.message.startswith("do must be one of")
    assert game.moves == []


# The end and the time -------------------------------------------------------------------------------


class Watch:
    """A watch that is set by hand."""

    def __init__(self, monkeypatch):
        self.seconds = 100.0
        monkeypatch.setattr(clock.Clock.__init__, "__defaults__", (lambda: self.seconds,))


def test_the_time_runs_from_the_first_move_to_the_end(monkeypatch):
    watch, game = Watch(monkeypatch), line(2, 4)
    early = game.widget()
    watch.seconds += 5
    ask(early, do="look")
    assert (early.seconds, early.ticks) == (0, False)
    game.flag(2)
    watch.seconds += 2.5
    late = game.widget()
    for widget in (early, late):
        ask(widget, do="look")
        assert (widget.seconds, widget.ticks) == (2.5, True)
    game.reveal(4)
    watch.seconds += 50
    for widget in (early, late, game.widget()):
        ask(widget, do="look")
        assert (widget.seconds, widget.ticks, widget.message) == (2.5, False, "lost after 2.5 s")


def test_a_game_that_was_over_before_has_no_time():
    game = line(2, 4)
    game.reveal(4)
    widget = game.widget()
    assert (widget.status, widget.message, widget.seconds, widget.ticks) == ("lost", "", 0, False)
    ask(widget, do="hint")
    ask(widget, do="overlay", on=True)
    ask(widget, do="press", cell=0)
    assert (widget.message, widget.pointed, widget.chances) == ("", -1, b"")


def test_a_game_can_be_thrown_away_with_its_clock():
    import gc
    import weakref

    game = line(2)
    gone = weakref.ref(game)
    clock.clock_of(game)
    del game
    gc.collect()
    assert gone() is None


# What is refused, and the files ---------------------------------------------------------------------


def test_a_game_of_too_many_cells_is_refused():
    assert Game.new(Spec((100, 100), 5)).widget().shape == [100, 100]
    with pytest.raises(
        SpecError, match=re.escape("a widget takes at most 10,000 cells. Got 10,100 in shape (101, 100).")
    ):
        Game.new(Spec((101, 100), 5)).widget()


def test_only_a_game_has_a_widget():
    with pytest.raises(SpecError, match=re.escape("game must be a Game. Got Board.")):
        traits.widget(Board.from_coords((3,), []))


def test_a_missing_library_is_named(monkeypatch):
    traits._widget_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ImportError, match=re.escape('widgets need anywidget: pip install "ndsweep[notebook]"')):
        line(2).widget()


def test_the_page_needs_no_network():
    script, style = ((FILES / name).read_text("utf-8") for name in ("widget.js", "widget.css"))
    assert "export default" in script
    for text in (script, style):
        assert not re.search(r"https?:|\bimport\b|//[\w-]+\.\w|@import|url\(", text)
    widget = line(2).widget()
    assert (widget._esm, widget._css) == (script, style)
