"""The tests that the plugin for pytest makes: one for each check, on each list of each connection (docs/ci.md).

The names of the tests are known before the run, without a request: listing and selecting them costs nothing. The first
test of a connection makes its whole run, as checks share the pages that they look at; each test then shows one result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from explorer.api.exchanges import Exchanges
from explorer.api.interface import registry_for
from explorer.catalog.registry import Registry
from explorer.cli.baseline import open_baseline
from explorer.cli.check import known_checks, known_resources, recipe_of
from explorer.cli.check_files import refuse_places
from explorer.cli.check_run import Wanted, all_runs
from explorer.cli.evidence import evidence_works, masks_of
from explorer.cli.exits import Exit, ending, without_secrets
from explorer.cli.options import TargetOptions
from explorer.cli.registry import registry_of_whom
from explorer.cli.target import profile_of, target_of
from explorer.cli.words import plain
from explorer.profiles.profile import Profile
from explorer.pytest_plugin import MARKER, NAME, given_options
from explorer.quality.baseline.baseline import Baseline, Standing
from explorer.quality.bundle.evidence import Evidence
from explorer.quality.bundle.masking import Mask
from explorer.quality.engine.all_checks import was_checked
from explorer.quality.engine.check import Run, Verdict
from explorer.quality.engine.run import QualityRun
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.reports.junit import line_details
from explorer.quality.reports.report import Line, Section, report_of


def pytest_configure(config: pytest.Config) -> None:
    """Reads what was asked for, and makes the tests of it. Raises UsageError before any test is collected."""
    try:
        options = plugin_options(given_options(config), config.invocation_params.dir)
    except Exception as error:  # noqa: BLE001 - said as one sentence
        raise pytest.UsageError(ending(error)[0]) from None
    config.pluginmanager.register(QualityTests(options), f"{NAME}-tests")


@dataclass(frozen=True, slots=True)
class PluginOptions:
    """What the options say."""

    whom: TargetOptions
    profile: Profile
    connections: tuple[str, ...]
    run: RunOptions
    baseline: Baseline | None
    bundle: Path | None
    masks: tuple[Mask, ...]


def plugin_options(given: dict[str, Any], folder: Path) -> PluginOptions:
    """What the options say, files as seen from ``folder``. Raises UsageFault, ProfileFault and OSError."""
    whom = TargetOptions(given["profile"], None, given["base-url"])
    recipe, baseline, bundle = (
        folder / given[name] if given[name] else None for name in ("recipe", "baseline", "bundle")
    )
    refuse_places({f"--{NAME}-bundle": bundle}, {f"--{NAME}-baseline": baseline, f"--{NAME}-recipe": recipe})
    registry = registry_of_whom(whom)
    said = {
        "resources": known_resources(registry, given["lists"].split(",") if given["lists"] else ()),
        "only": known_checks(given["only"]),
        "seconds": given["seconds"],
    }
    made = recipe_of(registry, recipe, said, tuple(dict.fromkeys(given["connection"] or ())), ())
    profile = profile_of(whom)
    accepted = open_baseline(baseline, update=False, prune=False)
    return PluginOptions(
        whom,
        profile,
        made.connections or (profile.connection,),
        made.asked,
        accepted.baseline if accepted else None,
        bundle,
        masks_of(",".join(made.mask) if bundle else None, bundle),
    )


@dataclass(frozen=True, slots=True)
class _SilentService:
    """Whom a run would be about, without a way to send anything: enough to name its checks."""

    profile: Profile
    registry: Registry
    exchanges: Exchanges

    async def send(self, *_: object, **__: object) -> Any:
        raise AssertionError("naming the checks sends nothing")


@dataclass
class QualityTests:
    """The runs of one session of pytest, each made when its first result is asked for, and made once."""

    options: PluginOptions
    runs: dict[str, Run] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    sections: dict[str, Section] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    written: int = 0
    """How many runs the bundle holds."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Adds the tests behind all others, before any are deselected."""
        root = Root.from_parent(session, name=NAME, nodeid=NAME, tests=self)
        for connection in root.collect():
            # By way of the hooks, so that pytest counts the tests and says it where they cannot be named.
            report = session.config.hook.pytest_make_collect_report(collector=connection)
            session.config.hook.pytest_collectreport(report=report)
            items.extend(report.result or ())

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """How the findings stand to the baseline, over all connections."""
        if self.options.baseline is None or not self.runs:
            return
        report = report_of(tuple(self.runs.values()), self.options.baseline, without_secrets)
        terminalreporter.section("Unified Explorer")
        terminalreporter.line(f"Beside the baseline: {report.standing_words}.")
        for one in report.fixed:
            terminalreporter.line(_clean(f"Fixed: {one.identity.words}"))

    def planned(self, connection: str) -> list[tuple[str, str, str]]:
        """Id, resource and sentence of each check that a run will make; nothing is sent."""
        profile = self.options.profile.with_connection(connection)
        service = _SilentService(profile, registry_for(profile), Exchanges())
        run = QualityRun(service, self.options.run)
        return [(check.id, resource, check.sentence) for check, resource in run.planned()]

    def section(self, connection: str) -> Section:
        """The results of a connection's run, which is made now if it was not yet. Fails the test where it cannot be."""
        if connection not in self.sections and connection not in self.faults:
            self._make(connection)
        if connection in self.faults:
            pytest.fail(self.faults[connection], pytrace=False)
        return self.sections[connection]

    def _make(self, connection: str) -> None:

        kept: list[Evidence] | None = [] if self.options.bundle else None
        try:
            with target_of(self.options.whom) as target:
                wanted = Wanted(connection, self.options.run)
                runs, early = all_runs(target, [wanted], kept, self.options.baseline)
        except Exception as error:  # noqa: BLE001 - each test of the connection says it
            self.faults[connection] = ending(error)[0]
            return
        if early is Exit.STOPPED:
            raise KeyboardInterrupt
        self.runs[connection] = runs[0]
        if kept:
            self.evidence[connection] = kept[0]
        self.sections[connection] = report_of(runs, self.options.baseline, without_secrets).sections[0]

    def write_bundle(self) -> None:
        """Writes the runs that were made until now. Fails the last test where that cannot be."""
        if self.options.bundle is None or len(self.runs) == self.written:
            return
        runs, evidence = tuple(self.runs.values()), tuple(self.evidence.values())
        given = self.options
        works = evidence_works(
            runs, evidence, bundle=given.bundle, masks=given.masks, baseline=given.baseline
        )
        try:
            works["bundle"]()
        except Exception as error:  # noqa: BLE001 - said as one sentence
            pytest.fail(ending(error)[0], pytrace=False)
        self.written = len(runs)


