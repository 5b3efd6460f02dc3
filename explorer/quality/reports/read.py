"""Reads runs back from their JSON report, as the values that it was made of."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from msgspec import ValidationError, convert

from explorer.quality.baseline.baseline import Standing
from explorer.quality.engine.all_checks import CHECKS
from explorer.quality.engine.check import Check, Finding, Group, Latency, Result, Run, Verdict
from explorer.quality.engine.mapping_result import MappingResult

_STANDINGS = frozenset(map(str, Standing))
FORMAT = "unified-explorer quality run"


class NoReport(ValueError):
    """Raised for a document that is no report of quality runs; the text says why, in a sentence."""


def read_runs(document: bytes) -> list[Run]:
    """The runs of a JSON report, in order. Raises NoReport.

    Fields that a later version added are passed over; a check that is not known any more is made from what the report
    says of it.
    """
    try:
        found = json.loads(document)
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise NoReport("This is not a report of a quality run.")
        return [_run(one) for one in found["runs"]]
    except NoReport:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ValidationError) as error:
        raise NoReport(f"The report cannot be read ({type(error).__name__}).") from None


def read_standings(document: bytes) -> dict[tuple[int, str], str]:
    """How the findings of a report that `read_runs` took stand to its baseline: by run (from 1) and fingerprint.

    Empty where it has none; a standing that is not known is left out.
    """
    made: dict[tuple[int, str], str] = {}
    for place, run in enumerate(json.loads(document)["runs"], 1):
        for result in run["results"]:
            for one in (result, *result.get("findings", ())):
                standing = str(one.get("baseline"))
                if standing in _STANDINGS:
                    made[place, str(one.get("fingerprint"))] = standing
    return made


def _run(made: Mapping[str, Any]) -> Run:
    when = made.get("when", {})
    results = made["results"]
    return Run(
        str(made["profile"]),
        str(made["connection"]),
        tuple(map(str, made["resources"])),
        _moment(when.get("started_at")),
        float(when.get("seconds", 0.0)),
        tuple(_result(one) for one in results),
        int(made["records"]),
        int(made["pages"]),
        tuple(convert({**one, "milliseconds": one["ms"]}, Latency) for one in when.get("latencies", ())),
        tuple(_mapping(one) for one in made.get("mappings", ())),
        str(made.get("stopped", "")),
        tuple(map(str, made["options"]))
        if "options" in made
        else next((_options(str(one["reproduce"])) for one in results if one.get("reproduce")), ()),
        str(made.get("address", "")),
        tuple(map(str, made.get("stored", ()))),
        tuple(map(str, made.get("not_read_whole", ()))),
        tuple(map(str, made.get("broken_off", ()))),
        made.get("quick") is True,
        int(made.get("failure", 0)),
        int(made.get("one_of", 0)),
        *(_moment(when[name]) if when.get(name) else None for name in ("first_at", "ended_at")),
    )


def _moment(text: object) -> datetime:
    made = datetime.fromisoformat(str(text)) if text else datetime.fromtimestamp(0, UTC)
    return made if made.tzinfo else made.replace(tzinfo=UTC)


def _options(command: str) -> tuple[str, ...]:
    """What the checks were told: all that stands behind the check in the command that makes a result again."""
    words = shlex.split(command)
    return tuple(words[words.index("--only") + 2 :]) if "--only" in words else ()


_KNOWN = {check.id: check for check in CHECKS}


def _check(made: Mapping[str, Any]) -> Check:
    found = _KNOWN.get(str(made["check"]))
    if found is not None and found.sentence == made["sentence"]:
        return found
    return Check(str(made["check"]), cast("Group", str(made["group"])), str(made["sentence"]))


def _result(made: Mapping[str, Any]) -> Result:
    seen = made["seen"] if "seen" in made else made.get("when", {}).get("seen", "")
    # Reports that say no verdict of a finding mean that of its result.
    findings = [{"verdict": made["verdict"], **one} for one in made.get("findings", ())]
    return Result(
        _check(made),
        str(made["resource"]),
        Verdict(made["verdict"]),
        str(seen),
        int(made["measured"]),
        int(made["affected"]),
        convert(findings, tuple[Finding, ...]),
        convert(made.get("exchange", ()), tuple[int, ...]),
    )


def _mapping(made: Mapping[str, Any]) -> MappingResult:
    sources = [{**one, "paths": one["from"]} for one in made.get("fields", ())]
    return convert({**made, "sources": sources}, MappingResult)
