"""Fields that hold another thing's value: its moment wherever there is one, another field where there is none."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from tests.mirror.quality.checks.test_lineage import FILES, JOBS, bad, files
from tests.mirror.quality.clean_mappings import MOMENT, z

MAILBOXES = "sales-engagement/mailbox"


def mailboxes() -> list[dict[str, Any]]:
    made = []
    for at in range(300):
        born = MOMENT + timedelta(hours=7 * at, seconds=at * 13)
        changed = born + timedelta(days=at % 40 + 1, seconds=at)
        raw = {"_id": f"m{at * 7919:07}", "createdAt": z(born), "updatedAt": z(changed)}
        row = {"id": raw["_id"], "created_at": z(born), "updated_at": z(changed), "raw_data": raw}
        made.append(row)
    return made


def dated(name: str, field: str, days: int) -> list[dict[str, Any]]:
    """The field is another date wherever there is one; each second lies ``days`` after the field's own, or as much
    before.
    """
    made = mailboxes()
    for at, row in enumerate(made):
        if at % 3:
            own = (
                MOMENT
                + timedelta(hours=7 * at, seconds=at * 13)
                + (at % 40 + 1) * timedelta(days=field[0] == "u")
            )
            sign = -1 if days < 0 or (field[0] == "u" and at % 2) else 1
            row["raw_data"][name] = row[field] = z(own + sign * timedelta(days=abs(days), seconds=at))
    return made


@pytest.mark.parametrize(("name", "field"), [("publishedOn", "created_at"), ("lastSyncAt", "updated_at")])
def test_a_moment_is_not_another_ones(name: str, field: str) -> None:
    assert bad(mailboxes(), MAILBOXES) == []
    assert ("mapping.one-source", "another first", field) in bad(dated(name, field, 3), MAILBOXES)


def test_an_earlier_creation_and_a_change_of_its_own_name_may_go_first() -> None:
    assert bad(dated("fileSystemBirth", "created_at", -3), MAILBOXES) == []
    assert bad(dated("contentModified", "updated_at", 3), MAILBOXES) == []


def test_the_later_of_two_is_a_change() -> None:
    made = mailboxes()
    for at, row in enumerate(made):
        if at % 3:
            later = MOMENT + timedelta(hours=7 * at, days=90, seconds=at)
            row["raw_data"]["lastSyncAt"] = row["updated_at"] = z(later)
    assert bad(made, MAILBOXES) == []


def described(*, by_name: bool) -> list[dict[str, Any]]:
    made = files()
    for at, row in enumerate(made):
        row["raw_data"]["summary"] = f"About {at * 31}" if at % 3 == 0 else None
        row["raw_data"]["teaser"] = f"Short {at * 17}"
        row["description"] = row["raw_data"]["summary"] or (
            row["name"] if by_name else row["raw_data"]["teaser"]
        )
        del row["raw_data"]["note"]
    return made


def test_a_description_is_not_the_name() -> None:
    assert bad(described(by_name=False), FILES) == []
    assert ("mapping.made-alike", "another field", "description") in bad(described(by_name=True), FILES)


def test_jobs_that_were_never_published_tell_the_same() -> None:
    made = []
    for at in range(200):
        born = MOMENT + timedelta(hours=7 * at, seconds=at * 13)
        raw = {"id": f"j{at * 7919}", "createdOn": z(born), "publishedOn": z(born) if at % 2 else None}
        made.append({"id": raw["id"], "created_at": raw["publishedOn"] or z(born), "raw_data": raw})
    assert bad(made, JOBS) == []


def owned(name: str) -> list[dict[str, Any]]:
    """Accounts whose owner is another user wherever there is one."""
    rng, made = Random(10), []
    for at in range(300):
        own, first = (f"u{rng.randrange(10**5):05}" for _ in range(2))
        taken = first if at % 3 else None
        raw = {"id": f"a{at * 7919}", "title": f"Acme {at * 31}", "owner": {"id": own}, name: taken}
        made.append({"id": raw["id"], "name": raw["title"], "owner_id": taken or own, "raw_data": raw})
    return made


def test_a_reference_is_not_to_somebody_else_first() -> None:
    found = bad(owned("approved_by"), "crm/account")
    assert ("mapping.one-source", "another first", "owner_id") in found
    assert bad(owned("acting_owner"), "crm/account") == []


def stepping(
    read: Callable[[dict[str, Any]], Any], name: str = "last_seq_number"
) -> list[tuple[str, str, str]]:
    """States of a campaign, of which a number of steps was sent."""
    rng, made = Random(12), []
    for at in range(300):
        raw = {
            "no": f"s{at * 7919}",
            "campaign": {"id": 55_101 + rng.randrange(13) * 11},
            "sent": {name: rng.choice((None, 1, 2, 3, 4, 5))},
        }
        made.append({"id": raw["no"], "sequence_id": str(read(raw)), "raw_data": raw})
    return bad(made, "sales-engagement/sequence_state")


def test_the_number_of_a_step_is_no_id() -> None:
    found = [("mapping.one-source", "a number", "sequence_id")]
    assert stepping(lambda raw: raw["campaign"]["id"]) == []
    assert stepping(lambda raw: raw["sent"]["last_seq_number"] or raw["campaign"]["id"]) == found
    assert stepping(lambda raw: raw["sent"]["step"] or raw["campaign"]["id"], "step") == found
    assert stepping(lambda raw: raw["sent"]["sequence"] or raw["campaign"]["id"], "sequence") == []


def set_by(*path: str) -> list[tuple[str, str, str]]:
    """Accounts whose owner is a value that somebody set."""
    rng, made = Random(14), []
    people = [f"p-{one * 7919:06}" for one in range(9)]
    for at in range(200):
        value = {"referenced_actor_id": rng.choice(people), "created_by_actor": {"id": rng.choice(people)}}
        raw = {"no": f"a{at * 7919}", "title": f"Acme {at * 31}", "values": {"owner": [value]}}
        owner: Any = value
        for one in path:
            owner = owner[one]
        made.append({"id": raw["no"], "name": raw["title"], "owner_id": owner, "raw_data": raw})
    return bad(made, "crm/account")


def test_who_set_a_value_is_not_whom_it_names() -> None:
    assert set_by("referenced_actor_id") == []
    assert set_by("created_by_actor", "id") == [("mapping.one-source", "maker", "owner_id")]
