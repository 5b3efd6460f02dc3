"""Patterns in texts: tokens, keys and signed links, by their format and by the names of their fields.

Only formats that can hardly be anything else count: ids, hashes, version marks, cursors and shared links are long and
random as well. Formats: RFC 7519 (JWT), the signatures of links of S3, Google Cloud Storage, CloudFront and Azure, and
the prefixes that makers give their keys so that they can be found.

Whether any of many patterns may occur in some bytes is tested by pydantic's engine all at once, in a tenth of the time
that testing one by one takes (`may_match`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic_core import SchemaValidator, ValidationError, core_schema

from explorer.api.links import is_unsigned, read_claims
from explorer.api.sensitive import PASS, folded


def hints(*patterns: str) -> SchemaValidator:
    """Compiles patterns for `may_match`, in the syntax of Rust's regular expressions."""
    return SchemaValidator(core_schema.str_schema(pattern="|".join(patterns), regex_engine="rust-regex"))


def may_match(patterns: SchemaValidator, data: bytes) -> bool:
    """Whether one of the patterns occurs in the bytes; True for bytes that are not valid text."""
    try:
        patterns.validate_python(data)
    except ValidationError as error:
        return error.errors(include_url=False, include_input=False)[0]["type"] != "string_pattern_mismatch"
    return True


_SHORTEST = 16
_MOST = 200_000
"""Characters of one text that are searched."""


@dataclass(frozen=True, slots=True)
class Secret:
    """One secret: its kind, and no part of it."""

    kind: str
    """As ``JSON Web Token``."""
    length: int


