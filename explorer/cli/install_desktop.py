"""``install-desktop``: the program's entry and icon in the user's own menu of programs."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from explorer import APP_ID
from explorer.cli import options
from explorer.cli.exits import CannotStart
from explorer.cli.forms import done
from explorer.cli.window import NO_WINDOW, has_window
from explorer.files import write_whole
from explorer.paths import resource

ON_LINUX = sys.platform.startswith(("linux", "freebsd"))
ENTRY = f"applications/{APP_ID}.desktop"
PICTURE = "icons/app.svg"
ICON = f"icons/hicolor/scalable/apps/{APP_ID}.svg"


def install_desktop(
    remove: Annotated[bool, typer.Option("--remove", help="Take entry and icon out again.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Put the program into your menu of programs (Linux), for you alone."""
    if not ON_LINUX:
        raise CannotStart(
            "Only desktops on Linux have such entries: on Windows and macOS an installer makes them."
        )
    if not has_window():
        raise CannotStart(NO_WINDOW)
    import platformdirs  # as in explorer.paths

    shared = platformdirs.user_data_path()
    if remove:
        there = [path for path in (shared / ENTRY, shared / ICON) if path.exists()]
        for path in there:
            path.unlink()
        words = "\n".join(f"Removed {path}" for path in there) or "There was nothing to remove."
        done(as_json, words, removed=[str(path) for path in there])
        return
    entry = resource(f"desktop/{APP_ID}.desktop").read_text(encoding="utf-8")
    entry = re.sub(r"(?m)^Exec=.*$", lambda _: f"Exec={_exec(_command())}", entry)
    for name, data in ((ENTRY, entry.encode()), (ICON, resource(PICTURE).read_bytes())):
        (shared / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(shared / name, data, private=False)
    written = [str(shared / ENTRY), str(shared / ICON)]
    done(as_json, "\n".join(f"Wrote {path}" for path in written), files=written)


def _command() -> list[str]:
    """What starts the program that runs now, wherever it is called from."""
    if getattr(sys, "frozen", False):
        return [sys.executable]
    called = shutil.which(sys.argv[0])
    if called and Path(called).name.startswith("unified-explorer"):
        return [str(Path(called).absolute())]
    return [sys.executable, "-m", "explorer"]


def _exec(words: list[str]) -> str:
    """The words as the value of ``Exec``, by the Desktop Entry Specification: quoted, then escaped like any value."""
    quoted = ('"' + re.sub(r'(["`$\\])', r"\\\1", word).replace("%", "%%") + '"' for word in words)
    return " ".join(quoted).replace("\\", "\\\\")
