"""All 18 endpoints against the table written out by hand, and the look-ups."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.catalog import registry
from explorer.catalog.request import fill
from explorer.catalog.spec import Batch, Listing
from tests.mirror.catalog.contract import ENDPOINTS, Endpoint, described, lines

SIDEBAR = [
    ("CRM", [("crm/contact", "Contacts", False), ("crm/account", "Accounts", True)]),
    ("Applicant tracking", [("ats/job", "Jobs", True)]),
    ("File storage", [("file-storage/file", "Files", True), ("file-storage/drive", "Drives", True)]),
    (
        "Sales engagement",
        [
            ("sales-engagement/mailbox", "Mailboxes", True),
            ("sales-engagement/sequence_state", "Sequence states", True),
        ],
    ),
    (
        "Accounting",
        [
            ("accounting/customer-balance", "Customer balance", True),
            ("accounting/customer-income", "Customer income", True),
            ("accounting/payment-receipt", "Payment receipts", True),
        ],
    ),
    (
        "Core",
        [
            ("core/pipeline", "Pipelines", False),
            ("core/connection", "Connection check", False),
            ("core/customer", "Customers", False),
        ],
    ),
    ("Connect", [("connect/magic-link", "Magic link", False)]),
    ("Webhooks", [("webhook", "Send webhook", False)]),
]


def test_the_sidebar_has_every_group_and_entry_in_order() -> None:
    seen = [(v.title, [(r.key, r.title, r.reads) for r in v.resources]) for v in registry.VERTICALS]
    assert seen == SIDEBAR


def test_there_are_eighteen_and_no_more() -> None:
    assert [o.number for o in registry.operations()] == list(range(1, 19))
    assert len({o.key for o in registry.operations()}) == 18


@pytest.mark.parametrize("row", ENDPOINTS, ids=lambda row: f"{row.number}-{row.key}")
def test_endpoint_is_as_the_contract_says(row: Endpoint) -> None:
    one = registry.operation(row.key)
    assert (one.number, one.method, one.path, one.writes) == (row.number, row.method, row.path, row.writes)
    assert type(one).__name__ == row.kind
    assert described(one.path_input) == lines(row.path_input)
    assert described(one.query) == lines(row.query)
    assert (one.body is None) == (row.body is None)
    assert described(one.body) == lines(row.body)
    assert (one.answer is None) == (row.answer is None)
    assert described(one.answer) == lines(row.answer)
    assert (one.answer_is_array, one.bearer, one.free_body) == (row.array, row.bearer, row.free_body)
    assert getattr(one, "entries", "") == row.entries
    if isinstance(one, Listing):
        assert dataclasses.astuple(one.envelope) == row.envelope
        assert one.cursor_param == "cursor"
    else:
        assert row.envelope is None
    if isinstance(one, Listing | Batch):
        assert described(one.record) == lines(row.record)


@pytest.mark.parametrize("row", ENDPOINTS, ids=lambda row: row.key)
@given(
    value=st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda v: v not in (".", ".."))
)
def test_every_filled_address_leads_back_to_its_endpoint(row: Endpoint, value: str) -> None:
    names = [line.split()[0] for line in lines(row.path_input)]
    found = registry.match(row.method.lower(), fill(row.path, dict.fromkeys(names, value)))
    assert found is registry.operation(row.key)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v0/unified/ats/jobs"),
        ("GET", "/v0/unified/ats/job/"),
        ("GET", "/v0/unified/ats/job?cursor=1"),
        ("DELETE", "/v0/unified/ats/job"),
        ("PUT", "/v0/core/customer/"),
        ("PUT", "/v0/core/customer/a/b"),
        ("PUT", "/v0/core/customer/.."),
        ("PUT", "/v0/core/customer/%2e%2E"),
        ("PUT", "/v0/core/customer/."),
        ("POST", "/v0/core/connection/../_check"),
        ("POST", "/v0/core/connection/.%2e/_check"),
        ("POST", "/v1/webhook/a#b"),
    ],
)
def test_what_only_looks_like_an_endpoint_is_none(method: str, path: str) -> None:
    assert registry.match(method, path) is None


def test_a_fixed_segment_wins_over_a_parameter() -> None:
    upsert = registry.match("POST", "/v0/unified/crm/contact/_upsert")
    assert upsert is registry.operation("crm/contact/upsert")
    assert registry.match("PATCH", "/v0/unified/crm/contact/_upsert") is registry.operation(
        "crm/contact/update"
    )
    hidden_dot = registry.match("PUT", "/v0/core/customer/..a")
    assert hidden_dot is registry.operation("core/customer/put")


def test_look_ups() -> None:
    assert [r.key for r in registry.listings()] == [
        "ats/job",
        "file-storage/file",
        "file-storage/drive",
        "sales-engagement/mailbox",
        "sales-engagement/sequence_state",
    ]
    assert registry.listing("ats/job").number == 5
    for key in ("crm/contact", "nothing"):
        with pytest.raises(KeyError):
            registry.listing(key)
    with pytest.raises(KeyError):
        registry.operation("crm/contact")
