"""What `check` has to be told of a service: ids and parameters that no list gives it."""

from __future__ import annotations

from tests.exam.third.engine import World


def options(world: World) -> tuple[str, ...]:
    """Further options of `check` for a sound world; the same for the spoilt one."""
    return ()
