"""What is chosen to begin with: two states of one list and one connection, else no pair."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from explorer.quality.compare.names import AtHand
from explorer.store.store import Store
from explorer.ui.pages.snapshots.compare_choice import Comparable, CompareChoice
from tests.builtin import registry
from tests.mirror.quality.kept_rows import keep, key

NO_PARAMS = '{"extra": [], "query": []}'
JOBS, STATES = "ats/job", "sales-engagement/sequence_state"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "rows.db")
    yield store
    store.close()


def kept(store: Store, resource: str, connection: str, back: int = 0) -> Comparable:
    info = keep(store, [{"id": "1"}], of=key(connection, resource, NO_PARAMS))
    return Comparable(AtHand(info, back))


def test_two_states_of_one_list_and_connection_are_chosen(qapp: QApplication, store: Store) -> None:
    choice = CompareChoice(registry)
    earlier_jobs, jobs = kept(store, JOBS, "conn_gh_1", 1), kept(store, JOBS, "conn_gh_1")
    earlier_states, states = kept(store, STATES, "conn_or_1", 1), kept(store, STATES, "conn_or_1")
    at_hand = [states, jobs, earlier_states, earlier_jobs]
    choice.offer(at_hand, "conn_gh_1")
    assert choice.chosen == (earlier_jobs, jobs), "of the open connection"
    choice = CompareChoice(registry)
    choice.offer(at_hand, "conn_other")
    assert choice.chosen == (earlier_states, states), "the latest of all"
    choice.offer([states, jobs], "conn_gh_1")
    assert choice.chosen == (None, jobs), "no pair of different lists"
    assert choice.before.shown_text() == "Choose…"[: len(choice.before.shown_text())]
    assert choice.fault == "Choose two states to compare."
    choice.offer([], "conn_gh_1")
    assert choice.chosen == (None, None)
    assert choice.fault.startswith("There is nothing to compare yet")
