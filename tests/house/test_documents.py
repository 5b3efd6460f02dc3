"""What the documents point at is there, and what they promise to start can be started."""

import re
import subprocess
import sys

import pytest

from tests.house.sources import ROOT

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "packaging").rglob("*.md")])


@pytest.mark.parametrize(
    "name", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"]
)
def test_the_document_is_there(name: str) -> None:
    assert (ROOT / name).stat().st_size > 200


def test_links_lead_somewhere() -> None:
    broken = []
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)|(?:src|srcset)=\"([^\"]+)\"", text):
            link = target[0] or target[1]
            if "://" not in link and not (document.parent / link).exists():
                broken.append(f"{document.relative_to(ROOT).as_posix()} → {link}")
    assert not broken, "\n".join(broken)


def test_commands_of_the_documents_exist() -> None:
    listed = subprocess.run(
        [sys.executable, str(ROOT / "packaging" / "dev.py"), "help"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    offered = set(re.findall(r"^  (\w+)", listed, re.MULTILINE))
    named = {
        name
        for document in DOCUMENTS
        for name in re.findall(r"(?:\./dev|packaging/dev\.py) ([a-z]+)", document.read_text(encoding="utf-8"))
    }
    assert {"run", "test"} <= named
    assert named <= offered


def test_every_package_stands_in_the_architecture() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    packages = {
        path.stem if path.is_file() else path.name
        for path in (ROOT / "explorer").iterdir()
        if not path.name.startswith(("__", "_", "."))
    }
    assert not {name for name in packages if not re.search(rf"\b{name}\b", page)}


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "docs/design.md"])
def test_every_file_that_is_named_is_there(name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    there = [
        path.relative_to(ROOT).as_posix()
        for path in ROOT.glob("[a-z]*/**/*")
        if "__pycache__" not in path.parts
    ]
    named = set(re.findall(r"`([\w/.]+(?:\.py|\.sh|/))`", page))
    assert len(named) > 20
    assert not [
        one for one in named if not any(f"/{path}/".endswith(f"/{one.strip('/')}/") for path in there)
    ]


def test_the_reading_order_of_the_mapping_names_its_modules() -> None:
    folder = ROOT / "explorer" / "quality" / "mapping"
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    named = set(re.findall(r"`(\w+)`", (folder / "__init__.py").read_text(encoding="utf-8")))
    assert modules == named
