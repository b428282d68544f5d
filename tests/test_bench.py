"""``ndsweep bench``: figures for the grids that were asked for, as text, as JSON and as a picture."""

import builtins
import json
import re

import numpy as np
import pytest
from test_cli import run

from ndsweep import Board, Game, Spec, Status
from ndsweep.frontends import bench

STEPS = ["copy", "deal", "hints", "openings", "first reveal", "whole game"]
QUICK = ["--rounds", "1"]


def test_a_table_for_each_shape_and_density(capsys):
    code, out, err = run(capsys, "bench", "40x50", "6x7x8", "--density", "0.02", "0.15", *QUICK)
    assert (code, err) == (0, "")
    head, *tables = out.strip().split("\n\n")
    assert head.startswith("ndsweep ")
    assert [table.splitlines()[0].split(":")[0] for table in tables] == [
        "40x50 with 40 mines, 2 %",
        "40x50 with 300 mines, 15 %",
        "6x7x8 with 7 mines, 2.1 %",
        "6x7x8 with 50 mines, 15 %",
    ]
    for table in tables:
        _, columns, *lines = table.splitlines()
        assert re.split(r"  +", columns.strip()) == ["time", "ns a cell", "times a copy", "bytes a cell"]
        assert [line[:14].strip() for line in lines] == STEPS


def test_json_has_the_figures(capsys):
    code, out, err = run(
        capsys, "bench", "30x30", "--density", "0.1", "--json", "--threads", "2", "--seed", "5", *QUICK
    )
    assert (code, err, out.count("\n")) == (0, "", 1)
    (case,) = json.loads(out)["cases"]
    assert (case["shape"], case["mines"], case["cells"]) == ([30, 30], 90, 900)
    assert [step["name"] for step in case["steps"]] == STEPS
    for step in case["steps"]:
        assert step["seconds"] > 0
        assert step["ns_per_cell"] == pytest.approx(1e9 * step["seconds"] / 900)
        assert step["times_copy"] == pytest.approx(step["seconds"] / case["steps"][0]["seconds"])
        assert step["bytes_per_cell"] >= 1
    board = Board.deal(Spec((30, 30), 90, "opening"), seed=5, first_cell=(15, 15))
    assert case["opened"] == Game(board).reveal((15, 15))


@pytest.mark.parametrize("name", ["out.png", "out.svg", "out.PDF"])
def test_a_picture_is_drawn(capsys, tmp_path, name):
    arguments = ["bench", "9x9", "20x20", "5x5x5", "--density", "0.05", "0.2", *QUICK]
    assert run(capsys, *arguments, "--plot", str(tmp_path / name))[::2] == (0, "")
    content = (tmp_path / name).read_bytes()
    assert content.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[name[-3:].lower()])
    assert len(content) > 5000
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_the_picture_shows_every_figure(tmp_path, monkeypatch):
    """A line for each step in a field for each number of axes and density."""
    from matplotlib.figure import Figure

    drawn = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, path, **_: drawn.append(figure) or path.write_bytes(b""))
    specs = [Spec(shape, 3) for shape in ((30,), (5, 6), (10, 3), (6, 10), (2, 3, 5))]
    cases = [bench.measure(spec, rounds=1) for spec in specs]
    bench.plot(cases, str(tmp_path / "out.png"))
    fields = {axes.get_title(): axes for axes in drawn[0].axes}
    assert set(fields) == {"1-D, 10 % mines", "2-D, 10 % mines", "2-D, 5 % mines", "3-D, 10 % mines"}
    lines = {line.get_label(): line for line in fields["2-D, 10 % mines"].get_lines()}
    assert list(lines) == STEPS
    assert lines["hints"].get_xdata().tolist() == [30, 30]
    assert sorted(lines["hints"].get_ydata()) == sorted(case.steps[2].ns_per_cell for case in cases[1:3])


