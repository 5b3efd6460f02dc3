"""Recognises e-mail addresses, phone numbers and names of people, by field name or by format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache

from explorer.api.sensitive import folded
from explorer.quality.bundle.masking_json import Box, Leaf


class Mask(StrEnum):
    """The optional kinds; keys, tokens and links are always masked."""

    EMAILS = "emails"
    PHONES = "phones"
    NAMES = "names"


def masked_words(times: Mapping[str, int]) -> str:
    """``keys, tokens and links (2), names (3)``; ``nothing``. ``times`` says how often each kind was masked."""
    return ", ".join(f"{kind} ({count:,})" for kind, count in times.items() if count) or "nothing"


ENDING = ".masked.example"
"""The end of every pseudonym; the domain is reserved for examples (RFC 2606) and belongs to nobody."""
PSEUDONYM = re.compile(r"(?:e-mail-\d+@|(?:phone|name|packed|no-address)-\d+\.)masked\.example")
NUMBERS = range(999_000_000_000_001, 999_000_999_999_999)
"""Pseudonyms of phone numbers that are JSON numbers: 999 is not a country code."""

EMAIL = re.compile(r"(?<![\w.%+'-])[\w.%+'-]++@[\w-]++(?:\.[\w-]++)*?\.[^\W\d_][\w-]*+")
WITHIN = re.compile(rf"(?:^|[<,;:(\"'\[])\s*{EMAIL.pattern}")
"""An address that does not begin in the middle of a sentence, as one with a blank in it would."""
ADDRESSED = re.compile(rf"([^\s\"'<>,;:@][^\"<>,;:@]*?)([\"']?\s*<\s*{EMAIL.pattern}\s*>)")
"""Who is named before an address, and the rest: ``"Ada Lovelace" <ada@people.example>``."""
OWN_WORDS = frozenset(
    {
        *(
            "null",
            "true",
            "false",
            "mailbox",
            "mailboxes",
            "accounting",
            "account",
            "contact",
            "contacts",
            "file",
        ),
        *(
            "storage",
            "drive",
            "sales",
            "engagement",
            "job",
            "jobs",
            "core",
            "pipeline",
            "connection",
            "customer",
        ),
        *("webhook", "receipt", "payment", "balance", "income", "sequence", "state", "link", "name", "email"),
    }
)
"""Frequent words in sentences about JSON and about lists: a person with such a name is masked only in a field for
names.
"""
PHONE = re.compile(
    r"(?<![\w+.-])(?:(?:\+|00)[1-9](?:[ ()./-]{0,3}\d){6,14}(?![\w])"
    r"|\(\d{2,5}\)[ -]?\d{2,4}[ -]?\d{3,5}(?![\w-])"
    r"|\d{3}[-. ]\d{3}[-. ]\d{4}(?![\w-]))"
)
DIGITS = re.compile(r"\+?\(?\d(?:[ ()./-]{0,3}\d){6,19}")

_NEUTRAL = re.compile(
    r".*(type|types|kind|status|state|count|country|code|region|label|ids?|at|date|primary|verified|format|domain"
    r"|valid|optin|optout|consent|extension|hash)"
)
_EMAIL_KEY = re.compile(r".*(e?mailaddress(es)?|emails?)[0-9]*|e?mail(s|value)?")
_PHONE_KEY = re.compile(
    r".*(phones?|phonenumbers?|telephones?|mobiles?|mobilenumbers?|cellphones?|faxe?s?|faxnumbers?|msisdn|whatsapp)"
    r"(home|work|other|office|value|number|mobile)?[0-9]*|tel|cell|phone.*"
)
_NAME_KEY = re.compile(
    r".*(firstname|lastname|givenname|familyname|middlename|surname|maidenname|nickname|fullname)[0-9]*"
    r"|(customer|contact|owner|user|author|creator|candidate|employee|recruiter|manager|hiringmanager|person|sender"
    r"|recipient|assignee|agent|payer|beneficiary|billing|shipping)(display)?names?|(fname|lname|forename)"
    r"|(e?mail)?signature(html|text)?"  # below a mail, with its sender's first name
)
_NAME_PARTS = re.compile(r"first|last|given|family|middle|full|formatted|display|displayname|value|name")
_PERSONS = re.compile(
    r".*(users?|owners?|recruiters?|hiringmanagers?|contacts?|customers?|authors?|creators?|candidates?|employees?"
    r"|people|persons?|assignees?|senders?|recipients?|members?|collaborators?|attendees?|participants?"
    r"|[a-z]+edby|assignedto|sharedwith|lastmodifyinguser)"
)
_BESIDE = frozenset(
    {
        *("email", "emails", "emailaddress", "mail", "phone", "phones", "phonenumber", "phonenumbers"),
        *("mobile", "mobilephone", "firstname", "lastname", "givenname", "familyname"),
    }
)
_OWN_EMAIL = re.compile(
    r"(sending|full|bcc|replyto|from|primary|secondary|main|work|business|home|personal|private|login)"
    r"e?mail(address(es)?)?s?[0-9]*|emailaddresses"
)
"""Names of an address of the object itself. ``recruiter_email`` is that of somebody else."""


@lru_cache(maxsize=4096)
def kind_of_name(key: str) -> Mask | None:
    """The kind of a value by its field name alone (``phone_numbers``, ``Email``, ``customerName``)."""
    key = folded(key)
    if not key:
        return None
    if _EMAIL_KEY.fullmatch(key):
        return Mask.EMAILS
    if _NAME_KEY.fullmatch(key):
        return Mask.NAMES
    if _PHONE_KEY.fullmatch(key) and not _NEUTRAL.fullmatch(key):
        return Mask.PHONES
    return None


def kind_of(leaf: Leaf) -> Mask | None:
    """The kind of a value in JSON by the names around it; None when they do not tell, or it is a member name itself."""
    if leaf.is_name:
        return None
    box = leaf.box
    found, may_be_person = _kind_at(leaf.key, box.key, box.is_object)
    return Mask.NAMES if may_be_person and _is_person(box) else found


def may_tell(key: str, box: Box) -> bool:
    """Whether `kind_of` may recognise a value by its folded name in an object or array."""
    found, may_be_person = _kind_at(key, box.key, box.is_object)
    return may_be_person or found is not None


@lru_cache(maxsize=16384)
def _kind_at(key: str, above: str, is_object: bool) -> tuple[Mask | None, bool]:
    """The kind of a value by its name and its parent's name, and whether it is a name if the parent is a person."""
    if not is_object:
        return kind_of_name(key) or _kind_above(above, is_object=False), False
    if own := kind_of_name(key):
        return own, False
    found = None if _NEUTRAL.fullmatch(key) else _kind_above(above, key)
    return found, key in ("name", "displayname")


def _kind_above(name: str, key: str = "", *, is_object: bool = True) -> Mask | None:
    """The kind of values inside an object or array with that name: ``{"phone": {"value": …}}``."""
    above = kind_of_name(name)
    if above is None and name == "name" and is_object:
        above = Mask.NAMES
    if above is Mask.NAMES and key and not _NAME_PARTS.fullmatch(key):
        return None
    return above


def _is_person(box: Box) -> bool:
    if box.names & _BESIDE or any(map(_OWN_EMAIL.fullmatch, box.names)):
        return True
    return _PERSONS.fullmatch(box.key) is not None
