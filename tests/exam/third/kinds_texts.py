"""Kinds about texts: names, descriptions, addresses of mail and web, paths."""

from __future__ import annotations

import html
import re
import unicodedata
from urllib.parse import quote

from tests.exam.third.engine import Row
from tests.exam.third.kinds import Batch, kind, row_kind, text_kind

NAMES = "dynamics.name copper.name files.name"
DESCRIPTIONS = "dynamics.description copper.description"

text_kind("letters beyond ASCII are read in the wrong encoding", f"{NAMES} jobs.name files.path")(
    lambda text: text.encode().decode("cp1252", "replace")
)
text_kind("letters beyond ASCII are dropped", f"{NAMES} jobs.name {DESCRIPTIONS}")(
    lambda text: text.encode("ascii", "ignore").decode()
)
text_kind("letters beyond Latin-1 become question marks", "dynamics.name copper.description files.name")(
    lambda text: text.encode("latin-1", "replace").decode("latin-1")
)
text_kind("accents are taken off", "dynamics.name copper.name files.path jobs.name")(
    lambda text: unicodedata.normalize("NFD", text).encode("ascii", "ignore").decode()
)
text_kind("ampersands and apostrophes are escaped as in HTML", f"{NAMES} jobs.name")(
    lambda text: html.escape(text)
)
text_kind("texts end after 60 characters", NAMES)(lambda text: text[:60])
text_kind("long texts end in an ellipsis", f"{NAMES} dynamics.description")(
    lambda text: text if len(text) <= 80 else f"{text[:77]}..."
)
text_kind("capitals within words are lost", "dynamics.name copper.name jobs.name")(
    lambda text: re.sub(r"[^\W\d_]+", lambda word: word[0][:1] + word[0][1:].lower(), text)
)
text_kind("the text ends at its first line break", DESCRIPTIONS)(lambda text: text.split("\n")[0])
text_kind("line breaks are two characters", DESCRIPTIONS)(lambda text: text.replace("\n", "\\n"))
text_kind("lines run into each other", DESCRIPTIONS)(lambda text: text.replace("\n", ""))
text_kind("backslashes are doubled", DESCRIPTIONS)(lambda text: text.replace("\\", "\\\\"))
text_kind("straight quotes are escaped", f"{DESCRIPTIONS}")(lambda text: text.replace('"', '\\"'))
text_kind("the text ends at its first smaller-than sign", DESCRIPTIONS)(
    lambda text: text.split("<")[0].rstrip()
)
text_kind("signs outside the basic plane are lost", DESCRIPTIONS)(
    lambda text: "".join(one if ord(one) < 1 << 16 else "\ufffd\ufffd" for one in text)
)
text_kind("the name ends at its first comma", "dynamics.name copper.name files.name jobs.name")(
    lambda text: text.split(",")[0]
)
text_kind("a plus sign becomes a space", "dynamics.name copper.name files.path files.name")(
    lambda text: text.replace("+", " ")
)
text_kind("apostrophes are doubled", "dynamics.name copper.name")(lambda text: text.replace("'", "''"))
text_kind("the legal form is taken off", "dynamics.name copper.name")(
    lambda text: re.sub(r" (GmbH|GmbH & Co. KG|LLC|Ltd)$", "", text)
)
text_kind(
    "the last letter is missing where the text has letters of two bytes",
    "dynamics.name files.name drives.name",
)(lambda text: text.encode()[: len(text)].decode(errors="ignore"))
text_kind("the address of the web loses what follows the path", "dynamics.website")(
    lambda text: re.sub(r"[?#].*", "", text)
)
text_kind("the scheme is put before the address twice", "dynamics.website copper.website", 0.15)(
    lambda text: f"https://{text}"
)
text_kind("http becomes https with another host", "copper.website", 0.1)(
    lambda text: text.replace("http://www.", "https://")
)
text_kind("tags of a mail address are cut off", "mailboxes.email")(lambda text: re.sub(r"\+[^@]*", "", text))
text_kind("a mail address is escaped as in HTML", "mailboxes.email")(lambda text: text.replace("'", "&#39;"))
text_kind("dots of a mail address are taken out", "mailboxes.email", 0.15)(
    lambda text: text.split("@")[0].replace(".", "") + "@" + text.split("@")[1]
)
text_kind("the second ending of a file is lost", "files.name files.path")(
    lambda text: text.removesuffix(".gz")
)
text_kind("the path begins with two slashes", "files.path", 0.2)(lambda text: f"/{text}")
text_kind("folders below the third are left out of the path", "files.path")(
    lambda text: text if text.count("/") <= 3 else "/".join((*text.split("/")[:3], text.split("/")[-1]))
)
text_kind("the path is still percent-encoded", "files.path")(lambda text: quote(text))
text_kind("the path ends at the first hash sign", "files.path")(lambda text: text.split("#")[0])
text_kind("the percent sign of a name is decoded once too often", "files.path")(
    lambda text: text.replace("% d", "\ufffd")
)


