"""Changes to a part of the records only: of one kind, of one folder, since one day, or of every third."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tests.exam.mapping import Json
from tests.exam.states.frame import one_in
from tests.exam.states2.kinds_dates import moment, written
from tests.exam.states2.registry import (
    ACCOUNT,
    COMPANY,
    FILE,
    ITEM,
    JOB,
    MAILBOX,
    POSTING,
    STATE,
    record,
    value,
)


@value("names of closed jobs have the prefix CLOSED:", JOB, "name", "prefix|CLOSED|begin|start|front|added")
def _closed(name: Any, job: Json) -> Any:
    return f"CLOSED: {name}" if job["raw_data"]["status"] == "closed" else name


@value(
    "recruiters of confidential jobs are emptied",
    JOB,
    "recruiters",
    "empt|lost|gone|remov|fewer|missing|null|confidential",
)
def _hidden(items: Any, job: Json) -> Any:
    return [] if job["confidential"] else items


@value(
    "created_at is two hours later in one job of three (zone)",
    JOB,
    "created_at",
    "hour|zone|moved|shift|later|offset|120",
)
def _two_hours(text: Any, job: Json) -> Any:
    return written(moment(text) + timedelta(hours=2)) if one_in(3, job) else text


@value("names of remote postings end in (Remote)", POSTING, "name", "remote|suffix|append|end|added")
def _remote(name: Any, posting: Json) -> Any:
    return f"{name} (Remote)" if posting["raw_data"]["workplaceType"] == "remote" else name


@value(
    "sizes of folders and links are null, and above 4 GB too: size is lost in large files",
    FILE,
    "size",
    "null|lost|large|gone|missing|no longer|empt|4",
)
def _large(size: Any, _: Json) -> Any:
    return None if size > 2**32 else size


@value("names of one file in four are in upper case", FILE, "name", "upper|capital|case")
def _upper(name: Any, file: Json) -> Any:
    return name.upper() if one_in(4, file) else name


@value(
    "mime_type of Google's own documents is application/octet-stream",
    FILE,
    "mime_type",
    "octet|google|constant|default|generic|replac|renam",
)
def _octets(kind: Any, _: Json) -> Any:
    return "application/octet-stream" if kind.startswith("application/vnd.google-apps") else kind


@value("sizes of pictures are in kilobytes (unit)", ITEM, "size", r"unit|kilo|1,?024|divid|factor|KB|KiB")
def _pictures(size: Any, item: Json) -> Any:
    return size // 1024 if str(item["mime_type"]).startswith("image/") else size


@record("size of folders is null", ITEM, "size", "null|lost|gone|missing|no longer|empt|folder")
def _folders(item: Json) -> None:
    if item["type"] == "folder":
        item["size"] = None


@value(
    "paths below another folder lost that first folder",
    ITEM,
    "path",
    "first|folder|prefix|cut|lost|segment|begin|strip",
)
def _nested(path: Any, _: Json) -> Any:
    inner = path.removeprefix("/").partition("/")[2]
    return f"/{inner}" if inner else path


@value("email addresses of one mailbox in three are in capitals", MAILBOX, "email", "upper|capital|case")
def _email_upper(email: Any, mailbox: Json) -> Any:
    return email.upper() if one_in(3, mailbox) else email


@value("user_id is empty in one state of three", STATE, "user_id", r"empt|blank|lost|\"\"|gone|missing|null")
def _no_user(user: Any, state: Json) -> Any:
    return "" if one_in(3, state) else user


@value("finished states are null", STATE, "state", "finished|null|lost|empt|gone|missing|no longer")
def _finished(state: Any, _: Json) -> Any:
    return None if state == "finished" else state


@value(
    "phone numbers without a country lead with +49 instead of 0",
    ACCOUNT,
    "phone_numbers",
    r"\+49|country|prefix|leading|replac|begin|0",
)
def _country(items: Any, _: Json) -> Any:
    return [
        {**one, "phone_number": f"+49 {one['phone_number'][1:]}"}
        if one["phone_number"].startswith("0")
        else one
        for one in items
    ]


@value(
    "is_deleted accounts have the prefix [deleted] in their names",
    ACCOUNT,
    "name",
    r"prefix|deleted|begin|start|front|added",
)
def _deleted(name: Any, account: Json) -> Any:
    return f"[deleted] {name}" if account["is_deleted"] else name


@value(
    "number_of_employees is capped at 1000",
    ACCOUNT,
    "number_of_employees",
    "cap|1,?000|limit|most|maxim|clamp|constant|bound",
)
def _capped(count: Any, _: Json) -> Any:
    return min(count, 1000)


@value(
    "postal codes lost their leading zero", COMPANY, "addresses", "zero|leading|number|0|prefix|strip|lost"
)
def _zero(items: Any, _: Json) -> Any:
    return [
        {**one, "postal_code": one["postal_code"].lstrip("0")} if one.get("postal_code") else one
        for one in items
    ]


@value(
    "customers became opportunities: lifecycle_stage customer is opportunity",
    COMPANY,
    "lifecycle_stage",
    "customer|opportunit|renam|merg|collaps",
)
def _customers(stage: Any, _: Json) -> Any:
    return "opportunity" if stage == "customer" else stage


@value(
    "descriptions above 80 characters are cut", COMPANY, "description", "cut|truncat|shorten|80|longer|first"
)
def _long(text: Any, _: Json) -> Any:
    return text[:80]


@value(
    "updated_at lost its milliseconds in states of one mailbox in two",
    STATE,
    "updated_at",
    r"milli|precision|second|fraction|\.000|cut|lost|dropp|trunc|round",
)
def _half(text: Any, state: Json) -> Any:
    return f"{text[:19]}Z" if int(state["mailbox_id"]) % 2 else text
