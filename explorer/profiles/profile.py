"""The public names of this package: `Profiles`, the file of profiles, and the values in it."""

from __future__ import annotations

from explorer.profiles.book import Profiles
from explorer.profiles.credential import Auth, Credential, clean_secret
from explorer.profiles.fault import ProfileFault
from explorer.profiles.values import (
    SANDBOX_CONNECTIONS,
    SANDBOX_ID,
    SANDBOX_NAME,
    Environment,
    Guard,
    Profile,
    first_guard,
)

__all__ = [
    "SANDBOX_CONNECTIONS",
    "SANDBOX_ID",
    "SANDBOX_NAME",
    "Auth",
    "Credential",
    "Environment",
    "Guard",
    "Profile",
    "ProfileFault",
    "Profiles",
    "clean_secret",
    "first_guard",
]
