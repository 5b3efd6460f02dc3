"""What the user is told of which failure, and what reaches the log file."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from explorer.api import errors
from explorer.profiles.fault import ProfileFault
from explorer.ui.kit.notices import LogFile, Notice, Notices, notice_of


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (errors.Unreachable("Nothing answers.", "Look at the address."), "fails"),
        (errors.Refused("This profile is read only."), "caution"),
        (errors.OutcomeUnknown("No answer came."), "caution"),
        (errors.CursorRepeated("Page 8 came again."), "caution"),
        (errors.ServiceFailed("The service failed.", status=500), "fails"),
    ],
)
def test_our_own_errors_speak_for_themselves(error: errors.ExplorerError, kind: str) -> None:
    notice = notice_of(error)
    assert (notice.kind, notice.title, notice.text) == (kind, error.sentence, error.advice)


def test_a_fault_of_a_profile_and_of_the_system_are_sentences() -> None:
    assert notice_of(ProfileFault("There is no such profile.")).title == "There is no such profile."
    told = notice_of(PermissionError(13, "Permission denied", "/x/y"))
    assert told.title == "The system refused: Permission denied (/x/y)"


def test_a_bug_is_one_sentence_and_its_details_go_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "explorer"):
        notice = notice_of(ZeroDivisionError("division by zero"))
    assert "division" not in notice.title + notice.text
    assert "ZeroDivisionError" in caplog.text


def test_stopping_is_no_news(qapp: QApplication) -> None:
    notices, told = Notices(), list[Notice]()
    notices.posted.connect(told.append)
    notices.report(errors.Stopped("Stopped."))
    assert told == []
    notices.report(errors.Unreachable("Nothing answers."))
    notices.tell("holds", "Saved", "All of it.", ("Open", print))
    assert [n.title for n in told] == ["Nothing answers.", "Saved"]


def test_the_log_is_made_when_needed_and_holds_no_secret(tmp_path: Path) -> None:
    log = LogFile(tmp_path / "log")
    logger = logging.getLogger("explorer.below")
    secret = "sk-7Hq2mX94tbLw"
    try:
        logger.info("nothing to see")
        assert not (tmp_path / "log").exists()
        log.hide(secret)
        try:
            raise RuntimeError(f"refused with {secret}")
        except RuntimeError:
            logger.exception("failed for %s", secret)
    finally:
        log.close()
    text = (tmp_path / "log" / "explorer.log").read_text(encoding="utf-8")
    assert "RuntimeError" in text
    assert secret not in text
    logger.error("after the end")
    assert "after the end" not in (tmp_path / "log" / "explorer.log").read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_made_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("a file where the folder should be")
    log = LogFile(tmp_path / "log")
    try:
        logging.getLogger("explorer").error("still alive")
    finally:
        log.close()
