"""What a profile lacks before anything can be sent: a strip over the page, with the one button that mends it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from explorer.api.errors import ExplorerError, NoKey
from explorer.ui.kit.banner import Banner
from explorer.ui.kit.theme import set_look

if TYPE_CHECKING:
    from explorer.profiles.profile import Profile


class Gate(Banner):
    """Shown as long as nothing can be sent for the profile in use; rows that are stored can be looked at meanwhile.

    What was mended keeps the strip's place until the user closes it, goes to another page or leaves the profile: what
    is below must not move away under the pointer.
    """

    def __init__(self) -> None:
        super().__init__("caution", closable=True)
        self._of = ""
        """The profile that lacked something."""
        self.hide()

    def leave(self, profile_id: str) -> None:
        """Another profile is shown, or the same one is opened again, which may lack nothing now."""
        if profile_id != self._of:
            self._of = ""
            self.hide()

    def leave_page(self) -> None:
        """Another page is in front: what is mended need not be said there."""
        if self.kind == "holds":
            self.leave("")

    def show_mended(self, profile: Profile) -> None:
        """Requests are sent now; says so where the strip said that they were not."""
        if self._of != profile.id:
            return
        if self.kind != "holds":
            self.setMinimumHeight(self.height())
            self.show_("holds", f"Requests of {profile.name} are sent now")
            self.let_close(True)
        self.show()

    def show_lack(
        self,
        profile: Profile,
        lack: ExplorerError,
        *,
        locked: bool,
        enter: Callable[[], object],
        allow: Callable[[], object],
    ) -> None:
        """Say what is missing. ``locked``: the key may be in the file of keys, which is closed."""
        what = "token" if profile.auth.value == "bearer token" else "key"
        if not isinstance(lack, NoKey):
            title, button = "Plain http is not allowed", ("Allow plain http…", allow)
            text = f"{profile.in_clear_words} Nothing is sent."
        elif locked:
            title, button = f"The {what} of {profile.name} is locked", ("Enter passphrase…", enter)
            text = "It may be in the key file: enter its passphrase. Nothing is sent before."
        else:
            title, button = f"{profile.name} has no {what}", (f"Enter {what}…", enter)
            text = f"Nothing is sent until it has one. Saved rows can be viewed without a {what}."
        self._of = profile.id
        self.setMinimumHeight(0)
        self.show_("caution", title, text, [button])
        self.let_close(False)
        for made in self.buttons():
            set_look(made, kind="primary")
        self.show()
