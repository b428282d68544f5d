"""Rules that went wrong elsewhere: transcripts from public bug reports, move by move."""

import json
from pathlib import Path

import numpy as np
import pytest
from reference import FLAG, HIDDEN, ReferenceGame

from ndsweep import Batch, Board, Game, Status

CASES = json.loads((Path(__file__).parent / "data" / "engine_cases.json").read_text(encoding="utf-8"))
MOVES = {"open": "reveal", "flag": "flag", "chord": "chord"}
STATES = {"ongoing": Status.PLAYING, "won": Status.WON, "lost": Status.LOST}
SIGNS = {HIDDEN: "#", FLAG: "F", -3: "*"}
EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
WITHOUT_CHORDS = [case for case in CASES if all(step["action"] != "chord" for step in case["steps"])]


def board_of(case):
    return Board.from_coords(case["shape"], case["mines"])


def limit_of(case):
    return len(case["mines"]) if case["flag_limit"] else None


def lines_of(view):
    """A view in the signs of the cases, a string a line."""
    return ["".join(SIGNS.get(int(code), str(code)) for code in line) for line in view]


@EVERY_CASE
def test_a_game_goes_as_the_transcript(case):
    game = Game(board_of(case), limit_of(case))
    opened = 0
    for step in case["steps"]:
        result = getattr(game, MOVES[step["action"]])(step["cell"])
        opened += result if step["action"] != "flag" else 0
        assert result == step["result"]
        assert game.status == STATES[step["state"]]
        assert len(case["mines"]) - game.n_flags == step["flags_left"]
    assert game.status == STATES[case["final_state"]]
    assert lines_of(game.view) == case["final_view"]
    assert opened == game.revealed.sum() == case["opened"]


@EVERY_CASE
def test_the_reference_goes_as_the_transcript(case):
    game = ReferenceGame(case["shape"], map(tuple, case["mines"]), limit_of(case))
    for step in case["steps"]:
        assert getattr(game, MOVES[step["action"]])(tuple(step["cell"])) == step["result"]
        assert game.status == STATES[step["state"]]
    assert lines_of(np.reshape(game.view(), case["shape"])) == case["final_view"]


@pytest.mark.parametrize("case", WITHOUT_CHORDS, ids=[case["id"] for case in WITHOUT_CHORDS])
def test_a_batch_of_one_goes_as_the_transcript(case):
    batch = Batch(board_of(case).mines[None])
    for step in case["steps"]:
        cell = int(np.ravel_multi_index(step["cell"], case["shape"]))
        assert getattr(batch, MOVES[step["action"]])([cell]).tolist() == [step["result"]]
        assert batch.status.tolist() == [STATES[step["state"]]]
    assert lines_of(batch.views()[0]) == case["final_view"]


def test_there_are_cases_of_every_move():
    assert {step["action"] for case in CASES for step in case["steps"]} == set(MOVES)
    assert len(WITHOUT_CHORDS) >= 10
