"""``watch RECIPE``: the same check again and again, and a notice on the desktop when it finds something new.

Each run is a `check` in a process of its own: a watch of months holds no memory, and a run that dies is one run. What
it finds is compared with a baseline (docs/baseline.md), whose entries name no rows, so rows that come, go and change
raise no alarm.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import plistlib
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any
from xml.sax.saxutils import escape

import typer

from explorer.api.durations import DurationFault, duration_text, read_duration
from explorer.cli import options
from explorer.cli.exits import CannotStart, Exit, UsageFault
from explorer.cli.forms import write_json
from explorer.cli.options import TargetOptions
from explorer.cli.target import profile_of
from explorer.cli.words import say
from explorer.files import write_whole
from explorer.paths import HOME_VARIABLE
from explorer.words import near_time
from explorer.worker_main import own_command

SHORTEST = 60
"""Seconds between two runs, at least."""


@options.command_of
def watch(
    recipe: Annotated[
        Path, typer.Argument(metavar="RECIPE", help="What to check; see `check --save-recipe`.")
    ],
    whom: options.TargetOptions,
    every: Annotated[
        str, typer.Option("--every", metavar="TIME", help="The time from one run to the next: 30m, 6h, 1d.")
    ] = "6h",
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline",
            metavar="FILE",
            help="The accepted findings; without it RECIPE.baseline.json. If it is missing, the first run makes it.",
        ),
    ] = None,
    reports: Annotated[
        Path | None,
        typer.Option(
            "--reports", metavar="DIR", help="Where the last run's reports go; without it RECIPE.reports."
        ),
    ] = None,
    once: Annotated[
        bool, typer.Option("--once", help="Run once, and end with the exit code of `check`.")
    ] = False,
    schedule: Annotated[
        bool,
        typer.Option(
            "--schedule", help="Send no request: have the system start each run, also after a restart."
        ),
    ] = False,
    unschedule: Annotated[bool, typer.Option("--unschedule", help="Remove what --schedule wrote.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Say of each run how it ended, as a line of JSON.")
    ] = False,
) -> None:
    """Check again and again what a recipe says; show a notice when something is new or has grown. Never writes."""
    seconds = _seconds(every)
    if sum((once, schedule, unschedule)) > 1:
        raise UsageFault("Give one of --once, --schedule and --unschedule.")
    if not unschedule and not recipe.is_file():
        raise UsageFault(f"{recipe} is not there: `check --save-recipe` writes a recipe.")
    recipe = recipe.absolute()
    one = WatchedCheck(
        recipe,
        baseline or recipe.with_suffix(".baseline.json"),
        reports or recipe.with_suffix(".reports"),
        target_arguments(whom),
        as_json,
    )
    if schedule or unschedule:
        made = _schedule(one, whom, name_of(recipe), seconds, remove=unschedule)
        if as_json:
            write_json(made)
    else:
        raise typer.Exit(one.run() if once else _again_and_again(one, seconds))


def _again_and_again(one: WatchedCheck, seconds: int) -> Exit:
    """Makes runs until Ctrl C."""
    try:
        while True:
            began = datetime.now().astimezone()
            one.run()
            following = max(began + timedelta(seconds=seconds), datetime.now().astimezone())
            say(f"Next run: {near_time(following)}. Ctrl C ends the watch.")
            wait_until(following)
    except KeyboardInterrupt:
        return Exit.STOPPED


def _schedule(
    one: WatchedCheck, whom: TargetOptions, name: str, seconds: int, *, remove: bool
) -> dict[str, Any]:
    """Writes or removes the files with which the system starts each run; returns the form of --json."""
    if whom.base_url:
        raise UsageFault("A run that the system starts needs a profile with a stored key: give --profile.")
    planned = schedule_of(sys.platform, name, own_command(*one.arguments, "--once"), seconds)
    if remove:
        return {"removed": _remove(planned), "stop": planned.stop}
    _write(planned, profile_of(whom).name, seconds)
    return {"files": [str(path) for path in planned.files], "start": planned.start}


class WatchedCheck:
    """One check that is made again and again, with its files."""

    def __init__(
        self, recipe: Path, baseline: Path, reports: Path, target: list[str], as_json: bool = False
    ) -> None:
        """Absolute paths; ``target``: the options that say whom to ask."""
        self._as_json = as_json
        self._recipe, self._baseline, self._reports = recipe, baseline.absolute(), reports.absolute()
        self._target = target

    @property
    def arguments(self) -> list[str]:
        """The command line of the same watch, without the program."""
        places = ["--baseline", str(self._baseline), "--reports", str(self._reports)]
        return [*self._target, "watch", str(self._recipe), *places]

    def run(self) -> int:
        """Makes one run and returns its exit code. Shows a notice when something is new, grown or expired.

        Raises CannotStart when the folder of the reports cannot be made, KeyboardInterrupt.
        """
        try:
            self._reports.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CannotStart(f"{self._reports} cannot be made: {error.strerror}.") from None
        first = not self._baseline.exists()
        files = {form: self._reports / f"last.{form}" for form in ("html", "json")}
        asked = ["--recipe", str(self._recipe), "--no-writes", "--baseline", str(self._baseline)]
        asked += [word for form, path in files.items() for word in (f"--{form}", str(path))]
        command = own_command(*self._target, "check", *asked, *(["--baseline-update"] if first else []))
        code = subprocess.run(command, check=False, stdin=subprocess.DEVNULL).returncode
        if code in (Exit.STOPPED, -signal.SIGINT):
            raise KeyboardInterrupt
        if code < 0:
            say(f"The run was ended by the system (signal {-code}), and found nothing out.")
            return Exit.CANNOT_START
        if self._as_json:
            reports = {form: str(path) for form, path in files.items()}
            write_json({"code": code, "baseline": str(self._baseline), "reports": reports}, lines=True)
        if first and code == Exit.DONE:
            say(f"What was found is accepted in {self._baseline}: from now on only what is new is reported.")
        elif code == Exit.FINDINGS:
            show_notice(f"{self._recipe.stem}: something is new", f"See {files['html']}")
        return code


def target_arguments(whom: TargetOptions) -> list[str]:
    """The options that lead a command to the same target. They stand before it, where every command takes them."""
    home = whom.home or os.environ.get(HOME_VARIABLE)  # a system starts a run without this variable
    said = {
        "--profile": whom.profile,
        "--connection-id": whom.connection,
        "--base-url": whom.base_url,
        "--home": str(Path(home).expanduser().absolute()) if home else None,
        "--interface": whom.interface,
    }
    named = [word for name, value in said.items() if value for word in (name, value)]
    return [*named, *(["--allow-http"] if whom.allow_http else [])]


def wait_until(moment: datetime) -> None:
    """Waits, in steps, so that a computer that slept in between is not late by the time that it slept."""
    while (left := (moment - datetime.now().astimezone()).total_seconds()) > 0:
        asyncio.run(asyncio.sleep(min(left, SHORTEST)))  # which Ctrl C ends on every platform


def show_notice(title: str, text: str) -> None:
    """Shows a notice on the desktop. Where that cannot be nothing happens: exit code and reports say it too."""
    command = {
        # As arguments, and to PowerShell, which would read them as commands, by the environment.
        "darwin": ["osascript", "-e", "on run argv", "-e", _APPLE_SCRIPT, "-e", "end run", title, text],
        "win32": ["powershell", "-NoProfile", "-Command", _POWERSHELL],
    }.get(sys.platform, ["notify-send", "--app-name=Unified Explorer", title, text])
    texts = {**os.environ, "NOTICE_TITLE": title, "NOTICE_TEXT": text}
    if shutil.which(command[0]):
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(command, check=False, timeout=20, capture_output=True, env=texts)


_APPLE_SCRIPT = "display notification (item 2 of argv) with title (item 1 of argv)"
_POWERSHELL = (
    "Add-Type -AssemblyName System.Windows.Forms, System.Drawing; "
    "$notice = New-Object System.Windows.Forms.NotifyIcon; $notice.Visible = $true; "
    "$notice.Icon = [System.Drawing.SystemIcons]::Information; "
    "$notice.ShowBalloonTip(10000, $env:NOTICE_TITLE, $env:NOTICE_TEXT, 'Warning'); Start-Sleep 10"
)


def _seconds(every: str) -> int:
    try:
        seconds = int(read_duration(every))
    except DurationFault as fault:
        raise UsageFault(f"--every: {fault}.") from None
    if seconds < SHORTEST:
        raise UsageFault(f"--every: {every} is too short, one minute is the shortest.")
    return seconds


def _write(planned: Schedule, profile: str, seconds: int) -> None:
    for path, data in planned.files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, data)
        except OSError as error:
            raise CannotStart(f"{path} cannot be written: {error.strerror}.") from None
        say(f"Written: {path}")
    say(
        f"It checks every {duration_text(seconds)} as {profile!r}, whose key has to be stored. "
        f"To turn it on: {planned.start}"
    )


def _remove(planned: Schedule) -> list[str]:
    there = [path for path in planned.files if path.exists()]
    for path in there:
        path.unlink()
        say(f"Removed: {path}")
    say(f"To turn it off: {planned.stop}" if there else "Nothing of that recipe is scheduled.")
    return [str(path) for path in there]


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
