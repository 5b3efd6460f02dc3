"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import typer

from explorer.cli.exits import UsageFault
from explorer.paths import HOME_VARIABLE, Folders

if TYPE_CHECKING:
    from explorer.profiles.book import Profiles

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
Lists = Annotated[
    list[str] | None,
    typer.Argument(metavar="[RESOURCE …]", help="Lists such as ats/job; without any: all."),
]
InsteadOfTables = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON.")]
Port = Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 takes a free one.")]
Announce = Annotated[
    bool, typer.Option("--announce", "--json", help="Say where it listens as one line of JSON.")
]
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

    profile: ProfileName = None
    connection: ConnectionId = None
    base_url: BaseUrl = None
    interface: InterfaceName = None
    home: Home = None
    allow_http: AllowHttp = False

    def or_else(self, before: TargetOptions) -> TargetOptions:
        """These options; where one is not given, the one of ``before``."""
        return TargetOptions(
            self.profile or before.profile,
            self.connection or before.connection,
            self.base_url or before.base_url,
            self.interface or before.interface,
            self.home or before.home,
            self.allow_http or before.allow_http,
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


StoredTarget = Annotated[TargetOptions, ("profile", "connection", "base_url", "interface", "home")]
"""The options of a command that sends no request; see `command_of`. One that sends takes all of them."""


_NONE = TargetOptions()


def target_options(context: typer.Context, own: TargetOptions = _NONE) -> TargetOptions:
    """A command's options combined with those before the command. From then on the user's interfaces are found."""
    root = context.find_root()
    if root is context:
        return own
    # Here, as it imports the catalog, which the help of the commands does not need.
    from explorer.openapi.finder import find_in

    whom = own.or_else(root.obj) if isinstance(root.obj, TargetOptions) else own
    find_in(whom.folders.config)
    return whom


def pairs(values: list[str] | None) -> list[tuple[str, str]]:
    """``NAME=VALUE`` texts as pairs. Raises UsageFault."""
    made = []
    for text in values or ():
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise UsageFault(f"--param needs NAME=VALUE, but got {text!r}.")
        made.append((name, value))
    return made


def command_of(run: Callable[..., None]) -> Callable[..., None]:
    """Makes a command of a function: a parameter that is a dataclass becomes an option for each of its fields.

    They stand where the parameter stands; ``Annotated[kind, names]`` takes the named fields alone. `TargetOptions` are
    combined with those before the command.
    """
    hints = get_type_hints(run, include_extras=True)
    parameters = {"context": Parameter("context", Parameter.KEYWORD_ONLY, annotation=typer.Context)}
    parts: dict[str, tuple[Any, list[str]]] = {}
    for name, one in signature(run).parameters.items():
        kind, *names = get_args(hints[name]) if get_origin(hints[name]) is Annotated else (hints[name],)
        if not is_dataclass(kind):
            parameters[name] = one.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[name])
            continue
        of_field = get_type_hints(kind, include_extras=True)
        taken = [each for each in fields(kind) if not names or each.name in names[0]]
        parts[name] = kind, [each.name for each in taken]
        for each in taken:
            parameters[each.name] = Parameter(
                each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=of_field[each.name]
            )

    def command(context: typer.Context, **given: Any) -> None:
        for name, (kind, names) in parts.items():
            made = kind(**{each: given.pop(each) for each in names})
            given[name] = target_options(context, made) if kind is TargetOptions else made
        run(**given, **({"context": context} if "context" in hints else {}))

    command.__doc__ = run.__doc__
    # Typer reads the options off these two.
    command.__signature__ = Signature([*parameters.values()])  # type: ignore[attr-defined]  # any function takes it
    command.__annotations__ = {name: one.annotation for name, one in parameters.items()}
    return command
