"""The sidebar's tree keeps Qt's rules for models, and counts reach the entry they are for."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from explorer.catalog.spec import Operation, Resource
from explorer.paths import resource
from explorer.ui.frame.catalog_tree import COUNT, ICON, KEY, MISSING, CatalogTree
from explorer.ui.own_pages import icon_name, verticals
from tests.builtin import registry
from tests.other_interface import OTHER

VERTICALS = registry.interface.verticals
SPOKEN = Qt.ItemDataRole.AccessibleTextRole


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
        model.index_of("ats/job").data(Qt.ItemDataRole.AccessibleTextRole) == "Jobs, reads, 1,300 rows stored"
    )
    told.clear()
    model.set_counts({})
    assert sorted(told) == ["ats/job", "file-storage/drive"]


def test_name_and_tooltip_say_what_reads_and_what_writes(qapp: QApplication) -> None:
    model = CatalogTree(VERTICALS)
    spoken = {key: model.index_of(key).data(SPOKEN) for key in ("ats/job", "core/pipeline")}
    assert spoken == {"ats/job": "Jobs, reads", "core/pipeline": "Pipelines, writes"}
    tip = model.index_of("ats/job").data(Qt.ItemDataRole.ToolTipRole)
    assert "Jobs, reads" in tip
    assert "GET /v0/unified/ats/job" in tip


def test_what_is_missing_is_told_with_its_reason_and_may_come_back(qapp: QApplication) -> None:
    model, told = CatalogTree(VERTICALS), list[str]()
    model.dataChanged.connect(lambda first, last: told.append(first.data(KEY)))
    model.set_missing({"crm/contact": "no CRM here"})
    model.set_missing({"crm/contact": "no CRM here"})
    index = model.index_of("crm/contact")
    assert told == ["crm/contact"]
    assert index.data(MISSING) is True
    assert index.data(SPOKEN) == "Contacts, writes, not on this connection"
    assert "no CRM here" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert index.flags() & Qt.ItemFlag.ItemIsEnabled, "it opens all the same, and says why"
    model.set_missing({})
    assert index.data(MISSING) is False
    assert index.data(SPOKEN) == "Contacts, writes"


def test_home_stands_first_without_a_heading_and_has_a_name_for_it(qapp: QApplication) -> None:
    model = CatalogTree(verticals(registry))
    first = model.index(0, 0)
    assert (first.data(), first.data(SPOKEN)) == ("", "Connection")
    assert model.index(0, 0, first).data(SPOKEN) == "Home"


def test_every_entry_has_an_icon_that_is_there_and_none_but_kinds_share_one(qapp: QApplication) -> None:
    model = CatalogTree(verticals(registry))
    keys = [resource.key for vertical in verticals(registry) for resource in vertical.resources]
    icons = {key: model.index_of(key).data(ICON) for key in keys}
    for name in icons.values():
        assert resource(f"icons/{name}.svg").is_file(), name
    shared = [name for name in icons.values() if list(icons.values()).count(name) > 1]
    assert set(shared) == {"pages/chart"}


def test_a_resource_of_another_interface_gets_an_icon_by_what_it_does() -> None:
    [people] = OTHER.verticals[0].resources
    assert icon_name(people) == "pages/list"
    kinds = {"crm/account": "table", "accounting/customer-income": "chart", "core/pipeline": "pencil"}
    bare = {key: icon_name(replace(registry.resource(key), icon="")) for key in kinds}
    assert bare == {key: f"pages/{name}" for key, name in kinds.items()}
    reads = Operation(key="x", number=1, title="X", method="GET", path="/x")
    assert icon_name(Resource(key="x", title="X", operations=(reads,))) == "pages/braces"
