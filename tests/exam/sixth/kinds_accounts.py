"""What goes wrong in the records of accounts."""

from __future__ import annotations

import html
from typing import Any

from tests.exam.calls3.data import ACCOUNT, Row
from tests.exam.sixth.forms import CRM
from tests.exam.sixth.kinds import Spot, Table, mojibake, put
from tests.exam.sixth.shapes_crm import utc

A = Table(CRM, ACCOUNT)


def _stage(**other: str) -> Any:
    return lambda old, raw, at: other.get(old, old)


def _city_of_shipping(item: Row, raw: Row, at: Spot) -> None:
    if item["address_type"] == "billing" and raw["Shipping_City"]:
        put(item, "city", raw["Shipping_City"])


def _one_address(row: Row, at: Spot) -> None:
    row["addresses"] = row["addresses"][:1]


def _swapped(item: Row, first: str, second: str) -> None:
    if first in item and second in item:
        item[first], item[second] = item[second], item[first]


def _fax_as_phone(row: Row, at: Spot) -> None:
    fax = row["raw_data"]["Fax"]
    for item in row["phone_numbers"]:
        if fax and item["phone_number_type"] == "primary":
            item["phone_number"] = fax


def _swapped_days(old: str) -> str:
    month, day = old[5:7], old[8:10]
    return f"{old[:5]}{day}-{month}{old[10:]}" if int(day) <= 12 else old


