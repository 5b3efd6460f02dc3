"""Registers the commands, and turns the end of every run into an exit code and, after a failure, one sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from explorer import __version__
from explorer.cli import options
from explorer.cli.call import call
from explorer.cli.check import check
from explorer.cli.compare import compare
from explorer.cli.exits import CannotStart, Exit, ending
from explorer.cli.interfaces import interfaces
from explorer.cli.ledger import ledger
from explorer.cli.mapping import mapping
from explorer.cli.open import open_bundle
from explorer.cli.options import TargetOptions
from explorer.cli.profiles import profiles
from explorer.cli.pull import pull
from explorer.cli.resources import resources
from explorer.cli.sandbox import sandbox
from explorer.cli.selftest import selftest as run_selftest
from explorer.cli.serve import serve
from explorer.cli.snapshot import snapshot
from explorer.cli.window import WindowArguments, open_window
from explorer.cli.words import ClosedOutput, say
from explorer.paths import HOME_VARIABLE

app = typer.Typer(
    name="unified-explorer",
    help="Test the connectors of a unified integration API. Without a command the window opens.",
    epilog=(
        "Exit codes: 0 done, 1 findings, 2 usage, 3 cannot start, 4 the service refused, 5 the service "
        "or the third party failed, 6 network or deadline, 7 the list may be incomplete, 130 stopped."
    ),
    add_completion=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("pull")(pull)
app.command("call")(call)
app.command("check")(check)
app.command("mapping")(mapping)
app.command("ledger")(ledger)
app.command("compare")(compare)
app.command("open")(open_bundle)
app.command("resources")(resources)
app.command("serve")(serve)
app.command("sandbox")(sandbox)
app.add_typer(interfaces, name="interfaces")
app.add_typer(profiles, name="profiles")
app.add_typer(snapshot, name="snapshot")


@app.callback()
def before(
    context: typer.Context,
    profile: options.ProfileName = None,
    connection_id: options.ConnectionId = None,
    base_url: options.BaseUrl = None,
    home: options.Home = None,
    allow_http: options.AllowHttp = False,
    interface: options.InterfaceName = None,
    selftest: Annotated[
        bool, typer.Option("--selftest", help="Test the program with its sandbox and print the results.")
    ] = False,
    version: Annotated[bool, typer.Option("--version", help="Say the version.")] = False,
) -> None:
    """Keep the options before the command; without a command, open the window."""
    context.obj = TargetOptions(profile, connection_id, base_url, home, allow_http, interface)
    if context.invoked_subcommand is not None:
        return
    if version:
        sys.stdout.write(__version__ + "\n")
        raise typer.Exit(Exit.DONE)
    if selftest:
        raise typer.Exit(run_selftest())
    if base_url:
        raise typer.BadParameter("The window needs a profile: add one for that address, or give a command.")
    raise typer.Exit(open_window(WindowArguments(home, profile, connection_id)))


@app.command("tour", hidden=True)
def tour(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR")],
    every: Annotated[
        bool, typer.Option("--all", help="Every page and dialog, both themes, both sizes.")
    ] = False,
) -> None:
    """Drive the real window through its main job and write screenshots."""
    from explorer.cli.window import NO_WINDOW, has_window

    if not has_window():
        raise CannotStart(NO_WINDOW)
    from explorer.ui.app import tour as window_tour  # Qt

    if home := options.target_options(context).home:
        os.environ[HOME_VARIABLE] = home  # the tour uses a temporary home unless this variable is set
    raise typer.Exit(window_tour.run(folder, all=every))


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