@row_kind(
    "missing texts are told as a word",
    "dynamics.description copper.description copper.industry dynamics.industry",
)
def _null_word(row: Row, at: str, _: Batch) -> None:
    if row[at] is None:
        row[at] = "None" if at == "description" else "undefined"


@row_kind("the path of renamed ones ends in their old name", "files.path", 0.04)
def _old_name(row: Row, at: str, _: Batch) -> None:
    row[at] = re.sub(r"[^/]+$", lambda name: f"Copy of {name[0]}", row[at])


@row_kind("the path of files is that of their folder", "files.path", 0.1)
def _folder_path(row: Row, at: str, _: Batch) -> None:
    row[at] = row[at].rpartition("/")[0] or "/"


@row_kind("accounts below another bear its name", "dynamics.name")
def _parent_name(row: Row, at: str, _: Batch) -> None:
    row[at] = row["raw_data"]["_parentaccountid_value@OData.Community.Display.V1.FormattedValue"] or row[at]


@row_kind("drafts and archived ones bear their internal name", "jobs.name")
def _internal_name(row: Row, at: str, _: Batch) -> None:
    if row["raw_data"]["attributes"]["status"] in ("draft", "archived"):
        row[at] = row["raw_data"]["attributes"]["internal-name"]


@row_kind("without a website one is made of the mail domain", "copper.website dynamics.website")
def _domain(row: Row, at: str, _: Batch) -> None:
    raw = row["raw_data"]
    row[at] = row[at] or "https://" + (raw.get("email_domain") or raw["emailaddress1"].partition("@")[2])


@row_kind("the alias stands for the address where there is one", "mailboxes.email")
def _alias(row: Row, at: str, _: Batch) -> None:
    row[at] = next(iter(row["raw_data"]["aliases"]), row[at])


@row_kind("further mailboxes have the address of their user", "mailboxes.email")
def _of_user(row: Row, at: str, _: Batch) -> None:
    row[at] = row["raw_data"]["user"]["email"]


@row_kind("the address stands in angle brackets after a name", "mailboxes.email", 0.1)
def _displayed(row: Row, at: str, _: Batch) -> None:
    row[at] = f"{row['raw_data']['user']['name']} <{row[at]}>"


@row_kind("people with three words in their name lose the last", "jobs.recruiters jobs.hiring_managers")
def _two_words(row: Row, at: str, _: Batch) -> None:
    for one in row[at]:
        one["name"] = " ".join(one["name"].split(" ")[:2])


@row_kind("an empty description is filled with the type", "drives.description")
def _typed_description(row: Row, at: str, _: Batch) -> None:
    row[at] = row[at] or row["raw_data"]["driveType"]


@kind(
    "what is empty keeps the value of the record before",
    f"{DESCRIPTIONS} dynamics.website copper.website copper.industry",
)
def _kept(batch: Batch) -> None:
    before = None
    for row in batch.rows:
        row[batch.at] = before = row[batch.at] or before


@kind(
    "the first three of every fifty show the record before",
    f"{NAMES} jobs.name dynamics.description states.state",
)
def _shifted(batch: Batch) -> None:
    values = [row[batch.at] for row in batch.rows]
    for at, row in enumerate(batch.rows):
        if at and at % 50 < 3:
            row[batch.at] = values[at - 1]


@kind(
    "two records have their values exchanged",
    f"{NAMES} jobs.name dynamics.owner_id mailboxes.email drives.name",
)
def _exchanged(batch: Batch) -> None:
    one, other = batch.rng.sample(batch.rows, 2)
    while one[batch.at] == other[batch.at]:
        other = batch.rng.choice(batch.rows)
    one[batch.at], other[batch.at] = other[batch.at], one[batch.at]


@kind(
    "a single record bears what was once typed in for a test",
    "dynamics.name copper.name jobs.name files.name",
)
def _test(batch: Batch) -> None:
    batch.rng.choice(batch.rows)[batch.at] = "test 123"
