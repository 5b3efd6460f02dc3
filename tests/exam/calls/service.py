"""One service of all 18 endpoints that does everything right, over a small state in memory."""

from __future__ import annotations

import threading
from random import Random
from typing import Any

from tests.exam.calls.links import Links
from tests.exam.calls.lists import Lists
from tests.exam.calls.money import Money
from tests.exam.calls.records import Records
from tests.exam.calls.web import Answer, Refused, Request, refused
from tests.exam.calls.world import World
from tests.exam.frame import CONNECTION, KEY

UNIFIED = "v0/unified"
ROUTES = {
    f"POST {UNIFIED}/crm/contact": "contact_create",
    f"PATCH {UNIFIED}/crm/contact/*": "contact_update",
    f"POST {UNIFIED}/crm/contact/_upsert": "contact_upsert",
    f"POST {UNIFIED}/crm/account/_batch_read": "account_batch",
    f"GET {UNIFIED}/ats/job": "job_list",
    f"GET {UNIFIED}/file-storage/file": "file_list",
    f"GET {UNIFIED}/file-storage/drive": "drive_list",
    f"GET {UNIFIED}/sales-engagement/mailbox": "mailbox_list",
    f"GET {UNIFIED}/sales-engagement/sequence_state": "state_list",
    f"GET {UNIFIED}/accounting/customer-balance": "balance",
    f"GET {UNIFIED}/accounting/customer-income": "income",
    f"GET {UNIFIED}/accounting/payment-receipt": "receipt",
    "POST v0/core/pipeline": "pipeline_create",
    "PATCH v0/core/pipeline/*": "pipeline_update",
    "POST v0/core/connection/*/_check": "connection_check",
    "PUT v0/core/customer/*": "customer_put",
    "POST v0/connect/magic-link": "magic_link",
    "POST v1/webhook/*": "webhook",
}
UNIFIED_OPERATIONS = frozenset(operation for route, operation in ROUTES.items() if UNIFIED in route)


def routed(request: Request) -> tuple[str, str]:
    """The operation of a call, and the id in its path."""
    for route, operation in ROUTES.items():
        method, _, path = route.partition(" ")
        wanted = path.split("/")
        if method != request.method or len(wanted) != len(request.parts):
            continue
        if all(one in ("*", part) for one, part in zip(wanted, request.parts, strict=True)):
            at = wanted.index("*") if "*" in wanted else -1
            return operation, request.parts[at] if at >= 0 else ""
    raise refused(404, "NOT_FOUND", "Not found")


class Service(Lists, Records, Money, Links):
    """The correct service. A defect is a class below it that does one thing otherwise."""

    guilty: frozenset[str] = frozenset()
    """Ids of the records that a defect is about."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.calls = 0
        self.draw = Random(f"{world.seed}/{type(self).__name__}")
        self._lock = threading.RLock()
        self.prepare()

    def prepare(self) -> None:
        """Draws what a defect needs, before the first call."""

    def answer(self, request: Request) -> Answer:
        with self._lock:
            self.calls += 1
            operation = ""
            try:
                operation, path_id = routed(request)
                self.before(operation, request)
                self.admitted(operation, request)
                made = self.operate(operation, request, path_id)
                answer = made if isinstance(made, Answer) else Answer(made)
                if operation in UNIFIED_OPERATIONS:
                    answer.headers.setdefault("x-connection-id", CONNECTION)
                return self.finished(operation, request, answer)
            except Refused as refusal:
                return self.refusal(operation, request, refusal.answer)

    def before(self, operation: str, request: Request) -> None:
        """What happens before anything is looked at."""

    def admitted(self, operation: str, request: Request) -> None:
        """Looks at the key and at the connection."""
        if operation == "webhook":
            return
        if not self.key_holds(operation, request):
            raise refused(401, "UNAUTHORIZED", "UNAUTHORIZED")
        if operation in UNIFIED_OPERATIONS:
            self.connected(operation, request)

    def key_holds(self, operation: str, request: Request) -> bool:
        bearer = request.headers.get("authorization")
        if bearer is not None:
            return bearer == f"Bearer {KEY}"
        return self.is_key(request.headers.get("x-apikey"))

    def is_key(self, key: str | None) -> bool:
        return key == KEY

    def connected(self, operation: str, request: Request) -> None:
        connection = request.headers.get("x-connection-id")
        if connection is None:
            raise refused(400, "BAD_REQUEST", "No connection: x-connection-id is missing", path=operation)
        if connection != CONNECTION:
            raise refused(404, "NOT_FOUND", f"conn not found: {connection}", path=operation)

    def operate(self, operation: str, request: Request, path_id: str) -> Any:
        return getattr(self, operation)(request, path_id)

    def finished(self, operation: str, request: Request, answer: Answer) -> Answer:
        """The answer of a call that was carried out, before it is sent."""
        return answer

    def refusal(self, operation: str, request: Request, answer: Answer) -> Answer:
        """The answer of a call that was not."""
        return answer
