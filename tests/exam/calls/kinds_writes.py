"""Contacts that are written otherwise than they were sent."""

from __future__ import annotations

import html
from typing import Any

from tests.exam.calls.kinds import kind
from tests.exam.calls.records import INPUT
from tests.exam.calls.service import Service
from tests.exam.calls.web import Answer, Request
from tests.exam.calls.world import Row, now
from tests.exam.frame import Expected

GROUP = "writes"
CONTACT = Expected("crm/contact")


def contact_field(*fields: str) -> Expected:
    return Expected("crm/contact", fields)


NAMES = ("first_name", "last_name")


@kind(GROUP, "contact: the last name is lost", contact_field("last_name"), writes=True)
class LastNameLost(Service):
    def kept(self, field: str, value: Any) -> Any:
        return None if field == "last_name" else value


@kind(GROUP, "contact: the phone is lost when it is created", contact_field("phone"), writes=True)
class PhoneLostAtFirst(Service):
    def made_contact(self, record: Row) -> Row:
        return super().made_contact({name: value for name, value in record.items() if name != "phone"})


@kind(GROUP, "contact: names are cut at 40 characters", contact_field(*NAMES), writes=True)
class NamesCut(Service):
    def kept(self, field: str, value: Any) -> Any:
        return value[:40] if field in NAMES and isinstance(value, str) else value


@kind(GROUP, "contact: the phone is cut at 10 characters", contact_field("phone"), writes=True)
class PhoneCut(Service):
    def kept(self, field: str, value: Any) -> Any:
        return value[:10] if field == "phone" and isinstance(value, str) else value


@kind(GROUP, "contact: UTF-8 is read as Latin-1", contact_field(*NAMES), writes=True)
class Mojibake(Service):
    def kept(self, field: str, value: Any) -> Any:
        return value.encode("utf-8").decode("latin-1") if isinstance(value, str) else value


@kind(GROUP, "contact: letters beyond ASCII become question marks", contact_field(*NAMES), writes=True)
class QuestionMarks(Service):
    def kept(self, field: str, value: Any) -> Any:
        return value.encode("ascii", "replace").decode("ascii") if isinstance(value, str) else value


@kind(GROUP, "contact: text comes back escaped for HTML", contact_field(*NAMES), writes=True)
class Escaped(Service):
    def kept(self, field: str, value: Any) -> Any:
        return html.escape(value) if isinstance(value, str) else value


