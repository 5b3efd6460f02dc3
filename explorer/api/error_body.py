"""The shapes of a failed answer's body, as one running service was seen to give them, and what each says.

============  ======================================  ===================================================
service (A)   {message, code, data: {…}}, issues      the service itself; the message may be JSON text
third (B)     {class, message, code, data: {}}        the third party; the status is the third party's
early (C)     {error_type, error_detail}              refused before routing, with a stack trace
nothing (D)   no body                                 crashed
page          HTML                                    a gateway or web server in front of the service; with a
                                                      status of success a sign-in page
other         anything else                           not known
============  ======================================  ===================================================
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Shape = Literal["service", "third", "early", "nothing", "page", "other"]

LONGEST = 300
"""Characters of remote text in a sentence."""
_SAID = 3
_SHOWN = ("message", "code", "data", "issues", "httpStatus", "path")
_DETAIL = 20_000
_PARSED = 1_048_576
_LOOKED_AT = 4096
_PAGE = re.compile(r"\s*<(!doctype html|html|head|body|h1|title|center)", re.I)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.I | re.S)
_HEADING = re.compile(r"<h1[^>]*>(.*?)</h1", re.I | re.S)
_TAG = re.compile(r"<[^>]*>")
_THIRD_STATUS = re.compile(r"\[(\d{3})(?: ([^\]]{0,60}))?\]")


@dataclass(frozen=True, slots=True)
class ErrorBody:
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
    more: bool = False
    """The body holds more words than `message` and `issues` give."""


def parse_error_body(body: bytes, content_type: str, redact: Callable[[str], str] = str) -> ErrorBody:
    """What ``body`` says. ``redact`` takes the secrets out of each text, before it is cut."""
    if not body.strip():
        return ErrorBody("nothing")
    text = body[:_PARSED].decode("utf-8-sig", "replace")
    if "html" in content_type.lower() or _PAGE.match(text):
        return _page(text, redact)
    value = _json(text)
    if isinstance(value, dict):
        return _object(value, text, redact)
    first = text if value is None else value if isinstance(value, str) else ""
    return ErrorBody(
        "other", plain(redact(_first_line(first))), redact(text[:_DETAIL]), more=not first or _goes_on(first)
    )


def is_page(body: bytes, content_type: str) -> bool:
    """Whether an answer with a status of success is a web page, whatever it is called; JSON called HTML is none."""
    text = body[:_LOOKED_AT].decode("utf-8-sig", "replace")
    return _PAGE.match(text) is not None or ("html" in content_type.lower() and text.lstrip()[:1] == "<")


def plain(text: str, longest: int = LONGEST) -> str:
    """Remote text for a sentence: one line, no control or direction-changing characters, cut at ``longest``."""
    kept = "".join(c if not unicodedata.category(c).startswith("C") else " " for c in text)
    line = " ".join(kept.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def _object(value: Mapping[str, Any], text: str, redact: Callable[[str], str]) -> ErrorBody:
    message = value.get("message")
    said = message if isinstance(message, str) else ""
    code = plain(redact(value["code"]), 60) if isinstance(value.get("code"), str) else ""
    if "class" in value and "message" in value:
        head = _THIRD_STATUS.match(said)
        status = " ".join(filter(None, head.groups())) if head else ""
        return ErrorBody(
            "third",
            plain(redact(_first_line(said))),
            redact(said[:_DETAIL]),
            code,
            third_status=plain(redact(status)),
            more=_goes_on(said) or bool(value.get("data")),
        )
    if "error_type" in value or "error_detail" in value:
        detail = value.get("error_detail")
        trace = detail if isinstance(detail, str) else json.dumps(detail)
        kind = value.get("error_type")
        line, kept, code = (
            plain(redact(_first_line(trace))),
            redact(trace[:_DETAIL]),
            plain(redact(str(kind)), 60),
        )
        return ErrorBody("early", line, kept, code, more=_goes_on(trace))
    if said or "code" in value:
        return _service(value, said, text, code, redact)
    name = next((name for name in ("error", "detail", "title") if value.get(name)), "")
    inner = value.get(name)
    if isinstance(inner, dict):
        inner = inner.get("message")
    first = inner if isinstance(inner, str) else ""
    more = _goes_on(first) or any(given for key, given in value.items() if key != name or not first)
    return ErrorBody("other", plain(redact(_first_line(first))), redact(text[:_DETAIL]), more=more)


def _service(
    value: Mapping[str, Any], said: str, text: str, code: str, redact: Callable[[str], str]
) -> ErrorBody:
    data = value.get("data")
    inside = data if isinstance(data, dict) else {}
    given = value.get("issues") or inside.get("issues")
    issues = _issues(given, redact)
    message, more = plain(redact(_first_line(said))), _goes_on(said)
    if said.lstrip()[:1] in ("[", "{"):
        within = _within(said, redact)
        issues = issues or within.issues
        # What is no JSON after all, or has no words, is shown as it is, on one line.
        message, more = within.message or plain(redact(said)), bool(within.message) or len(said) > LONGEST
    unread = (given and not issues) or (value.get("message") and not said)
    beside = any(held for name, held in (*value.items(), *inside.items()) if name not in _SHOWN)
    return ErrorBody(
        "service", message, redact(text[:_DETAIL]), code, issues, more=bool(more or unread or beside)
    )


def _within(said: str, redact: Callable[[str], str]) -> ErrorBody:
    """What a message says that is JSON text itself: its issues, else the words of an object; nothing in others."""
    value = _json(said)
    if isinstance(value, dict):
        issues = _issues(value.get("issues"), redact)
        inner = value.get("message")
    else:
        issues, inner = _issues(value, redact), None
    words = sentence_of(issues) or (plain(redact(inner)) if isinstance(inner, str) else "")
    return ErrorBody("service", words, issues=issues)


def sentence_of(issues: Sequence[tuple[str, str]]) -> str:
    """The first issues on one line: ``record.email: Required; id: Is not valid and 2 more``; empty for none."""
    first = "; ".join(": ".join(filter(None, issue)) for issue in issues[:_SAID])
    return plain(first) + (f" and {len(issues) - _SAID} more" if len(issues) > _SAID else "")


def _json(text: str) -> Any:
    """The value of a JSON text; None for what is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _goes_on(text: str) -> bool:
    """Whether ``text`` is more than the one line that stands in a sentence."""
    return plain(_first_line(text)) != plain(text, len(text) + 1)


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


def _page(text: str, redact: Callable[[str], str]) -> ErrorBody:
    match = _TITLE.search(text) or _HEADING.search(text)
    title = html.unescape(_TAG.sub(" ", match[1])) if match else ""
    return ErrorBody("page", plain(redact(title), 120), redact(text[:_DETAIL]))


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "")
