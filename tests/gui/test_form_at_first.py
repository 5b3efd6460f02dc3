"""A form that nobody has touched finds no fault, and a profile that is read only says so before and after Send."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.profiles.profile import Environment, Guard, Profile
from explorer.sandbox.process import SandboxProcess
from explorer.ui.app.application import Application
from explorer.ui.call.write_dialog import WriteDialog
from explorer.ui.profiles.profiles_dialog import ProfilesDialog
from tests.gui.conftest import RunWindow, until


async def opened(app: Application, key: str) -> Any:
    await until(lambda: app.window.context is not None, "the session")
    app.window.open_page(key)
    return app.window.tabs.current


def test_an_untouched_form_has_nothing_to_mend(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app, "crm/account")
        assert "to mend" not in app.window.status.words()
        properties = page.pane.form.body.grid.rows["properties"].editor
        assert properties.left_out_words == "Required"
        QTest.mouseClick(page.head.send_button, Qt.MouseButton.LeftButton)
        assert "2 fields to mend before sending" in app.window.status.words()
        page = await opened(app, "core/pipeline")
        assert page.pane.form.body.grid.rows["metadata"].editor.left_out_words == "Left out"

    assert run_window(body) == 0


async def on(app: Application, service: SandboxProcess, guard: Guard) -> None:
    """Switches to a profile with that guard."""
    connection = "conn_sandbox_clean"
    profile = Profile(
        id="own", name="Own", base_url=service.base_url, environment=Environment.STAGING,
        connection=connection, connections=(connection,), guard=guard,
    )  # fmt: skip
    app.profiles.save(profile)
    app.secrets.save(profile, service.apikey)
    app.window.profile_wanted.emit("own")
    await until(lambda: app.session is not None and app.session.profile.id == "own", "the profile")


def test_nothing_is_said_to_be_sent_while_the_question_waits(
    run_window: RunWindow, service: SandboxProcess
) -> None:
    async def body(app: Application) -> None:
        await on(app, service, Guard.ASK)
        page = await opened(app, "core/pipeline")
        page.pane.send(anyway=True)
        page.pane.send(anyway=True)

        def asked() -> WriteDialog | None:
            tops = QApplication.topLevelWidgets()
            return next((one for one in tops if isinstance(one, WriteDialog) and one.isVisible()), None)

        await until(asked, "the question")
        assert page.status_text == "Waiting for your answer"
        dialog = asked()
        assert dialog is not None
        dialog.reject()
        await until(lambda: not page.tasks.busy(), "the end")
        assert page.status_text == "Not sent"

    assert run_window(body) == 0


def test_read_only_is_seen_before_sending_and_leads_to_the_profile(
    run_window: RunWindow, service: SandboxProcess
) -> None:
    async def body(app: Application) -> None:
        await on(app, service, Guard.READ_ONLY)
        page = await opened(app, "core/pipeline")
        assert page.head.send_button.property("kind") != "primary"
        assert "read only" in page.head.send_button.toolTip()
        page.pane.send()
        await until(lambda: page.pane.banner is not None and not page.tasks.busy(), "the refusal")
        assert "“Writes”" in page.pane.banner.text
        [button] = page.pane.banner.buttons()
        assert button.text() == "Edit profile"
        button.click()
        await until(
            lambda: any(
                isinstance(w, ProfilesDialog) and w.isVisible() for w in QApplication.topLevelWidgets()
            ),
            "the profile",
        )
        page = await opened(app, "ats/job")
        assert page.head.primary_button.property("kind") == "primary", "it only reads"

    assert run_window(body) == 0
