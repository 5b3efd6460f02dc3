"""What is known of a connection without asking it: what its answers have shown, and what is stored of its lists.

Answers are heard in the request log, so that whatever reads (a page, a run, a connection test) is learned from, and
nothing is sent for it. What no answer showed is not known. It is kept in the profile's journal, one entry for a
connection and an address, which is written only when an answer showed something new.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from explorer import words
from explorer.api.errors import (
    AnswerError,
    ConnectionUnknown,
    CredentialsRefused,
    DataWithheld,
    GatewayFailed,
    KeyRefused,
    NotFound,
    NotSupported,
    OtherVertical,
    Redirected,
    ServiceFailed,
)
from explorer.api.exchange import Exchange
from explorer.api.verdicts import CallContext, failure
from explorer.catalog.registry import Registry
from explorer.catalog.spec import Operation, Resource, Vertical
from explorer.listeners import Listeners
from explorer.profiles.profile import Auth
from explorer.session.session import Session
from explorer.store.values import PullInfo, Standing, StoreFault

KIND = "learned"
"""The kind of its entries in the journal."""
_ADAPTER = re.compile(r"\badapter (\S{1,80}) not found", re.IGNORECASE)
"""How a connection of another vertical is refused (observed); it names the connector."""
_NO_ADDRESS = "has nothing at this address and method"
"""In the sentence of `verdicts.failure` about a 404 that is not about an id."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the last answer that showed anything said of one operation."""

    operation: str
    """Its key."""
    at: datetime
    has: bool | None
    """None: it was asked for, and the answer showed neither."""
    why: str = ""
    """Unless it has it, what came, in a few words: ``answered 501``."""
    whole: bool = False
    """The answer was about the operation's vertical: the connector has nothing of it."""


@dataclass(frozen=True, slots=True)
class Health:
    """Whether the last read went well, and since when reads do."""

    good: bool
    since: datetime
    word: str = ""
    """Of a bad one, what is wrong: ``Not reachable``."""
    sentence: str = ""
    advice: str = ""
    refused: bool = False
    """Key or connection were refused. A quality run has some calls refused on purpose."""
    before: datetime | None = None
    """Since when reads had gone well until then."""


@dataclass(frozen=True, slots=True)
class Learned:
    """All that the answers of one connection have shown."""

    shown: tuple[Shown, ...] = ()
    """One for each operation that was asked."""
    health: Health | None = None
    connector: str = ""
    """As an answer named it; empty while none did."""


@dataclass(frozen=True, slots=True)
class Has:
    """Whether a connection has a resource; ``open``: no answer showed it."""

    state: Literal["yes", "no", "open"]
    why: str = ""
    """Of ``no``, the reason in a few words; of ``open``, what came when it was asked."""


# ---------------------------------------------------------------- learning


def learn(known: Learned, exchange: Exchange, registry: Registry, auth: Auth = Auth.APIKEY) -> Learned:
    """``known`` and what ``exchange`` adds to it; the same value where that is nothing."""
    try:
        operation = registry.operation(exchange.operation)
    except KeyError:
        return known
    if exchange.state not in ("answered", "failed"):
        return known
    error = _error_of(exchange, auth)
    one = _shown(operation, exchange, error)
    if one is not None and not _says_more(one, known.shown):
        one = None
    shown = known.shown
    if one is not None:
        shown = (*(other for other in shown if other.operation != one.operation), one)
    named = _ADAPTER.search(error.sentence) if isinstance(error, OtherVertical) else None
    health = _health(known.health, exchange, error) if operation.writes == "never" else known.health
    return Learned(shown, health, named[1] if named else known.connector)


def learn_of_test(
    known: Learned, exchange: Exchange, registry: Registry, auth: Auth = Auth.APIKEY
) -> Learned:
    """The same of a connection test's call, as far as it shows what the connection has.

    Of its health only whether the third party takes the connection's credentials: the service took the key by then.
    Anything else may be of what was typed for the test, such as a key, which may not be what the profile has.
    """
    made = learn(known, exchange, registry, auth)
    was, now = known.health, made.health
    if now is not None and (now.word == REVOKED or (now.good and was is not None and was.word == REVOKED)):
        return made
    if any(one.has is None for one in made.shown if one not in known.shown):
        return known
    return replace(made, health=known.health)


def _says_more(one: Shown, known: Iterable[Shown]) -> bool:
    before = next((other for other in known if other.operation == one.operation), None)
    if before is None:
        return True
    if one.has is None:  # a busy service takes nothing back of what an answer has shown
        return before.has is None and before.why != one.why
    return (before.has, before.why) != (one.has, one.why)


