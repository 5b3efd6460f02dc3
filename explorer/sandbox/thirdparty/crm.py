"""Contacts and accounts in the forms of two CRM systems, read and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from explorer.sandbox.draw import Draw, Moments, iso, person, sentences, words
from explorer.sandbox.thirdparty.shape import Json, Shape


@dataclass(frozen=True, slots=True)
class ContactForm:
    """How a CRM keeps a contact.

    Attributes:
        names: unified field to the third party's property name.
        blank: a raw contact with nothing but its id and dates.
        write: puts properties into a raw contact and marks it as changed at a moment.
    """

    names: dict[str, str]
    blank: Callable[[int, datetime], Json]
    write: Callable[[Json, Json, datetime], None]


def _salesforce_date(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}.000+0000"


def _salesforce_id(prefix: str, number: int) -> str:
    return f"{prefix}SB{number:010d}AAA"


def _salesforce_number(prefix: str) -> Callable[[str], int | None]:
    def number(text: str) -> int | None:
        digits = text[5:15]
        fits = text.startswith(f"{prefix}SB") and text.endswith("AAA") and len(text) == 18
        return int(digits) if fits and digits.isascii() and digits.isdigit() else None

    return number


def _website(draw: Draw) -> str:
    return f"https://www.{draw.hexadecimal(6)}.example"


def _salesforce_account(draw: Draw, number: int) -> Json:
    ident, moments, vocabulary = _salesforce_id("001", number), Moments(number), words()
    street = draw.pick(vocabulary["streets"]) if draw.chance(0.8) else None
    city, state, code, country = draw.pick(vocabulary["cities"]) if street else (None, None, None, None)
    shipping = draw.pick(vocabulary["cities"]) if draw.chance(0.3) else (None, None, None, None)
    changed = _salesforce_date(moments.changed)
    return {
        "attributes": {"type": "Account", "url": f"/services/data/v59.0/sobjects/Account/{ident}"},
        "Id": ident,
        "Name": f"{draw.pick(vocabulary['companies'])} {number}",
        "IsDeleted": False,
        "Website": _website(draw) if draw.chance(0.7) else None,
        "Industry": draw.pick(vocabulary["industries"]) if draw.chance(0.8) else None,
        "NumberOfEmployees": draw.below(20_000) if draw.chance(0.7) else None,
        "OwnerId": _salesforce_id("005", draw.below(20)),
        "CreatedDate": _salesforce_date(moments.made),
        "SystemModstamp": changed,
        "LastModifiedDate": changed,
        "LastActivityDate": f"{moments.changed:%Y-%m-%d}" if draw.chance(0.5) else None,
        "Description": sentences(draw, 2) if draw.chance(0.6) else draw.pick([None, ""]),
        "BillingStreet": street,
        "BillingCity": city,
        "BillingState": state,
        "BillingPostalCode": code,
        "BillingCountry": country,
        "ShippingStreet": draw.pick(vocabulary["streets"]) if shipping[0] else None,
        "ShippingCity": shipping[0],
        "ShippingState": shipping[1],
        "ShippingPostalCode": shipping[2],
        "ShippingCountry": shipping[3],
        "Phone": f"+49 30 {draw.below(9_000_000):07d}" if draw.chance(0.7) else None,
        "Fax": f"+49 30 {draw.below(9_000_000):07d}" if draw.chance(0.1) else None,
        "AnnualRevenue": draw.below(10**9) / 100,
    }


def _hubspot_account(draw: Draw, number: int) -> Json:
    moments, vocabulary = Moments(number), words()
    city, state, code, country = draw.pick(vocabulary["cities"])
    return {
        "id": str(8_000_000_000 + number),
        "properties": {
            "hs_object_id": str(8_000_000_000 + number),
            "name": f"{draw.pick(vocabulary['companies'])} {number}",
            "domain": f"{draw.hexadecimal(6)}.example" if draw.chance(0.8) else None,
            "industry": draw.pick(vocabulary["industries"]).upper() if draw.chance(0.8) else None,
            "numberofemployees": str(draw.below(20_000)) if draw.chance(0.7) else draw.pick([None, ""]),
            "hubspot_owner_id": str(41_000 + draw.below(20)) if draw.chance(0.8) else None,
            "createdate": iso(moments.made),
            "hs_lastmodifieddate": iso(moments.changed),
            "notes_last_updated": iso(moments.changed) if draw.chance(0.5) else None,
            "description": sentences(draw, 1) if draw.chance(0.6) else None,
            "address": draw.pick(vocabulary["streets"]),
            "address2": "3. OG" if draw.chance(0.2) else "",
            "city": city,
            "state": state,
            "zip": code,
            "country": country,
            "phone": f"+353 1 {draw.below(9_000_000):07d}" if draw.chance(0.7) else None,
            "lifecyclestage": draw.pick(vocabulary["lifecycle_stages"]) if draw.chance(0.9) else None,
        },
        "createdAt": iso(moments.made),
        "updatedAt": iso(moments.changed),
        "archived": False,
    }


def limited(party: str, raw: Json, properties: list[str]) -> Json:
    """The raw account with the third party's properties that were asked for, and what always comes along."""
    wanted = set(properties)
    if party == "salesforce":
        always = {"attributes", "Id", "SystemModstamp"}
        return {name: value for name, value in raw.items() if name in always or name in wanted}
    kept = {name: value for name, value in raw["properties"].items() if name in wanted}
    dates = {"createdAt": raw["createdAt"]} if "createdate" in wanted else {}
    return {
        "id": raw["id"],
        "properties": kept,
        "updatedAt": raw["updatedAt"],
        "archived": raw["archived"],
        **dates,
    }