KINDS = [
    A.value(
        "account id through a double",
        "ids of nineteen digits went through floating point: their last digits differ from raw_data.id",
        "id",
        lambda old, raw, at: str(int(float(old))),
    ),
    A.value(
        "owner is who changed it last",
        "owner_id is the id of Modified_By where the record has an Owner of its own",
        "owner_id",
        lambda old, raw, at: raw["Modified_By"]["id"],
    ),
    A.value(
        "owner by address",
        "owner_id holds the owner's e-mail address in half of the records and the id in the others",
        "owner_id",
        lambda old, raw, at: raw["Owner"]["email"],
        "half",
    ),
    A.value(
        "owner of the record before",
        "one record in fifty has the owner of the record before it",
        "owner_id",
        lambda old, raw, at: at.before["owner_id"] or old,
        "fiftieth",
    ),
    A.value(
        "company name escaped",
        "names carry HTML escapes that raw data does not have: &amp; for &",
        "name",
        lambda old, raw, at: html.escape(old),
    ),
    A.value(
        "company name in the wrong encoding",
        "UTF-8 of names was read as Latin-1 in half of the records that have other letters",
        "name",
        lambda old, raw, at: mojibake(old),
        "half",
    ),
    A.value(
        "company name of one other record",
        "a single record has the name of the record before it",
        "name",
        lambda old, raw, at: at.before["name"],
        "one",
    ),
    A.value(
        "website without its query",
        "what follows the question mark of a website is lost",
        "website",
        lambda old, raw, at: old.partition("?")[0],
    ),
    A.value(
        "help pages as website",
        "website is Support_Website where there is one",
        "website",
        lambda old, raw, at: raw["Support_Website"] or old,
    ),
    A.value(
        "industry by number",
        "industry is SIC_Code where the record has one",
        "industry",
        lambda old, raw, at: str(raw["SIC_Code"] or old),
    ),
    A.value(
        "two industries in one",
        "Small/Medium Enterprise is given as Large Enterprise",
        "industry",
        lambda old, raw, at: old.replace("Small/Medium", "Large"),
    ),
    A.value(
        "unknown headcount as zero",
        "number_of_employees is 0 where Employees is null",
        "number_of_employees",
        lambda old, raw, at: old or 0,
        nulls=True,
    ),
    A.value(
        "headcount with a ceiling",
        "numbers of employees over ten thousand are given as 10000",
        "number_of_employees",
        lambda old, raw, at: min(old, 10_000),
    ),
    A.value(
        "headcount from revenue",
        "number_of_employees is Annual_Revenue where Employees is null",
        "number_of_employees",
        lambda old, raw, at: raw["Annual_Revenue"] if old is None else old,
        nulls=True,
    ),
    A.value(
        "creation in local time",
        "created_at is New York's clock with the letter of UTC",
        "created_at",
        lambda old, raw, at: raw["Created_Time"][:19] + "Z",
    ),
    A.value(
        "creation without summer time",
        "the offset of winter was taken for the whole year: created_at is an hour off in summer",
        "created_at",
        lambda old, raw, at: utc(raw["Created_Time"][:19] + "-05:00"),
    ),
    A.value(
        "update is creation",
        "updated_at is Created_Time",
        "updated_at",
        lambda old, raw, at: utc(raw["Created_Time"]),
    ),
    A.value(
        "modification is activity",
        "last_modified_at is Last_Activity_Time where there is one",
        "last_modified_at",
        lambda old, raw, at: utc(raw["Last_Activity_Time"]) or old,
    ),
    A.value(
        "activity that never was",
        "last_activity_at is the beginning of 1970 where there was none",
        "last_activity_at",
        lambda old, raw, at: old or "1970-01-01T00:00:00Z",
        nulls=True,
    ),
    A.value(
        "activity with day and month swapped",
        "day and month of last_activity_at are swapped where both could be either",
        "last_activity_at",
        lambda old, raw, at: _swapped_days(old),
    ),
    A.value(
        "description of 120 letters",
        "description ends after 120 letters",
        "description",
        lambda old, raw, at: old[:120],
    ),
    A.value(
        "description in one line",
        "line breaks of descriptions are lost and words stand together",
        "description",
        lambda old, raw, at: old.replace("\n", ""),
    ),
    A.each(
        "billing in the city of shipping",
        "the city of the billing address is Shipping_City where there is one",
        "addresses",
        _city_of_shipping,
    ),
    A.each(
        "second line of the street lost",
        "street_2 is missing where the street has a second line",
        "addresses",
        lambda item, raw, at: item.pop("street_2", None),
    ),
    A.each(
        "postal codes as numbers",
        "leading zeros of postal codes are lost",
        "addresses",
        lambda item, raw, at: put(item, "postal_code", str(item.get("postal_code", "")).lstrip("0")),
    ),
    A.each(
        "address types swapped",
        "billing addresses are called shipping and shipping addresses billing",
        "addresses",
        lambda item, raw, at: put(
            item, "address_type", {"billing": "shipping", "shipping": "billing"}[item["address_type"]]
        ),
    ),
    A.row(
        "only one address",
        "the shipping address is missing where there is a billing address",
        "addresses",
        _one_address,
    ),
    A.each(
        "state and country swapped",
        "state and country of addresses stand in each other's place in one record in fifty",
        "addresses",
        lambda item, raw, at: _swapped(item, "state", "country"),
        "fiftieth",
    ),
    A.each(
        "mobile called fax",
        "mobile numbers have the type fax",
        "phone_numbers",
        lambda item, raw, at: put(
            item, "phone_number_type", item["phone_number_type"].replace("mobile", "fax")
        ),
    ),
    A.each(
        "extensions lost",
        "extensions of phone numbers are missing",
        "phone_numbers",
        lambda item, raw, at: put(item, "phone_number", item["phone_number"].partition(" ext")[0]),
    ),
    A.each(
        "international prefix lost",
        "the plus of phone numbers is lost: +49 89 became 49 89",
        "phone_numbers",
        lambda item, raw, at: put(item, "phone_number", item["phone_number"].lstrip("+")),
        "half",
    ),
    A.row(
        "fax given as phone",
        "the first number is the fax's where there is a fax",
        "phone_numbers",
        _fax_as_phone,
    ),
    A.value(
        "qualified by whom",
        "leads qualified by marketing are given as qualified by sales and the other way about",
        "lifecycle_stage",
        _stage(marketingqualifiedlead="salesqualifiedlead", salesqualifiedlead="marketingqualifiedlead"),
    ),
    A.value(
        "advocates are customers",
        "evangelist is given as customer in half of the cases",
        "lifecycle_stage",
        _stage(evangelist="customer"),
        "half",
    ),
    A.value(
        "one stale stage",
        "a single client is still given as a lead",
        "lifecycle_stage",
        _stage(customer="lead"),
        "one",
    ),
    A.value(
        "nothing is ever deleted",
        "is_deleted is false for records in the trash",
        "is_deleted",
        lambda old, raw, at: False,
    ),
    A.value(
        "a status that is there is true",
        "is_deleted is true whenever Record_Status__s is not empty",
        "is_deleted",
        lambda old, raw, at: bool(raw["Record_Status__s"]),
    ),
]
