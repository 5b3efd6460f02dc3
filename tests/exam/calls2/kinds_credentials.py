"""Keys and connections that should be refused and are not, by the kind of route."""

from __future__ import annotations

from typing import Any

from tests.exam.calls.lists import JOB, STATE
from tests.exam.calls.service import Service
from tests.exam.calls.web import Answer, Request
from tests.exam.calls2.kinds import (
    ANY,
    BALANCE,
    BATCH,
    CONTACTS,
    LINKS,
    MAILBOXES,
    PIPELINES,
    RECEIPTS,
    STATES,
    kind,
)
from tests.exam.frame import CONNECTION, KEY

LISTS = ("job_list", "file_list", "drive_list", "mailbox_list", "state_list")
REPORTS = ("balance", "income")


class Chosen(Service):
    """Opens some operations only."""

    open: tuple[str, ...] = ()

    def opened(self, operation: str) -> bool:
        return operation in self.open


class WithoutKey(Chosen):
    def key_holds(self, operation: str, request: Request) -> bool:
        no_key = not {"x-apikey", "authorization"} & set(request.headers)
        return (self.opened(operation) and no_key) or super().key_holds(operation, request)


class WrongKey(Chosen):
    """Only looks whether there is a key."""

    def key_holds(self, operation: str, request: Request) -> bool:
        given = request.headers.get("x-apikey")
        return (self.opened(operation) and bool(given)) or super().key_holds(operation, request)


class AnyConnection(Chosen):
    """Another connection than there is falls back to the only one."""

    def connected(self, operation: str, request: Request) -> None:
        if not self.opened(operation) or "x-connection-id" not in request.headers:
            super().connected(operation, request)


class WithoutConnection(Chosen):
    def connected(self, operation: str, request: Request) -> None:
        if not self.opened(operation) or "x-connection-id" in request.headers:
            super().connected(operation, request)


@kind("credentials", "lists need no key", ANY)
class ListsWithoutKey(WithoutKey):
    open = LISTS


@kind("credentials", "only the list of sequence states needs no key", *STATES, ANY)
class StatesWithoutKey(WithoutKey):
    open = (STATE,)


@kind("credentials", "batch read needs no key", BATCH, ANY)
class BatchWithoutKey(WithoutKey):
    open = ("account_batch",)


@kind("credentials", "reports need no key", BALANCE, ANY)
class ReportsWithoutKey(WithoutKey):
    open = REPORTS


@kind("credentials", "receipts need no key", RECEIPTS, ANY)
class ReceiptsWithoutKey(WithoutKey):
    open = ("receipt",)


@kind("credentials", "magic links need no key", LINKS, ANY, writes=True)
class LinksWithoutKey(WithoutKey):
    open = ("magic_link",)


@kind("credentials", "pipelines are written without a key", PIPELINES, ANY, writes=True)
class PipelinesWithoutKey(WithoutKey):
    open = ("pipeline_create", "pipeline_update")


@kind("credentials", "any key lists mailboxes", MAILBOXES, ANY)
class MailboxesAnyKey(WrongKey):
    open = ("mailbox_list",)


@kind("credentials", "any key creates contacts", CONTACTS, ANY, writes=True)
class ContactsAnyKey(WrongKey):
    open = ("contact_create", "contact_update", "contact_upsert")


@kind("credentials", "any key makes magic links", LINKS, ANY, writes=True)
class LinksAnyKey(WrongKey):
    open = ("magic_link",)


@kind("credentials", "any key checks the connection", ANY, writes=True)
class CheckAnyKey(WrongKey):
    open = ("connection_check",)


@kind("credentials", "any key puts customers", ANY, writes=True)
class CustomersAnyKey(WrongKey):
    open = ("customer_put",)


@kind("credentials", "the key with its last character left out is taken", ANY)
class KeyShortened(Service):
    def is_key(self, key: str | None) -> bool:
        return super().is_key(key) or key == KEY[:-1]


