"""The profiles: all of them at the left, the chosen one's form at the right, and Test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QListWidget, QListWidgetItem, QPushButton, QWidget

from explorer import words
from explorer.catalog.interfaces import registry_of
from explorer.profiles.credential import Credential
from explorer.profiles.fault import ProfileFault
from explorer.ui.kit.ask_file import FileAsk, ask_to_open
from explorer.ui.kit.banner import Banner
from explorer.ui.kit.dialogs import press_on_enter
from explorer.ui.kit.layout import STRETCH, column, dressed, push_button, row
from explorer.ui.kit.notices import Kind, notice_of
from explorer.ui.kit.plain import tooltip, visible
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import restyle
from explorer.ui.profiles.connection_fields import BUILTIN, fields_for
from explorer.ui.profiles.form_rows import TestLines
from explorer.ui.profiles.plain_http import ask_for_http
from explorer.ui.profiles.profile_form import ProfileForm
from explorer.work import in_thread

if TYPE_CHECKING:
    from explorer.profiles.book import Profiles
    from explorer.profiles.profile import Profile
    from explorer.profiles.secrets import Secrets
    from explorer.session import TestResult

_FILES = "Profiles (*.json);;All files (*)"
Probe = Callable[["Profile", "Credential | None"], Awaitable["TestResult"]]


@dataclass(frozen=True, slots=True)
class ProfileServices:
    """What the window knows of profiles: the file, the secrets, and a way to try one out without opening it."""

    profiles: Profiles
    secrets: Secrets
    probe: Probe
    interfaces: Callable[[], Sequence[tuple[str, str]]] = tuple
    """Name and title of each interface that is kept beside the built-in one."""
    logged: Callable[[Profile], str] = lambda _: ""
    """In which request log the calls of a test of that profile are, as a sentence."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A profile as it stands in the form, with the secrets that were typed; those that were not stay as kept."""

    profile: Profile
    secret: str = field(repr=False)
    parts: Mapping[str, str] = field(repr=False)
    """The secret parts of the connection in use, by name."""


