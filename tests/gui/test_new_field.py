"""A field more in the catalog's models, and nothing else changed: it is in the form, the table, the export, the report
and on the command line.

The declarations are the built-in interface's own with models that have one field more, put in its place for the test.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, create_model
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTableView, QTreeView

from explorer.api.guard import effect
from explorer.catalog import interfaces
from explorer.catalog.builtin.ats import Job, JobQuery
from explorer.catalog.builtin.crm import Account, ContactInput
from explorer.catalog.interfaces import registry_of
from explorer.catalog.registry import Registry
from explorer.catalog.spec import ABSENT, Input, Observed, Record, Resource
from explorer.cli.app import run as run_command
from explorer.paths import Folders
from explorer.profiles.profile import Guard, Profile
from explorer.ui.call.call_page import CallPage
from explorer.ui.forms.grid import GroupEditor
from explorer.ui.pages.list.list_page import ListPage
from tests.builtin import registry
from tests.gui.conftest import RunWindow, until
from tests.gui.test_guard_ten_ways import opened, page_of, save
from tests.gui.write_stage import CONTROL, Stage, play, send
from tests.recording import Got, Recording, Reply

# Completion opens a popup, which the offscreen platform remarks on.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

KEY = "field-key-19aa"
BODIES = [o.key for o in registry.operations() if o.body is not None]
QUERIES = [
    o.key
    for o in registry.operations()
    if o.query.model_fields and o.key not in {r.key for r in registry.listings()}
]


def grown(model: type[BaseModel], **fields: Any) -> Any:
    """``model`` with further fields, made as one would write them down: a subclass."""
    return create_model(f"{model.__name__}Grown", __base__=model, __module__=__name__, **fields)


def declare(monkeypatch: pytest.MonkeyPatch, key: str, change: Callable[[Resource], Resource]) -> None:
    """Put a changed declaration in the place of the resource's own."""
    own = registry_of().interface
    verticals = tuple(
        dataclasses.replace(v, resources=tuple(change(r) if r.key == key else r for r in v.resources))
        for v in own.verticals
    )
    changed = Registry(dataclasses.replace(own, verticals=verticals))
    monkeypatch.setitem(interfaces.REGISTRIES, own.key, changed)


def with_operation(key: str, **changes: Any) -> Callable[[Resource], Resource]:
    def change(resource: Resource) -> Resource:
        made = tuple(dataclasses.replace(o, **changes) if o.key == key else o for o in resource.operations)
        return dataclasses.replace(resource, operations=made)

    return change


def resource_of(operation: str) -> str:
    return next(r.key for r in registry.resources() if any(o.key == operation for o in r.operations))


# ------------------------------------------------------------------ a list


