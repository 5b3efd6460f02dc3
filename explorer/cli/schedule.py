"""The files that have a system start a command again and again: systemd, launchd, the Task Scheduler.

They belong to the user, need no administrator, and do nothing before the user turns them on. Only systemd's were run.
"""

from __future__ import annotations

import hashlib
import plistlib
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

LABEL = "io.github.unified_explorer.watch"
_UNSAFE = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class Schedule:
    """What a system needs to start a command again and again."""

    files: dict[Path, bytes]
    start: str
    """The command line that turns it on."""
    stop: str


def name_of(recipe: Path) -> str:
    """A name for files and tasks, of letters, digits and dashes: recipes of one name in two folders have two."""
    plain = _UNSAFE.sub("-", recipe.stem).strip("-").lower() or "watch"
    return f"{plain}-{hashlib.sha256(str(recipe).encode()).hexdigest()[:6]}"


def schedule_of(platform: str, name: str, command: Sequence[str], seconds: int) -> Schedule:
    """The files for ``sys.platform``; ``name`` as of `name_of`, ``seconds`` from one start to the next."""
    made = {"win32": _of_windows, "darwin": _of_macos}.get(platform, _of_systemd)
    return made(name, command, seconds)


def _of_systemd(name: str, command: Sequence[str], seconds: int) -> Schedule:
    import platformdirs  # the folder of units lies beside the program's own

    folder, unit = Path(platformdirs.user_config_dir()) / "systemd" / "user", f"unified-explorer-{name}"
    service = (
        f"[Unit]\nDescription=Unified Explorer watches {name}\n\n"
        f"[Service]\nType=oneshot\nExecStart={' '.join(map(_systemd_word, command))}\n"
    )
    timer = (
        f"[Unit]\nDescription=Unified Explorer watches {name}\n\n"
        f"[Timer]\nOnActiveSec=1min\nOnUnitActiveSec={seconds}s\n\n[Install]\nWantedBy=timers.target\n"
    )
    return Schedule(
        {folder / f"{unit}.service": service.encode(), folder / f"{unit}.timer": timer.encode()},
        f"systemctl --user daemon-reload && systemctl --user enable --now {unit}.timer",
        f"systemctl --user disable --now {unit}.timer; systemctl --user daemon-reload",
    )


def _systemd_word(word: str) -> str:
    """A word of ExecStart in quotes, without specifiers and variables (systemd.service(5), "Command lines")."""
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("%", "%%"), ("$", "$$")):
        word = word.replace(plain, escaped)
    return f'"{word}"'


def _of_macos(name: str, command: Sequence[str], seconds: int) -> Schedule:
    path = Path.home() / "Library" / "LaunchAgents" / f"{LABEL}.{name}.plist"
    job = {
        "Label": f"{LABEL}.{name}",
        "ProgramArguments": list(command),
        "StartInterval": seconds,
        "ProcessType": "Background",
    }
    return Schedule(
        {path: plistlib.dumps(job)},
        f'launchctl bootstrap gui/$(id -u) "{path}"',
        f"launchctl bootout gui/$(id -u)/{LABEL}.{name}",
    )


def _of_windows(name: str, command: Sequence[str], seconds: int) -> Schedule:
    import platformdirs  # see above

    path = Path(platformdirs.user_config_dir("unified-explorer", appauthor=False)) / f"watch-{name}.xml"
    program, *arguments = command
    task = _TASK.format(
        name=name,
        minutes=seconds // 60,
        program=escape(program),
        arguments=escape(subprocess.list2cmdline(arguments)),
    )
    title = f"Unified Explorer\\{name}"
    return Schedule(
        {path: task.encode("utf-16")},
        f'schtasks /Create /TN "{title}" /XML "{path}"',
        f'schtasks /Delete /TN "{title}" /F',
    )


_TASK = """<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>Unified Explorer watches {name}</Description></RegistrationInfo>
  <Triggers>
    <TimeTrigger>
      <Repetition><Interval>PT{minutes}M</Interval></Repetition>
      <StartBoundary>2026-01-01T00:00:00</StartBoundary>
    </TimeTrigger>
  </Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <StartWhenAvailable>true</StartWhenAvailable>
  </Settings>
  <Actions><Exec><Command>{program}</Command><Arguments>{arguments}</Arguments></Exec></Actions>
</Task>
"""
