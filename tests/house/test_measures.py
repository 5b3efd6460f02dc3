"""No folder has a circle of imports, wherever the imports stand; the measures see one where there is one."""

from pathlib import Path

import pytest

from tests.house import measures


@pytest.fixture(scope="module")
def imports() -> set[measures.Import]:
    """Those of the whole package, for which each source file is parsed."""
    return measures.imports()


def test_no_circle_inside_a_folder(imports: set[measures.Import]) -> None:
    assert measures.circles(imports) == []


def test_no_import_inside_a_folder_is_hidden_as_one_for_types(imports: set[measures.Import]) -> None:
    hidden = [each for each in imports if each.kind == "typing" and each.inside_a_folder]
    assert hidden == []


def test_the_measures_see_what_is_there(tmp_path: Path) -> None:
    room = tmp_path / "explorer" / "room"
    room.mkdir(parents=True)
    (room / "__init__.py").write_text('"""A room."""\n')
    (room / "a.py").write_text(
        '"""A."""\nfrom typing import TYPE_CHECKING\n'
        "if TYPE_CHECKING:\n    from explorer.room.b import B\n\n\nclass A:\n    pass\n"
    )
    (room / "b.py").write_text(
        '"""B."""\n\n\nclass B:\n    """B."""\n\n    def f(self):\n        from explorer.room import a\n'
    )

    found = measures.imports(tmp_path)

    assert {(each.source, each.target, each.kind) for each in found} == {
        ("explorer.room.a", "explorer.room.b", "typing"),
        ("explorer.room.b", "explorer.room.a", "function"),
    }
    assert measures.circles(found) == [["explorer.room.a", "explorer.room.b"]]
    assert measures.single_importers(found) == ["explorer.room.a", "explorer.room.b"]
    assert measures.documented(tmp_path) == (1, 3)
    assert sum(measures.lines(tmp_path).values()) == 17
