"""The command line: the same numbers as `simulate`, and one line on standard error for what is wrong."""

import json
import re
import subprocess
import sys

import pytest

import ndsweep
from ndsweep import BEGINNER, EXPERT, INTERMEDIATE, Spec, simulate
from ndsweep.frontends.cli import main


def run(capsys, *arguments):
    """The exit code of the command and what it printed."""
    try:
        code = main(list(arguments))
    except SystemExit as stop:  # --help and --version
        code = stop.code
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def as_json(capsys, *arguments):
    code, out, err = run(capsys, "simulate", *arguments, "--json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    return json.loads(out)


def python_m(*arguments):
    command = [sys.executable, "-P", "-m", "ndsweep", *arguments]  # -P: what is installed, not what lies here
    return subprocess.run(command, capture_output=True, text=True, check=False)


def without_time(summary):
    return {name: value for name, value in summary.items() if name != "seconds"}


@pytest.mark.parametrize(
    ("arguments", "spec", "games", "options"),
    [
        (["beginner", "--games", "1000"], BEGINNER, 1000, {}),
        (["intermediate", "--games", "300", "--seed", "-3"], INTERMEDIATE, 300, {"seed": -3}),
        (["expert", "--games", "200", "--policy", "pairs"], EXPERT, 200, {"policy": "pairs"}),
        (["16x30", "--mines", "99", "--games", "200", "--start", "50"], EXPERT, 200, {"start": 50}),
        (["20", "--mines", "4", "--games", "500", "--policy", "random"], Spec((20,), 4), 500, {"policy": "random"}),
        (["4x4x4x4", "--mines", "12", "--games", "200"], Spec((4,) * 4, 12), 200, {}),
        (["5X5", "--mines", "3", "--games", "9", "--first", "opening"], Spec((5, 5), 3, "opening"), 9, {}),
        (["beginner", "--first", "any", "--games", "99"], Spec((9, 9), 10, "any"), 99, {}),
        (["beginner", "--mines", "20", "--games", "99"], Spec((9, 9), 20), 99, {}),
        (["beginner", "--games", "99", "--first-cell", "corner"], BEGINNER, 99, {"first_cell": "corner"}),
        (["beginner", "--games", "99", "--first-cell", "3,4"], BEGINNER, 99, {"first_cell": (3, 4)}),
        (["beginner", "--games", "0"], BEGINNER, 0, {}),
        (["beginner"], BEGINNER, 10_000, {}),
    ],
)
def test_json_is_the_summary_of_the_simulation(capsys, arguments, spec, games, options):
    summary = as_json(capsys, *arguments)
    assert summary.pop("seconds") >= 0
    assert summary == simulate(spec, games, **options).summary()


def test_the_number_of_workers_changes_only_the_time():
    """As many games as are worth a pool of processes."""
    one, two = (python_m("simulate", "beginner", "--games", "60000", "--workers", n, "--json") for n in "12")
    assert one.returncode == two.returncode == 0
    assert without_time(json.loads(one.stdout)) == without_time(json.loads(two.stdout))
    assert without_time(json.loads(two.stdout)) == simulate(BEGINNER, 60_000).summary()


def test_the_table_tells_games_wins_rate_interval_guesses_and_speed(capsys):
    code, out, err = run(capsys, "simulate", "expert", "--games", "2000", "--seed", "4")
    result = simulate(EXPERT, 2000, seed=4)
    low, high = result.interval()
    assert (code, err) == (0, "")
    for text in ("16x30", "99 mines", "single-point", "2,000", f"{result.wins:,}", f"{result.win_rate:.4%}"):
        assert text in out
    for text in (f"{low:.4%}", f"{high:.4%}", f"{result.counts['guesses'] / 2000:.3f}", "games/s"):
        assert text in out


def test_no_games_are_no_error(capsys):
    code, out, err = run(capsys, "simulate", "expert", "--games", "0")
    assert (code, err) == (0, "")
    assert "none played" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "COMMAND"),
        (["paint"], r"invalid choice.*paint"),
        (["simulate"], r"PRESET\|SHAPE"),
        (["simulate", "nightmare"], r"beginner, intermediate, expert.*16x30.*Got 'nightmare'"),
        (["simulate", "16x"], r"sizes such as 16x30.*Got '16x'"),
        (["simulate", "4.5x3", "--mines", "1"], r"sizes such as 16x30.*Got '4.5x3'"),
        (["simulate", ""], r"sizes such as 16x30.*Got ''"),
        (["simulate", "16x30"], r"--mines.*Got 16x30"),
        (["simulate", "0x5", "--mines", "1"], r"shape must have sizes of 1 or more\. Got \(0, 5\)"),
        (["simulate", "3x3", "--mines", "9"], r"mines must be between 0 and 8.*Got 9"),
        (["simulate", "3x3", "--mines=-1"], r"mines must be between 0 and 8.*Got -1"),
        (["simulate", "3x3", "--mines", "few"], r"--mines must be an integer\. Got 'few'"),
        (["simulate", "3x3", "--mines", "4", "--first", "opening"], r"mines must be between 0 and 0.*Got 4"),
        (["simulate", "beginner", "--first", "lucky"], r"first must be one of 'any', 'safe', 'opening'\. Got 'lucky'"),
        (["simulate", "beginner", "--games=-5"], r"games must be an integer of 0 or more\. Got -5"),
        (["simulate", "beginner", "--games", "1.5"], r"--games must be an integer\. Got '1\.5'"),
        (["simulate", "beginner", "--seed", "x"], r"--seed must be an integer\. Got 'x'"),
        (["simulate", "beginner", "--start=-1"], r"start must be an integer between 0 and \d+\. Got -1"),
        (["simulate", "beginner", "--policy", "clever"], r"policy must be .*'pairs'.*Got 'clever'"),
        (["simulate", "beginner", "--workers", "0"], r"--workers must be between 1 and 256\. Got 0"),
        (["simulate", "beginner", "--workers", "two"], r"--workers must be an integer\. Got 'two'"),
        (["simulate", "beginner", "--first-cell", "9,0"], r"first_cell must lie in 0\.\.8 x 0\.\.8\. Got \(9, 0\)"),
        (["simulate", "beginner", "--first-cell", "1"], r"first_cell must have 2 coordinates.*Got \(1,\)"),
        (["simulate", "beginner", "--first-cell", "middle"], r"--first-cell must be random, corner.*Got 'middle'"),
        (["simulate", "beginner", "--fast"], "--fast"),
        (["simulate", "10000000x10000000", "--mines", "5"], r"would need 100\.0 TB of memory"),
        (["simulate", "x".join("1" * 33), "--mines", "0"], r"at most 32 axes"),
    ],
)
def test_what_is_wrong_is_one_line_on_standard_error(capsys, arguments, message):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert re.fullmatch(r"ndsweep: error: [^\n]+\n", err)
    assert re.search(message, err)


