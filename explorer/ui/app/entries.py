"""What the palette offers, each as an entry: pages, commands, profiles, connections, and what a pasted text leads to.

Pasting sends nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from explorer.catalog.registry import Registry
from explorer.ui.app.window import Window
from explorer.ui.frame.palette import Entry
from explorer.ui.kit.actions import Commands
from explorer.ui.own_pages import SNAPSHOTS, verticals

if TYPE_CHECKING:
    from explorer.profiles.profile import Profile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from explorer.api.errors import ExplorerError
from explorer.api.exchange import header_of
from explorer.api.magic_link import read_sent_link
from explorer.api.page_parser import slice_list
from explorer.api.pasted import (
    FilledCall,
    Pasted,
    PastedBundle,
    PastedCall,
    PastedCallNumber,
    PastedFault,
    PastedId,
    PastedLink,
    fill,
    is_secret,
    recognise,
)
from explorer.api.redact import Redactor
from explorer.catalog.spec import Listing, Resource
from explorer.jsontext.members import value_text
from explorer.session import Filter, Query, Session
from explorer.session.connection_client import redactor_of, secrets_of
from explorer.ui.app.navigation import look_at_link, open_page, show_request
from explorer.ui.forms.exact import read, to_draft
from explorer.ui.frame.palette import Offer
from explorer.ui.kit.notices import Kind
from explorer.ui.pages.connect.link_look import expected_of
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.quality.bundle_open import open_bundle
from explorer.ui.records.cells import field_bytes
from explorer.words import count
from explorer.work import cancellable, in_thread


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


_PASTED = "Pasted"


def offer(window: Window, text: str) -> Offer:
    """The entries for ``text``, and whether the palette hides it: it is, or has, a credential."""
    session = window.session
    redactor = redactor_of(session) if session is not None else Redactor(())
    found = recognise(text, window.registry.interface.key_header)
    entries = [entry for one in found for entry in _entries(window, one)]
    known = {connection for profile in window.desk.profiles.all() for connection in profile.connections}
    searched = not found or (isinstance(found[0], PastedId) and found[0].text not in known)
    return Offer(entries, hides=is_secret(text, redactor), alone=not searched)


def _entries(window: Window, pasted: Pasted) -> Iterator[Entry]:
    if isinstance(pasted, PastedLink):
        yield _of_link(window, pasted)
    elif isinstance(pasted, PastedCall):
        yield from _of_call(window, pasted)
    elif isinstance(pasted, PastedFault):
        yield Entry(pasted.sentence, "cURL", _nothing)
    elif isinstance(pasted, PastedBundle):
        path = Path(pasted.path)
        run = partial(open_bundle, window, window.tasks, window.notices, path)
        yield Entry("Open evidence bundle", _PASTED, run, detail=path.name)
    elif isinstance(pasted, PastedCallNumber):
        yield _of_number(window, pasted.number)
    else:
        yield from _of_id(window, pasted)


def _of_link(window: Window, pasted: PastedLink) -> Entry:
    reading = read_sent_link(pasted.text, expected_of(window.session))
    return Entry(
        "Look at this link", "Link", partial(look_at_link, window, pasted.text), detail=reading.sentence
    )


def _of_call(window: Window, pasted: PastedCall) -> Iterator[Entry]:
    kind = "Address" if pasted.is_address else "cURL"
    profile = window.profile
    if pasted.is_address:
        yield from _profiles_at(window, pasted)
    if profile is None or window.session is None:
        return
    session = window.session
    here = session.connection
    fill_for = partial(fill, pasted.command, session.registry, profile.base_url, secrets=secrets_of(session))
    made = fill_for(here)
    if isinstance(made, FilledCall):
        meant = header_of(pasted.command.headers, session.registry.interface.connection_header)
        there = fill_for(meant) if meant != here and meant in profile.connections else None
        if isinstance(there, FilledCall):
            yield _filling(window, there, kind, meant, f"in {meant}, which is opened; ")
        yield _filling(window, made, kind, here, f"in {here}; " if there is not None else "")
    elif not pasted.is_address or urlsplit(pasted.command.url).netloc == urlsplit(profile.base_url).netloc:
        yield Entry(made, kind, _nothing)


def _filling(window: Window, made: FilledCall, kind: str, connection: str, where: str) -> Entry:
    what = "Fill the parameters of" if isinstance(made.operation, Listing) else "Fill the form of"
    left = f"; {count(len(made.notes), 'part')} left out or changed" if made.notes else ""
    run = partial(window.do_on, connection, partial(fill_page, window, made))
    return Entry(f"{what} {made.operation.title}", kind, run, detail=f"{where}nothing is sent{left}")


def _profiles_at(window: Window, pasted: PastedCall) -> Iterator[Entry]:
    """Other profiles of that address."""
    host = urlsplit(pasted.command.url).netloc.lower()
    for profile in window.desk.profiles.all():
        other = window.profile is None or profile.id != window.profile.id
        if other and urlsplit(profile.base_url).netloc.lower() == host:
            run = partial(window.profile_wanted.emit, profile.id)
            yield Entry(f"Switch to {profile.name}", "Profile", run, detail=profile.base_url.split("://")[-1])


def _of_number(window: Window, number: int) -> Entry:
    exchange = window.session.exchanges.get(number) if window.session is not None else None
    if exchange is None:
        return Entry(f"The request log has no call {number}", _PASTED, _nothing)
    detail = f"{exchange.method} {exchange.path}"
    return Entry(
        f"Show call {number} in the request log",
        _PASTED,
        partial(show_request, window, number),
        detail=detail,
    )


def _of_id(window: Window, pasted: PastedId) -> Iterator[Entry]:
    """A connection that a profile has, a new one by its beginning, and any id to be looked for in what is stored."""
    profiles = window.desk.profiles.all()
    known = [one for one in profiles if pasted.text in one.connections]
    for profile in known:
        yield _switch(window, profile, pasted.text)
    current = window.profile
    if not known and current is not None and _is_like(pasted.text, profiles):
        run = partial(window.connection_wanted.emit, pasted.text)
        yield Entry(f"Use the connection {pasted.text}", "Connection", run, detail=f"new in {current.name}")
    if not known and window.session is not None:
        run = partial(find_stored, window, pasted.text)
        yield Entry(
            f"Look for {pasted.text} in what is stored", "Record", run, detail="lists of this profile"
        )


def _switch(window: Window, profile: Profile, connection: str) -> Entry:
    current = window.profile
    if current is None or profile.id != current.id:
        run = partial(window.profile_saved.emit, profile.with_connection(connection), True)
        return Entry(f"Switch to {connection}", "Connection", run, detail=f"in {profile.name}")
    if connection == current.connection:
        return Entry(f"{connection} is the connection in use", "Connection", _nothing, detail=current.name)
    return Entry(
        f"Switch to {connection}",
        "Connection",
        partial(window.connection_wanted.emit, connection),
        detail=current.name,
    )


def _is_like(text: str, profiles: Sequence[Profile]) -> bool:
    """Whether it begins as connection ids do: ``conn_``, or as one that a profile has, up to its first underscore."""
    begun, underscore, rest = text.partition("_")
    known = {"conn"} | {c.partition("_")[0] for one in profiles for c in one.connections if "_" in c}
    return bool(underscore and rest) and begun in known


def fill_page(window: Window, call: FilledCall) -> None:
    """Open the page of ``call`` with its form filled in. Nothing is sent: a list is asked for when the user says so."""
    # With the first page of its kind: the palette opens before that.
    from explorer.ui.call.call_page import CallPage

    resource = next(r for r in window.registry.resources() if call.operation in r.operations)
    page = open_page(window, resource.key, asks=False)
    extra = [list(pair) for pair in call.extra]
    if isinstance(page, CallPage):
        page.choose(resource.operations.index(call.operation))
        draft: dict[str, Any] = {"path": call.path, "query": call.query, "extra": extra}
        if call.body is not None:
            draft |= {"free": call.body} if call.operation.free_body else {"body": to_draft(read(call.body))}
        page.pane.load(draft)
    elif isinstance(page, ListPage):
        page.head.set_asked(call.query, list(call.extra))
        if page.pull is None:
            page.restored = True
        elif page.restored and not page.pull.pages and not page.tasks.busy():
            page.pulls.take(fetch=False)  # so that Load all is for these parameters
    else:
        return
    kind: Kind = "caution" if call.notes else "info"
    title = f"{call.operation.title} is filled in, nothing was sent"
    window.notices.tell(kind, title, " ".join(call.notes), subject="pasted")


def find_stored(window: Window, ident: str) -> None:
    """Look for a record's id in what is stored of the open connection, and go to the first row that has it."""
    if window.session is not None:
        window.tasks.start("find stored", _find_stored(window, window.session, ident))


