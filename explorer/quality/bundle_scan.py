"""The second look at a bundle before it is written: is anything in its bytes that should have been masked?

It shares no code with the masking, so that a mistake there cannot agree with itself: it knows nothing of fields and
structure but only bytes, takes off packings with means of its own, and collects what it looks for from the evidence
as it was before masking.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

_ALLOWED = re.compile(r"(?:e-mail-\d+@|(?:phone|name|packed|no-address)-\d+\.)masked\.example|9990000\d{8}")
_MOST = 300
_DOTS = "\u2022" * 6

_MAIL = re.compile(r"[A-Za-z0-9_.+%-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}")
_CALL = re.compile(r"(?<![\w+.-])\+[1-9](?:[ ()./-]?[ (]?\d){7,13}(?!\w)")
_DIGITS = re.compile(r"\d(?:[ ()./-]{0,2}\d){6,18}")
_JWT = re.compile(r"eyJ[\w-]{6,}\.eyJ[\w-]{2,}")
_BEARER = re.compile(r"\b[Bb]earer (?=[^\s\"'<]*\d)[\w.+/=~-]{8,}")
_LINK = re.compile(r"magic[-_]?link[/?][^\s\"'<>\u2022]*token=[^\s\"'<>&\u2022]{4,}", re.IGNORECASE)
_SECRET_PAIR = re.compile(
    r'"(?:[a-z_ -]*(?:access|refresh|auth|id|session)[_-]?token|x?-?api[_-]?key|client[_-]?secret|password'
    r'|private[_-]?key|authorization)"\s*:\s*"(?!(?:Bearer |Basic )?(?:\u2022|\\u2022))([^"\\]{6,})"',
    re.IGNORECASE,
)
_HEADER_PAIR = re.compile(
    r'"name":\s*"(?:x-apikey|authorization|cookie|set-cookie)",\s*"value":\s*"'
    r'(?!(?:Bearer |Basic )?(?:\u2022|\\u2022))[^"]+"',
    re.IGNORECASE,
)

_PHONE_FIELD = re.compile(
    r'"[^"]*(?:phone|mobile|fax|msisdn)(?:_?number)?"\s*:\s*"?(\+?[\d][^"\\,}]*|\([^"\\,}]+)', re.IGNORECASE
)
_NAME_FIELD = re.compile(
    r'"[^"]*(?:first|last|given|family|middle|full|nick|sur|customer|contact|owner)_?name"\s*:\s*"([^"\\]{4,80})"',
    re.IGNORECASE,
)
_SECRET_FIELD = re.compile(
    r'"[^"]*(?:token|secret|password|api_?key|private_?key)"\s*:\s*"([^"\\\s]{16,})"', re.IGNORECASE
)
_CURSOR_NAMES = re.compile(
    r'"[^"]*(?:page|paging|sync|next|continuation|cursor|delta)_?token"', re.IGNORECASE
)


@dataclass(slots=True)
class Wanted:
    """What is looked for."""

    secrets: set[str] = field(default_factory=set)
    """Known beforehand, or collected."""
    phones: set[str] = field(default_factory=set)
    """Digits alone."""
    names: set[str] = field(default_factory=set)
    emails: bool = False
    """Any e-mail address."""
    calls: bool = False
    """Any phone number that is written as one."""
    people: bool = False
    """The names that were collected."""

    def collect(self, data: bytes) -> None:
        """Notes what a body of the evidence holds, as it was before masking."""
        text = data.decode("utf-8", "replace")
        for match in _SECRET_FIELD.finditer(text):
            if not _CURSOR_NAMES.match(match[0]) and _DOTS not in match[1]:
                self.secrets.add(match[1])
        if self.calls:
            for match in _PHONE_FIELD.finditer(text):
                digits = "".join(filter(str.isdigit, match[1]))
                if 8 <= len(digits) <= 18 and not _ALLOWED.fullmatch(digits):
                    self.phones.add(digits)
        if self.people:
            for match in _NAME_FIELD.finditer(text):
                name = match[1].strip()
                if len(name) >= 4 and name[0].isalpha() and not _ALLOWED.search(name):
                    self.names.add(name)


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that should not be there: where, and of what kind. Never the value itself."""

    file: str
    kind: str

    def __str__(self) -> str:
        return f"{self.file} still holds {self.kind}"


