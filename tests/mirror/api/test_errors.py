"""The tree of errors: the drawing in its docstring is the tree in the code, exit codes included."""

from __future__ import annotations

import inspect
import re

from explorer.api import errors


def test_the_drawing_is_the_tree() -> None:
    """Each line of the drawing: depth by its bars, name, and the exit code where one is written."""
    drawn: dict[str, tuple[str | None, int | None]] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        match = re.match(r"    ([│ ]*)(?:[├└]── )?(\w+) {2,}.*?(?:exit (\d+))?$", line)
        if match is None or match[2] not in vars(errors):
            continue
        depth = len(match[1]) // 4 + ("── " in line)
        path[depth:] = [match[2]]
        drawn[match[2]] = (path[depth - 1] if depth else None, int(match[3]) if match[3] else None)
    classes = {
        n: c for n, c in vars(errors).items() if inspect.isclass(c) and issubclass(c, errors.ExplorerError)
    }
    assert set(drawn) == set(classes)
    for name, (parent, code) in drawn.items():
        if parent is not None:
            assert classes[name].__bases__ == (classes[parent],), name
        if code is not None:
            assert classes[name].exit_code == code, name


def test_an_error_is_its_sentence() -> None:
    error = errors.NotFound("No such thing.", "Look.", status=404, code="NOT_FOUND", detail="d", exchange=2)
    assert str(error) == "No such thing."
    assert (error.advice, error.status, error.code, error.detail, error.exchange) == (
        "Look.",
        404,
        "NOT_FOUND",
        "d",
        2,
    )
