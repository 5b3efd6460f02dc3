"""Jobs."""

import pytest
from pydantic import ValidationError

from explorer.catalog.builtin.ats import JOBS, Job, JobQuery


def test_nested_departments_and_what_the_contract_does_not_show() -> None:
    job = Job.model_validate_json('{"departments":[{"id":"1","child_ids":["2"],"x":1}],"hiring_managers":5}')
    assert job.departments[0].child_ids == ["2"]
    assert job.departments[0].model_extra == {"x": 1}
    assert job.hiring_managers == 5


def test_mode_is_one_of_two() -> None:
    assert JobQuery(sync_mode="full", page_size=100).page_size == 100
    with pytest.raises(ValidationError):
        JobQuery.model_validate({"sync_mode": "partial"})


def test_every_field_has_its_column() -> None:
    assert {c.field for c in JOBS.columns} == set(Job.model_fields)
