"""The look-ups: by key, by address, and of one interface alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.catalog.registry import Registry
from explorer.catalog.request import fill
from explorer.catalog.spec import Listing
from tests.builtin import registry
from tests.mirror.catalog.builtin.contract import ENDPOINTS, Endpoint, lines
from tests.other_interface import OTHER


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
    lists = [r for r in registry.resources() if any(isinstance(o, Listing) for o in r.operations)]
    assert list(registry.listings()) == lists
    for one in registry.resources():
        assert registry.resource(one.key) is one
    for operation in registry.operations():
        assert registry.operation(operation.key) is operation
    assert registry.listing("ats/job").number == 5
    assert registry.listed("ats/job") is registry.resource("ats/job")
    assert registry.listed("crm/contact") is None
    for key in ("crm/contact", "nothing"):
        with pytest.raises(KeyError):
            registry.listing(key)
    with pytest.raises(KeyError):
        registry.operation("crm/contact")


def test_each_registry_knows_its_own_interface_alone() -> None:
    other = Registry(OTHER)
    assert other.interface is OTHER
    assert [r.key for r in other.resources()] == ["hr/person"]
    assert other.match("GET", "/people") is other.listing("hr/person")
    assert (other.example_path, registry.example_path) == ("/people", "/v0/unified/ats/job")
    assert other.match("GET", "/v0/unified/ats/job") is None
    assert registry.match("GET", "/people") is None
    with pytest.raises(KeyError):
        other.resource("ats/job")
