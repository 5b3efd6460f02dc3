"""Kinds of defects in texts: charsets, escapes, cuts, cases, joins."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from typing import Any
from urllib.parse import quote, unquote_plus

from tests.exam.kinds import Spot, kind, value
from tests.exam.world import Row

JOBS = ("greenhouse/job name", "lever/job name")
FILES = ("google/file name", "sharepoint/file name")
NAMES = (*JOBS, *FILES, "salesforce/account name")
LONG = ("google/file description", "sharepoint/file description", "salesforce/account description")
PHONES = "salesforce/account phone_numbers"


@value("UTF-8 read as Latin-1", *NAMES, *LONG)
def _(text: Any, row: Row) -> Any:
    return text.encode().decode("latin-1")


@value("UTF-8 read as Latin-1 in one record", *NAMES, *LONG, much="one")
def _(text: Any, row: Row) -> Any:
    return text.encode().decode("latin-1")


@value("characters outside ASCII become question marks", *NAMES, *LONG)
def _(text: Any, row: Row) -> Any:
    return text.encode("ascii", "replace").decode()


@value("characters outside ASCII are left out", *NAMES)
def _(text: Any, row: Row) -> Any:
    return text.encode("ascii", "ignore").decode()


@value("accents are taken off the letters", *NAMES, *LONG)
def _(text: Any, row: Row) -> Any:
    return "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))


@value("a character outside ASCII is the replacement character in one record", *NAMES, much="one")
def _(text: Any, row: Row) -> Any:
    return re.sub(r"[^\x00-\x7f]", "�", text, count=1)


@value("escapes of \\u stand as they are", *NAMES)
def _(text: Any, row: Row) -> Any:
    return json.dumps(text)[1:-1]


@value("text stands in a second pair of quotes", *NAMES, PHONES.replace("phone_numbers", "website"))
def _(text: Any, row: Row) -> Any:
    return json.dumps(text, ensure_ascii=False)


@value("ampersands and angle brackets are HTML entities", *NAMES, *LONG)
def _(text: Any, row: Row) -> Any:
    return html.escape(text)


@value("what stands in angle brackets is cut out as if it were a tag", *JOBS, *LONG)
def _(text: Any, row: Row) -> Any:
    return re.sub(r"<[^>]*>", "", text)


@value("name is percent-encoded", *FILES, "sharepoint/file path")
def _(text: Any, row: Row) -> Any:
    return quote(text)


@value("a plus sign is decoded to a space", *JOBS)
def _(text: Any, row: Row) -> Any:
    return unquote_plus(text)


@value("name is cut after 20 characters", *NAMES)
def _(text: Any, row: Row) -> Any:
    return text[:20]


@value("name is cut in one record", *NAMES, much="one")
def _(text: Any, row: Row) -> Any:
    return text[: max(1, len(text) * 2 // 3)]


@value("description is cut after 60 characters with three dots", *LONG)
def _(text: Any, row: Row) -> Any:
    return text if len(text) <= 60 else text[:60] + "..."


@value("description ends at its first line break", *LONG)
def _(text: Any, row: Row) -> Any:
    return text.partition("\n")[0]


@value("line breaks are left out, so that sentences run together", *LONG)
def _(text: Any, row: Row) -> Any:
    return text.replace("\n", "")


@value("name ends at its first comma", *JOBS)
def _(text: Any, row: Row) -> Any:
    return text.partition(",")[0]


@value("text ends at its first quotation mark or apostrophe", *NAMES, *LONG)
def _(text: Any, row: Row) -> Any:
    return re.split(r"[\"']", text)[0]


@value("name is in lower case", *NAMES)
def _(text: Any, row: Row) -> Any:
    return text.lower()


@value("name has capitals at the start of each word only", *NAMES)
def _(text: Any, row: Row) -> Any:
    return text.title()


@value("the first character is lost", *NAMES, "outreach/mailbox email")
def _(text: Any, row: Row) -> Any:
    return text[1:]


@value("the last character is lost in some records", *NAMES, "outreach/mailbox email", much="some")
def _(text: Any, row: Row) -> Any:
    return text[:-1]


@value("the id is glued to the name", *NAMES)
def _(text: Any, row: Row) -> Any:
    return f"{text} {row.clean['id']}"


@value("text written from right to left stands in reverse", *NAMES)
def _(text: Any, row: Row) -> Any:
    return text[::-1] if any(unicodedata.bidirectional(one) in ("R", "AL") for one in text) else text


@value("the ending of the file's name is lost", *FILES)
def _(text: Any, row: Row) -> Any:
    return re.sub(r"\.[a-z]{3,4}$", "", text)


@value("the scheme of the website stands twice", "salesforce/account website")
def _(text: Any, row: Row) -> Any:
    return "https://" + text


@value("website ends at its host", "salesforce/account website")
def _(text: Any, row: Row) -> Any:
    return "/".join(text.split("/")[:3])


@value("website loses what follows an ampersand", "salesforce/account website")
def _(text: Any, row: Row) -> Any:
    return text.partition("&")[0]


@value("e-mail has the name of its host only", "outreach/mailbox email")
def _(text: Any, row: Row) -> Any:
    return text.partition("@")[2]


@value("e-mail loses its host", "outreach/mailbox email")
def _(text: Any, row: Row) -> Any:
    return text.partition("@")[0]


@value("the at sign of an e-mail is encoded in some records", "outreach/mailbox email", much="some")
def _(text: Any, row: Row) -> Any:
    return text.replace("@", "%40")


@value("digits of an e-mail are lost", "outreach/mailbox email")
def _(text: Any, row: Row) -> Any:
    return re.sub(r"\d", "", text)


@value("phone loses its leading plus", PHONES)
def _(items: Any, row: Row) -> Any:
    return [{**one, "phone_number": one["phone_number"].removeprefix("+")} for one in items]


@value("phone is cut at its first hyphen", PHONES)
def _(items: Any, row: Row) -> Any:
    return [{**one, "phone_number": one["phone_number"].partition("-")[0]} for one in items]


@value("the leading zero of a phone is lost", PHONES)
def _(items: Any, row: Row) -> Any:
    return [{**one, "phone_number": one["phone_number"].removeprefix("0")} for one in items]


@kind("two digits of a phone change places in one record", PHONES)
def _(spot: Spot) -> None:
    row = spot.one(where=lambda one: bool(one.clean["phone_numbers"]))
    phone = row.body["phone_numbers"][0]
    text = phone["phone_number"]
    at = spot.rng.choice(
        [n for n in range(len(text) - 1) if (text[n : n + 2]).isdigit() and text[n] != text[n + 1]]
    )
    phone["phone_number"] = text[:at] + text[at + 1] + text[at] + text[at + 2 :]


@kind("the name of the record before is glued on in one record", *NAMES)
def _(spot: Spot) -> None:
    row, before = spot.rng.choice(list(spot.before()))
    row.body["name"] = f"{before.clean['name']}{row.clean['name']}"


@value("path is that of the folder, without the name", "sharepoint/file path")
def _(text: Any, row: Row) -> Any:
    return text.rpartition("/")[0] or "/"


@value("the name is joined to its folder without a slash", "sharepoint/file path")
def _(text: Any, row: Row) -> Any:
    folder, _, name = text.rpartition("/")
    return folder + name


@value("the name stands twice in the path", "sharepoint/file path")
def _(text: Any, row: Row) -> Any:
    return f"{text}/{row.clean['name']}"