def test_whole_games_are_won_with_no_reveal_to_spare():
    for shape, mines in (((40, 50), 300), ((12, 13, 14), 100), ((60,), 20), ((5, 5, 5, 5), 30)):
        grid = bench._Grid(Spec(shape, mines), 3, None)
        grid.hints()
        game = grid.whole_game()
        assert game.status == Status.WON
        zeros = (grid.board.hints == 0) & ~grid.board.mines
        assert len(game.moves) == grid.board.openings.count + sum(
            not zeros[tuple(slice(max(x - 1, 0), x + 2) for x in cell)].any()
            for cell in np.argwhere(~grid.board.mines & ~zeros).tolist()
        )


def test_a_whole_game_that_would_take_too_long_is_left_out(capsys, monkeypatch):
    for most, kept in ((3, STEPS[:5]), (10, STEPS[:5]), (10**6, STEPS)):  # too many openings, too many others
        monkeypatch.setattr(bench, "_MOST_REVEALS", most)
        code, out, _ = run(capsys, "bench", "30x30", "--density", "0.2", "--json", *QUICK)
        assert (code, [step["name"] for step in json.loads(out)["cases"][0]["steps"]]) == (0, kept)


def test_memory_counts_what_a_step_takes():
    case = bench.measure(Spec((700, 800), 5000), rounds=1)
    memory = {step.name: step.bytes_per_cell for step in case.steps}
    assert memory["copy"] == pytest.approx(2, abs=0.1)
    assert 1 <= memory["deal"] < 2
    assert 2 <= memory["hints"] < 4
    assert memory["first reveal"] >= 3


@pytest.mark.parametrize("shape", [(1,), (1, 1, 1), (2, 2), (7,)])
@pytest.mark.parametrize("density", [0, 0.5, 1])
def test_grids_of_any_kind(shape, density):
    case = bench.measure(bench.spec_of(shape, density), rounds=1)
    assert case.steps[0].name == "copy"
    assert len(case.steps) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["40x"], r"a shape must be sizes such as 1000x1000\. Got '40x'"),
        (["expert"], r"a shape must be sizes such as 1000x1000\. Got 'expert'"),
        (["0x5"], "shape must have sizes of 1 or more"),
        (["9x9", "--density", "10"], r"--density must be a number between 0 and 1\. Got '10'"),
        (["9x9", "--density", "half"], r"--density must be a number between 0 and 1\. Got 'half'"),
        (["9x9", "--density", "nan"], r"--density must be a number between 0 and 1\. Got 'nan'"),
        (["9x9", "--rounds", "0"], r"--rounds must be between 1 and 256\. Got 0"),
        (["9x9", "--threads", "many"], r"--threads must be an integer\. Got 'many'"),
        (
            ["9x9", "--plot", "out.xyz"],
            r"--plot must .* ends with \.png or \.svg or \.pdf\. Got 'out\.xyz'",
        ),
        (["9x9", "--plot", "out"], r"--plot must name a file that ends with"),
        (["9x9", "--plot", "/no/such/folder/out.png"], r"--plot must name a file in a folder that can be written"),
        (["1000000x1000000"], r"would need 1\.0 TB of memory.*out='mines\.npy'"),
    ],
)
def test_what_is_wrong_is_one_line(capsys, arguments, message):
    code, out, err = run(capsys, "bench", *arguments)
    assert (code, out.count("\n") <= 1) == (2, True)
    assert re.fullmatch(r"ndsweep: error: [^\n]+\n", err)
    assert re.search(message, err)


def test_without_matplotlib_it_says_what_to_install(capsys, monkeypatch):
    original = builtins.__import__

    def without(name, *rest, **named):
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return original(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    code, out, err = run(capsys, "bench", "9x9", "--plot", "out.png")
    assert (code, out) == (2, "")
    assert 'pip install "ndsweep[plot]"' in err
    assert run(capsys, "bench", "9x9", *QUICK)[0] == 0
