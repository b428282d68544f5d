"""The commands study, status, export and plot: stopped, killed and gone on with, as a person would."""

import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from ndsweep import Study, collect
from ndsweep.frontends.cli import main
from ndsweep.plan import read_plan

PLAN = """
games = 500
[[grid]]
shapes = [[6, 6], [3, 3, 3]]
densities = {from = 0.1, to = 0.2, count = 3}
policies = ["single-point", "pairs"]
"""
LONG = """
games = 6_000_000
[[grid]]
shapes = [[9, 9]]
mines = [10, 11]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.toml").write_text(PLAN)
    (tmp_path / "long.toml").write_text(LONG)
    return tmp_path


def run(capsys, *arguments):
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def started(*arguments):
    """The command in a process of its own."""
    command = [sys.executable, "-P", "-m", "ndsweep", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def games_in(store):
    return sum(result.games for result in Study.open(store))


def wait_for_games(process, store, more_than=0):
    until = time.monotonic() + 60
    while not (os.path.exists(store) and os.path.getsize(store)) or games_in(store) <= more_than:
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)


# study ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_plan_is_played_with_a_line_a_task(folder, capsys, workers):
    code, out, err = run(capsys, "study", "plan.toml", "--store", "s.db", "--workers", workers)
    plan = read_plan("plan.toml")
    expected = collect(plan.tasks, plan.games, progress=False)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert sorted(lines[:-1]) == sorted(str(expected).splitlines())
    assert lines[-1] == "complete: 12 tasks in s.db"
    assert Study.open("s.db") == expected


def test_the_store_is_named_after_the_plan_and_gone_on_with(folder, capsys):
    first = run(capsys, "study", "plan.toml", "--workers", "1")
    assert os.path.exists("plan.db")
    assert run(capsys, "study", "plan.toml", "--workers", "1") == first
    with closing(sqlite3.connect("plan.db")) as file:
        assert file.execute("SELECT count(*), max(id) FROM blocks").fetchone() == (12, 12)


@pytest.mark.parametrize(("number", "workers"), [(signal.SIGINT, "2"), (signal.SIGTERM, "1")])
def test_an_interrupt_ends_with_everything_stored(folder, workers, number):
    process = started("study", "long.toml", "--workers", workers)
    wait_for_games(process, "long.db")
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert out == ""
    assert "ndsweep: ending with the blocks under way; once more ends at once" in err
    again = "ndsweep study long.toml --store long.db"
    advice = f"What was finished is in long.db. Go on with: {again}"
    assert err.splitlines()[-1] == f"ndsweep: 0 of 2 tasks are complete. {advice}"
    assert "Traceback" not in err
    before = games_in("long.db")
    assert before > 0
    process = started(*shlex.split(again)[1:], "--seconds", "0.01", "--workers", "1")
    assert process.wait(60) == 0
    process.communicate()
    assert games_in("long.db") > before


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_second_interrupt_ends_at_once(folder, workers):
    """Although a block takes half a minute."""
    slow = LONG.replace("[[9, 9]]", "[[3, 3, 3, 3, 3, 3]]\npolicies = 'pairs'").replace("6_000_000", "1000")
    (folder / "slow.toml").write_text(slow)
    process = started("study", "slow.toml", "--workers", workers)
    until = time.monotonic() + 30
    while not (os.path.exists("slow.db") and os.path.getsize("slow.db") > 20_000) and time.monotonic() < until:
        time.sleep(0.1)
    time.sleep(1)
    begun = time.monotonic()
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
    _, err = process.communicate(timeout=60)
    assert time.monotonic() - begun < 10
    assert process.returncode == 130
    advice = "What was finished is in slow.db. Go on with: ndsweep study slow.toml --store slow.db"
    assert err.splitlines()[-1] == f"ndsweep: interrupted. {advice}"
    assert "Traceback" not in err


def test_signals_are_left_as_they_were(folder, capsys):
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    run(capsys, "study", "plan.toml", "--workers", "2")
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(main, ["study", "plan.toml", "--workers", "1"]).result() == 0


def test_a_killed_worker_is_told_in_a_line(folder):
    process = started("study", "long.toml", "--workers", "2")
    wait_for_games(process, "long.db")
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
    os.kill(int(children[-1]), signal.SIGKILL)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    again = "What was finished is in long.db. Go on with: ndsweep study long.toml --store long.db"
    assert err.splitlines()[-1] == f"ndsweep: a worker process was killed, or memory ran out. {again}"
    assert "Traceback" not in err
    assert games_in("long.db") > 0


@pytest.mark.parametrize("workers", ["11", "12"])
def test_two_commands_share_a_store(folder, workers):
    """Also where their blocks are of other sizes; what nobody else has is then played, not what is left of a block."""
    (folder / "both.toml").write_text(PLAN.replace("500", "60_000"))
    both = [started("study", "both.toml", "--workers", count) for count in workers]
    printed = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(printed[0][0].splitlines()) == sorted(printed[1][0].splitlines())
    plan = read_plan("both.toml")
    with closing(sqlite3.connect("both.db")) as file:
        (games,) = file.execute("SELECT sum(stop - start) FROM blocks").fetchone()
    assert 12 * 60_000 <= games <= (1 if workers == "11" else 1.15) * 12 * 60_000  # the last blocks are not waited for
    assert Study.open("both.db") == collect(plan.tasks, plan.games, progress=False)


def test_a_time_limit(folder, capsys):
    code, out, err = run(capsys, "study", "long.toml", "--seconds", "0.2", "--workers", "1")
    assert (code, out) == (0, "")
    assert "0 of 2 tasks are complete. What was finished is in long.db. Go on with: ndsweep study long.toml" in err
    assert games_in("long.db") > 0


# Plans ---------------------------------------------------------------------------------------


def test_a_plan_holds_the_arguments_of_collect_and_grid(folder):
    (folder / "all.toml").write_text(
        "games = 10\nhalf_width = 0.01\nlevel = 0.9\nrecords = true\n"
        '[[grid]]\nshapes = [4, 4]\nmines = 3\npolicies = "pairs"\nfirst = "any"\nfirst_cell = [1, 2]\nseed = -4\n'
        "[[grid]]\nshapes = [[4, 4], [5]]\nmines = {from = 2, to = 2.2, count = 2}\n"
        "[[grid]]\nshapes = [[4, 4]]\ndensities = [0.125]\n"
    )
    plan = read_plan("all.toml")
    assert (plan.games, plan.half_width, plan.level, plan.records) == (10, 0.01, 0.9, True)
    assert [str(task) for task in plan.tasks] == [
        "4x4/3 any pairs, seed -4, first cell 6",
        "4x4/2 safe single-point, seed 0",
        "5/2 safe single-point, seed 0",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("games = ", "Invalid value"),
        ("", "games must be given"),
        ("games = 5", "there must be a [[grid]] or more"),
        ("games = 5\ngrid = 3", "there must be a [[grid]] or more"),
        ("games = 5\n[[grid]]", "grid 1 must have shapes"),
        ("games = 5\nmore = 3\n[[grid]]\nshapes = [[4]]", "the top may have games, grid, half_width, level, records"),
        ("games = 5\n[[grid]]\nshapes = [[4]]\nmins = 3", "grid 1 may have densities, first, first_cell, mines"),
        ("games = 5\n[[grid]]\nshapes = [[4]]", "grid 1: densities or mines must be given"),
        ("games = 5\n[[grid]]\nshapes = [[4]]\nmines = 7", "grid 1: mines must be between 0 and 3"),
        ("games = 5\n[[grid]]\nshapes = [[4]]\nmines = 1\npolicies = 'x'", "grid 1: policy must be"),
        ("games = 5\n[[grid]]\nshapes = [[4]]\ndensities = {from = 0}", "grid 1: densities must be a list, or a table"),
        (
            "games = 5\n[[grid]]\nshapes = [[4]]\ndensities = {from=0,to=0.5,count=1}",
            "count must be an integer between",
        ),
        ("games = 1.5\n[[grid]]\nshapes = [[4]]\nmines = 1", "games must be an integer of 1 or more. Got 1.5"),
        (
            "games = 5\n[[grid]]\nshapes = [[4]]\nmines = 1\nseed = " + "9" * 5000,
            "plan 'wrong.toml': Exceeds the limit",
        ),
        ("games = 5\n[[grid]]\nshapes = [[4]]\nmines = 1\nseed = 0x" + "f" * 5000, "seed must have less than 4001"),
        ("games = 5\nrecords = 1\n[[grid]]\nshapes = [[4]]\nmines = 1", "records must be true or false. Got 1"),
        ("games = 5\nhalf_width = 'a'\n[[grid]]\nshapes = [[4]]\nmines = 1", "half_width must be a number"),
        ("games = 5\n[[grid]]\nshapes = [[4]]\nmines = 1\nfirst_cell = 'middle'", "grid 1: first_cell must be"),
    ],
)
def test_wrong_plans(folder, capsys, text, message):
    (folder / "wrong.toml").write_text(text)
    code, out, err = run(capsys, "study", "wrong.toml", "--workers", "1")
    assert (code, out) == (2, "")
    assert message in err
    assert err.startswith("ndsweep: error: ")
    assert err.count("\n") == 1
    assert not os.path.exists("wrong.db")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["study", "none.toml"], "plan 'none.toml' cannot be read: No such file or directory."),
        (["study", "."], "plan '.' cannot be read: Is a directory."),
        (["study", "plan.toml", "--workers", "0"], "--workers must be between 1 and 256. Got 0."),
        (["study", "plan.toml", "--seconds", "soon"], "--seconds must be a number of more than 0. Got 'soon'."),
        (["study", "plan.toml", "--store", "plan.toml"], "store must be the file of a study. 'plan.toml' is not"),
        (["study"], "the following arguments are required: PLAN"),
        (["status", "none.db"], "store must be the file of a study. There is no 'none.db'."),
        (["status", "plan.toml"], "store must be the file of a study. 'plan.toml' is not"),
        (["export", "none.db", "t.csv"], "There is no 'none.db'."),
        (["plot", "none.db", "t.png"], "There is no 'none.db'."),
    ],
)
def test_wrong_commands(folder, capsys, arguments, message):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


# status, export, plot ------------------------------------------------------------------------


@pytest.fixture
def half(folder, capsys):
    """A study of which every other task is complete."""
    plan = read_plan("plan.toml")
    collect(plan.tasks, 500, store="half.db", progress=False)
    collect(plan.tasks[::2], 900, store="half.db", progress=False)
    return collect(plan.tasks[1::2], 250, store="half.db", progress=False)


def test_status(half, capsys):
    collect(half.tasks, 250, store="half.db", progress=False)
    code, out, err = run(capsys, "status", "half.db")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "12 of 12 tasks are complete, 6,900 of 6,900 games are stored"
    assert out.splitlines()[1:] == str(Study.open("half.db")).splitlines()
    assert json.loads(run(capsys, "status", "half.db", "--json")[1]) == Study.open("half.db").rows()


def test_status_of_what_is_under_way(folder, capsys):
    run(capsys, "study", "long.toml", "--seconds", "0.2", "--workers", "1")
    games = games_in("long.db")
    out = run(capsys, "status", "long.db")[1]
    assert out.splitlines()[0] == f"0 of 2 tasks are complete, {games:,} of 12,000,000 games are stored"
    assert "games of 6,000,000" in out


def test_export(half, capsys):
    for name in ("t.csv", "t.parquet"):
        assert run(capsys, "export", "half.db", name) == (0, "", "")
        assert os.path.getsize(name) > 1000
    code, _, err = run(capsys, "export", "half.db", "t.xls")
    assert (code, err) == (2, "ndsweep: error: path must end in .csv or .parquet. Got 't.xls'.\n")
    code, _, err = run(capsys, "export", "half.db", "no/t.csv")
    assert (code, err) == (2, "ndsweep: error: 'no/t.csv' cannot be written: No such file or directory.\n")


@pytest.mark.parametrize(
    "options", [[], ["--fit"], ["--scaled"], ["--x", "mines", "--group", "shape", "--group", "policy"]]
)
def test_plot(half, capsys, options):
    for name, beginning in (("p.png", b"\x89PNG"), ("p.svg", b"<?xml"), ("p.pdf", b"%PDF")):
        assert run(capsys, "plot", "half.db", name, *options) == (0, "", "")
        with open(name, "rb") as file:
            assert file.read(5).startswith(beginning)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["p.xyz"], "PICTURE must name a file that ends with .png or .svg or .pdf. Got 'p.xyz'."),
        (["p"], "PICTURE must name a file that ends with .png or .svg or .pdf. Got 'p'."),
        (["no/p.png"], "PICTURE must name a file in a folder that can be written. Got 'no/p.png'."),
        (["p.png", "--x", "luck"], "x must be one of density"),
        (["p.png", "--group", "luck"], "group must be one or some of shape"),
        (["p.png", "--group", "shape"], "group must hold 'policy' too"),
    ],
)
def test_wrong_plots(half, capsys, arguments, message):
    code, out, err = run(capsys, "plot", "half.db", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert not os.path.exists(arguments[0])


@pytest.mark.parametrize("library", ["matplotlib", "pyarrow"])
def test_a_missing_library_is_named_with_its_extra(half, capsys, monkeypatch, library):
    for name in [name for name in sys.modules if name.split(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    arguments = ["plot", "half.db", "p.png"] if library == "matplotlib" else ["export", "half.db", "p.parquet"]
    code, _, err = run(capsys, *arguments)
    extra = "plot" if library == "matplotlib" else "arrow"
    assert code == 2
    assert f'needs {library}: pip install "ndsweep[{extra}]"' in err


@pytest.mark.parametrize("command", ["study", "status", "export", "plot"])
def test_help(capsys, command):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert "usage: ndsweep " + command in capsys.readouterr().out
