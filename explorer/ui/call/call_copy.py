"""The request of a call to the clipboard: as a curl command, or as the line of the command line that does the same."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QApplication

from explorer.catalog.request import Request
from explorer.profiles.profile import Profile
from explorer.ui.call.call_command import command_of
from explorer.ui.call.request_preview import curl_of


def copy_curl(profile: Profile, requests: Sequence[Request]) -> str:
    """One curl command a line, the key as a variable. Gives what is said of it. Raises CannotSend."""
    QApplication.clipboard().setText("\n".join(curl_of(profile, request) for request in requests))
    return "Copied as cURL, the key as a variable"


def copy_command(profile: Profile, requests: Sequence[Request]) -> str:
    """One line of the command line each; a secret in it is masked. Gives what is said of it. Raises CannotSend."""
    lines = [command_of(profile, request) for request in requests]
    QApplication.clipboard().setText("\n".join(line.text for line in lines))
    if any(line.masked for line in lines):
        return "Copied as a command; a secret in it is masked: fill it in before you run it"
    return "Copied as a command; the profile's key is not in it"
