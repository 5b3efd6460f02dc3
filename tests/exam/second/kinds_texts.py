"""Kinds about texts, their encoding, and paths."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from typing import Any
from urllib.parse import quote

from tests.exam.kinds import Spot
from tests.exam.second.spots import kind, own, value
from tests.exam.world import Row

ZOHO, TEAM, BOX, DROP = "zoho/job name", "teamtailor/job name", "box/file name", "dropbox/file name"
COPPER = "copper/account name"
ABOUT = ("box/file description", "copper/account description")
PATHS = ("box/file path", "dropbox/file path")


@value("signs are escaped for HTML", ZOHO, BOX, *ABOUT)
def _(old: str, row: Row) -> str:
    return html.escape(old)


@value("UTF-8 is read as Windows-1252", TEAM, DROP, COPPER)
def _(old: str, row: Row) -> str:
    return "".join(
        chr(byte) if byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else bytes([byte]).decode("cp1252")
        for byte in old.encode()
    )


@value("letters outside ASCII become question marks", ZOHO, BOX, "dropbox/drive name")
def _(old: str, row: Row) -> str:
    return old.encode("ascii", "replace").decode()


@value("accents are dropped", TEAM, COPPER, BOX)
def _(old: str, row: Row) -> str:
    return unicodedata.normalize("NFC", re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFD", old)))


@value("long texts are cut at forty characters", ZOHO, TEAM, *ABOUT)
def _(old: str, row: Row) -> str:
    return old[:40]


@value("texts are cut within a character of several bytes", TEAM, ZOHO, COPPER)
def _(old: str, row: Row) -> str:
    cut = old.encode()[:23].decode("utf-8", "replace")
    return cut if cut.endswith("\ufffd") else old


@value("a few texts end in an unreadable character", ZOHO, COPPER, "box/file description", much="some")
def _(old: str, row: Row) -> str:
    return f"{old[: len(old) * 2 // 3]}\ufffd" if len(old) > 8 else old


@value("texts are in small letters", "dropbox/file path", ZOHO, COPPER)
def _(old: str, row: Row) -> str:
    return old.lower()


@value("line breaks are lost", *ABOUT)
def _(old: str, row: Row) -> str:
    return old.replace("\n", "")


@value("texts are escaped as in JSON", BOX, TEAM, "dropbox/drive name")
def _(old: str, row: Row) -> str:
    return json.dumps(old)[1:-1]


@value("texts are written as in an address", "dropbox/file path", BOX, ZOHO)
def _(old: str, row: Row) -> str:
    return quote(old)


@value("what stands in angle brackets is lost", ZOHO, DROP, TEAM)
def _(old: str, row: Row) -> str:
    return re.sub(r"<[^>]*>", "", old)


@value("quotation marks are doubled", TEAM, BOX, ZOHO)
def _(old: str, row: Row) -> str:
    return old.replace('"', '""')


@value("an absent text becomes the word for nothing", *ABOUT, "copper/account industry", nulls=True)
def _(old: None, row: Row) -> str:
    return "undefined" if "assignee_id" in row.raw else "None"


@value("one text is a placeholder", ZOHO, BOX, "salesloft/mailbox email", much="one")
def _(old: str, row: Row) -> str:
    return "{{ record.name }}"


@kind("one text has the neighbour's behind it", TEAM, DROP, COPPER)
def _(spot: Spot) -> None:
    row = spot.one()
    row.body[spot.field] += spot.other(row).clean[spot.field]


@value("one text begins with a byte order mark", ZOHO, DROP, COPPER, much="one")
def _(old: str, row: Row) -> str:
    return f"\ufeff{old}"


@value("a few texts are in the wrong script's letters", TEAM, ZOHO, much="some")
def _(old: str, row: Row) -> str:
    if old.isascii():
        return old
    return old.encode().decode("latin-1")


@value("names have lost their ending", BOX, DROP, also="path")
def _(old: str, row: Row) -> str:
    return re.sub(r"\.[a-z0-9]{3,5}$", "", old)


OTHERS = {"zoho": "Job_Opening_ID", "copper": "email_domain", "salesloft": "bcc_email_address"}


@kind("a text is taken from another member", ZOHO, COPPER, "salesloft/mailbox email")
def _(spot: Spot) -> None:
    for row in spot.rows:
        row.body[spot.field] = row.raw[OTHERS[spot.world.shape]]


@value("the address of a mailbox has the name before it", "salesloft/mailbox email")
def _(old: str, row: Row) -> Any:
    return row.raw["full_email_address"]


@value(
    "one address has lost its domain's end", "salesloft/mailbox email", "copper/account website", much="one"
)
def _(old: str, row: Row) -> str:
    return old.replace(".example", "").rstrip("/")


@value("the media type is the ending of the name", "box/file mime_type", "dropbox/file mime_type")
def _(old: str, row: Row) -> str:
    return str(row.raw["name"]).rpartition(".")[2]


@value("pictures have the media type of another format", "box/file mime_type", "dropbox/file mime_type")
def _(old: str, row: Row) -> str:
    return "text/csv" if old == "image/png" else old


@value("paths end at the folder above", *PATHS)
def _(old: str, row: Row) -> str:
    return old.rpartition("/")[0] or "/"


@value("paths from four parts on have lost the middle", *PATHS)
def _(old: str, row: Row) -> str:
    parts = old.split("/")
    return "/".join([*parts[:2], *parts[-2:]]) if len(parts) > 4 else old


@kind("one path is another record's", *PATHS)
def _(spot: Spot) -> None:
    row = spot.one()
    row.body[spot.field] = spot.other(row).clean[spot.field]


@kind("names are those of the record before from the middle of the list on", TEAM, DROP, COPPER)
def _(spot: Spot) -> None:
    for number, (row, before) in enumerate(spot.before()):
        if number > len(spot.rows) // 2:
            row.body[spot.field] = before.clean[spot.field]


@kind("a few names are those of the record before", ZOHO, BOX, "dropbox/drive name")
def _(spot: Spot) -> None:
    pairs = [(row, before) for row, before in spot.before() if own(spot, row) != own(spot, before)]
    for row, before in spot.rng.sample(pairs, 4):
        row.body[spot.field] = before.clean[spot.field]
