"""``ndsweep solve``: what it prints of a position, its advice, and one line for what is wrong."""

import io
import itertools
import json
import re
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from positions import comb_view, stuck_view, views
from terminal import piped, sessions

import ndsweep as nd
from ndsweep.frontends import advice, solve
from ndsweep.frontends.advice import advise
from ndsweep.frontends.cli import main
from ndsweep.solver.inference import verdict_on_view

GOLDEN = json.loads((Path(__file__).parent / "data" / "probability_positions.json").read_text())
STUCK = "1##\n1##\n2##\n###\n"


@pytest.fixture
def solved(tmp_path, capsys, monkeypatch):
    """Runs the command in a folder, 80 columns wide; gives its exit code and what it printed on both outputs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*words, typed=None):
        if typed is not None:
            monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = main(["solve", *words])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def shown(solved):
    """What the command prints of a text."""

    def run(text, *words):
        code, out, err = solved("-", *words, typed=text)
        assert (code, err) == (0, "")
        return out

    return run


@pytest.fixture
def refused(solved):
    """The one line that a refused command prints."""

    def run(*words, typed=None):
        code, out, err = solved(*words, typed=typed)
        assert (code, out, err.count("\n")) == (2, "", 1)
        return err.removeprefix("ndsweep: error: ").rstrip("\n")

    return run


def cells_in(out):
    """The signs of a board in one panel, a list a line."""
    rows = out.split("\n\n")[0].splitlines()[1:]
    return [line.split()[1:] for line in rows]


def value(out, name):
    """What a line of the table says."""
    return re.search(rf"^{name} +(.*)$", out, re.MULTILINE).group(1)


# What is printed -------------------------------------------------------------------------------


def test_the_sessions_of_the_page_are_what_the_command_prints(solved, tmp_path):
    seen = list(sessions("solve.md"))
    assert [words[0] for words, _ in seen] == ["cat", "ndsweep"] * 2
    for words, text in seen:
        if words[0] == "cat":
            (tmp_path / words[1]).write_text(text)
        else:
            assert solved(*words[2:]) == (0, text, "")


@pytest.mark.parametrize("position", GOLDEN, ids=lambda position: position["name"])
def test_boards_of_others_have_their_known_chances(shown, position):
    text, words = "\n".join(position["board"]) + "\n", ("--mines", str(position["mines"]))
    document = json.loads(shown(text, *words, "--json"))
    found = np.array(document["probabilities"], dtype=float)
    expected = np.full(found.shape, np.nan)
    hidden = np.array([[sign == "#" for sign in row] for row in position["board"]])
    if position["prob_rest"] != "None":
        expected[hidden] = Fraction(position["prob_rest"])
    for cell, chance in position["prob"].items():
        expected[tuple(map(int, cell.split(",")))] = Fraction(chance)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert (document["layouts"], document["exact"]) == (position["n_solutions"], True)
    assert document["safe"] == np.argwhere(expected == 0).tolist()
    assert document["mined"] == np.argwhere(expected == 1).tolist()
    if len(hidden) > 1:  # a board of one line has no numbers beside it
        signs = np.array(cells_in(shown(text, *words)))
        known = {0.0: "ok", 1.0: "**"}
        percents = [known.get(p, f"{round(100 * p)}%") for p in expected[hidden]]
        assert signs[hidden].tolist() == percents


def test_a_board_is_printed_as_a_person_reads_it(shown):
    out = shown(STUCK, "--mines", "4")
    assert out.splitlines() == [
        "      0   1   2",
        "0     1 25% 44%",
        "1     1 75% 44%",
        "2     2  ok 44%",
        "3   62% 62% 44%",
        "",
        "position  4x3, 4 mines",
        "proved    1 safe (ok), 0 mined (**)",
        "layouts   16, all counted: chances are exact",
        "best      (2, 1) is safe: the 1 at (1, 0) lacks as many mines as the 1 at (0, 0), whose hidden neighbours are"
        " all its own too, so that none is left for (2, 1).",
    ]


@pytest.mark.parametrize(
    ("text", "mines", "board"),
    [
        ("shape: 5\n. 1 # # #\n", "2", "     0   1   2   3   4\n     .   1  ** 50% 50%"),
        ("[0]\n# 1\n# 1\n\n[1]\n# 1\n# 1\n", "1", "0   25%   1   0   25%   1"),
        ("[0, 0]\n1 1\n\n[0, 1]\n# #\n\n[1, 0]\n1 1\n\n[1, 1]\n# #\n", "1", "[1, 1]"),
    ],
)
def test_any_dimension_is_printed_in_panels(shown, text, mines, board):
    out = shown(text, "--mines", mines)
    assert board in out
    assert len(value(out, "position").split(",")[0].split("x")) == nd.loads(text).view.ndim


def test_slices_stand_side_by_side_with_their_place(shown):
    board, _ = shown("[0]\n# 1\n# 1\n\n[1]\n# 1\n# 1\n", "--mines", "1").split("\n\n")
    assert board.splitlines() == [
        "[0]           [1]",
        "      0   1         0   1",
        "0   25%   1   0   25%   1",
        "1   25%   1   1   25%   1",
    ]


def test_long_lines_are_cut_where_the_terminal_ends(shown):
    text = "\n".join("#" * 40 for _ in range(3)) + "\n"
    board, _, _ = shown(text, "--mines", "12").partition("\n\nposition")
    parts = board.split("\n\n")
    assert max(map(len, board.splitlines())) <= 80
    assert [int(x) for part in parts for x in part.splitlines()[0].split()] == list(range(40))
    for part in parts:
        assert [line.split()[0] for line in part.splitlines()[1:]] == ["0", "1", "2"]
    assert board.count("10%") == 120


def test_a_very_narrow_terminal_has_a_column_a_part(shown, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1")
    assert shown("###\n###\n", "--mines", "1").startswith("      0\n0   17%\n1   17%\n\n      1\n")


def test_a_large_board_is_solved_but_not_printed(shown, solved, tmp_path):
    nd.save(nd.Position(np.full((101, 100), nd.HIDDEN), mines=2020), tmp_path / "large.npz")
    code, out, _ = solved("large.npz")
    assert (code, len(out.splitlines())) == (0, 5)
    assert out.endswith("The board has more than 10,000 cells: --json has them all.\n")
    assert value(out, "best").startswith("guess (0, 0): a mine in 20 %, the least; hint 0 in 4")
    document = json.loads(solved("large.npz", "--json")[1])
    assert np.shape(document["probabilities"]) == (101, 100)
    assert (int(document["layouts"][-9:]), len(document["layouts"]) > 2000) == (
        nd.mine_probability(np.full((101, 100), -1), 2020).layouts % 10**9,
        True,
    )


def test_flags_are_marks_unless_they_are_trusted(shown):
    text = "1##\n1##\n2##\n##F\n"
    assert cells_in(shown(text, "--mines", "4")) == cells_in(shown(STUCK, "--mines", "4"))
    trusted = shown(text, "--mines", "4", "--trust-flags")
    assert cells_in(trusted)[3] == ["57%", "57%", "F"]
    assert value(trusted, "proved") == "1 safe (ok), 0 mined (**)"
    assert json.loads(shown(text, "--mines", "4", "--trust-flags", "--json"))["mined"] == []


def test_a_mine_that_was_opened_counts_as_one(shown):
    opened = shown("1##\n1##\n2##\n##*\n", "--mines", "4")
    assert cells_in(opened) == [["1", "14%", "29%"], ["1", "86%", "29%"], ["2", "ok", "29%"], ["57%", "57%", "X"]]


def test_flags_on_safe_cells_are_named(shown):
    out = shown("1F1F\n", "--mines", "1")
    assert value(out, "flags") == "on safe cells: (0, 3)"
    assert "flags " not in shown("1F1#\n", "--mines", "1")


def test_rare_mines_are_not_rounded_to_none():
    signs = [solve.sign(nd.HIDDEN, p, False) for p in (1e-9, 0.0049, 0.0051, 0.994, 0.996, 1 - 1e-9)]
    assert signs == ["<1%", "<1%", "1%", "99%", ">99%", ">99%"]


def test_large_numbers_are_shortened_and_told_in_full():
    for number in (0, 999_999, 1_000_000, 9_994_999, 9_996_000, 10**400 - 1, 10**4000, 3 * 10**5000 + 7):
        mantissa, _, power = solve.shortened(number).replace(",", "").partition("e")
        assert abs(Fraction(mantissa) * 10 ** int(power or 0) - number) <= Fraction(number, 190)
        assert (len(mantissa) == 4) if power else (len(mantissa) <= 6)
        digits = solve.in_digits(number)
        assert sum(int(digits[::-1][i : i + 100][::-1]) * 10**i for i in range(0, len(digits), 100)) == number
        assert digits == "0" or digits[0] != "0"


def test_estimates_say_that_they_are(shown):
    view = next(view for view in map(comb_view, range(99)) if (nd.mine_probability(view, 75, budget=5000).p != 0).all())
    text, words = nd.dumps(nd.Position(view, mines=75), format="text"), ("--budget", "5000")
    out, document = shown(text, *words), json.loads(shown(text, *words, "--json"))
    assert value(out, "layouts").startswith("not counted: chances are estimates, with standard errors up to ")
    assert (document["exact"], document["layouts"], document["best"]["hint_0"]) == (False, None, None)
    found = nd.mine_probability(view, 75, budget=5000)
    assert np.array_equal(np.array(document["stderr"], dtype=float), found.stderr, equal_nan=True)
    assert (np.array(document["stderr"], dtype=float)[np.isfinite(found.p)] > 0).any()
    assert found.p[tuple(document["best"]["cell"])] == np.nanmin(found.p)
    assert "the least known" in value(out, "best")


# Advice ----------------------------------------------------------------------------------------


def advised(view, mines, policy="exact+", trust=False):
    return advise(view, mines, nd.mine_probability(view, mines, trust), trust, policy, 1_000_000)


def after(layouts, cell, hint):
    """The layouts in which a cell is safe and has this hint."""
    around = [x for x in np.ndindex(layouts[0].shape) if x != cell and max(np.abs(np.subtract(x, cell))) <= 1]
    return [mines for mines in layouts if not mines[cell] and sum(mines[x] for x in around) == hint]


def two_moves(layouts, cell, hidden):
    """How many of the layouts survive a cell and the best move after it."""
    survived = 0
    for hint in range(3**hidden.ndim):
        left = after(layouts, cell, hint)
        rest = [x for x in map(tuple, np.argwhere(hidden)) if x != cell]
        safe = [len(left) - sum(int(mines[x]) for mines in left) for x in rest]
        survived += max(safe, default=len(left)) or len(left)  # with mines alone to open the game is won
    return survived


def won_by_best_play(layouts, hidden, known):
    """How many of the layouts best play wins, by trying every cell at every turn."""
    if all(mines[x] for mines in layouts for x in hidden):
        return len(layouts)
    key = (hidden, frozenset(mines.tobytes() for mines in layouts))
    if key not in known:
        known[key] = max(
            sum(
                won_by_best_play(left, hidden - {cell}, known)
                for hint in range(3 ** layouts[0].ndim)
                if (left := after(layouts, cell, hint))
            )
            for cell in hidden
        )
    return known[key]


@settings(deadline=None, max_examples=200)
@given(st.data(), st.sampled_from(["exact", "exact+"]), st.booleans(), st.booleans())
def test_advice_is_right_of_any_small_position(data, policy, wide, trust):
    view, where = data.draw(views(most_cells=10, true_flags=trust))
    mines = int(where.sum())
    layouts = layouts_by_hand(view, mines, trust)
    hidden = (view == nd.HIDDEN) | ((view == nd.FLAG) & (not trust))
    chance = {tuple(x): Fraction(sum(int(m[tuple(x)]) for m in layouts), len(layouts)) for x in np.argwhere(hidden)}
    assume(any(p < 1 for p in chance.values()))
    with pytest.MonkeyPatch.context() as patch:
        if wide:
            patch.setattr(advice, "MOST", -1)  # no best play: two moves are looked at
        best = advised(view, mines, policy, trust)
    assert best.mine == pytest.approx(float(chance[best.cell]), abs=1e-12)
    assert str(best.cell) in best.sentence
    if 0 in chance.values():
        assert (best.mine, best.rule in ("single", "pairs", "count", "exact")) == (0, True)
        assert best.sentence.startswith(f"{best.cell} is safe: ")
        return
    assert best.rule == "guess"
    assert best.hint_zero == pytest.approx(len(after(layouts, best.cell, 0)) / len(layouts))
    if policy == "exact":
        assert chance[best.cell] == min(chance.values())
        assert (best.two_moves, best.wins) == (None, None)
    if policy == "exact+" and wide:
        assert best.two_moves == pytest.approx(two_moves(layouts, best.cell, hidden) / len(layouts))
    if best.wins is not None:
        assert best.wins <= len(layouts) * (1 - chance[best.cell])
        if len(layouts) <= 12:
            assert best.wins == won_by_best_play(layouts, frozenset(chance), {})


def layouts_by_hand(view, mines, trust):
    """All layouts that fit, by trying every one."""
    opened = (view == nd.MINE) | ((view == nd.FLAG) & trust)
    cells = [tuple(x) for x in np.argwhere((view < 0) & ~opened)]
    found = []
    for chosen in itertools.combinations(cells, mines - int(opened.sum())):
        layout = opened.copy()
        for x in chosen:
            layout[x] = True
        hints = nd.Board(layout).hints
        if all(hints[tuple(x)] == view[tuple(x)] for x in np.argwhere(view >= 0)):
            found.append(layout)
    return found


def test_the_simplest_rule_is_named():
    for text, mines, rule in (
        ("1#1#", 1, "single"),
        (STUCK, 4, "pairs"),
        ("1###1", 2, "count"),
    ):
        assert advised(nd.loads(text).view, mines).rule == rule


def test_what_no_simple_rule_proves_is_told_all_the_same():
    """Every layout is needed for this one: rules that look at one number, two, or the total prove nothing."""
    view, mines = beyond_simple_rules()
    best = advised(view, mines)
    assert (best.rule, best.mine) == ("exact", 0)
    assert best.sentence.startswith(f"{best.cell} is safe: ")


def beyond_simple_rules():
    """A position with a safe cell that the simple rules do not prove."""
    for seed in range(1000):
        board = nd.Board.deal(nd.Spec((6, 6), 8), seed=seed)
        game = nd.Game(board)
        for cell in np.flatnonzero((board.hints == 0) & ~board.mines)[:1]:
            game.reveal(int(cell))
        while game.status == nd.Status.PLAYING and game.revealed.any():
            simple = nd.deduce(game.view, 8, ("single", "pairs", "count"))
            if not simple.safe.any():
                if (nd.mine_probability(game.view, 8).p == 0).any():
                    return game.view, 8
                break
            for cell in np.flatnonzero(simple.safe):
                game.reveal(int(cell))
    raise AssertionError("no such position")


def test_a_guess_that_is_not_the_safest_says_so(shown):
    view = nd.loads("..1######\n112######\n##2######\n" + "#########\n" * 6)
    best = advised(view.view, 10)
    assert best.mine > np.nanmin(nd.mine_probability(view.view, 10).p)
    assert re.search(r"a mine in \S+ %, where the least is \S+ %; ", best.sentence)
    assert "it and the move after it survive in" in best.sentence
    safest = advised(view.view, 10, "exact")
    assert safest.mine == np.nanmin(nd.mine_probability(view.view, 10).p)
    assert "the least" in safest.sentence


def test_a_policy_that_only_estimates_does_not_choose(monkeypatch):
    """The policies have a budget of their own, below that of the chances that are printed."""
    view = stuck_view((9, 9), 12, seed=15, guesses=3)
    p = nd.mine_probability(view, 12).p
    monkeypatch.setattr("ndsweep.solver.inference.BUDGET", 1)
    assert p.flat[verdict_on_view(view, 12).best[0].argmax()] > np.nanmin(p) > 0
    assert advised(view, 12, "exact").mine == advised(view, 12, "exact+").mine == np.nanmin(p)


def test_best_play_tells_what_it_wins():
    best = advised(nd.loads("1##\n###\n##1").view, 2)
    assert (best.wins, best.sentence.endswith("best play wins in 4 of the 6 layouts")) == (4, True)


# Files and standard input ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["seen.mine", "seen.json", "seen.txt", "seen.npz", "seen.board", "game.json"])
def test_positions_and_games_in_any_file(solved, tmp_path, name):
    game = nd.Game(nd.Board.from_coords((3, 4), [(0, 3), (2, 3), (2, 0)]))
    game.reveal((0, 0))
    game.flag((2, 3))
    nd.save(game if name.startswith("game") else nd.Position.of(game), tmp_path / name)
    code, out, err = solved(name, "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    found = nd.mine_probability(game.view, 3)
    assert np.array_equal(np.array(document["probabilities"], dtype=float), found.p, equal_nan=True)
    assert (document["shape"], document["mines"], document["layouts"]) == ([3, 4], 3, str(found.layouts))
    assert solved(name, "--json", "--mines", "3")[1] == out


def test_a_format_may_be_named(solved, tmp_path):
    (tmp_path / "odd.json").write_text("3x1x1\n1HH\n")
    assert solved("odd.json")[0] == 2
    assert solved("odd.json", "--from", "mine") == solved("odd.json", "--format", "mine")
    assert solved("odd.json", "--from", "mine")[0] == 0


def test_text_json_and_mine_on_standard_input(shown):
    expected = shown("1##\n", "--mines", "1")
    assert shown("3x1x1\n1HH\n") == expected
    assert shown(nd.dumps(nd.Position([[1, -1, -1]], mines=1))) == expected


@pytest.mark.parametrize("words", [[], ["-"]])
def test_a_process_reads_its_standard_input(words):
    done = piped(("-m", "ndsweep", "solve", *words, "--mines", "4"), "\ufeff" + STUCK.replace("\n", "\r\n"))
    assert (done.returncode, done.stderr) == (0, b"")
    assert "2     2  ok 44%" in done.stdout.decode().replace("\r", "")


def test_bytes_that_are_no_text_are_told():
    done = piped(("-m", "ndsweep", "solve"), b"\xff\xfe\n")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert b"standard input must be text in UTF-8" in done.stderr


def test_an_endless_standard_input_is_told(refused, monkeypatch):
    class Endless(io.RawIOBase):
        buffer = property(lambda self: self)

        def read(self, size):
            assert 0 < size < 20_000_000
            return b"#" * size

    monkeypatch.setattr("sys.stdin", Endless())
    assert "standard input: text must have at most 16777216 bytes" in refused("--mines", "1")


def test_without_a_name_a_person_is_not_left_waiting(refused, monkeypatch):
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    assert refused() == "POSITION is needed: the name of a file, or - for standard input."
    monkeypatch.setattr("sys.stdin", None)
    assert refused("-") == "standard input cannot be read: it is closed."


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("1##", [], "--mines is needed: standard input does not tell the number of mines."),
        ("1##", ["--mines", "x"], "--mines must be an integer. Got 'x'."),
        ("1##", ["--mines", "3"], "--mines must be between 0 and 2 for this view. Got 3."),
        ("1##", ["--mines", "-1"], "--mines must be an integer between 0 and 3. Got -1."),
        ("3x1x1\n1HH", ["--mines", "2"], "--mines must be 1 or left out: standard input tells it. Got 2."),
        ("1##", ["--mines", "1", "--policy", "pairs"], "--policy must be one of exact, exact+. Got 'pairs'."),
        ("1##", ["--mines", "1", "--budget", "0"], "--budget must be 1 or more. Got 0."),
        ("1##", ["--mines", "1", "--from", "xml"], "--from must be one of json, "),
        ("1##", ["--mines", "1", "--from", "npz"], "standard input: format must be"),
        ("1##", ["--mines", "1", "--most-cells", "2"], "at most 2 cells here"),
        ("1#1##", ["--mines", "3"], "standard input cannot be solved: view must be that of some layout of mines. Got"),
        ("1#3", ["--mines", "1"], "standard input: text must hold a board or a position as text."),
        ("what?", ["--mines", "1"], "standard input: "),
        ("", ["--mines", "1"], "standard input: "),
        ("1*1", ["--mines", "1"], "standard input must hold a position, or a game. It holds a board, of which"),
        ("1#1", ["--mines", "1"], "standard input must have something left to open. All its hidden cells are mines."),
        ("kind: position\n1*1", ["--mines", "1"], "standard input must have something left to open."),
        ("1#F#", ["--mines", "0", "--trust-flags"], "standard input cannot be solved: "),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(refused, text, words, message):
    assert message in refused("-", *words, typed=text)


def test_games_that_are_over_or_not_begun_are_refused(refused, solved, tmp_path):
    lost, won = (nd.Game(nd.Board.from_coords((1, 3), [(0, 0)])) for _ in range(2))
    lost.reveal((0, 0))
    won.reveal((0, 2))
    for name, game in (("lost", lost), ("won", won)):
        nd.save(game, tmp_path / "game.json")
        assert refused("game.json") == f"POSITION 'game.json' must have something left to open. The game is {name}."
    nd.save(nd.Game.new(nd.BEGINNER), tmp_path / "new.json")
    assert "must be a game after its first reveal: the rule 'safe' decides" in refused("new.json")
    nd.save(nd.Game.new(nd.Spec((3, 3), 1, "any")), tmp_path / "any.json")
    assert solved("any.json")[0] == 0
    assert "POSITION 'none.json' cannot be read: No such file" in refused("none.json")
    assert "POSITION '.' cannot be read" in refused(".")
    nd.save(nd.Position(np.full((400, 400), -1), mines=5), tmp_path / "large.npz")
    assert "at most 100000 cells" in refused("large.npz")
