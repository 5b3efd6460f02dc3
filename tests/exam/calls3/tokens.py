"""Magic links and the tokens in them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

CARRIED = ("displayName", "redirectUrl", "connectorNames", "integrationIds", "connectionId", "theme", "view")


def _part(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def token(customer: str, expires: int) -> str:
    """A JWT."""
    head = _part(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    claims = {"sub": f"customer/{customer}", "customer_id": customer, "exp": expires, "iat": int(time.time())}
    body = _part(json.dumps(claims).encode())
    sign = hmac.new(b"exam", f"{head}.{body}".encode(), hashlib.sha256).digest()
    return f"{head}.{body}.{_part(sign)}"


def magic_url(sent: Mapping[str, Any], seconds: float, *, more: Mapping[str, str] | None = None) -> str:
    """What the customer opens."""
    carried = {name: str(sent[name]) for name in CARRIED if sent.get(name) is not None}
    made = token(str(sent["customerId"]), int(time.time() + seconds))
    return f"https://connect.exam.example/connect?{urlencode({**carried, **(more or {}), 'token': made})}"
