"""A quality run on any interface: pages are asked for again in each list's own way, and what is sound holds."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from pydantic import BaseModel

from explorer.catalog import interfaces
from explorer.catalog.spec import Envelope
from explorer.paths import Folders
from explorer.profiles.credential import Credential
from explorer.profiles.profile import Auth, Profile
from explorer.quality.engine.check import Run, Verdict
from explorer.quality.engine.run import QualityRun
from explorer.quality.engine.run_options import RunOptions
from explorer.session import Session
from tests.flow.test_unified_services import CASES, Case
from tests.unified_interfaces import KEY_HEADER, interface, known, listing
from tests.unified_services import SERVICES

WITHOUT_BODY = ("by-post",)
"""Services that want values in the body of a list, which a run does not have."""
SOUND = [
    case
    for case in CASES
    if case.service not in WITHOUT_BODY and "/{" not in case.listing.path.replace("{@", "")
]
SIZED = {case.key: case for case in SOUND if case.listing.size_param not in ("", "page_size")}
PARENT = next(case for case in CASES if "{jobId}" in case.listing.path)


@pytest.fixture(autouse=True)
def _known_interfaces() -> Iterator[None]:
    with known():
        yield


def run_of(case: Case, folders: Folders) -> Run:
    async def whole() -> Run:
        with SERVICES[case.service]() as service:
            session = await Session.open(case.profile(service.url), case.credential, folders)
            try:
                asked = RunOptions(resources=(case.key,))
                return await QualityRun(session, asked, credential=case.credential).whole()
            finally:
                await session.close()

    return asyncio.run(whole())


@pytest.mark.parametrize("case", SOUND, ids=lambda case: f"{case.service} {case.key} {case.query}")
def test_a_sound_list_holds_whatever_its_paging(case: Case, own_home: object) -> None:
    run = run_of(case, Folders.of_user())
    assert run.records == 37
    bad = {result.check.id for result in run.results if result.is_bad}
    assert bad <= (set() if case.has_key else {"credentials.no-key"}), "one service asks for no key"
    again = [one.verdict for one in run.results if one.check.id == "sync.nothing-lost"]
    assert again == [Verdict.HOLDS]


@pytest.mark.parametrize("case", SIZED.values(), ids=SIZED)
def test_page_sizes_are_tried_by_the_parameter_that_the_list_declares(case: Case, own_home: object) -> None:
    run = run_of(case, Folders.of_user())
    size = case.listing.size_param
    [asked] = [one for one in run.results if one.check.id == "paging.page-size"]
    assert (asked.verdict, asked.seen) == (Verdict.HOLDS, f"7 rows for {size}=7")
    [whole] = [one for one in run.results if one.check.id == "completeness.list"]
    assert whole.seen.startswith(f"complete: {size}=75 brings the same 37 records")


def test_a_list_that_requires_a_parameter_is_not_asked_for_without(own_home: object) -> None:
    class Required(BaseModel):
        kind: str

    page = Envelope("results", items="results", cursor="next")
    interfaces.register(
        interface("required", listing("/things", page, query=Required), authorization=KEY_HEADER)
    )
    profile = Profile.model_validate({"name": "R", "base_url": "http://127.0.0.1:9", "interface": "required"})

    async def run() -> Run:
        session = await Session.open(profile, Credential(Auth.APIKEY, "k"), Folders.of_user())
        try:
            return await QualityRun(session, RunOptions()).whole()
        finally:
            await session.close()

    try:
        found = asyncio.run(run())
    finally:
        interfaces.forget("required")
    [one] = [result for result in found.results if result.check.id == "transport.answers"]
    assert (one.verdict, one.seen) == (
        Verdict.SKIPPED,
        "it is asked for with kind, of which a run knows no value",
    )
    assert not [result for result in found.results if result.is_bad]


def test_a_list_below_a_parent_is_skipped_with_the_reason(own_home: object) -> None:
    run = run_of(PARENT, Folders.of_user())
    [one] = [result for result in run.results if result.check.id == "transport.answers"]
    assert one.verdict is Verdict.SKIPPED
    assert one.seen == "it is asked for with jobId and since, of which a run knows no value"
    assert not [result for result in run.results if result.is_bad]
