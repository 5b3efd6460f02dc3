"""Parses the body of a failed answer. The shapes below were observed with one running service.

============  ======================================  ===================================================
service (A)   {message, code, data: {…}}, issues      the service itself; the message may itself be JSON
third (B)     {class, message, code, data: {}}        the third party; the status is the third party's
early (C)     {error_type, error_detail}              refused before routing, with a stack trace
nothing (D)   no body                                 the service crashed
page          HTML                                    a gateway or web server in front of the service; with a
                                                      status of success a sign-in page
other         anything else                           unknown
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

from explorer.catalog.interface import ErrorFormat
from explorer.jsontext.pointer import path_of, value_at
from explorer.jsontext.read import read_or_none

Shape = Literal["service", "third", "early", "nothing", "page", "other"]

LONGEST = 300
"""The most characters of remote text in a sentence."""
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
    """The content of a failed answer's body, redacted, as plain text."""

    shape: Shape
    message: str = ""
    """Its message on one line, fit for a sentence."""
    detail: str = ""
    """The whole text, for the details."""
    code: str = ""
    issues: tuple[tuple[str, str], ...] = ()
    """(path of the field, message) of each issue."""
    third_status: str = ""
    """The third party's own status, from the start of its message, such as ``429 Too Many Requests``."""
    more: bool = False
    """Whether the body says more than `message` and `issues`."""


def parse_error_body(
    body: bytes, content_type: str, redact: Callable[[str], str] = str, declared: ErrorFormat | None = None
) -> ErrorBody:
    """The content of ``body``. ``redact`` is applied to each text before it is shortened. Never raises.

    ``declared``: where the interface says that its words stand; what has none there is read by its shape.
    """
    if not body.strip():
        return ErrorBody("nothing")
    text = body[:_PARSED].decode("utf-8-sig", "replace")
    if "html" in content_type.lower() or _PAGE.match(text):
        return _page(text, redact)
    value = read_or_none(text)
    if declared is not None and (found := _declared(value, text, declared, redact)) is not None:
        return found
    if isinstance(value, dict):
        return _object(value, text, redact)
    first = text if value is None else value if isinstance(value, str) else ""
    return ErrorBody(
        "other", plain(redact(_first_line(first))), redact(text[:_DETAIL]), more=not first or _goes_on(first)
    )


def is_page(body: bytes, content_type: str) -> bool:
    """Whether a successful answer is a web page, by its content. JSON that is labelled HTML is not."""
    text = body[:_LOOKED_AT].decode("utf-8-sig", "replace")
    return _PAGE.match(text) is not None or ("html" in content_type.lower() and text.lstrip()[:1] == "<")


def plain(text: str, longest: int = LONGEST) -> str:
    """Remote text fit for a sentence: one line, without control or bidi characters, at most ``longest`` characters."""
    kept = "".join(c if not unicodedata.category(c).startswith("C") else " " for c in text)
    line = " ".join(kept.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def _declared(value: Any, text: str, declared: ErrorFormat, redact: Callable[[str], str]) -> ErrorBody | None:
    """What stands where the interface says; None when nothing does."""
    found = {path: value_at(value, path_of(path)) for path in (declared.message, declared.code) if path}
    third = value_at(value, path_of(declared.third_party)) if declared.third_party else None
    said, code = (_words(found.get(path)) for path in (declared.message, declared.code))
    if third is not None:
        said = _words(third) or said
    if not (said or code):
        return None
    shape: Shape = "service" if third is None else "third"
    line = plain(redact(_first_line(said)))
    return ErrorBody(shape, line, redact(text[:_DETAIL]), plain(redact(code), 60), more=True)


def _words(value: Any) -> str:
    """A value of a failure as text; empty for none."""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return "" if value is None else str(value)


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
        # A message that is not JSON after all, or has no text, is shown as it is, on one line.
        message, more = within.message or plain(redact(said)), bool(within.message) or len(said) > LONGEST
    unread = (given and not issues) or (value.get("message") and not said)
    beside = any(held for name, held in (*value.items(), *inside.items()) if name not in _SHOWN)
    return ErrorBody(
        "service", message, redact(text[:_DETAIL]), code, issues, more=bool(more or unread or beside)
    )


def _within(said: str, redact: Callable[[str], str]) -> ErrorBody:
    """The content of a message that is JSON itself: its issues, else the message of an object, else nothing."""
    value = read_or_none(said)
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


def _goes_on(text: str) -> bool:
    """Whether ``text`` has more than its first line, which is what a sentence shows."""
    return plain(_first_line(text)) != plain(text, len(text) + 1)


def _issues(issues: Any, redact: Callable[[str], str]) -> tuple[tuple[str, str], ...]:
    """(path, message) of each issue; items of other forms are left out."""
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
