"""Every dependency has its reason, version and hash, and the two ways of asking for the tests agree."""

import re
import tomllib
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import runtime_requirements
from tests.house.sources import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = "".join(
    (ROOT / "packaging" / name).read_text(encoding="utf-8") for name in ("requirements.txt", "freeze.txt")
)


def asked_for() -> set[str]:
    """The names of all packages that pyproject.toml asks for, for whatever purpose."""
    listed = [
        *PROJECT["project"]["dependencies"],
        *PROJECT["project"]["optional-dependencies"]["test"],
        *PROJECT["dependency-groups"]["build"],
        *PROJECT["dependency-groups"]["freeze"],
    ]
    return {canonicalize_name(Requirement(each).name) for each in listed}


def locked() -> dict[str, list[Requirement]]:
    """The locked requirements by name; a name stands twice where versions differ by Python."""
    found: dict[str, list[Requirement]] = {}
    for line in re.findall(r"^(\S+==.*?) \\$", LOCK, re.MULTILINE):
        requirement = Requirement(line)
        found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


def test_each_dependency_has_its_reason() -> None:
    reasons = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    given = {canonicalize_name(name) for name in re.findall(r"^\| `([\w.-]+)` \|", reasons, re.MULTILINE)}
    assert given == asked_for()


def test_extra_and_group_ask_for_the_same() -> None:
    assert PROJECT["project"]["optional-dependencies"]["test"] == PROJECT["dependency-groups"]["test"]


def test_the_lock_covers_what_is_asked_for() -> None:
    pins = locked()
    for each in PROJECT["project"]["dependencies"] + PROJECT["dependency-groups"]["test"]:
        wanted = Requirement(each)
        for pin in pins[canonicalize_name(wanted.name)]:
            if wanted.marker is None or (
                pin.marker is not None and ("<" in str(pin.marker)) == ("<" in each[-9:])
            ):
                version = next(iter(pin.specifier)).version
                assert wanted.specifier.contains(version, prereleases=True), f"{each}: locked at {version}"
    assert asked_for() <= set(pins)


def test_every_pin_has_hashes_and_no_address() -> None:
    blocks = re.split(r"^(?=\S+==)", LOCK, flags=re.MULTILINE)[1:]
    assert len(blocks) == sum(len(each) for each in locked().values()) > 20
    for block in blocks:
        assert "--hash=sha256:" in block, block
    assert "://" not in LOCK
    assert "index-url" not in LOCK


def test_python_311_never_gets_the_qt_that_aborts_on_it() -> None:
    on_311 = {"python_full_version": "3.11.9", "python_version": "3.11"}
    for pin in locked()["pyside6-essentials"]:
        if pin.marker is None or pin.marker.evaluate(on_311):
            major, minor = next(iter(pin.specifier)).version.split(".")[:2]
            assert (int(major), int(minor)) < (6, 12)


def test_an_installed_program_carries_what_it_runs_on_and_no_more() -> None:
    names = {
        block.split("==")[0]
        for block in runtime_requirements.runtime((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    }
    direct = {canonicalize_name(Requirement(each).name) for each in PROJECT["project"]["dependencies"]}
    assert direct | {"anyio", "httpcore", "shiboken6"} <= names
    assert not {"pytest", "mypy", "ruff", "hatchling", "uv", "hypothesis"} & names