def _error_of(exchange: Exchange, auth: Auth) -> AnswerError | None:
    """The error that an answer means, as the client raised it; None for a good one, and where no answer came."""
    if exchange.status is None or exchange.verdict == "ok":
        return None
    host = urlsplit(exchange.url).netloc
    context = CallContext(host=host, connection=exchange.connection, auth=auth, writes=False)
    return failure(exchange.status, exchange.response_headers, exchange.response_body, context)


def _shown(operation: Operation, exchange: Exchange, error: AnswerError | None) -> Shown | None:
    key, at = operation.key, exchange.started_at
    if exchange.state == "answered" and error is None:
        return Shown(key, at, True)
    why = f"answered {exchange.status}" if exchange.status is not None else "no answer"
    if isinstance(error, OtherVertical):
        return Shown(key, at, False, why, whole=True)
    no_address = isinstance(error, NotFound) and _NO_ADDRESS in error.sentence and "{" not in operation.path
    return Shown(key, at, False if no_address or isinstance(error, NotSupported) else None, why)


_UNREACHABLE = "Not reachable"


def _health(known: Health | None, exchange: Exchange, error: AnswerError | None) -> Health | None:
    at = exchange.started_at
    if exchange.state == "answered" and error is None:
        if known is None or known.good:
            return known or Health(True, at)
        # A key that is accepted again was refused on purpose: within a session it never changes.
        return Health(True, known.before if known.refused and known.before is not None else at)
    word = _UNREACHABLE if exchange.state == "failed" else _wrong(error)
    if not word:
        return known
    refused = isinstance(error, KeyRefused | ConnectionUnknown)
    sentence, advice = (error.sentence, error.advice) if error else (exchange.summary, "")
    if known is None or known.good:
        return Health(False, at, word, sentence, advice, refused, known.since if known else None)
    if known.word == word:
        return known
    if refused and not known.refused and known.word != _UNREACHABLE:
        return known  # the key had been accepted, and never changes within a session: refused on purpose
    return replace(
        known, word=word, sentence=sentence, advice=advice, refused=known.refused and refused, since=at
    )


def _wrong(error: AnswerError | None) -> str:
    """What a failed answer says of the whole connection; empty where it is about this one call."""
    if isinstance(error, KeyRefused):
        return "Key refused" if error.status != 403 else ""  # a 403 may be about this call alone
    for kind, word in _WRONG.items():
        if isinstance(error, kind) and not isinstance(error, DataWithheld):
            return word
    return ""


REVOKED = "Credentials refused"
"""The word of a `Health` where the third party refuses the connection's own credentials, not the service its key."""
_WRONG: Mapping[type[AnswerError], str] = {
    ConnectionUnknown: "Connection not known",
    CredentialsRefused: REVOKED,
    Redirected: "Redirected",
    GatewayFailed: "Gateway answers",
    ServiceFailed: "Service fails",
}


# ---------------------------------------------------------------- what follows from it


def has(learned: Learned, vertical: Vertical, resource: Resource, stored_at: datetime | None = None) -> Has:
    """Whether the connection has ``resource``, by the last answer that showed it.

    ``stored_at``: when its rows were last added to, which shows that it was there. A connector that has nothing of a
    vertical has none of its resources, whichever of them was asked.
    """
    own = {operation.key for operation in resource.operations}
    near = {operation.key for one in vertical.resources for operation in one.operations}
    asked = [one for one in learned.shown if one.operation in own]
    yes = max([one.at for one in asked if one.has] + ([stored_at] if stored_at else []), default=None)
    whole = max((one.at for one in learned.shown if one.whole and one.operation in near), default=None)
    if whole is not None and (yes is None or whole > yes):
        return Has("no", f"no {_noun(vertical.title)} here")
    lacking = [one for one in asked if one.has is False]
    last = max(lacking, key=lambda one: one.at, default=None)
    if last is not None and len(lacking) == len(own) and (yes is None or last.at > yes):
        return Has("no", last.why)
    if yes is not None:
        return Has("yes")
    return Has("open", asked[-1].why if asked else "")


def _noun(title: str) -> str:
    """A heading within a sentence: ``CRM``, ``applicant tracking``."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


def standings_of(session: Session) -> dict[str, Standing]:
    """The stored pulls of each list of the session's connection, by the list's key; those of the parameters that were
    pulled last. Raises StoreFault.
    """
    return {key: session.standing(info.key) for key, info in session._fronts().items()}


def pulled_words(info: PullInfo, now: datetime | None = None) -> str:
    """A pull named by its parameters: ``Pulled with other parameters: sync_mode full, 4,812 rows, today 09:04``."""
    query, extra = info.key.asked
    named = [f"{name} {value}" for name, value in (*query.items(), *extra)]
    which = f"with other parameters: {', '.join(named)}," if named else "without parameters:"
    rows = words.count(info.rows, "row") + (", complete" if info.state == "complete" else "")
    return f"Pulled {which} {rows}, {words.near_time(info.updated_at, now)}"


def connector_of(session: Session, learned: Learned) -> str:
    """The connector's name, as an answer of the service gave it; empty where none did."""
    with contextlib.suppress(StoreFault):
        for entry in session.journal.of("connection", session.connection, 1):
            if isinstance(name := entry.data.get("connectorName"), str) and name:
                return name
    return learned.connector


