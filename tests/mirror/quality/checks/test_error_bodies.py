"""What an error body says, told from the log's entry alone; over HTTP: tests/flow/test_quality_secrets.py."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from explorer.api.exchange import Exchange
from explorer.profiles.profile import Profile
from explorer.quality.checks.error_bodies import ErrorBodies

QUERY = "select * from connection where id = 'conn_x'"


def found(body: Any, status: int = 404, connection: str = "conn_own", *, meant: bool = False) -> set[str]:
    """The rules of what is said of an answer; ``meant``: it was refused on purpose."""
    bodies = ErrorBodies(Profile.sandbox("http://127.0.0.1:1").with_connection("conn_own"))
    exchange = Exchange(
        id=1,
        started_at=datetime.now(UTC),
        method="GET",
        url="http://127.0.0.1:1/x",
        path="/x",
        state="answered",
        status=status,
        response_body=json.dumps(body).encode(),
        connection=connection,
        verdict="none" if meant else "caution",
        on_purpose=meant,
    )
    bodies.look("ats/job", exchange)
    return {one.rule for result in bodies.results() for one in result.findings}


@pytest.mark.parametrize(
    ("status", "connection", "meant", "own"),
    [
        (404, "conn_nobody", True, True),
        (401, "conn_own", True, True),
        (404, "conn_own", True, False),
        (400, "conn_own", False, False),
        (401, "conn_own", False, False),
    ],
)
def test_a_query_is_the_services_own_where_no_third_party_was_asked(
    status: int, connection: str, meant: bool, own: bool
) -> None:
    rules = found({"message": QUERY}, status, connection, meant=meant)
    assert rules == ({"query of its database"} if own else set())


def test_a_third_partys_failure_may_name_its_own_status() -> None:
    assert found({"status": 404}, 400) == {"another"}
    assert found({"status": 404, "class": "HttpError"}, 400) == set()
    assert found({"status": 404}, 502) == set()
