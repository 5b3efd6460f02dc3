"""The shapes of a failed answer's body, as one running service was seen to give them, and what each says.

============  ======================================  ===================================================
service (A)   {message, code, data: {…}}, issues      the service itself
third (B)     {class, message, code, data: {}}        the third party; the status is the third party's
early (C)     {error_type, error_detail}              refused before routing, with a stack trace
nothing (D)   no body                                 crashed
page          HTML                                    a gateway or web server in front of the service
other         anything else                           not known
============  ======================================  ===================================================
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Shape = Literal["service", "third", "early", "nothing", "page", "other"]

LONGEST = 300
"""Characters of remote text in a sentence."""
_DETAIL = 20_000
_PARSED = 1_048_576
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.I | re.S)
_HEADING = re.compile(r"<h1[^>]*>(.*?)</h1", re.I | re.S)
_TAG = re.compile(r"<[^>]*>")
_THIRD_STATUS = re.compile(r"\[(\d{3})(?: ([^\]]{0,60}))?\]")


@dataclass(frozen=True, slots=True)
class Told:
    """What a failed answer's body says, redacted, as plain text."""

    shape: Shape
    message: str = ""
    """One line, as it may stand in a sentence."""
    detail: str = ""
    """All of it, for those who look."""
    code: str = ""
    issues: tuple[tuple[str, str], ...] = ()
    """Path of the field, message."""
    third_status: str = ""
    """The status that the third party's message begins with, as ``429 Too Many Requests``."""


def told(body: bytes, content_type: str, redact: Callable[[str], str] = str) -> Told:
    """What ``body`` says. ``redact`` takes the secrets out of each text, before it is cut."""
    if not body.strip():
        return Told("nothing")
    text = body[:_PARSED].decode("utf-8-sig", "replace")
    if "html" in content_type.lower() or re.match(
        r"\s*<(!doctype|html|head|body|h1|title|center)", text, re.I
    ):
        return _page(text, redact)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return Told("other", plain(redact(_first_line(text))), redact(text[:_DETAIL]))
    if isinstance(value, dict):
        return _object(value, text, redact)
    first = value if isinstance(value, str) else ""
    return Told("other", plain(redact(_first_line(first))), redact(text[:_DETAIL]))


def plain(text: str, longest: int = LONGEST) -> str:
    """Remote text for a sentence: one line, no control or direction-changing characters, cut at ``longest``."""
    kept = "".join(c if not unicodedata.category(c).startswith("C") else " " for c in text)
    line = " ".join(kept.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def _object(value: Mapping[str, Any], text: str, redact: Callable[[str], str]) -> Told:
    message = value.get("message")
    said = message if isinstance(message, str) else ""
    code = plain(redact(value["code"]), 60) if isinstance(value.get("code"), str) else ""
    if "class" in value and "message" in value:
        head = _THIRD_STATUS.match(said)
        status = " ".join(filter(None, head.groups())) if head else ""
        return Told(
            "third",
            plain(redact(_first_line(said))),
            redact(said[:_DETAIL]),
            code,
            third_status=plain(redact(status)),
        )
    if "error_type" in value or "error_detail" in value:
        detail = value.get("error_detail")
        trace = detail if isinstance(detail, str) else json.dumps(detail)
        kind = value.get("error_type")
        return Told(
            "early", plain(redact(_first_line(trace))), redact(trace[:_DETAIL]), plain(redact(str(kind)), 60)
        )
    if said or "code" in value:
        data = value.get("data")
        issues = value.get("issues") or (data.get("issues") if isinstance(data, dict) else None)
        return Told(
            "service", plain(redact(_first_line(said))), redact(text[:_DETAIL]), code, _issues(issues, redact)
        )
    inner = value.get("error") or value.get("detail") or value.get("title")
    if isinstance(inner, dict):
        inner = inner.get("message")
    first = inner if isinstance(inner, str) else ""
    return Told("other", plain(redact(_first_line(first))), redact(text[:_DETAIL]))


def _issues(issues: Any, redact: Callable[[str], str]) -> tuple[tuple[str, str], ...]:
    """(path, message) of each issue, whatever else a service puts there."""
    if not isinstance(issues, list):
        return ()
    found = []
    for each in issues[:100]:
        if isinstance(each, dict):
            path = each.get("path")
            where = ".".join(map(str, path)) if isinstance(path, list) else str(path or "")
            found.append(
                (plain(redact(where), 120), plain(redact(str(each.get("message") or each.get("code") or ""))))
            )
        elif isinstance(each, str):
            found.append(("", plain(redact(each))))
    return tuple(found)


def _page(text: str, redact: Callable[[str], str]) -> Told:
    match = _TITLE.search(text) or _HEADING.search(text)
    title = html.unescape(_TAG.sub(" ", match[1])) if match else ""
    return Told("page", plain(redact(title), 120), redact(text[:_DETAIL]))


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "")
