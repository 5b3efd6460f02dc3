"""The way to the window: its few arguments, read without the command line's own parser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WindowArguments:
    """What may be said when a window opens."""

    home: str | None = None
    profile: str | None = None
    connection_id: str | None = None


def read_window_arguments(arguments: Sequence[str]) -> WindowArguments | None:
    """The arguments if they ask for a window and nothing else, or None: then the command line reads them."""
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


def open_window(arguments: WindowArguments) -> int:
    """Opens the window and returns its exit code when it has been closed."""
    from explorer.paths import Folders
    from explorer.ui import application

    folders = Folders.of_user(arguments.home)
    return application.run(folders, arguments.profile, connection=arguments.connection_id)