_FORMS: tuple[tuple[str, str], ...] = (
    ("JSON Web Token", r"\beyJ[\w-]{8,}\.eyJ[\w-]{4,}\.[\w-]{16,}"),
    ("AWS access key id", r"\b(?:AKIA|ASIA)(?![0-9A-Z]{9}EXAMPLE)[0-9A-Z]{16}\b"),
    ("signature of a link", r"[?&;]X-(?:Amz|Goog)-Signature=[0-9A-Fa-f]{32,}"),
    ("signature of a link", r"[?&;]sig=[\w%+/=~-]{20,}(?<=[\w%=])"),
    ("signature of a link", r"[?&;]Signature=[\w%+/=~-]{20,}"),
    (
        "token in an address",
        r"[?&;#](?:access_token|refresh_token|id_token|auth_token|api_?key|client_secret|tempauth)=[\w%.~+/=!$|:@-]{16,}",
    ),
    ("Stripe key", r"\b[sr]k_(?:live|test)_[0-9A-Za-z]{16,}"),
    ("Slack token", r"\bxox[abeoprs]-[0-9A-Za-z-]{20,}"),
    ("GitHub token", r"\b(?:gh[pousr]_[0-9A-Za-z]{36,}|github_pat_\w{40,})"),
    ("Google API key", r"\bAIza[\w-]{35}(?![\w-])"),
    ("Google token", r"\bya29\.[\w-]{30,}"),
    ("SendGrid key", r"\bSG\.[\w-]{16,32}\.[\w-]{32,64}"),
    ("HubSpot token", r"\bpat-(?:na|eu|ap)\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
    ("Shopify token", r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b"),
    ("private key", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----"),
    ("bearer token", r"\b[Bb]earer (?=[\w.~+/-]*\d)[\w.~+/-]{20,}=*"),
    (
        "name and password in an address",
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>?#]{1,80}:[^\s/@\"'<>]{3,80}@[\w.-]+",
    ),
    ("password", r"(?i)(?:^|[;?&\s])(?:password|pwd)=(?=[^;&\s\"']*[\d\W])[^;&\s\"'<>]{6,}"),
    (
        "password",
        r"(?i)[\"'](?:password|access_?token|refresh_?token|client_?secret|api_?key)[\"']\s*:\s*[\"'](?=\S*\d)[^\s\"']{10,}[\"']",
    ),
)
_EACH = tuple((kind, re.compile(form)) for kind, form in _FORMS)
_SIGNED_WITH = {
    "sig": re.compile(r"[?&;](?:sv|se|sr|sp)=", re.ASCII),
    "Signature": re.compile(r"[?&;](?:Key-Pair-Id|AWSAccessKeyId|GoogleAccessId|Expires|Policy)="),
}
"""What accompanies a signature with a short name."""
_HINTS = hints(
    r"eyJ|AKIA|ASIA|ignature=|sig=|k_live_|k_test_|xox|github_pat|AIza|ya29\.|SG\.|pat-|tempauth|uthorization",
    r"PRIVATE KEY|earer |gh[pousr]_|shp[acps]|\u{17F}|\u{212A}",
    r"://[^ \t\r\n\f\v/\"]{1,100}:[^ \t\r\n\f\v/\"]{1,100}@",
)
"""What occurs in or before each of them, and the letters beyond ASCII that are s and k in lower case."""
_LOW_HINTS = hints(
    r"assw|assphrase|pwd|oken|ecret|pi[_-]?key|ivate_?key|pass\\?\"\s*:",
    r"(?:api|private|signing|encryption)\"\s*:\s*\{",
)
"""The same in any case, for text in lower case, which takes a third of the time."""
_PASSWORDS = ("password", "passwd", "passwort", "passphrase", "pwd")
"""How a name ends whose value is a password, in any spelling: ``smtpPassword``, ``imap-passwd``."""
_HASHES = tuple(f"{word}{of}" for word in ("password", "passwd", "pwd") for of in ("hash", "digest", "salt"))
"""What is made of a password, from which a weak one is found again."""
_NO_PASSWORD = re.compile(
    r"(?:has|is|was|needs?|requires?|uses?|allows?|shows?|must|should|can|no|without|forgot|forgotten|change|set)"
    r"(?:[A-Z_\s.-].*|)"
)
"""How a name begins that asks about a secret or does something with one: ``has_password``."""
_TOKENS = tuple(
    f"{whose}token"
    for whose in (
        *(
            "access",
            "refresh",
            "auth",
            "session",
            "bearer",
            "api",
            "oauth",
            "bot",
            "app",
            "integration",
            "service",
        ),
        *("login", "reset", "password", "security", "verification", "webhook", "secret", "smtp", "imap"),
    )
)
_SECRETS = tuple(
    f"{whose}secret"
    for whose in (
        *("client", "api", "app", "application", "consumer", "token", "oauth", "auth", "access"),
        *("signing", "webhook", "shared", "hmac", "totp", "mfa", "jwt"),
    )
)
_KEYS = (
    *("apikey", "secretkey", "secretaccesskey", "accesskeysecret", "privatekey"),
    *("signingkey", "encryptionkey", "masterkey", "sharedaccesskey", "storageaccesskey"),
)
_AUTHORIZATIONS = re.compile(r"(?:Bearer|Basic|Token|ApiKey) \S{8,}", re.IGNORECASE)
_OF_APP = re.compile(r"[a-z]{16}|[a-z]{4}( [a-z]{4}){3}")
"""A password that a mail service makes for one program."""
_NO_SECRET = re.compile(r"https?://|\d{4}-\d\d-\d\d")
"""Where a password is set anew, and when that was done."""
_MASKED = re.compile(
    r"(?i)[*•x.\-_#]+|.*(?:redacted|hidden|masked|encrypted|placeholder|changeme|removed).*|[<{\[].*[>}\]]"
)


def may_hold(data: bytes) -> bool:
    """Whether the bytes of a page may hold a secret: a quick test before `secrets_in` and `secret_named`."""
    return may_match(_HINTS, data) or may_match(_LOW_HINTS, data.lower())


def secrets_in(text: str) -> Iterator[Secret]:
    """The secrets in a text recognised by their format, the first of each kind."""
    if len(text) < _SHORTEST or not may_hold(text.encode("utf-8", "surrogatepass")):
        return
    text, spans = text[:_MOST], list[tuple[int, int]]()
    for kind, form in _EACH:
        for match in form.finditer(text):
            start, stop = match.span()
            if any(start < end and begin < stop for begin, end in spans) or not _is_one(kind, match, text):
                continue
            spans.append((start, stop))
            yield Secret(kind, stop - start)
            break  # one of each kind in a text is enough


def _is_one(kind: str, match: re.Match[str], text: str) -> bool:
    if kind == "JSON Web Token":
        return read_claims(match[0]) is not None and not is_unsigned(match[0])
    name = match[0][1:].partition("=")[0]
    if kind == "signature of a link" and name in _SIGNED_WITH:
        start, stop = text.rfind(" ", 0, match.start()) + 1, text.find(" ", match.end())
        return _SIGNED_WITH[name].search(text[start : stop if stop > 0 else len(text)]) is not None
    return True


def secret_named(name: str, value: Any, of: str = "") -> str:
    """The kind of secret that a value is by its field's name, as ``access token``; empty when it is none.

    ``of`` is the name of the object that the field is in: ``secret`` is one within ``client``.
    """
    if not isinstance(value, str) or len(value) < 8 or _MASKED.fullmatch(value):
        return ""
    kind = kind_named(name) or (kind_named(f"{of}_{name}") if of else "")
    if kind == "authorization":
        return kind if _AUTHORIZATIONS.fullmatch(value) else ""
    if not kind or _NO_SECRET.match(value):
        return ""
    if kind == "password" and _OF_APP.fullmatch(value):
        return kind
    # A word is a state or a choice: a secret has digits or signs, and no spaces.
    return kind if not re.search(r"\s", value) and re.search(r"[\d!@#$%^&*+=~]", value) else ""


@lru_cache(maxsize=4096)
def kind_named(name: str) -> str:
    """The kind of value that a name stands for: ``password``, ``token``, ``secret``, ``key``, ``authorization``."""
    plain = folded(name).rstrip("0123456789")
    if plain in ("authorization", "proxyauthorization"):
        return "authorization"
    if _NO_PASSWORD.fullmatch(name):
        return ""
    if plain.endswith((*_PASSWORDS, *_HASHES)) or PASS.fullmatch(plain):
        return "password"
    if plain == "idtoken" or plain.endswith(_TOKENS):
        return "token"
    if plain.endswith(_SECRETS):
        return "secret"
    return "key" if plain.endswith(_KEYS) else ""
