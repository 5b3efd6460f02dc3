"""The registry of a profile's interface, which the profile names by key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.catalog import interfaces
from explorer.catalog.registry import Registry
from explorer.profiles.fault import ProfileFault

if TYPE_CHECKING:
    from explorer.catalog.request import Request
    from explorer.profiles.profile import Profile


def registry_for(profile: Profile) -> Registry:
    """The registry of the profile's interface. Raises ProfileFault (field ``interface``) when it does not exist."""
    try:
        return interfaces.registry_of(profile.interface)
    except KeyError:
        known = ", ".join(interfaces.REGISTRIES)
        raise ProfileFault(
            f"The profile {profile.name} names the interface {profile.interface!r}, which is not here. "
            f"Name one of these in the profile: {known}.",
            "interface",
        ) from None


def reached(profile: Profile, request: Request) -> Profile:
    """``profile`` as it reaches the operation of ``request``: at its second address where that operation is there."""
    if not profile.second_url:
        return profile
    operation = registry_for(profile).match(request.method, request.path) or request.operation
    return profile.reaching(second=operation is not None and operation.second)