@kind("credentials", "the key with anything behind it is taken", ANY)
class KeyLengthened(Service):
    def is_key(self, key: str | None) -> bool:
        return key is not None and key.startswith(KEY)


@kind("credentials", "the key in capitals is taken", ANY)
class KeyInCapitals(Service):
    def is_key(self, key: str | None) -> bool:
        return key is not None and key.casefold() == KEY.casefold()


@kind("credentials", "a key that begins as the right one is taken", ANY)
class KeyBeginning(Service):
    """Eight characters are compared."""

    def is_key(self, key: str | None) -> bool:
        return key is not None and key[:8] == KEY[:8]


@kind("credentials", "a key of the right length is taken", ANY)
class KeyLength(Service):
    def is_key(self, key: str | None) -> bool:
        return key is not None and len(key) == len(KEY)


@kind("credentials", "an empty key is taken", ANY)
class KeyEmpty(Service):
    def is_key(self, key: str | None) -> bool:
        return super().is_key(key) or key == ""


@kind("credentials", "any bearer opens everything", ANY)
class AnyBearer(Service):
    def key_holds(self, operation: str, request: Request) -> bool:
        return "authorization" in request.headers or super().key_holds(operation, request)


@kind("credentials", "without a key the lists are empty, with 200", ANY)
class EmptyWithoutKey(WithoutKey):
    open = LISTS

    def finished(self, operation: str, request: Request, answer: Answer) -> Answer:
        if operation in LISTS and not super().key_holds("", request):
            answer.body = {**answer.body, "items": []}
        return answer


@kind("credentials", "the rows come with the 401", ANY)
class RefusedWithRows(Service):
    """The status is set, and the answer goes on."""

    def refusal(self, operation: str, request: Request, answer: Answer) -> Answer:
        if answer.status == 401 and operation in LISTS:
            return Answer(self.operate(operation, request, ""), 401)
        return answer


@kind(
    "credentials",
    "a create with a wrong key is refused with 401 and carried out all the same",
    CONTACTS,
    ANY,
    writes=True,
)
class WrittenBeforeRefusal(Service):
    """An upsert on the address of a refused create finds a contact that nobody was allowed to make."""

    def before(self, operation: str, request: Request) -> None:
        if operation == "contact_create" and not self.key_holds(operation, request):
            self.made_contact(self.record(request))


@kind("credentials", "an unknown connection lists the jobs of the only one", ANY)
class JobsAnyConnection(AnyConnection):
    open = (JOB,)


@kind("credentials", "an unknown connection reads accounts", BATCH, ANY)
class BatchAnyConnection(AnyConnection):
    open = ("account_batch",)


@kind("credentials", "an unknown connection gets the reports", BALANCE, ANY)
class ReportsAnyConnection(AnyConnection):
    open = REPORTS


@kind("credentials", "an unknown connection gets the receipts", RECEIPTS, ANY)
class ReceiptsAnyConnection(AnyConnection):
    open = ("receipt",)


@kind("credentials", "an unknown connection writes contacts", CONTACTS, ANY, writes=True)
class ContactsAnyConnection(AnyConnection):
    open = ("contact_create", "contact_update", "contact_upsert")


@kind("credentials", "an unknown connection's check is that of the only one", ANY, writes=True)
class CheckAnyConnection(Service):
    def known_connection(self, connection: Any) -> None:
        return None


@kind("credentials", "no connection is needed for the lists", ANY)
class ListsWithoutConnection(WithoutConnection):
    open = LISTS


@kind("credentials", "no connection is needed for the reports", BALANCE, ANY)
class ReportsWithoutConnection(WithoutConnection):
    open = REPORTS


@kind("credentials", "an unknown connection gets an empty list with 200", ANY)
class EmptyForUnknown(AnyConnection):
    open = LISTS

    def finished(self, operation: str, request: Request, answer: Answer) -> Answer:
        if operation in LISTS and request.headers.get("x-connection-id") != CONNECTION:
            answer.body = {**answer.body, "items": []}
        return answer
