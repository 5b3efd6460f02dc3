"""The files that ``check`` leaves: each whole or not at all, and none lost or overwritten for another."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path

from explorer.cli.exits import CannotStart, UsageFault, ending


def refuse_places(wanted: Mapping[str, Path | None], read: Mapping[str, Path | None]) -> None:
    """Looks at the places of files before anything is asked, so that nothing that was found is lost for want of one.

    ``wanted`` are files to write by the name of their option, ``read`` those that are read. Raises UsageFault.
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


def write_whole(path: Path, text: str) -> None:
    """Puts a text into a file as a whole or not at all; what is no file (a pipe, a device) is written to as it is.

    Raises OSError with the name of the file that was meant.
    """
    data = text.encode("utf-8")
    target = Path(os.path.realpath(path))
    try:
        if _is_special(path):
            with path.open("wb") as device:
                device.write(data)
            return
        part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
        try:
            with part.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                part.chmod(target.stat().st_mode & 0o777)
            part.replace(target)
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno, error.strerror or type(error).__name__, str(path)) from None


def write_each(works: Mapping[str, Callable[[], None]]) -> None:
    """Does one work after another, whatever becomes of those before.

    Raises CannotStart at the end, with a sentence for each that failed.
    """
    failed: list[str] = []
    for work in works.values():
        try:
            work()
        except (OSError, CannotStart) as error:
            failed.append(ending(error)[0])
    if failed:
        raise CannotStart(" ".join(failed))


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()
