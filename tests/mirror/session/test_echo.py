"""A service that gives the caller's own key back: no page with it is kept, and every other page is left alone."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from explorer.api.pages import Page
from explorer.profiles.profile import Auth, Credential
from explorer.session.echo import Echo

SECRET = 'canary/"7f3a+91c2'
around = st.text(alphabet=st.characters(codec="utf-8"), max_size=12)


def page_with(text: str) -> Page:
    record = json.dumps({"id": "1", "note": text}).encode()
    body = b'{"items": [' + record + b"]}"
    return Page(1, None, f"after {text}", None, (record,), body, (), datetime.now(UTC), 1.0, 1)


@given(around, around, st.sampled_from(["plain", "percent", "base64", "hex"]))
def test_the_own_key_is_masked_in_every_form(before: str, after: str, form: str) -> None:
    shown = {
        "plain": SECRET,
        "percent": quote(SECRET, safe=""),
        "base64": base64.b64encode(SECRET.encode()).decode(),
        "hex": SECRET.encode().hex(),
    }[form]
    hidden = Echo(Credential(Auth.APIKEY, SECRET)).hide(page_with(f"{before}|{shown}|{after}"))
    for kept in (hidden.body, *hidden.records):
        assert json.dumps(shown)[1:-1].encode() not in kept
    assert shown not in (hidden.next_cursor or "")


@given(around)
def test_a_page_without_it_is_the_very_same(text: str) -> None:
    page = page_with(text)
    assert Echo(Credential(Auth.APIKEY, SECRET)).hide(page) is page
    assert Echo(None).hide(page) is page
