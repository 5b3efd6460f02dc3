"""Accepted findings: what is new, grown, expired, known and fixed, and what an update and a pruning make of them."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace
from datetime import date
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.baseline.baseline import Accepted, Baseline, Standing, since_words
from explorer.quality.engine.all_checks import CHECKS
from explorer.quality.engine.check import Check, Example, Finding, Result, Run, Verdict
from explorer.quality.engine.identity import Identity
from explorer.quality.reports.report import report_of
from tests.builtin import registry
from tests.mirror.quality.made import ENDS, TYPES, made_run

DAY = date(2026, 11, 20)
NULL = Identity("records.types", "ats/job", "null", "name")
TEXT = Identity("records.types", "ats/job", "text", "size")
ENDLESS = Identity("paging.ends", "ats/job", "", "")


def accepted(identity: Identity = NULL, at_most: int = 12, of: int = 4_000, **fields: object) -> Accepted:
    return replace(Accepted(identity, at_most, of, DAY, DAY), **fields)  # type: ignore[arg-type]


def baseline(*ones: Accepted) -> Baseline:
    return Baseline({one.identity: one for one in ones})


def result(
    *found: tuple[str, str, int],
    check: Check = TYPES,
    measured: int = 4_000,
    verdict: Verdict = Verdict.FAILS,
) -> Result:
    findings = tuple(Finding(rule, field, "It is odd", count) for rule, field, count in found)
    return Result(check, "ats/job", verdict, "It is odd", measured, sum(f.count for f in findings), findings)


def run(*results: Result, **fields: object) -> Run:
    return replace(made_run(), results=results, mappings=(), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("count", "looked_at", "standing"),
    [
        (12, 4_000, Standing.KNOWN),
        (1, 4_000, Standing.KNOWN),
        (13, 4_000, Standing.GROWN),
        (12, 400, Standing.KNOWN),  # no more of them, in a shorter list
        (24, 8_000, Standing.KNOWN),  # the same share of a longer list
        (25, 8_000, Standing.GROWN),
        (4_000, 4_000, Standing.GROWN),
    ],
)
def test_the_ceiling_holds_in_number_or_in_share(count: int, looked_at: int, standing: Standing) -> None:
    assert baseline(accepted()).standing(NULL, count, looked_at, DAY) is standing


def test_an_acceptance_ends_with_its_last_day() -> None:
    made = baseline(accepted(expires=date(2026, 11, 20)))
    assert made.standing(NULL, 1, 10, date(2026, 11, 20)) is Standing.KNOWN
    assert made.standing(NULL, 1, 10, date(2026, 11, 21)) is Standing.EXPIRED
    assert made.standing(TEXT, 1, 10, DAY) is Standing.NEW


def test_each_finding_of_a_result_has_its_own_standing() -> None:
    report = report_of([run(result(("null", "name", 13), ("text", "size", 1)))], baseline(accepted(TEXT)))
    assert {one.identity: one.standing for one in report.found} == {NULL: Standing.NEW, TEXT: Standing.KNOWN}
    assert report.standings == {"new": 1, "grown": 0, "expired": 0, "known": 1, "fixed": 0}
    [line] = report.sections[0].bad
    assert (line.standing, line.standing_words) == (Standing.NEW, "1 new · 1 known")


def test_findings_of_one_identity_count_together() -> None:
    found = result(("row 3", "", 1), ("row 9", "", 1), measured=4)
    one = Identity("records.types", "ats/job", "row", "")
    [first, second] = report_of([run(found)], baseline(accepted(one, 1, 4))).found
    assert (first.standing, second.standing) == (Standing.GROWN, Standing.GROWN)


def test_what_is_only_observed_is_not_judged() -> None:
    observed = Finding("new value", "type", "It is new", 3, (), Verdict.OBSERVED)
    bad = result(("null", "name", 1))
    report = report_of([run(replace(bad, findings=(*bad.findings, observed)))], baseline())
    assert [one.identity for one in report.found] == [NULL]
    assert report.standings["new"] == 1


def test_a_bad_result_is_a_finding_whatever_its_own_findings_say() -> None:
    observed = Finding("new value", "type", "It is new", 3, (), Verdict.OBSERVED)
    bad = Result(TYPES, "ats/job", Verdict.SUSPECT, "odd", 9, 3, (observed,))
    for accepted_ in (None, baseline()):
        [one] = report_of([run(bad)], accepted_).found
        assert (one.verdict, one.identity.rule) == (Verdict.SUSPECT, "new value")


def test_a_result_without_findings_of_its_own_is_one() -> None:
    endless = Result(ENDS, "ats/job", Verdict.SUSPECT, "it never ends", 3, 1)
    assert report_of([run(endless)], baseline()).found[0].identity == ENDLESS
    assert report_of([run(endless)], baseline(accepted(ENDLESS))).standings["known"] == 1


HOLDS = Result(TYPES, "ats/job", Verdict.HOLDS, "", 4_000)
SKIPPED = Result(TYPES, "ats/job", Verdict.SKIPPED, "no record came")
FOUND = result(("null", "name", 1))


@pytest.mark.parametrize(
    ("runs", "fixed"),
    [
        ([run(HOLDS)], True),
        ([run(result(("text", "size", 1)))], True),
        ([run(replace(HOLDS, verdict=Verdict.OBSERVED))], True),
        ([run(HOLDS, partial=("crm/account",))], True),
        ([run(HOLDS), run(HOLDS)], True),
        ([run(SKIPPED)], False),
        ([run(replace(SKIPPED, seen="could not be done: x"))], False),
        ([run()], False),
        ([run(replace(HOLDS, resource="crm/account"))], False),
        ([run(HOLDS, stopped="the budget of 5 records is used up")], False),
        ([run(HOLDS, stored=("400 rows",))], False),
        ([run(HOLDS, partial=("ats/job",))], False),
        ([run(FOUND)], False),
        ([run(HOLDS), run(FOUND)], False),
        ([run(HOLDS), run(SKIPPED)], False),
        ([run(SKIPPED), run(HOLDS)], False),
        ([run(HOLDS), run(HOLDS, stopped="It was stopped.")], False),
        ([run(HOLDS), run()], True),
    ],
)
def test_fixed_is_what_was_looked_for_everywhere_and_found_nowhere(runs: list[Run], fixed: bool) -> None:
    report = report_of(runs, baseline(accepted()))
    assert [one.identity for one in report.fixed] == [NULL] * fixed
    assert report.standings["fixed"] == fixed


def test_a_check_about_the_connection_needs_every_list_whole() -> None:
    about = Identity("records.types", "", "null", "name")
    whole = replace(HOLDS, resource="")
    assert report_of([run(whole)], baseline(accepted(about))).fixed
    assert not report_of([run(whole, partial=("ats/job",))], baseline(accepted(about))).fixed


def test_a_run_that_read_a_list_in_part_says_so_unless_a_finding_does() -> None:
    [section] = report_of([run(HOLDS, partial=("ats/job",))]).sections
    assert section.unjudged == ["ats/job was not read to its end"]
    endless = Result(ENDS, "ats/job", Verdict.FAILS, "it never ends", 3, 1)
    [section] = report_of([run(HOLDS, endless, partial=("ats/job",))]).sections
    assert section.unjudged == []
    [section] = report_of([run(HOLDS, stopped="It was stopped")]).sections
    assert section.unjudged == ["it ended early: it was stopped"]


def test_of_200_accepted_and_50_added_exactly_the_50_are_new_over_100_shuffles() -> None:
    luck = random.Random(5)
    lists = [resource.key for resource in registry.listings()]
    every = luck.sample([*product(CHECKS, lists, ("null", "text", "twice"), ("id", "name"))], 250)
    old, added = every[:200], every[200:]

    def shuffled(seeded: list[tuple[Check, str, str, str]]) -> Run:
        groups: dict[tuple[Check, str], list[Finding]] = defaultdict(list)
        for check, resource, rule, name in luck.sample(seeded, len(seeded)):
            place = Example(
                luck.randrange(1, 9), luck.randrange(1, 999), luck.randrange(99), str(luck.random())
            )
            groups[check, resource].append(Finding(rule, name, f"{luck.random()}", 3, (place,)))
        results = (
            Result(check, resource, Verdict.FAILS, "", 90, 3 * len(found), tuple(found))
            for (check, resource), found in groups.items()
        )
        return run(*results, connection=f"conn_{luck.random()}")

    first = report_of([shuffled(old)], baseline())
    made = baseline().updated(((one.identity, one.count, one.looked_at) for one in first.found), DAY)
    assert len(made.accepted) == 200
    wanted = {Identity(check.id, resource, rule, name) for check, resource, rule, name in added}
    for _ in range(100):
        report = report_of([shuffled(every)], made)
        assert {one.identity for one in report.found if one.standing is Standing.NEW} == wanted
        assert report.standings == {"new": 50, "grown": 0, "expired": 0, "known": 200, "fixed": 0}


def test_an_update_adds_and_raises_and_leaves_what_people_wrote() -> None:
    later = date(2026, 12, 1)
    before = baseline(
        accepted(reason="they mend it", ticket="CRM-12", expires=DAY), accepted(ENDLESS, reason="old")
    )
    made = before.updated([(NULL, 40, 4_000), (TEXT, 2, 10)], later).accepted
    assert made[NULL] == replace(before.accepted[NULL], at_most=40, last_seen=later)
    assert made[TEXT] == Accepted(TEXT, 2, 10, later, later)
    assert made[ENDLESS] == before.accepted[ENDLESS]
    lower = before.updated([(NULL, 3, 4_000)], later).accepted[NULL]
    assert (lower.at_most, lower.of) == (12, 4_000)


def test_a_pruning_takes_out_what_is_fixed_alone() -> None:
    made = baseline(accepted(), accepted(TEXT))
    assert made.without([accepted()]).accepted.keys() == {TEXT}


def test_of_several_connections_the_most_frequent_gives_the_ceiling() -> None:
    seen = [(NULL, 10, 100), (NULL, 20, 400), (NULL, 20, 500)]
    [made] = baseline().updated(seen, DAY).accepted.values()
    assert (made.at_most, made.of) == (20, 500)


counts = st.integers(1, 50).flatmap(lambda n: st.tuples(st.just(NULL), st.just(n), st.integers(n, 500)))


@given(st.lists(counts, min_size=1, max_size=6), st.data())
def test_after_an_update_all_is_known_whatever_the_order_of_connections(
    seen: list[tuple[Identity, int, int]], data: st.DataObject
) -> None:
    before = data.draw(st.sampled_from([baseline(), baseline(accepted(at_most=3, of=40))]))
    made = before.updated(seen, DAY)
    assert made == before.updated(data.draw(st.permutations(seen)), DAY)
    assert {made.standing(*one, DAY) for one in seen} == {Standing.KNOWN}
    assert made.updated(seen, DAY) == made


def test_accepting_keeps_what_is_there_and_says_why_and_until_when() -> None:
    before = baseline(accepted(reason="known", ticket="CRM-12", expires=DAY))
    made = before.accepting([(NULL, 20, 4_000), (TEXT, 1, 9)], date(2026, 11, 24), "they mend it").accepted
    assert made[NULL] == accepted(
        at_most=20, reason="they mend it", ticket="CRM-12", last_seen=date(2026, 11, 24)
    )
    assert (made[TEXT].at_most, made[TEXT].of, made[TEXT].reason) == (1, 9, "they mend it")
    assert before.accepting([(NULL, 1, 4_000)], DAY).accepted[NULL].reason == "known"


def test_what_several_have_in_common_is_said_once_with_one_form_of_days() -> None:
    day, end = date(2026, 11, 20), date(2026, 12, 1)
    one = Accepted(NULL, 12, 4000, day, day, "they mend it", "CRM-12", end)
    two = replace(one, at_most=3)
    words = "since 20 Nov 2026, at most 12 of 4,000 and 3 of 4,000, until 1 Dec 2026, they mend it (CRM-12)"
    assert since_words([one, two, one]) == words
    assert since_words([one, replace(two, reason="other", ticket="", expires=None)]) == (
        "since 20 Nov 2026, at most 12 of 4,000, until 1 Dec 2026, they mend it (CRM-12)"
        " · since 20 Nov 2026, at most 3 of 4,000, other"
    )
