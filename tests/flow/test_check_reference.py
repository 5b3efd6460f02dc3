"""The reference of the checks: a section for each, and examples that make the check speak, over HTTP on loopback."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

import pytest

from explorer.catalog.registry import Registry
from explorer.paths import resource
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.quality.engine.all_checks import CHECKS, groups
from explorer.quality.engine.check import Result, Verdict
from explorer.quality.engine.run import run
from explorer.quality.engine.run_options import RunOptions
from explorer.sandbox.process import SandboxProcess
from tests.builtin import registry
from tests.flow.quality_runs import TOLD, quick_sandbox
from tests.mutations.service import PREFIX, Defect, Reply, Sent, Service
from tests.mutations.trial import Asker

TEXT = resource("guides/checks.md").read_text("utf-8")
IN_WORDS = {
    "transport": "first-try connection invalid-requests",
    "credentials": "next-page",
    "paging": "ends again page-size",
    "records": "prefixes",
    "sync": "newest nothing-lost",
    "completeness": "list round more borders beyond sizes within withheld named",
    "batch": "double-id order",
    "writes": "returned kept patch-leaves two-matches shallow-merge connection-check",
    "reports": "customer alike parts nobody again ways",
}
"""Checks whose example is told in words: a course of several calls, or very many rows, is no snippet of bytes."""
WAYS: dict[str, Callable[[Mapping[str, str], str], bool]] = {
    "without a key": lambda sent, key: not {"x-apikey", "authorization"} & sent.keys(),
    "with another key": lambda sent, key: bool(sent.get("x-apikey")) and not key.startswith(sent["x-apikey"]),
    "with a part of the key": lambda sent, key: (
        sent.get("x-apikey", key) != key and key.startswith(sent["x-apikey"])
    ),
    "with a bearer token": lambda sent, key: "authorization" in sent,
    "without a connection": lambda sent, key: "x-connection-id" not in sent,
    "with a connection of nobody": lambda sent, key: (
        not sent.get("x-connection-id", PREFIX).startswith(PREFIX)
    ),
}
"""How a call is made that an example says is "called …", by its headers and the right key."""
_SECTION = re.compile(r"^### (\S+)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(
    r"^((?:Pages?|Records|Answer|Bytes) [^\n]*):\n\n```\w+\n(.*?)```", re.MULTILINE | re.DOTALL
)
_SEVERAL = re.compile(r"^Records [^\n]*:\n\n```\w+\n.+\n[^`].+\n", re.MULTILINE)
SECTIONS = dict(_SECTION.findall(TEXT))
FED = [check for check, text in SECTIONS.items() if _BLOCK.search(text)]
"""The checks whose examples are fed to them."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One block of an example."""

    lead: str
    text: str
    odd: bool = True
    """Whether the records behind the first are among those that are like it."""

    @property
    def place(self) -> str:
        """The list or call that it is about: the first that the line above it names."""
        return self.lead.split("`")[1]

    @property
    def bodies(self) -> list[bytes]:
        """The bodies of the pages or of the answer, as they are sent."""
        lines = self.text.encode().strip().splitlines()
        if self.lead.startswith("Bytes"):
            return [bytes.fromhex(lines[0].decode())]
        if not self.lead.startswith("Records"):
            return lines
        envelope = _listing(registry, self.place)
        return [b"{" + envelope.replace(b"@", b",".join(_with_others(lines, odd=self.odd))) + b"}"]

    @property
    def headers(self) -> dict[str, str]:
        sent_as = re.search(r"sent as `([^`]+)`", self.lead)
        return {"content-type": sent_as[1] if sent_as else "application/json"}

    @property
    def query(self) -> str:
        """The parameter that it is about, as ``name=value``; empty for a list without one."""
        found = re.search(r" with `(\w+=\w+)`", self.lead)
        return found[1] if found else ""

    @property
    def status(self) -> int:
        return int((re.search(r"answered with (\d+)", self.lead) or ["", "200"])[1])


def _listing(of: Registry, key: str) -> bytes:
    declared = of.resource(key).listing
    assert declared is not None
    envelope = declared.envelope
    flag = f', "{envelope.flag}": false' if envelope.flag else ""
    return f'"{envelope.items}": [@]{flag}, "{envelope.cursor}": null'.encode()


def _with_others(lines: list[bytes], *, odd: bool) -> list[bytes]:
    """The records of an example; where it has several, in the middle of others that are like the first."""
    if len(lines) == 1:
        return lines
    first, *rest = lines
    others = [re.sub(rb"\b1\b", str(at).encode(), first) for at in range(100, 160)]
    return [*others[:30], *rest, *others[30:]] if odd else others


