"""The script of a CI job (packaging/ci/check.sh), run for real against the sandbox over HTTP."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer import __version__
from explorer.pytest_plugin import OPTIONS
from explorer.sandbox.process import SandboxProcess
from tests import ci_steps
from tests.flow.quality_runs import quick_sandbox
from tests.flow.runs import environment
from tests.forked import FORKS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
GUIDE = (ROOT / "resources" / "guides" / "keep-watch.md").read_text("utf-8")
SCRIPT = ROOT / "packaging" / "ci" / "check.sh"
REPORTS = ("quality.sarif", "junit.xml", "summary.md", "quality.html", "evidence.zip")
CLEAN, MESSY = "conn_sandbox_clean", "conn_sandbox_messy.drive-name-null"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the script is for a POSIX shell")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    with quick_sandbox() as process:
        yield process


class Job:
    """A checkout of a connector's repository, in which the job's one step is run."""

    def __init__(self, folder: Path, sandbox: SandboxProcess) -> None:
        self.folder, self.reports, self.sandbox = folder, folder / "quality", sandbox
        self.step_summary = folder / "step-summary"
        arguments = shlex.quote(str(folder / "arguments"))
        explorer, tests = (
            shlex.join(FORKS.quick([sys.executable, "-m", name])) for name in ("explorer", "pytest")
        )
        (folder / "bin").mkdir()
        for name, command in {
            "unified-explorer": f'echo "$*" >>{arguments}\nexec {explorer} "$@"',
            "unified-explorer-ci": f"exec sh {shlex.quote(str(SCRIPT))}",
            "pytest": f'exec {tests} -p explorer.pytest_plugin "$@"',
        }.items():
            (folder / "bin" / name).write_text(f"#!/bin/sh\n{command}\n")
            (folder / "bin" / name).chmod(0o700)
        self.env = environment(sandbox, folder / "home", PYTHONPATH=str(ROOT), UNIFIED_EXPLORER_TOKEN="")
        self.env |= {
            "PATH": f"{folder / 'bin'}:{self.env['PATH']}",
            "TMPDIR": str(folder / "temporary"),
            "GITHUB_STEP_SUMMARY": str(self.step_summary),
            "EXPLORER_BASE_URL": sandbox.base_url,
            "EXPLORER_LISTS": "file-storage/drive,sales-engagement/mailbox",
            "EXPLORER_SECONDS": "300",
        }
        (folder / "temporary").mkdir()

    def run(self, connections: str, **more: str) -> subprocess.CompletedProcess[str]:
        """The step as a runner starts it, and traced, which prints every word of every command."""
        return self.shell("-x", str(SCRIPT), EXPLORER_CONNECTIONS=connections, **more)

    def shell(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        """A shell in the checkout."""
        return subprocess.run(
            ["sh", *arguments],
            cwd=self.folder,
            env={**self.env, **more},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    def files(self) -> Iterator[tuple[str, bytes]]:
        """All that the job left, and what is in its zip."""
        for path in sorted(one for one in self.folder.rglob("*") if one.is_file()):
            data = path.read_bytes()
            yield path.name, data
            if path.suffix == ".zip":
                with zipfile.ZipFile(io.BytesIO(data)) as bundle:
                    yield from ((name, bundle.read(name)) for name in bundle.namelist())


@pytest.fixture
def job(tmp_path: Path, sandbox: SandboxProcess) -> Job:
    folder = tmp_path / "checkout"
    folder.mkdir()
    return Job(folder, sandbox)


def test_clean_is_0_messy_is_1_and_accepted_is_0_with_every_file_and_the_key_in_none(job: Job) -> None:
    said = []
    clean = job.run(CLEAN)
    assert clean.returncode == 0, clean.stderr
    said.append(clean)
    for name in REPORTS:
        assert (job.reports / name).stat().st_size > 100

    messy = job.run(MESSY)
    assert messy.returncode == 1, messy.stderr
    said.append(messy)
    assert "records.nulls" in (job.reports / "summary.md").read_text("utf-8")

    accepted = job.run(MESSY, EXPLORER_BASELINE="baseline.json", EXPLORER_ACCEPT="true")
    assert accepted.returncode == 0, accepted.stderr
    said.append(accepted)
    baseline = (job.folder / "baseline.json").read_bytes()
    assert [one["check"] for one in json.loads(baseline)["accepted"]] == ["records.nulls"]
    assert (job.reports / "accepted-baseline.json").read_bytes() == baseline

    both = job.run(f"{CLEAN},{MESSY}", EXPLORER_BASELINE="baseline.json")
    assert both.returncode == 0, both.stderr
    said.append(both)
    assert not (job.reports / "accepted-baseline.json").exists()
    runs = json.loads((job.reports / "quality.sarif").read_bytes())["runs"]
    assert [[one["baselineState"] for one in run["results"]] for run in runs] == [[], ["unchanged"]]

    # A step's summary is appended to, so that it holds those of all four.
    assert job.step_summary.read_text("utf-8").count("### Quality run") == 4
    key = job.sandbox.apikey
    assert not [one.args for one in said if key in one.stdout + one.stderr]
    assert not [name for name, data in job.files() if key.encode() in data]


def test_without_a_step_summary_it_is_printed(job: Job) -> None:
    del job.env["GITHUB_STEP_SUMMARY"]
    done = job.run(MESSY)
    assert done.returncode == 1
    assert done.stdout.startswith("### Quality run")


def test_a_recipe_says_what_to_check(job: Job) -> None:
    recipe = f'connections = ["{MESSY}"]\nresources = ["file-storage/drive"]\nonly = ["records.nulls"]\n'
    (job.folder / "nightly.toml").write_text(recipe)
    done = job.run("", EXPLORER_RECIPE="nightly.toml", EXPLORER_LISTS="", EXPLORER_SECONDS="")
    assert done.returncode == 1, done.stderr
    assert 'tests="1" failures="1"' in (job.reports / "junit.xml").read_text("utf-8")


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"UNIFIED_EXPLORER_APIKEY": ""}, "There is no key"),
        ({"EXPLORER_BASE_URL": ""}, "EXPLORER_BASE_URL is empty"),
        ({"EXPLORER_LISTS": "ats/jobs"}, "There is no resource 'ats/jobs'"),
        ({"EXPLORER_BASELINE": "none.json"}, "There is no baseline none.json"),
        ({"EXPLORER_ACCEPT": "true"}, "need --baseline FILE"),
        ({"EXPLORER_ACCEPT": "yes"}, "EXPLORER_ACCEPT is yes: it is true or false"),
    ],
    ids=[
        "no key",
        "no address",
        "an unknown list",
        "no such baseline",
        "accepted into nothing",
        "another word",
    ],
)
def test_a_job_that_is_set_up_wrongly_ends_with_2_and_leaves_no_report_of_another(
    job: Job, more: dict[str, str], sentence: str
) -> None:
    assert job.run(CLEAN).returncode == 0
    done = job.run(CLEAN, **more)
    assert done.returncode == 2
    assert sentence in done.stderr
    # Without an address it ends before the reports of the last run are looked for.
    assert more.get("EXPLORER_BASE_URL") == "" or not list(job.reports.iterdir())


def test_what_the_run_keeps_goes_with_the_job(job: Job) -> None:
    del job.env["UNIFIED_EXPLORER_HOME"]
    assert job.run(CLEAN).returncode == 0
    assert list((job.folder / "temporary").iterdir()) == []
    assert not (job.folder / "home").exists()


def test_the_steps_of_action_and_template_check_as_their_own_files_say(job: Job) -> None:
    about = {"base-url": job.sandbox.base_url, "connections": MESSY, "lists": "file-storage/drive"}
    bare = {name: value for name, value in job.env.items() if not name.startswith("EXPLORER_")}
    for accept in ("true", "false"):
        inputs = {**about, "baseline": "baseline.json", "seconds": "300", "accept": accept}
        _, check = ci_steps.of_action(apikey=job.sandbox.apikey, **inputs)
        done = check.run(job.folder, bare | {"UNIFIED_EXPLORER_APIKEY": ""})
        assert done.returncode == 0, done.stderr
    check, _ = ci_steps.of_template(
        EXPLORER_BASE_URL=job.sandbox.base_url,
        EXPLORER_CONNECTIONS=f"{MESSY},conn_sandbox_messy.drive-items-null",
        EXPLORER_LISTS="file-storage/drive",
    )
    done = check.run(job.folder, bare)
    assert done.returncode == 1, done.stderr
    summaries = re.findall(r"^### Quality run: (\d new)", job.step_summary.read_text("utf-8"), re.MULTILINE)
    assert summaries == ["0 new", "0 new", "1 new"]


# ---------------------------------------------------------------- the guide, by itself alone


def shown(language: str) -> list[str]:
    """The guide's examples in that language."""
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)


