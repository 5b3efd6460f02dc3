"""A session: one open profile with its client, store, journal and request log, for window and command line alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from datetime import datetime
from typing import Any
from weakref import WeakSet

from explorer.api.answer import Answer
from explorer.api.client import Client
from explorer.api.errors import ExplorerError
from explorer.api.exchanges import Exchanges
from explorer.api.guard import Permit
from explorer.api.interface import registry_for
from explorer.api.redact import Redactor
from explorer.api.retry import RetryPolicy
from explorer.catalog.interfaces import registry_of, remake_of
from explorer.catalog.registry import Registry
from explorer.catalog.request import Request
from explorer.catalog.spec import Listing
from explorer.listeners import Listeners
from explorer.paths import Folders
from explorer.profiles.profile import SANDBOX_ID, Auth, Credential, Profile
from explorer.session.connection_test import SECONDS, TestResult, run_connection_test
from explorer.session.journal import Journal
from explorer.session.loading import Loading, LoadOrder
from explorer.session.pull import Pull
from explorer.session.pull_storage import PullStorage, StoredPages, Which, key_of
from explorer.session.request_archive import RequestArchive
from explorer.store.store import Store
from explorer.store.values import PullInfo, PullKey, Standing, StoreFault, standings
from explorer.work import StoreThreads

LOG_BYTES, LOG_CALLS = 8 * 2**20, 2000
"""The most bytes and calls of the request log in memory: the rest is read from the disk."""


class Session:
    """Made by `open`, closed by `close`. Use it on the event loop that opened it (plain asyncio or qasync)."""

    def __init__(
        self,
        profile: Profile,
        credential: Credential | None,
        exchanges: Exchanges,
        store: Store,
        threads: StoreThreads,
        folders: Folders,
    ) -> None:
        """Use `open`, which opens the store in its thread."""
        self._folders = folders
        self._loads_in_process = False
        self._loadings: WeakSet[Loading] = WeakSet()
        self.profile = profile
        self.exchanges = exchanges
        self._credential = credential
        self._client = Client(profile, credential, exchanges)
        self._store = store
        self._threads = threads
        names = self._client.registry.interface.secret_names
        self._own = Redactor(credential.secrets if credential else (), names)
        self._pulls: WeakSet[Pull] = WeakSet()
        self._listeners = Listeners[[]]()
        self.subscribe_pulls = self._listeners.subscribe
        """Takes what is called after each change of state or rows of any pull, on the loop's thread; returns what ends
        that. An answer is in the log before its rows are stored."""
        self._journal: Journal | None = None
        self._closed = False
        self.archive: RequestArchive | None = None
        """The request log on the disk; None where it is somebody else's, or its file cannot be used."""

    @classmethod
    async def open(
        cls,
        profile: Profile,
        credential: Credential | None,
        folders: Folders,
        *,
        exchanges: Exchanges | None = None,
        in_window: bool = False,
    ) -> Session:
        """Opens ``profile`` and its store.

        ``in_window``: the loop paints a window, so Load all runs in a process of its own. ``exchanges``: a log in
        place of the profile's own, which lasts. Raises StoreFault when the store cannot be used at all, ProfileFault
        when the profile names an interface that does not exist.
        """
        registry_for(profile)
        threads = StoreThreads()
        archive, opened = None, ExitStack()
        try:
            store = await threads.write(
                lambda: opened.enter_context(closing(Store.of_profile(folders, profile.id)))
            )
            threads.reap(store.reap)
            # Not `exchanges or …`: an empty log is false, and must be shared all the same.
            if exchanges is None:
                path = store.path.with_suffix(".requests.sqlite3")
                try:
                    archive = await threads.write(
                        lambda: opened.enter_context(closing(RequestArchive(path, threads, store.notices)))
                    )
                    exchanges = Exchanges(budget=LOG_BYTES, most=LOG_CALLS, archive=archive)
                except StoreFault as fault:
                    store.notices.append(f"The request log will not be saved: {fault.sentence}")
                    exchanges = Exchanges()
        except BaseException:
            # When cancelled, what is being opened is opened all the same, before what closes it.
            await threads.close(opened.close)
            raise
        made = cls(profile, credential, exchanges, store, threads, folders)
        made._loads_in_process, made.archive = in_window, archive
        return made

    @property
    def registry(self) -> Registry:
        """The registry of the profile's interface: its resources and operations."""
        return self._client.registry

    @property
    def folders(self) -> Folders:
        """The per-user folders that it was opened with, for what reads the files of the profile by itself."""
        return self._folders

    @property
    def connection(self) -> str:
        """The id of the connection in use; may be empty."""
        return self.profile.connection

    @property
    def withheld(self) -> ExplorerError | None:
        """Why no request can be sent (no key, or plain http that nobody allowed); None when requests can be sent."""
        return self._client.withheld

    @property
    def notices(self) -> Sequence[str]:
        """Sentences for the user about the store: what was set aside or left out when it was opened."""
        return tuple(self._store.notices)

    @property
    def journal(self) -> Journal:
        """The journal of this profile, opened when it is first used.

        Raises StoreFault when the file cannot be used, or the session is closed.
        """
        if self._journal is None:
            if self._closed:
                raise StoreFault("The session is closed.")
            self._journal = Journal(self._store.path.with_suffix(".journal.sqlite3"), self._own)
        return self._journal

    def pull(
        self,
        listing: Listing,
        query: Mapping[str, Any],
        extra: Sequence[tuple[str, str]] = (),
        *,
        which: Which = "front",
    ) -> Pull:
        """A stored pull of that list with those parameters on this connection, or an empty one to begin.

        ``which``: the current one, the newest (a reload under way, where there is one), or the one of an id. No request
        is sent. Raises StoreFault when the store cannot be read, PullMoved when the pull of that id was removed.
        """
        key = key_of(listing, query, extra, self._place)
        storage = PullStorage(key, self._store, self._threads, self._own, which, self.profile.interface)
        name = self.profile.interface
        apart = self._loads_in_process and (self.registry is registry_of() or remake_of(name) is not None)
        loading_process = self._loading if apart else None
        made = Pull(listing, query, extra, storage, self._send_of_pull, loading_process)
        made.subscribe(self._listeners.tell)
        self._pulls.add(made)
        return made

    async def send(
        self,
        request: Request,
        *,
        permit: Permit | None = None,
        credential: Credential | None = None,
        slim: bool = False,
    ) -> Answer:
        """Sends one request, with ``credential`` in place of the profile's own if one is given.

        ``slim``: bodies of pages stay out of the log. Raises ExplorerError and its subclasses.
        """
        return await self._client.send(request, permit=permit, credential=credential, slim=slim)

    def _loading(self, pull: Pull, past: bool) -> Loading:
        """A load process for ``pull``. ``past``: see `LoadOrder`."""
        folders, secret = self._folders, self._credential
        order = LoadOrder(
            profile=self.profile,
            auth=secret.kind if secret else Auth.APIKEY,
            secret=secret.reveal() if secret else "",
            parts=secret.parts if secret else {},
            remake=remake_of(self.profile.interface),
            folders=folders,
            listing=pull.listing.key,
            query=pull.query,
            extra=pull.extra,
            past=past,
            pull=pull.stored_id,
        )
        made = Loading(order, self.exchanges, Redactor(secret.secrets if secret else ()))
        self._loadings.add(made)
        return made

    async def _send_of_pull(self, request: Request, slim: bool) -> Answer:
        return await self._client.send(request, slim=slim)

    async def test(self) -> TestResult:
        """Tests address, key, connection and third-party credentials. Sends reads only; takes 20 s at most."""
        return await test_profile(self.profile, self._credential, self.exchanges)

    def stored(self, listing: Listing, connection: str | None = None) -> StoredPages | None:
        """The current pull of the list without parameters, on this connection or another one of the profile.

        None where no page is stored. Raises StoreFault.
        """
        own, origin = self._place
        place = (own if connection is None else connection, origin)
        front = self._store.standing(key_of(listing, {}, (), place)).front
        return (
            None if front is None or not front.pages else StoredPages(self._store, front, self.exchanges.get)
        )

    def pulled_at(self, listing: Listing) -> datetime | None:
        """When the current pull of the list without parameters was begun; None without one. Raises StoreFault."""
        front = self._store.standing(key_of(listing, {}, (), self._place)).front
        return front.started_at if front is not None else None

    def kept(self) -> dict[str, int]:
        """The number of stored rows of each list of this connection, by the list's key."""
        return {resource: info.rows for resource, info in self._fronts().items()}

    def counts(self, key: PullKey) -> bool:
        """Whether the rows of that pull stand for its list; not while one with other parameters is all of it.

        Raises StoreFault.
        """
        front = self._fronts().get(key.resource)
        return front is None or front.key == key or not self._rank(front)[0]

    def beside(self, key: PullKey) -> PullInfo | None:
        """The current pull of the same list with other parameters than ``key``: one of all of it, else the newest
        complete one, else the newest. Raises StoreFault.
        """
        others = [one for one in self._every_front() if one.key.resource == key.resource and one.key != key]
        return others[-1] if others else None

    def _fronts(self) -> dict[str, PullInfo]:
        """For each list, the current pull that stands for it.

        There is one for each set of parameters: a few rows that were tried with another page size, or what changed
        since, hide no whole list.
        """
        return {info.key.resource: info for info in self._every_front()}

    def _every_front(self) -> list[PullInfo]:
        """The current pulls of all lists, those that stand for theirs behind others."""
        here = [i for i in self._store.pulls() if (i.key.connection, i.key.origin) == self._place]
        fronts = [one.front for one in standings(here).values() if one.front is not None]
        return sorted(fronts, key=self._rank)

    def _rank(self, info: PullInfo) -> tuple[bool, bool, int]:
        """How well a pull stands for its list: complete without a parameter that narrows it, complete, new."""
        complete, (query, extra) = info.state == "complete", info.key.asked
        narrowing = set(query.items())
        with suppress(KeyError):  # a list of an earlier interface
            listing = self.registry.listing(info.key.resource)
            narrowing -= {*listing.whole, (listing.size_param, query.get(listing.size_param))}
        narrowed = extra or narrowing
        return complete and not narrowed, complete, info.id

    def standing(self, key: PullKey) -> Standing:
        """The current, begun and earlier pulls of ``key``. Raises StoreFault."""
        return self._store.standing(key)

    def at_hand(self, listing: Listing) -> Pull | None:
        """The newest current pull of that list on this connection, whatever its parameters, a complete one before
        others; None without one.

        No request is sent. Raises StoreFault when the store cannot be read.
        """
        found = self._fronts().get(listing.key)
        if found is None:
            return None
        return self.pull(listing, *found.key.asked)

    async def close(self) -> None:
        """Stops what is under way, waits for writes, and closes connections, journal and store."""
        if self._closed:
            return
        self._closed = True
        for pull in tuple(self._pulls):
            pull.close()
        if self._journal is not None:
            self._journal.close()
        for loading in tuple(self._loadings):
            await loading.ended()
        try:
            await self._client.aclose()
        finally:
            await self._threads.close(self._close_files)

    def _close_files(self) -> None:
        try:
            if self.archive is not None:
                self.archive.close()
        finally:
            self._store.close()

    @property
    def _place(self) -> tuple[str, str]:
        # The Sandbox has another port at each start, and serves the same data.
        return self.profile.connection, SANDBOX_ID if self.profile.is_builtin else self.profile.base_url


async def test_profile(
    profile: Profile,
    credential: Credential | None,
    exchanges: Exchanges | None = None,  # noqa: PT028 - it is no test of ours
    *,
    seconds: float = SECONDS,  # noqa: PT028
) -> TestResult:
    """Tests a profile, which need not be saved or open, within ``seconds`` (see connection_test.py).

    Each request is sent once: a retry would hide what is wrong. Raises ProfileFault, CancelledError.
    """
    log = Exchanges() if exchanges is None else exchanges
    # Without a key the test still shows whether the address leads to the service.
    client = Client(profile, credential, log, retry=RetryPolicy(attempts=1), keyless=True)
    try:
        return await run_connection_test(
            profile, client.send, has_credential=credential is not None, seconds=seconds
        )
    finally:
        await client.aclose()


test_profile.__test__ = False  # type: ignore[attr-defined]  # pytest looks for functions of this name
