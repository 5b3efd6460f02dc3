"""The command line and everything below the window run where Qt is not even installed."""

import subprocess
import sys

from tests.house.sources import PACKAGE, ROOT

# Run in a process of its own: this one has Qt loaded already.
PROBE = """
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
    loaded = {"PySide6", "shiboken6", "qasync"} & set(sys.modules)
    if loaded:
        sys.exit(f"{name} loads {', '.join(sorted(loaded))}")
"""


def probe(names: list[str]) -> subprocess.CompletedProcess[str]:
    """Imports the modules one after the other in a new process, up to the first that loads Qt."""
    return subprocess.run(
        [sys.executable, "-c", PROBE, *names], cwd=ROOT, check=False, capture_output=True, text=True
    )


def below_the_window() -> list[str]:
    """The dotted names of all modules outside explorer/ui."""
    names = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[1] != "ui":
            names.append(".".join(parts).removesuffix(".__init__"))
    return names


def test_nothing_below_the_window_loads_qt() -> None:
    names = below_the_window()
    assert {"explorer.cli", "explorer.session", "explorer.api.client"} <= set(names)
    outcome = probe(names)
    assert outcome.returncode == 0, outcome.stderr


def test_the_probe_sees_qt() -> None:
    outcome = probe(["explorer.paths", "PySide6.QtCore"])
    assert outcome.returncode == 1
    assert "PySide6.QtCore loads PySide6" in outcome.stderr
