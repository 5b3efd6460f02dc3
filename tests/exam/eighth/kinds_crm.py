"""Accounts of Attio, wrongly made."""

from __future__ import annotations

import html
import re
from collections import Counter
from datetime import datetime
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from tests.exam.calls3.data import ACCOUNT, Row
from tests.exam.eighth.forms import CRM
from tests.exam.eighth.kinds import Reader, Sheet
from tests.exam.eighth.shapes_crm import RANGES, STAGES, current
from tests.exam.sixth.kinds import Kind, Spot, Table
from tests.exam.sixth.service import Service

KINDS: list[Kind] = []
ACCOUNTS = Sheet(Table(CRM, ACCOUNT), KINDS)
BERLIN = ZoneInfo("Europe/Berlin")


@ACCOUNTS.row("stage of the past", "lifecycle_stage")
def _past(row: Row, spot: Spot) -> None:
    """The first stage in the history is read, and not the one that holds now."""
    if stages := row["raw_data"]["values"]["stage"]:
        row["lifecycle_stage"] = STAGES[stages[0]["status"]["title"]]


@ACCOUNTS.value("owner is who set the owner", "owner_id")
def _creator(value: str, raw: Row, spot: Spot) -> Any:
    """The actor that made the value is read in place of the actor that the value refers to."""
    return raw["values"]["owner"][0]["created_by_actor"]["id"]


@ACCOUNTS.each("postcode is a number", "addresses")
def _postcode(item: Row, raw: Row, spot: Spot) -> None:
    """The postcode goes through a number and loses its leading zeros."""
    if item.get("postal_code", "").isdigit():
        item["postal_code"] = str(int(item["postal_code"]))


@ACCOUNTS.value("domains in one word", "website")
def _domains(value: str, raw: Row, spot: Spot) -> str:
    """All domains of a company are joined with nothing between them."""
    return "".join(one["domain"] for one in raw["values"]["domains"])


@ACCOUNTS.value("industry stays from the account before", "industry", nulls=True)
def _stays(value: str | None, raw: Row, spot: Spot) -> str | None:
    """A variable outside of the loop keeps the industry for companies that have no category."""
    held = [row["industry"] for row in spot.rows[: spot.number + 1] if row["industry"]]
    return value or (held[-1] if held else None)


@ACCOUNTS.value("thousands of a range are ones", "number_of_employees")
def _thousands(value: int, raw: Row, spot: Spot) -> int:
    """Where there is no count the leading digits of the range are read, and 1K-5K is one employee."""
    if raw["values"]["employee_count"]:
        return value
    title = next(title for title, least in RANGES.items() if least == value)
    return int(re.match(r"\d+", title)[0])  # type: ignore[index]


@ACCOUNTS.row("phones of one country", "phone_numbers")
def _american(row: Row, spot: Spot) -> None:
    """Numbers are matched against the American pattern, and what does not match is left out."""
    row["phone_numbers"] = [one for one in row["phone_numbers"] if one["phone_number"].startswith("+1")]


@ACCOUNTS.value("description of a column's width", "description")
def _width(value: str, raw: Row, spot: Spot) -> str:
    """The connector's own table holds 255 characters of a description."""
    return value[:255]


@ACCOUNTS.each("extension is dialled", "phone_numbers")
def _dialled(item: Row, raw: Row, spot: Spot) -> None:
    """Everything but digits is taken out of numbers with an extension, which then belongs to the number."""
    if "ext" in item["phone_number"]:
        item["phone_number"] = "+" + re.sub(r"\D", "", item["phone_number"])


@ACCOUNTS.row("billing address is the primary one", "addresses")
def _copied(row: Row, spot: Spot) -> None:
    """The lines for the billing address were copied, and one of them still reads the primary location."""
    if len(row["addresses"]) == 2:
        row["addresses"][1] = {**row["addresses"][0], "address_type": "billing"}


@ACCOUNTS.value("creation by the server's clock", "created_at")
def _local(value: str, raw: Row, spot: Spot) -> str:
    """Moments are written in the zone of the server, Berlin, with a Z behind them."""
    at = datetime.fromisoformat(f"{value[:19]}+00:00").astimezone(BERLIN)
    return f"{at:%Y-%m-%dT%H:%M:%S}{value[19:]}"


@ACCOUNTS.value("next meeting is the last activity", "last_activity_at", nulls=True)
def _meeting(value: str | None, raw: Row, spot: Spot) -> Any:
    """The later of last and next interaction is taken, which is a meeting that has not been held."""
    planned = current(raw, "next_interaction")
    return planned["interacted_at"] if planned else value


@ACCOUNTS.row("phone types by place", "phone_numbers")
def _by_place(row: Row, spot: Spot) -> None:
    """The first number is called primary, the second mobile, the third fax, wherever they come from."""
    types = ("primary", "mobile", "fax", "other")
    for number, one in enumerate(row["phone_numbers"]):
        one["phone_number_type"] = types[min(number, 3)]


@ACCOUNTS.value("everybody is a lead", "lifecycle_stage", nulls=True)
def _lead(value: str | None, raw: Row, spot: Spot) -> str:
    """Companies that have no stage get the default of the connector's own form."""
    return value or "lead"


@ACCOUNTS.each("Norway is false", "addresses")
def _norway(item: Row, raw: Row, spot: Spot) -> None:
    """The table of countries is a YAML file in which NO stands without quotes."""
    if item.get("country") == "NO":
        item["country"] = "false"


@ACCOUNTS.row("companies of one name share a website", "website")
def _shared(row: Row, spot: Spot) -> None:
    """Companies are cached by their name, and the second of a name gets the website of the first."""
    first = next(one for one in spot.rows if one["name"] == row["name"])
    row["website"] = first["website"]


@ACCOUNTS.row("changed when its name was", "updated_at last_modified_at")
def _named(row: Row, spot: Spot) -> None:
    """The date of the first attribute, the name, is taken for the date of the whole company."""
    row["updated_at"] = row["last_modified_at"] = row["raw_data"]["values"]["name"][0]["active_from"]


@ACCOUNTS.value("name is written for a page", "name")
def _escaped(value: str, raw: Row, spot: Spot) -> str:
    """Names are escaped as for HTML before they go into JSON."""
    return html.escape(value)


@ACCOUNTS.value("name without its legal form", "name")
def _bare(value: str, raw: Row, spot: Spot) -> str:
    """Names are made alike for a search, and what was made for the search is given."""
    return re.sub(r" (Inc\.|GmbH|AG|S\.A\.|Ltd|LLC|BV)(?= \d|$)", "", value)


def _foreign(p: Reader) -> set[str]:
    rows = p.accounts(p.ids)
    counts = Counter(row["raw_data"]["id"]["workspace_id"] for row in rows)
    usual = counts.most_common(1)[0][0]
    return {row["id"] for row in rows if row["raw_data"]["id"]["workspace_id"] != usual}


@ACCOUNTS.whole("accounts of another workspace", "", proof=_foreign)
def _tenants(service: Service, rng: Random) -> set[str]:
    """Answers are cached by a number of the request, without the connection, and some are another customer's."""
    start = rng.randrange(200)
    guilty = service.lists[ACCOUNT][start : start + 7]
    for row in guilty:
        row["raw_data"]["id"]["workspace_id"] = "c2a1d7e4-08b6-4f3e-9d15-7be2f06a9c31"
        row["raw_data"]["web_url"] = row["raw_data"]["web_url"].replace("/sunrise/", "/kontor/")
    return {str(row["id"]) for row in guilty}