def missing(session: Session, learned: Learned) -> dict[str, str]:
    """The reason for each resource that the session's connection does not have, by the resource's key.

    Raises StoreFault.
    """
    stored, found = standings_of(session), {}
    for vertical in session.registry.interface.verticals:
        for resource in vertical.resources:
            there = has(learned, vertical, resource, stored_time(stored, resource))
            if there.state == "no":
                found[resource.key] = there.why
    return found


def stored_time(stored: Mapping[str, Standing], resource: Resource) -> datetime | None:
    """When rows of that resource were last stored; None while there are none."""
    standing = stored.get(resource.listing.key) if resource.listing is not None else None
    return standing.front.updated_at if standing is not None and standing.front is not None else None


# ---------------------------------------------------------------- keeping it


class Learning:
    """Hears the request log of an open session and keeps what it shows. Use it on the event loop's thread.

    A journal that cannot be used costs only the memory of it: what was learned holds until the session is closed.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[str, Learned] = {}
        self._listeners = Listeners[[]]()
        self.subscribe = self._listeners.subscribe
        """Takes what is called after each change of what is known of the connection; returns what ends that."""
        self._end = session.exchanges.subscribe(self._heard)

    def known(self, connection: str | None = None) -> Learned:
        """What is known of that connection; of the session's own without one."""
        name = self._session.connection if connection is None else connection
        if name not in self._known:
            self._known[name] = self._read(name)[1]
        return self._known[name]

    def answers(self) -> None:
        """The session's connection answers, whatever calls that were meant to be refused showed."""
        health = self.known().health
        if health is not None and not health.good:
            good = Health(True, health.before if health.refused and health.before else datetime.now(UTC))
            self._keep(self._session.connection, lambda known: replace(known, health=good))

    def of_test(self, exchanges: Iterable[Exchange]) -> None:
        """Takes what the calls of a connection test at this service have shown; see `learn_of_test`."""
        for exchange in exchanges:
            self._heard(exchange, learn_of_test)

    def log_test(self, exchanges: Iterable[Exchange]) -> None:
        """Has the session's log keep the calls of a connection test, from which nothing more is learned."""
        self._end()
        try:
            for exchange in exchanges:
                said = f"Connection test: {exchange.summary}" if exchange.summary else "Connection test"
                self._session.exchanges.add(replace(exchange, summary=said))
        finally:
            self._end = self._session.exchanges.subscribe(self._heard)

    def close(self) -> None:
        """Hears nothing any more, and drops all listeners."""
        self._end()
        self._listeners.clear()

    def _heard(self, exchange: Exchange, take: Callable[..., Learned] = learn) -> None:
        profile, connection = self._session.profile, exchange.connection
        if connection != profile.connection and connection not in profile.connections:
            return  # a connection that was made up, to see it refused
        if exchange.on_purpose:
            return
        registry, auth = self._session.registry, profile.auth
        known = self.known(connection)
        if take(known, exchange, registry, auth) != known:
            self._keep(connection, lambda kept: take(kept, exchange, registry, auth))

    def _keep(self, connection: str, change: Callable[[Learned], Learned]) -> None:
        """Changes what is known. It is read again before, as another window may have learned meanwhile."""
        entry, kept = self._read(connection)
        made = self._known[connection] = change(kept if entry else self.known(connection))
        data = json.loads(msgspec.json.encode(made))
        with contextlib.suppress(StoreFault):
            if entry:
                self._session.journal.update(entry, data)
            else:
                self._session.journal.add(KIND, self._key(connection), data, connection=connection)
        if connection == self._session.connection:
            self._listeners.tell()

    def _read(self, connection: str) -> tuple[int, Learned]:
        """The entry of that connection, and what it says; 0 and nothing where there is none that can be read."""
        with contextlib.suppress(StoreFault, msgspec.ValidationError):
            for entry in self._session.journal.of(KIND, self._key(connection), 1):
                return entry.id, msgspec.convert(entry.data, Learned)
        return 0, Learned()

    def _key(self, connection: str) -> str:
        return f"{connection} {self._session._place[1]}"
