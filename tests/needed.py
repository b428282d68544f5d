"""Programs that some tests need and that pip does not install."""

import os

import pytest


def missing(what):
    """Skips the test and says what to install; under CI it fails, so that nothing is skipped unseen."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(what)
