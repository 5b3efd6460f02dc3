"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer

from explorer.cli.exits import UsageFault
from explorer.paths import HOME_VARIABLE, Folders

if TYPE_CHECKING:
    from explorer.profiles.book import Profiles

Given = TypeVar("Given")

ProfileName = Annotated[
    str | None,
    typer.Option(
        "--profile", metavar="NAME", help="The profile to use; Sandbox starts the sandbox by itself."
    ),
]
ConnectionId = Annotated[
    str | None,
    typer.Option("--connection-id", metavar="ID", help="A connection other than the profile's own."),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        help="Without a profile: the service's address. The key comes from UNIFIED_EXPLORER_APIKEY, "
        "a bearer token from UNIFIED_EXPLORER_TOKEN.",
    ),
]
InterfaceName = Annotated[
    str | None,
    typer.Option(
        "--interface",
        metavar="NAME",
        help="With --base-url: the interface of that address; see `interfaces`. With a profile: in place of its own.",
    ),
]
Home = Annotated[
    str | None,
    typer.Option(
        "--home", metavar="DIR", help=f"Keep every per-user folder under DIR; the same as {HOME_VARIABLE}."
    ),
]
AllowHttp = Annotated[
    bool,
    typer.Option("--allow-http", help="Send over plain http to another machine, unencrypted."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Send a write on a profile that asks first.")]
ConfirmProfile = Annotated[
    str | None,
    typer.Option(
        "--confirm-profile", metavar="NAME", help="On production, with --yes: the profile's name once more."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON.")]
Port = Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 takes a free one.")]
Announce = Annotated[bool, typer.Option("--announce", help="Say where it listens as one line of JSON.")]
EndWithParent = Annotated[bool, typer.Option("--end-with-parent", hidden=True)]
Deadline = Annotated[
    float | None,
    typer.Option("--deadline", metavar="S", help="Allow S seconds for one call, with its retries and waits."),
]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", metavar="S", help="Allow S seconds for connecting to the service."),
]
Parameters = Annotated[
    list[str] | None,
    typer.Option("--param", metavar="NAME=VALUE", help="A parameter; may be given more than once."),
]


@dataclass(frozen=True)
class TargetOptions:
    """The options that name the target: profile, connection, address. A command's own win over those before it."""

    profile: str | None = None
    connection: str | None = None
    base_url: str | None = None
    home: str | None = None
    allow_http: bool = False
    interface: str | None = None

    def or_else(self, before: TargetOptions) -> TargetOptions:
        """These options; where one is not given, the one of ``before``."""
        return TargetOptions(
            self.profile or before.profile,
            self.connection or before.connection,
            self.base_url or before.base_url,
            self.home or before.home,
            self.allow_http or before.allow_http,
            self.interface or before.interface,
        )

    @property
    def folders(self) -> Folders:
        """The per-user folders of this run."""
        return Folders.of_user(self.home)

    @cached_property
    def profiles(self) -> Profiles:
        """The user's profiles. It is the same object each time, so that its notices are printed once."""
        # Here, as it imports the pydantic models of profiles, which `resources` does not need.
        from explorer.profiles.book import Profiles

        return Profiles(self.folders)


def target_options(
    context: typer.Context,
    profile: str | None = None,
    connection: str | None = None,
    base_url: str | None = None,
    home: str | None = None,
    allow_http: bool = False,
    interface: str | None = None,
) -> TargetOptions:
    """A command's options combined with those before the command."""
    before = context.find_root().obj
    own = TargetOptions(profile, connection, base_url, home, allow_http, interface)
    return own.or_else(before if isinstance(before, TargetOptions) else TargetOptions())


def pairs(values: list[str] | None) -> list[tuple[str, str]]:
    """``NAME=VALUE`` texts as pairs. Raises UsageFault."""
    made = []
    for text in values or ():
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise UsageFault(f"--param needs NAME=VALUE, but got {text!r}.")
        made.append((name, value))
    return made


def options_of(
    kind: type[Given],
) -> Callable[[Callable[[typer.Context, Given], None]], Callable[..., None]]:
    """Makes a command of a function that takes its options as one ``kind``, a dataclass with a field for each."""
    hints = get_type_hints(kind, include_extras=True)
    way = Parameter.POSITIONAL_OR_KEYWORD
    parameters = [Parameter("context", way, annotation=typer.Context)]
    parameters += [
        Parameter(one.name, way, default=one.default, annotation=hints[one.name])
        for one in fields(kind)  # type: ignore[arg-type]  # mypy has no name for "a dataclass"
    ]

    def made(run: Callable[[typer.Context, Given], None]) -> Callable[..., None]:
        def command(context: typer.Context, **given: Any) -> None:
            run(context, kind(**given))

        command.__doc__ = run.__doc__
        # Typer reads the options off these two.
        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # any function takes it
        command.__annotations__ = {one.name: one.annotation for one in parameters}
        return command

    return made
