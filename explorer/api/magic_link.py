"""What a link that somebody sent says of itself: what it opens, for whom, until when, and what is odd about it.

It answers "the link does not work" from the link alone: nothing is sent, and the token is read and not verified, so
that only what can be known is said. The link is a credential: no value that is shown has it, or its token.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from explorer.api.links import (
    EMPTY_WORDS,
    Link,
    algorithm_of,
    is_unsigned,
    read_claims,
    read_link,
    read_moment,
)
from explorer.api.redact import Redactor
from explorer.api.sensitive import MASK, folded, is_secret_parameter
from explorer.profiles.address import is_loopback
from explorer.words import count, day_and_time, relative

LONGEST = 30_000
"""Characters of a text that is read; browsers take no longer links."""

Tone = Literal["fails", "caution", "info"]
"""What an oddity means: the link cannot work; it may be the cause; it is good to know."""

_MOST = 200
"""Parameters and claims that are read."""
_AFTER = ".,;:!)]}>'\"”’"
"""What stands behind a link in a text and is no part of it."""
_GUESSED = 20
"""Characters of a secret below which its fingerprint could be used to guess it."""
_LONG = timedelta(days=366)
_CLOCKS = timedelta(minutes=5)
"""By how much two clocks may differ."""
_SIGNATURES = {"HS256": 43, "HS384": 64, "HS512": 86, "ES256": 86, "ES384": 128, "EdDSA": 86}
"""Characters of a signature by its algorithm, where that decides it (RFC 7518, sections 3.2 and 3.4; RFC 8037)."""
_CUSTOMER = frozenset({"customerid", "customer", "sub"})
_CONNECTION = frozenset({"connectionid", "connection"})
_ROLES: tuple[tuple[str, frozenset[str]], ...] = (
    ("Opens", frozenset({"view"})),
    ("For customer", _CUSTOMER),
    ("Called", frozenset({"displayname"})),
    ("Connection", _CONNECTION),
    ("Connectors", frozenset({"connectornames"})),
    ("Integrations", frozenset({"integrationids"})),
    ("Leads back to", frozenset({"redirecturl", "redirecturi"})),
)
"""What a parameter or claim says, by its name in lower case without marks."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What the link is held against. What is empty is not looked at."""

    base_url: str = ""
    """The profile's."""
    connection: str = ""
    customer: str = ""
    redactor: Redactor = field(default_factory=lambda: Redactor(()), repr=False)
    """Knows the profile's key, which must not be in a link."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that the link says, as it is shown: secrets are masked."""

    name: str
    value: str
    source: str
    """Where it stands: ``address``, ``token``, ``address and token``; for what follows from it, empty."""


@dataclass(frozen=True, slots=True)
class Oddity:
    """What is odd about the link, in one sentence."""

    tone: Tone
    text: str


@dataclass(frozen=True, slots=True)
class LinkReading:
    """What was read. No field holds the link, its token or another secret."""

    sentence: str
    """The answer: why it cannot work, or that no fault was found."""
    tone: Tone
    note: str = ""
    """What is to be known of the answer; empty where it is certain."""
    facts: tuple[Fact, ...] = ()
    parameters: tuple[Fact, ...] = ()
    """Every parameter of the address and claim of the token, in order."""
    oddities: tuple[Oddity, ...] = ()
    """The gravest first."""


def read_sent_link(text: str, expected: Expected, now: datetime | None = None) -> LinkReading:
    """Reads ``text``, a link or a text with one in it. Never raises."""
    if len(text) > LONGEST:
        return LinkReading(f"This is too long for a link: {count(len(text), 'character')}.", "fails")
    url, oddities = _unwrapped(text)
    host = _host(url)
    if not host:
        return LinkReading("This is not a link: it has no http or https address.", "fails")
    return _Reader(url, host, expected, now or datetime.now(UTC), oddities).read()


def holds_link(text: str) -> bool:
    """Whether there is a link with a token in ``text``, or one that is called a magic link."""
    url = _unwrapped(text)[0] if len(text) <= LONGEST else ""
    return bool(_host(url)) and (
        bool(read_link(url).token) or re.search("magic-?link[/?#].", url, re.I) is not None
    )


