"""Profiles of hypothesis: no deadlines on noisy machines, and the same examples every time under CI."""

import os

from hypothesis import HealthCheck, settings

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("local", UNHURRIED)
settings.register_profile("ci", UNHURRIED, derandomize=True, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "local"))
