"""Which checks of earlier runs must be repeated: those that failed, on the connections and lists where they did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from explorer.quality.engine.check import Run
from explorer.quality.engine.every import check_ids
from explorer.quality.engine.run_options import RunOptions


@dataclass(frozen=True, slots=True)
class Again:
    """One connection on which checks are repeated."""

    connection: str
    asked: RunOptions


def failed_of(runs: Sequence[Run], asked: RunOptions | None = None) -> tuple[Again, ...]:
    """The connections with findings, each with the options that repeat only what failed or was suspect, with its
    inputs.

    The inputs in ``asked`` (ids, customer, budget, …) take precedence over those of the earlier run. A check that no
    longer exists is left out.
    """
    made = []
    for run in runs:
        bad = [result for result in (*run.bad, *run.undone) if result.check.id in check_ids()]
        if not bad:
            continue
        alone = all(result.check.alone and result.resource for result in bad)
        resources = dict.fromkeys(r.resource for r in bad) if alone else run.resources
        base = asked or RunOptions()
        told = {name: value for name, value in _told(run.options).items() if not getattr(base, name)}
        only = tuple(dict.fromkeys(result.check.id for result in bad))
        made.append(Again(run.connection, replace(base, resources=tuple(resources), only=only, **told)))
    return tuple(made)


def _told(options: Sequence[str]) -> dict[str, Any]:
    """The inverse of `RunOptions.options`; unknown options are ignored."""
    told: dict[str, Any] = {}
    words = iter(options)
    for word in words:
        name = word.removeprefix("--")
        if word in ("--writes", "--prove", "--quick"):
            told[name] = True
        elif name in ("ids", "properties", "transactions"):
            told[name] = tuple(next(words, "").split(","))
        elif name in ("customer", "connector"):
            told[name] = next(words, "")
    return told
