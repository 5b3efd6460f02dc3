"""Contacts that are written otherwise than they were sent."""

from __future__ import annotations

import copy
from typing import Any

from tests.exam.calls.records import INPUT
from tests.exam.calls.service import Service
from tests.exam.calls.web import Request
from tests.exam.calls.world import Row, now
from tests.exam.calls2.kinds import CONTACTS, kind
from tests.exam.frame import Expected


def about(*fields: str) -> Expected:
    return Expected("crm/contact", fields)


@kind("contacts", "an update empties the fields that were not sent", CONTACTS, writes=True)
class WholeUpdate(Service):
    def contact_update(self, request: Request, contact: str) -> Any:
        record, held = self.record(request), self.found(contact)
        held["properties"] = {}
        self.changed_contact(held, record)
        return {"record": self.contact(held)}


@kind("contacts", "an update answers what was sent and stores nothing", CONTACTS, writes=True)
class UpdateForgotten(Service):
    def contact_update(self, request: Request, contact: str) -> Any:
        record, held = self.record(request), copy.deepcopy(self.found(contact))
        self.changed_contact(held, record)
        return {"record": self.contact(held)}


@kind("contacts", "a create drops the phone", about("phone"), writes=True)
class NoPhone(Service):
    def made_contact(self, record: Row) -> Row:
        return super().made_contact({key: value for key, value in record.items() if key != "phone"})


@kind(
    "contacts", "first and last name are swapped at a create", about("first_name", "last_name"), writes=True
)
class NamesSwapped(Service):
    def made_contact(self, record: Row) -> Row:
        swapped = {"first_name": "last_name", "last_name": "first_name"}
        return super().made_contact({swapped.get(key, key): value for key, value in record.items()})


@kind("contacts", "an upsert always creates", CONTACTS, writes=True)
class AlwaysCreates(Service):
    def matching(self, values: list[str]) -> list[Row]:
        return []


@kind(
    "contacts",
    "an upsert looks for the address in the record and not for the one in values",
    CONTACTS,
    writes=True,
)
class MatchesRecord(Service):
    def upserted(self, values: list[str], record: Row) -> Row:
        email = record.get("email")
        return super().upserted([email] if email else values, record)


@kind("contacts", "an upsert that matches changes nothing", CONTACTS, writes=True)
class UpsertChangesNothing(Service):
    def upserted(self, values: list[str], record: Row) -> Row:
        matches = self.matching(values)
        return matches[0] if len(matches) == 1 else super().upserted(values, record)


@kind("contacts", "an upsert that matches answers what was sent and stores nothing", CONTACTS, writes=True)
class UpsertForgotten(Service):
    def upserted(self, values: list[str], record: Row) -> Row:
        matches = self.matching(values)
        if len(matches) != 1:
            return super().upserted(values, record)
        answered = copy.deepcopy(matches[0])
        self.changed_contact(answered, record)
        return answered


@kind("contacts", "an upsert that matches empties what was not sent", CONTACTS, writes=True)
class UpsertReplaces(Service):
    def upserted(self, values: list[str], record: Row) -> Row:
        for one in self.matching(values):
            one["properties"] = {"email": one["properties"].get("email")}
        return super().upserted(values, record)


@kind("contacts", "an upsert takes part of an address for a match", CONTACTS, writes=True)
class NearMatch(Service):
    """Everybody of one host is one contact."""

    def matching(self, values: list[str]) -> list[Row]:
        hosts = {one.rpartition("@")[2].casefold() for one in values}
        every = self.world.contacts.values()
        return [
            one
            for one in every
            if str(one["properties"].get("email") or "").rpartition("@")[2].casefold() in hosts - {""}
        ][:1]


@kind(
    "contacts", "addresses are kept in lower case and looked for as they are written", CONTACTS, writes=True
)
class CaseMatters(Service):
    def kept(self, field: str, value: Any) -> Any:
        return value.lower() if field == "email" and isinstance(value, str) else value

    def matching(self, values: list[str]) -> list[Row]:
        return [one for one in self.world.contacts.values() if one["properties"].get("email") in values]


