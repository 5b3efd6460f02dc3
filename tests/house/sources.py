"""The project's own files, as the house rules look at them."""

import ast
import re
import shutil
import subprocess
from collections.abc import Collection, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "explorer"
NOT_OURS = {".git", ".venv", ".hypothesis", "shots", "build", "dist", "__pycache__"}


def project_files() -> list[Path]:
    """Every file that is or would be under version control; in an unpacked archive, every file."""
    return sorted(path for path in _listed_by_git() or _found() if path.is_file())


def _listed_by_git() -> list[Path]:
    """What git lists; empty where there is no git or no repository."""
    if shutil.which("git") is None:
        return []
    asked = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=False,
        capture_output=True,
        text=True,
    )
    return [ROOT / name for name in asked.stdout.split("\0") if name]


def _found() -> list[Path]:
    return [
        path
        for path in ROOT.rglob("*")
        if not any(
            part in NOT_OURS or part.endswith(("_cache", ".lock")) for part in path.relative_to(ROOT).parts
        )
    ]


def project_texts() -> Iterator[tuple[str, str]]:
    """Path below the root, with slashes, and text of each file that is text."""
    for path in project_files():
        data = path.read_bytes()
        if b"\0" in data:
            continue
        yield path.relative_to(ROOT).as_posix(), data.decode("utf-8")


def modules(folder: Path = PACKAGE, words: Collection[str] = ("",)) -> Iterator[tuple[str, ast.Module]]:
    """Path below the root and syntax tree of every Python file in a folder of the project.

    ``words``: only files that have one of them anywhere; to parse a file takes a hundred times as long.
    """
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if any(word in text for word in words):
            yield path.relative_to(ROOT).as_posix(), ast.parse(text)


_TEXTS = re.compile(r'''"""[\s\S]*?"""''')
_IMPORT = re.compile(r"^[ \t]*((?:from [\w.]+ )?import (?:\([^)]*\)|[^\n#]*))", re.MULTILINE)


def imports(path: Path) -> set[str]:
    """The dotted names that a module imports, wherever in it; a name imported from a module counts as both.

    Only its imports are parsed: all of its text takes ten times as long.
    """
    found = set()
    for statement in _IMPORT.findall(_TEXTS.sub('""', path.read_text(encoding="utf-8"))):
        [node] = ast.parse(statement).body
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def dotted(node: ast.expr) -> str:
    """The name that an expression spells, as `asyncio.create_task`; "" when it is no plain name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else f".{node.attr}"
    return ""
