"""``python -m ndsweep`` is the command ``ndsweep``."""

import sys

from ndsweep.frontends.cli import main

if __name__ == "__main__":
    sys.exit(main())
