"""An authorization server and a service in one, for a recording: it gives tokens, and accepts the last one alone."""

from __future__ import annotations

from typing import Any

from tests.recording import Got, Reply, reply


class Tokens:
    """What it gives, and what it accepts. Answers every read with one row."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self.accepted: set[str] = set()
        self.ends: Any = 3600
        self.refusal: Reply | None = None
        self.echoes = False

    def __call__(self, got: Got) -> Reply:
        if got.target == "/oauth/token/":
            if self.refusal is not None:
                return self.refusal
            self.given.append(f"canary-token-{len(self.given)}-91c2")
            self.accepted = {f"Bearer {self.given[-1]}"}
            return reply({"access_token": self.given[-1], "expires_in": self.ends, "again": self.given[-1]})
        if got.header("authorization") not in self.accepted:
            return reply({"message": "UNAUTHORIZED", "code": "UNAUTHORIZED"}, 401)
        echo = {"echo": self.given[-1]} if self.echoes else {}
        return reply({"items": [{"id": "1", **echo}], "has_next_page": False})
