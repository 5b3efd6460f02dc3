"""What it takes to compare two pulls of so many rows, of which one in a thousand changed: `unified-explorer compare`.

    python -m tests.bench.comparing [--rows N] [--reordered] [--keep FOLDER]

Two pulls of the same list are stored first, which takes some minutes for a million rows; --keep uses the store again
the next time. With --reordered the second pull has the records of each page in another order, so that no page is the
same, as where a row was added at the front. Printed are seconds, processor time and memory of the whole process.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from explorer.api.pages import Page
from explorer.paths import Folders, private_folder
from explorer.profiles.book import Profiles
from explorer.profiles.profile import Environment, Profile
from explorer.session.pull_storage import shape_of
from explorer.store.store import Store
from tests.bench.measures import CONNECTION, KEY, LISTING, NOWHERE, PROFILE
from tests.bench.pages import SIZE, page

EVERY = 10
"""One record of each so many pages is another in the second pull."""


def changed(known: Page, *, reordered: bool) -> Page:
    """The page as the second pull has it."""
    records = list(known.records)
    if known.number % EVERY == 0:
        place = known.number // EVERY % SIZE
        records[place] = records[place].replace(b'"confidential": ', b'"confidential": 1, "was": ', 1)
    if reordered:
        records.append(records.pop(0))
    start, end = known.body.index(b"[") + 1, known.body.rindex(b"]")
    body = known.body[:start] + b", ".join(records) + known.body[end:]
    return dataclasses.replace(known, records=tuple(records), body=body)


def fill(folder: Path, rows: int, *, reordered: bool) -> None:
    """Stores the two pulls below ``folder``, with the profile that they belong to."""
    folders = Folders.of_user(folder)
    profile = Profile(
        id=PROFILE, name=PROFILE, environment=Environment.DEVELOPMENT, base_url=NOWHERE,
        connection=CONNECTION, connections=(CONNECTION,),
    )  # fmt: skip
    Profiles(folders).save(profile)
    store, pages, shape = (
        Store(private_folder(folders.data) / f"{PROFILE}.sqlite3"),
        rows // SIZE,
        shape_of(LISTING),
    )
    first = store.start(KEY).id
    for number in range(1, pages + 1):
        store.keep(first, page(number, pages), "ready" if number < pages else "complete", "", shape=shape)
    later = store.begin(
        KEY, changed(page(1, pages), reordered=reordered), "ready", "", after=first, shape=shape
    ).id
    for number in range(2, pages + 1):
        known = changed(page(number, pages), reordered=reordered)
        store.keep(later, known, "ready" if number < pages else "complete", "", shape=shape)
    store.close()


def compare(folder: Path) -> None:
    """Runs the command and prints what it took."""
    names = (f"pull:{LISTING}~1", f"pull:{LISTING}")
    command = [
        sys.executable,
        "-m",
        "explorer",
        "compare",
        *names,
        "--home",
        str(folder),
        "--profile",
        PROFILE,
    ]
    began = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    took = time.perf_counter() - began
    cpu, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(f"exit code {process.returncode}: {took:,.1f} s, {cpu:,.1f} s of processor time, {memory:,.0f} MB")


def main() -> None:
    """Fill, compare, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.comparing")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--reordered", action="store_true")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = given.keep or Path(folder)
        if not (Folders.of_user(home).data / f"{PROFILE}.sqlite3").exists():
            fill(home, given.rows, reordered=given.reordered)
        compare(home)


if __name__ == "__main__":
    main()
