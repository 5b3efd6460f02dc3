"""Whom a command talks to: the profile, its credential, and for the Sandbox the process that serves it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.cli.exits import CannotStart, UsageFault, note_secrets
from explorer.cli.options import Whom
from explorer.cli.words import say
from explorer.paths import Folders
from explorer.profiles.credential import Auth, Credential
from explorer.profiles.profile import Profile, Profiles
from explorer.profiles.secrets import VARIABLES, Secrets, of_environment

if TYPE_CHECKING:
    from explorer.session import Session


NO_PROFILE = "(no profile)"
"""The name of what stands for one where an address is given."""


@dataclass(frozen=True, slots=True)
class Target:
    """Everything a session is opened with."""

    profile: Profile
    credential: Credential | None
    folders: Folders


@contextmanager
def target_of(whom: Whom, *, bearer: bool = False) -> Iterator[Target]:
    """The target that the options name. The sandbox runs while the context lasts.

    ``bearer``: the call wants a token, so one is preferred where no profile says which of the two to take.
    Blocks while the system's password store asks its owner. Raises UsageFault, ProfileFault, CannotStart.
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
            "Say whom to ask: --profile NAME (Sandbox starts the sandbox), or --base-url and --connection-id."
        )
    profiles = Profiles(whom.folders)
    profile = profiles.get(whom.profile)
    for notice in profiles.notices:
        say(notice)
    if whom.connection:
        profile = profile.with_connection(whom.connection)
    if profile.is_builtin:
        with sandbox(profile, whom.folders) as target:
            yield target
        return
    secrets = Secrets(whom.folders)
    credential = secrets.load(profile)
    if credential is None:
        for notice in secrets.notices:
            say(notice)
        raise UsageFault(
            f"No {_noun(profile.auth)} is kept for {profile.name} at {profile.base_url}: "
            f"set {VARIABLES[profile.auth]}, or keep one with `profiles add`."
        )
    yield _target(profile, credential, whom.folders)


@contextmanager
def sandbox(profile: Profile, folders: Folders) -> Iterator[Target]:
    """A sandbox of our own for the built-in profile, ended with the context."""
    from explorer.sandbox.process import SandboxNotStarted, SandboxProcess

    try:
        process = SandboxProcess.start()
    except SandboxNotStarted as error:
        raise CannotStart(str(error)) from None
    try:
        secret = process.token if profile.auth is Auth.BEARER else process.apikey
        note_secrets([process.apikey, process.token])
        kept = {
            k: v
            for k, v in profile.model_dump().items()
            if k not in ("id", "name", "environment", "base_url")
        }
        yield _target(Profile.sandbox(process.base_url, **kept), Credential(profile.auth, secret), folders)
    finally:
        process.stop()


def _by_address(whom: Whom, bearer: bool) -> Target:
    order = (Auth.BEARER, Auth.APIKEY) if bearer else (Auth.APIKEY, Auth.BEARER)
    credential = next((found for auth in order if (found := of_environment(auth)) is not None), None)
    if credential is None:
        names = " or ".join(VARIABLES[auth] for auth in order)
        raise UsageFault(f"There is no key: set {names} in the environment.")
    return _target(_profile_of_address(whom, credential.kind), credential, whom.folders)


def profile_of(whom: Whom) -> Profile:
    """The profile that the options name, for what asks nothing of a service. Raises UsageFault, ProfileFault."""
    if whom.base_url and whom.profile:
        raise UsageFault("Give either --profile or --base-url.")
    if whom.base_url:
        return _profile_of_address(whom, Auth.APIKEY)
    if not whom.profile:
        raise UsageFault("Say whose rows: --profile NAME, or --base-url and --connection-id.")
    profiles = Profiles(whom.folders)
    profile = profiles.get(whom.profile)
    for notice in profiles.notices:
        say(notice)
    return profile.with_connection(whom.connection) if whom.connection else profile


def _profile_of_address(whom: Whom, auth: Auth) -> Profile:
    profile = Profile(name=NO_PROFILE, base_url=whom.base_url or "", auth=auth)
    # The same address has the same store each time, so that a pull can go on.
    stable = hashlib.sha256(profile.base_url.encode()).hexdigest()[:16]
    return profile.changed(id=f"address-{stable}", connection=whom.connection or "")


def _target(profile: Profile, credential: Credential, folders: Folders) -> Target:
    note_secrets([credential.reveal(), *(v for name in VARIABLES.values() if (v := os.environ.get(name)))])
    return Target(profile, credential, folders)


def _noun(auth: Auth) -> str:
    return "token" if auth is Auth.BEARER else "key"


@asynccontextmanager
async def session_of(target: Target) -> AsyncIterator[Session]:
    """An open session on the target, closed with the context."""
    from explorer.session import Session

    session = await Session.open(target.profile, target.credential, target.folders)
    try:
        yield session
    finally:
        await session.close()
