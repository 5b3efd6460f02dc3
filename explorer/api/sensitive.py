"""Recognises secrets without knowing them: by the names that they stand under, and by their form."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote

MASK = "••••••"

_NAMES = frozenset(
    {
        "token",
        "jwt",
        "secret",
        "password",
        "passwd",
        "pwd",
        "passphrase",
        "authorization",
        "cookie",
        "session",
    }
    | {"sessionid", "bearer", "credential", "privatekey", "signature", "apikey"}
)
_PARTS = (
    "password",
    "passphrase",
    "privatekey",
    "secretkey",
    "clientsecret",
    "apikey",
    "accesstoken",
    "refreshtoken",
    "idtoken",
    "authtoken",
    "bearertoken",
    "sessiontoken",
    "sessionid",
    "credential",
)
_ENDINGS = (
    "passwd",
    "passwort",
    "pwd",
    "token",
    "secret",
    "accesskey",
    "signingkey",
    "encryptionkey",
    "authorization",
    "cookie",
    "signature",
)
PASS = re.compile(
    r"(?:.*(?:smtp|imap|pop3?|s?ftp|e?mail|mailbox|user|db|database|auth|login|proxy|ldap|server|host|admin|account|app"
    r"|bind|basic|credentials?|connection))?pass"
)
"""Of folded names: ``pass`` is a password by itself and behind what one signs in to; a boarding pass is none."""
# Endings of names whose values describe a secret and are none themselves.
_HARMLESS = (
    "expiresat",
    "expiresin",
    "expiry",
    "expires",
    "expiration",
    "type",
    "name",
    "length",
    "count",
    "policy",
)
# Several third parties call a cursor a token. Cursors stay visible, as the log is read to follow a walk.
_CURSORS = re.compile(
    r"(next|prev|previous|first|last)?(page|sync|continuation|cursor|paging|delta)token|nexttoken"
)
# In an address `key` or `sig` alone is a secret; in a JSON body `key` is the name of many harmless things.
_IN_ADDRESS = frozenset({"key", "sig", "pass", "sid", "auth"})


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """A name without case and punctuation: ``Phone_Number`` and ``phoneNumber`` are the same."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


@lru_cache(maxsize=4096)
def is_sensitive(name: str) -> bool:
    """Whether a value under this name (of a JSON key, a header, a parameter) is to be masked."""
    plain = folded(name)
    if _CURSORS.fullmatch(plain) or plain.endswith(_HARMLESS):
        return False
    one = plain.removesuffix("s") if not plain.endswith("ss") else plain
    by_end = one.endswith(_ENDINGS) or PASS.fullmatch(plain) is not None
    return one in _NAMES or by_end or any(part in plain for part in _PARTS)


_TAGGED = re.compile(r"</?[a-zA-Z][^<>]*>|\S\s+\S.*\S\s+\S", re.S)
_LONG_RUN = re.compile(r"[\w+=-]{20,}", re.A)


def is_signed_text(name: str, value: str) -> bool:
    """Whether a value under a name like ``email_signature`` is the end of a mail and not a key's: it has markup or
    several words, and nothing as long as a key.
    """
    plain = folded(name).removesuffix("s")
    return plain.endswith("signature") and bool(_TAGGED.search(value)) and not _LONG_RUN.search(value)


def is_secret_parameter(name: str) -> bool:
    """Whether a value under this name, of a parameter of an address, is to be masked."""
    return is_sensitive(name) or name.lower() in _IN_ADDRESS


_JWT = re.compile(r"eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{2,}(?:\.[A-Za-z0-9_-]*)*")
_SCHEME = re.compile(r"\b(bearer|basic)(\s+|%20|\+)(?=[^\s\"',;]*[0-9=])([^\s\"',;<>]{6,})", re.I)
_HEADER = re.compile(r"\b(authorization|(?:set-)?cookie|x-api-?key|api-key)(\s*:\s*)([^\r\n\"']+)", re.I)
_USERINFO = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,20}://)[^\s/@\"'<>]+@")
_MAY_BE_USERINFO = re.compile(r"://[^\s/@\"'<>]+@")
"""In every text that has the above; it is found ten times as fast, as it begins with what is rare."""
_PRIVATE = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.S)
_MAGIC = re.compile(r"(https?://[^\s\"'<>?#]{1,300}?magic[-_]?link[/?#])[^\s\"'<>]+", re.I)
_PAIR = re.compile(r"(?<![\w%.\[\]-])([\w%.\[\]-]{2,60})=([^&\s\"'<>#;,\\]+)")
_QUOTED = re.compile(r"([\"'])([\w .-]{3,40})\1(\s*[:=]\s*)([\"'])((?:(?!\4)[^\\]|\\.)*)(\4|\Z)", re.S)
_BARE = re.compile(r"(?<![\w-])([\w-]{3,40})(\s*:\s*)(?=[^\s\"',;]*\d)([^\s\"',;&<>{}\[\]]{6,})")

