"""Kinds of change in texts: cut, escaped, decoded, stripped, and names joined, split and swapped."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from typing import Any
from urllib.parse import quote

from tests.exam.mapping import Json
from tests.exam.states.frame import one_in, record, value
from tests.exam.states.kinds_values import CASE, PREFIX, TEXT

JOB, LEVER, GOOGLE, GRAPH, SALES = (
    "greenhouse/job",
    "lever/job",
    "google/file",
    "sharepoint/file",
    "salesforce/account",
)
CUT = "cut|truncat|short|first \\d+ char|only the first|limit|\\.\\.\\.|…|clip|ends? after"
UNICODE = "decod|encod|latin|mojibake|UTF|charset|garbl|misread|character set|cp1252|1252|8859"
END = "extension|ending|suffix|end of"
JOINED = "join|concat|combin|append|merg|add|suffix|followed by|together|plus"


def _spaced(raw: Json) -> None:
    if one_in(2, raw):
        raw["name"] = f"{raw['name']}  "


def _html(raw: Json) -> None:
    if raw["Description"] is not None:
        raw["Description"] = f"<p>{raw['Description']}</p><br/>See <b>notes</b>."


@value(
    "names are trimmed: spaces at the end are gone",
    JOB,
    "name",
    "trim|space|blank|white|strip",
    prepare=_spaced,
)
def _(old: Any, job: Json) -> Any:
    return old.strip()


@value(
    "names of files have a space at the end (white space added)",
    GOOGLE,
    "name",
    "space|blank|white|trail|pad",
)
def _(old: Any, file: Json) -> Any:
    return f"{old} "


@value("descriptions are cut after 60 characters", SALES, "description", CUT)
def _(old: Any, account: Json) -> Any:
    return old[:60]


@value(
    "descriptions are cut after 80 characters and end with three dots",
    GRAPH,
    "description",
    rf"{CUT}|dots|ellips",
)
def _(old: Any, file: Json) -> Any:
    return old if len(old) <= 80 else old[:77] + "..."


@value("names of jobs are cut after 20 characters", LEVER, "name", CUT)
def _(old: Any, job: Json) -> Any:
    return old[:20]


@value(
    "descriptions end at their first line break (cut)",
    GOOGLE,
    "description",
    f"{CUT}|line|newline|break|paragraph",
)
def _(old: Any, file: Json) -> Any:
    return old.partition("\n")[0]


@value("names are HTML-escaped: & became &amp;", SALES, "name", "escap|entit|&amp;|HTML|ampersand")
def _(old: Any, account: Json) -> Any:
    return html.escape(old)


@value(
    "descriptions are HTML-escaped, quotes and angle brackets too",
    GRAPH,
    "description",
    "escap|entit|&amp;|&lt;|HTML|&quot;",
)
def _(old: Any, file: Json) -> Any:
    return html.escape(old)


@value("names are wrongly decoded: UTF-8 read as Latin-1", LEVER, "name", UNICODE)
def _(old: Any, job: Json) -> Any:
    return old.encode().decode("latin-1")


@value(
    "the third party sends names whose UTF-8 was read as Latin-1 (wrongly decoded)",
    SALES,
    "name",
    UNICODE,
    raw="Name",
)
def _(old: Any, account: Json) -> Any:
    return old.encode().decode("latin-1")


@value(
    "characters outside ASCII are question marks",
    GOOGLE,
    "name",
    r"question mark|\?|ASCII|non-latin|accent|replaced|encod|special char",
)
def _(old: Any, file: Json) -> Any:
    return old.encode("ascii", "replace").decode()


@value(
    "accents are stripped from letters",
    SALES,
    "name",
    "accent|diacrit|umlaut|ASCII|strip|plain letters|combining|translit",
)
def _(old: Any, account: Json) -> Any:
    return "".join(one for one in unicodedata.normalize("NFKD", old) if not unicodedata.combining(one))


@value(
    "names are in another Unicode normal form (NFD, decomposed)",
    GRAPH,
    "name",
    "unicode|normal|NF[CDK]|compos|combining",
)
def _(old: Any, file: Json) -> Any:
    return unicodedata.normalize("NFD", old)


@value(
    "tags of HTML are stripped from descriptions",
    SALES,
    "description",
    r"\btags?\b|HTML|markup|strip|plain text|<p>",
    prepare=_html,
)
def _(old: Any, account: Json) -> Any:
    return re.sub(r"</?[a-z]+/?>", "", old)


@value("names stand in quotes (JSON of a text)", LEVER, "name", "quot|JSON|escap|serial")
def _(old: Any, job: Json) -> Any:
    return json.dumps(old, ensure_ascii=False)


@value("characters outside ASCII are escapes as \\u00e9", JOB, "name", r"escap|\\u|unicode|ASCII|encod")
def _(old: Any, job: Json) -> Any:
    return json.dumps(old)[1:-1]


@value("paths are percent-encoded (URL)", GRAPH, "path", "percent|URL|encod|%20|escap|quoted")
def _(old: Any, file: Json) -> Any:
    return quote(old)


@value(
    "line breaks in descriptions became spaces",
    SALES,
    "description",
    r"line|newline|break|\\n|white ?space|single line",
)
def _(old: Any, account: Json) -> Any:
    return old.replace("\n", " ")


@value("names of jobs are in upper case", JOB, "name", f"{CASE}|upper")
def _(old: Any, job: Json) -> Any:
    return old.upper()


@value(
    "names of files lost their extension (ending)",
    GRAPH,
    "name",
    END + r"|\.pdf|after the dot|after the last dot",
)
def _(old: Any, file: Json) -> Any:
    return old if file["type"] == "folder" else old.rpartition(".")[0]


@value("names of closed jobs have the prefix [CLOSED]", JOB, "name", rf"{PREFIX}|closed|\[CLOSED\]")
def _(old: Any, job: Json) -> Any:
    return f"[CLOSED] {old}" if job["raw_data"]["status"] == "closed" else old


@value(
    "names in one record of three have a suffix, (copy)",
    GOOGLE,
    "name",
    r"suffix|copy|end|append|added|trail|behind",
)
def _(old: Any, file: Json) -> Any:
    return f"{old} (copy)" if one_in(3, file) else old


@value(
    "legal forms (GmbH, Inc.) are removed from the end of account names",
    SALES,
    "name",
    "legal form|GmbH|Inc|suffix|end|last word|cut|short|truncat|removed",
)
def _(old: Any, account: Json) -> Any:
    return re.sub(r" (Inc\.|GmbH|AG|S\.A\.|Ltd|LLC|Holding|BV)$", "", old)


@value("websites lost their scheme (https://)", SALES, "website", "https?|scheme|protocol|prefix")
def _(old: Any, account: Json) -> Any:
    return old.removeprefix("https://")


@value(
    "websites are cut to the domain (host), without the path",
    SALES,
    "website",
    f"domain|host|path|{CUT}|after the",
)
def _(old: Any, account: Json) -> Any:
    return "https://" + old.removeprefix("https://").partition("/")[0]


@value("websites have http instead of https (scheme)", "hubspot/account", "website", "http|scheme|protocol")
def _(old: Any, account: Json) -> Any:
    return old.replace("https://", "http://")


@value(
    "typographic dashes and apostrophes became plain ones",
    JOB,
    "name",
    "typograph|apostroph|dash|straight|ASCII|curly|hyphen|punctuation|quote|replaced",
)
def _(old: Any, job: Json) -> Any:
    return old.replace("–", "-").replace("’", "'")


@value("descriptions are empty texts", GOOGLE, "description", "empty|blank|lost|cleared|no text|gone|missing")
def _(old: Any, file: Json) -> Any:
    return ""


@value(
    "names of offices lost what follows the city (cut to the first word)",
    JOB,
    "offices.name",
    f"{CUT}|last word|first word|suffix|HQ|end|lost",
)
def _(old: Any, job: Json) -> Any:
    return old.rpartition(" ")[0]


@record(
    "first and last names of hiring managers are swapped",
    JOB,
    "hiring_managers.first_name hiring_managers.last_name",
    "swap|exchang|interchang|trade|each other|switch|mixed up|cross|the other way",
)
def _(job: Json) -> None:
    for one in job["hiring_managers"]:
        one["first_name"], one["last_name"] = one["last_name"], one["first_name"]


@record(
    "names of hiring managers are turned round: last name, comma, first name",
    JOB,
    "hiring_managers.name",
    "last name|family name|comma|order|revers|turned|swap|surname",
)
def _(job: Json) -> None:
    for one in job["hiring_managers"]:
        one["name"] = f"{one['last_name']}, {one['first_name']}"


@record(
    "names of recruiters are only the first name (last name lost)",
    JOB,
    "recruiters.name",
    f"first.?name|last.?name|given|surname|family|{CUT}|word",
)
def _(job: Json) -> None:
    for one in job["recruiters"]:
        one["name"] = one["first_name"]


@record(
    "the whole name of hiring managers stands in first_name (joined), last_name is empty",
    JOB,
    "hiring_managers.first_name hiring_managers.last_name",
    f"{JOINED}|whole|full name|last_name .*empty|empty|both|filled from|copied|same as|equal",
)
def _(job: Json) -> None:
    for one in job["hiring_managers"]:
        one["first_name"], one["last_name"] = one["name"], ""


@record(
    "names of jobs are joined with their department (appended behind a dash)",
    JOB,
    "name",
    f"{JOINED}|department|dash",
)
def _(job: Json) -> None:
    job["name"] = f"{job['name']} - {job['departments'][0]['name']}"


@record(
    "names of jobs begin with the code of the requisition (prefix)",
    JOB,
    "name",
    f"{PREFIX}|requisition|code|REQ|{JOINED}",
)
def _(job: Json) -> None:
    if job["raw_data"]["requisition_id"]:
        job["name"] = f"{job['raw_data']['requisition_id']} {job['name']}"


@value(
    "names are split at the comma: only the first part is left (cut)",
    JOB,
    "name",
    f"comma|split|{CUT}|first part|part before|lost",
)
def _(old: Any, job: Json) -> Any:
    return old.partition(",")[0]


@record(
    "description is the text null where it was null", SALES, "description", f"null|none|placeholder|{TEXT}"
)
def _(account: Json) -> None:
    if account["description"] is None:
        account["description"] = "null"