def test_help_lists_the_commands_and_their_options(capsys):
    code, out, err = run(capsys, "--help")
    assert (code, err) == (0, "")
    assert "simulate" in out
    code, out, err = run(capsys, "simulate", "--help")
    assert (code, err) == (0, "")
    for option in ("--mines", "--games", "--policy", "--seed", "--start", "--first", "--workers", "--json"):
        assert option in out


def test_the_version_is_that_of_the_package(capsys):
    assert run(capsys, "--version") == (0, f"ndsweep {ndsweep.__version__}\n", "")


def test_the_command_runs_as_a_module():
    ran = python_m("simulate", "4x4", "--mines", "3", "--games", "100", "--json")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert without_time(json.loads(ran.stdout)) == simulate(Spec((4, 4), 3), 100).summary()


def test_a_process_says_what_is_wrong_without_a_traceback():
    ran = python_m("simulate", "expert", "--games", "many")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "ndsweep: error: --games must be an integer. Got 'many'.\n"


def test_no_progress_is_shown_where_standard_error_is_no_terminal():
    assert python_m("simulate", "beginner", "--games", "100").stderr == ""


def test_an_interrupt_ends_quietly(capsys, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("ndsweep.frontends.cli.simulate", interrupt)
    code, out, err = run(capsys, "simulate", "beginner", "--games", "1")
    assert (code, out, err) == (130, "", "ndsweep: interrupted\n")


def test_progress_is_shown_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    code, out, err = run(capsys, "simulate", "beginner", "--games", "3000", "--workers", "1", "--json")
    assert code == 0
    assert json.loads(out)["games"] == 3000
    assert err
