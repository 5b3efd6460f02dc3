"""What Home says: the one sentence that matters most, what is there, and what can be done; nothing of it guessed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from explorer.quality.compare.since import Since
from explorer.session import PullInfo, PullKey, Standing
from explorer.session.connection_facts import Health, Learned, Shown
from explorer.store.values import ChangeCounts
from explorer.ui.own_pages import RUNS
from explorer.ui.pages.home.home_state import Act, HomeFacts, HomeState, Line, state_of
from explorer.ui.pages.home.last_run import LastRun, Worst
from explorer.words import near_time
from tests.builtin import registry

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
FRIDAY, MORNING = NOW - timedelta(days=2, hours=3), NOW - timedelta(hours=3)
VERTICALS = registry.interface.verticals
RUN = LastRun(
    MORNING, "Usable with care: 7 jobs do not fit.", (2, 5, 58), "4,812 records", {"ats/job": "fails"}
)
LISTS = [resource.key for resource in registry.listings()]


def pull(rows: int, at: datetime = MORNING, state: Any = "complete", key: str = "ats/job") -> PullInfo:
    place = PullKey("conn_1", "https://x", key, "{}")
    return PullInfo(1, place, state, "", 1, rows, 1000, None, at, at, settled=True)


def jobs(now: int, before: int | None = None, **states: Any) -> dict[str, Standing]:
    previous = pull(before, FRIDAY, states.get("then_state", "complete")) if before is not None else None
    front = pull(now, state=states.get("now_state", "complete"))
    return {"ats/job": Standing.of([front] if previous is None else [previous, front])}


def home(**given: Any) -> HomeState:
    return state_of(HomeFacts(**{"verticals": VERTICALS, "now": NOW, "probed": frozenset(LISTS), **given}))


def line(state: HomeState, key: str = "ats/job") -> Line:
    return next(one for group in state.groups for one in group.lines if one.key == key)


def shown(**has: bool | None) -> Learned:
    keys = {name.replace("__", "/").replace("_", "-"): value for name, value in has.items()}
    return Learned(
        tuple(Shown(key, MORNING, value, "" if value else "answered 501") for key, value in keys.items())
    )


def test_what_does_not_fit_and_what_is_observed_are_two_counts() -> None:
    def said(unfit: int | None, observed: int | None) -> str:
        front = replace(pull(4812), unfit=unfit, observed=observed)
        return line(home(stored={"ats/job": Standing.of([front])})).fit

    assert said(3, 616) == "3 do not fit the contract, 616 with usual nulls"
    assert said(1, 0) == "1 does not fit the contract"
    assert said(0, 616) == "616 with usual nulls"
    assert said(0, 0) == said(None, None) == ""


def test_what_was_pulled_with_other_parameters_stands_beside_all_of_it() -> None:
    params = '{"query": [["sync_mode", "incremental"]], "extra": []}'
    later = replace(pull(12, NOW), key=PullKey("conn_1", "https://x", "ats/job", params))
    found = line(home(stored=jobs(4812, 4801), beside={"ats/job": later}))
    assert found.rows == "4,812 + 12"
    said = "Pulled with other parameters: sync_mode incremental, 12 rows, complete, today"
    assert found.beside.startswith(said)
    assert said in found.spoken
    earlier = replace(later, updated_at=FRIDAY)
    assert line(home(stored=jobs(4812), beside={"ats/job": earlier})).rows == "4,812"


BAD = Health(False, MORNING, "Not reachable", "Nothing answers at x.", "Check the address.", before=FRIDAY)
WORSE = replace(RUN, before=FRIDAY, worse=("ats/job",))


def test_what_is_not_there_is_not_tried_again() -> None:
    refused = Shown("crm/account/batch_read", MORNING, None, "answered 424")
    gone = Shown("ats/job", MORNING, False, "answered 400", whole=True)
    learned = Learned((gone, refused), replace(BAD, word="Credentials refused"))
    state = home(learned=learned, probed=frozenset({*LISTS, "crm/account"}))
    assert line(state).has.state == "no"
    assert state.sentence.act == Act("Try Accounts again", "try", "crm/account")


def test_what_matters_most_comes_first() -> None:
    """Each is told only where nothing before it is to be told."""
    everything: dict[str, Any] = {"learned": Learned(health=BAD), "run": WORSE, "stored": jobs(4772, 4812)}
    said = []
    for gone in ("", "learned", "run", "stored"):
        everything.pop(gone, None)
        said.append(home(**everything).sentence.title)
    assert said == [
        f"Not reachable since {near_time(MORNING, NOW)}.",
        f"Jobs came out worse than on {FRIDAY.astimezone():%d %b %H:%M}.",
        f"Jobs: 40 rows fewer than {FRIDAY.astimezone():%d %b %H:%M}.",
        "Nothing pulled yet.",
    ]


@pytest.mark.parametrize(
    ("verdicts", "title"),
    [
        ({"ats/job": "suspect", "file-storage/drive": "holds"}, "Suspect: Jobs."),
        ({"ats/job": "suspect", "file-storage/drive": "fails"}, "Fails: Drives."),
        ({}, f"Checked {near_time(MORNING, NOW)}: 4,812 records."),
    ],
)
def test_without_a_pull_the_last_run_is_told(verdicts: dict[str, Any], title: str) -> None:
    said = home(run=replace(RUN, verdicts=verdicts)).sentence
    assert (said.title, said.text) == (title, RUN.sentence)
    assert said.act == Act("Open the run", "open", RUNS.key)


FOUND = Worst(
    "ats/job",
    "records.nulls",
    "fails",
    "departments is null (12 of 1,189 records)",
    MORNING,
    "20 suspect",
    0,
)


def test_the_worst_finding_comes_first_and_what_changed_behind_it() -> None:
    run = replace(WORSE, worst=FOUND)
    said = home(run=run, stored=jobs(4772, 4812)).sentence
    assert said.title == "Jobs: departments is null (12 of 1,189 records)."
    found, worse, changed = said.text.split(". ")
    assert found == f"Fails in the run of {near_time(MORNING, NOW)}, with 20 suspect"
    assert worse == f"Jobs came out worse than on {FRIDAY.astimezone():%d %b %H:%M}"
    assert changed == f"Jobs: 40 rows fewer than {FRIDAY.astimezone():%d %b %H:%M}."
    assert said.act == Act("Show the finding", "finding", "ats/job")
    assert (said.further, said.bad) == (Act("Look at the changes", "compare", "ats/job"), True)


def test_a_finding_alone_says_no_more_than_that() -> None:
    alone = replace(FOUND, resource="", verdict="suspect", others="", sentence="The key is in an address")
    said = home(run=replace(RUN, worst=alone), stored=jobs(4812)).sentence
    assert said.title == "The key is in an address."
    assert said.text == f"Suspect in the run of {near_time(MORNING, NOW)}."
    assert (said.further, said.bad) == (None, False)
    assert home(run=replace(RUN, worst=FOUND), learned=Learned(health=BAD)).sentence.title.startswith(
        "Not reachable"
    )


def test_a_list_that_is_not_there_holds_nothing() -> None:
    state = home(run=replace(RUN, verdicts={"ats/job": "holds"}), learned=shown(ats__job=False))
    assert (line(state).has.state, line(state).verdict) == ("no", "")


@pytest.mark.parametrize(
    ("stored", "title", "since"),
    [
        (jobs(4772, 4812), "Jobs: 40 rows fewer than", "4,812 → 4,772"),
        (jobs(4812, 4801), "Jobs: 11 rows more than", "4,801 → 4,812"),
        (jobs(4812, 4812), "Jobs: 4,812 rows, as many as", "4,812 → 4,812"),
        (jobs(4812), "4,812 rows of 1 list stored.", ""),
        (jobs(700, 4812, now_state="stopped"), "700 rows of 1 list stored.", ""),
        (jobs(700, 12, then_state="ready"), "700 rows of 1 list stored.", ""),
    ],
)
def test_rows_are_compared_only_where_both_pulls_are_complete(
    stored: dict[str, Standing], title: str, since: str
) -> None:
    state = home(stored=stored)
    assert state.sentence.title.startswith(title)
    assert line(state).since == since
    wanted = Act("Look at the changes", "compare", "ats/job") if since else None
    assert state.sentence.act == wanted


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (ChangeCounts(14, 3, 171), "3 gone · 171 changed · 14 new"),
        (ChangeCounts(0, 0, 171), "171 changed"),
        (ChangeCounts(0, 0, 0), "no change"),
    ],
)
def test_what_changed_takes_the_place_of_rows_once_it_is_known(counts: ChangeCounts, said: str) -> None:
    stored = jobs(4812, 4801)
    before, front = stored["ats/job"].previous, stored["ats/job"].front
    assert before is not None
    assert front is not None
    state = home(stored=stored, changes={front.id: Since(front, before, counts)})
    assert line(state).since == said
    assert state.sentence.title == f"Jobs: {said} since {near_time(FRIDAY, NOW)}."
    wanted = Act("Look at the changes", "compare", "ats/job") if any(counts) else None
    assert state.sentence.act == wanted
    other = home(stored=stored, changes={front.id + 1: Since(front, before, counts)})
    assert line(other).since == "4,801 → 4,812", "it was of another pull"


def test_a_list_that_lost_rows_comes_before_one_that_won_more() -> None:
    drives = {"file-storage/drive": Standing.of([pull(10, FRIDAY), pull(900)])}
    state = home(stored={**jobs(4811, 4812), **drives})
    assert state.sentence.title.startswith("Jobs: 1 row fewer")


@pytest.mark.parametrize(
    ("health", "act"),
    [
        (BAD, Act("Try Jobs again", "try", "ats/job")),
        (replace(BAD, word="Key refused", refused=True), Act("Connection settings…", "profile")),
        (replace(BAD, word="Redirected"), Act("Connection settings…", "profile")),
    ],
)
def test_a_connection_that_fails_says_what_to_do_and_keeps_its_table(health: Health, act: Act) -> None:
    state = home(learned=Learned(health=health), stored=jobs(4812))
    assert state.sentence.text == "Nothing answers at x. Check the address."
    assert state.sentence.act == act
    assert state.badge == (f"{health.word} since {near_time(MORNING, NOW)}", "fails")
    assert line(state).rows == "4,812"


def test_since_when_nobody_knows_where_it_never_went_well() -> None:
    state = home(learned=Learned(health=replace(BAD, before=None)))
    assert state.sentence.title == f"Not reachable, first seen {near_time(MORNING, NOW)}."
    assert state.badge == (f"Not reachable, first seen {near_time(MORNING, NOW)}", "fails")


def test_what_was_asked_is_tried_again() -> None:
    asked = Shown("file-storage/drive", MORNING, None, "answered 424")
    state = home(learned=Learned(shown=(asked,), health=BAD))
    assert state.sentence.act == Act("Try Drives again", "try", "file-storage/drive")


def test_health_and_connector_are_said_only_as_answers_showed_them() -> None:
    assert home().badge == ("Not read yet", "plain")
    assert home().connector == "Connector unknown"
    good = home(learned=Learned(health=Health(True, FRIDAY)), connector="greenhouse")
    assert (good.badge, good.since) == (
        ("Last read went well", "holds"),
        f"since {near_time(FRIDAY, NOW)}",
    )
    assert good.connector == "greenhouse"


def test_what_is_there_comes_first_then_what_is_not_known_then_what_is_not() -> None:
    state = home(learned=shown(file_storage__drive=False, sales_engagement__mailbox=True), stored=jobs(4812))
    lists = state.groups[0]
    assert (lists.title, lists.words) == ("Lists", "2 of 6 here")
    assert [one.has.state for one in lists.lines] == ["yes", "yes", "open", "open", "open", "no"]
    assert lists.lines[-1].key == "file-storage/drive"
    assert [group.title for group in state.groups] == ["Lists", "Reports", "Operations"]
    assert state.groups[1].words == "not known yet"
    nothing = Learned(tuple(Shown(o.key, MORNING, False) for o in registry.operations()))
    assert {group.words for group in home(learned=nothing).groups} == {"none here"}
    assert sum(len(group.lines) for group in state.groups) == len(registry.resources())
    assert state.counts == "2 here · 1 not here · 12 not known"


def test_try_reads_and_a_page_that_writes_is_only_opened() -> None:
    state = home(learned=shown(ats__job=True))
    assert line(state).link == ""
    assert line(state, "file-storage/file").link == "Try"
    assert line(state, "core/pipeline").link == "Try…"
    assert (state.tries, state.tries_words) == (
        tuple(k for k in LISTS if k != "ats/job"),
        "Try 4 of the 5 lists (4 calls)",
    )
    assert state.tries_tip.endswith("Accounts is only opened: no read asks for it.")
    trying = home(trying=frozenset(["ats/job"]))
    assert (line(trying).link, line(trying).has_words) == ("", "Trying…")
    assert "ats/job" not in trying.tries


def test_where_every_list_can_be_tried_the_link_says_so() -> None:
    batch = Shown("crm/account/batch_read", MORNING, True)
    assert line(home(learned=Learned((batch,))), "crm/account").link == ""
    assert home(learned=Learned((batch,))).tries_words == "Try the 5 lists (5 calls)"
    few = Learned((batch, *(Shown(key, MORNING, True) for key in LISTS[1:])))
    assert home(learned=few).tries_words == "Try the list (1 call)"
    asked = Learned((batch, Shown(LISTS[0], MORNING, None, "answered 429")))
    said = home(learned=asked)
    assert said.tries_words == "Try 4 of the 5 lists (4 calls)"
    assert said.tries_tip.endswith("Jobs was asked already: answered 429.")


def test_what_was_asked_without_an_answer_is_not_known_and_not_tried_in_passing() -> None:
    state = home(learned=Learned((Shown("ats/job", MORNING, None, "answered 429"),)))
    assert line(state).has_words == "Not known · answered 429"
    assert line(state).link == "Try"
    assert "ats/job" not in state.tries


def test_what_to_do_first() -> None:
    assert home().sentence.act == Act("Open Jobs", "open", "ats/job")
    assert home(learned=shown(file_storage__drive=True)).sentence.act == Act(
        "Open Drives", "open", "file-storage/drive"
    )
    lacks_jobs = home(learned=shown(ats__job=False))
    assert lacks_jobs.sentence.act == Act("Open Files", "open", "file-storage/file")
    assert home().run == home(stored=jobs(3)).run == "Run quick"
    assert home(run_calls="80 to 120 calls").run == "Run quick (80 to 120 calls)"
    assert home().check == Act("Check connection…", "open", "core/connection")
    assert state_of(HomeFacts(())).sentence.act is None


def test_the_verdict_of_the_last_run_stands_in_its_line() -> None:
    state = home(run=RUN, stored=jobs(4772, 4812))
    assert line(state).verdict == "fails"
    assert line(state, "file-storage/file").verdict == ""
    assert line(state).spoken == (
        f"Jobs, has it: yes, 4,772 rows stored, last pull {near_time(MORNING, NOW)}, "
        "rows before and now 4,812 → 4,772, verdict fails"
    )
    assert line(home(learned=shown(ats__job=False))).spoken == "Jobs, has it: no, answered 501"
    assert line(home()).spoken == "Jobs, has it: not tried yet"


def test_groups_stay_folded() -> None:
    assert [group.open for group in home(folded=frozenset(["Reports"])).groups] == [True, False, True]


def test_the_sandbox_says_how_to_come_to_data_of_ones_own() -> None:
    assert "make a profile" in home(sandbox=True).sentence.text
    assert "make a profile" not in home().sentence.text


def test_days_are_said_so_that_they_stay_true() -> None:
    noon = datetime(2026, 11, 22, 12).astimezone()
    assert near_time(noon.replace(hour=9), noon) == "today 09:00"
    assert near_time(noon - timedelta(days=1), noon) == "yesterday 12:00"
    assert near_time(noon - timedelta(days=2), noon) == "20 Nov 12:00"
    assert near_time(noon + timedelta(days=1), noon) == "23 Nov 12:00"


def test_a_list_that_was_not_tried_holds_nothing() -> None:
    state = home(run=replace(RUN, verdicts={"ats/job": "holds"}))
    assert (line(state).has_words, line(state).verdict) == ("Not tried yet", "")
