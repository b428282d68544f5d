"""The commands of board statistics: what `survey` and `stats` print, and what they refuse."""

import json
import os

import pytest

import ndsweep as nd
from ndsweep.frontends.cli import main


def run(capsys, *words):
    """The exit code of the command, and what it prints on both outputs."""
    code = main(list(words))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def refused(capsys, *words):
    """The one line that a refused command prints."""
    code, out, err = run(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A folder of boards, where the command runs."""
    monkeypatch.chdir(tmp_path)
    nd.save(nd.Board.deal(nd.EXPERT, seed=1), "expert.mbf")
    nd.save(nd.Board.deal(nd.Spec((4, 4, 4), 6), seed=1), "cube.txt")
    game = nd.Game.new(nd.BEGINNER, seed=3)
    game.reveal((4, 4))
    nd.save(game, "game.json")
    nd.save(nd.Position.of(game), "seen.mine")
    nd.save(nd.Game.new(nd.BEGINNER), "undealt.json")
    return {"expert.mbf": nd.Board.deal(nd.EXPERT, seed=1), "game.json": game.board}


def test_a_survey_prints_the_table_of_its_statistics(capsys):
    code, out, _ = run(capsys, "survey", "beginner", "--boards", "300", "--seed", "5", "--start", "20")
    assert code == 0
    head, table = out.split("\n\n")
    assert head.splitlines()[0] == "board     9x9, 10 mines, first cell safe"
    assert table.rstrip("\n") == str(nd.board_stats(nd.BEGINNER, 300, 5, 20))


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_survey_in_json_holds_the_histograms(capsys, monkeypatch, workers):
    monkeypatch.setattr("ndsweep.frontends.surveys._WORTH_A_POOL", 1)
    words = ["3x4x5", "--mines", "7", "--boards", "1e3", "--columns", "openings,bbbv", "--workers", workers, "--json"]
    code, out, _ = run(capsys, "survey", *words)
    assert code == 0
    document = json.loads(out)
    stats = nd.board_stats(nd.Spec((3, 4, 5), 7), 1000, columns=["openings", "bbbv"])
    assert (document["shape"], document["mines"], document["boards"]) == ([3, 4, 5], 7, 1000)
    assert document["numbers"] == stats.describe()
    assert list(document["histograms"]) == ["openings", "bbbv"]
    assert document["histograms"]["bbbv"]["counts"] == stats.histogram("bbbv").counts.tolist()


def test_a_survey_of_no_boards_is_valid_json_too(capsys):
    document = json.loads(run(capsys, "survey", "beginner", "--boards", "0", "--json")[1])
    assert document["numbers"]["bbbv"]["mean"] is None


def test_a_survey_draws_the_histogram_of_its_first_number(capsys, tmp_path):
    code, _, _ = run(capsys, "survey", "beginner", "--boards", "100", "--plot", str(tmp_path / "bbbv.svg"))
    assert code == 0
    assert (tmp_path / "bbbv.svg").read_text().count("<path") > 20


def test_files_have_a_line_each(capsys, files):
    code, out, _ = run(capsys, "stats", "expert.mbf", "cube.txt", "game.json")
    assert code == 0
    heads, *rows = (line.split() for line in out.splitlines())
    assert [row[:3] for row in rows] == [
        ["expert.mbf", "16x30", "99"],
        ["cube.txt", "4x4x4", "6"],
        ["game.json", "9x9", "10"],
    ]
    for row, board in ((rows[0], files["expert.mbf"]), (rows[2], files["game.json"])):
        named = dict(zip(heads, row, strict=False))
        assert (int(named["bbbv"]), int(named["zini"])) == (nd.bbbv(board), nd.zini(board))


def test_files_in_json_have_all_numbers(capsys, files):
    code, out, _ = run(capsys, "stats", "game.json", "--json")
    assert code == 0
    (row,) = json.loads(out)
    stats = nd.measure(files["game.json"])
    assert row["hints"] == stats["hints"][0].tolist()
    assert {name: row[name] for name in ("bbbv", "islands", "zeros")} == {
        name: int(stats[name][0]) for name in ("bbbv", "islands", "zeros")
    }


def test_some_numbers_alone(capsys, files):
    code, out, _ = run(capsys, "stats", "expert.mbf", "--columns", "zeros,bbbv")
    assert code == 0
    assert out.splitlines()[0].split() == ["file", "shape", "mines", "zeros", "bbbv"]


def test_a_format_and_larger_grids_may_be_named(capsys, files, tmp_path):
    (tmp_path / "expert.mbf").rename(tmp_path / "expert.txt")
    refused(capsys, "stats", "expert.txt")
    code, out, _ = run(capsys, "stats", "expert.txt", "--from", "mbf", "--most-cells", "480", "--columns", "bbbv")
    assert (code, out.splitlines()[1].split()[:3]) == (0, ["expert.txt", "16x30", "99"])
    assert "at most 479 cells here" in refused(capsys, "stats", "expert.txt", "--from", "mbf", "--most-cells", "479")
    assert "--from must be one of" in refused(capsys, "stats", "expert.txt", "--from", "xml")


@pytest.mark.parametrize(("name", "shown"), [(b"a\xff.mbf", r"a\udcff.mbf"), (b"a\nb.mbf", r"a\nb.mbf")])
def test_any_name_of_a_file_is_one_word_of_the_table(capfdbinary, files, tmp_path, name, shown):
    path = os.fsdecode(name)
    nd.save(nd.Board.from_coords((2, 3), [(0, 0)]), path)
    assert main(["stats", path, "--columns", "bbbv"]) == 0
    head, row = capfdbinary.readouterr().out.decode("utf-8").splitlines()
    assert row.split()[:2] == [shown, "2x3"]
    assert len(head.split()) == len(row.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["stats", "seen.mine"], "FILE 'seen.mine' must hold a board, or a game that is dealt. It holds what a player"),
        (["stats", "undealt.json"], "It holds a game before its first reveal."),
        (["stats", "expert.mbf", "nothing.mbf"], "FILE 'nothing.mbf' cannot be read: No such file"),
        (["stats", "."], "FILE '.' cannot be read"),
        (["stats", ""], "FILE must be the name of a file"),
        (["stats", "expert.mbf", "--columns", "3bv"], "columns must be of 'bbbv', "),
        (["stats"], "FILE"),
        (["survey", "beginner", "--boards", "-5"], "boards must be"),
        (["survey", "beginner", "--boards", "many"], "--boards must be an integer. Got 'many'."),
        (["survey", "9x9"], "--mines is needed with a shape"),
        (["survey", "beginner", "--columns", ""], "columns must be of"),
        (["survey", "beginner", "--workers", "0"], "--workers must be between 1 and"),
        (
            ["survey", "beginner", "--plot", "picture.txt"],
            "--plot must name a file that ends with .png or .svg or .pdf",
        ),
        (["survey", "beginner", "--boards", "0", "--plot", "none.png"], "bbbv must be counted for one of the boards"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(capsys, files, words, message):
    assert message in refused(capsys, *words)
