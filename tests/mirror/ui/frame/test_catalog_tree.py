"""The sidebar's tree keeps Qt's rules for models, and counts reach the entry they are for."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from explorer.ui.frame.catalog_tree import COUNT, KEY, READS, CatalogTree
from tests.builtin import registry

VERTICALS = registry.interface.verticals


def test_it_is_a_sound_model_of_all_that_can_be_asked(qapp: QApplication) -> None:
    model = CatalogTree(VERTICALS)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    keys = []
    for row in range(model.rowCount()):
        group = model.index(row, 0)
        assert not group.flags() & Qt.ItemFlag.ItemIsSelectable
        keys += [model.index(inner, 0, group).data(KEY) for inner in range(model.rowCount(group))]
    assert keys == [r.key for v in VERTICALS for r in v.resources]
    assert [model.index_of(k).data(KEY) for k in keys] == keys
    assert not model.index_of("no/such").isValid()
    del tester


def test_counts_are_told_for_what_changed_alone(qapp: QApplication) -> None:
    model, told = CatalogTree(VERTICALS), list[str]()

    def heard(first: QModelIndex, last: QModelIndex) -> None:
        told.append(first.data(KEY))

    model.dataChanged.connect(heard)
    model.set_counts({"ats/job": 1200, "file-storage/drive": 3})
    assert sorted(told) == ["ats/job", "file-storage/drive"]
    told.clear()
    model.set_count("ats/job", 1300)
    model.set_count("ats/job", 1300)
    assert told == ["ats/job"]
    assert model.index_of("ats/job").data(COUNT) == 1300
    assert (
        model.index_of("ats/job").data(Qt.ItemDataRole.AccessibleTextRole) == "Jobs, reads, 1,300 rows loaded"
    )
    told.clear()
    model.set_counts({})
    assert sorted(told) == ["ats/job", "file-storage/drive"]


def test_a_square_reads_and_a_circle_writes(qapp: QApplication) -> None:
    model = CatalogTree(VERTICALS)
    assert model.index_of("ats/job").data(READS) is True
    assert model.index_of("core/pipeline").data(READS) is False
    tip = model.index_of("ats/job").data(Qt.ItemDataRole.ToolTipRole)
    assert "GET /v0/unified/ats/job" in tip
