"""Parses and normalises a base address that was typed or pasted.

A pasted address may contain a password: no sentence here quotes the host part or anything after it.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from explorer.profiles.credential import PASTED
from explorer.profiles.fault import ProfileFault

OF_PATHS = "v0"
"""The segment that paths of the built-in interface begin with: people paste it along with the address."""
DEFAULT_PORTS = {"http": 80, "https": 443}
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_INVISIBLE = re.compile(rf"[\s{re.escape(PASTED)}\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Address:
    """A base address in normal form: no trailing slash, no default port, host in ASCII lower case."""

    url: str
    words: tuple[str, ...] = ()
    """What was changed, a sentence each, for the line under the field."""


def read_address(text: str, field: str = "base_url", *, included: str = OF_PATHS) -> Address:
    """The base address in ``text``. Raises ProfileFault for ``field``, which does not quote the text.

    ``included``: what all paths of the interface begin with, and is left out at the end of the address; empty for none.
    """
    words: list[str] = []
    bare = text.strip(PASTED)
    if bare != text:
        words.append("Spaces or line breaks at the ends were removed.")
    if not bare:
        raise ProfileFault("The base address is empty.", field)
    if _INVISIBLE.search(bare) or "\\" in bare:
        raise ProfileFault("The base address has a space, a line break or a backslash inside.", field)
    bare = _with_scheme(bare, words, field)
    try:
        parts = urlsplit(bare)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ProfileFault("The base address has a host or port that cannot be read.", field) from None
    if "@" in parts.netloc:
        raise ProfileFault(
            "The base address has a user name or password in it. Leave it out: the key has its own field.",
            field,
        )
    if "?" in bare or "#" in bare:
        raise ProfileFault("The base address cannot have a query or fragment: leave ? and # out.", field)
    if port == 0 or parts.netloc.endswith(":"):
        raise ProfileFault("The base address has no port after its colon.", field)
    scheme = parts.scheme.lower()
    name = _host(host, field)
    shown = f"[{name}]" if ":" in name else name
    if port and port != DEFAULT_PORTS[scheme]:
        shown += f":{port}"
    return Address(f"{scheme}://{shown}{_path(parts.path, words, field, included)}", tuple(words))


def origin_of(url: str) -> str:
    """Scheme, host and port of a normalised address, such as ``https://api.example.com``."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def is_loopback(host: str) -> bool:
    """Whether ``host`` is this machine: 127.0.0.0/8, ::1 or the name localhost. No other name is resolved."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _with_scheme(text: str, words: list[str], field: str) -> str:
    scheme, separator, rest = text.partition("://")
    if separator and scheme.lower() in DEFAULT_PORTS:
        return f"{scheme.lower()}://{rest}"
    # Only host[:port][/path] gets a scheme: anything else may have another scheme or contain a password.
    if separator or not re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[^:/?#@\[\]]+)(:\d+)?([/?#].*)?", text):
        raise ProfileFault("The base address must begin with https:// or http://.", field)
    host = re.split(r"[/?#]", text, maxsplit=1)[0]
    local = is_loopback(re.sub(r":\d+$", "", host).lower())
    chosen = "http" if local else "https"
    words.append(f"{chosen}:// was added in front.")
    return f"{chosen}://{text}"


def _host(host: str, field: str) -> str:
    """The host in ASCII: an IP address in its canonical form, a name in IDNA form (xn--)."""
    if not host:
        raise ProfileFault("The base address has no host.", field)
    name = host.lower()
    if not host.isascii():
        import idna  # a dependency of httpx; only names outside ASCII need it

        try:
            name = idna.encode(host, uts46=True).decode().lower()
        except (idna.IDNAError, UnicodeError):
            raise ProfileFault("The base address has an invalid host name.", field) from None
    if ":" in name or "%" in name or re.fullmatch(r"[\d.]+", name):
        try:
            # An IPv6 zone (%eth0) names an interface of one machine: it is made invalid here.
            return str(ipaddress.ip_address(name.replace("%", "?")))
        except ValueError:
            raise ProfileFault("The base address has an invalid IP address as its host.", field) from None
    labels = name.removesuffix(".").split(".")
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise ProfileFault("The base address has an invalid host name.", field)
    return name


def _path(path: str, words: list[str], field: str, included: str) -> str:
    segments = path.rstrip("/").split("/")
    if any(unquote(segment) in (".", "..") for segment in segments):
        raise ProfileFault("The base address has . or .. in its path: write the full path.", field)
    if re.search(r"%(?![0-9a-fA-F]{2})", path):
        raise ProfileFault("The base address has a % in its path that is not a percent code.", field)
    if included and segments[-1] == included:
        segments.pop()
        words.append(f"/{included} at the end was removed: the service's paths already include it.")
    try:
        return quote("/".join(segments).rstrip("/"), safe="/%:@!$&'()*+,;=~-._")
    except UnicodeEncodeError:
        raise ProfileFault("The base address has a path that cannot be sent.", field) from None
