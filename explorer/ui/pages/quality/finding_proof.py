"""One finding as it is handed over: its result alone, with the calls and the records that prove it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from explorer.api.exchange import Exchange
from explorer.catalog.spec import NoInput
from explorer.quality.bundle.choice import Chosen, choose_logged
from explorer.quality.bundle.evidence import Evidence
from explorer.quality.engine.check import Result, Run
from explorer.quality.reports.issue import NEIGHBOURS, Subject
from explorer.session import Session
from explorer.session.connection_facts import Learned, connector_of
from explorer.ui.pages.quality.quality_words import whose_words

_CALLS = 5
"""Most calls that the text of a finding repeats."""


def subject_of(
    run: Run,
    result: Result,
    session: Session,
    call: Exchange | None,
    exchange_of: Callable[[Run, int], Exchange | None],
) -> Subject:
    """The result as the subject of an issue. ``call`` is the one that is shown of it; ``exchange_of`` gives those that
    its examples name, where the log still has them.
    """
    numbers = [one.exchange for finding in result.findings for one in finding.examples]
    if not any(one.row for finding in result.findings for one in finding.examples):
        # About pages as a whole: each of them is part of the proof.
        numbers += [number for finding in result.findings for number in finding.exchange]
    calls = [exchange_of(run, number) for number in dict.fromkeys(numbers) if number]
    return Subject(
        call=call,
        run=run,
        result=result,
        address=session.profile.address_for_others,
        whose=whose_words(session.profile),
        connector=connector_of(session, Learned()) if run.connection == session.connection else "",
        calls=[one for one in calls if one is not None][:_CALLS],
        find_rows=partial(_rows_of, run, result, session),
    )


def proof_of(run: Run, result: Result, session: Session, numbers: Sequence[int] = ()) -> tuple[Chosen, ...]:
    """That result alone, with the calls of the log that show it, and those among ``numbers``, the run's own, without
    which its check would not find it again. For a thread.
    """
    alone = run.alone(result)
    examples = (example.exchange for finding in result.findings for example in finding.examples)
    pages = (number for finding in result.findings for number in finding.exchange)
    calls = {number for number in (*examples, *pages, *result.exchanges) if number}
    calls |= {number for number in numbers if _looked_at(result, session, number)}
    return choose_logged((alone,), (sorted(calls),), session)


def _looked_at(result: Result, session: Session, number: int) -> bool:
    """Whether the check of ``result`` looked at that call: one of its own list, where it repeats it from that alone."""
    own = next((one for one in session.registry.resources() if one.key == result.resource), None)
    if own is None or not result.check.alone:
        return True
    if own.listing is not None and own.listing.path_input is not NoInput:
        return True  # the ids in its address are those of other lists
    call = session.exchanges.get(number)
    return call is not None and call.operation in {one.key for one in own.operations}


def _rows_of(run: Run, result: Result, session: Session) -> list[bytes]:
    """The records that the result names, those of its first examples first. For a thread."""
    [chosen] = proof_of(run, result, session)
    evidence = Evidence.of_log(session, [call.id for call in chosen.calls])
    rows: dict[bytes, None] = {}
    examples = {
        (number, place): (finding.rule, example)
        for number, finding in enumerate(result.findings, 1)
        for place, example in enumerate(finding.examples, 1)
    }
    for at in sorted(chosen.rows):
        rule, example = examples.get(at, ("", None))
        away = NEIGHBOURS.get(rule, 0)
        beside = evidence.beside(example, away) if example is not None and away else None
        others = evidence.namesakes(example) if example is not None else []
        for one in (*others, beside, chosen.rows[at]):
            if one is not None:
                rows[one] = None
    return list(rows)
