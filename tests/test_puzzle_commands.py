"""The commands ``generate`` and ``rate``: what they print and write, and what they refuse."""

import json

import pytest

import ndsweep as nd
from ndsweep.frontends.cli import main

CUBE = ["4x4x4", "--mines", "6", "--seed", "2", "--first-cell", "1,2,3"]


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    """Runs the command in a folder of its own; gives its exit code, and what it prints on both outputs."""
    monkeypatch.chdir(tmp_path)

    def command(*words):
        code = main(list(words))
        return code, *capsys.readouterr()

    return command


def values(text):
    """The lines of a name and a value."""
    return {line[:13].strip(): line[14:] for line in text.splitlines()}


def test_generate_prints_the_board_and_how_hard_it_is(run):
    code, out, err = run("generate", *CUBE)
    puzzle = nd.generate(nd.Spec((4, 4, 4), 6), first_cell=(1, 2, 3), seed=2)
    head, board = out.split("\n\n", 1)
    counts = ", ".join(f"{count} {rule}" for rule, count in puzzle.rating.counts.items())
    assert (code, err, board) == (0, "", f"{puzzle.board}\n")
    assert values(head) == {
        "board": "4x4x4, 6 mines, first cell safe",
        "solvable by": "pairs",
        "game": f"{puzzle.game} of seed 2, {puzzle.tries} looked at",
        "first cell": "1,2,3",
        "hardest rule": puzzle.rating.hardest,
        "moves": f"{len(puzzle.moves)}: {counts}",
        "3BV": str(nd.bbbv(puzzle.board)),
        "openings": str(puzzle.rating.openings),
    }


def test_the_proof_is_printed_on_request(run):
    code, out, _ = run("generate", *CUBE, "--moves", "--save", "cube.json")
    puzzle = nd.generate(nd.Spec((4, 4, 4), 6), first_cell=(1, 2, 3), seed=2)
    lines = [line.split() for line in out.split("\n\n")[1].splitlines()]
    assert code == 0
    assert lines == [[move.action, ",".join(map(str, move.cell)), move.rule] for move in puzzle.moves]


@pytest.mark.parametrize("options", [[], ["--workers", "2"]])
def test_json_tells_everything(run, options):
    words = ["generate", "expert", "--solvable", "exact", "--start", "7", "--tries", "1e3", "--json", *options]
    code, out, err = run(*words)
    document = json.loads(out)
    puzzle = nd.generate(nd.EXPERT, "exact", start=7)
    assert (code, err) == (0, "")
    assert nd.loads(json.dumps(document["board"])) == puzzle.board
    assert document["moves"] == [[list(move.cell), move.action, move.rule] for move in puzzle.moves]
    names = ("game", "tries", "seed", "solvable_by", "hardest", "guesses", "solvable", "first_cell")
    assert [document[name] for name in names] == [
        puzzle.game,
        puzzle.tries,
        0,
        "exact",
        puzzle.rating.hardest,
        0,
        True,
        list(puzzle.first_cell),
    ]


@pytest.mark.parametrize(("name", "options"), [("a.json", []), ("a.txt", []), ("plain", ["--to", "npz"])])
def test_the_board_is_written_in_any_format(run, name, options):
    code, out, err = run("generate", *CUBE, "--save", name, *options)
    assert (code, err) == (0, "")
    assert "\n\n" not in out
    assert nd.load(name) == nd.generate(nd.Spec((4, 4, 4), 6), first_cell=(1, 2, 3), seed=2).board


def test_a_game_that_is_begun_can_be_played_on(run):
    assert run("generate", *CUBE, "--save", "a.json", "--begun")[0] == 0
    puzzle, game = nd.generate(nd.Spec((4, 4, 4), 6), first_cell=(1, 2, 3), seed=2), nd.load("a.json")
    assert (game.moves, game.board) == ([("reveal", (1, 2, 3))], puzzle.board)


def test_what_is_generated_is_rated_the_same(run):
    run("generate", "beginner", "--solvable", "exact", "--first-cell", "corner", "--save", "a.mbf")
    rating = nd.generate(nd.BEGINNER, "exact", "corner").rating
    code, out, err = run("rate", "a.mbf", "--moves")
    assert (code, err) == (0, "")
    head, moves = out.split("\n\n")
    assert values(head)["guesses"] == "without a guess"
    assert (values(head)["hardest rule"], values(head)["3BV"]) == (rating.hardest, str(rating.bbbv))
    assert len(moves.splitlines()) == len(rating.moves)


def test_a_board_that_needs_guesses_is_rated(run):
    nd.save(nd.Board.from_coords((2, 2), [(0, 0)]), "a.txt")
    code, out, _ = run("rate", "a.txt", "--first-cell", "1,1", "--json")
    document = json.loads(out)
    assert (code, document["solvable"], document["guesses"], document["hardest"]) == (0, False, 2, "guess")
    assert (document["shape"], document["mines"]) == ([2, 2], 1)
    assert values(run("rate", "a.txt", "--first-cell", "1,1")[1])["guesses"] == "2 forced"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["generate", "2x2", "--mines", "1"], "Got none in 10000 of 2x2/1, first 'safe'. There is none at all."),
        (["generate", "expert", "--solvable", "easy"], "solvable must be one of 'single', 'pairs', 'exact'."),
        (["generate", "expert", "--tries", "0"], "tries must be an integer of 1 or more. Got 0."),
        (["generate", "expert", "--tries", "few"], "--tries must be an integer. Got 'few'."),
        (["generate", "expert", "--first-cell", "16,0"], "first_cell must lie in 0..15 x 0..29. Got (16, 0)."),
        (["generate", "expert", "--first-cell", "x"], "--first-cell must be random, corner, or coordinates"),
        (["generate", "expert", "--to", "mbf"], "--to must go with --save"),
        (["generate", "expert", "--begun"], "--begun must go with --save"),
        (["generate", "expert", "--save", "board"], "--save must end in one of .json"),
        (["generate", "expert", "--save", "no/board.mbf"], "--save 'no/board.mbf' cannot be written"),
        (["generate", "expert", "--workers", "0"], "--workers must be between 1 and"),
        (["generate", "9x9"], "--mines is needed with a shape"),
        (["rate", "nothing.mbf"], "FILE 'nothing.mbf' cannot be read"),
        (["rate", "nothing.mbf", "--first-cell", "random"], "--first-cell must be corner, or coordinates"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(run, words, message):
    code, out, err = run(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_a_first_cell_that_is_a_mine_is_refused(run):
    nd.save(nd.Board.from_coords((2, 2), [(0, 0)]), "a.txt")
    assert "first_cell must be a cell without a mine. Got (0, 0)." in run("rate", "a.txt")[2]