_EQUALS = ("=", "%3d")
# Lower-case texts, one of which is in every text that the patterns or names below can match; those of several words
# below a part that all of them have, without which none of them has to be looked for.
_WORDS = {
    **dict.fromkeys(("token", "secret", "pwd", "credential", "cookie", "session", "private"), ()),
    **dict.fromkeys(("eyj", "bearer", "jwt", "magic"), ()),
    "basic": ("basic ", "basic+", "basic%20"),
    "pass": ("passw", "passphrase", *(f"pass{end}" for end in (*_EQUALS, '"', "'", "\\", ":"))),
    "auth": ("authoriz", *(f"auth{equal}" for equal in _EQUALS)),
    "sig": ("signature", *(f"sig{equal}" for equal in _EQUALS)),
    "sid": tuple(f"sid{equal}" for equal in _EQUALS),
    "key": tuple(f"key{equal}" for equal in _EQUALS),
    **{
        whose: tuple(f"{whose}{gap}key" for gap in ("", "_", "-", " ", "."))
        for whose in ("api", "access", "signing", "encryption")
    },
}
_ESCAPED_ASCII = re.compile(r"\\u00[2-7]")


def may_hide(text: str) -> bool:
    """False when no pattern and no name can match in ``text``: a fast check, by which most pages need no redaction."""
    low = _in_lower_case(text)
    for part, words in _WORDS.items():
        if part in low and (not words or any(map(low.__contains__, words))):
            return True
    if "@" in low and _MAY_BE_USERINFO.search(text):
        return True
    # A name may be written with \u escapes. Only escapes of ASCII characters can be part of these names.
    return "\\u00" in low and _ESCAPED_ASCII.search(low) is not None


def _in_lower_case(text: str) -> str:
    """``text`` in lower case, as far as it is ASCII. Of other text each byte is a character here: Python takes twenty
    times as long for its lower case. Two characters of it have one in ASCII.
    """
    if text.isascii() or "\u212a" in text or "\u0130" in text:
        return text.lower()
    return text.encode("utf-8", "surrogatepass").lower().decode("latin-1")


def without_secrets(text: str) -> str:
    """``text`` with everything masked that is a secret by its form or by the name before it."""
    if "eyJ" in text:
        text = _JWT.sub(MASK, text)
    if "PRIVATE KEY" in text:
        text = _PRIVATE.sub(MASK, text)
    if "://" in text:
        text = _USERINFO.sub(rf"\1{MASK}@", text)
        text = _MAGIC.sub(rf"\1{MASK}", text)
    text = _SCHEME.sub(rf"\1\2{MASK}", text)
    text = _HEADER.sub(rf"\1\2{MASK}", text)
    if "=" in text or "%3" in text:
        text = _PAIR.sub(_pair, text)
    if ":" in text:
        text = _BARE.sub(lambda m: m[1] + m[2] + MASK if is_sensitive(m[1]) else m[0], text)
    if '"' in text or "'" in text:
        text = _QUOTED.sub(_quoted, text)
    return text


def _pair(match: re.Match[str]) -> str:
    name, value = match.groups()
    plain = unquote(name)
    if value.startswith(MASK):
        return match[0]
    if is_secret_parameter(plain):
        return f"{name}={MASK}"
    if "%" in value:
        inner = unquote(value)
        if inner != value and without_secrets(inner) != inner:
            return f"{name}={MASK}"
    return match[0]


def _quoted(match: re.Match[str]) -> str:
    quote, name, colon, mark, value, end = match.groups()
    hidden = MASK if value and is_sensitive(name) and not is_signed_text(name, value) else value
    return f"{quote}{name}{quote}{colon}{mark}{hidden}{end}"
