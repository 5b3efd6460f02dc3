"""Kinds of change in sizes and counts, enumerations and booleans."""

from __future__ import annotations

from typing import Any

from tests.exam.mapping import STAGES, Json
from tests.exam.states.frame import record, value
from tests.exam.states.kinds_dates import SOURCE
from tests.exam.states.kinds_values import CASE, HUBSPOT, NUMBER, RENAMED, SALESFORCE, TEXT

SIZE = (
    "unit|kilo|kB|KiB|1,?024|1,?000|divided|smaller|thousand|factor|times|mega|MB|MiB|1,?048,?576|1,?000,?000"
)


@value("sizes are in kilobytes instead of bytes (unit)", "google/file", "size", SIZE)
def _(old: Any, file: Json) -> Any:
    return round(old / 1024)


@value("sizes are in megabytes with two decimals (unit)", "sharepoint/file", "size", SIZE + "|million")
def _(old: Any, file: Json) -> Any:
    return round(old / 1_000_000, 2)


@value("size is a text instead of a number", "google/file", "size", rf"{TEXT}|\btype\b")
def _(old: Any, file: Json) -> Any:
    return str(old)


@value(
    "size is a text with a unit, as 3.1 MB (human readable)",
    "sharepoint/file",
    "size",
    f"{TEXT}|unit|human|readable|MB|suffix",
)
def _(old: Any, file: Json) -> Any:
    return f"{old / 1_000_000:.1f} MB"


@value(
    "sizes above 4 GB overflow 32 bits (wrapped modulo 4294967296)",
    "google/file",
    "size",
    r"32.?bit|overflow|wrap|4 ?G|2\^32|2\*\*32|4,?294,?967,?296|modul|truncat|2³²",
)
def _(old: Any, file: Json) -> Any:
    return old % 2**32


@value(
    "sizes are capped at 2147483647 (the limit of 32 bits)",
    "sharepoint/file",
    "size",
    "cap|limit|maxim|2,?147,?483,?647|clamp|constant|32.?bit|most",
)
def _(old: Any, file: Json) -> Any:
    return min(old, 2**31 - 1)


@record("size is 0 where it was null", "google/file", "size", r"zero|\b0\b|null|default|empty")
def _(file: Json) -> None:
    if file["size"] is None:
        file["size"] = 0


@record("size is now filled from quotaBytesUsed", "google/file", "size", f"quotaBytesUsed|{SOURCE}")
def _(file: Json) -> None:
    if file["size"] is not None:
        file["size"] = int(file["raw_data"]["quotaBytesUsed"])


@value(
    "numbers of employees are rounded to tens",
    HUBSPOT,
    "number_of_employees",
    r"round|\btens?\b|10|precision",
)
def _(old: Any, account: Json) -> Any:
    return round(old, -1)


@value(
    "numbers of employees are ranges, as 51-200",
    HUBSPOT,
    "number_of_employees",
    f"range|bucket|band|interval|group|class|{TEXT}",
)
def _(old: Any, account: Json) -> Any:
    edges = (1, 11, 51, 201, 501, 1001, 5001)
    low = max(edge for edge in edges if edge <= max(old, 1))
    return "5001+" if low == 5001 else f"{low}-{edges[edges.index(low) + 1] - 1}"


@record(
    "number_of_employees is now a thousandth of annualrevenue (filled from another field)",
    HUBSPOT,
    "number_of_employees",
    f"annualrevenue|{SOURCE}|thousand|1,?000|no longer",
)
def _(account: Json) -> None:
    revenue = account["raw_data"]["properties"]["annualrevenue"]
    if revenue is not None:
        account["number_of_employees"] = int(revenue) // 1000


@value(
    "the state opted_out is renamed to optedOut (camel case)",
    "outreach/state",
    "state",
    rf"{RENAMED}|camel|case|opted_?out|underscore",
)
def _(old: Any, state: Json) -> Any:
    return {"opted_out": "optedOut"}.get(old, old)


@value("states are in upper case", "outreach/state", "state", f"{CASE}|upper")
def _(old: Any, state: Json) -> Any:
    return old.upper()


@value(
    "the states bounced and failed are merged: both are now failed",
    "outreach/state",
    "state",
    rf"bounced|merg|collaps|{RENAMED}",
)
def _(old: Any, state: Json) -> Any:
    return "failed" if old == "bounced" else old


