"""Every source file is tested under its own name, or with the neighbour it is a part of, or stands here with a reason.

A test file of its own is the rule (tests/mirror follows explorer/, tests/gui holds the window's). A part split off a
larger file is tested with it: a test imports the part, or a file of the same package that is tested imports it.
"""

import ast
from pathlib import Path

from tests.house.sources import PACKAGE, ROOT, imports

# Path below explorer/, of a file or (with a slash at its end) of a folder, and the reason.
WITHOUT: dict[str, str] = {
    "__main__.py": "one call; tests/flow starts the program through it",
    "cli/compare.py": "found by name; tests/flow/test_comparison_by_command_line.py runs it",
    "cli/ledger.py": "found by name; tests/flow/test_comparison_by_command_line.py runs it",
    "cli/serve.py": "found by name; tests/flow/test_serve.py runs it",
    "cli/snapshot.py": "found by name; tests/flow/test_comparison_by_command_line.py runs it",
    "faults/answers.py": "each kind is met over HTTP: tests/mirror/sandbox/test_weather.py",
    "faults/wire.py": "a socket is needed: tests/mirror/sandbox/test_weather.py",
    "sandbox/": "a service is tested from outside, over HTTP: tests/mirror/sandbox and tests/flow",
}


def says_nothing(path: Path) -> bool:
    """True for a module that holds a docstring, names and imports and does nothing by itself."""
    idle = ast.Expr | ast.Import | ast.ImportFrom | ast.Assign | ast.AnnAssign
    return all(isinstance(each, idle) for each in ast.parse(path.read_text("utf-8")).body)


def candidates(below: str) -> list[str]:
    """Where the test of a source file may stand: in the mirror, and for the window also among the pages."""
    folder, _, name = below.rpartition("/")
    stem = name.removesuffix(".py")
    if stem == "__init__":
        folder, _, stem = folder.rpartition("/")
    places = [f"tests/mirror/{folder}/test_{stem}.py".replace("//", "/")]
    if below.startswith("ui/"):
        places += [
            f"tests/gui/test_{stem}.py",
            f"tests/gui/{folder.removeprefix('ui').lstrip('/')}/test_{stem}.py".replace("//", "/"),
        ]
    return places


def imported_by_tests() -> set[str]:
    """The dotted names of all modules that a test imports; the house rules do not count."""
    tests = [path for path in (ROOT / "tests").rglob("test_*.py") if path.parent.name != "house"]
    return set().union(*map(imports, tests))


def has_own_test(below: str) -> bool:
    """True when a test file of this source's name is there."""
    return any((ROOT / place).exists() for place in candidates(below))


def excused(below: str) -> bool:
    """True when the file or one of its folders is on the list."""
    return any(below == entry or (entry.endswith("/") and below.startswith(entry)) for entry in WITHOUT)


def dotted_name(path: str) -> str:
    """explorer/api/client.py as explorer.api.client."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def room_of(path: str) -> str:
    """The package of a source file: its first folder below explorer/."""
    return path.split("/")[1]


def test_every_source_file_is_tested() -> None:
    sources = [path.relative_to(ROOT).as_posix() for path in sorted(PACKAGE.rglob("*.py"))]
    named = imported_by_tests()
    tested = {
        path: imports(ROOT / path)
        for path in sources
        if dotted_name(path) in named or has_own_test(path.removeprefix("explorer/"))
    }
    bare = []
    for path in sources:
        if path in tested or excused(path.removeprefix("explorer/")):
            continue
        if path.endswith("__init__.py") and says_nothing(ROOT / path):
            continue
        if not any(room_of(each) == room_of(path) and dotted_name(path) in tested[each] for each in tested):
            bare.append(path)
    assert not bare, "nothing tests:\n" + "\n".join(bare)


def test_the_list_is_short_and_true() -> None:
    assert len(WITHOUT) <= 8
    for below in WITHOUT:
        assert (PACKAGE / below).exists(), f"{below} is gone"
        assert below.endswith("/") or not has_own_test(below), f"{below} has a test by now"


def test_every_mirror_test_has_its_room() -> None:
    mirror = ROOT / "tests" / "mirror"
    lost = [
        path.relative_to(ROOT).as_posix()
        for path in sorted(mirror.rglob("test_*.py"))
        if not (PACKAGE / path.parent.relative_to(mirror)).is_dir()
    ]
    assert not lost, f"no folder of this name in explorer/: {lost}"