def _unwrapped(text: str) -> tuple[str, list[Oddity]]:
    """The link in a text without what mails and chats put around it, and what that was."""
    oddities: list[Oddity] = []
    if "://" not in text and "%3a%2f%2f" in text.lower():
        text = unquote(text)
        oddities.append(Oddity("caution", "The whole link is percent-encoded: a browser cannot open it so."))
    begun = re.search(r"https?://", text, re.I)
    if begun is None:
        return "", []
    rest = text[begun.start() :].strip()
    url = re.split(r"[\s<>\"]", rest, maxsplit=1)[0].rstrip(_AFTER)
    joined = "".join(rest.split()).rstrip(_AFTER)
    if not _is_whole(url) and _is_whole(joined):
        url = joined
        oddities.append(Oddity("caution", "The link is broken over several lines, which are joined here."))
    if "&amp;" in url:
        url = html.unescape(url.replace("&amp;", "&"))
        oddities.append(Oddity("caution", "The link was copied out of HTML: it has &amp; in place of &."))
    inner = _inside(url)
    if inner:
        oddities.append(Oddity("info", f"The link is wrapped in another one, of {_host(url)}."))
    return inner or url, oddities


def _is_whole(url: str) -> bool:
    """Whether its token can be read, to the end of the signature as far as its algorithm says how long that is."""
    link = read_link(url)
    signature = link.token.rpartition(".")[2]
    return bool(link.claims) and len(signature) >= _SIGNATURES.get(algorithm_of(link.token), 0)


def _inside(url: str) -> str:
    """The link that stands whole in a parameter of another, as mail filters write it; empty when there is none."""
    outer = read_link(url)
    if outer.token:
        return ""
    within = (value for _, value in outer.parameters if value.startswith(("https://", "http://")))
    return next((value for value in within if read_link(value).token), "")


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        return (parts.hostname or "") if parts.scheme.lower() in ("http", "https") else ""
    except ValueError:
        return ""


@dataclass(frozen=True, slots=True)
class _Said:
    """A value of the link under its name."""

    name: str
    value: str
    source: str


