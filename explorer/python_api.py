"""The program from Python: open a connection and iterate over its records (docs/python.md).

    from explorer import open_connection

    with open_connection("Sandbox") as connection:
        for job in connection.records("ats/job"):
            print(job["name"])

It is `pull` as an iterator: the same profiles and keys, the same walk, and pages are stored as they arrive, so that the
window has the rows too. A page is requested when its first record is wanted. It only reads.
"""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from explorer.catalog.fields import fields_of
from explorer.catalog.spec import Listing
from explorer.cli.exits import UsageFault
from explorer.cli.options import TargetOptions
from explorer.cli.target import Target, target_of
from explorer.export.parquet import ArrowRows
from explorer.jsontext.read import read_loosely
from explorer.session import Pull, Session
from explorer.work import LoopThread

ROWS_A_BATCH = 10_000


class Connection:
    """One open connection. Made by `open_connection`; not for use by several threads at a time."""

    def __init__(self, session: Session, loop: LoopThread) -> None:
        self._session, self._loop = session, loop

    @property
    def id(self) -> str:
        """The connection's id; may be empty."""
        return self._session.connection

    @property
    def lists(self) -> tuple[str, ...]:
        """The keys of all lists, such as ``ats/job``."""
        return tuple(resource.key for resource in self._session.registry.listings())

    def records(
        self, resource: str, *, stored: bool = False, **parameters: Any
    ) -> Generator[Any, None, None]:
        """The records of a list as Python's ``json`` reads them, usually dicts. Arguments and errors as of `pages`."""
        for rows in self.pages(resource, stored=stored, **parameters):
            for row in rows:
                yield read_loosely(row.decode("utf-8", "replace"))

    def batches(
        self, resource: str, *, rows: int = ROWS_A_BATCH, stored: bool = False, **parameters: Any
    ) -> Generator[Any, None, None]:
        """The records of a list as Arrow: a ``pyarrow.RecordBatch`` of about ``rows`` rows each, with the columns of
        Parquet exports. Needs the extra ``parquet``. Arguments and errors as of `pages`; what was received before an
        error is in the batches before it.
        """
        fields = [(field.name, field.kind) for field in fields_of(self._listing(resource).record)]
        made, waiting = ArrowRows(fields), list[bytes]()
        try:
            for page in self.pages(resource, stored=stored, **parameters):
                waiting += page
                while len(waiting) >= rows:
                    yield made.batch(waiting[:rows])
                    del waiting[:rows]
        except GeneratorExit:
            raise
        except BaseException:
            if waiting:
                yield made.batch(waiting)
            raise
        if waiting:
            yield made.batch(waiting)

    def pages(
        self, resource: str, *, stored: bool = False, **parameters: Any
    ) -> Generator[list[bytes], None, None]:
        """The records of a list as received, in bytes, a list for each page that has any.

        ``parameters`` are sent, such as ``page_size=200``. ``stored``: the rows of the current stored pull with these
        parameters, without a request; empty when there is none. Raises UsageFault for an unknown list, ExplorerError
        when a page cannot be fetched, and when the list ended without being shown to be complete (EndNotShown): what
        was received before that has been returned.
        """
        listing = self._listing(resource)
        known = {field.name for field in fields_of(listing.query)}
        query = {name: value for name, value in parameters.items() if name in known}
        extra = [(name, str(value)) for name, value in parameters.items() if name not in known]
        pull = self._loop.run(self._open(listing, query, extra, stored))
        done = 0
        try:
            while rows := self._loop.run(_next_rows(pull, done, stored)):
                done += len(rows)
                yield rows
            if pull.error is not None:
                raise pull.error
            if pull.may_be_cut and not stored:
                warnings.warn(
                    f"{resource} ended after one page of exactly {done} rows: it may be cut off there.",
                    stacklevel=2,
                )
        finally:
            self._loop.run(_close(pull))

    def _listing(self, resource: str) -> Listing:
        try:
            return self._session.registry.listing(resource.strip("/"))
        except KeyError:
            raise UsageFault(f"{resource!r} is not a list. Lists are: {', '.join(self.lists)}.") from None

    async def _open(
        self, listing: Listing, query: dict[str, Any], extra: list[tuple[str, str]], stored: bool
    ) -> Pull:
        return self._session.pull(listing, query, extra, which="front" if stored else "newest")


async def _next_rows(pull: Pull, done: int, stored: bool) -> list[bytes]:
    """The rows after the first ``done``: those of the next page, or none at the end."""
    if stored:
        if done >= pull.rows:
            return []
        page = pull.page_at(done)
        return pull.window(page.first_row, page.first_row + page.rows)
    if done == 0:
        await pull.restart()
    else:
        await pull.more()
    return pull.window(done, pull.rows)


async def _close(pull: Pull) -> None:
    pull.close()


@contextmanager
def open_connection(
    profile: str | None = None,
    connection: str | None = None,
    *,
    base_url: str | None = None,
    home: str | None = None,
    allow_http: bool = False,
) -> Iterator[Connection]:
    """An open connection: of a profile by name (``"Sandbox"`` starts the sandbox), or of an address.

    ``connection``: the id of one other than the profile's own. The key is found as on the command line: with the
    profile, or for ``base_url`` in the environment (UNIFIED_EXPLORER_APIKEY, or UNIFIED_EXPLORER_TOKEN for a bearer
    token). ``home``: a folder for everything that is stored, in place of the user's own folders. ``allow_http``: send
    over plain http to another machine. Raises UsageFault, ProfileFault, CannotStart and StoreFault, each a sentence.
    """
    with ExitStack() as opened:
        whom = TargetOptions(profile, connection, base_url, home=home, allow_http=allow_http)
        target = opened.enter_context(target_of(whom))
        loop = LoopThread()
        opened.callback(loop.close)
        session = loop.run(_session(target))
        opened.callback(lambda: loop.run(session.close()))
        for notice in session.notices:
            warnings.warn(notice, stacklevel=3)
        yield Connection(session, loop)


async def _session(target: Target) -> Session:
    return await Session.open(target.profile, target.credential, target.folders)
