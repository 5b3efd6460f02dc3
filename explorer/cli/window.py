"""Opens the window; its few arguments are parsed here, because importing the command line's parser takes time."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import NamedTuple

from explorer.paths import Folders


class WindowArguments(NamedTuple):
    """The arguments with which a window opens."""

    home: str | None = None
    profile: str | None = None
    connection_id: str | None = None


def read_window_arguments(arguments: Sequence[str]) -> WindowArguments | None:
    """The arguments when they only open a window; None when the command line has to parse them."""
    found: dict[str, str] = {}
    rest = list(arguments)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name not in ("--home", "--profile", "--connection-id"):
            return None
        if not equals:
            if not rest or rest[0].startswith("-"):
                return None
            value = rest.pop(0)
        if not value:
            return None
        found[name.removeprefix("--").replace("-", "_")] = value
    return WindowArguments(**found)


WINDOW = (
    "pydantic_core.core_schema",
    "pydantic.main",
    "explorer.catalog.spec",
    "explorer.catalog.builtin.crm",
    "explorer.catalog.builtin.accounting",
    "explorer.catalog.interfaces",
    "explorer.profiles.book",
    "explorer.profiles.secrets",
    "explorer.ui.kit.notices",
    "explorer.ui.kit.json_view",
    "explorer.ui.inspector.inspector",
    "explorer.ui.log.request_log",
    "explorer.ui.frame.palette",
    "explorer.ui.profiles.profiles_dialog",
    "explorer.ui.app.window_parts",
    "explorer.ui.app.application",
)
"""The modules of the window, imported in steps of some ten milliseconds, with the event loop running in between."""
SESSION = (
    "explorer.api.client",
    "explorer.store.store",
    "explorer.session.query_result",
    "explorer.session.session",
    "explorer.ui.pages.list.list_head",
    "explorer.ui.pages.list.list_tools",
    "explorer.ui.pages.list.list_page",
)
"""The modules of its pages, imported while the sandbox starts or the key is read."""
NO_WINDOW = (
    "This installation has the command line alone. Install unified-explorer to have the window, "
    "or give a command (see unified-explorer --help)."
)
MISSING_LIBRARY = (
    "The window cannot open, as this system has no {}. Install what Qt needs (on Debian and Ubuntu: libegl1 libgl1 "
    "libfontconfig1 libxkbcommon0 libdbus-1-3 libglib2.0-0). "
    "The command line works without it: unified-explorer --help."
)
IN_THREAD = frozenset(("pydantic_core.core_schema", "pydantic.main"))
"""Imported in a thread: the slow ones that import no module of this program."""


def has_window() -> bool:
    """False where the command line was installed alone (packaging/cli_wheel.py), which brings no Qt."""
    return find_spec("explorer.ui") is not None


def open_window(arguments: WindowArguments, told: Callable[[str], object] = lambda _: None) -> int:
    """Opens the window; returns its exit code when it is closed. ``told`` is called with each step of the start."""
    if not has_window():
        sys.stderr.write(NO_WINDOW + "\n")
        return 3  # Exit.CANNOT_START, whose module nothing else here needs
    gc.disable()  # as `__main__.prepare` does; the event loop enables them again
    try:
        from explorer.ui.app import opening
    except ImportError as error:
        if not (missing := re.match(r"(\S+\.so\S*): cannot open shared object", str(error))):
            raise
        sys.stderr.write(MISSING_LIBRARY.format(missing[1]) + "\n")
        return 3
    folders = Folders.of_user(arguments.home)
    return opening.run(
        folders,
        arguments.profile,
        arguments.connection_id,
        ahead=WINDOW,
        later=SESSION,
        in_thread=IN_THREAD,
        told=told,
        again=lambda: start_again(arguments.home),
    )


def start_again(home: str | None) -> None:
    """Starts the program's window in a process of its own, on what was open last."""
    import os  # here, at the end of a window
    import subprocess

    from explorer.worker_main import own_command, own_environment

    command = own_command(*(("--home", home) if home else ()))
    subprocess.Popen(command, env=own_environment(os.environ))