class Root(pytest.Collector):
    """All connections; once their tests are over the bundle is written."""

    def __init__(self, *, tests: QualityTests, **rest: Any) -> None:
        super().__init__(**rest)
        self.tests = tests

    def collect(self) -> Sequence[Connection]:
        return [
            Connection.from_parent(self, name=one or "(no connection)", connection=one, tests=self.tests)
            for one in self.tests.options.connections
        ]

    def teardown(self) -> None:
        self.tests.write_bundle()


class Connection(pytest.Collector):
    """The tests of one connection."""

    def __init__(self, *, connection: str, tests: QualityTests, **rest: Any) -> None:
        super().__init__(**rest)
        self.connection, self.tests = connection, tests

    def collect(self) -> Sequence[pytest.Item]:
        made: list[CheckTest] = []
        for check, resource, sentence in self.tests.planned(self.connection):
            name = f"{resource or 'connection'}::{check}"
            about = f"{self.name} · {resource or 'connection'} · {sentence}"
            made.append(CheckTest.from_parent(self, name=name, place=(check, resource), about=about))
        about, planned = f"{self.name} · the whole run", {one.place for one in made}
        return [*made, RunTest.from_parent(self, name="the-whole-run", about=about, planned=planned)]

    def section(self) -> Section:
        """The results of its run."""
        return self.tests.section(self.connection)


class _QualityTest(pytest.Item):
    """What the tests of a connection share."""

    parent: Connection

    def __init__(self, *, about: str, **rest: Any) -> None:
        super().__init__(**rest)
        self._about = about
        self.add_marker(MARKER)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self._about


class CheckTest(_QualityTest):
    """One check on one list."""

    def __init__(self, *, place: tuple[str, str], **rest: Any) -> None:
        super().__init__(**rest)
        self.place = place

    def runtest(self) -> None:
        """Shows what the run found; skipped where it did not make this check."""
        lines = self.parent.section().lines
        own = [line for line in lines if place_of(line) == self.place]
        if not own:
            # A list that the connector lacks has one result, and it says so.
            others = [one.result for one in lines if one.result.resource == self.place[1]]
            lacks = others[0].seen if len(others) == 1 else ""
            pytest.skip(_clean(lacks or "the run came to no result of it"))
        show(own)
        for line in own:
            if line.result.seen:
                self.add_report_section("call", "result", _clean(line.result.seen))


class RunTest(_QualityTest):
    """The run as a whole: that it could judge, and what it found that no test was planned for."""

    def __init__(self, *, planned: set[tuple[str, str]], **rest: Any) -> None:
        super().__init__(**rest)
        self.planned = planned

    def runtest(self) -> None:
        """Fails where the run ended early or could judge little, so that a quiet run is never taken for a good one."""
        section = self.parent.section()
        why = list(section.unjudged)
        if not was_checked(section.run):
            why.append("nothing was checked")
        left = [line for line in section.lines if place_of(line) not in self.planned]
        show([line for line in left if line.result.is_bad or line.result.is_undone], also=why)


def place_of(line: Line) -> tuple[str, str]:
    """What a test is about: the id of its check, and the resource."""
    return line.result.check.id, line.result.resource


def show(lines: Sequence[Line], also: Sequence[str] = ()) -> None:
    """Fails, is expected to fail, or is skipped, as the results say; ``also`` are further reasons to fail."""
    known = [line for line in lines if line.result.is_bad and line.standing is Standing.KNOWN]
    failed = [line for line in lines if line.result.is_undone or (line.result.is_bad and line not in known)]
    if failed or also:
        said = [f"The run could not judge all: {why}" for why in also]
        pytest.fail(_clean("\n\n".join((*said, *map(words_of, failed)))), pytrace=False)
    if known:
        accepted = [found for line in known for found in line.found if found.is_bad]
        pytest.xfail(_clean("; ".join(f"{one.standing_words} · {one.finding.sentence}" for one in accepted)))
        pytest.fail(_clean("\n\n".join(map(words_of, known))), pytrace=False)  # with --runxfail
    if lines and all(line.result.verdict is Verdict.SKIPPED for line in lines):
        pytest.skip(_clean(lines[0].result.seen))


def words_of(line: Line) -> str:
    """A finding as a failed test shows it: its sentence, its rows, and the command that makes it again."""
    verdict = str(line.result.verdict).capitalize()
    return f"{verdict}: {line.result.check.sentence}\n{line.result.seen}\n{line_details(line)}"


def _clean(text: str) -> str:

    return plain(without_secrets(text))
