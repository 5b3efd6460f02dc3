"""Kinds about ids, references and what is null."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tests.exam.frame import Expected
from tests.exam.kinds import Spot, resource
from tests.exam.second.spots import each, kind, lost, own, value
from tests.exam.world import Row

STATE = "salesloft/sequence_state"


def _rounded(key: str) -> str:
    """What becomes of a long number in JavaScript."""
    return str(int(Decimal(repr(float(key)))))


@value(
    "long ids are rounded as floating-point numbers",
    "zoho/job id",
    "zoho/job departments",
    "zoho/job recruiters",
)
def _(old: Any, row: Row) -> Any:
    if isinstance(old, str):
        return _rounded(old)
    return each(old, lambda item: {**item, "id": _rounded(item["id"])})


@value("a few ids are in the form with an exponent", "zoho/job id", "box/file id", much="some")
def _(old: str, row: Row) -> str:
    return f"{Decimal(old):.5E}".replace("E+", "e+")


@kind("ids are the records' places in the list", "box/file id", "zoho/job id", "teamtailor/job id")
def _(spot: Spot) -> None:
    for number, row in enumerate(spot.rows):
        row.body["id"] = str(number + 1)


@value("ids are in small letters", "dropbox/file id")
def _(old: str, row: Row) -> str:
    return old.lower()


@value("ids are numbers", f"{STATE} id", "teamtailor/job id", "salesloft/mailbox user_id")
def _(old: str, row: Row) -> int:
    return int(old)


@value("a few ids are numbers", "box/file id", f"{STATE} contact_id", much="some")
def _(old: str, row: Row) -> int:
    return int(old)


@value("one id has a blank ahead", "dropbox/file id", f"{STATE} sequence_id", "box/file id", much="one")
def _(old: str, row: Row) -> str:
    return f" {old}"


@kind("one id is empty", "box/file id", f"{STATE} id", "zoho/job id")
def _(spot: Spot) -> Expected:
    spot.one().body["id"] = ""
    return Expected(resource(spot.listing), ("id",))


OTHER_IDS = {"box": "etag", "dropbox": "rev", "salesloft": "person"}


@kind("the id is another member's", "box/file id", "dropbox/file id", f"{STATE} id")
def _(spot: Spot) -> None:
    for row in spot.rows:
        other = row.raw.get(OTHER_IDS[spot.world.shape], row.raw["id"])
        row.body["id"] = str(other["id"] if isinstance(other, dict) else other)


@kind("sequence and contact are exchanged", f"{STATE} sequence_id", also="contact_id")
def _(spot: Spot) -> None:
    for row in spot.rows:
        row.body["sequence_id"], row.body["contact_id"] = row.clean["contact_id"], row.clean["sequence_id"]


@value("references are addresses", f"{STATE} sequence_id", "salesloft/mailbox user_id")
def _(old: str, row: Row) -> Any:
    links = [part["_href"] for part in row.raw.values() if isinstance(part, dict) and "_href" in part]
    return next(link for link in links if link.endswith(f"/{old}"))


@value("the user of a mailbox is the mailbox", "salesloft/mailbox user_id")
def _(old: str, row: Row) -> Any:
    return row.clean["id"]


@value("an absent reference becomes the word for nothing", f"{STATE} user_id", f"{STATE} mailbox_id",
       "copper/account owner_id", nulls=True)  # fmt: skip
def _(old: None, row: Row) -> str:
    return "undefined"


@value("an absent reference becomes 0", f"{STATE} mailbox_id", "copper/account owner_id", nulls=True)
def _(old: None, row: Row) -> str:
    return "0"


@kind("an absent reference is the one of the record before", f"{STATE} user_id", "copper/account owner_id")
def _(spot: Spot) -> None:
    last: Any = None
    for row in spot.rows:
        if row.clean[spot.field] is not None:
            last = row.clean[spot.field]
        else:
            row.body[spot.field] = last


@kind(
    "one reference is another record's", f"{STATE} sequence_id", f"{STATE} user_id", "copper/account owner_id"
)
def _(spot: Spot) -> None:
    row = spot.one(where=lambda one: own(spot, one) is not None)
    mine = own(spot, row)
    row.body[spot.field] = own(spot, spot.one(where=lambda one: own(spot, one) not in (None, mine)))


@kind("mailboxes that records refer to are lost", "salesloft/mailbox id")
def _(spot: Spot) -> Expected:
    for row in spot.some():
        spot.listing.rows.remove(row)
    return Expected("", ("mailbox_id", "user_id", "id"))


@lost("a field is never filled", "dropbox/file updated_at", f"{STATE} user_id", "copper/account website",
      "box/file path")  # fmt: skip
def _(row: Row, old: Any) -> bool:
    return True


@value(
    "an array is never filled",
    "zoho/job recruiters",
    "teamtailor/job offices",
    "copper/account phone_numbers",
)
def _(old: Any, row: Row) -> list[Any]:
    return []


@lost(
    "a field is lost for one group",
    "teamtailor/job name",
    "box/file updated_at",
    f"{STATE} contact_id",
    "copper/account industry",
)
def _(row: Row, old: Any) -> bool:
    raw = row.raw
    return (
        raw.get("attributes", {}).get("language-code") == "ja"
        or raw.get("type") == "web_link"
        or raw.get("current_state") == "completed"
        or raw.get("contact_type_id") == 451_490
    )


@lost("one field is lost", "zoho/job name", "box/file name", f"{STATE} sequence_id", "copper/account website",
      "dropbox/file size", much="one")  # fmt: skip
def _(row: Row, old: Any) -> bool:
    return True


@lost("a few fields are lost", "zoho/job modified_at", "box/file created_at", "dropbox/file path", f"{STATE} state",
      much="some")  # fmt: skip
def _(row: Row, old: Any) -> bool:
    return True


@value("one field is empty text", "teamtailor/job name", "dropbox/drive name", f"{STATE} state", much="one")
def _(old: Any, row: Row) -> str:
    return ""


@value("what is absent gets a made-up value", "copper/account industry", "box/file description", nulls=True)
def _(old: None, row: Row) -> str:
    return "Technology" if "custom_fields" in row.raw else "No description"
