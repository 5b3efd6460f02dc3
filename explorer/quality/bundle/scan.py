"""The final scan of a bundle before it is written: whether its bytes contain anything that should have been masked.

It shares no code with the masking, so that both cannot have the same mistake: it ignores fields and structure, works on
bytes only, decodes with its own means, and collects its search terms from the evidence before masking.

A pattern that may begin at any quote, or with either case of a letter, is tried at each character of a text; for
several megabytes in five forms that takes seconds. So a literal character or the member names are searched for first,
at the speed of memory, and the pattern is tried only there.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import unquote_to_bytes

from explorer.words import count, listed

_MEMBER = re.compile(r'"([^"]*)(?="\s*:)')
_WORD = re.compile(r"\w+")
_DOMAIN = re.compile(r"@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}")
_BEFORE_AT = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+%-")
_DIGITS = re.compile(r"\d(?:[ ()./-]{0,2}\d){6,18}")
_BETWEEN = str.maketrans("", "", " ()./-")
_BEARER = re.compile(r"\b[Bb]earer (?=[^\s\"'<]*\d)[\w.+/=~-]{8,}")
_MOST_NAMES = 200
_FEW_NUMBERS = 8
_FEW = 100
"""Names that are searched for one by one; more of them are looked up by the words of the text."""


def members(text: str) -> set[str]:
    """Every text between two quotes and before a colon: the member names, and more where quotes are unpaired."""
    return set(_MEMBER.findall(text))


def pairs(text: str, names: Iterable[str], value: str) -> Iterator[re.Match[str]]:
    """Each member with one of the names and a value that matches the pattern ``value``, which may have groups."""
    wanted = sorted(names)
    if wanted:
        spelled = '[^"]*' if len(wanted) > _MOST_NAMES else f"(?:{'|'.join(map(re.escape, wanted))})"
        for match in re.compile(rf'"({spelled})"\s*:\s*{value}').finditer(text):
            if len(wanted) <= _MOST_NAMES or match[1] in wanted:
                yield match


def fitting(names: Iterable[str], pattern: re.Pattern[str]) -> list[str]:
    """Those of the names that match a pattern completely."""
    return [name for name in names if _fits(name, pattern)]


@lru_cache(maxsize=16384)
def _fits(name: str, pattern: re.Pattern[str]) -> bool:
    return pattern.fullmatch(name) is not None


def has_mail(text: str) -> bool:
    """Whether something like an e-mail address occurs in ``text``."""
    at = text.find("@")
    while at >= 0:
        if at and text[at - 1] in _BEFORE_AT and _DOMAIN.match(text, at):
            return True
        at = text.find("@", at + 1)
    return False


def has_number(text: str, numbers: frozenset[str]) -> bool:
    """Whether one of the numbers, given as digits, occurs in ``text`` in one of the usual notations."""
    if not numbers or (len(numbers) <= _FEW_NUMBERS and not any(_spelled(n).search(text) for n in numbers)):
        return False
    shortest = min(map(len, numbers))
    return any(
        len(run) >= shortest and run.translate(_BETWEEN) in numbers for run in set(_DIGITS.findall(text))
    )


@lru_cache(maxsize=256)
def _spelled(number: str) -> re.Pattern[str]:
    return re.compile("[ ()./-]{0,2}".join(map(re.escape, number)))


def has_ending(text: str, endings: Iterable[str], pattern: re.Pattern[str]) -> bool:
    """Whether a name with such an ending, in lower case, may occur before a quote and match ``pattern`` completely."""
    low = text.casefold()
    if "\u0131" in low:  # a dotless i equals i only in a case-insensitive pattern
        return True
    for ending in endings:
        at = low.find(f'{ending}"')
        while at >= 0:
            stop = at + len(ending)
            if _fits(low[low.rfind('"', 0, at) + 1 : stop], pattern):
                return True
            at = low.find(f'{ending}"', stop)
    return False


def has_bearer(text: str) -> bool:
    """Whether a token follows the word Bearer: at least eight characters with a digit among them."""
    at = text.find("earer ")
    while at >= 0:
        if at and _BEARER.match(text, at - 1):
            return True
        at = text.find("earer ", at + 1)
    return False


def has_name(text: str, names: Mapping[str, Sequence[str]]) -> bool:
    """Whether one of the names, grouped by first word, occurs in ``text`` as whole words."""
    few = sum(map(len, names.values())) <= _FEW
    for first in names if few else names.keys() & set(_WORD.findall(text)):
        for name in names[first]:
            at = text.find(name)
            while at >= 0:
                if _is_apart(text, at, name, first):
                    return True
                at = text.find(name, at + 1)
    return False


def _is_apart(text: str, at: int, name: str, first: str) -> bool:
    if at and _WORD.match(text, at - 1):
        return False
    word = _WORD.match(text, at)
    return word is not None and word[0] == first and not text[at + len(name) : at + len(name) + 1].isalnum()


_ALLOWED = re.compile(
    r"e-mail-\d+@masked\.example|phone-\d+\.masked\.example|name-\d+\.masked\.example|packed-\d+\.masked\.example"
    r"|no-address-\d+\.masked\.example|9990000\d{8}"
)
_MOST = 300
_REMEMBERED = 100_000
"""Most runs of characters that are remembered as harmless in all encodings, so that they are not decoded again."""
_DOTS = "\u2022" * 6

# Each begins with a literal character where possible, which is searched for at the speed of memory.
_CALL = re.compile(r"\+(?<![\w+.-]\+)[1-9](?:[ ()./-]?[ (]?\d){7,13}(?!\w)")
_JWT = re.compile(r"eyJ[\w-]{6,}\.eyJ[\w-]{2,}")
_LINK = re.compile(r"[mM](?i:agic[-_]?link[/?][^\s\"'<>\u2022]*token=[^\s\"'<>&\u2022]{4,})")
_SECRET_NAME = re.compile(
    r"[a-z_ -]*(?:access|refresh|auth|id|session)[_-]?token|x?-?api[_-]?key|client[_-]?secret|password"
    r"|private[_-]?key|authorization",
    re.IGNORECASE,
)
_SECRET_ENDINGS = ("token", "key", "secret", "password", "authorization")
_HIDDEN = r'"(?!(?:[Bb][Ee][Aa][Rr][Ee][Rr] |[Bb][Aa][Ss][Ii][Cc] )?(?:\u2022|\\u2022))([^"\\]{6,})"'
_HEADER_PAIR = re.compile(
    r'"[nN][aA][mM][eE]":\s*"(?i:(?:x-)?api-?key|authorization|cookie|set-cookie)",\s*"(?i:value)":\s*"'
    r'(?!(?i:Bearer |Basic )?(?:\u2022|\\u2022))[^"]+"'
)

_PHONE_NAME = re.compile(r'[^"]*(?:phone|mobile|fax|msisdn)(?:_?number)?', re.IGNORECASE)
_PHONE_VALUE = r'"?(\+?[\d][^"\\,}]*|\([^"\\,}]+)'
_PERSON_NAME = re.compile(
    r'[^"]*(?:first|last|given|family|middle|full|nick|sur|customer|contact|owner)_?name', re.IGNORECASE
)
_PERSON_VALUE = r'"([^"\\]{4,80})"'
_MAIL_NAME = re.compile(r'[^"]*(?:email|e?mail_?address)', re.IGNORECASE)
_ADDRESSED = r'"(?:\\")?([^"<>\\@:;,]{4,80})(?:\\")? *<[\w.+-]+@(?:[\w-]+\.)+[A-Za-z]{2,24}>'
_OWN_ADDRESS = re.compile(
    r'"(?:sending|full|bcc|work|primary)?_?e-?mail(?:_?address)?"\s*:\s*"', re.IGNORECASE
)
_TOKEN_NAME = re.compile(r'[^"]*(?:token|secret|password|api_?key|private_?key)', re.IGNORECASE)
_LONG_VALUE = r'"([^"\\\s]{16,})"'
_CURSOR_NAME = re.compile(r'[^"]*(?:page|paging|sync|next|continuation|cursor|delta)_?token', re.IGNORECASE)


_CODE = re.compile(r"\\u([0-9a-fA-F]{4})")
_RUN = re.compile(rb"[A-Za-z0-9+/_-]{16,}")
_PLAIN = bytes.maketrans(b"-_", b"+/")
_NOT_SEEN = bytes((*range(32), *range(127, 256)))


@dataclass(slots=True)
class Wanted:
    """The search terms."""

    secrets: set[str] = field(default_factory=set)
    """Known beforehand, or collected."""
    phones: set[str] = field(default_factory=set)
    """Digits only."""
    names: set[str] = field(default_factory=set)
    emails: bool = False
    """Whether any e-mail address is searched for."""
    calls: bool = False
    """Whether any phone number in a usual notation is searched for."""
    people: bool = False
    """Whether the collected names are searched for."""

    def collect(self, data: bytes) -> None:
        """Collects search terms from a body of the evidence before masking."""
        text = data.decode("utf-8", "replace")
        names = members(text)
        tokens = [name for name in fitting(names, _TOKEN_NAME) if not _CURSOR_NAME.fullmatch(name)]
        self.secrets.update(match[2] for match in pairs(text, tokens, _LONG_VALUE) if _DOTS not in match[2])
        if self.calls:
            for match in pairs(text, fitting(names, _PHONE_NAME), _PHONE_VALUE):
                digits = "".join(filter(str.isdigit, match[2]))
                if 8 <= len(digits) <= 18 and not _ALLOWED.fullmatch(digits):
                    self.phones.add(digits)
        if self.people:
            for match in pairs(text, fitting(names, _PERSON_NAME), _PERSON_VALUE):
                name = match[2].strip()
                if len(name) >= 4 and name[0].isalpha() and not _ALLOWED.search(name):
                    self.names.add(name)
            self.names.update(_beside_addresses(text, names))


def _beside_addresses(text: str, names: Iterable[str]) -> Iterator[str]:
    """Names of several words before an address in angle brackets, or as ``name`` beside one in the same object."""
    found = [match[2] for match in pairs(text, fitting(names, _MAIL_NAME), _ADDRESSED)]
    for match in pairs(text, {"name", "display_name", "displayName"}, _PERSON_VALUE):
        ends = [at for sign in "{}" if (at := text.find(sign, match.end())) >= 0]
        start = max(text.rfind("{", 0, match.start()), text.rfind("}", 0, match.start()))
        if _OWN_ADDRESS.search(text, max(start, 0), min(ends, default=len(text))):
            found.append(match[2])
    for name in map(str.strip, found):
        if " " in name and name[0].isalpha() and not _ALLOWED.search(name):
            yield name


@dataclass(frozen=True, slots=True)
class Hit:
    """One result: its place and kind. Never the value itself."""

    file: str
    kind: str

    def __str__(self) -> str:
        return f"{self.file} still holds {self.kind}"


class Scan:
    """One scan of all files of a bundle."""

    def __init__(self, wanted: Wanted, vocabulary: Iterable[bytes] = ()) -> None:
        """``vocabulary`` are the program's own texts: names of people that are words in them are not searched for."""
        own = b"\n".join(vocabulary).decode("utf-8", "replace")
        self._wanted = wanted
        # Each is searched for in every form; more than a few hundred are looked up as whole words instead.
        secrets = sorted((s for s in wanted.secrets if len(s) >= 4), key=len)
        self._secrets, self._many = secrets[:_MOST], frozenset(secrets[_MOST:])
        self._packed = tuple(form for secret in self._secrets for form in _packings(secret))
        words = set(re.findall(r"\w+", own))
        names = [n for n in wanted.names if n not in own and not set(re.findall(r"\w+", n)) <= words]
        self._names: dict[str, list[str]] = {}
        for name in names:
            if match := re.match(r"\w+", name):
                self._names.setdefault(match[0], []).append(name)
        self._phones = frozenset(wanted.phones)
        self._harmless: set[bytes] = set()

    @property
    def words(self) -> str:
        """What was looked for, and that it was not found, in a sentence: nothing else is promised."""
        wanted, names = self._wanted, sum(map(len, self._names.values()))
        also = ["any e-mail address"] if wanted.emails else []
        also += [f"{count(len(self._phones), 'phone number')} of the data and any with +"] * wanted.calls
        also += [f"{count(names, 'name')} of persons in the data"] * wanted.people
        known = f"{count(len(self._secrets) + len(self._many), 'known key')}, the shapes of tokens and links"
        return f"A second search of every byte, for {listed([known, *also])}, found none."

    def of(self, file: str, data: bytes) -> list[Hit]:
        """The results for one file, in its bytes and in every form that they decode to."""
        kinds: set[str] = set()
        if self._packed:
            kinds |= {"a key or token" for form in self._packed if form in data}
        for text in _forms(data):
            kinds |= self._in(text)
        for run in set(_RUN.findall(data)) - self._harmless:
            kinds |= self._packed_in(run)
        return [Hit(file, kind) for kind in sorted(kinds)]

    def _packed_in(self, run: bytes) -> set[str]:
        """Search terms in a run of base64 or hex, decoded up to twice."""
        kinds: set[str] = set()
        for text in _unpacked(run):
            kinds |= self._in(text)
        if not kinds and len(self._harmless) < _REMEMBERED:
            self._harmless.add(run)
        return kinds

    def _in(self, text: str) -> set[str]:
        found: set[str] = set()
        wanted = self._wanted
        if "masked.example" in text or "9990000" in text:
            text = _ALLOWED.sub(" ", text)
        if any(secret in text for secret in self._secrets):
            found.add("a key or token")
        if self._many and any(m[0] in self._many for m in re.finditer(r"[\w.+/=~-]{12,}", text)):
            found.add("a key or token")
        if self._is_told(text):
            found.add("a key or token")
        if _LINK.search(text):
            found.add("a link with its token")
        if wanted.emails and has_mail(text):
            found.add("an e-mail address")
        if wanted.calls and (_CALL.search(text) or has_number(text, self._phones)):
            found.add("a phone number")
        if has_name(text, self._names):
            found.add("a name")
        return found

    @staticmethod
    def _is_told(text: str) -> bool:
        """Whether a text is a secret by its format or by the name before it."""
        if _JWT.search(text) or has_bearer(text) or _HEADER_PAIR.search(text):
            return True
        if not has_ending(text, _SECRET_ENDINGS, _SECRET_NAME):
            return False
        return any(True for _ in pairs(text, fitting(members(text), _SECRET_NAME), _HIDDEN))


def _forms(data: bytes) -> Iterator[str]:
    """The bytes as text, and again after undoing escapes, entities, percent-encoding and line breaks."""
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
    # Between two escaped backslashes only single ones can occur.
    parts = [part.replace('\\"', '"').replace("\\/", "/") for part in text.split("\\\\")]
    return "\\".join(
        _CODE.sub(lambda m: chr(int(m[1], 16)), part) if "\\u" in part else part for part in parts
    )


def _unpacked(run: bytes) -> Iterator[str]:
    """The decoded texts of a run of base64 or hex, from any start at which it reads as text; up to twice."""
    for inside in _decoded(run):
        yield from _forms(inside)
        for below in set(_RUN.findall(inside)):
            for deeper in _decoded(below):
                yield from _forms(deeper)


def _decoded(run: bytes) -> Iterator[bytes]:
    plain = run.translate(_PLAIN)
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
    """Whether bytes look like text: of random bytes a third are printable characters."""
    data = data.replace(b"\0", b"")
    return len(data) > 5 and len(data.translate(None, _NOT_SEEN)) * 10 >= len(data) * 8


def _packings(secret: str) -> Iterator[bytes]:
    """A secret in other encodings, where these do not depend on its surroundings."""
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