JOBS = [{"id": "j1", "name": "Smith", "salary_band": "B7", "seats": 3}, {"id": "j2", "salary_band": None}]


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs with two fields more, and one parameter more."""
    record = grown(Job, salary_band=(str, ABSENT), seats=(int, ABSENT))
    query = grown(JobQuery, office=(str, ABSENT))
    listed = registry.listing("ats/job").key

    def change(resource: Resource) -> Resource:
        inner = with_operation(listed, record=record, query=query)(resource)
        return dataclasses.replace(inner, record=record)

    declare(monkeypatch, "ats/job", change)
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)


def jobs_page(got: Got) -> Reply:
    return Reply(body=json.dumps({"items": JOBS, "next_cursor": None, "has_next_page": False}).encode())


def test_a_field_of_a_list_is_in_table_inspector_export_and_strip(
    jobs: None, run_window: RunWindow, folders: Folders, tmp_path: Path
) -> None:
    out = tmp_path / "jobs.csv"

    async def body(app: Any) -> None:
        await opened(app)
        app.window.open_page("ats/job")
        page = app.window.tabs.current
        assert isinstance(page, ListPage)
        await until(lambda: page.model.rowCount() == 2, "the rows")
        heads = [
            page.model.headerData(c, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
            for c in range(page.model.columnCount(QModelIndex()))
        ]
        assert heads[-2:] == ["salary_band", "seats"], "behind those that are declared"
        assert not page.table.isColumnHidden(len(heads) - 2)
        shown = [page.model.index(0, c).data() for c in (len(heads) - 2, len(heads) - 1)]
        assert shown == ["B7", "3"]
        page.table.setCurrentIndex(page.model.index(0, 1))
        await until(lambda: "salary_band" in said_by(app.window.inspector), "the field in the inspector")
        page.menu.export(out, "csv")
        await until(lambda: out.exists() and not page.tasks.busy("export"), "the export")
        line = page.head.strip.grid.editors["office"].input()
        QTest.keyClicks(line, "Berlin")
        QTest.keyClick(line, Qt.Key.Key_Return)
        await until(lambda: len(server.got) == 2, "the call with the parameter")
        await until(lambda: not page.tasks.busy(), "its end")

    with Recording(answering=jobs_page) as server:
        save(folders, server)
        run_window(body, profile="Acme")
    assert server.got[1].target == "/v0/unified/ats/job?office=Berlin"
    head, first, _ = out.read_text("utf-8").splitlines()
    assert head.split(",")[-3:] == ["salary_band", "seats", "other_fields"]
    assert first.endswith(",B7,3,")


def said_by(widget: Any) -> str:
    """Every cell of the tables and trees below ``widget``, top level only."""
    words = []
    for view in (*widget.findChildren(QTableView), *widget.findChildren(QTreeView)):
        model = view.model()
        words += [
            str(model.index(r, c).data() or "")
            for r in range(model.rowCount())
            for c in range(model.columnCount())
        ]
    return " ".join(words)


def test_a_field_of_a_list_is_on_the_command_line(
    jobs: None, folders: Folders, capfd: pytest.CaptureFixture[str]
) -> None:
    with Recording(answering=jobs_page) as server:
        save(folders, server)
        arguments = ["pull", "ats/job", "--profile", "Acme", "--format", "csv", "--param", "office=Berlin"]
        assert run_command(arguments) == 0
    head, first, _ = capfd.readouterr().out.splitlines()
    assert head.split(",")[-3:] == ["salary_band", "seats", "other_fields"]
    assert first.endswith(",B7,3,")
    assert server.got[0].target == "/v0/unified/ats/job?office=Berlin"
    assert run_command(["resources", "--json"]) == 0
    told = {one["key"]: one for one in json.loads(capfd.readouterr().out)}
    assert {"name": "office", "type": "string"}.items() <= told["ats/job"]["query"][-1].items()


# ------------------------------------------------------------------ bodies and parameters


def filled(page: CallPage, operation: str) -> None:
    """What the operation asks for, where there is something."""
    form = page.pane.form
    needs: dict[str, dict[str, Any]] = {
        "crm/account/batch_read": {"body": {"ids": ["1"], "properties": ["n"]}},
        "core/pipeline/create": {"body": {"id": "pipe_1"}},
        "connect/magic-link": {"body": {"customerId": "cus_1"}},
        "accounting/customer-income": {"query": {"customer": "1"}},
    }
    path = {"id": {"core/pipeline/update": "pipe_1", "core/connection/check": "conn_1"}.get(operation, "1")}
    if page.pane.operation.path_input.model_fields:
        form.path.set_value(path)
    for place, value in needs.get(operation, {}).items():
        getattr(form, place).set_value(value)


@pytest.mark.parametrize("operation", BODIES)
def test_a_field_of_a_body_is_in_its_form_on_the_wire_and_in_resources(
    operation: str,
    monkeypatch: pytest.MonkeyPatch,
    dressed: QApplication,
    folders: Folders,
    capfd: pytest.CaptureFixture[str],
) -> None:
    body = registry.operation(operation).body
    assert body is not None
    more = grown(body, office_key=(Annotated[str, Observed("made up")], ABSENT), grade=(int | None, ABSENT))
    resource = resource_of(operation)
    declare(monkeypatch, resource, with_operation(operation, body=more))

    async def scene(stage: Stage) -> None:
        page = stage.open(resource)
        page.choose([o.key for o in page.resource.operations].index(operation))
        filled(page, operation)
        grid = page.pane.form.body.grid
        assert grid.rows["office_key"].isVisibleTo(page)
        QTest.keyClicks(grid.editors["office_key"].input(), "Berlin")
        QTest.keyClicks(grid.editors["grade"].input(), "7")
        await send(page)
        assert json.loads(page.pane.form.request().body)["grade"] == 7

    with Recording(answering=lambda got: Reply(body=b"[]" if "batch" in got.target else b"{}")) as server:
        play(dressed, folders, Profile.sandbox(server.url, guard=Guard.OPEN), KEY, scene)
    [got] = server.got
    assert got.body.endswith(b'"office_key":"Berlin","grade":7}')
    assert run_command(["resources", "--json"]) == 0
    told = {one["key"]: one for one in json.loads(capfd.readouterr().out)}
    assert [one["name"] for one in told[operation]["body"]][-2:] == ["office_key", "grade"]


@pytest.mark.parametrize("operation", QUERIES)
def test_a_parameter_is_in_its_form_and_on_the_wire(
    operation: str, monkeypatch: pytest.MonkeyPatch, dressed: QApplication, folders: Folders
) -> None:
    more = grown(registry.operation(operation).query, ledger=(str, ABSENT))
    declare(monkeypatch, resource_of(operation), with_operation(operation, query=more))

    async def scene(stage: Stage) -> None:
        page = stage.open(resource_of(operation))
        filled(page, operation)
        QTest.keyClicks(page.pane.form.query.grid.editors["ledger"].input(), "main")
        QTest.keyClick(page.pane.form, Qt.Key.Key_Return, CONTROL)
        await until(lambda: not page.pane.busy, "the answer")

    with Recording() as server:
        play(dressed, folders, Profile.sandbox(server.url), KEY, scene)
    assert [got.target.rpartition("?")[2].split("&")[-1] for got in server.got] == ["ledger=main"]


def test_a_field_of_an_inner_model_is_in_its_group(
    monkeypatch: pytest.MonkeyPatch, dressed: QApplication, folders: Folders
) -> None:
    record = grown(ContactInput, job_title=(Annotated[str, Observed(nullable=True)], ABSENT))
    more = grown(Input, record=(record, ABSENT))
    declare(monkeypatch, "crm/contact", with_operation("crm/contact/create", body=more))

    async def scene(stage: Stage) -> None:
        page = stage.open("crm/contact")
        group = page.pane.form.body.grid.editors["record"]
        assert isinstance(group, GroupEditor)
        QTest.keyClicks(group.grid.editors["job_title"].input(), "Analyst")
        await send(page)

    with Recording() as server:
        play(dressed, folders, Profile.sandbox(server.url, guard=Guard.OPEN), KEY, scene)
    assert [got.body for got in server.got] == [b'{"record":{"job_title":"Analyst"}}']


def test_a_new_flag_of_a_check_is_in_its_form_and_guarded(
    monkeypatch: pytest.MonkeyPatch, run_window: RunWindow, folders: Folders
) -> None:
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)
    body = registry.operation("core/connection/check").body
    assert body is not None
    more = grown(body, purge=(bool | None, ABSENT))
    declare(monkeypatch, "core/connection", with_operation("core/connection/check", body=more))

    async def scene(app: Any) -> None:
        await opened(app)
        page = page_of(app, "core/connection/check")
        QTest.keyClick(page.pane.form.body.grid.editors["purge"].input(), Qt.Key.Key_Down)
        assert effect(page.session.profile, page.pane.form.request()) == "write"
        assert page.pane.form.request().body == b'{"purge":true}'
        await send(page)
        assert page.session.exchanges.all()[-1].state == "refused"

    with Recording() as server:
        save(folders, server, guard=Guard.READ_ONLY)
        run_window(scene, profile="Acme")
    assert server.got == []


# ------------------------------------------------------------------ tables of answers


def test_a_field_of_what_a_batch_or_report_answers_is_in_its_table(
    monkeypatch: pytest.MonkeyPatch, dressed: QApplication, folders: Folders
) -> None:
    account = grown(Account, tier=(str | None, ABSENT))
    declare(
        monkeypatch,
        "crm/account",
        lambda r: dataclasses.replace(
            with_operation("crm/account/batch_read", answer=account, record=account)(r), record=account
        ),
    )
    entry = registry.resource("accounting/customer-balance").record
    assert entry is not None
    line: type[Record] = grown(entry, overdue=(float | int, ABSENT))
    declare(monkeypatch, "accounting/customer-balance", lambda r: dataclasses.replace(r, record=line))
    answers = {
        "/v0/unified/crm/account/_batch_read": [{"id": "1", "updated_at": "2026-01-01", "tier": "gold"}],
        "/v0/unified/accounting/customer-balance": {
            "reportName": "r",
            "currency": "EUR",
            "entries": [{"customerId": "1", "customerName": "Ada", "balance": 1.5}],
            "totalBalance": 1.5,
        },
    }

    async def scene(stage: Stage) -> None:
        page = stage.open("crm/account")
        filled(page, "crm/account/batch_read")
        await send(page)
        model = page.rows.model
        names = [column.field for column in model.columns]
        assert model.index(0, names.index("tier") + 1).data() == "gold"
        page = stage.open("accounting/customer-balance")
        await send(page)
        assert "overdue" in [column.field for column in page.view.report.columns], "though no entry has one"

    answering: Callable[[Got], Reply] = lambda got: Reply(body=json.dumps(answers[got.target]).encode())  # noqa: E731
    with Recording(answering=answering) as server:
        play(dressed, folders, Profile.sandbox(server.url, guard=Guard.OPEN), KEY, scene)
    assert len(server.got) == 2


def test_every_resource_with_a_table_has_a_column_for_each_field() -> None:
    for resource in registry.resources():
        if resource.record is not None and resource.columns:
            assert {c.field for c in resource.columns} == set(resource.record.model_fields), resource.key
