"""Packages import only what they may: the contracts of pyproject.toml hold, and each can be broken."""

import ast
import importlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from explorer.catalog.spec import Record
from tests.house.sources import PACKAGE, ROOT

# One breach for each contract: the file it is planted in and the line that does it.
BREACHES = {
    "Packages, from the entry point down; a new one must be named here": (
        "paths.py",
        "import explorer.catalog.spec",
    ),
    "Inside the window": ("ui/kit/__init__.py", "import explorer.ui.app.tour"),
    "Pages do not know each other": ("ui/pages/crm/__init__.py", "import explorer.ui.pages.list.list_page"),
    "The kit knows no session": ("ui/kit/columns.py", "import explorer.session"),
    "Nothing below the window knows Qt": ("store/__init__.py", "import PySide6.QtCore"),
    "The window sees pages, rows, exchanges and errors as values": ("ui/forms/__init__.py", "import sqlite3"),
    "The sandbox imports record models only": (
        "sandbox/lists.py",
        "from explorer.catalog.builtin.ats import Job",
    ),
    "Nothing that sends knows the sandbox": ("api/__init__.py", "import explorer.sandbox"),
    "Inside the catalog: what an interface is knows none": (
        "catalog/registry.py",
        "import explorer.catalog.builtin.ats",
    ),
    "Verticals do not know each other": ("catalog/builtin/crm.py", "import explorer.catalog.builtin.ats"),
}


def taken(source: str, package: str) -> list[Any]:
    """What a module imports from a package by name: classes, functions and values."""
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    whole = [name.name for node in imports if isinstance(node, ast.Import) for name in node.names]
    assert not [name for name in whole if name.startswith(package)], "a whole module brings all that it holds"
    return [
        getattr(importlib.import_module(node.module), name.name)
        for node in imports
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(package)
        for name in node.names
    ]


def no_models(source: str) -> list[Any]:
    """What a module takes from the built-in interface that is no model of a record."""
    found = taken(source, "explorer.catalog.builtin")
    return [one for one in found if not (isinstance(one, type) and issubclass(one, Record))]


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs the import rules over the project in the folder."""
    return subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command as lint; lint()",
            "--no-cache",
        ],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    )


def test_the_rules_hold() -> None:
    outcome = lint(ROOT)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr


def test_every_rule_can_be_broken(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for source in PACKAGE.rglob("*.py"):
        copy = tmp_path / source.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    for file, line in BREACHES.values():
        target = tmp_path / "explorer" / file
        target.write_text(f"{target.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")

    outcome = lint(tmp_path)

    assert outcome.returncode != 0
    for contract in BREACHES:
        assert f"{contract} BROKEN" in " ".join(outcome.stdout.split()), outcome.stdout + outcome.stderr


def test_an_unnamed_room_is_noticed(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(
        PACKAGE, tmp_path / "explorer", ignore=shutil.ignore_patterns("__pycache__", "_resources")
    )
    (tmp_path / "explorer" / "cellar.py").write_text('"""A package that nobody named."""\n', encoding="utf-8")

    outcome = lint(tmp_path)

    assert outcome.returncode != 0
    assert "cellar" in outcome.stdout


def test_the_sandbox_takes_models_of_records_and_nothing_beside_them() -> None:
    source = (PACKAGE / "sandbox" / "resources.py").read_text(encoding="utf-8")

    assert len(taken(source, "explorer.catalog.builtin")) >= 7
    assert no_models(source) == []
    for name in ("JOBS", "JobQuery"):
        assert len(no_models(f"{source}\nfrom explorer.catalog.builtin.ats import {name}\n")) == 1
    assert len(no_models(f"{source}\nfrom explorer.catalog.builtin.envelopes import TYPE_A\n")) == 1