def test_the_guide_can_be_followed_by_itself_alone(job: Job) -> None:
    """Each line in its order, in one shell; what is said to fail fails, with that code."""
    walked, _, _ = GUIDE.partition("\n## 6. ")
    set_up, *steps = [block for block in shown("sh") if block in walked]
    assert set_up.splitlines()[0] == "./dev setup"
    assert len(steps) == 4
    lines = (
        "".join(steps)
        .replace("THE-KEY", job.sandbox.apikey)
        .replace("http://127.0.0.1:8765", job.sandbox.base_url)
    )
    # The code stands beside each run, and the shell goes on as a person's does.
    followed = re.sub(r" +# ends with (\d+)$", r"; test $? = \1 || exit 99", lines, flags=re.MULTILINE)
    assert followed.count("exit 99") == 4
    for name in [
        name for name in job.env if name.startswith(("EXPLORER_", "GITHUB_", "UNIFIED_EXPLORER_APIKEY"))
    ]:
        del job.env[name]
    done = job.shell("-c", followed)
    assert done.returncode == 0, done.stdout + done.stderr
    summaries = re.findall(r"^### (Quality run: .*)", done.stdout, re.MULTILINE)
    assert summaries == [
        "Quality run: 4 findings",
        *["Quality run: 0 new, 0 grown, 0 expired, 4 known, 0 fixed"] * 2,
        "Quality run: 1 new, 0 grown, 0 expired, 4 known, 0 fixed",
    ]
    told = re.findall(r"^\| `([^|]*)` \| ", walked, re.MULTILINE)
    files = {name for cell in told for name in cell.split("`, `")}
    assert {path.name for path in job.reports.iterdir()} == files == set(REPORTS)


