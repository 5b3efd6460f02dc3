"""What `check` has to be told of a service: ids and parameters that no list gives it."""

from __future__ import annotations

from tests.exam.third.engine import ACCOUNT, World
from tests.exam.third.shapes_books import CUSTOMERS


def options(world: World) -> tuple[str, ...]:
    """Further options of `check` for a sound world; the same for the spoilt one."""
    if rows := world.lists.get(ACCOUNT):
        ids = ",".join(row["id"] for row in rows)
        return "--ids", ids, "--properties", ",".join(rows[0]["raw_data"])
    return ("--customer", CUSTOMERS[0]) if world.reports else ()
