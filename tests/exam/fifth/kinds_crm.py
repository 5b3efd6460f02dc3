"""Kinds of accounts: what connectors make of Insightly's organisations."""

from __future__ import annotations

import html
from datetime import UTC, datetime
from random import Random
from zoneinfo import ZoneInfo

from tests.exam import words
from tests.exam.calls3.data import ACCOUNT, Row
from tests.exam.fifth.kinds import Kind, Writer
from tests.exam.fifth.shapes_crm import NAME, moment, own

KINDS: list[Kind] = []
ACCOUNTS = Writer(NAME, ACCOUNT, KINDS)
SERVER = ZoneInfo("America/Chicago")


@ACCOUNTS.rows(
    "created is the time of change",
    "raw_data has DATE_CREATED_UTC, and created_at tells DATE_UPDATED_UTC in each record.",
    "created_at",
)
def _created(body: Row, raw: Row, rng: Random) -> None:
    body["created_at"] = moment(raw["DATE_UPDATED_UTC"])


@ACCOUNTS.rows(
    "activity read in the server's zone",
    "LAST_ACTIVITY_DATE_UTC is UTC by its name, last_activity_at is five or six hours later; other dates agree.",
    "last_activity_at",
)
def _zone(body: Row, raw: Row, rng: Random) -> None:
    if text := raw["LAST_ACTIVITY_DATE_UTC"]:
        local = datetime.fromisoformat(text).replace(tzinfo=SERVER)
        body["last_activity_at"] = words.iso(local.astimezone(UTC))


@ACCOUNTS.rows(
    "noon becomes midnight",
    "Where DATE_CREATED_UTC says 12 o'clock created_at says 00, twelve hours less; all other hours agree.",
    "created_at",
)
def _noon(body: Row, raw: Row, rng: Random) -> None:
    body["created_at"] = body["created_at"].replace("T12:", "T00:")


@ACCOUNTS.rows(
    "day and month change places",
    "Where the day is 12 or less, month and day of created_at stand the other way round than in DATE_CREATED_UTC.",
    "created_at",
)
def _swapped(body: Row, raw: Row, rng: Random) -> None:
    year, month, day = body["created_at"][:10].split("-")
    if int(day) <= 12:
        body["created_at"] = f"{year}-{day}-{month}{body['created_at'][10:]}"


@ACCOUNTS.rows(
    "activity without its time of day",
    "LAST_ACTIVITY_DATE_UTC has hours and minutes, last_activity_at is midnight of that day in each record.",
    "last_activity_at",
)
def _day_only(body: Row, raw: Row, rng: Random) -> None:
    if body["last_activity_at"]:
        body["last_activity_at"] = f"{body['last_activity_at'][:10]}T00:00:00.000Z"


@ACCOUNTS.rows(
    "employees up to the comma",
    "Employees__c is 1,240 in raw_data and number_of_employees is 1; numbers without a comma agree.",
    "number_of_employees",
)
def _comma(body: Row, raw: Row, rng: Random) -> None:
    if text := own(raw, "Employees__c"):
        body["number_of_employees"] = int(text.split(",")[0])


@ACCOUNTS.rows(
    "no employees become null",
    "Employees__c is 0 in raw_data and number_of_employees is null; every other number is told.",
    "number_of_employees",
)
def _zero(body: Row, raw: Row, rng: Random) -> None:
    body["number_of_employees"] = body["number_of_employees"] or None


@ACCOUNTS.rows(
    "employees as text",
    "The contract has a number for number_of_employees; a third of the records have a text.",
    "number_of_employees",
    rows="third",
)
def _text(body: Row, raw: Row, rng: Random) -> None:
    if body["number_of_employees"] is not None:
        body["number_of_employees"] = str(body["number_of_employees"])


@ACCOUNTS.rows(
    "qualified leads are leads",
    "Stage__c says Marketing or Sales Qualified Lead, for which the contract has values; lifecycle_stage says lead.",
    "lifecycle_stage",
)
def _leads(body: Row, raw: Row, rng: Random) -> None:
    if "Lead" in (own(raw, "Stage__c") or ""):
        body["lifecycle_stage"] = "lead"


@ACCOUNTS.rows(
    "former customers are customers",
    "Stage__c is Former Customer and lifecycle_stage is customer, as for those whose Stage__c is Customer.",
    "lifecycle_stage",
)
def _former(body: Row, raw: Row, rng: Random) -> None:
    if "Customer" in (own(raw, "Stage__c") or ""):
        body["lifecycle_stage"] = "customer"


@ACCOUNTS.rows(
    "evangelists forgotten in the table",
    "Stage__c is Evangelist, the contract has evangelist, and lifecycle_stage is null for these alone.",
    "lifecycle_stage",
)
def _evangelist(body: Row, raw: Row, rng: Random) -> None:
    if own(raw, "Stage__c") == "Evangelist":
        body["lifecycle_stage"] = None


@ACCOUNTS.rows(
    "owner is who made it",
    "Where OWNER_USER_ID and CREATED_USER_ID differ, owner_id is the latter in a third of the records.",
    "owner_id",
    rows="third",
)
def _owner(body: Row, raw: Row, rng: Random) -> None:
    body["owner_id"] = str(raw["CREATED_USER_ID"])


