"""Texts that are written another way than before."""

from __future__ import annotations

import unicodedata
from typing import Any
from urllib.parse import quote, urlsplit

from tests.exam.mapping import Json
from tests.exam.states2.registry import ACCOUNT, COMPANY, FILE, ITEM, JOB, MAILBOX, POSTING, STATE, value


@value("names of jobs are cut at 20 characters", JOB, "name", "cut|truncat|shorten|20|first")
def _cut(text: Any, _: Json) -> Any:
    return text[:20]


@value(
    "names of jobs lost their accents: é became e",
    JOB,
    "name",
    "accent|diacrit|umlaut|marks|ascii|é|plain letters",
)
def _no_accents(text: Any, _: Json) -> Any:
    return "".join(one for one in unicodedata.normalize("NFD", text) if not unicodedata.combining(one))


@value(
    "names are in decomposed Unicode (NFD)", POSTING, "name", "NFD|NFC|decompos|compos|unicode|normal|form"
)
def _decomposed(text: Any, _: Json) -> Any:
    return unicodedata.normalize("NFD", text)


@value(
    "names of jobs have the suffix [Greenhouse]", JOB, "name", r"suffix|greenhouse|append|end|added|behind"
)
def _suffix(text: Any, _: Json) -> Any:
    return f"{text} [Greenhouse]"


@value(
    "names lose what stands behind the first comma",
    POSTING,
    "name",
    "comma|cut|first part|behind|truncat|before",
)
def _before_comma(text: Any, _: Json) -> Any:
    return text.partition(",")[0]


@value("names are in quotes, as JSON of a text", POSTING, "name", r"quot|json|encod|escap|wrapped|\"")
def _quoted(text: Any, _: Json) -> Any:
    return '"' + text.replace('"', '\\"') + '"'


@value("names of files lost their extension", FILE, "name", r"extension|suffix|ending|\.|cut|lost|strip")
def _no_extension(text: Any, _: Json) -> Any:
    head, dot, tail = text.rpartition(".")
    return head if dot and tail.isalnum() and len(tail) <= 4 else text


@value("blanks in the names of files became underscores", FILE, "name", "underscore|blank|space|replac|_")
def _underscores(text: Any, _: Json) -> Any:
    return text.replace(" ", "_")


@value("names of files are percent-encoded", FILE, "name", "percent|encod|url|%|escap|quot")
def _percent(text: Any, _: Json) -> Any:
    return quote(text)


@value(
    "descriptions are cut at 40 characters, with an ellipsis",
    FILE,
    "description",
    "cut|ellips|truncat|shorten|40|…",
)
def _ellipsis(text: Any, _: Json) -> Any:
    return text if len(text) <= 40 else f"{text[:39]}…"


@value(
    "line breaks in the descriptions became blanks",
    ITEM,
    "description",
    r"line|break|newline|blank|space|\\n",
)
def _one_line(text: Any, _: Json) -> Any:
    return text.replace("\n", " ")


@value("descriptions are wrapped in <p>", ITEM, "description", "<p>|html|tag|wrap|prefix|suffix|markup")
def _paragraph(text: Any, _: Json) -> Any:
    return f"<p>{text}</p>"


@value("paths lost their leading slash", ITEM, "path", "slash|leading|prefix|lost|strip|begin|first")
def _no_slash(text: Any, _: Json) -> Any:
    return text.removeprefix("/")


@value("paths have backslashes instead of slashes", ITEM, "path", r"slash|separator|replac|\\")
def _backslash(text: Any, _: Json) -> Any:
    return text.replace("/", "\\")


@value("paths begin with /Shared Documents", ITEM, "path", "shared documents|prefix|begin|start|added|front")
def _library(text: Any, _: Json) -> Any:
    return f"/Shared Documents{text}"


@value(
    "paths end before the name: only the folder is left",
    ITEM,
    "path",
    "folder|parent|last|cut|name|end|truncat",
)
def _folder_only(text: Any, _: Json) -> Any:
    return text.rpartition("/")[0] or "/"


@value("email addresses lost their host", MAILBOX, "email", "host|domain|@|cut|lost|local|truncat|before")
def _local_part(text: Any, _: Json) -> Any:
    return text.partition("@")[0]


@value(
    "email addresses are masked with asterisks",
    MAILBOX,
    "email",
    r"mask|\*|asterisk|star|hidden|redact|anonym",
)
def _masked(text: Any, _: Json) -> Any:
    local, _at, host = text.partition("@")
    return f"{local[0]}***@{host}"


@value("email addresses end in .invalid", MAILBOX, "email", "invalid|suffix|append|end|added|sandbox")
def _invalid(text: Any, _: Json) -> Any:
    return f"{text}.invalid"


@value(
    "dots before the at of email addresses are gone", MAILBOX, "email", r"dot|\.|point|remov|lost|gone|strip"
)
def _no_dots(text: Any, _: Json) -> Any:
    local, at, host = text.partition("@")
    return f"{local.replace('.', '')}{at}{host}"


@value("websites are the host alone", ACCOUNT, "website", "host|domain|scheme|path|cut|strip|lost|prefix")
def _host(text: Any, _: Json) -> Any:
    return urlsplit(text).netloc


@value(
    "websites lost their query",
    ACCOUNT,
    "website",
    r"query|\?|parameter|cut|lost|strip|truncat|before",
)
def _no_query(text: Any, _: Json) -> Any:
    return text.partition("?")[0]


@value(
    "phone numbers are digits only",
    ACCOUNT,
    "phone_numbers",
    "digit|format|strip|punctuation|blank|space|remov|lost",
)
def _digits(items: Any, _: Json) -> Any:
    return [{**one, "phone_number": "".join(c for c in one["phone_number"] if c.isdigit())} for one in items]


@value(
    "phone numbers lost their last two digits", COMPANY, "phone_numbers", "last|cut|truncat|digit|shorten|end"
)
def _short_phone(items: Any, _: Json) -> Any:
    return [{**one, "phone_number": one["phone_number"][:-2]} for one in items]


@value(
    "line breaks in the descriptions became <br>",
    ACCOUNT,
    "description",
    "<br|line|break|newline|html|replac",
)
def _br(text: Any, _: Json) -> Any:
    return text.replace("\n", "<br>")


@value("names of companies end in a blank", COMPANY, "name", "blank|space|trail|pad|whitespace|suffix|end")
def _blank(text: Any, _: Json) -> Any:
    return f"{text} "


@value(
    "industries are words: BANKING became Banking",
    COMPANY,
    "industry",
    "case|capital|upper|lower|title|Banking|underscore",
)
def _words(text: Any, _: Json) -> Any:
    return text.replace("_", " ").capitalize()


@value("descriptions are URL-safe base64", COMPANY, "description", "base.?64|encod")
def _base64(text: Any, _: Json) -> Any:
    import base64

    return base64.urlsafe_b64encode(text.encode()).decode()


@value("states have the prefix seq_", STATE, "state", "seq_|prefix|begin|start|front|added")
def _state_prefix(text: Any, _: Json) -> Any:
    return f"seq_{text}"


@value("states lost their underscores", STATE, "state", "underscore|_|remov|lost|optedout|opted|replac")
def _no_underscore(text: Any, _: Json) -> Any:
    return text.replace("_", "")
