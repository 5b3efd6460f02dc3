"""Work in the background has an owner, and nothing waits by the clock.

Ruff keeps most of this; calls of ``create_task`` on a loop or a group are sought here.
"""

import ast
from pathlib import Path

import pytest

from tests.house.sources import PACKAGE, ROOT, dotted, modules

# Tasks are started in one place; a TaskGroup owns what it starts.
OWNER = "explorer/ui/kit/tasks.py"
BANNED = {"asyncio.create_task", "asyncio.ensure_future", "qasync.asyncSlot", "asyncSlot", "time.sleep"}
WORDS = {name.rpartition(".")[2] for name in BANNED}
"""The last words of those: a file in which none of them stands uses none."""


def breaches(path: str, tree: ast.Module) -> list[str]:
    """The banned names that a module uses or imports, as "path:line: name"."""
    found = []
    for node in ast.walk(tree):
        names: list[str]
        if isinstance(node, ast.Attribute):
            names = [dotted(node)]
            if node.attr == "create_task" and path.startswith("explorer/ui/"):
                names = ["asyncio.create_task"]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        found += [f"{path}:{node.lineno}: {name}" for name in names if name in BANNED]
    return found


def test_no_task_without_an_owner_and_no_sleep() -> None:
    found = [
        breach
        for folder in (PACKAGE, ROOT / "tests")
        for path, tree in modules(folder, WORDS)
        if path != OWNER
        for breach in breaches(path, tree)
        if not (path.startswith("tests/") and "sleep" not in breach)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        "import asyncio\nasyncio.create_task(f())",
        "from asyncio import ensure_future",
        "from time import sleep",
        "loop.create_task(f())",
        "from qasync import asyncSlot",
    ],
)
def test_the_rule_sees(line: str) -> None:
    assert breaches("explorer/ui/pages/any.py", ast.parse(line))


def test_the_ban_is_lifted_nowhere_else() -> None:
    mark = "noqa: TID" + "251"
    lifted = {
        path.relative_to(ROOT).as_posix()
        for path in PACKAGE.rglob("*.py")
        if mark in Path(path).read_text(encoding="utf-8")
    }
    assert lifted <= {OWNER}, lifted
