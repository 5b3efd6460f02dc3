"""The steps of the GitHub Action and of the GitLab template, out of their own files, as a runner starts them.

The suite runs those that check. ``python -m tests.ci_steps`` runs all, those that install too, each job in an empty
folder and against a sandbox; it needs a package registry, and the wheel and lock of ``./dev package``.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from explorer.sandbox.process import SandboxProcess

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "packaging" / "ci"


@dataclass(frozen=True, slots=True)
class Step:
    """One shell step: the words of its shell, its text, and the variables that are set for it."""

    name: str
    shell: tuple[str, ...]
    script: str
    variables: Mapping[str, str]

    def run(self, folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Runs it in a checkout of somebody's repository."""
        return subprocess.run(
            [*self.shell, "-c", self.script],
            cwd=folder,
            env={**environment, **self.variables},
            capture_output=True,
            text=True,
            check=False,
        )


def read(name: str) -> Any:
    """A file of packaging/ci as values."""
    return yaml.safe_load((FOLDER / name).read_text("utf-8"))


def of_action(**inputs: str) -> Iterator[Step]:
    """The Action's shell steps with these inputs and the defaults of the others, each expression replaced."""
    action = read("action.yml")
    values = {name: str(one.get("default", "")) for name, one in action["inputs"].items()}
    assert inputs.keys() <= values.keys()
    values |= inputs
    for step in action["runs"]["steps"]:
        if "run" in step:
            variables = {name: _replaced(text, values) for name, text in step["env"].items()}
            assert step["shell"] == "bash"
            shell = ("bash", "--noprofile", "--norc", "-eo", "pipefail")
            yield Step(step["name"], shell, step["run"], variables)


def _replaced(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: values[found[1]], text)


def of_template(**variables: str) -> Iterator[Step]:
    """The template's job as the example sets it up, but for these variables: what installs, then what checks."""
    template, example = read("gitlab.yml")[".unified-explorer"], read("gitlab-example.yml")["quality"]
    values = {**template["variables"], **example["variables"], **variables}
    install, check = "\n".join(template["before_script"]), "\n".join(template["script"])
    # A runner gives both to one shell, so that the second has the first one's PATH.
    yield Step("check", ("sh", "-e"), check, values)
    yield Step("install and check", ("sh", "-e"), f"{install}\n{check}", values)


def main() -> int:
    """Runs every step, each job in a folder of its own; returns 0 where the checks ended as they should."""
    bare = {name: os.environ[name] for name in os.environ if not name.startswith(("UNIFIED_", "EXPLORER_"))}
    ended = []
    process = SandboxProcess.start()
    try:
        for connection, code in (("conn_sandbox_clean", 0), ("conn_sandbox_messy", 1)):
            for job in (_action, _template):
                with tempfile.TemporaryDirectory() as folder:
                    done = job(Path(folder), bare, process, connection)
                reports = (
                    f"{job.__name__[1:]} on {connection}: ended with {done.returncode}, should be {code}"
                )
                print(reports, flush=True)
                if done.returncode != code:
                    print(done.stdout, done.stderr)
                ended.append(done.returncode == code)
    finally:
        process.stop()
    return 0 if all(ended) else 1


def _action(
    folder: Path, bare: Mapping[str, str], service: SandboxProcess, connection: str
) -> subprocess.CompletedProcess[str]:
    added = folder / "path"
    added.touch()
    environment = {**bare, "RUNNER_TEMP": str(folder), "GITHUB_PATH": str(added)}
    environment["GITHUB_ACTION_PATH"] = str(FOLDER)
    about = {"base-url": service.base_url, "connections": connection, "lists": "file-storage/drive"}
    install, check = of_action(apikey=service.apikey, **about)
    done = install.run(folder, environment)
    if done.returncode:
        return done
    return check.run(folder, environment | {"PATH": f"{added.read_text('utf-8').strip()}:{bare['PATH']}"})


def _template(
    folder: Path, bare: Mapping[str, str], service: SandboxProcess, connection: str
) -> subprocess.CompletedProcess[str]:
    (folder / "ci").mkdir()
    for path in (*(ROOT / "dist").glob("unified_explorer_cli-*.whl"), ROOT / "dist" / "requirements-cli.txt"):
        shutil.copy(path, folder / "ci")
    *_, whole = of_template(
        EXPLORER_BASE_URL=service.base_url,
        EXPLORER_CONNECTIONS=connection,
        EXPLORER_LISTS="file-storage/drive",
        EXPLORER_BASELINE="",
    )
    key = {"UNIFIED_EXPLORER_APIKEY": service.apikey, "CI_PROJECT_DIR": str(folder)}
    return whole.run(folder, {**bare, **key})


if __name__ == "__main__":
    sys.exit(main())
