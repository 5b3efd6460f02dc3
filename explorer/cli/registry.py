"""The interface of a command's target, known before the target is opened."""

from __future__ import annotations

import shlex

from explorer.api.interface import registry_for
from explorer.catalog.interfaces import registry_of
from explorer.catalog.registry import Registry
from explorer.cli.exits import UsageFault
from explorer.cli.options import TargetOptions
from explorer.profiles.fault import ProfileFault


def registry_of_whom(whom: TargetOptions) -> Registry:
    """The registry of the interface of the target, before it is opened. Raises ProfileFault for an unknown interface.

    That of the built-in interface when no profile is named or it does not exist, which `target_of` reports.
    """
    if whom.interface:
        try:
            return registry_of(whom.interface)
        except KeyError:
            raise UsageFault(
                f"There is no interface {whom.interface}: add its document with `interfaces add FILE --name "
                f"{shlex.quote(whom.interface)}`. Nothing was sent."
            ) from None
    if whom.base_url or not whom.profile:
        return registry_of()
    try:
        profile = whom.profiles.get(whom.profile)
    except ProfileFault:
        return registry_of()
    return registry_for(profile)
