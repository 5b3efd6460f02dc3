"""What a record's model refuses, and which of it running services are known to send."""

from __future__ import annotations

import json

import pytest

from explorer.catalog.builtin.ats import Job
from explorer.catalog.misfits import Misfit, misfits_of


def found(raw: str) -> list[Misfit]:
    return list(misfits_of(Job, raw.encode(), json.loads(raw)))


@pytest.mark.parametrize(
    ("raw", "field", "known"),
    [
        ('{"offices":null}', "offices", True),
        ('{"departments":[{"name":null}]}', "departments[].name", True),
        ('{"name":null}', "name", False),
        ('{"departments":[null]}', "departments[]", False),
        ('{"offices":5}', "offices", False),
    ],
)
def test_a_null_is_known_where_running_services_send_it(raw: str, field: str, known: bool) -> None:
    [one] = found(raw)
    assert (one.field, one.is_known_null) == (field, known)