@ACCOUNTS.rows(
    "billing city in the shipping address",
    "In a dozen records the shipping city is ADDRESS_BILLING_CITY, beside state and code of ADDRESS_SHIP.",
    "addresses",
    rows="dozen",
)
def _city(body: Row, raw: Row, rng: Random) -> None:
    for one in body["addresses"]:
        if one["address_type"] == "shipping" and raw["ADDRESS_BILLING_CITY"]:
            one["city"] = raw["ADDRESS_BILLING_CITY"]


@ACCOUNTS.rows(
    "postal codes lose leading zeros",
    "ADDRESS_BILLING_POSTCODE is 02139 and postal_code 2139; codes that begin otherwise agree.",
    "addresses",
)
def _postal(body: Row, raw: Row, rng: Random) -> None:
    for one in body["addresses"]:
        if one["postal_code"].isdigit():
            one["postal_code"] = str(int(one["postal_code"]))


@ACCOUNTS.rows(
    "shipping addresses called billing",
    "The second address has the parts of ADDRESS_SHIP and the address_type billing.",
    "addresses",
)
def _kind(body: Row, raw: Row, rng: Random) -> None:
    for one in body["addresses"]:
        one["address_type"] = "billing"


@ACCOUNTS.rows(
    "no address without a street",
    "ADDRESS_BILLING_CITY and _COUNTRY are filled and _STREET is not, and there is no such address in addresses.",
    "addresses",
)
def _street(body: Row, raw: Row, rng: Random) -> None:
    body["addresses"] = [one for one in body["addresses"] if one.get("street_1")]


@ACCOUNTS.rows(
    "second line of the street lost",
    "ADDRESS_*_STREET has two lines; street_1 is the first, and there is no street_2, as others have it.",
    "addresses",
    rows="dozen",
)
def _second(body: Row, raw: Row, rng: Random) -> None:
    for one in body["addresses"]:
        one.pop("street_2", None)


@ACCOUNTS.rows(
    "fax and mobile change places",
    "The number of PHONE_FAX has the type mobile, that of Mobile__c the type fax, in a third of the records.",
    "phone_numbers",
    rows="third",
)
def _fax(body: Row, raw: Row, rng: Random) -> None:
    other = {"fax": "mobile", "mobile": "fax"}
    for one in body["phone_numbers"]:
        one["phone_number_type"] = other.get(one["phone_number_type"], one["phone_number_type"])


@ACCOUNTS.rows(
    "plus decoded to a blank",
    "PHONE begins with +49 and phone_number with a blank and 49, in each international number.",
    "phone_numbers",
)
def _plus(body: Row, raw: Row, rng: Random) -> None:
    for one in body["phone_numbers"]:
        one["phone_number"] = one["phone_number"].replace("+", " ")


@ACCOUNTS.rows(
    "own field taken by its position",
    "industry is the value of the first entry of CUSTOMFIELDS, whatever its FIELD_NAME is.",
    "industry",
)
def _position(body: Row, raw: Row, rng: Random) -> None:
    body["industry"] = raw["CUSTOMFIELDS"][0]["FIELD_VALUE"]


@ACCOUNTS.whole(
    "industry of the record before",
    "Where CUSTOMFIELDS has no Industry__c, industry is that of the record before it; else it agrees.",
    "industry",
)
def _before(rows: list[Row], rng: Random) -> list[Row]:
    last = None
    for one in rows:
        last = one["industry"] or last
        one["industry"] = last
    return rows


@ACCOUNTS.rows(
    "description cut at 255",
    "BACKGROUND is longer, description is its first 255 characters.",
    "description",
)
def _cut(body: Row, raw: Row, rng: Random) -> None:
    body["description"] = raw["BACKGROUND"] and raw["BACKGROUND"][:255]


@ACCOUNTS.rows(
    "description with entities",
    "BACKGROUND has & and <, description has &amp; and &lt; in their place.",
    "description",
    rows="third",
)
def _entities(body: Row, raw: Row, rng: Random) -> None:
    body["description"] = raw["BACKGROUND"] and html.escape(raw["BACKGROUND"])


@ACCOUNTS.rows(
    "scheme put before a scheme",
    "WEBSITE is https://www.x and website is http://https://www.x; no such address can be opened.",
    "website",
    rows="third",
)
def _scheme(body: Row, raw: Row, rng: Random) -> None:
    if "//" in (raw["WEBSITE"] or ""):
        body["website"] = f"http://{raw['WEBSITE']}"


@ACCOUNTS.rows(
    "names read as Latin-1",
    "ORGANISATION_NAME is Müller and name MÃ¼ller, wherever a letter is not ASCII.",
    "name",
)
def _latin(body: Row, raw: Row, rng: Random) -> None:
    body["name"] = raw["ORGANISATION_NAME"].encode().decode("latin-1")


@ACCOUNTS.whole(
    "raw data of the next in one batch",
    "In a dozen records ORGANISATION_ID, name and dates of raw_data are those of the record that follows.",
)
def _raw(rows: list[Row], rng: Random) -> list[Row]:
    raws = [one["raw_data"] for one in rows]
    for number in range(100, 112):
        rows[number]["raw_data"] = raws[number + 1]
    return rows
