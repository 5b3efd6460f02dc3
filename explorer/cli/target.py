"""The target of a command: the profile, its credential, and for the Sandbox the process that serves it."""

from __future__ import annotations

import hashlib
import os
import shlex
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

import typer

from explorer import session as sessions  # client and store: imported when a command first names one of them
from explorer.api.interface import registry_for
from explorer.cli.exits import CannotStart, UsageFault, note_secrets
from explorer.cli.options import TargetOptions
from explorer.cli.words import say
from explorer.loopback import ServiceNotStarted, ServiceProcess
from explorer.paths import Folders
from explorer.profiles.credential import Auth, Credential
from explorer.profiles.fault import ProfileFault
from explorer.profiles.profile import Profile
from explorer.profiles.secrets import PASSPHRASE, SECRET_VARIABLES, VARIABLES, Secrets, of_environment
from explorer.worker_main import own_command

if TYPE_CHECKING:
    from explorer.session import Session

Started = TypeVar("Started", bound=ServiceProcess)


NO_PROFILE = "(no profile)"
"""The name of the temporary profile that is made for --base-url."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a session is opened with."""

    profile: Profile
    credential: Credential | None
    folders: Folders
    recording: str = ""
    """What is served in place of a service, as it was named; empty for a service."""

    def within(self, deadline: float | None, timeout: float | None) -> Target:
        """The same with other time limits, in seconds, for a whole call and for connecting; None: the profile's.

        Raises UsageFault.
        """
        given = {"deadline": deadline, "timeout": timeout}
        for name, seconds in given.items():
            if seconds is not None and not 0 < seconds <= 86400:
                raise UsageFault(f"--{name} takes a number of seconds above 0 and up to 86400.")
        fields = {"deadline_seconds": deadline, "connect_seconds": timeout}
        changed = {name: value for name, value in fields.items() if value is not None}
        return replace(self, profile=self.profile.changed(**changed)) if changed else self


@contextmanager
def target_of(whom: TargetOptions, *, bearer: bool = False) -> Iterator[Target]:
    """The target that the options name. For the Sandbox its process runs within the context.

    ``bearer``: the call needs a token, so without a profile the token's variable is read first. Blocks while the
    system's password store waits for the user. Raises UsageFault, ProfileFault, CannotStart.
    """
    if whom.base_url:
        if whom.profile:
            raise UsageFault(
                "Give either --profile or --base-url: a profile's key goes to its own address only."
            )
        yield _by_address(whom, bearer)
        return
    if not whom.profile:
        raise UsageFault(
            "Choose a target: --profile NAME (Sandbox starts the sandbox), or --base-url and --connection-id."
        )
    profile = _profile_of_name(whom, whom.profile)
    profile = plain_http(profile.with_connection(whom.connection) if whom.connection else profile, whom)
    if profile.is_builtin:
        with sandbox(profile, whom.folders) as target:
            yield target
        return
    yield _target(profile, _credential_of(profile, whom.folders), whom.folders)


def _credential_of(profile: Profile, folders: Folders) -> Credential | None:
    """The profile's key or token. On a terminal it asks for the passphrase when the key may be in the encrypted file.

    None where the profile's interface asks for none. Raises UsageFault, ProfileFault; nothing has been sent by then.
    """
    secrets = Secrets(folders)
    credential = secrets.load(profile)
    locked = credential is None and secrets.holding(profile).locked
    if locked and has_terminal():
        open_file(secrets)
        credential = secrets.load(profile)
        locked = False
    if credential is not None or registry_for(profile).interface.authorization.kind == "none":
        return credential
    for notice in secrets.notices:
        say(notice)
    ways = f"set {VARIABLES[profile.auth]}, or save one with `profiles key {shlex.quote(profile.name)}`"
    if locked:
        ways = f"the key file is locked: set {PASSPHRASE} to open it, or else {ways}"
    raise UsageFault(
        f"No {profile.auth.kept} is saved for {profile.name} at {profile.base_url}: {ways}. Nothing was sent."
    )


def has_terminal() -> bool:
    """Whether standard input is a terminal, so that the user can be asked."""
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    if sys.platform == "win32":
        # There the empty device is called a terminal too, and whoever asks it for a key waits for ever.
        import ctypes
        import msvcrt

        handle = msvcrt.get_osfhandle(sys.stdin.fileno())
        return bool(ctypes.windll.kernel32.GetConsoleMode(handle, ctypes.byref(ctypes.c_ulong())))
    return True


def open_file(secrets: Secrets) -> None:
    """Opens or creates the encrypted key file, with the passphrase of the variable or one that is asked for.

    A new passphrase is asked for twice. Raises UsageFault without variable and terminal, ProfileFault for a wrong one.
    """
    passphrase = os.environ.get(PASSPHRASE, "")
    if has_terminal() and not passphrase:
        new = not secrets.sealed.exists
        words = f"{'New passphrase' if new else 'Passphrase'} of the key file (hidden)"
        passphrase = typer.prompt(words, hide_input=True, confirmation_prompt=new, err=True)
    if not passphrase:
        raise UsageFault(f"The key file needs its passphrase: set {PASSPHRASE}, or enter it in a terminal.")
    note_secrets([passphrase])
    try:
        secrets.use_passphrase(passphrase)
    except ProfileFault as fault:
        raise ProfileFault(f"{fault.sentence} Nothing was sent.", fault.field) from None
    for notice in secrets.notices:
        say(notice)
    secrets.notices.clear()


