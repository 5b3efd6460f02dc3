"""What is said while a pull runs."""

from datetime import UTC, datetime
from typing import cast

import pytest

from explorer.api.exchanges import Exchange, Exchanges
from explorer.cli.progress import Progress
from explorer.session import Pull


class Walk:
    """What the progress needs of a pull."""

    rows, pages = 5, 1

    def subscribe(self, callback: object) -> object:
        return lambda: None


def exchange(summary: str, status: int | None, page: int = 3) -> Exchange:
    started = datetime(2026, 11, 20, tzinfo=UTC)
    return Exchange(
        started_at=started, method="GET", url="", path="/", summary=summary, status=status, page=page
    )


def test_each_further_attempt_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    log = Exchanges()
    with Progress(log, cast("Pull", Walk())):
        log.add(exchange("100 items", 200))
        failed = log.add(exchange("retry in 2 s, attempt 1 of 4", 429))
        log.replace(failed)
        log.add(exchange("retry in 4 s, attempt 2 of 4", None))
    log.add(exchange("retry in 8 s, attempt 3 of 4", 429))
    out, error = capsys.readouterr()
    assert out == ""
    assert error.splitlines() == [
        "Page 3: 429, retry in 2 s, attempt 1 of 4",
        "Page 3: no answer, retry in 4 s, attempt 2 of 4",
    ]
