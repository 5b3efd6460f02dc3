"""The files that ``check`` writes: bad places are refused before the run, and each file is written on its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from explorer.cli.exits import CannotStart, UsageFault, ending


def refuse_places(wanted: Mapping[str, Path | None], read: Mapping[str, Path | None]) -> None:
    """Checks the places of files before the first request, so that no result is lost because it cannot be written.

    ``wanted``: the files to write, by the name of their option; ``read``: those to read. Raises UsageFault for a folder
    that does not exist, a place that cannot be written, or two options with the same file.
    """
    taken: dict[str, str] = {
        os.path.realpath(path): option for option, path in read.items() if path is not None
    }
    for option, path in wanted.items():
        if path is None:
            continue
        if not path.parent.is_dir():
            raise UsageFault(f"There is no folder {path.parent} for {path.name}.")
        if path.is_dir():
            raise UsageFault(f"{path} is a folder: give {option} a file.")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise UsageFault(f"{path} cannot be written: choose another place for {option}.")
        place = os.path.realpath(path)
        if place in taken and not _is_special(path):
            raise UsageFault(f"{taken[place]} and {option} name the same file, {path}: give each its own.")
        taken[place] = option


def write_each(works: Mapping[str, Callable[[], None]]) -> None:
    """Calls one function after another, also after one has failed.

    Raises CannotStart at the end, with a sentence for each that failed.
    """
    failed: list[str] = []
    for work in works.values():
        try:
            work()
        except Exception as error:  # noqa: BLE001 - a file that cannot be written must not prevent the others
            failed.append(ending(error)[0])
    if failed:
        raise CannotStart(" ".join(failed))


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()
