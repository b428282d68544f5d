"""Profiles of hypothesis: no deadlines on noisy machines, and the same examples every time under CI; C, compiled."""

import os

import pytest
from hypothesis import HealthCheck, settings
from struct_c import Libraries

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("local", UNHURRIED)
settings.register_profile("ci", UNHURRIED, derandomize=True, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "local"))


@pytest.fixture(scope="session")
def c_library(tmp_path_factory):
    """``c_library(max_adjacent, max_dim)``: the C side of the struct-compatible games."""
    return Libraries(tmp_path_factory.mktemp("struct_cell"))
