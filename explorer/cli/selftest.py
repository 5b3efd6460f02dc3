"""``--selftest``: tests the program, without its window, with the sandbox, in a temporary folder."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from importlib.util import find_spec

from explorer.catalog.request import build
from explorer.cli.exits import Exit, ending
from explorer.cli.forms import write_json
from explorer.cli.target import Target, sandbox, session_of
from explorer.cli.window import has_window
from explorer.cli.words import say
from explorer.paths import Folders, resource
from explorer.profiles.profile import Profile
from explorer.session import StoreFault
from explorer.words import count

WINDOW_FILES, WINDOW_LIBRARIES = ("style.qss",), ("PySide6", "qasync")
"""What the window needs, where it is installed."""
LIST = "ats/job"
EMAIL = "self.test@example.com"
RECORD = {"email": EMAIL, "first_name": "Self", "last_name": "Test"}
UPSERT = {"upsert_on": {"key": "email", "values": [EMAIL]}, "record": RECORD}


class Told:
    """The results so far. For people each is printed when it is there: to standard output, as it was asked for."""

    def __init__(self, as_json: bool) -> None:
        self._as_json, self.tests = as_json, list[dict[str, object]]()

    def add(self, what: str, found: str, *, holds: bool = True) -> None:
        """Takes one result."""
        self.tests.append({"test": what, "holds": holds, "found": found})
        if self._as_json:
            return
        if sys.stdout is None:
            say(f"{what}: {found}")
            return
        sys.stdout.write(f"{'holds' if holds else 'FAILS'}  {what}: {found}\n")
        sys.stdout.flush()


def selftest(*, as_json: bool = False) -> Exit:
    """Prints one line for each test, or all of them as JSON.

    Returns 0, or 1 when a test failed, or the exit code of the error that ended it.
    """
    told = Told(as_json)
    code = _selftest(told)
    if as_json:
        write_json({"holds": code is Exit.DONE, "tests": told.tests})
    return code


def _selftest(told: Told) -> Exit:
    files, libraries = (WINDOW_FILES, WINDOW_LIBRARIES) if has_window() else ((), ())
    wrong = [name for name in ("connector_names.txt", "report.css", *files) if not resource(name).is_file()]
    wrong += [name for name in libraries if find_spec(name) is None]
    told.add("installation", f"lacks {', '.join(wrong)}" if wrong else "whole", holds=not wrong)
    try:
        with (
            tempfile.TemporaryDirectory() as home,
            sandbox(Profile.sandbox(), Folders.of_user(home)) as target,
        ):
            told.add("sandbox", f"answers at {target.profile.base_url}")
            held = asyncio.run(_try(target, told))
    except Exception as error:  # noqa: BLE001 - any error is a result of the test and gets its sentence
        sentence, code = ending(error)
        told.add("ended", sentence, holds=False)
        return code
    return Exit.DONE if held and not wrong else Exit.FINDINGS


async def _try(target: Target, told: Told) -> bool:
    async with session_of(target) as session:
        listing = session.registry.listing(LIST)
        pull = session.pull(listing, {})
        await pull.load_all()
        if pull.error is not None:
            raise pull.error
        rows = pull.window(0, pull.rows)
        walked = pull.state == "complete" and len(rows) > 0
        told.add("list", f"{LIST}: {count(pull.rows, 'row')} of {count(pull.pages, 'page')}", holds=walked)
        answer = await session.send(build(session.registry.operation("crm/contact/upsert"), body=UPSERT))
        record = answer.json().get("record", {})
        came = bool(record.get("id")) and all(record.get(name) == value for name, value in RECORD.items())
        told.add(
            "upsert", f"{answer.status}, {'came back as sent' if came else 'came back changed'}", holds=came
        )
    async with session_of(target) as later:
        kept = later.pull(listing, {})
        found = ""
        try:
            same = kept.state == "complete" and kept.window(0, kept.rows) == rows
        except StoreFault as fault:
            same, found = False, f": {fault.sentence}"
        told.add(
            "store",
            "holds every row, byte for byte" if same else f"does not hold the rows{found}",
            holds=same,
        )
    return walked and came and same