class _Reader:
    """Reads one link. Its parts are asked in the order in which a cause is looked for."""

    def __init__(
        self, url: str, host: str, expected: Expected, now: datetime, oddities: list[Oddity]
    ) -> None:
        self._url, self._host, self._expected, self._now = url, host, expected, now
        self._link: Link = read_link(url)
        self._oddities = oddities
        every = [
            *(_Said(name, value, "address") for name, value in self._link.parameters),
            *(_Said(name, _text(value), "token") for name, value in self._link.claims.items()),
        ]
        self._said = every[:_MOST]
        if len(every) > _MOST:
            oddities.append(
                Oddity("info", f"Only the first {_MOST} of {count(len(every), 'parameter')} are read.")
            )

    def read(self) -> LinkReading:
        for look in (self._token, self._times, self._customer, self._address, self._secrets, self._values):
            self._oddities += look()
        grave = {"fails": 0, "caution": 1, "info": 2}
        found = sorted(dict.fromkeys(self._oddities), key=lambda one: grave[one.tone])
        oddities = tuple(replace(one, text=self._hidden(one.text)) for one in found)
        sentence, tone = self._answer(oddities)
        facts = tuple(replace(one, value=self._hidden(one.value)) for one in self._facts())
        note = "" if tone == "fails" else "Only the service can say whether it accepts it."
        return LinkReading(sentence, tone, note, facts, tuple(self._parameters()), oddities)

    def _answer(self, oddities: tuple[Oddity, ...]) -> tuple[str, Tone]:
        """The first cause; else that there is none to be read, and until when it holds."""
        first = oddities[0] if oddities else None
        if first is not None and first.tone == "fails":
            return first.text, "fails"
        ends = self._link.ends
        until = f"it ends {relative(ends, self._now)}" if ends else "it does not say when it ends"
        if first is not None and first.tone == "caution":
            odd = len(oddities)  # all that is listed below
            said = f"{odd} things are odd" if odd > 1 else "one thing is odd"
            return f"The link may work ({until}), but {said}.", "caution"
        if (
            self._link.claims
        ):  # of a link that was made here no signature is kept that it could be held against
            return f"No fault found, but a changed signature cannot be seen here: {until}.", "info"
        return f"No fault found in the link: {until}.", "info"

    # ---- what it says

    def _facts(self) -> Iterator[Fact]:
        link = self._link
        yield Fact("Leads to", self._masked_address(), "address")
        for title, names in _ROLES:
            for value, sources in self._by_value(names).items():
                yield Fact(title, value, " and ".join(dict.fromkeys(sources)))
        if link.made is not None:
            yield Fact("Made", f"{day_and_time_of(link.made)}, {relative(link.made, self._now)}", "token")
        if link.ends is not None:
            yield Fact("Ends", f"{day_and_time_of(link.ends)}, {relative(link.ends, self._now)}", "token")
        else:
            yield Fact("Ends", link.why_no_end, "token")

    def _masked_address(self) -> str:
        """Where it leads: a step of the path that may be a token is masked."""
        parts = urlsplit(self._url)
        steps = ["" if not step else step if len(step) <= 24 else MASK for step in parts.path.split("/")]
        return f"{parts.scheme.lower()}://{parts.netloc.rpartition('@')[2]}{'/'.join(steps)}"

    def _parameters(self) -> Iterator[Fact]:
        token = self._link.token
        if token:
            yield Fact("the token", _told_of(token), "address")
            if token.count(".") == 2 and not token.endswith("."):
                yield Fact("its signature", _told_of(token.rpartition(".")[2]), "address")
        for one in self._said:
            secret = is_secret_parameter(one.name) and one.value
            value = _told_of(one.value) if secret else self._hidden(one.value)
            yield Fact(self._hidden(one.name), value, one.source)

    def _by_value(self, names: frozenset[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for one in self._said:
            if folded(one.name) in names and one.value:
                found.setdefault(one.value, []).append(one.source)
        return found

    def _hidden(self, text: str) -> str:
        return self._expected.redactor.text(text)

    # ---- what is odd

    def _token(self) -> Iterator[Oddity]:
        token = self._link.token
        if not token:
            yield Oddity("caution", "There is no token in the link: if it is a magic link, it is not whole.")
            return
        if read_claims(token) is None:
            if token.startswith("eyJ"):
                yield Oddity("fails", "The link's token is cut off or changed: it cannot be read.")
            return
        if is_unsigned(token):
            yield Oddity("fails", "The link's token is not signed: a service that checks it refuses it.")
            return
        signature, length = token.rpartition(".")[2], _SIGNATURES.get(algorithm_of(token))
        if length is not None and len(signature) < length:
            have = f"{len(signature)} of {length} characters of its signature are there"
            yield Oddity("fails", f"The end of the link's token is cut off: {have}.")
        elif length is not None and len(signature) > length:
            yield Oddity(
                "fails", "Something is appended to the link's token, so its signature cannot be right."
            )

    def _times(self) -> Iterator[Oddity]:
        link, now = self._link, self._now
        begins = read_moment(link.claims.get("nbf"))
        if link.ends_in_milliseconds:
            yield Oddity(
                "caution", "The end (exp) is in milliseconds where seconds belong: read so, it never ends."
            )
            ends = read_moment(link.claims["exp"] / 1000)
            if ends is not None and ends <= now:
                yield Oddity("caution", f"If milliseconds are meant, it ended {relative(ends, now)}.")
        elif link.ends is not None and link.ends <= now:
            yield Oddity(
                "fails", f"The link has ended: {relative(link.ends, now)}, on {day_and_time_of(link.ends)}."
            )
        elif link.ends is not None and link.ends - now > _LONG:
            yield Oddity("caution", f"The link ends only {relative(link.ends, now)}.")
        elif link.claims and link.ends is None:
            yield Oddity("caution", f"{link.why_no_end}.")
        if begins is not None and begins - now > _CLOCKS:
            yield Oddity("fails", f"The link does not hold yet: it begins {relative(begins, now)}.")
        if link.made is not None and link.made - now > _CLOCKS:
            yield Oddity(
                "caution", f"By its token the link is made {relative(link.made, now)}: a clock is wrong."
            )

    def _customer(self) -> Iterator[Oddity]:
        customers = [self._hidden(one) for one in self._by_value(_CUSTOMER)]
        wanted = self._expected.customer
        if len(customers) > 1:
            yield Oddity("caution", f"The link names several customers: {', '.join(customers[:5])}.")
        if wanted and customers and wanted not in customers:
            yield Oddity("fails", f"The link is for another customer: {customers[0]}, not {wanted}.")
        connections = [self._hidden(one) for one in self._by_value(_CONNECTION)]
        open_one = self._expected.connection
        if open_one and connections and open_one not in connections:
            yield Oddity("info", f"The link is for the connection {connections[0]}; {open_one} is open here.")

    def _address(self) -> Iterator[Oddity]:
        parts = urlsplit(self._url)
        own = _host(self._expected.base_url)
        here = is_loopback(self._host)
        if here and own and not is_loopback(own):
            yield Oddity("fails", f"The link leads to the machine of whoever opens it ({self._host}).")
        elif parts.scheme.lower() == "http" and not here:
            yield Oddity("caution", "The link is plain http: others on the network can read it.")
        elif own == self._host and (wanted := urlsplit(self._expected.base_url).scheme) != parts.scheme:
            yield Oddity(
                "caution", f"The link begins with {parts.scheme}, the profile's address with {wanted}."
            )
        if own and self._host != own and not here:
            yield Oddity("info", f"The link leads to {self._host}; the profile's address is {own}.")
        if "@" in parts.netloc:
            yield Oddity("caution", "The link has a user name or password before its host.")

    def _secrets(self) -> Iterator[Oddity]:
        rest = self._url.replace(self._link.token, "") if self._link.token else self._url
        decoded = json.dumps(dict(self._link.claims), ensure_ascii=False)
        for text in (rest, unquote(rest), decoded):
            if self._expected.redactor.holds(text.encode("utf-8", "surrogatepass")):
                yield Oddity(
                    "caution", "The profile's own key is in the link: whoever has the link has the key."
                )
                break
        named = [one.name for one in self._said if is_secret_parameter(one.name) and one.value]
        if named:
            names = ", ".join(self._hidden(name)[:40] for name in dict.fromkeys(named))
            yield Oddity("caution", f"Besides its token another credential is in the link: {names}.")

    def _values(self) -> Iterator[Oddity]:
        given = [one for one in self._said if one.source == "address"]
        for one in given:
            name = self._hidden(one.name)[:40]
            if one.value.lower() in EMPTY_WORDS:
                yield Oddity("caution", f"{name} is the word {one.value}, where a value or nothing belongs.")
            elif _is_encoded_twice(one.value):
                yield Oddity("caution", f"{name} is percent-encoded twice.")
        for name, times in Counter(one.name for one in given).items():
            if times > 1:
                yield Oddity("caution", f"{self._hidden(name)[:40]} stands in the link {times} times.")


def _told_of(secret: str) -> str:
    """What tells a secret from another one without giving it away: a hash of a long one, and its length."""
    length = count(len(secret), "character")
    return f"{MASK}  {f'fingerprint {_fingerprint(secret)}, ' if len(secret) >= _GUESSED else ''}{length}"


def _fingerprint(secret: str) -> str:
    """``3f2a 91bc``: the same for the same text, and not enough to find the text by."""
    made = hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{made[:4]} {made[4:8]}"


def day_and_time_of(at: datetime) -> str:
    """`day_and_time`, also for the ends of the calendar, which have no local time."""
    try:
        return day_and_time(at)
    except (OverflowError, ValueError, OSError):
        return f"{at:%d %b} {at.year}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _is_encoded_twice(value: str) -> bool:
    """Whether a value that was decoded once is still wholly percent-encoded: a URL within has : and / by then."""
    return re.fullmatch(r"[\w.~*+-]*(?:%[0-9A-Fa-f]{2}[\w.~*+-]*)+", value) is not None
