"""A service that tells on people: rows, headers, cursors and failures full of addresses, numbers, names and secrets.

Shared by the tests of evidence bundles. Each canary is unique to the run, and each stands in many packings.
"""

from __future__ import annotations

import base64
import json
import re
import uuid
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from tests.flow.canary import Canaries, _packed, jwt, made
from tests.recording import Got, Recording, Reply, reply


def _digits(count: int) -> str:
    return "".join(str(int(sign, 16) % 9 + 1) for sign in uuid.uuid4().hex[:count])


@dataclass
class Telltale:
    """The service, its canaries, and the search for them."""

    email: str = field(default_factory=lambda: f"canary-{uuid.uuid4().hex}@people.example")
    phone: str = field(default_factory=lambda: f"+49 {_digits(4)} {_digits(7)}")
    name: str = field(default_factory=lambda: f"Zyx{uuid.uuid4().hex[:9]} Quux")
    access: str = field(default_factory=lambda: made("access"))
    link: str = field(default_factory=jwt)
    key: str = field(default_factory=lambda: made("key"))

    def __post_init__(self) -> None:
        self.canaries = Canaries()
        for name, secret in (("key", self.key), ("access token", self.access), ("link", self.link)):
            self.canaries.add(name, secret)
        number = re.sub(r"\D", "", self.phone)
        self.people = {"e-mail": [self.email], "phone": [self.phone, number], "name": [self.name]}
        self._forms = {
            form: kind for kind, values in self.people.items() for value in values for form in _packed(value)
        }

    def secrets_in(self, data: bytes) -> set[str]:
        """Names of the secrets that ``data`` holds in any form."""
        return self.canaries.within(data)

    def people_in(self, data: bytes) -> set[str]:
        """Which of e-mail, phone and name ``data`` holds: plain, escaped, in percent codes, base64, hex or UTF-16."""
        text = data.decode("utf-8", "replace")
        opened = re.sub(r"\\+u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), text).replace("\\", "")
        found = {kind for form, kind in self._forms.items() if form in data or form in opened.encode()}
        digits = re.sub(r"[ ()/.+-]|%20|%2B", "", opened)
        found |= {"phone"} if self.people["phone"][1] in digits else set()
        forms = ((k, v) for k, values in self.people.items() for v in values)
        return found | {
            kind for kind, value in forms if quote(value) in opened or quote(value, safe="") in opened
        }

    def running(self) -> Recording:
        return Recording(answering=self.answer)

    # ------------------------------------------------------------ answers

    def answer(self, got: Got) -> Reply:
        path, _, query = got.target.partition("?")
        chosen = getattr(self, "_" + re.sub(r"[^a-z_]", "_", path.rstrip("/").split("/")[-1]), None)
        answer: Reply = chosen(query) if chosen else self._failed(query)
        told = (("x-owner", self.email), ("x-caller", self.phone), ("set-cookie", f"session={self.key}"))
        more = (("ratelimit-limit", "100"), ("x-ratelimit-remaining", "42"))
        return Reply(**{**answer.__dict__, "headers": (*answer.headers, *told, *more)})

    def row(self, number: int) -> dict[str, Any]:
        packed = base64.b64encode(json.dumps({"who": self.email, "no": self.phone}).encode()).decode()
        return {
            "id": f"row-{number}",
            "name": 7,
            "created_at": "yesterday",
            "hiring_managers": [{"name": self.name, "email": self.email}],
            "raw_data": {
                "email": self.email,
                "Email2": "no address at all",
                "phone_numbers": [{"value": self.phone, "type": "work"}],
                "mobile": int(re.sub(r"\D", "", self.phone)),
                "first_name": self.name,
                "note": f"{self.name} <{self.email}>, call {self.phone}; key {self.key}",
                "html": f"<a href='mailto:{quote(self.email)}'>{self.email.replace('@', '&#64;')}</a>",
                "packed": packed,
                "hex": self.email.encode().hex(),
                "split": self.email[:20] + "\r\n  " + self.email[20:],
                "inner": json.dumps({"contact": {"email": self.email, "phone": self.phone}}),
                "access_token": self.access,
                "seen": f"used {self.access}",
                "jwt": f"see {self.link} there",
                "apply": f"https://connect.example/magic-link?view=add&token={self.link}",
            },
        }

    def _job(self, query: str) -> Reply:
        rows = [self.row(1), self.row(2), self.row(1)]
        if "cursor=" in query:
            return reply({"items": [*rows, 5], "has_next_page": False, "next_cursor": None})
        cursor = base64.urlsafe_b64encode(
            json.dumps({"after": self.email, "by": self.name}).encode()
        ).decode()
        return reply({"items": rows, "has_next_page": True, "next_cursor": cursor})

    def _mailbox(self, query: str) -> Reply:
        rows = [
            {"id": "m1", "email": self.email, "user_id": "u1", "raw_data": {"email": self.email}},
            {"id": "m2", "email": f"{self.name} at home", "is_deleted": "no", "raw_data": {}},
            {"id": "m3", "email": None, "raw_data": {"escaped": "@ESCAPED@"}},
        ]
        escaped = "".join(f"\\u{ord(sign):04x}" for sign in self.email)
        body = json.dumps({"items": rows, "next_page_cursor": None}).replace("@ESCAPED@", escaped)
        return Reply(body=body.encode())

    def _drive(self, query: str) -> Reply:
        message = f"{self.name} ({self.email}, {self.phone}) may not, with {self.key}"
        return reply({"message": message, "code": "UNAUTHORIZED", "data": {"phone": self.phone}}, 401)

    def _file(self, query: str) -> Reply:
        return Reply(
            500, f"<html>Ask {self.email.replace('@', '&#x40;')} or {quote(self.email)}</html>".encode()
        )

    def _sequence_state(self, query: str) -> Reply:
        detail = f"TypeError at {self.email}\n   key {self.key}\n   link {self.link}"
        return reply({"error_type": "Broken", "error_detail": detail}, 400)

    def _customer_balance(self, query: str) -> Reply:
        entries = [{"customerId": "c1", "customerName": self.name, "balance": "12"}]
        return reply({"reportName": "Balance", "currency": "EUR", "entries": entries, "totalBalance": 3})

    def _magic_link(self, query: str) -> Reply:
        return reply({"url": f"https://connect.example/l/{self.link}?email={quote(self.email)}"})

    def _payment_receipt(self, query: str) -> Reply:
        body = b"%PDF-1.4 " + self.email.encode() + bytes(range(256))
        return Reply(body=body, headers=(("content-type", "application/pdf"),))

    def _failed(self, query: str) -> Reply:
        return reply({"message": f"nothing here for {self.email}", "code": "NOT_FOUND", "data": {}}, 404)
