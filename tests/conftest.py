"""Profiles of hypothesis (no deadlines on noisy machines, repeatable under CI), the C side, and windows for tests."""

import os

os.environ.setdefault("MPLBACKEND", "Agg")  # pictures open no windows

import pytest
from hypothesis import HealthCheck, settings
from struct_c import Libraries
from virtual_display import Person, virtual_display

import ndsweep as nd

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("local", UNHURRIED)
settings.register_profile("ci", UNHURRIED, derandomize=True, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "local"))


@pytest.fixture(scope="session")
def c_library(tmp_path_factory):
    """``c_library(max_adjacent, max_dim)``: the C side of the struct-compatible games."""
    return Libraries(tmp_path_factory.mktemp("struct_cell"))


@pytest.fixture(scope="session")
def look(tmp_path_factory):
    with virtual_display(tmp_path_factory.mktemp("display")) as screenshot:
        yield screenshot


@pytest.fixture
def play(look):
    """Opens a window for a person: on a spec, or on a board that is known."""
    windows = []

    def opened(spec, board=None, seed=0):
        from ndsweep.frontends.window import Window

        windows.append(Window(spec, seed))
        if board is not None:
            windows[-1].sitting.game = nd.Game(board)
        return Person(windows[-1], look)

    yield opened
    for window in windows:
        window.close()
    assert [window.failure for window in windows] == [None] * len(windows)
