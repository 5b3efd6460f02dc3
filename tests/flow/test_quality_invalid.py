"""Requests that the contract does not allow, on services over HTTP: refused as the caller's mistake, or a finding."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from explorer.quality.engine.check import Verdict
from tests.flow import calls_service, listed
from tests.flow.calls_service import Asked, Calls, balance, failed, link_of, the, words
from tests.flow.listed import Listed, job
from tests.recording import Reply, reply

INVALID = "transport.invalid-requests"
ACCOUNT, CONTACT, PIPELINE = "crm/account", "crm/contact", "core/pipeline"
LINK = "connect/magic-link"
BALANCE, INCOME, RECEIPT = (
    f"accounting/{name}" for name in ("customer-balance", "customer-income", "payment-receipt")
)
TOLD: dict[str, Any] = {"ids": ("a1",), "customer": "7", "transactions": ("1001",)}


@pytest.fixture(scope="module")
def calls() -> Iterator[calls_service.Serving]:
    with calls_service.serving() as made:
        yield made


@pytest.fixture(scope="module")
def lists() -> Iterator[listed.Serving]:
    with listed.serving() as made:
        yield made


def test_a_service_that_refuses_them_holds(calls: calls_service.Serving) -> None:
    keys = (ACCOUNT, CONTACT, PIPELINE, BALANCE, INCOME, RECEIPT)
    run = calls.run(Calls(), *keys, only=("transport",), **TOLD)
    for key in (ACCOUNT, BALANCE, INCOME, RECEIPT):
        found = the(run, INVALID, key)
        assert found.verdict is not Verdict.SUSPECT
        assert found.measured
    run = calls.run(Calls(), CONTACT, PIPELINE)
    assert the(run, INVALID, CONTACT).verdict is Verdict.HOLDS
    assert the(run, INVALID, CONTACT).measured == 4
    assert the(run, INVALID, PIPELINE).verdict is Verdict.HOLDS


@pytest.mark.parametrize("key", [ACCOUNT, BALANCE, RECEIPT, CONTACT])
def test_a_failure_over_an_invalid_request(calls: calls_service.Serving, key: str) -> None:
    run = calls.run(Calls(invalid=lambda _: failed(500, "boom", "INTERNAL_SERVER_ERROR")), key, **TOLD)
    assert the(run, INVALID, key).verdict is Verdict.SUSPECT
    assert "is answered with 500, as if the service had failed" in words(run, INVALID, key)


def test_a_failure_over_everything_says_nothing_of_invalid_requests(calls: calls_service.Serving) -> None:
    down = {"balance": lambda _: failed(500, "boom", "INTERNAL_SERVER_ERROR")}
    run = calls.run(Calls(before=down), BALANCE, **TOLD)
    assert the(run, INVALID, BALANCE).verdict is not Verdict.SUSPECT


def test_a_third_party_that_fails_over_it_is_not_the_service(calls: calls_service.Serving) -> None:
    run = calls.run(Calls(invalid=lambda _: calls_service.third_party(500, "boom")), BALANCE, **TOLD)
    assert the(run, INVALID, BALANCE).verdict is not Verdict.SUSPECT


def everything(asked: Asked) -> Reply:
    answers: dict[str, Callable[[], Any]] = {
        "accounts": lambda: [
            {"id": one, "updated_at": "2025-01-01T00:00:00Z", "raw_data": {"Id": one}} for one in ("a8", "a9")
        ],
        "balance": lambda: balance("40"),
        "receipt": lambda: {"Payment": {"Id": "9"}},
    }
    return reply(answers[asked.operation]())


@pytest.mark.parametrize(
    ("key", "what"),
    [
        (ACCOUNT, "A batch read without ids is answered with 2 accounts"),
        (BALANCE, "A report for no customer is answered with figures of others"),
        (RECEIPT, "A receipt of no payment is answered with 200"),
    ],
)
def test_who_asks_for_nothing_gets_everything(calls: calls_service.Serving, key: str, what: str) -> None:
    run = calls.run(Calls(invalid=everything), key, **TOLD)
    assert the(run, INVALID, key).verdict is Verdict.SUSPECT
    assert what in words(run, INVALID, key)


@pytest.mark.parametrize(("key", "shape"), [(ACCOUNT, "array"), (BALANCE, "report"), (INCOME, "report")])
def test_an_error_with_a_status_of_success(calls: calls_service.Serving, key: str, shape: str) -> None:
    run = calls.run(Calls(invalid=lambda _: reply({"error": "invalid"})), key, **TOLD)
    assert the(run, INVALID, key).verdict is Verdict.SUSPECT
    assert f"is answered with status 200 and no {shape}" in words(run, INVALID, key)


def test_no_ids_give_all_accounts(calls: calls_service.Serving) -> None:
    def all_of_them(asked: Asked, answer: Any) -> Any:
        made = {"updated_at": "2025-01-01T00:00:00Z"}
        return answer or [{"id": one, "raw_data": {"Id": one}, **made} for one in ("a8", "a9")]

    run = calls.run(Calls(change={"accounts": all_of_them}), ACCOUNT)
    assert "A batch read of no ids is answered with 2 accounts" in words(run, INVALID, ACCOUNT)


def test_an_update_that_is_no_json_is_taken(calls: calls_service.Serving) -> None:
    def taken(asked: Asked) -> Reply:
        return reply({"record": {"id": asked.ident, "first_name": "[object Object]"}})

    run = calls.run(Calls(invalid=taken), CONTACT)
    said = words(run, INVALID, CONTACT)
    assert "A record that is a text is answered with 200" in said
    assert "An object in place of a name is answered with the name as a text" in said


def test_an_object_that_comes_back_is_no_text(calls: calls_service.Serving) -> None:
    def kept(asked: Asked) -> Reply:
        return reply({"record": {"id": asked.ident, **((asked.body or {}).get("record") or {})}})

    said = words(calls.run(Calls(invalid=kept), CONTACT), INVALID, CONTACT)
    assert "An object in place of a name is answered with an object in place of a name" in said


def test_a_theme_that_is_none_gives_a_link(calls: calls_service.Serving) -> None:
    assert the(calls.run(Calls(), LINK), INVALID, LINK).verdict is Verdict.HOLDS
    run = calls.run(Calls(invalid=lambda asked: reply({"url": link_of(asked.body)})), LINK)
    for name in ("theme", "view"):
        assert f"A {name} that the contract does not have is answered with 200" in words(run, INVALID, LINK)


def test_a_list_that_refuses_them_holds(lists: listed.Serving) -> None:
    run = lists.run(Listed(rows=[job(number) for number in range(25)]))
    assert the(run, INVALID, "ats/job").verdict is Verdict.OBSERVED  # another mode is taken, as services do
    assert not run.bad


def test_a_page_size_that_is_no_number_fails(lists: listed.Serving) -> None:
    made = Listed(
        rows=[job(number) for number in range(25)], invalid=failed(500, "NaN", "INTERNAL_SERVER_ERROR")
    )
    assert "page_size that is no number is answered with 500" in words(lists.run(made), INVALID, "ats/job")


def test_an_error_with_a_status_of_success_is_no_page(lists: listed.Serving) -> None:
    made = Listed(rows=[job(number) for number in range(25)], invalid=reply({"error": "invalid"}))
    said = words(lists.run(made), INVALID, "ats/job")
    assert "A page_size that is no number is answered with status 200 and no page" in said


@pytest.mark.parametrize(("rows", "found"), [(25, True), (8, False)])
def test_a_made_up_cursor_that_begins_anew(lists: listed.Serving, rows: int, found: bool) -> None:
    class Anew(Listed):
        def _page(self, query: Any) -> Any:
            known = str(query.get("cursor", "c")).startswith("c")
            return super()._page(query if known else {})

    run = lists.run(Anew(rows=[job(number) for number in range(rows)]))
    result = the(run, INVALID, "ats/job")
    assert (result.verdict is Verdict.SUSPECT) == found
    assert ("as if the list had been begun anew" in words(run, INVALID, "ats/job")) == found
