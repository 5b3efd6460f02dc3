"""How a page that sends one call differs from the usual one: a value, `PageSpec`, which its file declares as ``PAGE``.

The page of the resource ``core/pipeline`` is ``PAGE`` of ``ui/pages/core/pipeline_page.py``: see docs/adding.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from PySide6.QtWidgets import QWidget

from explorer.catalog.fields import Field
from explorer.ui.forms.editor import Editor, Place


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab besides Request, Response and Changes."""

    name: str
    make: Callable[[Any], QWidget]
    """Makes its widget: a method of the pane, or a function that gets the pane."""
    behind: bool = False
    """It comes after the usual tabs; else before Request, and the first of these is the visible one at first."""
    turn: Literal["", "answer", "good answer"] = ""
    """When the page switches to it: never, when a call was answered or failed, or only at an answer with 2xx."""


@dataclass(frozen=True, slots=True)
class PageSpec:
    """What is special about one page. What is left out is as on every page that sends a call."""

    send: str = ""
    """The text of its send button: ``Create link``."""
    tabs: tuple[Tab, ...] = ()
    """Its own tabs, from left to right."""
    editors: Mapping[str, Callable[[Field, Place, Any], Editor]] = field(default_factory=dict)
    """Special editors by the name of the field; each is made with the field, its place and the pane."""
    pane: Callable[..., Any] | None = None
    """A subclass of `CallPane`, where calls are made, read or saved in another way."""
    page: Callable[..., Any] | None = None
    """A subclass of `CallPage`, where the page has buttons or commands of its own."""
    stacked: bool = False
    """The form is above the answer and not beside it, though it has a body."""
    warns: bool = False
    """The operation's note above the form is shown as a warning."""
