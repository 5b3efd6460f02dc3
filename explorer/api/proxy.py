"""Which proxy a profile's calls go through."""

from __future__ import annotations

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from explorer.profiles.address import is_loopback
from explorer.profiles.profile import Profile


def proxy_of(profile: Profile) -> str:
    """The proxy for a profile's address, or an empty text for none.

    The system's settings (environment, or the system's own on macOS and Windows) never catch loopback.
    """
    host = urlsplit(profile.origin).hostname or ""
    if profile.proxy == "none":
        return ""
    if profile.proxy:
        return profile.proxy
    if is_loopback(host) or proxy_bypass(host):
        return ""
    found = getproxies()
    proxy = found.get(urlsplit(profile.origin).scheme) or found.get("all") or ""
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"
