"""What is said of links: when they were made, how long they hold, what they open."""

from datetime import UTC, datetime, timedelta

import pytest

from explorer.api.links import Link
from explorer.ui.pages.connect.link_words import (
    addressee,
    end_line,
    end_words,
    made_words,
    opens_words,
    valid_words,
)

NOW = datetime(2026, 11, 20, 12, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (timedelta(days=30, seconds=-1), ("in 30 days", "text")),
        (timedelta(days=1), ("in 1 day", "text")),
        (timedelta(hours=23, minutes=50), ("in 24 h", "caution")),
        (timedelta(hours=2, seconds=40), ("in 2 h", "caution")),
        (timedelta(minutes=5), ("in 5 min", "caution")),
        (timedelta(seconds=40), ("in 40 s", "caution")),
        (timedelta(milliseconds=3), ("in 1 s", "caution")),
        (timedelta(0), ("Expired", "fails")),
        (timedelta(days=-3), ("Expired", "fails")),
        (None, ("not known", "quiet")),
    ],
)
def test_when_it_ends(left: timedelta | None, said: tuple[str, str]) -> None:
    assert end_words(None if left is None else NOW + left, NOW) == said


def test_when_it_was_made() -> None:
    here = NOW.astimezone()
    assert made_words(NOW, NOW) == f"{here:%H:%M}"
    assert made_words(NOW - timedelta(days=1), NOW) == "Yesterday"
    assert made_words(NOW - timedelta(days=50), NOW) == "1 Oct"
    assert made_words(NOW - timedelta(days=415), NOW) == "1 Oct 2025"


def test_how_long_it_holds() -> None:
    def link(left: timedelta) -> Link:
        return Link("t", {}, ends=NOW + left)

    assert valid_words(link(timedelta(days=30, seconds=-1)), NOW) == "Valid for 29 days 23 h 59 min"
    assert valid_words(link(timedelta(seconds=30)), NOW) == "Valid for 30 s"
    assert valid_words(link(timedelta(minutes=-5)), NOW) == "Ended 5 min ago"
    assert "not verified" in end_line(link(timedelta(days=1)))
    unread = Link("t", {}, why_no_end="The token is not a JWT, so its end cannot be read")
    assert valid_words(unread, NOW) == unread.why_no_end
    assert end_line(unread) == "Only the service knows when it ends."


def test_what_it_opens() -> None:
    assert opens_words({}) == "opens the service's own view"
    body = {"view": "add", "connectorNames": "a,b", "integrationIds": "i", "connectionId": "conn_1"}
    assert opens_words(body) == "opens add for a, b for integrations i on conn_1"


def test_for_whom_it_is() -> None:
    assert addressee({"customerId": "acme", "displayName": None}) == "acme"
    assert addressee({"customerId": "acme", "displayName": "Acme Inc."}) == "Acme Inc."
    assert addressee({}) == "this customer"
