"""What the palette offers: pages, commands, profiles and connections, each as an entry."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from explorer.catalog.registry import Registry
from explorer.ui.app.window import Window
from explorer.ui.frame.palette import Entry
from explorer.ui.kit.actions import Commands
from explorer.ui.own_pages import verticals

if TYPE_CHECKING:
    from explorer.profiles.profile import Profile


def everything(window: Window) -> list[Entry]:
    """All entries of the palette."""
    return [*pages(window.registry, window.open_page), *commands(window.commands), *_elsewhere(window)]


def elsewhere(window: Window) -> tuple[list[Entry], int]:
    """The entries of profiles and connections, and the place of the profile that was in use before."""
    found = [*_elsewhere(window), Entry("New profile…", "Command", window.new_profile)]
    found += commands(window.commands, ("storage.open",))
    names = [p.name for p in window.desk.profiles.all() if p.id == window.before]
    return found, next((i for i, e in enumerate(found) if e.kind == "Profile" and e.text in names), 0)


def _elsewhere(window: Window) -> Iterator[Entry]:
    yield from profiles(window.desk.profiles.all(), window.profile, window.profile_wanted.emit)
    yield from connections(window.profile, window.connection_wanted.emit)
    for profile in window.desk.profiles.all():
        if window.profile is None or profile.id != window.profile.id:
            yield from connections(profile, partial(window.elsewhere_wanted.emit, profile.id), every=True)


def pages(registry: Registry, open_page: Callable[[str], object]) -> Iterator[Entry]:
    """An entry for each resource."""
    for vertical in verticals(registry):
        for resource in vertical.resources:
            yield Entry(resource.title, "Page", partial(open_page, resource.key), detail=vertical.title)


def commands(known: Commands, only: Collection[str] = ()) -> Iterator[Entry]:
    """An entry for each command that can be used now, except the palette itself; or for each of ``only``."""
    for command in known:
        wanted = command.id in only if only else command.id != "go.palette"
        if wanted and known.usable(command.id):
            keys = known.action(command.id).shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            yield Entry(
                command.text, "Command", partial(known.run, command.id), keys.replace("+", " "), command.group
            )


def profiles(
    all_profiles: tuple[Profile, ...], current: Profile | None, choose: Callable[[str], object]
) -> Iterator[Entry]:
    """An entry for each profile except the one in use."""
    for profile in all_profiles:
        if current is None or profile.id != current.id:
            detail = f"{profile.environment.value} · {profile.base_url.split('://')[-1]}"
            yield Entry(profile.name, "Profile", partial(choose, profile.id), detail=detail)


def connections(
    profile: Profile | None, choose: Callable[[str], object], *, every: bool = False
) -> Iterator[Entry]:
    """An entry for each connection of ``profile`` except the one in use; or for ``every`` one."""
    if profile is not None:
        for connection in profile.connections:
            if every or connection != profile.connection:
                yield Entry(connection, "Connection", partial(choose, connection), detail=profile.name)
