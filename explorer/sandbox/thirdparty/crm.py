"""Contacts and accounts in the forms of two CRM systems, read and written."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from explorer.sandbox.conversions import CONVERSIONS
from explorer.sandbox.draw import Draw, words
from explorer.sandbox.identifiers import counted
from explorer.sandbox.mapping import at, put
from explorer.sandbox.resources import MODELS
from explorer.sandbox.thirdparty.shape import Json, Shape

WRITTEN = ("first_name", "last_name", "email", "phone")
"""The unified fields of a contact that can be written."""


def _address(draw: Draw) -> Json:
    city, state, code, country = draw.pick(words()["cities"])
    place = {"city": city, "state": state, "postal_code": code, "country": country}
    return {"street_1": draw.filled("{streets}"), "street_2": draw.pick(["3. OG", "", ""]), **place}


def _account(draw: Draw, number: int, record: Json) -> None:
    record["is_deleted"] = False
    record["addresses"] = [_address(draw) for _ in range(draw.below(3))]
    record["phone_numbers"] = record["phone_numbers"] or []
    if draw.chance(0.5):
        record["last_activity_at"] = None
    if draw.chance(0.2):
        record["description"] = ""


def _contact(draw: Draw, number: int, record: Json) -> None:
    """The contacts that a connection has at the start; 7 and 8 share their e-mail address."""
    record["first_name"], record["last_name"] = draw.filled("{first_names}"), draw.filled("{last_names}")
    record["email"] = "twice@example.com" if number in (7, 8) else f"contact{number:04d}@example.com"
    record["phone"] = f"+1 512 555 {number:04d}" if draw.chance(0.8) else None


_accounts = partial(Shape, "account", model=MODELS["account"], change=_account)
_contacts = partial(Shape, "contact", model=MODELS["contact"], change=_contact)
_SALESFORCE_TYPE = "/services/data/v59.0/sobjects/{resource}/{id}"
_SALESFORCE_USERS = counted(0, "005SB{:010d}AAA")

SHAPES = (
    _accounts(
        "salesforce",
        ids={"id": counted(0, "001SB{:010d}AAA"), "owner_id": _SALESFORCE_USERS},
        extras={
            "/attributes/type": "Account",
            "/attributes/url": _SALESFORCE_TYPE,
            "/AnnualRevenue": [step * 7_919_993 % 10**9 / 100 for step in range(100)],
        },
    ),
    _accounts(
        "hubspot",
        ids={"id": counted(8_000_000_000), "owner_id": counted(41_000)},
        extras={
            "/properties/hs_object_id": "{id}",
            "/properties/createdate": "{created_at}",
        },
    ),
    _contacts(
        "salesforce",
        ids={"id": counted(0, "003SB{:010d}AAA")},
        extras={
            "/attributes/type": "Contact",
            "/attributes/url": _SALESFORCE_TYPE,
            "/IsDeleted": [False],
            "/CreatedDate": "{updated_at}",
            "/LastModifiedDate": "{updated_at}",
        },
    ),
    _contacts(
        "hubspot",
        ids={"id": counted(9_100_000_000)},
        extras={
            "/properties/hs_object_id": "{id}",
            "/createdAt": "{updated_at}",
            "/properties/lastmodifieddate": "{updated_at}",
            "/archived": [False],
        },
    ),
)

_DATES = {
    "salesforce": ("/CreatedDate", "/LastModifiedDate", "/SystemModstamp"),
    "hubspot": ("/createdAt", "/updatedAt", "/properties/lastmodifieddate"),
}
"""When a contact was made, and when it was changed."""


def new_contact(shape: Shape, number: int, moment: datetime) -> Json:
    """A raw contact with nothing but its id and the moment at which it was made."""
    raw = shape.raw(Draw("new", number), number)
    write_contact(shape, raw, dict.fromkeys(WRITTEN), {}, moment, made=True)
    return raw


def write_contact(
    shape: Shape, raw: Json, fields: Json, own: Json, moment: datetime, *, made: bool = False
) -> None:
    """Puts unified fields and the third party's own properties into a raw contact, changed at a moment."""
    paths = {name: shape.mapping[name].path.rpartition("/") for name in WRITTEN}
    at(raw, paths["email"][0]).update({paths[name][2]: value for name, value in fields.items()}, **own)
    write = CONVERSIONS[shape.mapping["updated_at"].how].write or str
    for path in _DATES[shape.party][0 if made else 1 :]:
        put(raw, path, write(moment))


def limited(party: str, raw: Json, properties: list[str]) -> Json:
    """The raw account with the third party's properties that were asked for, and what always comes along."""
    wanted = set(properties)
    if party == "salesforce":
        always = {"attributes", "Id", "SystemModstamp"}
        return {name: value for name, value in raw.items() if name in always or name in wanted}
    kept = {name: value for name, value in raw["properties"].items() if name in wanted}
    dates = {"createdAt": raw["createdAt"]} if "createdate" in wanted else {}
    return {**{name: raw[name] for name in ("id", "updatedAt", "archived")}, "properties": kept, **dates}
