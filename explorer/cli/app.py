"""Finds the commands by name, and turns the end of every run into an exit code and, after a failure, one sentence."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from explorer import __version__
from explorer.cli import options
from explorer.cli.exits import CannotStart, Exit, ending
from explorer.cli.forms import FORMS, write_json
from explorer.cli.window import NO_WINDOW, WindowArguments, has_window, open_window
from explorer.cli.words import ClosedOutput, say
from explorer.paths import HOME_VARIABLE

COMMANDS = {
    "pull": ("pull:pull", "Stream all pages of a list as JSON Lines, JSON or CSV, or write them to Parquet."),
    "call": ("call:call", "Send one request and print the answer's body as it was received."),
    "check": (
        "check:check",
        "Find out what a connection does wrong. Exit code 1 when something fails or is suspect.",
    ),
    "mapping": ("mapping:mapping", "Show where each field comes from in raw data, and what is never used."),
    "ledger": (
        "ledger:ledger",
        "Show each field as declared against what is seen. Exit code 1 when --against finds that something drifted.",
    ),
    "compare": (
        "compare:compare",
        "Compare two snapshots or pulls by id. Exit code 1 when something was added, is gone or changed.",
    ),
    "open": ("open:open_bundle", "Show a run from its evidence bundle. Nothing is asked of any service."),
    "resources": ("resources:resources", "List the endpoints: what `pull` and `call` take."),
    "serve": (
        "serve:serve",
        "Serve a recording on 127.0.0.1 until Ctrl C: what was recorded is answered again, and nothing else.",
    ),
    "watch": (
        "watch:watch",
        "Check again and again what a recipe says; show a notice when something is new or has grown. Never writes.",
    ),
    "sandbox": ("sandbox:sandbox", "Serve the sandbox on 127.0.0.1 until Ctrl C."),
    "install-desktop": (
        "install_desktop:install_desktop",
        "Put the program into your menu of programs (Linux), for you alone.",
    ),
    "interfaces": (
        "interfaces:interfaces",
        "Inspect, add, list, export and remove interfaces read out of OpenAPI documents. Without a command: list.",
    ),
    "profiles": (
        "profiles:profiles",
        "List, add, remove, test, export and import profiles. Without a command: list.",
    ),
    "snapshot": (
        "snapshot:snapshot",
        "Keep pulls under a name; list, rename and delete them. Without a command: list.",
    ),
}
"""Each command by name: its module in this folder and its function or group there, and its line in the overview."""


class Commands(TyperGroup):
    """The commands, each imported when it is called: `--help` and the other commands do not wait for its imports."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, (_, line) in COMMANDS.items():
            self.add_command(TyperCommand(name, help=line))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        return name, load_command(name) if name in COMMANDS else command, rest


def load_command(name: str) -> Any:
    """The command of that name as typer runs it. Imports its module."""
    loaded = resolve_name(f"explorer.cli.{COMMANDS[name][0]}")
    if isinstance(loaded, typer.Typer):
        return get_command(loaded)
    alone = typer.Typer(add_completion=False)
    alone.command(name)(loaded)
    return get_command(alone)


app = typer.Typer(
    name="unified-explorer",
    cls=Commands,
    help="Test the connectors of a unified integration API. Without a command the window opens.",
    epilog=(
        "Exit codes: 0 done, 1 findings, 2 usage, 3 cannot start, 4 the service refused, 5 the service "
        "or the third party failed, 6 network or deadline, 7 the list may be incomplete, 130 stopped."
    ),
    add_completion=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
@options.command_of
def before(
    context: typer.Context,
    whom: options.TargetOptions,
    selftest: Annotated[
        bool, typer.Option("--selftest", help="Test the program with its sandbox and print the results.")
    ] = False,
    version: Annotated[bool, typer.Option("--version", help="Say the version.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --selftest or --version: as JSON.")] = False,
) -> None:
    """Keep the options before the command; without a command, open the window."""
    # The command was imported (see `__main__.prepare`), and what was made for that stays: without the first of these
    # lines the first collection would look through all of it, for a twentieth of a short command.
    gc.freeze()
    gc.enable()
    context.obj = whom
    if context.invoked_subcommand is not None:
        if as_json:
            raise typer.BadParameter("--json stands behind the command.")
        return
    if version:
        if as_json:
            write_json({"program": __version__, "forms": FORMS})
        else:
            sys.stdout.write(__version__ + "\n")
        raise typer.Exit(Exit.DONE)
    if selftest:
        from explorer.cli.selftest import selftest as run_selftest  # session and sandbox

        raise typer.Exit(run_selftest(as_json=as_json))
    if whom.base_url:
        raise typer.BadParameter("The window needs a profile: add one for that address, or give a command.")
    raise typer.Exit(open_window(WindowArguments(whom.home, whom.profile, whom.connection)))


@app.command("tour", hidden=True)
def tour(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR")],
) -> None:
    """Drive the real window through its main job and write screenshots."""
    if not has_window():
        raise CannotStart(NO_WINDOW)
    from explorer.ui.app import tour as window_tour  # Qt

    if home := options.target_options(context).home:
        os.environ[HOME_VARIABLE] = home  # the tour uses a temporary home unless this variable is set
    raise typer.Exit(window_tour.run(folder))


def run(arguments: Sequence[str]) -> int:
    """Runs the command line and returns the exit code. Any failure ends as one sentence on standard error."""
    if sys.stdout is None:  # closed by the process that started this one
        sys.stdout = ClosedOutput()
    try:
        code = app(list(arguments), prog_name="unified-explorer", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):
        # The reader of our output closed the pipe (the parser raises SystemExit for that). Nothing more may be written,
        # not even when the interpreter flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.DONE
    except (KeyboardInterrupt, typer.Abort):
        say("Stopped.")
        return Exit.STOPPED
    except _BAD_USAGE as error:
        say(f"{_message(error)} (see unified-explorer --help)")
        return Exit.USAGE
    except Exception as error:  # noqa: BLE001 - the last place to turn any error into a sentence
        sentence, code = ending(error)
        say(sentence)
        return code
    return int(code or 0)


_BAD_USAGE: type[Exception] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")


def _message(error: Exception) -> str:
    text = str(getattr(error, "format_message", error.__str__)()).strip()
    return text if text.endswith((".", "?", "!")) else text + "."