async def _find_stored(window: Window, session: Session, ident: str) -> None:
    try:
        found = await _first_stored(session, ident)
        other = await in_thread(_stored_elsewhere, session, ident) if found is None else None
    except ExplorerError:
        if window.session is session:  # else it was left meanwhile, which is no fault
            raise
        return
    if window.session is not session:
        return
    if found is not None:
        title, key, row = found
        _go_to_row(window, key, row)
        if title:
            where = f"It is row {row:,} of {session.registry.resource(key).title}."
            window.notices.tell("info", title, where, subject="pasted")
        return
    title = f"{ident} is in no current row{f' of {session.connection}' if session.connection else ''}"
    if other is None:
        await _find_kept(window, session, ident, title)
        return
    connection, resource, row = other
    where = f"{connection} has it: {resource.title}, row {row:,}."
    go = partial(window.do_on, connection, partial(_go_to_row, window, resource.key, row, ident))
    window.notices.tell("info", title, where, (f"Show it in {connection}", go), subject="pasted")


async def _find_kept(window: Window, session: Session, ident: str, title: str) -> None:
    """Say which earlier pull or snapshot has the id, else that all was looked at."""
    kept = await cancellable(partial(_kept_row, session, ident))
    if window.session is not session:
        return
    if kept is None:
        where = "Earlier pulls, snapshots and the profile’s other connections do not have it as an id either."
        window.notices.tell("info", title, where, subject="pasted")
        return
    where = f"It was in {kept[0]}, row {kept[1]:,}. Compare that with the current rows to see it."
    go = ("Open Snapshots", partial(window.open_page, SNAPSHOTS.key))
    window.notices.tell("info", title, where, go, subject="pasted")


