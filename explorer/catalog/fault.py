"""The error of values that cannot be made into a request."""

from __future__ import annotations


class RequestFault(ValueError):
    """The given values cannot be made into a request. The message is one plain sentence."""