def _salesforce_blank(number: int, moment: datetime) -> Json:
    ident = _salesforce_id("003", number)
    return {
        "attributes": {"type": "Contact", "url": f"/services/data/v59.0/sobjects/Contact/{ident}"},
        "Id": ident,
        "FirstName": None,
        "LastName": None,
        "Email": None,
        "Phone": None,
        "IsDeleted": False,
        "OwnerId": _salesforce_id("005", number % 20),
        "CreatedDate": _salesforce_date(moment),
        "LastModifiedDate": _salesforce_date(moment),
        "SystemModstamp": _salesforce_date(moment),
    }


def _salesforce_write(raw: Json, properties: Json, moment: datetime) -> None:
    raw.update(properties)
    raw["LastModifiedDate"] = raw["SystemModstamp"] = _salesforce_date(moment)


def _hubspot_blank(number: int, moment: datetime) -> Json:
    ident = str(9_100_000_000 + number)
    return {
        "id": ident,
        "properties": {"hs_object_id": ident, "createdate": iso(moment), "lastmodifieddate": iso(moment)},
        "createdAt": iso(moment),
        "updatedAt": iso(moment),
        "archived": False,
    }


def _hubspot_write(raw: Json, properties: Json, moment: datetime) -> None:
    raw["properties"].update(properties)
    raw["properties"]["lastmodifieddate"] = raw["updatedAt"] = iso(moment)


def first_contact(draw: Draw, number: int) -> Json:
    """The unified fields of the contact that a connection has at the start; 7 and 8 share their e-mail address."""
    first, last = person(draw)
    email = "twice@example.com" if number in (7, 8) else f"contact{number:04d}@example.com"
    phone = f"+1 512 555 {number:04d}" if draw.chance(0.8) else None
    return {"first_name": first, "last_name": last, "email": email, "phone": phone}


def _no_texts(number: int) -> tuple[str, ...]:
    return (str(number),)


def _hubspot_number(text: str) -> int | None:
    return int(text) - 8_000_000_000 if text.isascii() and text.isdigit() else None


ACCOUNTS = {
    "salesforce": Shape(_salesforce_account, _no_texts, _salesforce_number("001")),
    "hubspot": Shape(_hubspot_account, _no_texts, _hubspot_number),
}
CONTACTS = {
    "salesforce": ContactForm(
        {"first_name": "FirstName", "last_name": "LastName", "email": "Email", "phone": "Phone"},
        _salesforce_blank,
        _salesforce_write,
    ),
    "hubspot": ContactForm(
        {"first_name": "firstname", "last_name": "lastname", "email": "email", "phone": "phone"},
        _hubspot_blank,
        _hubspot_write,
    ),
}
