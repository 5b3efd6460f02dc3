"""Exports of the request log: one exchange as a curl command, many as a HAR file. Both without secrets."""

from __future__ import annotations

import base64
import json
import re
import shlex
from collections.abc import Iterable
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

from explorer import __version__
from explorer.api.exchange import Exchange
from explorer.api.sensitive import MASK

APIKEY_VARIABLE = "UNIFIED_EXPLORER_APIKEY"
TOKEN_VARIABLE = "UNIFIED_EXPLORER_TOKEN"  # noqa: S105 - the name of a variable
_OWN = frozenset({"host", "content-length", "accept-encoding", "connection", "user-agent", "accept"})


def as_curl(exchange: Exchange, *, shell: Literal["posix"] = "posix") -> str:
    """The curl command that sends the same request from a POSIX shell.

    The key is written as ``$UNIFIED_EXPLORER_APIKEY``, a bearer token as ``$UNIFIED_EXPLORER_TOKEN``. A body that is
    not text is piped from printf. Raises ValueError for an unknown shell.
    """
    if shell != "posix":
        raise ValueError(f"no such shell: {shell}")
    # -g: brackets in an address are not a pattern; --path-as-is: dot segments stay as they were sent.
    parts = ["curl", "-g", "--path-as-is", "--compressed"]
    parts += ["-I"] if exchange.method == "HEAD" else ["-X", shlex.quote(exchange.method)]
    parts.append(shlex.quote(exchange.url))
    for name, value in exchange.request_headers:
        if name.lower() not in _OWN:
            parts += ["-H", _header(name, value)]
    before = ""
    if exchange.request_body is not None:
        before, after = _body(exchange.request_body)
        parts += after
    note = "# The log no longer holds the whole body: what follows is its beginning.\n"
    return (note if exchange.request_truncated else "") + before + " ".join(parts)


def _header(name: str, value: str) -> str:
    """One header, quoted for the shell. A value that is masked as a whole is the key, whatever its header is called."""
    if name.lower() == "authorization" and MASK in value:
        return f'"{name}: Bearer ${TOKEN_VARIABLE}"'
    return f'"{name}: ${APIKEY_VARIABLE}"' if value == MASK else shlex.quote(f"{name}: {value}")


def _body(body: bytes) -> tuple[str, list[str]]:
    """The text before ``curl`` and the arguments after it.

    ``--data-raw``: a body that begins with @ is no file name.
    """
    try:
        text = body.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" not in text:
        return "", ["--data-raw", shlex.quote(text)]
    octal = "".join(f"\\{byte:03o}" for byte in body)
    return f"printf '{octal}' | ", ["--data-binary", "@-"]


def as_har(exchanges: Iterable[Exchange]) -> bytes:
    """The exchanges as HTTP Archive 1.2 (JSON, ASCII). Requests without an answer have status 0."""
    entries = [_entry(each) for each in exchanges]
    creator = {"name": "Unified Explorer", "version": __version__}
    log = {"log": {"version": "1.2", "creator": creator, "entries": entries}}
    return json.dumps(log, ensure_ascii=True, indent=1).encode()


def _entry(exchange: Exchange) -> dict[str, Any]:
    elapsed = exchange.elapsed_ms or 0.0
    return {
        "startedDateTime": exchange.started_at.isoformat(timespec="milliseconds"),
        "time": elapsed,
        "request": _request(exchange),
        "response": _response(exchange),
        "cache": {},
        "timings": {"send": 0, "wait": elapsed, "receive": 0},
        "comment": "; ".join(filter(None, (exchange.state, exchange.summary))),
    }


def _request(exchange: Exchange) -> dict[str, Any]:
    query = urlsplit(exchange.url).query
    made: dict[str, Any] = {
        "method": exchange.method,
        "url": exchange.url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(exchange.request_headers),
        "queryString": _pairs(parse_qsl(query, keep_blank_values=True)),
        "headersSize": -1,
        "bodySize": -1 if exchange.request_truncated else len(exchange.request_body or b""),
    }
    if exchange.request_body is not None:
        kind = next((v for n, v in exchange.request_headers if n.lower() == "content-type"), "")
        # HAR has no base64 for request bodies: bytes that are not UTF-8 become replacement characters.
        made["postData"] = {"mimeType": kind, "text": exchange.request_body.decode("utf-8", "replace")}
    return made


def _response(exchange: Exchange) -> dict[str, Any]:
    headers = exchange.response_headers
    return {
        "status": exchange.status or 0,
        "statusText": exchange.reason,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _pairs(headers),
        "content": _content(exchange),
        "redirectURL": next((v for n, v in headers if n.lower() == "location"), ""),
        "headersSize": -1,
        "bodySize": -1,
    }


def _content(exchange: Exchange) -> dict[str, Any]:
    kind = next((v for n, v in exchange.response_headers if n.lower() == "content-type"), "")
    content: dict[str, Any] = {"size": exchange.size, "mimeType": kind}
    try:
        content["text"] = exchange.response_body.decode()
    except UnicodeDecodeError as error:
        cut = exchange.body_truncated and error.start >= len(exchange.response_body) - 3
        if cut or re.match(r"text/|application/json", kind):
            content["text"] = exchange.response_body.decode("utf-8", "replace")
        else:
            content["text"] = base64.b64encode(exchange.response_body).decode()
            content["encoding"] = "base64"
    if exchange.body_truncated:
        content["comment"] = "the log holds only the beginning"
    return content


def _pairs(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in pairs]