def test_the_guide_holds_the_files_that_it_tells_to_write() -> None:
    names = ("github-example.yml", "gitlab.yml", "gitlab-example.yml")
    files = [(SCRIPT.parent / name).read_text("utf-8") for name in names]
    assert shown("yaml") == [re.sub(r"\A(#.*\n)+", "", text) for text in files]
    assert f"unified_explorer_cli-{__version__}-py3-none-any.whl" in GUIDE


# ---------------------------------------------------------------- docs/ci.md and the files beside the script


def documented(*first: str) -> list[str]:
    """The lines of the page's shell examples that begin with one of these words."""
    lines = "\n".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)).splitlines()
    return [line for line in lines if line.startswith(first)]


def test_the_example_of_the_script_ends_as_the_page_says(job: Job) -> None:
    [line] = documented("EXPLORER_")
    done = job.shell("-c", line.replace("http://127.0.0.1:8000", job.sandbox.base_url))
    assert done.returncode == 1, done.stderr
    assert {path.name for path in job.reports.iterdir()} == set(REPORTS)


def test_the_examples_of_pytest_pass(job: Job) -> None:
    on_messy = "--profile Sandbox --connection-id conn_sandbox_messy --baseline baseline.json"
    made = job.shell("-c", f"unified-explorer check file-storage/drive {on_messy} --baseline-update")
    assert made.returncode == 0, made.stderr
    lines = documented("pytest ")
    assert len(lines) == 2
    for line in lines:
        done = job.shell("-c", line, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
        assert done.returncode == 0, done.stdout
    assert (job.folder / "evidence.zip").stat().st_size > 1000


def test_the_page_the_script_the_action_and_the_template_name_the_same_settings() -> None:
    script = set(re.findall(r"\$\{(EXPLORER_\w+):-", SCRIPT.read_text("utf-8")))
    rows = dict(re.findall(r"^\| `((?:UNIFIED_)?EXPLORER_\w+)` \| `([\w-]+)` \|", PAGE, re.MULTILINE))
    assert rows.keys() - {"UNIFIED_EXPLORER_APIKEY", "UNIFIED_EXPLORER_TOKEN", "EXPLORER_INSTALL"} == script

    action = (SCRIPT.parent / "action.yml").read_text("utf-8")
    inputs, _, steps = action.partition("\nruns:\n")
    assert set(re.findall(r"^  ([a-z-]+):$", inputs, re.MULTILINE)) == set(rows.values())
    given = dict(
        re.findall(r"^        (\w*EXPLORER_\w+): \$\{\{ inputs\.([a-z-]+) \}\}$", steps, re.MULTILINE)
    )
    assert given == {name: put for name, put in rows.items() if name != "EXPLORER_INSTALL"}

    template = (SCRIPT.parent / "gitlab.yml").read_text("utf-8")
    installing = {"EXPLORER_INSTALL", "EXPLORER_LOCK"}
    assert set(re.findall(r"^    (EXPLORER_\w+):", template, re.MULTILINE)) == script | installing
    for example in ("github-example.yml", "gitlab-example.yml"):
        used = set(re.findall(r"^\s+([\w-]+): ", (SCRIPT.parent / example).read_text("utf-8"), re.MULTILINE))
        assert {"baseline", "base-url", "connections"} <= used or used >= {
            "EXPLORER_BASELINE",
            "EXPLORER_BASE_URL",
            "EXPLORER_CONNECTIONS",
        }


def test_no_expression_of_the_action_stands_within_a_script() -> None:
    """What is put into a script's text is run by the shell; by way of a variable it is a value."""
    action = (SCRIPT.parent / "action.yml").read_text("utf-8")
    scripts = re.findall(r"^      run: (.*(?:\n {8}.*|\n$)*)", action, re.MULTILINE)
    assert len(scripts) == 2
    assert not [script for script in scripts if "${{" in script]


def test_the_page_has_every_option_of_the_plugin() -> None:
    named = set(re.findall(r"--unified-explorer-([a-z-]+)", PAGE))
    assert named == set(OPTIONS)
