"""Finds the proxy for a profile's requests."""

from __future__ import annotations

from urllib.parse import urlsplit

from explorer.profiles.address import is_loopback
from explorer.profiles.profile import Profile


def proxy_of(profile: Profile) -> str:
    """The URL of the proxy for a profile's address; empty for none.

    Without a proxy in the profile the system's settings apply (environment variables; on macOS and Windows the system's
    own), but never to a loopback address.
    """
    host = urlsplit(profile.origin).hostname or ""
    if profile.proxy == "none":
        return ""
    if profile.proxy:
        return profile.proxy
    if is_loopback(host):
        return ""
    from urllib.request import getproxies, proxy_bypass  # with the first call, not at the start

    if proxy_bypass(host):
        return ""
    found = getproxies()
    proxy = found.get(urlsplit(profile.origin).scheme) or found.get("all") or ""
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"
