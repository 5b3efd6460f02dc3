"""The mapping that is found by value against the true one of every third party: precision and recall.

A source counts as right when it is the true path or cannot be told from it by value (it holds the same in every
record). Where the true source is a whole object from which parts are taken, a path below it is right too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from explorer.quality.mapping.search import Found, sources
from explorer.sandbox.mapping import MAPPINGS, Source
from explorer.sandbox.process import SandboxProcess
from tests.flow.quality_runs import quick_sandbox
from tests.flow.runs import rows_as_sent

LISTS = {
    "job": "ats/job",
    "file": "file-storage/file",
    "drive": "file-storage/drive",
    "mailbox": "sales-engagement/mailbox",
    "sequence_state": "sales-engagement/sequence_state",
}
# The connections that are to one third party lack these; the larger ones have them.
ELSEWHERE = {("mailbox", "apollo"): "flaky"}
SALESFORCE = (
    "Name IsDeleted Website Industry NumberOfEmployees OwnerId CreatedDate Description LastActivityDate "
    "BillingStreet BillingCity BillingState BillingPostalCode BillingCountry ShippingStreet ShippingCity "
    "ShippingState ShippingPostalCode ShippingCountry Phone Fax LastModifiedDate"
)
HUBSPOT = (
    "name domain industry numberofemployees hubspot_owner_id createdate description notes_last_updated address "
    "address2 city state zip country phone lifecyclestage hs_lastmodifieddate"
)
ACCOUNTS = {
    "salesforce": ([f"001SB{n:010d}AAA" for n in range(1, 41)], SALESFORCE.split()),
    "hubspot": ([str(8_000_000_000 + n) for n in range(1, 41)], HUBSPOT.split()),
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    with quick_sandbox() as process:
        yield process


def records(sandbox: SandboxProcess, resource: str, party: str) -> list[dict[str, Any]]:
    connection = f"conn_sandbox_{ELSEWHERE.get((resource, party), party)}"
    if resource in LISTS:
        return [json.loads(row) for row in rows_as_sent(sandbox, LISTS[resource], connection)]
    ids, properties = ACCOUNTS[party]
    answer = httpx.post(
        f"{sandbox.base_url}/v0/unified/crm/account/_batch_read",
        json={"ids": ids, "properties": properties},
        headers={"x-apikey": sandbox.apikey, "x-connection-id": connection},
        trust_env=False,
    )
    found: list[dict[str, Any]] = answer.json()
    return found


def is_right(true: Source, found: Found) -> bool:
    parts = true.path in ("", "/properties")
    return any(path == true.path or (parts and path.startswith(true.path)) for path in found.paths)


def test_the_true_mapping_is_found(sandbox: SandboxProcess) -> None:
    to_find = said = right = first = 0
    wrong = []
    for (resource, party), true in MAPPINGS.items():
        if resource == "contact":  # contacts are written and never listed
            continue
        rows = records(sandbox, resource, party)
        found = sources(rows[:150], "raw_data")
        filled = {n for row in rows for n, value in row.items() if value not in (None, "", [], {})}
        said += len(found)
        for name in filled & set(true):
            to_find += 1
            one = found.get(name)
            if one is not None and is_right(true[name], one):
                right += 1
                first += is_right(true[name], Found(one.paths[:1], one.how, one.support))
            else:
                wrong.append(f"{resource} of {party}: {name} from {true[name].path}, found {one}")
    precision, recall = right / said, right / to_find
    print(f"\n{to_find} fields, {said} found, {right} right: precision {precision:.3f}, recall {recall:.3f}")
    print(f"the first path alone is right in {first}")
    assert to_find > 130
    assert precision >= 0.95, wrong
    assert recall >= 0.95, wrong
    assert first / said >= 0.95, wrong


def test_a_mapping_that_is_shuffled_is_not_found(sandbox: SandboxProcess) -> None:
    """Chance matches fall out: beside another record's raw_data nothing is explained, or next to nothing."""
    rows = records(sandbox, "job", "ashby")
    shuffled = [
        {**row, "raw_data": rows[(at * 7 + 3) % len(rows)]["raw_data"]} for at, row in enumerate(rows)
    ]
    found = sources(shuffled, "raw_data")
    assert not set(found) & {"id", "name", "created_at", "modified_at", "departments", "recruiters"}, found
