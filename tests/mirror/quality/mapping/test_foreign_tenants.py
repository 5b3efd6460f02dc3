"""Records whose raw data names another workspace than the rest of the list."""

from __future__ import annotations

from typing import Any

import pytest

from tests.mirror.quality.checks.test_lineage import bad, files

FOUND = [("mapping.made-alike", "another tenant", "id")]
OURS, OTHER = "5f0c7b1e", "c2a1d7e4"


def rows(where: str, every: int) -> list[dict[str, Any]]:
    """One record of ``every`` is of another workspace; 0: none."""
    made = files(200)
    for at, row in enumerate(made):
        value = OTHER if every and at % every == 7 else OURS
        outer, _, inner = where.rpartition("/")
        row["raw_data"] |= {outer: {inner: value}} if outer else {inner: value}
    return made


@pytest.mark.parametrize("where", ["workspace_id", "scope/workspaceId", "tenant/id", "portalId"])
@pytest.mark.parametrize("every", [20, 150])
def test_a_few_records_of_another_workspace_are_named(where: str, every: int) -> None:
    assert bad(rows(where, every)) == FOUND
    assert bad(rows(where, 0)) == []


@pytest.mark.parametrize("where", ["parent_workspace_id", "organization_id", "workspace/name", "hub_count"])
def test_what_is_not_whose_a_record_is_says_nothing(where: str) -> None:
    assert bad(rows(where, 20)) == []


def test_several_workspaces_of_one_account_and_records_that_say_whose_they_are_are_none() -> None:
    assert bad(rows("workspace_id", 8)) == []
    told = rows("workspace_id", 20)
    for row in told:
        row["drive_id"] = row["raw_data"]["workspace_id"]
    assert not {"another tenant"} & {rule for _, rule, _ in bad(told)}