def _kept_row(session: Session, ident: str, wanted: Callable[[], bool]) -> tuple[str, int] | None:
    """What has a record of that id beside the current rows: its name and the row, from 1. For a thread."""
    # Not at the top: a window's start needs no comparison.
    from explorer.quality.compare.names import at_hand
    from explorer.quality.compare.snapshots import Snapshots
    from explorer.ui.pages.snapshots.compare_choice import Comparable

    folders, profile = session.folders, session.profile
    known, _ = Snapshots.of_profile(folders, profile.id).all()
    pulls = (one for one in at_hand(folders, profile) if one.back or one.parameters)
    for one in (*map(Comparable, pulls), *map(Comparable, known)):
        with one.open(folders, profile, wanted) as rows:
            for leaf in rows.leaves():
                for row, record in enumerate(leaf.records(), leaf.first + 1):
                    held = field_bytes(record, "id")
                    if held is not None and value_text(held) == ident:
                        return one.title, row
    return None


def _go_to_row(window: Window, key: str, row: int, ident: str = "") -> None:
    page = open_page(window, key, asks=False)
    if page is not None:
        page.show_place(row, None, ident=ident)


def _stored_elsewhere(session: Session, ident: str) -> tuple[str, Resource, int] | None:
    """Another connection of the profile with a record of that id, its list and the row, from 1. For a thread."""
    for connection in session.profile.connections:
        for resource in session.registry.listings() if connection != session.connection else ():
            row = _stored_row(session, session.registry.listing(resource.key), connection, ident)
            if row is not None:
                return connection, resource, row
    return None


def _stored_row(session: Session, listing: Listing, connection: str, ident: str) -> int | None:
    stored = session.stored(listing, connection) if "id" in listing.record.model_fields else None
    number, before = 1, 0
    while stored is not None and (answer := stored.answer(number)) is not None:
        records = slice_list(answer.body, listing.envelope).records or ()
        for row, record in enumerate(records, before + 1):
            held = field_bytes(record, "id")
            if held is not None and value_text(held) == ident:
                return row
        number, before = number + 1, before + len(records)
    return None


async def _first_stored(session: Session, ident: str) -> tuple[str, str, int] | None:
    """What to say, the list, and the row, from 1, that has the id, else one that mentions it.

    Nothing is to be said of the only record with the id. Read in the store's own threads.
    """
    by_id = Query(filters=(Filter("id", "equals", ident),))
    alone = rf"(?<!\w)(?<!\d[.:+-]){re.escape(ident)}(?!\w)(?![.:+-]\d)"  # no piece of a number or of a time
    for question in (by_id, Query(find=alone, regex=True, case=True)):
        for resource in session.registry.listings():
            listing = session.registry.listing(resource.key)
            pull = session.pull(listing, {})
            if not pull.rows or (question is by_id and "id" not in listing.record.model_fields):
                continue
            found = await pull.view(question)
            found.cancel()
            if found.rows:
                said = f"No current record has the id {ident}: one that mentions it is shown"
                if question is by_id:
                    many = f"{found.rows:,} records have the id {ident}: the first one is shown"
                    said = many if found.rows > 1 else ""
                return said, resource.key, found.row(0) + 1
    return None


def _nothing() -> None:
    """Does nothing: the entry is only a sentence."""
