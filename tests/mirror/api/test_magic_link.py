"""A link that somebody sent: what is said of it, for each cause why a link does not work, and nothing of the token."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.api.magic_link import LONGEST, Expected, LinkReading, read_sent_link
from explorer.api.redact import Redactor

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
KEY = "uk_live_8f3a9c51d7e24b60"
HOST = "https://connect.example.com/portal"
EXPECTED = Expected("https://connect.example.com", "conn_1", "", Redactor([KEY]))


def at(**away: float) -> int:
    return int((NOW + timedelta(**away)).timestamp())


def part(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def jwt(signature: str = "s" * 43, alg: str = "HS256", **claims: Any) -> str:
    claims = {"sub": "acme", "iat": at(hours=-1), "exp": at(days=29)} | claims
    return f"{part({'alg': alg})}.{part(claims)}.{signature}"


def read(url: str, expected: Expected = EXPECTED) -> LinkReading:
    return read_sent_link(url, expected, NOW)


def link(token: str = "", more: str = "&view=manage", host: str = HOST) -> str:
    return f"{host}?token={token or jwt()}{more}"


def facts(reading: LinkReading) -> dict[str, str]:
    return {fact.name: fact.value for fact in reading.facts}


def test_what_a_sound_link_says() -> None:
    more = "&view=add-deeplink&connectorNames=hubspot,greenhouse&connectionId=conn_1&displayName=Ada"
    reading = read(link(more=more))
    assert reading.oddities == ()
    assert reading.tone == "info"
    assert reading.sentence == (
        "No fault found, but a changed signature cannot be seen here: it ends in 29 days."
    )
    assert reading.note == "Only the service can say whether it accepts it."
    said = facts(reading)
    assert said["Leads to"] == HOST
    assert (said["Opens"], said["For customer"], said["Called"]) == ("add-deeplink", "acme", "Ada")
    assert (said["Connection"], said["Connectors"]) == ("conn_1", "hubspot,greenhouse")
    assert said["Made"].endswith(", 1 hour ago")
    assert said["Ends"].endswith(", in 29 days")
    assert [one.name for one in reading.parameters][:3] == ["the token", "its signature", "view"]


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("it does not work!", "This is not a link: it has no http or https address."),
        ("x" * (LONGEST + 1), "This is too long for a link: 30,001 characters."),
        (link(jwt(exp=at(days=-3))), "The link has ended: 3 days ago, on 19 Nov"),
        (link(jwt(exp=str(at(days=-3)))), "The link has ended: 3 days ago, on 19 Nov"),
        (link(jwt(nbf=at(hours=2))), "The link does not hold yet: it begins in 2 hours."),
        (link(jwt()[:-60]), "The link's token is cut off or changed: it cannot be read."),
        (link(jwt(signature="s" * 20)), "The end of the link's token is cut off: 20 of 43 characters"),
        (link(jwt() + "xyz"), "Something is appended to the link's token"),
        (link(jwt(alg="none")), "The link's token is not signed"),
        (link(jwt(signature="")), "The link's token is not signed"),
        (
            link(host="http://localhost:3000/portal"),
            "The link leads to the machine of whoever opens it (localhost)",
        ),
    ],
)
def test_the_cause_stands_first(url: str, sentence: str) -> None:
    reading = read(url)
    assert reading.tone == "fails"
    assert reading.sentence.startswith(sentence)


@pytest.mark.parametrize(
    ("url", "tone", "odd"),
    [
        (link(jwt(exp=at(days=800))), "caution", "The link ends only in 2 years."),
        (link(jwt(exp=at(days=3) * 1000)), "caution", "The end (exp) is in milliseconds"),
        (link(jwt(exp=at(days=-3) * 1000)), "caution", "If milliseconds are meant, it ended 3 days ago."),
        (link(jwt(exp="soon")), "caution", "The token's exp is not a valid time."),
        (link(jwt(iat=at(hours=3))), "caution", "By its token the link is made in 3 hours: a clock is wrong."),
        (link(host="http://connect.example.com/portal"), "caution", "The link is plain http"),
        (link(host="https://a:b@connect.example.com/"), "caution", "The link has a user name or password"),
        (link(host="https://links.example.org/"), "info", "The link leads to links.example.org; the profile's"),
        (link(more="&redirectUrl=" + quote(quote("https://a.b/c", ""), "")), "caution", "redirectUrl is percent"),
        (link(more="&view=undefined"), "caution", "view is the word undefined"),
        (link(more="&view=a&view=b"), "caution", "view stands in the link 2 times."),
        (link(more="&customerId=other"), "caution", "The link names several customers: other, acme."),
        (link(more="&connectionId=conn_9"), "info", "The link is for the connection conn_9; conn_1 is open here."),
        (link(more=f"&back={KEY}"), "caution", "The profile's own key is in the link"),
        (link(jwt(note=KEY)), "caution", "The profile's own key is in the link"),
        (link(more="&api_key=abcdef123456"), "caution", "Besides its token another credential is in the"),
        (link().replace("&", "&amp;"), "caution", "The link was copied out of HTML"),
        (quote(link(), ""), "caution", "The whole link is percent-encoded"),
        (link()[:80] + "\n" + link()[80:], "caution", "The link is broken over several lines"),
        (f"https://safe.example.net/?url={quote(link(), '')}", "info", "The link is wrapped in another one, of safe"),
        (HOST, "caution", "There is no token in the link"),
        (link(more="".join(f"&a{n}=1" for n in range(250))), "info", "Only the first 200 of 253 parameters are read."),
    ],
)  # fmt: skip
def test_what_is_odd_is_said_and_rules_nothing_out(url: str, tone: str, odd: str) -> None:
    reading = read(url)
    found = [one for one in reading.oddities if one.text.startswith(odd)]
    assert [one.tone for one in found] == [tone], reading.oddities
    assert reading.sentence.startswith("No fault found" if tone == "info" else "The link may work")


@pytest.mark.parametrize(
    "around", ["<{}>", "Hello,\nhere it is: {}.\nThanks", '"{}"', "  {}\n", "[link]({})", "{} (opens once)"]
)
def test_what_a_mail_puts_around_it_is_left_out(around: str) -> None:
    assert read(around.format(link())) == read(link())


def test_all_that_is_listed_is_counted() -> None:
    reading = read(link(more="&view=undefined&connectionId=conn_9"))
    assert [one.tone for one in reading.oddities] == ["caution", "info"]
    assert reading.sentence == "The link may work (it ends in 29 days), but 2 things are odd."


def test_another_scheme_than_the_profile_has_is_odd() -> None:
    for base in ("http://connect.example.com", "http://127.0.0.1:8080"):
        url = link(host=base.replace("http:", "https:") + "/portal")
        reading = read(url, Expected(base))
        assert [(one.tone, one.text) for one in reading.oddities] == [
            ("caution", "The link begins with https, the profile's address with http.")
        ]
    plain = read(link(host="http://connect.example.com/portal"))
    assert [one.text for one in plain.oddities] == [
        "The link is plain http: others on the network can read it."
    ]


def test_a_redirect_that_has_parameters_of_its_own_is_not_encoded_twice() -> None:
    back = quote("https://a.b/c?x=1%20&y=%2F#end", "")
    assert read(link(more=f"&redirectUrl={back}")).oddities == ()


def test_the_customer_that_it_should_be_for() -> None:
    assert read(link(), Expected(customer="acme")).tone == "info"
    other = read(link(), Expected(customer="globex"))
    assert (other.tone, other.sentence) == ("fails", "The link is for another customer: acme, not globex.")


def test_a_token_in_another_form_is_not_judged() -> None:
    reading = read(link("0f1e2d3c4b5a69788796a5b4c3d2e1f0"))
    assert reading.tone == "info"
    assert "it does not say when it ends" in reading.sentence


def said(reading: LinkReading) -> str:
    return repr(reading)


@pytest.mark.parametrize(
    "url",
    [
        link(), f"https://c.example.com/magic-link/{jwt()}", link(more=f"&back={KEY}"), link(jwt(apikey=KEY)),
        link(more="&password=hunter2-hunter2"), f"{HOST}#token={jwt()}", link(more=f"&{KEY}=1"),
        f"https://safe.example.net/?url={quote(link(), '')}", f"https://u:{KEY}@c.example.com/?token={jwt()}",
    ],
)  # fmt: skip
def test_neither_token_nor_key_is_in_what_is_shown(url: str) -> None:
    text = said(read(url, Expected("https://c.example.com", "conn_1", KEY, Redactor([KEY]))))
    assert KEY not in text
    assert "hunter2" not in text
    assert jwt() not in text
    assert jwt().split(".")[1] not in text
    assert "s" * 43 not in text


@given(st.text(max_size=300) | st.builds(lambda a, b: f"https://{a}?token={b}", st.text(), st.text()))
def test_any_text_is_read(text: str) -> None:
    assert read(text).sentence


@given(
    st.dictionaries(
        st.sampled_from(["exp", "iat", "nbf", "sub", "customerId", "view", "x"]),
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text(), max_size=2),
    )
)
def test_any_claims_are_read_and_the_token_stays_hidden(claims: dict[str, Any]) -> None:
    token = f"{part({'alg': 'HS256'})}.{part(claims)}.{'s' * 43}"
    reading = read(link(token))
    assert reading.sentence
    assert token not in said(reading)
