"""What the page of a resource has beyond form, request and answer. Its file declares that as one value, ``PAGE``.

The page of the resource ``core/pipeline`` is ``PAGE`` of ``ui/pages/core/pipeline_page.py``: see docs/adding-a-page.md.
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
    """A tab beside Request, Response and Changes."""

    name: str
    make: Callable[[Any], QWidget]
    """Gets the pane that the tab stands in: a method of it, or a function."""
    behind: bool = False
    """It is the last tab; else it stands before Request, and the first of these is in front at first."""
    turn: Literal["", "answer", "good answer"] = ""
    """It comes to the front when a call was answered or failed, or only when it was answered with 2xx."""


@dataclass(frozen=True, slots=True)
class PageSpec:
    """One page. Whatever is left out is as on every page that sends a call."""

    send: str = ""
    """The word on its button: ``Create link``."""
    tabs: tuple[Tab, ...] = ()
    """In the order in which they stand."""
    editors: Mapping[str, Callable[[Field, Place, Any], Editor]] = field(default_factory=dict)
    """By a field's name an editor of its own, which is made with the field, its place and the pane."""
    pane: Callable[..., Any] | None = None
    """The `CallPane` that sends; a page whose calls are made or read in another way gives a kind of it."""
    page: Callable[..., Any] | None = None
    """The `CallPage` around it; a page with buttons or commands of its own gives a kind of it."""
    stacked: bool = False
    """The form stands above the answer and not beside it, though it has a body."""
    warns: bool = False
    """The operation's note above the form is a word of caution."""
