"""How large the house is and how it hangs together, read from the sources: `./dev house` prints it.

An import counts wherever it stands: at the top, inside a function, or for type checking alone.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).resolve().parents[2]

Kind = Literal["top", "function", "typing"]


@dataclass(frozen=True, slots=True)
class Import:
    """One module of the project that imports another."""

    source: str
    target: str
    kind: Kind

    @property
    def inside_a_folder(self) -> bool:
        """Both stand in the same folder."""
        return self.source.rpartition(".")[0] == self.target.rpartition(".")[0]


def sources(root: Path = ROOT) -> dict[str, Path]:
    """Every module of the package by its dotted name; a package goes by the name of its folder."""
    found = {}
    for path in sorted((root / "explorer").rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(root: Path = ROOT) -> set[Import]:
    """Who imports whom among the project's own modules."""
    known = sources(root)
    return {
        Import(name, target, kind)
        for name, path in known.items()
        for target, kind in _imported(ast.parse(path.read_text(encoding="utf-8")), known)
        if target != name
    }


def circles(found: set[Import]) -> list[list[str]]:
    """Groups of modules of one folder that reach each other by imports inside that folder, each sorted."""
    ways = defaultdict(set)
    for each in found:
        if each.inside_a_folder:
            ways[each.source].add(each.target)
    reached = {name: _reach(name, ways) for name in ways}
    groups = {
        tuple(sorted(other for other in there if name in reached.get(other, ())))
        for name, there in reached.items()
        if name in there
    }
    return [list(group) for group in sorted(groups)]


def single_importers(found: set[Import]) -> list[str]:
    """Modules that exactly one other module imports."""
    importers = defaultdict(set)
    for each in found:
        importers[each.target].add(each.source)
    return sorted(name for name, by in importers.items() if len(by) == 1)


def documented(root: Path = ROOT) -> tuple[int, int]:
    """How many public classes and functions have a docstring, and how many there are."""
    there = total = 0
    for path in sources(root).values():
        for node in _public(ast.parse(path.read_text(encoding="utf-8"))):
            total += 1
            there += ast.get_docstring(node) is not None
    return there, total


def lines(root: Path = ROOT) -> Counter[str]:
    """Lines by folder below explorer/, two levels deep."""
    counted: Counter[str] = Counter()
    for path in sources(root).values():
        folders = path.relative_to(root / "explorer").parts[:-1][:2]
        counted["/".join(folders) or "."] += len(path.read_text(encoding="utf-8").splitlines())
    return counted


def _imported(tree: ast.Module, known: dict[str, Path]) -> Iterator[tuple[str, Kind]]:
    waiting: list[tuple[ast.AST, Kind]] = [(tree, "top")]
    while waiting:
        node, kind = waiting.pop()
        if isinstance(node, ast.Import):
            yield from ((alias.name, kind) for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                target = full if full in known else node.module
                if target in known:
                    yield target, kind
        elif isinstance(node, ast.If) and _is_for_types(node.test):
            kind = "typing"
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and kind != "typing":
            kind = "function"
        waiting += [(child, kind) for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]


def _is_for_types(test: ast.expr) -> bool:
    return any("TYPE_CHECKING" in (getattr(n, "id", ""), getattr(n, "attr", "")) for n in ast.walk(test))


def _reach(name: str, ways: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        for target in ways.get(waiting.pop(), ()):
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return reached


def _public(tree: ast.Module) -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_":
            yield node
            if isinstance(node, ast.ClassDef):
                functions = (n for n in node.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
                yield from (function for function in functions if function.name[0] != "_")


def main() -> int:
    """Print it. The exit code is 0 whatever it is: the rules are in test_measures.py."""
    found, counted = imports(), lines()
    for folder, number in sorted(counted.items()):
        print(f"{number:7,}  explorer/{folder}")
    print(f"{sum(counted.values()):7,}  explorer/ in all")
    print(f"{sum(n for f, n in counted.items() if f.split('/')[0] == 'ui'):7,}  explorer/ui in all")
    print(f"{len(sources()):7,}  modules")
    print(f"{len(single_importers(found)):7,}  modules that exactly one other imports")
    print(f"{sum(each.kind == 'function' for each in found):7,}  imports of own modules inside functions")
    typing = [each for each in found if each.kind == "typing" and each.inside_a_folder]
    print(f"{len(typing):7,}  imports for type checking alone, inside one folder")
    for each in sorted(typing, key=lambda one: (one.source, one.target)):
        print(f"         {each.source} -> {each.target}")
    rings = circles(found)
    print(f"{len(rings):7,}  circles of imports inside one folder")
    for ring in rings:
        print(f"         {', '.join(ring)}")
    there, total = documented()
    print(f"{there / total:7.1%}  of {total:,} public classes and functions have a docstring")
    return 0


if __name__ == "__main__":
    sys.exit(main())
