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
from explorer.api.sensitive import folded


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
_LOW_HINTS = hints("assw|assphrase|pwd|oken|ecret|pi[_-]?key|ivate_?key")
"""The same in any case, for text in lower case, which takes a third of the time."""
_WHOLE = frozenset({"password", "passwd", "pwd", "passphrase", "idtoken", "dbpassword", "userpassword"})
_ENDS = (
    *("accesstoken", "refreshtoken", "authtoken", "sessiontoken", "bearertoken", "apitoken", "oauthtoken"),
    *(
        "clientsecret",
        "apisecret",
        "signingsecret",
        "webhooksecret",
        "appsecret",
        "consumersecret",
        "tokensecret",
    ),
    *(
        "apikey",
        "secretkey",
        "secretaccesskey",
        "privatekey",
        "signingkey",
        "encryptionkey",
        "accesskeysecret",
    ),
)
_AUTHORIZATIONS = re.compile(r"(?:Bearer|Basic|Token|ApiKey) \S{8,}", re.IGNORECASE)
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


def secret_named(name: str, value: Any) -> str:
    """The kind of secret that a value is by its field's name, as ``access token``; empty when it is none."""
    if not isinstance(value, str) or len(value) < 8 or _MASKED.fullmatch(value):
        return ""
    kind = kind_named(name)
    if kind == "authorization":
        return kind if _AUTHORIZATIONS.fullmatch(value) else ""
    # A word is a state or a choice: a secret has digits, and no spaces.
    return kind if kind and not re.search(r"\s", value) and re.search(r"\d", value) else ""


@lru_cache(maxsize=4096)
def kind_named(name: str) -> str:
    """The kind of value that a name stands for: ``password``, ``token``, ``secret``, ``key``, ``authorization``."""
    plain = folded(name)
    if plain in _WHOLE:
        return "password" if plain != "idtoken" else "token"
    if plain in ("authorization", "proxyauthorization"):
        return "authorization"
    end = next((end for end in _ENDS if plain.endswith(end)), "")
    return "" if not end else "token" if end.endswith("token") else "secret" if "secret" in end else "key"
