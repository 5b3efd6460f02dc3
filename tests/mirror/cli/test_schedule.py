"""What is written for each system, read again by its own rules; only systemd runs where these tests do."""

import plistlib
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from explorer.cli.schedule import name_of, schedule_of

COMMAND = ["/opt/Un ex/python", "-m", "explorer", "watch", 'a "b" 100% $HOME \\x & <c>.toml', "--once"]


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.mark.parametrize(
    ("stem", "plain"), [("Acme nightly", "acme-nightly"), ("..x", "x"), ("Ä..", "watch"), ("a.b", "a-b")]
)
def test_a_name_is_safe_as_a_file_and_a_unit_and_belongs_to_one_recipe(stem: str, plain: str) -> None:
    one, other = (name_of(Path(folder) / f"{stem}.toml") for folder in ("/a", "/b"))
    assert one != other
    assert {name.rpartition("-")[0] for name in (one, other)} == {plain}
    assert all(re.fullmatch("[a-z0-9-]+", name) for name in (one, other))


@pytest.mark.skipif(sys.platform != "linux", reason="where systemd is")
def test_systemd_gets_the_words_as_they_are(tmp_path: Path) -> None:
    made = schedule_of("linux", "acme", COMMAND, 21_600)
    service, timer = (text.decode() for text in made.files.values())
    assert [path.relative_to(tmp_path).as_posix() for path in made.files] == [
        "systemd/user/unified-explorer-acme.service",
        "systemd/user/unified-explorer-acme.timer",
    ]
    assert service.splitlines()[-1] == (
        'ExecStart="/opt/Un ex/python" "-m" "explorer" "watch" '
        r'"a \"b\" 100%% $$HOME \\x & <c>.toml" "--once"'
    )
    assert "OnUnitActiveSec=21600s" in timer
    assert made.start.endswith("enable --now unified-explorer-acme.timer")


def test_launchd_and_the_task_scheduler_get_them_too() -> None:
    ((path, data),) = schedule_of("darwin", "acme", COMMAND, 21_600).files.items()
    job = plistlib.loads(data)
    assert (job["ProgramArguments"], job["StartInterval"]) == (COMMAND, 21_600)
    assert path.name == job["Label"] + ".plist"
    ((_, data),) = schedule_of("win32", "acme", COMMAND, 21_600).files.items()
    task, name = ElementTree.fromstring(data), "{http://schemas.microsoft.com/windows/2004/02/mit/task}"
    assert task.findtext(f".//{name}Interval") == "PT360M"
    assert task.findtext(f".//{name}Command") == COMMAND[0]
    assert task.findtext(f".//{name}Arguments") == (
        r'-m explorer watch "a \"b\" 100% $HOME \x & <c>.toml" --once'
    )
