"""A sent value compared with the returned one: the same, in another form, or with a loss.

A third party may normalise what it is sent (e-mail addresses in lower case, phone numbers in another format, texts
trimmed): that is another form. Losses are digits of a number, the end of a text, characters of a script, and text that
was escaped or decoded on its way.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any, Literal

from explorer.catalog.spec import ABSENT
from explorer.jsontext.read import equal
from explorer.quality.values.transforms import fitted

How = Literal["same", "other form", "not there", "lost"]
_COUNTRY = re.compile(r"\D*(?:\+|00)")
_LONGEST_COUNTRY = 3
_LEAST_NATIONAL = 6


@dataclass(frozen=True, slots=True)
class Returned:
    """The comparison of one value."""

    how: How
    words: str = ""
    """The difference, as words after the field's name: ``is cut after 40 of 62 characters``; empty for the same."""

    @property
    def is_lost(self) -> bool:
        """Whether some or all of it is gone."""
        return self.how in ("lost", "not there")


_SAME = Returned("same")


def returned(field: str, sent: Any, came: Any) -> Returned:
    """Compares ``sent`` (any JSON value) under ``field`` with ``came``, which is ABSENT where nothing was returned.

    ``phone`` and ``email`` at the end of a field's name have forms of their own.
    """
    if came is not ABSENT and equal(sent, came):
        return _SAME
    if came is ABSENT or came is None or came == "":
        if sent is None or sent == "":
            return _SAME  # null, empty and absent mean the same
        how = "is null" if came is None else "is empty" if came == "" else "did not come back"
        return Returned("not there", f"was sent and {how}")
    if not isinstance(sent, str) or not isinstance(came, str):
        return Returned("lost", "came back as something else")
    name = field.rpartition(".")[2]
    if name.endswith("phone"):
        return _phone(sent, came)
    if name.endswith("email") and came.strip().casefold() == sent.casefold():
        return Returned("other form", "came back in lower case" if came == sent.lower() else "in other case")
    return _text(sent, came)


def _text(sent: str, came: str) -> Returned:
    if " ".join(came.split()) == " ".join(sent.split()):
        return Returned("other form", "came back with other spaces")
    if unicodedata.normalize("NFC", came) == unicodedata.normalize("NFC", sent):
        return Returned("other form", "came back in another Unicode form")
    if came.casefold() == sent.casefold():
        return Returned("other form", "came back in other case")
    # One pair cannot rank the transforms, but is enough to name one that yields exactly this value.
    made = fitted([(sent, came)])
    return Returned("lost", made[0].transform.words if made else "came back as something else")


def _phone(sent: str, came: str) -> Returned:
    """A phone number in another format keeps its digits, except the country code and the zero of a national number."""
    if "+" in sent and " ".join(sent.replace("+", " ").split()) == " ".join(came.split()) != _digits(came):
        # A number that was reformatted changes more than the plus: this plus was decoded as a space.
        return Returned("lost", "lost its plus")
    had, has = _digits(sent), _digits(came)
    international, now_international = _COUNTRY.match(sent) is not None, _COUNTRY.match(came) is not None
    had_all = had.removeprefix("00") if not sent.lstrip(" (").startswith("+") else had
    has_all = has.removeprefix("00") if not came.lstrip(" (").startswith("+") else has
    same = had == has or (international and now_international and had_all == has_all)
    if not same and international and not now_international:
        # In national format the country code is dropped, and a zero may be added.
        same = any(
            has == f"{zero}{had_all[code:]}" and len(had_all) - code >= _LEAST_NATIONAL
            for zero, codes in (
                ("0", range(1, _LONGEST_COUNTRY + 1)),
                ("", (1,) if had_all[:1] == "1" else ()),
            )
            for code in codes
        )
    if not same and now_international and not international:
        national = had.removeprefix("0")
        same = has_all.endswith(national) and 0 < len(has_all) - len(national) <= _LONGEST_COUNTRY
    if same:
        return Returned("other form", "came back in another form")
    return Returned("lost", "came back with other digits")


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())
