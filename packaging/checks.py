"""The checks that a change has to pass, in the order in which they are cheapest to fail."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from places import BUILD, ROOT, say, script

SPREAD = ["-n", "auto", "--dist", "worksteal"]
"""The whole suite, over all cores. The tests of one file share what takes long to make: each worker begins with a
stretch of neighbours, and one that is done takes half of another's. `loadfile` keeps files together always, but where
a worker is lost (a test that passes its time ends it) it gives the lost test out again and again, or waits for ever.
"""

_BYTECODE = BUILD / "bytecode"


def run_all(pytest_arguments: list[str], *, fix: bool) -> int:
    """Format, lint, types, import rules, tests. All of them run; 0 only when all passed.

    With `fix` the formatter and the linter's safe corrections are applied first. pytest comes last, so that
    its closing line ends a run that passed.
    """
    steps: list[tuple[str, list[str]]] = []
    if fix:
        steps += [
            ("ruff check --fix", [str(script("ruff")), "check", "--fix", "--quiet", "--exit-zero", "."]),
            ("ruff format", [str(script("ruff")), "format", "--quiet", "."]),
        ]
    steps += [
        ("ruff format --check", [str(script("ruff")), "format", "--check", "."]),
        ("ruff check", [str(script("ruff")), "check", "."]),
        ("mypy", [str(script("mypy")), "--num-workers", "auto"]),
        ("import rules", [str(script("lint-imports"))]),
        ("pytest", [str(script("python")), "-m", "pytest", *(pytest_arguments or SPREAD)]),
    ]
    environment = surroundings(os.environ)
    failed = []
    for name, command in steps:
        say(f"── {name}")
        readied = (
            _compiled(environment) if name == "mypy" and not pytest_arguments else contextlib.nullcontext()
        )
        with readied:
            if subprocess.run(command, check=False, cwd=ROOT, env=environment).returncode:
                failed.append(name)
    if failed:
        say(f"Not passed: {', '.join(failed)}.")
    return 1 if failed else 0


def surroundings(given: Mapping[str, str]) -> dict[str, str]:
    """The environment of the steps: no screen, and bytecode is kept.

    Containers usually keep none. The tests start hundreds of processes, and each would compile all its sources again.
    """
    environment = {**given, "QT_QPA_PLATFORM": "offscreen"}
    if environment.pop("PYTHONDONTWRITEBYTECODE", ""):
        environment["PYTHONPYCACHEPREFIX"] = str(_BYTECODE)
    return environment


@contextlib.contextmanager
def _compiled(environment: Mapping[str, str]) -> Iterator[None]:
    """Meanwhile, on a fresh checkout, the tests are compiled, once: else each of pytest's workers does that, in step
    with the others, three times for 11 s. What is wrong with one is said when they are run.
    """
    kept = Path(environment.get("PYTHONPYCACHEPREFIX", ROOT / "tests" / "__pycache__"))
    if any(kept.rglob("conftest.*-pytest-*.pyc")):
        yield
        return
    command = [str(script("python")), "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=quiet, stdout=quiet, stderr=quiet):
        yield
