"""The request of a call to the clipboard: as a curl command, or as the line of the command line that does the same."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.catalog.request import Request
from explorer.profiles.profile import Profile
from explorer.ui.call.call_command import command_of
from explorer.ui.call.request_preview import curl_of


def as_curl(profile: Profile, requests: Sequence[Request]) -> tuple[str, str]:
    """One curl command a line, the key as a variable, and what is said of it. Raises CannotSend."""
    text = "\n".join(curl_of(profile, request) for request in requests)
    return text, "Copied as cURL, the key as a variable"


def as_command(profile: Profile, requests: Sequence[Request]) -> tuple[str, str]:
    """One line of the command line each, a secret in it masked, and what is said of it. Raises CannotSend."""
    lines = [command_of(profile, request) for request in requests]
    said = "Copied as a command; the profile's key is not in it"
    if any(line.masked for line in lines):
        said = "Copied as a command; a secret in it is masked: fill it in before you run it"
    return "\n".join(line.text for line in lines), said
