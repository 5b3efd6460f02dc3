"""Masks evidence before it is passed on: keys, tokens and links always; optionally e-mails, phone numbers and names.

It works on values, before formatting. An optional kind gets a pseudonym that is the same for the same value in the
whole bundle, so that rows can still be told apart and joined. JSON structure, types and ids stay; an id changes only
where it contains a value that is masked elsewhere. What percent-encoding, HTML, base64, hex, escapes and line breaks
hide from a plain search is found as well (`decodings`).
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar, cast
from urllib.parse import quote, unquote

from explorer.api.exchange import Exchange
from explorer.api.redact import Redactor
from explorer.api.sensitive import MASK, folded, is_sensitive, is_signed_text, may_hide
from explorer.quality.bundle.masking_json import Box, Leaf, leaves, replaced, values
from explorer.quality.bundle.masking_kinds import (
    ADDRESSED,
    DIGITS,
    EMAIL,
    ENDING,
    NUMBERS,
    OWN_WORDS,
    PHONE,
    PSEUDONYM,
    WITHIN,
    Mask,
    kind_of,
    kind_of_name,
    may_tell,
)
from explorer.quality.engine.check import Check, Example, Finding, Run, SourceValue
from explorer.quality.reports.observed_topics import Topic

_RUN = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){6,}")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\"\\/]))")
_BREAK = re.compile(r"(?:=?\r?\n|\\r|\\n)[ \t]*")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_NO_SIGNS = bytes(byte for byte in range(256) if not (32 <= byte < 127 or byte in (9, 10, 13)))
_DEEPEST = 3
_READABLE = 0.9


def decodings(text: str, depth: int = 0) -> Iterator[str]:
    """The texts that ``text`` becomes when one encoding after another is removed; not itself."""
    for step in _STEPS:
        form = step(text)
        if form and form != text:
            yield form
            if depth + 1 < _DEEPEST:
                yield from decodings(form, depth + 1)


def _percent(text: str) -> str:
    return unquote(text) if "%" in text else ""


def _named(text: str) -> str:
    return html.unescape(text) if "&" in text else ""


def _escaped(text: str) -> str:
    if "\\" not in text:
        return ""
    return _ESCAPE.sub(lambda m: chr(int(m[1] or m[2], 16)) if m[1] or m[2] else m[3], text)


def _unbroken(text: str) -> str:
    return _BREAK.sub("", text) if "\n" in text or "\\n" in text or "\\r" in text else ""


def _seen(text: str) -> str:
    return "" if text.isascii() else _UNSEEN.sub("", text)


def _untagged(text: str) -> str:
    return _TAG.sub("", text) if "<" in text else ""


def _base64(text: str) -> str:
    return "\n".join(
        found for match in _RUN.finditer(text) for found in (readable_base64(match[0]),) if found
    )


def _hex(text: str) -> str:
    found = (_readable(bytes.fromhex(match[0])) for match in _HEX.finditer(text))
    return "\n".join(one for one in found if one is not None)


def readable_base64(run: str) -> str:
    """The content of a run of base64, starting at whichever of its first four characters decodes; empty without any."""
    plain = run.rstrip("=").replace("-", "+").replace("_", "/")
    for start in range(4):
        part = plain[start:]
        part = part[: len(part) - 1] if len(part) % 4 == 1 else part
        try:
            data = base64.b64decode(part + "=" * (-len(part) % 4))
        except (binascii.Error, ValueError):
            continue
        if (found := _readable(data)) is not None:
            return found
    return ""


def _readable(data: bytes) -> str | None:
    """Bytes as text if they look like text, else None."""
    if len(data) < 6:
        return None
    if data.count(0) * 3 > len(data):  # UTF-16, as some systems encode it
        data = data.replace(b"\0", b"")
    if len(data.translate(None, _NO_SIGNS)) < len(data) * _READABLE:
        return None
    return data.decode("utf-8", "replace")


_STEPS: tuple[Callable[[str], str], ...] = (
    _percent,
    _named,
    _escaped,
    _unbroken,
    _seen,
    _untagged,
    _base64,
    _hex,
)


__all__ = ["Mask", "Masker"]

_T = TypeVar("_T")
_WORD = re.compile(r"\w+")
_LONG_NAME = 6
_NESTED = 3
_LARGE = 4096
_REMEMBERED, _MOST = 200, 50_000
"""Length of a text in characters up to which it is remembered as harmless, and how many are: most values repeat."""
_CUT = "…"
_FORMS = {
    Mask.EMAILS: f"e-mail-{{}}@{ENDING[1:]}",
    Mask.PHONES: f"phone-{{}}{ENDING}",
    Mask.NAMES: f"name-{{}}{ENDING}",
}


class Masker:
    """Masks texts, bodies, exchanges and runs. First `learn` everything that will be masked, then mask it."""

    def __init__(self, secrets: Iterable[str], masks: Iterable[Mask] = ()) -> None:
        """``secrets`` are values known to be secret; others are recognised by their names or formats."""
        self.masks = frozenset(masks)
        self._secrets = {secret for secret in secrets if secret}
        self._redactor: Redactor | None = None
        self._numbers: dict[str, dict[str, int]] = {}
        self._digits: set[str] = set()
        self._names: dict[str, list[tuple[str, str]]] = {}
        self._untouched: set[str] = set()
        self._safe: set[str] = set()
        self._bodies: dict[tuple[bytes, frozenset[str]], tuple[bytes, Counter[str]]] = {}
        self.places: Counter[str] = Counter()
        """How often each kind was masked."""

    @property
    def distinct(self) -> dict[str, int]:
        """How many different values of each kind there were."""
        return {kind: len(numbers) for kind, numbers in self._numbers.items()}

    def learn(self, data: bytes, hide: frozenset[str] = frozenset()) -> None:
        """Collects the secrets, phone numbers and names of a body, to find them where no field name reveals them.

        ``hide`` are further member names whose values are secret.
        """
        text = data.decode("utf-8", "surrogateescape")
        if text.lstrip("\ufeff \t\r\n")[:1] not in ("{", "[") or not (self.masks or hide or may_hide(text)):
            return
        self._forget()
        hidden = {folded(name) for name in hide}
        told = values(text)
        if told is None:
            # Cut off, or invalid JSON: read as far as quotes and brackets allow.
            read = [leaf for leaf in leaves(text) if not (leaf.is_name or leaf.alone)]
            told = [(leaf.key, leaf.box, leaf.value) for leaf in read]
        for key, box, value in told:
            named = is_sensitive(key) and not is_signed_text(key, value)
            if (key in hidden or named) and _tells(value):
                self._secrets.add(value)
                self._redactor = None
            elif self.masks and may_tell(key, box):
                kind = kind_of(Leaf(0, 0, value, key, box))
                if kind is not None and kind in self.masks:
                    self._note(kind, value)
                if kind is Mask.EMAILS and Mask.NAMES in self.masks and (before := ADDRESSED.search(value)):
                    self._note(Mask.NAMES, before[1])

    def text(self, text: str, key: str = "") -> str:
        """``text`` with masked values, in JSON by its structure. ``key`` is its field name."""
        return self._masked(self._redact.text(text), key, 0)

    def data(self, data: bytes, hide: frozenset[str] = frozenset()) -> bytes:
        """A body with masked values; all other bytes stay."""
        if len(data) < _LARGE:
            return self._clean(data, hide)
        # A list that is walked twice yields the same bytes twice.
        known = self._bodies.get((data, hide))
        if known is None:
            before = self.places.copy()
            clean = self._clean(data, hide)
            self._bodies[data, hide] = clean, self.places - before
            return clean
        self.places.update(known[1])
        return known[0]

    def _clean(self, data: bytes, hide: frozenset[str]) -> bytes:
        clean = self._redact.data(data, hide)
        if not self.masks or not clean:
            return clean
        return self._masked(clean.decode("utf-8", "surrogateescape"), "", 0).encode(
            "utf-8", "surrogateescape"
        )

    def url(self, url: str) -> str:
        """An address with masked values."""
        clean = self._redact.url(url)
        if not self.masks:
            return clean
        path, question, query = clean.partition("?")
        steps = [self._quoted(step, "") for step in path.split("/")]
        pairs = [pair.partition("=") for pair in query.split("&")] if query else []
        made = [name + equals + self._quoted(value, name) for name, equals, value in pairs]
        return "/".join(steps) + question + "&".join(made)

    def exchange(self, exchange: Exchange, body: bytes | None = None) -> Exchange:
        """An exchange with masked values. ``body`` replaces the answer's body."""
        answer = exchange.response_body if body is None else body
        sent = exchange.request_body
        return dataclasses.replace(
            exchange,
            url=self.url(exchange.url),
            path=self.url(exchange.path),
            request_headers=self._headers(exchange.request_headers),
            request_body=None if sent is None else self.data(sent),
            reason=self.text(exchange.reason),
            response_headers=self._headers(exchange.response_headers),
            response_body=self.data(answer),
            summary=self.text(exchange.summary),
            connection=self.text(exchange.connection),
        )

    def run(self, run: Run) -> Run:
        """A run with masked values in every text that is not the program's own."""
        return masked_tree(run, self.text)

    def tree(self, value: _T) -> _T:
        """A value of dataclasses, tuples, mappings and texts, with masked values in its texts."""
        return masked_tree(value, self.text)

    def _forget(self) -> None:
        """Discards remembered texts, because there is more to search for."""
        self._untouched.clear()
        self._safe.clear()
        self._bodies.clear()

    @property
    def _redact(self) -> Redactor:
        if self._redactor is None:
            self._redactor = Redactor(self._secrets)
        return self._redactor

    def _headers(self, pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        clean = self._redact.headers(pairs)
        return tuple((self._masked(name, "", 0), self._masked(value, name, 0)) for name, value in clean)

    def _quoted(self, part: str, name: str) -> str:
        plain = unquote(part)
        clean = self._masked(plain, unquote(name), 0)
        return part if clean == plain else quote(clean, safe="@:,")

    # ------------------------------------------------------------ texts

    def _masked(self, text: str, key: str, nested: int) -> str:
        if not self.masks or len(text) < 3:
            return text
        start = text.lstrip("\ufeff \t\r\n")[:1]
        if start in ("{", "[") or (start == '"' and nested == 0):
            if nested < _NESTED:
                return self._json(text, key, nested)
        elif (kind := kind_of_name(key)) in self.masks:
            return self._pseudonym(kind, text)
        return self._plain(_whole_words(text))

    def _json(self, text: str, key: str, nested: int) -> str:
        changes: list[tuple[Leaf, str]] = []
        for leaf in leaves(text, key, self._is_safe):
            token = leaf.token
            if token[0] != '"':
                if (number := self._number(leaf)) is not None:
                    changes.append((leaf, number))
                continue
            if leaf.alone:
                # Where a body is cut in the middle of a value, the remainder cannot be judged.
                changes.append((leaf, f'"{_CUT}'))
                continue
            kind, value = kind_of(leaf), leaf.value
            if kind is not None and kind in self.masks and value.strip() and MASK not in value:
                clean = self._pseudonym(kind, value)
            else:
                clean = self._masked(value, "", nested + 1)
                self._remember(token, value, clean)
            if clean != value:
                changes.append((leaf, json.dumps(clean, ensure_ascii=False)))
        return replaced(text, changes)

    def _is_safe(self, token: str, key: str, box: Box) -> bool:
        return token in self._safe and not may_tell(key, box)

    def _remember(self, token: str, value: str, clean: str) -> None:
        """Remembers a text without masked values, because most repeat. Text that may be JSON depends on its place."""
        if clean != value or len(token) >= _REMEMBERED or len(self._safe) >= _MOST:
            return
        if value.lstrip("\ufeff \t\r\n")[:1] not in ("{", "[", '"'):
            self._safe.add(token)

    def _number(self, leaf: Leaf) -> str | None:
        if Mask.PHONES not in self.masks or not leaf.token.isascii() or not leaf.token.isdigit():
            return None
        known = leaf.token in self._digits or (kind_of(leaf) is Mask.PHONES and len(leaf.token) >= 7)
        if not known or int(leaf.token) in NUMBERS:
            return None
        return str(NUMBERS.start - 1 + self._count(Mask.PHONES, leaf.token))

    def _plain(self, text: str) -> str:
        """Masks text without structure: known values and secret formats; an encoded text that hides one entirely."""
        if text in self._untouched:
            return text
        clean = text
        if Mask.EMAILS in self.masks and "@" in clean:
            clean = EMAIL.sub(lambda m: self._pseudonym(Mask.EMAILS, m[0]), clean)
        if Mask.PHONES in self.masks:
            clean = PHONE.sub(lambda m: self._pseudonym(Mask.PHONES, m[0]), clean)
            if self._digits:
                clean = DIGITS.sub(self._known_digits, clean)
        if self._names:
            clean = self._without_names(clean)
        if any(self._dirty(form) for form in decodings(clean)):
            return f"packed-{self._count('packed', text)}{ENDING}"
        if clean == text and len(text) < _REMEMBERED and len(self._untouched) < _MOST:
            self._untouched.add(text)
        return clean

    def _dirty(self, text: str) -> bool:
        text = PSEUDONYM.sub("", text)
        if Mask.EMAILS in self.masks and EMAIL.search(text):
            return True
        if Mask.PHONES in self.masks and (
            PHONE.search(text) or any(_digits(m[0]) in self._digits for m in DIGITS.finditer(text))
        ):
            return True
        return bool(self._names) and any(True for _ in self._names_in(text))

    def _pseudonym(self, kind: Mask, value: str) -> str:
        if PSEUDONYM.fullmatch(value):
            return value
        if kind is Mask.EMAILS and not EMAIL.fullmatch(value.strip()):
            if WITHIN.search(value):
                if Mask.NAMES in self.masks:
                    value = ADDRESSED.sub(lambda m: self._pseudonym(Mask.NAMES, m[1]) + m[2], value)
                return self._plain(value)
            # That a value is not a valid address is often the finding: its pseudonym must not be valid either.
            return f"no-address-{self._count(kind, value)}{ENDING}"
        return _FORMS[kind].format(self._count(kind, value))

    def _count(self, kind: str, value: str) -> int:
        self.places[str(kind)] += 1
        numbers = self._numbers.setdefault(str(kind), {})
        return numbers.setdefault(value, len(numbers) + 1)

    # ------------------------------------------------------------ what is known

    def _note(self, kind: Mask, value: str) -> None:
        digits = _digits(value)
        if kind is Mask.PHONES and 7 <= len(digits) <= 20:
            self._digits.add(digits)
        # A name that does not begin with a word, or is a word of ours, is masked only in its own field.
        elif kind is Mask.NAMES and 3 <= len(name := value.strip()) <= 80 and (first := _WORD.match(name)):
            one = (name, name.casefold())
            known = self._names.setdefault(first[0].casefold(), [])
            plain = one[1] in OWN_WORDS or PSEUDONYM.fullmatch(name)
            if name[0].isalpha() and not plain and one not in known:
                known.append(one)
                known.sort(key=lambda each: -len(each[0]))

    def _known_digits(self, match: re.Match[str]) -> str:
        if _digits(match[0]) not in self._digits:
            return match[0]
        return self._pseudonym(Mask.PHONES, match[0])

    def _names_in(self, text: str) -> Iterable[tuple[int, int]]:
        """Where known names occur as whole words; long ones ignoring case."""
        end = 0
        for word in _WORD.finditer(text):
            if word.start() < end:
                continue
            for name, low in self._names.get(word[0].casefold(), ()):
                stop = word.start() + len(name)
                there = text[word.start() : stop]
                whole = not (stop < len(text) and name[-1].isalnum() and _WORD.match(text[stop]))
                if whole and (there == name or (len(name) >= _LONG_NAME and there.casefold() == low)):
                    yield word.start(), stop
                    end = stop
                    break

    def _without_names(self, text: str) -> str:
        out: list[str] = []
        last = 0
        kept = [match.span() for match in PSEUDONYM.finditer(text)]
        for start, stop in self._names_in(text):
            if not any(a < stop and start < b for a, b in kept):
                out += (text[last:start], self._pseudonym(Mask.NAMES, text[start:stop]))
                last = stop
        return "".join((*out, text[last:])) if out else text


def _tells(value: str) -> bool:
    """Whether a value under a secret's name can be searched for elsewhere, and is not a common word."""
    return len(value) >= 12 and MASK not in value and not any(sign.isspace() for sign in value)


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _whole_words(text: str) -> str:
    """A text that was cut (it ends with …) up to its last whole word: half of a value cannot be judged."""
    if not text.endswith(_CUT) or len(text) < 20:
        return text
    return re.sub(r"[^\s\"',;<>(){}\[\]]*…\Z", _CUT, text)


_OWN = (type, Check, Topic)
"""The texts of checks and topics are the program's own."""


class MaskText(Protocol):
    """Masks one text; ``key`` is the name of its field, where that is known."""

    def __call__(self, text: str, key: str = "") -> str: ...


def masked_tree(value: _T, text: MaskText) -> _T:
    """``value`` with each of its texts masked by ``text``; an example's value belongs to the field of its finding."""
    return cast("_T", _any(value, "", text))


def _any(value: Any, key: str, text: MaskText) -> Any:
    if type(value) is str:  # an enumeration's value is a text too, and stays
        return text(value)
    if isinstance(value, Example) and key:
        made = _changes(value, "", text)
        source = tuple(_source(one, key, text) for one in value.source)
        return dataclasses.replace(value, **{**made, "value": text(value.value, key), "source": source})
    if isinstance(value, tuple | list):
        return type(value)(_any(one, key, text) for one in value)
    if isinstance(value, dict):
        return {_any(name, "", text): _any(one, key, text) for name, one in value.items()}
    if isinstance(value, Finding):
        return dataclasses.replace(value, **_changes(value, _last_name(value.field), text))
    if dataclasses.is_dataclass(value) and not isinstance(value, _OWN):
        return dataclasses.replace(value, **_changes(value, "", text))
    return value


def _source(one: SourceValue, key: str, text: MaskText) -> SourceValue:
    """A source's value is masked by the name of its field and by its own, as either may tell what it is."""
    return SourceValue(text(one.path), text(text(one.value, key), _last_name(one.path)))


def _changes(value: Any, key: str, text: MaskText) -> dict[str, Any]:
    fields = (field for field in dataclasses.fields(value) if field.init)
    return {field.name: _any(getattr(value, field.name), key, text) for field in fields}


def _last_name(path: str) -> str:
    """``phone_number`` of ``phone_numbers[].phone_number``."""
    return re.split(r"[./]", re.sub(r"\[[^\]]*\]", "", path))[-1]