@kind("contacts", "an update of an id that does not exist creates a contact", CONTACTS, writes=True)
class UpdateCreates(Service):
    def found(self, contact: str) -> Row:
        return self.world.contacts.get(contact) or self.made_contact({})


@kind("contacts", "an update changes and answers the contact made last", CONTACTS, writes=True)
class OtherContact(Service):
    def found(self, contact: str) -> Row:
        super().found(contact)
        return list(self.world.contacts.values())[-1]


@kind("contacts", "phone numbers are cut at eight characters", about("phone"), writes=True)
class PhoneCut(Service):
    def kept(self, field: str, value: Any) -> Any:
        return value[:8] if field == "phone" and isinstance(value, str) else value


@kind(
    "contacts",
    "the answer has the phone, the stored contact has it without its first digits",
    CONTACTS,
    writes=True,
)
class PhoneStoredOtherwise(Service):
    """It shows at the next answer that is read from what was stored."""

    def contact_update(self, request: Request, contact: str) -> Any:
        made: Row = super().contact_update(request, contact)
        held = self.found(contact)["properties"]
        if isinstance(held.get("phone"), str) and "phone" in self.record(request):
            held["phone"] = held["phone"][-4:]
        return made

    def contact_create(self, request: Request, _: str) -> Any:
        made: Row = super().contact_create(request, _)
        held = self.found(made["record"]["id"])["properties"]
        if isinstance(held.get("phone"), str):
            held["phone"] = held["phone"][-4:]
        return made


@kind(
    "contacts", "letters outside ASCII become question marks", about("first_name", "last_name"), writes=True
)
class AsciiOnly(Service):
    def kept(self, field: str, value: Any) -> Any:
        return value.encode("ascii", "replace").decode() if isinstance(value, str) else value


@kind("contacts", "passthrough_fields are dropped", CONTACTS, writes=True)
class NoPassthrough(Service):
    def changed_contact(self, contact: Row, record: Row) -> None:
        super().changed_contact(
            contact, {key: value for key, value in record.items() if key != "passthrough_fields"}
        )


@kind("contacts", "an update answers the contact as it was before", CONTACTS, writes=True)
class OldAnswer(Service):
    def contact_update(self, request: Request, contact: str) -> Any:
        before = self.contact(copy.deepcopy(self.found(contact)))
        super().contact_update(request, contact)
        return {"record": before}


@kind("contacts", "the id of a contact is a number", about("id"), writes=True)
class NumberId(Service):
    def contact(self, contact: Row) -> Row:
        made = super().contact(contact)
        return {**made, "id": int(made["id"])}


@kind("contacts", "contacts made one after the other have one id", CONTACTS, writes=True)
class OneId(Service):
    def contact_id(self) -> str:
        return next(iter(self.world.contacts), super().contact_id())


@kind("contacts", "the contact is answered without record around it", CONTACTS, writes=True)
class NotWrapped(Service):
    def finished_contact(self, made: Any) -> Any:
        return made["record"]

    def contact_create(self, request: Request, _: str) -> Any:
        return self.finished_contact(super().contact_create(request, _))

    def contact_update(self, request: Request, contact: str) -> Any:
        return self.finished_contact(super().contact_update(request, contact))

    def contact_upsert(self, request: Request, _: str) -> Any:
        return self.finished_contact(super().contact_upsert(request, _))


@kind("contacts", "the record says one address and its raw data another", about("email"), writes=True)
class RawDiffers(Service):
    """The answer is put together from what was sent; the raw data are an older copy."""

    def contact(self, contact: Row) -> Row:
        made = super().contact(contact)
        raw = made["raw_data"]["properties"]
        if raw.get("email"):
            raw["email"] = f"old.{raw['email']}"
        return made


@kind(
    "contacts", "an update moves the other names too: the last name becomes the first", CONTACTS, writes=True
)
class UpdateTouchesMore(Service):
    def changed_contact(self, contact: Row, record: Row) -> None:
        super().changed_contact(contact, record)
        properties = contact["properties"]
        if len([name for name in INPUT if name in record]) < len(INPUT) and properties.get("firstname"):
            properties["lastname"] = properties["firstname"]
        contact["updatedAt"] = now()
