"""The calls of a run against the plain server, which answers as one running service was seen to: nothing is found."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from explorer.profiles.profile import Auth, Credential, Profile
from explorer.quality.engine.check import Run, Verdict
from explorer.quality.engine.run import QualityRun
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.reports.json import as_json
from explorer.quality.reports.report import report_of
from tests.mutations.trial import Asker
from tests.plain_service import GOOD_KEY, PlainService

CALLS = ("crm/contact", "crm/account", "core/pipeline", "core/customer", "connect/magic-link", "webhook")
BOOKS = ("accounting/customer-balance", "accounting/customer-income", "accounting/payment-receipt")
TOLD: dict[str, Any] = {"writes": True, "ids": ("1", "2"), "customer": "1", "transactions": ("1", "2")}


@pytest.fixture
def plain() -> Iterator[PlainService]:
    with PlainService() as service:
        yield service


def one_run(plain: PlainService, connection: str, *resources: str, **told: Any) -> Run:
    async def main() -> Run:
        credential = Credential(Auth.APIKEY, GOOD_KEY)
        asker = Asker(Profile.sandbox(plain.base_url).with_connection(connection), credential)
        try:
            asked = RunOptions(**{**TOLD, "resources": resources, **told})
            return await QualityRun(asker, asked, credential=credential).whole()
        finally:
            await asker.aclose()

    return asyncio.run(main())


@pytest.mark.parametrize("connector", ["", "hubspot", "plaid", "greenhouse"])
def test_calls_and_writes_find_nothing(plain: PlainService, connector: str) -> None:
    run = one_run(plain, "conn_hubspot_1", *CALLS, connector=connector)
    assert [(one.check.id, one.resource, one.seen) for one in run.bad] == []
    assert not [one for one in run.results if one.is_undone]
    assert {one["disabled"] for one in plain.pipelines.values()} == {True}
    text = as_json(report_of([run])).decode()
    assert GOOD_KEY not in text
    assert not [token for token in plain.links if token in text]


def test_no_webhook_at_all_is_no_finding(plain: PlainService) -> None:
    plain.webhooks = None
    run = one_run(plain, "conn_hubspot_1", "webhook", connector="hubspot")
    assert not run.bad


def test_a_third_party_that_normalises_is_observed(plain: PlainService) -> None:
    run = one_run(plain, "conn_hubspot_1", "crm/contact")
    returned = run.result("writes.returned")
    assert returned is not None
    assert returned.verdict is Verdict.OBSERVED
    assert "another form" in returned.seen


@pytest.mark.parametrize("how", ["revoked", "revoked 400", "throttled", "failing"])
def test_a_third_party_that_is_not_well(plain: PlainService, how: Any) -> None:
    plain.connections["conn_hubspot_1"].third_party = how
    run = one_run(plain, "conn_hubspot_1", "crm/contact")
    found = {(one.check.id, one.verdict) for one in run.bad}
    assert found == (set() if how == "throttled" else {("writes.answers", Verdict.SUSPECT)})
    kept = run.result("writes.kept")
    assert kept is not None
    assert "no contact could be made" in kept.seen


def test_books_with_dust_in_their_sums(plain: PlainService) -> None:
    """The sample has two entries of one customer, and is the same for whatever period: suspect, and nothing fails."""
    run = one_run(plain, "conn_quickbooks_1", *BOOKS)
    assert {one.check.id for one in run.bad} == {"reports.customer-once", "reports.parts"}
    assert {one.verdict for one in run.bad} == {Verdict.SUSPECT}