@contextmanager
def sandbox(profile: Profile, folders: Folders) -> Iterator[Target]:
    """Starts a sandbox for the built-in profile and ends it with the context. Raises CannotStart."""
    from explorer.sandbox.process import SandboxProcess

    with _running(SandboxProcess.start) as process:
        secret = process.token if profile.auth is Auth.BEARER else process.apikey
        note_secrets([process.apikey, process.token])
        kept = {
            k: v
            for k, v in profile.model_dump().items()
            if k not in ("id", "name", "environment", "base_url")
        }
        yield _target(Profile.sandbox(process.base_url, **kept), Credential(profile.auth, secret), folders)


@contextmanager
def replayed(recording: str, whom: TargetOptions) -> Iterator[Target]:
    """Serves a recording in a process and ends it with the context: no key is needed, and nothing is stored.

    Its connection is the one of ``whom``, else the one that was asked most. Raises UsageFault, CannotStart.
    """
    options = ["--profile", whom.profile] if whom.profile else []
    options += ["--base-url", whom.base_url] if whom.base_url else []
    options += ["--connection-id", whom.connection] if whom.connection else []
    options += ["--home", whom.home] if whom.home else []
    options += ["--interface", whom.interface] if whom.interface else []
    command = own_command("serve", recording, "--announce", "--end-with-parent", *options)
    with _running(lambda: ReplayProcess.start(command)) as process, TemporaryDirectory() as folder:
        connection = whom.connection or next(iter(process.connections), "")
        profile = Profile(
            name=f"recording {Path(recording).name}",
            base_url=process.base_url,
            connection=connection,
            interface=whom.interface or "",
        )
        target = _target(profile, Credential(Auth.APIKEY, process.apikey), Folders.of_user(folder))
        yield replace(target, recording=recording)


class ReplayProcess(ServiceProcess):
    """A recording that is served by a process of the program's own."""

    name = "replay"


@contextmanager
def _running(start: Callable[[], Started]) -> Iterator[Started]:
    try:
        process = start()
    except ServiceNotStarted as error:
        raise CannotStart(str(error)) from None
    try:
        yield process
    finally:
        process.stop()


def _by_address(whom: TargetOptions, bearer: bool) -> Target:
    order = (Auth.BEARER, Auth.APIKEY) if bearer else (Auth.APIKEY, Auth.BEARER)
    plain_http(_profile_of_address(whom, Auth.APIKEY), whom)
    credential = next((found for auth in order if (found := of_environment(auth)) is not None), None)
    if credential is None:
        names = " or ".join(VARIABLES[auth] for auth in order)
        raise UsageFault(f"There is no key: set {names} in the environment. Nothing was sent.")
    profile = _profile_of_address(whom, credential.kind)
    if profile.interface:  # with the secret parts of the connection, which variables hold too
        credential = Secrets(whom.folders).load(profile) or credential
    return _target(profile.allowing_http(), credential, whom.folders)


def plain_http(profile: Profile, whom: TargetOptions) -> Profile:
    """``profile`` with plain http allowed when --allow-http is given; warns when data is sent unencrypted.

    Raises UsageFault when plain http was not allowed.
    """
    if profile.asks_for_http and not whom.allow_http:
        raise UsageFault(
            f"{profile.in_clear_words} Nothing was sent. Use https, or add --allow-http to send it anyway."
        )
    if profile.in_clear:
        say(profile.in_clear_words)
    return profile.allowing_http()


def profile_of(whom: TargetOptions) -> Profile:
    """The profile that the options name, for a command that sends no request. Raises UsageFault, ProfileFault."""
    if whom.base_url and whom.profile:
        raise UsageFault("Give either --profile or --base-url.")
    if whom.base_url:
        return _profile_of_address(whom, Auth.APIKEY)
    if not whom.profile:
        raise UsageFault("Choose the rows: --profile NAME, or --base-url and --connection-id.")
    profile = _profile_of_name(whom, whom.profile)
    return profile.with_connection(whom.connection) if whom.connection else profile


def _profile_of_name(whom: TargetOptions, name: str) -> Profile:
    profile = whom.profiles.get(name)
    while whom.profiles.notices:
        say(whom.profiles.notices.pop(0))
    return profile.changed(interface=whom.interface) if whom.interface else profile


def _profile_of_address(whom: TargetOptions, auth: Auth) -> Profile:
    profile = Profile(
        name=NO_PROFILE, base_url=whom.base_url or "", auth=auth, interface=whom.interface or ""
    )
    # The id comes from the address, so that the same address has the same store and a pull can be continued.
    named = f"{profile.interface} {profile.base_url}" if profile.interface else profile.base_url
    stable = hashlib.sha256(named.encode()).hexdigest()[:16]
    return profile.changed(id=f"address-{stable}", connection=whom.connection or "")


def _target(profile: Profile, credential: Credential | None, folders: Folders) -> Target:
    own = credential.secrets if credential is not None else ()
    note_secrets([*own, *(v for name in SECRET_VARIABLES if (v := os.environ.get(name)))])
    return Target(profile, credential, folders)


@asynccontextmanager
async def session_of(target: Target) -> AsyncIterator[Session]:
    """An open session on the target, closed with the context."""
    session = await sessions.Session.open(target.profile, target.credential, target.folders)
    try:
        yield session
    finally:
        await session.close()