@kind(GROUP, "contact: a text ends at its first emoji", contact_field(*NAMES), writes=True)
class AstralLost(Service):
    """A table in MySQL's three-byte utf8: the text ends at the first such character."""

    def kept(self, field: str, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return value[: next((at for at, one in enumerate(value) if ord(one) > 0xFFFF), len(value))]


@kind(GROUP, "contact: the plus of a phone becomes a blank", contact_field("phone"), writes=True)
class PlusLost(Service):
    def kept(self, field: str, value: Any) -> Any:
        return value.replace("+", " ").strip() if field == "phone" and isinstance(value, str) else value


@kind(GROUP, "contact: the plus in an e-mail address becomes a blank", contact_field("email"), writes=True)
class PlusLostInEmail(Service):
    def kept(self, field: str, value: Any) -> Any:
        return value.replace("+", " ") if field == "email" and isinstance(value, str) else value


@kind(GROUP, "contact: the leading zeros of a phone are lost", contact_field("phone"), writes=True)
class ZeroLost(Service):
    def kept(self, field: str, value: Any) -> Any:
        return value.lstrip("0") if field == "phone" and isinstance(value, str) else value


@kind(GROUP, "contact: the phone comes back as a number", contact_field("phone"), writes=True)
class PhoneAsNumber(Service):
    def contact(self, contact: Row) -> Row:
        row = super().contact(contact)
        if "phone" in row:
            row["phone"] = int("".join(one for one in row["phone"] if one.isdigit()) or "0")
        return row


@kind(GROUP, "contact: first and last name are swapped", contact_field(*NAMES), writes=True)
class NamesSwapped(Service):
    def contact(self, contact: Row) -> Row:
        row = super().contact(contact)
        first, last = row.pop("first_name", None), row.pop("last_name", None)
        return {**row, "first_name": last, "last_name": first}


@kind(GROUP, "contact: an update resets the fields that were not sent", CONTACT, writes=True)
class UpdateResets(Service):
    def contact_update(self, request: Request, contact: str) -> Any:
        self.found(contact)["properties"].clear()
        return super().contact_update(request, contact)


@kind(GROUP, "contact: an update of a name resets the phone", contact_field("phone"), writes=True)
class UpdateResetsPhone(Service):
    def contact_update(self, request: Request, contact: str) -> Any:
        self.found(contact)["properties"].pop("phone", None)
        return super().contact_update(request, contact)


@kind(GROUP, "contact: the e-mail address cannot be changed, yet 200", contact_field("email"), writes=True)
class EmailFixed(Service):
    def changed_contact(self, contact: Row, record: Row) -> None:
        known = contact["properties"].get("email")
        super().changed_contact(contact, {**record, "email": known} if known else record)


@kind(GROUP, "contact: the answer to an update is a step behind", CONTACT, writes=True)
class StepBehind(Service):
    def contact_update(self, request: Request, contact: str) -> Any:
        before = self.contact(self.found(contact))
        super().contact_update(request, contact)
        return {"record": before}


@kind(GROUP, "contact: an update answers another contact", CONTACT, writes=True)
class AnswersAnother(Service):
    def prepare(self) -> None:
        self.other = self.made_contact(
            {"first_name": "Erika", "last_name": "Muster", "email": "erika@exam.example"}
        )

    def contact_update(self, request: Request, contact: str) -> Any:
        super().contact_update(request, contact)
        return {"record": self.contact(self.other)}


@kind(GROUP, "contact: an update gives the contact another id", CONTACT, writes=True)
class UpdateChangesId(Service):
    def contact_update(self, request: Request, contact: str) -> Any:
        super().contact_update(request, contact)
        held = self.world.contacts.pop(contact)
        held["id"] = self.contact_id()
        self.world.contacts[held["id"]] = held
        return {"record": self.contact(held)}


@kind(GROUP, "contact: every contact gets the same id", CONTACT, writes=True)
class SameId(Service):
    def contact_id(self) -> str:
        return "501"


@kind(GROUP, "contact: upsert creates a second one", CONTACT, writes=True)
class UpsertTwice(Service):
    def matching(self, values: list[str]) -> list[Row]:
        return []


@kind(GROUP, "contact: upsert finds the contact and changes nothing", CONTACT, writes=True)
class UpsertKeepsOld(Service):
    def upserted(self, values: list[str], record: Row) -> Row:
        return (self.matching(values) or [self.made_contact(record)])[0]


@kind(GROUP, "contact: upsert changes another than the one with the address", CONTACT, writes=True)
class UpsertPicksAny(Service):
    def prepare(self) -> None:
        self.other = self.made_contact(
            {"first_name": "Erika", "last_name": "Muster", "email": "erika@exam.example"}
        )

    def upserted(self, values: list[str], record: Row) -> Row:
        if self.matching(values):
            rest = {name: value for name, value in record.items() if name != "email"}
            self.changed_contact(self.other, rest)
            return self.other
        return super().upserted(values, record)


@kind(GROUP, "contact: upsert creates with the address alone", contact_field(*NAMES, "phone"), writes=True)
class UpsertAddressOnly(Service):
    def upserted(self, values: list[str], record: Row) -> Row:
        if not self.matching(values):
            return self.made_contact({"email": values[0]} if values else {})
        return super().upserted(values, record)


@kind(GROUP, "contact: what was created cannot be updated", CONTACT, writes=True)
class NeverStored(Service):
    def contact_create(self, request: Request, path_id: str) -> Any:
        made = super().contact_create(request, path_id)
        del self.world.contacts[made["record"]["id"]]
        return made


@kind(GROUP, "contact: the id is a number", contact_field("id"), writes=True)
class IdAsNumber(Service):
    def contact(self, contact: Row) -> Row:
        return {**super().contact(contact), "id": int(contact["id"])}


@kind(GROUP, "contact: updated_at is a number", contact_field("updated_at"), writes=True)
class UpdatedAtAsNumber(Service):
    def contact(self, contact: Row) -> Row:
        return {**super().contact(contact), "updated_at": 1763790000123}


@kind(GROUP, "contact: updated_at does not move with an update", contact_field("updated_at"), writes=True)
class UpdatedAtStands(Service):
    def changed_contact(self, contact: Row, record: Row) -> None:
        super().changed_contact(contact, record)
        contact["updatedAt"] = "2024-01-01T00:00:00.000Z"


@kind(GROUP, "contact: the answer is not wrapped in record", CONTACT, writes=True)
class NotWrapped(Service):
    def contact_create(self, request: Request, path_id: str) -> Any:
        return super().contact_create(request, path_id)["record"]


@kind(GROUP, "contact: the third party refuses an update, the answer is 200", CONTACT, writes=True)
class RefusedAs200(Service):
    def contact_update(self, request: Request, contact: str) -> Any:
        self.found(contact)
        words = 'Property values were not valid: [{"isValid":false,"error":"INVALID_EMAIL"}]'
        raw = {
            "status": "error",
            "message": words,
            "category": "VALIDATION_ERROR",
            "correlationId": "a43683b0-5717",
        }
        return {"record": {"id": contact, "updated_at": now(), "raw_data": raw}}


@kind(GROUP, "contact: a failed create is answered 200 with the error instead", CONTACT, writes=True)
class ErrorAs200(Service):
    def contact_create(self, request: Request, path_id: str) -> Any:
        self.record(request)
        return {
            "error": "Contact already exists. Existing ID: 501",
            "code": "CONFLICT",
            "data": {"httpStatus": 409},
        }


@kind(GROUP, "contact: raw_data shows that less was stored than the answer says", CONTACT, writes=True)
class EchoesInput(Service):
    """The answer repeats the input; the third party has the names without their second half."""

    def changed_contact(self, contact: Row, record: Row) -> None:
        super().changed_contact(contact, record)
        self.sent = {name: record[name] for name in INPUT if isinstance(record.get(name), str)}
        for name in ("firstname", "lastname"):
            value = contact["properties"].get(name)
            contact["properties"][name] = value[: len(value) // 2] if isinstance(value, str) else value

    def contact(self, contact: Row) -> Row:
        return {**super().contact(contact), **self.sent}


@kind(GROUP, "contact: a create is answered 200 with a page of HTML", CONTACT, writes=True)
class HtmlAs200(Service):
    def contact_create(self, request: Request, path_id: str) -> Any:
        super().contact_create(request, path_id)
        page = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in</body></html>"
        return Answer(content=page, kind="text/html")
