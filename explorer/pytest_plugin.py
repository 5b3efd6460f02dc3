"""A plugin for pytest: each check, on each list of each connection, is a test of its own (docs/ci.md).

pytest imports this module at each start, wherever the program is installed. So it imports nothing of the program, the
tests themselves (pytest_checks.py) included, before a profile or an address is given.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

NAME = "unified-explorer"
MARKER = "unified_explorer"
OPTIONS: dict[str, dict[str, Any]] = {
    "profile": {"metavar": "NAME", "help": "Make tests of the checks on this profile; Sandbox is built in."},
    "base-url": {
        "metavar": "URL",
        "help": "The same without a profile. The key comes from UNIFIED_EXPLORER_APIKEY.",
    },
    "connection": {"metavar": "ID", "action": "append", "help": "A connection; may be given more than once."},
    "lists": {"metavar": "A,B", "help": "Resources such as ats/job; without any: all."},
    "only": {"metavar": "CHECK,…", "help": "Ids of checks or names of groups."},
    "recipe": {"metavar": "FILE", "type": Path, "help": "Read the settings from a recipe."},
    "baseline": {"metavar": "FILE", "type": Path, "help": "Findings accepted in FILE are expected to fail."},
    "bundle": {"metavar": "FILE", "type": Path, "help": "Write the runs with their evidence as one zip."},
    "seconds": {"metavar": "S", "type": float, "help": "Take no longer than S seconds on each connection."},
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options; without one that says whom to ask there are no tests."""
    group = parser.getgroup(NAME, "checks of a connection as tests (Unified Explorer)")
    for name, told in OPTIONS.items():
        group.addoption(f"--{NAME}-{name}", **told)


def pytest_configure(config: pytest.Config) -> None:
    """Loads the plugin that makes the tests, where any are asked for. Raises UsageError before one is collected."""
    config.addinivalue_line("markers", f"{MARKER}: a check of Unified Explorer on a connection.")
    given = given_options(config)
    if not (given["profile"] or given["base-url"]):
        if odd := next((name for name, value in given.items() if value not in (None, [])), None):
            raise pytest.UsageError(f"--{NAME}-{odd} needs --{NAME}-profile NAME or --{NAME}-base-url URL.")
        return
    if config.getoption("dist", "no") != "no":
        raise pytest.UsageError(
            f"--{NAME}-… needs one process, as each would make the whole run: leave out -n."
        )
    config.pluginmanager.import_plugin("explorer.pytest_checks")


def given_options(config: pytest.Config) -> dict[str, Any]:
    """The value of each of `OPTIONS` by its name, None or an empty list where it was not given."""
    return {name: config.getoption(f"--{NAME}-{name}") for name in OPTIONS}
