"""Two CRMs: accounts of Dynamics 365 (OData) and companies of Copper (epoch seconds, custom fields)."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from typing import Any

from tests.exam.third import vocabulary as words
from tests.exam.third.engine import ACCOUNT, Row, World

LABEL = "@OData.Community.Display.V1.FormattedValue"
LOGICAL = "@Microsoft.Dynamics.CRM.lookuplogicalname"
INDUSTRIES = {
    1: "Accounting",
    3: "Agriculture and Non-petrol Natural Resource Extraction",
    6: "Business Services",
    8: "Consulting",
    12: "Durable Manufacturing",
    17: "Financial",
    19: "Food and Tobacco Processing",
    22: "Insurance",
    33: "Wholesale",
}
RELATIONS = {3: "Customer", 8: "Prospect", 6: "Influencer", 12: "Other"}
STAGES = {3: "customer", 8: "lead", 6: "evangelist", 12: "other"}
PURPOSES = {
    1: ("Bill To", "billing"),
    2: ("Ship To", "shipping"),
    3: ("Primary", "primary"),
    4: ("Other", "other"),
}
CURRENCIES = (
    ("Euro", "EUR", 1.0),
    ("US Dollar", "USD", 1.08),
    ("Svensk krona", "SEK", 11.4),
    ("Yen", "JPY", 161.2),
)


def _number(rng: Random) -> int:
    return rng.choice(
        (rng.randint(1, 99), rng.randint(100, 999), rng.randint(1000, 9999), rng.randint(33000, 90000))
    )


def _phone(rng: Random, start: str, extension: float = 0.1) -> str:
    tail = f" ext. {rng.randint(10, 999)}" if rng.random() < extension else ""
    return f"{start}{rng.randint(1000, 9999)}{tail}"


def _dynamics_raw(rng: Random, at: int, owners: list[Row], parents: list[Row], currencies: list[str]) -> Row:
    name, place = words.company(rng), rng.choice(words.PLACES)
    domain = f"{words.slug(name)}.example"
    created = words.moment(rng)
    modified = words.later(rng, created)
    owner, creator, modifier = (rng.choice(owners) for _ in range(3))
    which = rng.randrange(len(CURRENCIES))
    revenue = round(rng.uniform(1e5, 9e7), 2) if rng.random() < 0.8 else None
    industry = rng.choice(list(INDUSTRIES)) if rng.random() < 0.92 else None
    relation = rng.choices(list(RELATIONS), (6, 6, 2, 1))[0]
    people = _number(rng) if rng.random() < 0.85 else None
    active = rng.random() < 0.88
    seen = words.later(rng, created, 300) if rng.random() < 0.8 else None
    parent = rng.choice(parents) if parents and rng.random() < 0.2 else None
    raw: Row = {
        "@odata.etag": f'W/"{88120000 + at * 37}"',
        "accountid": words.guid(rng),
        "accountnumber": f"A-{at:05}",
        "name": name,
        "websiteurl": rng.choice((f"https://www.{domain}/", f"https://{domain}/en?ref=crm#top", None)),
        "emailaddress1": f"info@{domain}",
        "industrycode": industry,
        f"industrycode{LABEL}": INDUSTRIES[industry] if industry else None,
        "customertypecode": relation,
        f"customertypecode{LABEL}": RELATIONS[relation],
        "numberofemployees": people,
        f"numberofemployees{LABEL}": None if people is None else f"{people:,}",
        "revenue": revenue,
        "revenue_base": None if revenue is None else round(revenue / CURRENCIES[which][2], 4),
        "exchangerate": CURRENCIES[which][2],
        "_transactioncurrencyid_value": currencies[which],
        f"_transactioncurrencyid_value{LABEL}": CURRENCIES[which][0],
        "_ownerid_value": owner["id"],
        f"_ownerid_value{LABEL}": owner["name"],
        f"_ownerid_value{LOGICAL}": owner["type"],
        "_createdby_value": creator["id"],
        f"_createdby_value{LABEL}": creator["name"],
        "_modifiedby_value": modifier["id"],
        f"_modifiedby_value{LABEL}": modifier["name"],
        "_parentaccountid_value": parent["accountid"] if parent else None,
        f"_parentaccountid_value{LABEL}": parent["name"] if parent else None,
        "createdon": words.seconds(created),
        f"createdon{LABEL}": f"{created:%-m/%-d/%Y %-I:%M %p}",
        "modifiedon": words.seconds(modified),
        f"modifiedon{LABEL}": f"{modified:%-m/%-d/%Y %-I:%M %p}",
        "new_lastactivityon": words.seconds(seen) if seen else None,
        "description": words.prose(rng) if rng.random() < 0.7 else None,
        "telephone1": _phone(rng, place[5]) if rng.random() < 0.9 else None,
        "telephone2": _phone(rng, place[5], 0.3) if rng.random() < 0.35 else None,
        "telephone3": _phone(rng, place[5], 0) if rng.random() < 0.3 else None,
        "fax": _phone(rng, place[5], 0) if rng.random() < 0.4 else None,
        "statecode": 0 if active else 1,
        f"statecode{LABEL}": "Active" if active else "Inactive",
        "donotbulkemail": rng.random() < 0.2,
        "address1_addressid": words.guid(rng),
        "versionnumber": 88120000 + at * 37,
    }
    for number, present in ((1, 0.93), (2, 0.35)):
        there = rng.random() < present
        city, state, code, country, _, _ = place if rng.random() < 0.7 else rng.choice(words.PLACES)
        purpose = rng.choice(list(PURPOSES))
        street, second = (
            f"{rng.choice(words.STREETS)} {rng.randint(1, 220)}",
            rng.choice((*words.SECOND, None, None)),
        )
        parts: Row = {
            "addresstypecode": purpose,
            f"addresstypecode{LABEL}": PURPOSES[purpose][0],
            "line1": street,
            "line2": second,
            "city": city,
            "stateorprovince": state,
            "postalcode": code,
            "country": country,
            "composite": "\r\n".join(filter(None, (street, second, f"{city}, {state} {code}", country))),
        }
        raw.update({f"address{number}_{key}": value if there else None for key, value in parts.items()})
    return raw


def _dynamics_address(raw: Row, number: int) -> Row:
    def at(name: str) -> Any:
        return raw[f"address{number}_{name}"]

    return {
        "address_type": PURPOSES[at("addresstypecode")][1],
        "street_1": at("line1"),
        "street_2": at("line2") or "",
        "city": at("city"),
        "state": at("stateorprovince"),
        "postal_code": at("postalcode"),
        "country": at("country"),
    }


def dynamics_account(raw: Row) -> Row:
    """The sound mapping."""
    kinds = (("telephone1", "primary"), ("telephone2", "other"), ("telephone3", "mobile"), ("fax", "fax"))
    return {
        "id": raw["accountid"],
        "updated_at": raw["modifiedon"],
        "name": raw["name"],
        "is_deleted": raw["statecode"] == 1,
        "website": raw["websiteurl"],
        "industry": raw[f"industrycode{LABEL}"],
        "number_of_employees": raw["numberofemployees"],
        "owner_id": raw["_ownerid_value"],
        "created_at": raw["createdon"],
        "description": raw["description"],
        "last_activity_at": raw["new_lastactivityon"],
        "addresses": [_dynamics_address(raw, one) for one in (1, 2) if raw[f"address{one}_line1"]],
        "phone_numbers": [
            {"phone_number": raw[name], "phone_number_type": kind} for name, kind in kinds if raw[name]
        ],
        "lifecycle_stage": STAGES[raw["customertypecode"]],
        "last_modified_at": raw["modifiedon"],
        "raw_data": raw,
    }


DYNAMICS_TRUTH = {
    "id": "accountid",
    "updated_at": "modifiedon",
    "name": "name",
    "is_deleted": "statecode",
    "website": "websiteurl",
    "industry": f"industrycode{LABEL}",
    "number_of_employees": "numberofemployees",
    "owner_id": "_ownerid_value",
    "created_at": "createdon",
    "description": "description",
    "last_activity_at": "new_lastactivityon",
    "lifecycle_stage": "customertypecode",
    "last_modified_at": "modifiedon",
}


def dynamics(seed: int) -> World:
    """Accounts of Dynamics 365."""
    rng = Random(f"{seed}:dynamics")
    owners: list[Row] = [
        {"id": words.guid(rng), "name": words.person(rng), "type": "systemuser"} for _ in range(9)
    ]
    owners += [{"id": words.guid(rng), "name": f"Team {city}", "type": "team"} for city in ("North", "South")]
    currencies = [words.guid(rng) for _ in CURRENCIES]
    raws: list[Row] = []
    for at in range(170):
        raws.append(_dynamics_raw(rng, at, owners, raws, currencies))
    return World("dynamics", {ACCOUNT: [dynamics_account(raw) for raw in raws]})


TYPES = {
    41101: ("Potential Customer", "lead"),
    41102: ("Current Customer", "customer"),
    41103: ("Other", "other"),
}
TYPES |= {41104: ("Qualified", "salesqualifiedlead"), 41105: ("Newsletter", "subscriber")}
BRANCHES = {
    7001: "Retail",
    7002: "Manufacturing",
    7003: "Public sector",
    7004: "Health",
    7005: "IT & Telecom",
}
BRANCH, STAFF, VOLUME = 90211, 90212, 90213
CATEGORIES = {"work": "primary", "mobile": "mobile", "home": "other", "other": "other", "fax": "fax"}


def _copper_raw(rng: Random, at: int) -> Row:
    name, place = words.company(rng), rng.choice(words.PLACES)
    domain = f"{words.slug(name)}.example"
    created = words.moment(rng)
    modified = words.later(rng, created)
    kind = rng.choices(list(TYPES), (5, 5, 1, 3, 3))[0]
    second = rng.choice(words.SECOND) if rng.random() < 0.4 else None
    street = f"{rng.randint(1, 220)} {rng.choice(words.STREETS)}"
    categories = [*CATEGORIES]
    sites = [{"url": f"https://{domain}/a%20b?utm=1", "category": "personal"}] if rng.random() < 0.2 else []
    sites += [{"url": f"http://www.{domain}", "category": "work"}] if rng.random() < 0.8 else []
    details = words.prose(rng) if rng.random() < 0.6 else rng.choice((*words.HTML, None, None))
    return {
        "id": 27_000_000 + at * 7 + rng.randrange(7),
        "name": name,
        "address": {
            "street": f"{street}\n{second}" if second else street,
            "city": place[0],
            "state": place[1],
            "postal_code": place[2],
            "country": place[4],
        }
        if rng.random() < 0.9
        else None,
        "assignee_id": 137_650 + rng.randrange(8) if rng.random() < 0.85 else None,
        "contact_type_id": kind,
        "contact_type": {"id": kind, "name": TYPES[kind][0]},
        "details": details,
        "email_domain": domain,
        "phone_numbers": [
            {"number": _phone(rng, place[5]), "category": rng.choice(categories)}
            for _ in range(rng.choice((0, 1, 1, 2, 3)))
        ],
        "socials": [{"url": f"https://social.example/{words.slug(name)}", "category": "linkedin"}],
        "tags": rng.sample(["vip", "2023", "été", "import"], rng.randrange(3)),
        "websites": sites,
        "custom_fields": [
            {"custom_field_definition_id": BRANCH, "value": rng.choice((*BRANCHES, None))},
            {"custom_field_definition_id": STAFF, "value": _number(rng) if rng.random() < 0.8 else None},
            {"custom_field_definition_id": VOLUME, "value": rng.randint(10_000, 99_999_999)},
        ],
        "currency": rng.choice(("EUR", "USD", "PLN")),
        "monetary_value_cents": rng.randint(1, 9_999_999) * 100,
        "interaction_count": rng.randrange(400),
        "date_created": int(created.timestamp()),
        "date_modified": int(modified.timestamp()),
        "date_last_contacted": int(words.later(rng, created, 250).timestamp())
        if rng.random() < 0.75
        else None,
        "in_trash": rng.random() < 0.06,
    }


def custom(raw: Row, number: int) -> Any:
    """A custom field of Copper by its definition."""
    return next(one["value"] for one in raw["custom_fields"] if one["custom_field_definition_id"] == number)


def _told(epoch: int | None) -> str | None:
    return None if epoch is None else words.seconds(datetime.fromtimestamp(epoch, UTC))


def copper_account(raw: Row) -> Row:
    """The sound mapping."""
    address, site = raw["address"], [one["url"] for one in raw["websites"] if one["category"] == "work"]
    street = address["street"].split("\n") if address else []
    return {
        "id": str(raw["id"]),
        "updated_at": _told(raw["date_modified"]),
        "name": raw["name"],
        "is_deleted": raw["in_trash"],
        "website": site[0] if site else None,
        "industry": BRANCHES.get(custom(raw, BRANCH)),
        "number_of_employees": custom(raw, STAFF),
        "owner_id": str(raw["assignee_id"]) if raw["assignee_id"] else None,
        "created_at": _told(raw["date_created"]),
        "description": raw["details"],
        "last_activity_at": _told(raw["date_last_contacted"]),
        "addresses": [
            {
                "address_type": "primary",
                "street_1": street[0],
                "street_2": street[1] if len(street) > 1 else "",
                "city": address["city"],
                "state": address["state"],
                "postal_code": address["postal_code"],
                "country": address["country"],
            }
        ]
        if address
        else [],
        "phone_numbers": [
            {"phone_number": one["number"], "phone_number_type": CATEGORIES[one["category"]]}
            for one in raw["phone_numbers"]
        ],
        "lifecycle_stage": TYPES[raw["contact_type_id"]][1],
        "last_modified_at": _told(raw["date_modified"]),
        "raw_data": raw,
    }


COPPER_TRUTH = {
    "id": "id",
    "updated_at": "date_modified",
    "name": "name",
    "is_deleted": "in_trash",
    "website": "websites[category=work].url",
    "industry": f"custom_fields[custom_field_definition_id={BRANCH}].value",
    "number_of_employees": f"custom_fields[custom_field_definition_id={STAFF}].value",
    "owner_id": "assignee_id",
    "created_at": "date_created",
    "description": "details",
    "last_activity_at": "date_last_contacted",
    "addresses": "address",
    "phone_numbers": "phone_numbers",
    "lifecycle_stage": "contact_type_id",
    "last_modified_at": "date_modified",
}


def copper(seed: int) -> World:
    """Companies of Copper."""
    rng = Random(f"{seed}:copper")
    return World("copper", {ACCOUNT: [copper_account(_copper_raw(rng, at)) for at in range(220)]})