@dataclass(slots=True)
class Served:
    """Answers with what an example shows, and leaves everything else to the sandbox."""

    blocks: list[Shown]
    key: str
    visits: dict[str, int] = field(default_factory=dict)

    def through(self, sent: Sent, reply: Reply) -> Reply:
        place = sent.path.removeprefix("/v0/unified/")
        for one in self.blocks:
            called = fnmatchcase(f"{sent.method} {sent.path}", one.place)
            if (called or one.place == place) and self._fits(one, sent):
                return self._answer(one, sent)
        return reply

    def _fits(self, one: Shown, sent: Sent) -> bool:
        way = next((fits for words, fits in WAYS.items() if one.lead.endswith(f"called {words}")), None)
        if way is not None and not way(sent.headers, self.key):
            return False
        sent_with = {f"{name}={value}" for name, value in sent.query.items()}
        own = {other.query for other in self.blocks if other.place == one.place} & sent_with
        if one.query not in (own or {""}):
            return False
        if "asked for again" in one.lead:
            return self.visits.get(_asked(sent), 0) > 0
        again = any("asked for again" in other.lead and other.place == one.place for other in self.blocks)
        return not again or not self.visits.get(_asked(sent))

    def _answer(self, one: Shown, sent: Sent) -> Reply:
        self.visits[_asked(sent)] = self.visits.get(_asked(sent), 0) + 1
        bodies, cursor = one.bodies, sent.query.get("cursor")
        at = (
            0
            if cursor is None
            else 1 + next((n for n, body in enumerate(bodies) if f'"{cursor}"'.encode() in body), len(bodies))
        )
        if at < len(bodies):
            return Reply(one.status, bodies[at], one.headers)
        return Reply(400, b'{"message": "Invalid cursor", "code": "BAD_REQUEST", "data": {}}')


def _asked(sent: Sent) -> str:
    return f"{sent.path} {sorted(sent.query.items())}"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    with quick_sandbox() as process:
        yield process


def _made(sandbox: SandboxProcess, check: str, *, odd: bool = True) -> list[Result]:
    """What the check says of the example in its section; without ``odd`` only of the records like the first."""
    text = SECTIONS[check].replace("YOUR-API-KEY", sandbox.apikey).replace("AAAA…", "A" * 10_001)
    blocks = [Shown(lead, text, odd=odd) for lead, text in _BLOCK.findall(text)]
    lists = tuple(dict.fromkeys(one.place for one in blocks if " " not in one.place))
    calls = {_key(one.place) for one in blocks if " " in one.place}
    defect = Defect(check, check, "", through=Served(blocks, sandbox.apikey).through)

    async def ran() -> list[Result]:
        with Service(sandbox) as service:
            profile = Profile.sandbox(service.base_url).with_connection(service.add(defect))
            key = Credential(Auth.APIKEY, sandbox.apikey)
            asker = Asker(profile, key)
            try:
                options = RunOptions(**{**TOLD, "resources": (*lists, *calls), "only": (check,)})
                return list((await run(asker, options, credential=key)).results)
            finally:
                await asker.aclose()

    return asyncio.run(ran())


def _key(call: str) -> str:
    """The resource of a call as an example names it."""
    path = re.sub(r"^\w+ /v\d/(unified/)?", "", call)
    return "webhook" if path.startswith("webhook") else "/".join(path.split("/")[:2])


def test_each_check_has_its_section_in_the_order_of_the_checks() -> None:
    written = [check.id for check in CHECKS]
    assert list(SECTIONS) == sorted(written, key=_place)
    headings = re.findall(r"^## (.+)$", TEXT, re.MULTILINE)
    assert tuple(headings) == groups()


def _place(check: str) -> tuple[int, int]:
    ids = [one.id for one in CHECKS]
    return groups().index(CHECKS[ids.index(check)].group), ids.index(check)


@pytest.mark.parametrize("check", SECTIONS)
def test_a_section_is_short_and_has_an_example(check: str) -> None:
    body = SECTIONS[check]
    prose = [line for line in _BLOCK.sub("", body).splitlines() if line]
    assert 1 <= len(prose) <= 6
    group, _, name = check.partition(".")
    in_words = name in IN_WORDS.get(group, "").split()
    assert (check in FED) + in_words + ("Only recorded:" in body) == 1
    [sentence] = [one.sentence for one in CHECKS if one.id == check]
    assert sentence not in body, "the window takes the sentence from the declaration"


@pytest.mark.parametrize("check", FED)
def test_the_example_makes_the_check_speak(sandbox: SandboxProcess, check: str) -> None:
    spoke = [one for one in _made(sandbox, check) if one.check.id == check]
    said = [(one.resource, one.verdict.value, one.seen) for one in spoke]
    assert any(one.verdict in (Verdict.FAILS, Verdict.SUSPECT) for one in spoke), json.dumps(said, indent=1)


@pytest.mark.parametrize("check", [check for check in FED if _SEVERAL.search(SECTIONS[check])])
def test_of_the_records_that_are_like_the_first_it_does_not(sandbox: SandboxProcess, check: str) -> None:
    said = [(one.check.id, one.seen) for one in _made(sandbox, check, odd=False) if one.is_bad]
    assert not said
