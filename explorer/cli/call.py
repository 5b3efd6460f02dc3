"""``call``: sends one request, to an endpoint by its key or to any method and path."""

from __future__ import annotations

import asyncio
import base64
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import parse_qsl, quote, urlsplit

import typer

from explorer.api.curl_and_har import Shell
from explorer.api.errors import ExplorerError, Refused
from explorer.api.exchange import Exchange, Pairs
from explorer.api.guard import Permit, effect, why_write
from explorer.api.unsent import curl_of
from explorer.catalog.fault import RequestFault
from explorer.catalog.registry import Registry
from explorer.catalog.request import PARAMETER, Request, build
from explorer.cli import options
from explorer.cli.exits import Exit, UsageFault
from explorer.cli.forms import write_json
from explorer.cli.registry import registry_of_whom
from explorer.cli.target import Target, session_of, target_of
from explorer.cli.words import say
from explorer.profiles.profile import Environment, Guard, Profile

if TYPE_CHECKING:
    from explorer.session import Session

_METHOD = re.compile(r"[A-Za-z]{1,20}")


@options.command_of
def call(
    operation: Annotated[
        str,
        typer.Argument(
            metavar="OPERATION|METHOD", help="An endpoint's key as listed by `resources`, or a method."
        ),
    ],
    path: Annotated[
        str | None, typer.Argument(metavar="[PATH]", help="With a method: any path of the service.")
    ] = None,
    *,
    whom: options.TargetOptions,
    param: options.Parameters = None,
    body: Annotated[
        str | None,
        typer.Option("--body", metavar="FILE|-", help="The body, sent as it is; - reads standard input."),
    ] = None,
    content_type: Annotated[
        str | None,
        typer.Option("--content-type", metavar="TYPE", help="Content type of the body, if it is not JSON."),
    ] = None,
    yes: options.Yes = False,
    confirm_profile: options.ConfirmProfile = None,
    deadline: options.Deadline = None,
    timeout: options.Timeout = None,
    curl: Annotated[
        Shell | None,
        typer.Option("--curl", help="Print the request as a cURL command for that shell, and send nothing."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print status, headers and body of the answer as JSON.")
    ] = False,
) -> None:
    """Send one request and print the answer's body as it was received."""
    registry = registry_of_whom(whom)
    request = request_of(registry, operation, path, options.pairs(param), _body(body), content_type)
    bearer = request.operation is not None and request.operation.bearer
    with target_of(whom, bearer=bearer) as target:
        if curl is not None:
            command = curl_of(target.profile, request, curl)
            if as_json:
                write_json({"curl": command})
            else:
                sys.stdout.write(command + "\n")
            return
        permit = permit_of(target.profile, request, yes=yes, typed=confirm_profile)
        try:
            asyncio.run(_send(target.within(deadline, timeout), request, permit, as_json))
        except KeyboardInterrupt:
            reads = effect(target.profile, request) == "read"
            say("Stopped." if reads else "Stopped. The request may have been carried out all the same.")
            raise typer.Exit(Exit.STOPPED) from None
        except Refused as error:
            advice = (
                error.advice if target.profile.guard is Guard.READ_ONLY else _way(target.profile, request)
            )
            raise UsageFault(f"{error.sentence} {advice}") from None


def _way(profile: Profile, request: Request) -> str:
    """The options by which a refused write can be confirmed."""
    why = why_write(profile, request)
    counts = f"It counts as a write, because {why}. " if why else ""
    if profile.environment is Environment.PRODUCTION:
        return f"{counts}On production it needs --yes and --confirm-profile with the profile's exact name."
    return f"{counts}Add --yes to send it."


def _body(source: str | None) -> bytes | None:
    if source is None:
        return None
    if source == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(source).read_bytes()
    except OSError as error:
        raise UsageFault(f"The body cannot be read from {source}: {error.strerror}.") from None


def request_of(
    registry: Registry,
    operation: str,
    path: str | None,
    params: list[tuple[str, str]],
    body: bytes | None = None,
    content_type: str | None = None,
) -> Request:
    """The request of these arguments. Raises UsageFault."""
    kind = content_type or "application/json"
    if path is not None:
        return _by_path(registry, operation, path, params, body, kind)
    try:
        found = registry.operation(operation.strip("/"))
    except KeyError:
        raise UsageFault(
            f"There is no endpoint named {operation!r}: `unified-explorer resources` lists them; "
            "or give a method and a path."
        ) from None
    names = PARAMETER.findall(found.path)
    inside: dict[str, str] = {}
    query: list[tuple[str, str]] = []
    for name, value in params:
        if name in names and name not in inside:
            inside[name] = value
        else:
            query.append((name, value))
    try:
        request = build(found, path=inside, extra=query, body=body)
    except RequestFault as fault:
        raise UsageFault(f"{fault}. Give it as --param NAME=VALUE.") from None
    return Request(request.method, request.path, request.query, request.body, kind, found)


def _by_path(
    registry: Registry, method: str, path: str, params: list[tuple[str, str]], body: bytes | None, kind: str
) -> Request:
    if not _METHOD.fullmatch(method):
        raise UsageFault(f"{method!r} is no HTTP method.")
    if "://" in path or path.startswith("//"):
        raise UsageFault(f"Give only the path, such as {registry.example_path}: the profile has the address.")
    if "#" in path:
        raise UsageFault("A path cannot contain #: write it as %23.")
    split = urlsplit("/" + path.lstrip("/"))
    try:
        # Existing percent-escapes stay; characters that are not allowed in an address are escaped.
        clean = quote(split.path, safe="/%:@!$&'()*+,;=~-._")
        query = parse_qsl(split.query, keep_blank_values=True, errors="strict")
    except UnicodeError:
        raise UsageFault("The path has half a character, which cannot be sent in an address.") from None
    return Request(method.upper(), clean, (*query, *params), body, kind, registry.match(method, clean))


def permit_of(profile: Profile, request: Request, *, yes: bool, typed: str | None) -> Permit | None:
    """The permit that the options give for a write, or None; the client decides. Raises UsageFault."""
    if effect(profile, request) == "read" or profile.guard is Guard.READ_ONLY:
        return None
    if typed is not None and typed != profile.name:
        raise UsageFault(f"--confirm-profile must be the profile's name, {profile.name}. Nothing was sent.")
    if not yes:
        return None
    if profile.environment is Environment.PRODUCTION:
        return Permit.for_profile(profile) if typed is not None else None
    return Permit.for_request(profile, request)


async def _send(target: Target, request: Request, permit: Permit | None, as_json: bool) -> None:
    async with session_of(target) as session:
        try:
            answer = await session.send(request, permit=permit)
        except ExplorerError as error:
            received = _received(session, error)
            if received is not None and received.status is not None:
                _print(received.status, received.response_headers, received.response_body, as_json)
            raise
        _print(answer.status, answer.headers, answer.body, as_json)
        if answer.masked:
            say("The response repeats the key or token that was sent: it is masked in the output.")


def _received(session: Session, error: ExplorerError) -> Exchange | None:
    """The call that failed, as the log has it (redacted)."""
    return session.exchanges.get(error.exchange) if error.exchange is not None else None


def _print(status: int, headers: Pairs, body: bytes, as_json: bool) -> None:
    if not as_json:
        sys.stdout.buffer.write(body)
        sys.stdout.buffer.flush()
        return
    made: dict[str, Any] = {"status": status, "headers": [list(each) for each in headers]}
    try:
        made["body"] = body.decode()
    except UnicodeDecodeError:
        made |= {"body": None, "base64": base64.b64encode(body).decode("ascii")}
    write_json(made)