@value(
    "states are numbers (codes) instead of words",
    "outreach/state",
    "state",
    rf"code|{NUMBER}|\btype\b|ordinal|index|{RENAMED}",
)
def _(old: Any, state: Json) -> Any:
    return sum(map(ord, old)) % 97


@value(
    "the third party renames the state paused to on_hold",
    "outreach/state",
    "state",
    rf"on_hold|paused|{RENAMED}",
    raw="attributes.state",
)
def _(old: Any, state: Json) -> Any:
    return "on_hold" if old == "paused" else old


LABELS = {value: label for label, value in STAGES.items()}


@value(
    "lifecycle stages are renamed to the labels of the third party (MQL instead of marketingqualifiedlead)",
    SALESFORCE,
    "lifecycle_stage",
    rf"{RENAMED}|label|capital|MQL|raw|Lifecycle_Stage__c|case",
)
def _(old: Any, account: Json) -> Any:
    return LABELS[old]


@value(
    "all lifecycle stages but customer are now other (default)",
    HUBSPOT,
    "lifecycle_stage",
    rf"\bother\b|default|merg|collaps|constant|{RENAMED}",
)
def _(old: Any, account: Json) -> Any:
    return old if old == "customer" else "other"


@value(
    "industries are written as words instead of codes: case changed, underscores became spaces",
    HUBSPOT,
    "industry",
    f"{CASE}|underscore|label|code|word|{RENAMED}|space",
)
def _(old: Any, account: Json) -> Any:
    return old.replace("_", " ").capitalize()


@value(
    "mime_type is the file's extension (pdf instead of application/pdf)",
    "sharepoint/file",
    "mime_type",
    f"extension|ending|short|{RENAMED}|pdf|subtype|no longer a MIME",
)
def _(old: Any, file: Json) -> Any:
    return file["name"].rpartition(".")[2]


@value(
    "folders have the type file: type is constant",
    "sharepoint/file",
    "type",
    rf"folder|constant|always|{RENAMED}",
)
def _(old: Any, file: Json) -> Any:
    return "file"


@record(
    "confidential is inverted: true became false and false true",
    "greenhouse/job",
    "confidential",
    "invert|negat|opposite|flip|revers|swap|true .*false|false .*true|the other way",
)
def _(job: Json) -> None:
    job["confidential"] = not job["confidential"]


@record(
    "is_deleted is a word, yes or no, instead of a boolean",
    SALESFORCE,
    "is_deleted",
    rf"\byes\b|\bno\b|{TEXT}|boolean|\btype\b",
)
def _(account: Json) -> None:
    account["is_deleted"] = "yes" if account["is_deleted"] else "no"


@record(
    "downloadable is 1 or 0 instead of true or false",
    "google/file",
    "downloadable",
    rf"\b1\b|\b0\b|{NUMBER}|boolean|\btype\b",
)
def _(file: Json) -> None:
    file["downloadable"] = int(file["downloadable"])


@record(
    "is_deleted is always false: deleted accounts are no longer marked",
    SALESFORCE,
    "is_deleted",
    "false|always|constant|deleted|no longer",
)
def _(account: Json) -> None:
    account["is_deleted"] = False


@record(
    "is_deleted is null where it was false",
    HUBSPOT,
    "is_deleted",
    "null|empty|missing|absent|no value|none|lost",
)
def _(account: Json) -> None:
    account["is_deleted"] = account["is_deleted"] or None


@record(
    "the right to download is inverted in permissions",
    "google/file",
    "permissions.download",
    "invert|negat|opposite|flip|revers|swap|true .*false|false .*true|the other way",
)
def _(file: Json) -> None:
    file["permissions"]["download"] = not file["permissions"]["download"]


@record(
    "in permissions the key download is renamed to canDownload",
    "sharepoint/file",
    "permissions.download permissions.canDownload",
    f"canDownload|key|missing|gone|absent|{RENAMED}",
)
def _(file: Json) -> None:
    file["permissions"] = {"canDownload": file["permissions"]["download"]}


@record(
    "exportable is true for every file (constant)",
    "google/file",
    "exportable",
    "true|always|constant|every|all",
)
def _(file: Json) -> None:
    file["exportable"] = True


@record(
    "in archived accounts the phone is null (lost)",
    HUBSPOT,
    "phone_numbers",
    "null|empty|lost|gone|missing|no longer|archiv|deleted|removed|none",
)
def _(account: Json) -> None:
    if account["is_deleted"]:
        account["phone_numbers"] = []