class Scan:
    """One look over all files of a bundle."""

    def __init__(self, wanted: Wanted, vocabulary: Iterable[bytes] = ()) -> None:
        """``vocabulary`` are the program's own texts: a person whose name is a word of them is not looked for."""
        own = b"\n".join(vocabulary).decode("utf-8", "replace")
        self._wanted = wanted
        # Each is looked for in each form by itself; beyond a few hundred they are looked up as whole words.
        secrets = sorted((s for s in wanted.secrets if len(s) >= 4), key=len)
        self._secrets, self._many = secrets[:_MOST], frozenset(secrets[_MOST:])
        self._packed = tuple(form for secret in self._secrets for form in _packings(secret))
        words = set(re.findall(r"\w+", own))
        names = [n for n in wanted.names if n not in own and not set(re.findall(r"\w+", n)) <= words]
        self._names: dict[str, list[str]] = {}
        for name in names:
            if match := re.match(r"\w+", name):
                self._names.setdefault(match[0], []).append(name)
        self.looked_at = 0
        """Bytes and signs searched, in all forms."""

    def of(self, file: str, data: bytes) -> list[Hit]:
        """What one file holds, in its bytes and in every form that they can be unpacked to."""
        kinds: set[str] = set()
        if self._packed:
            kinds |= {"a key or token" for form in self._packed if form in data}
        for text in _forms(data):
            self.looked_at += len(text)
            kinds |= self._in(text)
        for text in _unpacked(data):
            self.looked_at += len(text)
            kinds |= self._in(text)
        return [Hit(file, kind) for kind in sorted(kinds)]

    def _in(self, text: str) -> set[str]:
        found: set[str] = set()
        wanted = self._wanted
        text = _ALLOWED.sub(" ", text)
        if any(secret in text for secret in self._secrets):
            found.add("a key or token")
        if self._many and any(m[0] in self._many for m in re.finditer(r"[\w.+/=~-]{12,}", text)):
            found.add("a key or token")
        if (
            _JWT.search(text)
            or _BEARER.search(text)
            or _SECRET_PAIR.search(text)
            or _HEADER_PAIR.search(text)
        ):
            found.add("a key or token")
        if _LINK.search(text):
            found.add("a link with its token")
        if wanted.emails and _MAIL.search(text):
            found.add("an e-mail address")
        if wanted.calls and self._calls(text):
            found.add("a phone number")
        if self._names and self._people(text):
            found.add("a name")
        return found

    def _calls(self, text: str) -> bool:
        if _CALL.search(text):
            return True
        return bool(self._wanted.phones) and any(
            "".join(filter(str.isdigit, match[0])) in self._wanted.phones for match in _DIGITS.finditer(text)
        )

    def _people(self, text: str) -> bool:
        for word in re.finditer(r"\w+", text):
            for name in self._names.get(word[0], ()):
                if text.startswith(name, word.start()) and not text[word.start() + len(name) :][:1].isalnum():
                    return True
        return False


def _forms(data: bytes) -> Iterator[str]:
    """The bytes as text, and what is left of it as escapes, entities, percent codes and breaks are undone."""
    text = data.decode("utf-8", "replace")
    yield text
    if data.count(b"\0") * 5 > len(data):
        yield data.decode("utf-16-le", "replace")
        yield data.decode("utf-16-be", "replace")
    for _ in range(3):
        before = text
        text = _unescape(text)
        if "&" in text:
            text = html.unescape(text)
        if "%" in text:
            text = unquote_to_bytes(text.encode("utf-8", "replace")).decode("utf-8", "replace")
        if text == before:
            break
        yield text
    joined = re.sub(r"(?:\r?\n|\\r|\\n)[ \t>]*|<wbr/?>|[\u00ad\u200b-\u200d\u2060\ufeff]", "", text)
    if joined != text:
        yield joined


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    codes = {'"': '"', "/": "/", "\\": "\\"}

    def plain(match: re.Match[str]) -> str:
        return codes[match[2]] if match[2] else chr(int(match[1], 16))

    return re.sub(r"\\(?:u([0-9a-fA-F]{4})|([\"/\\]))", plain, text)


def _unpacked(data: bytes) -> Iterator[str]:
    """What runs of base64 and hex say, at whichever sign they begin, where it reads as text; twice over."""
    waiting = [(data, 0)]
    while waiting:
        block, depth = waiting.pop()
        for run in re.findall(rb"[A-Za-z0-9+/_-]{16,}", block):
            for inside in _decoded(run):
                yield from _forms(inside)
                if depth == 0:
                    waiting.append((inside, 1))


def _decoded(run: bytes) -> Iterator[bytes]:
    plain = run.translate(bytes.maketrans(b"-_", b"+/"))
    for start in range(4):
        part = plain[start:]
        cut = part[: len(part) - len(part) % 4]
        rest = part[len(cut) :]
        whole = cut + (rest + b"=" * (4 - len(rest)) if len(rest) > 1 else b"")
        try:
            made = base64.b64decode(whole)
        except (binascii.Error, ValueError):
            continue
        if _reads(made):
            yield made
    for hexes in re.findall(rb"(?:[0-9a-fA-F]{2}){8,}", run):
        made = bytes.fromhex(hexes.decode())
        if _reads(made):
            yield made


def _reads(data: bytes) -> bool:
    """Whether bytes look like text: random ones hold a printable sign in three."""
    data = data.replace(b"\0", b"")
    return len(data) > 5 and sum(31 < byte < 127 for byte in data) * 10 >= len(data) * 8


def _packings(secret: str) -> Iterator[bytes]:
    """A secret in other alphabets, as far as that does not depend on what stands around it."""
    raw = secret.encode("utf-8", "surrogatepass")
    yield raw
    yield secret.encode("utf-16-le", "surrogatepass")
    yield secret.encode("utf-16-be", "surrogatepass")
    if len(raw) >= 6:
        yield raw.hex().encode()
        yield raw.hex().upper().encode()
        for before in range(3):
            text = base64.b64encode(b"\0" * before + raw)
            core = text[(0, 2, 3)[before] : (before + len(raw)) * 8 // 6]
            if len(core) >= 8:
                yield core
                yield core.translate(bytes.maketrans(b"+/", b"-_"))
