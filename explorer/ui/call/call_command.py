"""A request as the ``unified-explorer call`` line that does the same. It names the profile and holds no key.

Whether a write may go is said where the line is run (``--yes`` and its like), so the line holds no such word.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from urllib.parse import quote, unquote

from explorer.api.errors import CannotSend
from explorer.api.redact import MASK, Redactor
from explorer.catalog.request import Request
from explorer.profiles.profile import Profile


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A line for a POSIX shell."""

    text: str
    masked: bool
    """A value in it that looks like a secret is hidden: it is to be filled in before the line is run."""


def command_of(profile: Profile, request: Request) -> CommandLine:
    """``request`` as a line for the profile and the connection in use. Raises CannotSend where no line can say it."""
    before, after = _body(request)
    parts = ["unified-explorer", "call", *_what(request), *_option("--profile", profile.name)]
    if profile.connection and not (request.operation is not None and request.operation.bearer):
        parts += _option("--connection-id", profile.connection)
    text = f"{before}{' '.join([*parts, *_params(request), *after])}"
    if "\0" in text:
        raise CannotSend("No command line can hold a NUL character.", "Use Copy as cURL.")
    return CommandLine(text, MASK in text)


def _what(request: Request) -> list[str]:
    """The endpoint's key; method and path where the key with its parameters would not give the same address."""
    if _by_key(request) and request.operation is not None:
        return [shlex.quote(request.operation.key)]
    query = "&".join(f"{quote(n, safe='')}={quote(v, safe='')}" for n, v in _clean(request.query))
    return [shlex.quote(request.method), shlex.quote(request.path + ("?" + query if query else ""))]


def _by_key(request: Request) -> bool:
    # NAME=VALUE is cut at the first sign of equality.
    return request.operation is not None and all(name and "=" not in name for name, _ in request.query)


def _params(request: Request) -> list[str]:
    if not _by_key(request):
        return []
    # Path parameters first: of two with one name the first is taken for the path.
    pairs = (*_path_values(request), *_clean(request.query))
    return [part for name, value in pairs for part in _option("--param", f"{name}={value}")]


def _path_values(request: Request) -> list[tuple[str, str]]:
    if request.operation is None:
        return []
    template = request.operation.path
    names = re.findall(r"\{(\w+)\}", template)
    pattern = "".join(
        "([^/]+)" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{\w+\})", template)
    )
    found = re.fullmatch(pattern, request.path)
    return (
        [(name, unquote(value)) for name, value in zip(names, found.groups(), strict=True)] if found else []
    )


def _clean(pairs: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    redactor = Redactor(())
    return [(name, str(redactor.json({name: value})[name])) for name, value in pairs]


def _body(request: Request) -> tuple[str, list[str]]:
    """What stands before the command and what behind it: the body comes over a pipe, byte for byte."""
    if request.body is None:
        return "", []
    after = ["--body", "-"]
    if request.content_type != "application/json":
        after += _option("--content-type", request.content_type)
    body = Redactor(()).data(request.body)
    try:
        text = body.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        return "printf '{}' | ".format("".join(f"\\{byte:03o}" for byte in body)), after
    return f"printf %s {shlex.quote(text)} | ", after


def _option(name: str, value: str) -> list[str]:
    """An option and its value; a value that begins as an option does is tied to its name."""
    return [shlex.quote(f"{name}={value}")] if value.startswith("-") else [name, shlex.quote(value)]
