"""What the entry point does before anything of the program is imported, and what its commands do without."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import gc, sys
from explorer.__main__ import main
main()
names = "pydantic", "importlib.metadata", "explorer.profiles.profile", "explorer.api.redact"
print(*[name for name in names if name in sys.modules], gc.isenabled())
"""


def after(*arguments: str) -> str:
    """Which of those modules a command imported, and whether garbage is collected again."""
    command = [sys.executable, "-c", SCRIPT, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8")
    return done.stdout.splitlines()[-1]


def test_a_list_of_the_endpoints_asks_no_package_for_plugins_and_reads_no_profile() -> None:
    assert after("resources") == "pydantic True"


@pytest.mark.parametrize("arguments", [("--help",), ("pull", "--help")])
def test_help_does_without_the_catalog_unless_a_command_needs_it(arguments: tuple[str, ...]) -> None:
    assert ("pydantic" in after(*arguments)) == (arguments[0] == "pull")
