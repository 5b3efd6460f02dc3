"""`python -m explorer.sandbox`: the sandbox alone, without the program's own command line."""

from __future__ import annotations

import argparse
import sys

from explorer.sandbox.process import SETTINGS
from explorer.sandbox.service import run


def main() -> int:
    """Reads the options and serves. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m explorer.sandbox", description="Serve the sandbox on 127.0.0.1."
    )
    parser.add_argument("--port", type=int, default=0, help="where to listen; 0 chooses a free port")
    parser.add_argument("--announce", action="store_true", help="say where it listens as one line of JSON")
    parser.add_argument("--end-with-parent", action="store_true", help="end when standard input ends")
    for name, kind in SETTINGS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, help="see SandboxConfig")
    given = parser.parse_args()
    settings = {name: getattr(given, name) for name in SETTINGS if getattr(given, name) is not None}
    return run(given.port, given.announce, given.end_with_parent, settings)


if __name__ == "__main__":
    sys.exit(main())
