"""The question before a write: what it shows, what confirms it, and for how long it holds on production."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest
import qasync
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QWidget

from explorer.api.errors import Refused
from explorer.api.guard import Permit, check
from explorer.catalog.request import Request, build
from explorer.profiles.profile import Environment, Guard, Profile
from explorer.ui.call.write_dialog import PermitClock, WriteConsent, WriteDialog, confirm_write, consent
from explorer.ui.kit.plain import PlainLabel
from tests.builtin import registry
from tests.gui.conftest import until

REQUEST = build(registry.operation("crm/contact/create"), body={"record": {"first_name": "Ada", "n": 1.5}})
READ = build(registry.operation("ats/job"))
Enter, Control = Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier


def profile(environment: Environment, guard: Guard = Guard.ASK) -> Profile:
    return Profile(
        name="Acme live",
        environment=environment,
        base_url="https://api.acme.test",
        connection="conn_acme",
        guard=guard,
    )


def run(app: QApplication, scene: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        await scene()

    with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
        runner.run(whole())


def opened() -> WriteDialog | None:
    found = (w for w in QApplication.topLevelWidgets() if isinstance(w, WriteDialog) and w.isVisible())
    return next(found, None)


async def asked(
    held: WriteConsent, request: Request, on: Profile, act: Callable[[WriteDialog], object]
) -> Permit | None:
    """Ask, and let ``act`` answer the dialog while the loop goes on under it."""

    async def person() -> None:
        await until(opened, "the dialog")
        dialog = opened()
        assert dialog is not None
        act(dialog)

    async with asyncio.TaskGroup() as group:
        answer = group.create_task(held.ask(request, on))
        group.create_task(person())
    return answer.result()


def passes(on: Profile, permit: Permit | None, request: Request = REQUEST) -> bool:
    try:
        check(on, request, permit)
    except Refused:
        return False
    return True


def test_it_shows_method_host_connection_and_body(dressed: QApplication) -> None:
    dialog = WriteDialog(REQUEST, profile(Environment.STAGING))
    words = "\n".join(label.whole() for label in dialog.findChildren(PlainLabel))
    for told in ("POST /v0/unified/crm/contact", "https://api.acme.test", "conn_acme", "Acme live (staging)"):
        assert told in words
    assert '"first_name": "Ada"' in dialog.findChildren(QPlainTextEdit)[0].toPlainText()
    dialog.deleteLater()


def test_enter_does_not_confirm_by_accident(dressed: QApplication) -> None:
    async def scene() -> None:
        permit = await asked(
            WriteConsent(), REQUEST, profile(Environment.STAGING), lambda d: QTest.keyClick(d, Enter)
        )
        assert permit is None

    run(dressed, scene)


@pytest.mark.parametrize("environment", [Environment.STAGING, Environment.PRODUCTION])
def test_return_on_a_button_that_was_tabbed_to_presses_it(
    dressed: QApplication, environment: Environment
) -> None:
    def answer(dialog: WriteDialog, button: QPushButton) -> None:
        QTest.keyClicks(dialog.typed, dialog._profile.name)
        for _ in range(12):
            if dialog.focusWidget() is not button:
                QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        assert dialog.focusWidget() is button
        QTest.keyClick(button, Enter)

    async def scene() -> None:
        on = profile(environment)
        assert await asked(WriteConsent(), REQUEST, on, lambda d: answer(d, d.cancel)) is None
        permit = await asked(WriteConsent(), REQUEST, on, lambda d: answer(d, d.send))
        assert passes(on, permit)

    run(dressed, scene)


def test_a_click_gives_a_permit_for_exactly_this_request(dressed: QApplication) -> None:
    async def scene() -> None:
        on = profile(Environment.STAGING)
        permit = await asked(WriteConsent(), REQUEST, on, lambda d: d.send.click())
        assert passes(on, permit)
        other = build(registry.operation("crm/contact/create"), body={"record": {}})
        assert not passes(on, permit, other)

    run(dressed, scene)


def test_escape_and_closing_are_no(dressed: QApplication) -> None:
    async def scene() -> None:
        on = profile(Environment.STAGING)
        for act in (lambda d: QTest.keyClick(d, Qt.Key.Key_Escape), lambda d: d.close()):
            assert await asked(WriteConsent(), REQUEST, on, act) is None

    run(dressed, scene)


def test_on_production_the_name_is_typed_whole(dressed: QApplication) -> None:
    async def scene() -> None:
        on = profile(Environment.PRODUCTION)
        held = WriteConsent()

        def type_it(dialog: WriteDialog) -> None:
            assert not dialog.send.isEnabled()
            QTest.keyClicks(dialog.typed, "Acme liv")
            QTest.keyClick(dialog.typed, Enter)
            assert dialog.isVisible()
            assert not dialog.send.isEnabled()
            QTest.keyClicks(dialog.typed, "e")
            assert dialog.send.isEnabled()
            QTest.keyClick(dialog.typed, Enter)

        permit = await asked(held, REQUEST, on, type_it)
        assert permit is not None
        assert passes(on, permit)
        assert 590 < held.remaining(on) <= 600
        assert await held.ask(REQUEST, on) is permit, "within the ten minutes nobody is asked again"
        ended = datetime.now(UTC) + timedelta(minutes=11)
        with pytest.raises(Refused):
            check(on, REQUEST, permit, now=ended)
        held.withdraw()
        assert held.remaining(on) == 0

    run(dressed, scene)


@pytest.mark.parametrize(
    ("request_", "on"),
    [
        (READ, profile(Environment.PRODUCTION)),
        (REQUEST, profile(Environment.STAGING, Guard.OPEN)),
        (REQUEST, profile(Environment.STAGING, Guard.READ_ONLY)),
    ],
    ids=["a read", "an open profile", "a read only one, which the client refuses"],
)
def test_nobody_is_asked_where_a_word_changes_nothing(
    dressed: QApplication, request_: Request, on: Profile
) -> None:
    async def scene() -> None:
        assert await confirm_write(request_, on) is not None
        assert opened() is None

    run(dressed, scene)


def test_the_clock_counts_down_and_goes(dressed: QApplication) -> None:
    on = profile(Environment.PRODUCTION)
    held = WriteConsent()
    host = QWidget()
    clock = PermitClock(on, held, host)
    host.show()
    assert not clock.isVisible()
    held._held[on.id, on.base_url] = Permit.for_profile(on, datetime.now(UTC) + timedelta(seconds=125))
    clock.refresh()
    assert clock.isVisible()
    assert clock.text() in ("Writes allowed for 2:05", "Writes allowed for 2:04")
    held.withdraw()
    clock.refresh()
    assert not clock.isVisible()
    host.close()
    assert consent() is consent()