class ProfilesDialog(QDialog):
    """Never blocks: secrets are asked for in a worker thread, Test runs on the loop, and both can be stopped."""

    saved = Signal(object, bool)
    """The `Profile`, and whether it is to be opened now."""
    removed = Signal(str)

    def __init__(self, desk: ProfileServices, current: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Profiles")
        self.setAccessibleName("Profiles")
        self._desk = desk
        self._to_key = False
        self._typed = False
        """Whether the form holds something that is not saved."""
        self._asked = ""
        """What would be shown in place of that, if it is chosen once more."""
        self._http_allowed = ""
        """The address in the form to which plain http was allowed; it is kept with the profile when that is saved."""
        self._tasks = Tasks(self, self._failed)
        self.list = QListWidget()
        self.list.setObjectName("profiles")
        self.list.setAccessibleName("Profiles")
        self.list.setFixedWidth(188)
        self.list.currentItemChanged.connect(self._chosen)
        self.form = ProfileForm(desk.interfaces())
        self.form.changed.connect(self._edited)
        self.form.interface_chosen.connect(self._read_interface)
        self._then: Callable[[], object] | None = None
        """What was pressed while the interface was still being read."""
        self.lines = TestLines()
        self.lines.hide()
        self.banner = Banner(closable=True)
        self.banner.hide()
        self._make_buttons()
        self._build()
        self._fill(current)
        self.resize(self.sizeHint())

    def sizeHint(self) -> QSize:
        return QSize(820, 600)

    def _make_buttons(self) -> None:
        def button(text: str, run: Callable[[], object], kind: str = "") -> QPushButton:
            made = push_button(text, kind=kind)
            made.setAutoDefault(False)
            made.clicked.connect(lambda *_: run())
            return made

        self.new = button("New", self.start_new)
        self.duplicate = button("Duplicate", self._duplicate)
        self.delete = button("Delete", self._delete, "danger")
        self.test = button("Test", self.run_test)
        self.save = button("Save", partial(self._save, open_it=False))
        self.use = button("Save and open", partial(self._save, open_it=True), "primary")
        self.close_button = button("Close", self.reject)
        self.import_button = button("Import…", self.choose_import)
        self.export_button = button("Export…", self.choose_export)

    def _build(self) -> None:
        under = dressed(QWidget(), ground="sidebar")
        first = row(self.new, self.duplicate, spacing=-1)
        second = row(self.import_button, self.export_button, spacing=-1)
        column(first, second, of=under, margins=(8, 8, 8, 12), spacing=-1)
        strip = QWidget()
        right = (self.close_button, self.test, self.save, self.use)
        buttons = row(self.delete, STRETCH, *right, spacing=-1)
        column(self.lines, buttons, of=strip, margins=(20, 12, 20, 12), spacing=12)
        form = column(self.banner, (self.form, 1), strip)
        row(column((self.list, 1), under), (form, 1), of=self)
        press_on_enter(self.use)

    # ------------------------------------------------------------ the list

    def _fill(self, current: str) -> None:
        self.list.blockSignals(True)
        self.list.clear()
        for profile in self._desk.profiles.all():
            item = QListWidgetItem(visible(profile.name))
            item.setData(Qt.ItemDataRole.UserRole, profile)
            words = f"{visible(profile.name)}, {profile.environment.value}"
            item.setData(Qt.ItemDataRole.AccessibleTextRole, words)
            item.setToolTip(tooltip(profile.name))
            self.list.addItem(item)
            if profile.id == current:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        # The Sandbox comes with every copy of the program.
        self.export_button.setEnabled(self.list.count() > 1)
        if not self.list.currentIndex().isValid():
            self.list.setCurrentRow(0)
        self._chosen()

    def _chosen(self, *_: object) -> None:
        profile = self.list.currentIndex().data(Qt.ItemDataRole.UserRole)
        if profile is None or self._may_go(f"choose {visible(profile.name)}"):
            self._show(profile)
        else:
            # Not now: a press of the mouse goes on to mark what it hit.
            QTimer.singleShot(0, self, self._mark_shown)

    def _may_go(self, how: str) -> bool:
        """Whether the form may show something else; what was typed and not saved is asked about once."""
        if not self._typed or self._asked == how:
            self._asked = ""
            return True
        self._asked = how
        self._say("caution", "Not saved yet", f"Save what was typed, or {how} again to discard it.")
        return False

    def _mark_shown(self) -> None:
        """Mark in the list what the form shows."""
        shown = self.form.profile
        ids = [self.list.item(row).data(Qt.ItemDataRole.UserRole).id for row in range(self.list.count())]
        row = ids.index(shown.id) if shown is not None and shown.id in ids else -1
        self.list.blockSignals(True)
        self.list.setCurrentRow(row)
        if row < 0:
            self.list.clearSelection()
        self.list.blockSignals(False)

    def _show(self, profile: Profile | None) -> None:
        self._tasks.cancel("test")
        self.form.show_profile(profile)
        self._read_interface()
        self.lines.hide()
        self.banner.hide()
        builtin = profile is not None and profile.is_builtin
        self.delete.setEnabled(profile is not None and not builtin)
        self.delete.setText("Delete")
        self.duplicate.setEnabled(profile is not None and not builtin)
        self.save.setEnabled(not builtin)
        self.use.setText("Open" if builtin else "Save and open")
        self.test.setText("Test")
        self._unsaved(False)
        self._http_allowed = ""
        if not builtin:
            self._tasks.start("place", self._ask_place(profile))

    def start_new(self, interface: str = "", address: str = "", title: str = "") -> None:
        """A form for a profile that is not there yet, empty but for its interface and what that proposes: an address,
        and its title as the profile's name.
        """
        if not self._may_go("press New"):
            return
        self.list.blockSignals(True)
        self.list.clearSelection()
        self.list.setCurrentIndex(QModelIndex())
        self.list.blockSignals(False)
        self._show(None)
        self.form.base_url.setFocus(Qt.FocusReason.OtherFocusReason)
        if interface or address:
            name = self._desk.profiles.free_name(visible(" ".join(title.split())))
            self.form.propose(interface, address, name)
            if address:
                said = "Look at it before you enter the key. Nothing is sent before Test or Save and open."
                self._say("info", "The address is what the document proposes", said)

    def _duplicate(self) -> None:
        profile = self.form.profile
        if profile is not None and self._may_go("press Duplicate"):
            self._unsaved(False)
            copy = profile.changed(id="", name=f"{profile.name} copy")
            self.start_new()
            self.form.show_profile(copy)
            self._tasks.start("place", self._ask_place(copy))
            self._unsaved(True)
            self.form.hold("The copy has no key yet: a key belongs to one profile.")
            self.form.show_more()
            self.form.name.setFocus(Qt.FocusReason.OtherFocusReason)
            self.form.name.selectAll()

    def enter_key(self) -> None:
        """Go to the key of the profile that is shown, or to the passphrase that may bring it."""
        self._to_key = True

    async def _ask_place(self, profile: Profile | None) -> None:
        if profile is not None:
            self.form.hold("Looking for the key…")
        holding = await in_thread(self._desk.secrets.holding, profile)
        if self.form.profile is profile:
            self.form.show_holding(holding)
            if self._to_key:
                self._to_key = False
                place = self.form.key_place
                (place.phrase if place.locked else self.form.secret).setFocus(Qt.FocusReason.OtherFocusReason)

    # ------------------------------------------------------------ the interface

    def _read_interface(self) -> None:
        """Have the form ask for what the chosen interface needs; reading its document may take a moment."""
        self._tasks.cancel("interface")
        name = self.form.interface.currentData()
        self.form.show_asked(None if name else BUILTIN)
        if name:
            self._tasks.start("interface", self._ask_interface(name))

    async def _ask_interface(self, name: str) -> None:
        try:
            asked = fields_for((await in_thread(registry_of, name)).interface)
        except KeyError:
            asked = BUILTIN  # the choice says that it is not here
        self.form.show_asked(asked)
        then, self._then = self._then, None
        if then is not None:
            then()
            return
        profile = self.form.profile
        if any(one.secret for one in asked.parts) and profile is not None and profile.interface == name:
            held = await in_thread(self._desk.secrets.load, profile)
            names = [one.name for one in asked.parts if held and held.part(profile.connection, one.name)]
            self.form.show_held_parts(names)

    def _waits(self, then: Callable[[], object]) -> bool:
        """Whether the interface is still being read; ``then`` is called once it is."""
        self._then = then if self._tasks.busy("interface") and not self.form.is_asking else None
        return self._then is not None

    # ------------------------------------------------------------ save, delete

    def _unsaved(self, unsaved: bool) -> None:
        self._typed, self._asked = unsaved, ""
        self.close_button.setText("Close")

    def reject(self) -> None:
        """Close; what was typed and not saved is asked about once, on the button itself."""
        if self._typed and self.close_button.text() == "Close":
            self.close_button.setText("Close without saving?")
            self.close_button.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        super().reject()

    def _edited(self) -> None:
        self._unsaved(True)
        self.delete.setText("Delete")
        self.lines.hide()
        self._tasks.cancel("test")
        self.test.setText("Test")

    def _value(self) -> Typed | None:
        self.form.clear_faults()
        try:
            value = self.form.value()
            value = value.allowing_http() if value.base_url == self._http_allowed else value
            return Typed(value, self.form.typed_secret(), self.form.typed_parts())
        except ProfileFault as fault:
            self._fault(fault)
            return None

    def _fault(self, fault: ProfileFault) -> None:
        if not self.form.show_fault(fault.field, fault.sentence):
            self._say("fails", fault.sentence)

    def _save(self, *, open_it: bool) -> None:
        shown = self.form.profile
        if shown is not None and shown.is_builtin:
            self.saved.emit(shown, open_it)
            self.accept()
            return
        if self._waits(partial(self._save, open_it=open_it)):
            return
        typed = self._value()
        if typed is not None:
            self._busy(True)
            self._tasks.start("save", self._keep(typed, open_it))

    async def _allowed(self, profile: Profile) -> Profile | None:
        """``profile`` if it may be spoken to as its address says, after a question for plain http; None for a no."""
        allowed = await ask_for_http(profile, self)
        if allowed is not None:
            self._http_allowed = allowed.http_allowed
        return allowed

    async def _unlock(self, *, needed: bool) -> None:
        """Open the file of keys, or make it, where it is to be used. Raises ProfileFault (field ``passphrase``)."""
        passphrase = self.form.key_place.passphrase(needed=needed)
        if passphrase:
            await in_thread(self._desk.secrets.use_passphrase, passphrase)

    async def _keep(self, typed: Typed, open_it: bool) -> None:
        profile, secret = typed.profile, typed.secret
        secrets, place = self._desk.secrets, self.form.key_place.place
        moves = self.form.key_place.moves
        try:
            allowed = await self._allowed(profile)
            if allowed is None:
                return
            profile = allowed
            await self._unlock(needed=bool(secret or typed.parts) or moves)
            if moves and not secret and (held := await in_thread(secrets.load, profile)) is not None:
                secret = held.reveal()
            await in_thread(self._desk.profiles.save, profile)
            if secret:
                await in_thread(secrets.save, profile, secret, place)
            if moves:
                await in_thread(secrets.move_parts, profile, place)
            for name, text in typed.parts.items():
                await in_thread(secrets.keep_part, profile, profile.connection, name, text, place)
        finally:
            self._busy(False)
        self.form.clear_secrets()
        self._unsaved(False)
        self._fill(profile.id)
        self.saved.emit(profile, open_it)
        if open_it:
            self.accept()
        else:
            self._say("holds", "Saved", f"{profile.name} is kept.")

    def _delete(self) -> None:
        profile = self.form.profile
        if profile is None:
            return
        if self.delete.text() == "Delete":
            # Asked on the button itself: a second press does it, any edit takes the question back.
            self.delete.setText("Delete for good?")
            return
        self._tasks.start("delete", self._remove(profile))

    async def _remove(self, profile: Profile) -> None:
        await in_thread(self._desk.secrets.forget, profile)
        await in_thread(self._desk.profiles.remove, profile.id)
        self._unsaved(False)
        self._fill("")
        self.removed.emit(profile.id)

    # ------------------------------------------------------------ test

    def run_test(self) -> None:
        """Try address, key, connection and third party with reads; a second press stops it."""
        if self._tasks.busy("test"):
            self._tasks.cancel("test")
            self.test.setText("Test")
            self.lines.stop()
            return
        if self._waits(self.run_test):
            return
        shown = self.form.profile
        typed = Typed(shown, "", {}) if shown is not None and shown.is_builtin else self._value()
        if typed is not None:
            self.lines.show_all("asking")
            self.lines.show()
            self.test.setText("Stop test")
            self._tasks.start("test", self._probe(typed), done=self._tested)

    async def _probe(self, typed: Typed) -> bool:
        """Try each connection of the profile, one after the other, the one in use first; False if that may not be."""
        profile = typed.profile
        allowed = await self._allowed(profile)
        if allowed is None:
            return False
        credential: Credential | None = None
        if typed.secret and not self.form.has_secret_parts:
            credential = Credential(profile.auth, typed.secret)
        else:
            await self._unlock(needed=False)
            credential = await in_thread(self._desk.secrets.load, profile)
            kept = credential
            if secret := typed.secret or (kept.reveal() if kept is not None else ""):
                parts = {(profile.connection, name): text for name, text in typed.parts.items()}
                credential = Credential(profile.auth, secret, {**(kept.parts if kept else {}), **parts})
            if credential is None and (await in_thread(self._desk.secrets.holding, profile)).locked:
                raise ProfileFault(
                    "The key may be in the key file: enter its passphrase, or the key.", "passphrase"
                )
        each = dict.fromkeys((allowed.connection, *allowed.connections))
        for connection in each:
            found = await self._desk.probe(allowed.changed(connection=connection), credential)
            self.lines.show_result(found, len(each), self._desk.logged(profile))
            if any(step.verdict == "fails" for step in found.steps[:2]):
                break  # address or key: the others would say no more
        return True

    def _tested(self, tried: bool) -> None:
        self.test.setText("Test")
        if not tried:
            self.lines.hide()

    # ------------------------------------------------------------ import, export

    def choose_import(self) -> None:
        """Ask for a file of profiles and take what is in it."""
        if not self._may_go("press Import"):
            return
        self._unsaved(False)
        ask_to_open(
            self, "Import profiles", _FILES, lambda path: self._tasks.start("file", self._import(path))
        )

    def choose_export(self) -> None:
        """Ask for a file and write the profiles into it, without any secret."""

        def write(path: Path) -> None:
            self._tasks.start("file", self._export(path))

        FileAsk(self, "Export profiles", _FILES, "profiles.json", write).open()

    async def _import(self, path: Path) -> None:
        taken = await in_thread(self._desk.profiles.import_, path)
        self._fill(taken[0].id if taken else "")
        names = ", ".join(p.name for p in taken)
        self._say("holds", "Imported", f"{names}. Keys are not included: add them here.")

    async def _export(self, path: Path) -> None:
        ids = [p.id for p in self._desk.profiles.all() if not p.is_builtin]
        await in_thread(self._desk.profiles.export, path, ids)
        self._say("holds", "Exported", f"{words.count(len(ids), 'profile')}, without keys, to {path}.")

    # ------------------------------------------------------------ the rest

    def _say(self, kind: Kind, title: str, text: str = "") -> None:
        self.banner.show_(kind, title, text)
        self.banner.show()

    def _busy(self, busy: bool) -> None:
        for one in (self.save, self.use, self.new):
            one.setEnabled(not busy)
        restyle(self.use)

    def _failed(self, error: BaseException) -> None:
        self.test.setText("Test")
        self.lines.hide()
        if isinstance(error, ProfileFault):
            self._fault(error)
            return
        notice = notice_of(error)
        self._say(notice.kind, notice.title, notice.text)

    def done(self, result: int) -> None:
        self._tasks.cancel_all()
        self.form.clear_secrets()
        super().done(result)
