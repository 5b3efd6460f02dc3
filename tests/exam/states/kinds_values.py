"""Kinds of change in phones, mail addresses and ids."""

from __future__ import annotations

import base64
import re
from typing import Any

from tests.exam.mapping import Json
from tests.exam.states.frame import one_in, value
from tests.exam.states.kinds_dates import SOURCE

HUBSPOT, SALESFORCE = "hubspot/account", "salesforce/account"
PHONE = "phone_numbers.phone_number"
NUMBER = "number|numeric|integer|digits instead"
TEXT = "text|string|quot|word"
PREFIX = "prefix|in front|begin|start|leading|prepend"
FORMAT = (
    "format|punctuation|separator|space|bracket|parenthes|hyphen|dash|digits only|only digits|bare digits"
)
RENAMED = "renam|now called|became|instead of|replaced|spell|mapped|recod|now written|turned into|in place of"
CASE = "case|capital"


@value("phone numbers lost their leading +", HUBSPOT, PHONE, r"\+|plus")
def _(old: Any, account: Json) -> Any:
    return old.removeprefix("+")


@value(
    "phone numbers are digits only, spaces and brackets stripped", SALESFORCE, PHONE, FORMAT + "|strip|E.164"
)
def _(old: Any, account: Json) -> Any:
    return re.sub(r"[^+\d]", "", old)


@value(
    "German phone numbers without a country code gain the prefix +49",
    SALESFORCE,
    PHONE,
    rf"country code|\+49|{PREFIX}|international|E\.164|national",
)
def _(old: Any, account: Json) -> Any:
    return "+49 30" + old.removeprefix("030") if old.startswith("030") else old


@value("phone numbers start with 00 instead of the plus", HUBSPOT, PHONE, r"\b00|plus|\+")
def _(old: Any, account: Json) -> Any:
    return old.replace("+", "00")


@value(
    "phone numbers are numbers instead of texts",
    HUBSPOT,
    PHONE,
    rf"as numbers?|are numbers|{NUMBER}|\btype\b",
)
def _(old: Any, account: Json) -> Any:
    return int(old)


@value(
    "the third party writes phones with hyphens between groups (format)",
    HUBSPOT,
    PHONE,
    FORMAT + "|group",
    raw="properties.phone",
)
def _(old: Any, account: Json) -> Any:
    return f"{old[:3]}-{old[3:6]}-{old[6:]}"


@value(
    "the last four digits of the phone numbers are masked with X",
    SALESFORCE,
    PHONE,
    r"mask|\bX|redact|hidden|last four|last 4|anonym",
)
def _(old: Any, account: Json) -> Any:
    return old[:-4] + "XXXX"


@value(
    "the type of phone numbers is renamed from primary to work",
    SALESFORCE,
    "phone_numbers.phone_number_type",
    rf"{RENAMED}|work|primary",
)
def _(old: Any, account: Json) -> Any:
    return "work" if old == "primary" else old


def _mixed_case(raw: Json) -> None:
    raw["attributes"]["email"] = raw["attributes"]["email"].title().replace(".Example", ".example")


def _tagged(raw: Json) -> None:
    if one_in(2, raw):
        raw["attributes"]["email"] = raw["attributes"]["email"].replace("@", "+outbound@")


@value("email addresses are in lower case", "outreach/mailbox", "email", CASE, prepare=_mixed_case)
def _(old: Any, mailbox: Json) -> Any:
    return old.lower()


@value(
    "email addresses lost the +tag before the @",
    "outreach/mailbox",
    "email",
    r"\btag|plus|\+|alias|sub-?address|before the @",
    prepare=_tagged,
)
def _(old: Any, mailbox: Json) -> Any:
    return re.sub(r"\+[^@]*@", "@", old)


@value("email addresses have the prefix mailto:", "outreach/mailbox", "email", f"mailto|{PREFIX}")
def _(old: Any, mailbox: Json) -> Any:
    return f"mailto:{old}"


@value(
    "a display name stands before the email address, which is in angle brackets",
    "outreach/mailbox",
    "email",
    "display name|angle|bracket|in front|before|wrapped|<",
)
def _(old: Any, mailbox: Json) -> Any:
    return f"{old.partition('.')[0].capitalize()} <{old}>"


@value(
    "the domain of the email addresses is another: .example became .invalid",
    "outreach/mailbox",
    "email",
    "domain|invalid|end|suffix|host|after the @|replaced",
)
def _(old: Any, mailbox: Json) -> Any:
    return old.removesuffix(".example").removesuffix(".com") + ".invalid"


@value("ids of jobs have the prefix gh_", "greenhouse/job", "id", f"gh_|{PREFIX}")
def _(old: Any, job: Json) -> Any:
    return f"gh_{old}"


@value(
    "ids are numbers instead of texts", "outreach/state", "id", rf"as numbers?|are numbers|{NUMBER}|\btype\b"
)
def _(old: Any, state: Json) -> Any:
    return int(old)


@value(
    "ids of files are now taken from the eTag",
    "sharepoint/file",
    "id",
    f"eTag|{SOURCE}|another id|other id|new ids?|GUID|renam",
)
def _(old: Any, file: Json) -> Any:
    return re.sub(r"[^0-9A-F-]", "", file["raw_data"]["eTag"].partition(",")[0])


@value(
    "ids of jobs are written without hyphens",
    "lever/job",
    "id",
    "hyphen|dash|GUID|UUID|format|punctuation|separator",
)
def _(old: Any, job: Json) -> Any:
    return old.replace("-", "")


@value(
    "owner ids have 15 characters instead of 18 (Salesforce suffix cut)",
    SALESFORCE,
    "owner_id",
    "15|18|suffix|last three|last 3|short|cut|trunc|AAM|end",
)
def _(old: Any, account: Json) -> Any:
    return old[:15]


@value("sequence_id is a number instead of a text", "outreach/state", "sequence_id", rf"{NUMBER}|\btype\b")
def _(old: Any, state: Json) -> Any:
    return int(old)


@value("contact_id has the prefix prospect:", "outreach/state", "contact_id", f"prospect|{PREFIX}")
def _(old: Any, state: Json) -> Any:
    return f"prospect:{old}"


@value("user_id is base64 of a global id", "outreach/mailbox", "user_id", "base.?64|encod|global id|opaque")
def _(old: Any, mailbox: Json) -> Any:
    return base64.b64encode(f"User:{old}".encode()).decode()


@value("ids of recruiters are in capital letters (upper case)", "lever/job", "recruiters.id", f"{CASE}|upper")
def _(old: Any, job: Json) -> Any:
    return old.upper()


@value(
    "ids of offices are decimals: .0 is added (float)",
    "greenhouse/job",
    "offices.id",
    r"\.0|float|decimal|fraction|point|suffix",
)
def _(old: Any, job: Json) -> Any:
    return f"{old}.0"


@value("employee ids lost their leading zeros", "greenhouse/job", "hiring_managers.employee_id", "zero")
def _(old: Any, job: Json) -> Any:
    return old.lstrip("0")


@value(
    "mailbox_id is an address instead of the bare id (URL)",
    "outreach/state",
    "mailbox_id",
    "URL|address|link|https?|path|prefix",
)
def _(old: Any, state: Json) -> Any:
    return f"https://api.outreach.example/api/v2/mailboxes/{old}"
