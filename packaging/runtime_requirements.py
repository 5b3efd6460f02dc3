"""Prints the part of the lock that the program runs on, for packages that carry their libraries with them.

Reads the "via" notes that the lock keeps: a package stays when the project asks for it outside the test extra
and the build group, or when a package that stays asks for it.
"""

from __future__ import annotations

import re
import sys

import cli_wheel
from places import PYPROJECT, REQUIREMENTS


def blocks() -> dict[str, list[tuple[str, set[str]]]]:
    """By name: each locked block's text, and who asks for it ("" is the project itself)."""
    found: dict[str, list[tuple[str, set[str]]]] = {}
    for text in re.split(r"^(?=\S+==)", REQUIREMENTS.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        name = text.split("==")[0]
        notes = re.findall(r"^ +# +(?:via +)?(\S.*)$", text, re.MULTILINE)
        found.setdefault(name, []).append((text, {note for note in notes if note != "via"}))
    return found


def asked_by_the_program(project_file: str) -> set[str]:
    """The names under [project] dependencies of a project file's text, as the lock spells them."""
    import tomllib

    listed = tomllib.loads(project_file)["project"]["dependencies"]
    return {re.split(r"[<>=!;\[ ]", each)[0].lower().replace("_", "-").replace(".", "-") for each in listed}


def runtime(project_file: str) -> list[str]:
    """The blocks of all packages that the project file's program needs, directly or through another."""
    return needed(asked_by_the_program(project_file))


def needed(staying: set[str]) -> list[str]:
    """The blocks of the packages of these names and of all that they need."""
    locked = blocks()
    while True:
        more = {
            name
            for name, versions in locked.items()
            if name not in staying and any(staying & askers for _, askers in versions)
        }
        if not more:
            return [text for name in sorted(staying) for text, _ in locked[name]]
        staying = staying | more


def of_command_line() -> str:
    """The lock of the wheel `unified-explorer-cli`."""
    return "".join(runtime(cli_wheel.project_file(PYPROJECT.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    # --cli: of the command line alone; --build: and of what builds it from its sources.
    text = PYPROJECT.read_text(encoding="utf-8")
    asked = asked_by_the_program(cli_wheel.project_file(text) if "--cli" in sys.argv else text)
    print("".join(needed(asked | ({"hatchling"} if "--build" in sys.argv else set()))))
