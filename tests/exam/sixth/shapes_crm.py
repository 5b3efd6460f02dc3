"""Accounts as Zoho CRM has them: flat, ids of nineteen digits, moments in the organization's own time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
STAGES = {
    "Subscriber": "subscriber",
    "New Lead": "lead",
    "MQL": "marketingqualifiedlead",
    "SQL": "salesqualifiedlead",
    "Deal open": "opportunity",
    "Client": "customer",
    "Advocate": "evangelist",
    "Former client": "other",
}
PARTS = ("Street", "City", "State", "Code", "Country")
PHONES = {"Phone": "primary", "Mobile": "mobile", "Fax": "fax"}
INDUSTRIES = (
    "ASP (Application Service Provider)",
    "Data/Telecom OEM",
    "Government/Military",
    "Large Enterprise",
    "Non-management ISV",
    "Optical Networking",
    "Service Provider",
    "Small/Medium Enterprise",
    "Storage Equipment",
    "Wireless Industry",
)
STREETS = ("Main St", "Hauptstraße", "Rue de l’Église", "ул. Ленина", "中央通り", "Calle Mayor", "Nytorv")
COUNT = 400


def zoned(at: datetime) -> str:
    """A moment as it is shown in New York."""
    hours = -4 if 4 <= at.month <= 10 else -5
    return at.astimezone(timezone(timedelta(hours=hours))).isoformat(timespec="seconds")


def utc(text: str | None) -> str | None:
    """The same moment in UTC."""
    if text is None:
        return None
    return datetime.fromisoformat(text).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def account(raw: Row) -> Row:
    """The unified record of this account."""
    addresses = [one for one in (_address(raw, "Billing"), _address(raw, "Shipping")) if one is not None]
    phones = [
        {"phone_number": raw[name], "phone_number_type": kind} for name, kind in PHONES.items() if raw[name]
    ]
    owner = raw["Owner"]
    return {
        "id": raw["id"],
        "updated_at": utc(raw["Modified_Time"]),
        "name": raw["Account_Name"],
        "is_deleted": None if raw["Record_Status__s"] is None else raw["Record_Status__s"] == "Trash",
        "website": raw["Website"],
        "industry": raw["Industry"],
        "number_of_employees": raw["Employees"],
        "owner_id": owner["id"] if owner else None,
        "created_at": utc(raw["Created_Time"]),
        "description": raw["Description"],
        "last_activity_at": utc(raw["Last_Activity_Time"]),
        "addresses": addresses,
        "phone_numbers": phones,
        "lifecycle_stage": STAGES.get(raw["Account_Stage"]) if raw["Account_Stage"] else None,
        "last_modified_at": utc(raw["Modified_Time"]),
        "raw_data": raw,
    }


def _address(raw: Row, kind: str) -> Row | None:
    street, city, state, code, country = (raw[f"{kind}_{part}"] for part in PARTS)
    if not any((street, city, state, code, country)):
        return None
    first, _, second = (street or "").partition("\n")
    whole = {
        "address_type": kind.lower(),
        "street_1": first,
        "street_2": second,
        "city": city,
        "state": state,
        "postal_code": code,
        "country": country,
    }
    return {name: value for name, value in whole.items() if value}


def accounts(seed: int) -> list[Row]:
    """What the connector gives."""
    rng = Random(f"{seed}:zoho")
    people = [_person(rng, n) for n in range(17)]
    return [account(_raw(rng, n, people)) for n in range(COUNT)]


def account_id(number: int) -> str:
    """The id of the n-th account: the same for every seed."""
    return str(3652397000000649013 + number * 37)


def _person(rng: Random, number: int) -> Row:
    return {
        "name": " ".join(words.person(rng)),
        "id": str(3652397000000186017 + number * 1009),
        "email": words.email(rng, number + 1),
    }


def _raw(rng: Random, number: int, people: list[Row]) -> Row:
    created = words.moment(rng, 2017, 2023)
    changed = words.later(rng, created, 400)
    company = rng.choice(words.COMPANIES)
    domain = f"{words.token(rng, 6).lower()}.example"
    billing, shipping = (_place(rng, share) for share in (0.9, 0.45))
    website = rng.choice((f"www.{domain}", f"https://{domain}", f"http://{domain}/en/start?ref=a&p=2"))
    uid = account_id(number)
    return {
        "id": uid,
        "Account_Name": f"{company} {rng.choice(words.FORMS)}".strip()
        + (f" {number}" if rng.random() < 0.6 else ""),
        "Account_Number": f"0{rng.randrange(10_000, 99_999)}",
        "Account_Type": words.often(rng, 0.7, rng.choice(("Customer", "Distributor", "Partner", "Vendor"))),
        "Account_Site": words.often(rng, 0.2, rng.choice(words.CITIES)[0]),
        "Account_Stage": words.often(rng, 0.9, rng.choice(tuple(STAGES))),
        "Annual_Revenue": words.often(rng, 0.5, rng.randrange(10**5, 10**9)),
        "Billing_Street": billing[0],
        "Billing_City": billing[1],
        "Billing_State": billing[2],
        "Billing_Code": billing[3],
        "Billing_Country": billing[4],
        "Shipping_Street": shipping[0],
        "Shipping_City": shipping[1],
        "Shipping_State": shipping[2],
        "Shipping_Code": shipping[3],
        "Shipping_Country": shipping[4],
        "Created_By": rng.choice(people),
        "Created_Time": zoned(created),
        "Description": words.often(rng, 0.55, words.text(rng)),
        "Employees": words.often(
            rng, 0.8, rng.choice((1, 4, 12, 150, 2300, 12_500, 340_000, rng.randrange(2, 9999)))
        ),
        "Industry": words.often(rng, 0.85, rng.choice(INDUSTRIES)),
        "Last_Activity_Time": words.often(rng, 0.7, zoned(words.later(rng, created, 700))),
        "Modified_By": rng.choice(people),
        "Modified_Time": zoned(changed),
        "Owner": words.often(rng, 0.97, rng.choice(people)),
        "Ownership": words.often(rng, 0.4, rng.choice(("Public", "Private", "Subsidiary"))),
        "Parent_Account": words.often(rng, 0.15, {"name": company, "id": account_id(rng.randrange(COUNT))}),
        "Phone": words.often(rng, 0.85, phone(rng)),
        "Mobile": words.often(rng, 0.3, phone(rng)),
        "Fax": words.often(rng, 0.35, phone(rng)),
        "Rating": words.often(rng, 0.5, rng.choice(("Active", "Market Failed", "Acquired"))),
        "Record_Status__s": "Trash" if rng.random() < 0.12 else "Available",
        "SIC_Code": words.often(rng, 0.4, rng.randrange(100, 9999)),
        "Tag": [
            {"name": one, "id": str(5000 + n)}
            for n, one in enumerate(words.few(rng, ("VIP", "EMEA", "fair"), 0, 2))
        ],
        "Ticker_Symbol": words.often(rng, 0.1, words.token(rng, 4).upper()),
        "Website": words.often(rng, 0.8, website),
        "Support_Website": words.often(rng, 0.3, f"https://help.{domain}"),
    }


def _place(rng: Random, share: float) -> tuple[str | None, ...]:
    if rng.random() >= share:
        return (None,) * len(PARTS)
    city, state, country, code = rng.choice(words.CITIES)
    second = rng.choice(("", "", "\nSuite 400", "\nc/o Müller", "\n3. Stock links"))
    return f"{rng.randrange(1, 900)} {rng.choice(STREETS)}{second}", city, state, code, country


def phone(rng: Random) -> str:
    """A number as somebody typed it."""
    return rng.choice(
        (
            f"+1 (415) 555-{rng.randrange(10**4):04d}",
            f"+49 89 {rng.randrange(10**6):06d}-{rng.randrange(100):02d}",
            f"030 {rng.randrange(10**7):07d}",
            f"+81-3-{rng.randrange(10**4):04d}-{rng.randrange(10**4):04d}",
            f"(212) 555-{rng.randrange(10**4):04d} ext. {rng.randrange(10, 99)}",
            f"004420794{rng.randrange(10**5):05d}",
        )
    )


IDS = tuple(map(account_id, range(COUNT)))
PROPERTIES = tuple(name for name in _raw(Random(0), 0, [{"id": "1"}]) if name != "id")
