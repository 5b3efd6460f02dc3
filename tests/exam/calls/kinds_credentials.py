"""Routes that answer somebody who has no right to it."""

from __future__ import annotations

from tests.exam.calls.kinds import ANY, FILES, JOBS, STATES, kind
from tests.exam.calls.service import UNIFIED_OPERATIONS, Service
from tests.exam.calls.web import Request
from tests.exam.frame import KEY, Expected

GROUP = "credentials"


class Open(Service):
    """Some operations do not look at the key."""

    operations: tuple[str, ...] = ()
    any_key = False
    """A key has to be there, but any will do."""

    def key_holds(self, operation: str, request: Request) -> bool:
        if operation in self.operations and not (self.any_key and not request.headers.get("x-apikey")):
            return True
        return super().key_holds(operation, request)


@kind(GROUP, "jobs are listed without a key", JOBS)
class JobsOpen(Open):
    operations = ("job_list",)


@kind(GROUP, "files are listed with a wrong key", FILES)
class FilesAnyKey(Open):
    operations = ("file_list",)
    any_key = True


@kind(GROUP, "accounts are read without a key", Expected("crm/account"))
class AccountsOpen(Open):
    operations = ("account_batch",)


@kind(GROUP, "the balance is told without a key", Expected("accounting/customer-balance"))
class BalanceOpen(Open):
    operations = ("balance",)


@kind(GROUP, "income is told with a wrong key", Expected("accounting/customer-income"))
class IncomeAnyKey(Open):
    operations = ("income",)
    any_key = True


@kind(GROUP, "receipts are handed out without a key", Expected("accounting/payment-receipt"))
class ReceiptsOpen(Open):
    operations = ("receipt",)


@kind(GROUP, "contacts are created without a key", Expected("crm/contact"), writes=True)
class ContactsOpen(Open):
    operations = ("contact_create",)


@kind(GROUP, "contacts are changed with a wrong key", Expected("crm/contact"), writes=True)
class ContactUpdateAnyKey(Open):
    operations = ("contact_update", "contact_upsert")
    any_key = True


@kind(GROUP, "customers are written without a key", Expected("core/customer"), writes=True)
class CustomersOpen(Open):
    operations = ("customer_put",)


@kind(GROUP, "pipelines are created and changed without a key", Expected("core/pipeline"), writes=True)
class PipelinesOpen(Open):
    operations = ("pipeline_create", "pipeline_update")


@kind(GROUP, "pipelines are changed with a wrong key", Expected("core/pipeline"), writes=True)
class PipelineUpdateAnyKey(Open):
    operations = ("pipeline_update",)
    any_key = True


@kind(GROUP, "connections are checked without a key", Expected("core/connection"), writes=True)
class CheckOpen(Open):
    operations = ("connection_check",)


@kind(GROUP, "magic links are made without a key", Expected("connect/magic-link"), writes=True)
class LinksOpen(Open):
    operations = ("magic_link",)


@kind(GROUP, "magic links are made with a wrong key", Expected("connect/magic-link"), writes=True)
class LinksAnyKey(Open):
    operations = ("magic_link",)
    any_key = True


@kind(GROUP, "every route answers without a key", ANY, writes=True)
class AllOpen(Open):
    operations = (
        *sorted(UNIFIED_OPERATIONS),
        "pipeline_create",
        "customer_put",
        "connection_check",
        "magic_link",
    )


@kind(GROUP, "only the first characters of the key are compared", ANY)
class KeyBeginning(Service):
    def is_key(self, key: str | None) -> bool:
        return key is not None and key[:12] == KEY[:12]


@kind(GROUP, "upper and lower case of the key are the same", ANY)
class KeyAnyCase(Service):
    def is_key(self, key: str | None) -> bool:
        return key is not None and key.casefold() == KEY.casefold()


@kind(GROUP, "an empty key is a key", ANY)
class EmptyKey(Service):
    def is_key(self, key: str | None) -> bool:
        return key in (KEY, "")


@kind(GROUP, "a wrong bearer token counts as the organization", ANY)
class AnyToken(Service):
    def key_holds(self, operation: str, request: Request) -> bool:
        return "authorization" in request.headers or super().key_holds(operation, request)


@kind(GROUP, "the next page of a list needs no key", ANY, small=False)
class CursorIsKey(Service):
    def key_holds(self, operation: str, request: Request) -> bool:
        return bool(request.query.get("cursor")) or super().key_holds(operation, request)


@kind(GROUP, "an unknown connection is answered with this one's jobs", JOBS)
class AnyConnection(Service):
    """A service of one tenant: the header is not looked at."""

    def connected(self, operation: str, request: Request) -> None:
        if operation != "job_list":
            super().connected(operation, request)


@kind(GROUP, "without x-connection-id the last connection used is taken", *STATES)
class LastConnection(Service):
    def connected(self, operation: str, request: Request) -> None:
        if operation != "state_list" or "x-connection-id" in request.headers:
            super().connected(operation, request)


@kind(GROUP, "every route answers for an unknown connection", ANY, writes=True)
class NoConnectionAnywhere(Service):
    def connected(self, operation: str, request: Request) -> None:
        """Whatever is sent will do."""


@kind(
    GROUP, "another organization's connection can be checked", Expected("core/connection"), ANY, writes=True
)
class CheckAnyConnection(Service):
    def known_connection(self, connection: object) -> None:
        """Whatever is sent will do."""


@kind(GROUP, "reports answer for an unknown connection", ANY)
class ReportsAnyConnection(Service):
    def connected(self, operation: str, request: Request) -> None:
        if operation not in ("balance", "income", "receipt"):
            super().connected(operation, request)
