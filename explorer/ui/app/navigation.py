"""Ways from one page to the rest of the window: another page, a call in the request log, another connection, the
profile.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt

from explorer.ui.app.window import Window
from explorer.ui.own_pages import INTERFACE
from explorer.ui.page import Navigator, Page


def navigator_of(window: Window) -> Navigator:
    """What a page may ask of the window, as a `Navigator`."""
    return Navigator(
        partial(open_page, window),
        partial(show_request, window),
        window.connection_wanted.emit,
        window.show_profiles,
        partial(say_connected, window),
        partial(new_profile_of, window),
    )


def new_profile_of(window: Window, interface: str, address: str, title: str) -> None:
    """The form of a new profile for an interface, with the address and the title that its document has."""
    window.show_profiles(lambda dialog: dialog.start_new(interface, address, title))


def import_interface(window: Window) -> None:
    """The page about interfaces, where a document is chosen."""
    page = open_page(window, INTERFACE.key)
    choose = getattr(page, "choose_file", None)
    if choose is not None:
        choose()


def say_connected(window: Window) -> None:
    """The connection answers, whatever calls that were meant to be refused showed."""
    window.status.connection("connected")
    if window.learning is not None:
        window.learning.answers()


def look_at_link(window: Window, link: str = "") -> None:
    """The dialog that reads a link that somebody sent; without a session it is held against nothing."""
    from explorer.ui.pages.connect.link_look import LinkLook  # with its page, not at the program's start

    window.open_dialog(LinkLook(window.session, window, link=link))


def open_page(window: Window, key: str, *, asks: bool = True) -> Page | None:
    """Opens the page of a resource. Returns None when there is none. ``asks`` as in `Window.open_page`."""
    window.open_page(key, asks=asks)
    page = window.tabs.current
    return page if page is not None and page.resource.key == key else None


def show_request(window: Window, number: int) -> bool:
    """Shows a call in the request log. Returns False when it is not there any more."""
    log = window.requests
    window.log.unfold()
    if not log.choose(number):
        # It may be there and not fit what is typed in the filter.
        log.filter.clear()
        log.model.set_filter("")
        if not log.choose(number):
            return False
    log.table.setFocus(Qt.FocusReason.OtherFocusReason)
    return True
