"""The form of one connection profile, with where its key is kept. Address, key and connections are enough to begin
with; the rest has sensible values and is folded.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QWidget,
)

from explorer.catalog.interfaces import registry_of
from explorer.profiles.credential import Auth, clean_secret
from explorer.profiles.fault import ProfileFault
from explorer.profiles.secrets import Holding
from explorer.profiles.values import Profile
from explorer.ui.kit.ask_file import ask_to_open
from explorer.ui.kit.layout import push_button, row
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.theme import icon
from explorer.ui.profiles.connection_fields import (
    BUILTIN,
    PASSWORD,
    TOKEN_CALL,
    ConnectionFields,
    connection_of,
    parts_of,
    typed_key,
)
from explorer.ui.profiles.form_rows import FormRows, KeyPlace, hidden_line

_GUARD_WORDS = {
    "read only": "Read only: writes are refused",
    "ask first": "Ask before each write",
    "open": "Open: writes are sent at once",
}
_SET = "Already set; type to replace it"
_LINES = 3
_MOST_PARTS = 20
"""Places in the form for fields that an interface asks for beside the key."""


class ProfileForm(QScrollArea):
    """Shows a profile and gives back a checked one. The secret is never filled in: it can only be replaced."""

    changed = Signal()
    interface_chosen = Signal()

    def __init__(self, interfaces: Sequence[tuple[str, str]] = ()) -> None:
        """``interfaces``: name and title of each that can be chosen beside the built-in one."""
        super().__init__()
        self._interfaces = interfaces
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Profile")
        self._profile: Profile | None = None
        self.rows = FormRows()
        self.rows.edited.connect(lambda _: self.changed.emit())
        self._given: ConnectionFields | None = BUILTIN
        """What the chosen interface asks for where the way to authorize is its own."""
        self._way = ""
        """The chosen way to authorize; empty while the interface proposes it."""
        self._asked: ConnectionFields | None = BUILTIN
        """What the chosen interface asks for; None while that is not known."""
        self._make_editors()
        self._build()
        self.rows.grid.setRowStretch(self.rows.grid.rowCount(), 1)
        self.setWidget(self.rows)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def _make_editors(self) -> None:
        self.more = push_button("More", kind="link", name="More fields", checkable=True)
        self._held_back = PlainLabel("", role="muted", elide=True)
        self.name = QLineEdit(placeholderText="If empty: the address's host")
        self.environment = QComboBox()
        self.base_url = QLineEdit(placeholderText="https://api.example.com")
        self.secret = hidden_line("Key")
        self._reveal = QAction(icon("eye"), "Show what is typed", self, checkable=True)
        self._reveal.toggled.connect(self._show_secret)
        self.secret.addAction(self._reveal, QLineEdit.ActionPosition.TrailingPosition)
        self.held = PlainLabel("", role="faint", wrap=True)
        self.key_place = KeyPlace()
        self.connections = QPlainTextEdit(tabChangesFocus=True)
        self.connections.setProperty("mono", True)
        self.connections.setPlaceholderText(BUILTIN.connections_hint)
        line = self.connections.fontMetrics().lineSpacing()
        self.connections.setFixedHeight(line * _LINES + 14)
        self.interface = QComboBox()
        self.auth = QComboBox()
        self.second_url = QLineEdit()
        self.second_url.setPlaceholderText("https://…, of what is not at the base address; may be empty")
        self.token_url = QLineEdit(placeholderText="https://…, where client id and secret are sent")
        self.token_fields = QLineEdit(placeholderText="Of the token call, such as scope=read; may be empty")
        self.client_in_body = QCheckBox("Client id and secret in its body, not in a header")
        self.guard = QComboBox()
        self.deadline_seconds = _seconds(86400)
        self.connect_seconds = _seconds(3600)
        self.ca_file = QLineEdit(placeholderText="The system's own certificates only")
        self._browse = push_button("Browse…", name="Browse for a CA file")
        self._browse.clicked.connect(self._choose_ca)
        self.proxy = QLineEdit(placeholderText="The system's settings; “none” for no proxy")
        for name, guard in _GUARD_WORDS.items():
            self.guard.addItem(guard, name)
        self.auth.currentIndexChanged.connect(self._choose_way)
        self.client_in_body.toggled.connect(lambda _: self.changed.emit())
        self.interface.addItem(f"{registry_of().interface.title} (built in)", "")
        for name, title in self._interfaces:
            self.interface.addItem(visible(f"{title} ({name})" if title else name), name)
        self.interface.currentIndexChanged.connect(lambda _: self.interface_chosen.emit())
        for name in ("development", "staging", "production"):
            self.environment.addItem(name.capitalize(), name)
        self.environment.currentIndexChanged.connect(self._guard_follows)

    def _build(self) -> None:
        if self._interfaces:
            self.rows.add("interface", "Interface", self.interface)
        self.rows.add("base_url", "Base address", self.base_url)
        self.rows.add("second_url", "Second address", self.second_url)
        self.rows.add("token_url", "Token address", self.token_url)
        self.rows.add("token_fields", "Further fields", self.token_fields, self.client_in_body)
        self.rows.add("secret", "Key", self.secret, self.held)
        self._password_at = self.rows.grid.rowCount()
        choice, at = self.key_place.choice, self._password_at + 1
        self.rows.add("passphrase", "Keep the key", choice, place=self.key_place, at=at)
        self.key_place.changed.connect(lambda: self.rows.note_edited("passphrase"))
        self.rows.add("connections", "Connections", self.connections)
        self._parts_from = self.rows.grid.rowCount()
        shown, first = set(self.rows.parts), self._parts_from + _MOST_PARTS
        self.rows.grid.addLayout(row(self.more, (self._held_back, 1), spacing=8), first, 0, 1, 2)
        self.rows.add("name", "Name", self.name)
        self.rows.add("environment", "Environment", self.environment)
        self.rows.add("guard", "Writes", self.guard)
        if not self._interfaces:
            self.rows.add("interface", "Interface", self.interface)
        self.rows.add("auth", "Sent as", self.auth)
        self.rows.add("deadline_seconds", "Deadline of a call", self.deadline_seconds)
        self.rows.add("connect_seconds", "Time to connect", self.connect_seconds)
        beside = QWidget()
        row((self.ca_file, 1), self._browse, of=beside, spacing=-1)
        self.rows.add("ca_file", "CA file", self.ca_file, place=beside)
        self.rows.add("proxy", "Proxy", self.proxy)
        self._folding = [field for field in self.rows.parts if field not in shown]
        for combo in (self.environment, self.guard):
            combo.currentIndexChanged.connect(self._say_held_back)
        self.more.toggled.connect(self._fold)
        self._fold(False)

    def show_more(self) -> None:
        """Unfold the fields that have sensible values."""
        self.more.setChecked(True)

    def _fold(self, shown: bool) -> None:
        self.more.setText("Less" if shown else "More")
        for field in self._folding:
            self.rows.show_row(field, shown)
        self._show_auth()
        self._say_held_back()

    def _say_held_back(self) -> None:
        """What matters most of what is folded: which environment it is, and what becomes of writes."""
        said = (
            "" if self.more.isChecked() else f"{self.environment.currentText()} · {self.guard.currentText()}"
        )
        self._held_back.setText(said)

    def sizeHint(self) -> QSize:
        return QSize(540, 520)

    def show_profile(self, profile: Profile | None) -> None:
        """Fill the form; None empties it for a new profile."""
        self._profile = profile
        self.clear_faults()
        self.secret.clear()
        self._reveal.setChecked(False)
        builtin = profile is not None and profile.is_builtin
        at = self.environment.findData("sandbox")
        if builtin and at < 0:
            self.environment.addItem("Sandbox", "sandbox")
        elif not builtin and at >= 0:
            self.environment.removeItem(at)
        self.name.setText(profile.name if profile else "")
        self.base_url.setText(profile.base_url if profile else "")
        _choose(self.environment, profile.environment.value if profile else "development")
        _choose(self.guard, profile.guard.value if profile else "ask first")
        self._way = profile.auth.value if profile else ""
        self.second_url.setText(profile.second_url if profile else "")
        self.token_url.setText(profile.token_url if profile else "")
        self.token_fields.setText(profile.token_fields if profile else "")
        self.client_in_body.setChecked(profile is not None and profile.client_in_body)
        self.client_in_body.setEnabled(not builtin)
        named = profile.interface if profile else ""
        if self.interface.findData(named) < 0:
            self.interface.addItem(f"{named} (not here)", named)
        _choose(self.interface, named)
        self.connections.setPlainText("\n".join(_in_use_first(profile)) if profile else "")
        self.show_asked(None if named else BUILTIN)
        self.deadline_seconds.setValue(profile.deadline_seconds if profile else 300)
        self.connect_seconds.setValue(profile.connect_seconds if profile else 10)
        self.ca_file.setText(profile.ca_file if profile else "")
        self.proxy.setText(profile.proxy if profile else "")
        for editor in (*self.rows.editors.values(), self._browse):
            if isinstance(editor, (QLineEdit, QPlainTextEdit)):
                editor.setReadOnly(builtin)
            else:
                editor.setEnabled(not builtin)
        self._reveal.setVisible(not builtin)
        self.rows.show_row("passphrase", not builtin)  # the sandbox's key is never kept
        self.key_place.show_holding(None)
        self.hold("The sandbox creates a new key at each start." if builtin else "")

    def propose(self, interface: str, address: str, name: str) -> None:
        """Begin a new profile of that interface at ``address``; without a ``name`` it gets the address's host."""
        _choose(self.interface, interface)
        self.name.setText(name)
        self.base_url.setText(address)
        if address:
            self.secret.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_holding(self, holding: Holding) -> None:
        """Say where the key is held, and offer the places where it can be kept."""
        self.key_place.show_holding(holding, saved=self._profile is not None)
        if holding.place is not None:
            self.hold(holding.place.words, there=True)
        elif self._profile is None:
            self.hold("")
        elif holding.locked:
            self.hold("It may be in the key file: enter the passphrase to use it.")
        else:
            self.hold("No key is saved for this address.")

    def hold(self, words: str, *, there: bool = False) -> None:
        """Say where the secret is held; ``there``: it is, so the empty field means "keep it"."""
        self.held.setText(words)
        self.held.setVisible(bool(words))
        hint = self._asked.key_hint if self._asked is not None else BUILTIN.key_hint
        kept = _SET if there else hint
        self.secret.setPlaceholderText("" if self.secret.isReadOnly() else kept)

    def show_asked(self, asked: ConnectionFields | None) -> None:
        """Ask for what an interface needs beside the address; None while that is not known."""
        self._given = asked
        if self._profile is None and asked is not None:
            self.second_url.setText(asked.second_url)
        ways = (asked or BUILTIN).ways
        proposed = TOKEN_CALL if asked is not None and asked.token_url else ""
        self.auth.blockSignals(True)
        self.auth.clear()
        for way, said in ways.items():
            self.auth.addItem(said, way)
        _choose(self.auth, self._way or proposed)
        self.auth.blockSignals(False)
        self._show_fields()

    def _choose_way(self, _: int) -> None:
        self._way = self.auth.currentData()
        self._show_fields()

    def _show_fields(self) -> None:
        """Show the fields of the chosen interface and way to authorize."""
        for name in self._part_fields():
            self.rows.remove(name)
        calls = self.auth.currentData() == TOKEN_CALL
        self._asked = self._given.by_token_call() if calls and self._given is not None else self._given
        for name in ("token_url", "token_fields"):
            self.rows.show_row(name, calls)
        shown = self._asked or BUILTIN
        if calls and not self.token_url.text():
            self.token_url.setText(shown.token_url)
        builtin = self._profile is not None and self._profile.is_builtin
        self.rows.rename("secret", shown.key)
        self.rows.rename("connections", shown.connections)
        # Secret parts of a connection are kept there as well.
        keeps = bool(shown.key or any(one.secret for one in shown.parts))
        self.rows.show_row("passphrase", keeps and not builtin)
        self.rows.show_row("second_url", bool(shown.second_url or self.second_url.text()))
        self.connections.setPlaceholderText(shown.connections_hint)
        if not self.secret.isReadOnly() and self.secret.placeholderText() != _SET:
            self.secret.setPlaceholderText(shown.key_hint)
        given = parts_of(shown, self._profile.connection) if self._profile is not None else {}
        before: QWidget = self.connections
        for number, one in enumerate(shown.parts):
            editor = hidden_line(one.label) if one.secret else QLineEdit()
            editor.setText(given.get(one.name, ""))
            editor.setPlaceholderText(one.hint)
            if one.name == PASSWORD:
                self.rows.add(one.name, one.label, editor, at=self._password_at)
                QWidget.setTabOrder(self.secret, editor)
                continue
            self.rows.add(one.name, one.label, editor, at=self._parts_from + number)
            QWidget.setTabOrder(before, editor)
            before = editor
        QWidget.setTabOrder(before, self.more)
        self._show_auth()

    @property
    def is_asking(self) -> bool:
        """Whether it is known what the chosen interface asks for."""
        return self._asked is not None

    @property
    def has_secret_parts(self) -> bool:
        """Whether its connections have secrets of their own."""
        return any(one.secret and one.name != PASSWORD for one in (self._asked or BUILTIN).parts)

    def _part_fields(self) -> list[str]:
        return [one.name for one in (self._asked.parts if self._asked is not None else ())]

    def _show_auth(self) -> None:
        """How the key is sent is chosen only where the interface leaves it open."""
        self.rows.show_row("auth", self.more.isChecked() and self.auth.count() > 1)

    def show_held_parts(self, held: Collection[str]) -> None:
        """Say which secret parts of the connection in use are kept already."""
        for one in self._asked.parts if self._asked is not None else ():
            editor = self.rows.editors[one.name]
            if one.secret and isinstance(editor, QLineEdit):
                editor.setPlaceholderText(_SET if one.name in held else one.hint)

    def typed_parts(self) -> dict[str, str]:
        """What was typed into the fields for secret parts of the connection, by name. Raises ProfileFault."""
        found = {}
        for one in self._asked.parts if self._asked is not None else ():
            if one.secret and one.name != PASSWORD and (text := self._text(one.name)):
                try:
                    found[one.name] = clean_secret(text)[0]
                except ProfileFault as fault:
                    raise ProfileFault(fault.sentence.replace("The key", "It"), one.name) from None
        return found

    def _text(self, name: str) -> str:
        editor = self.rows.editors.get(name)
        return editor.text() if isinstance(editor, QLineEdit) else ""

    @property
    def profile(self) -> Profile | None:
        """What was shown, before any edit."""
        return self._profile

    def typed_secret(self) -> str:
        """What was typed as the key; empty: the kept one stays. Raises ProfileFault."""
        key = typed_key(self.secret.text(), self._text(PASSWORD))
        if key and self.auth.currentData() == TOKEN_CALL:
            clean_secret(key, Auth.TOKEN_CALL)
        return key

    def clear_secrets(self) -> None:
        """Forget what was typed as key and passphrase."""
        self.secret.clear()
        self.key_place.clear()
        for one in self._asked.parts if self._asked is not None else ():
            editor = self.rows.editors[one.name]
            if one.secret and isinstance(editor, QLineEdit):
                editor.clear()

    def value(self) -> Profile:
        """The profile as it now stands. Raises ProfileFault with the field that is wrong."""
        base = self.base_url.text().strip()
        if not base:
            raise ProfileFault(
                "Enter the address of the service, such as https://api.example.com.", "base_url"
            )
        if self._asked is None:
            raise ProfileFault("What the interface asks for is not known yet.", "interface")
        ids = self._ids(self._asked)
        fields = {
            "name": self.name.text().strip() or base.split("://")[-1].split("/")[0].split(":")[0],
            "environment": self.environment.currentData(),
            "base_url": base,
            "connections": tuple(ids),
            "connection": ids[0] if ids else "",
            "guard": self.guard.currentData(),
            "interface": self.interface.currentData(),
            "auth": self.auth.currentData(),
            "second_url": self.second_url.text(),
            "token_url": self.token_url.text(),
            "token_fields": self.token_fields.text(),
            "client_in_body": self.client_in_body.isChecked(),
            "deadline_seconds": self.deadline_seconds.value(),
            "connect_seconds": self.connect_seconds.value(),
            "ca_file": self.ca_file.text(),
            "proxy": self.proxy.text(),
        }
        return Profile.model_validate(fields) if self._profile is None else self._profile.changed(**fields)

    def _ids(self, asked: ConnectionFields) -> list[str]:
        """The connections, that in use first."""
        if asked.connections:
            lines = self.connections.toPlainText().replace(",", "\n").splitlines()
            return [line.strip() for line in lines if line.strip()]
        chosen = connection_of(asked, {one.name: self._text(one.name) for one in asked.parts})
        others = _in_use_first(self._profile)[1:] if self._profile is not None else []
        return [one for one in dict.fromkeys((chosen, *others)) if one]

    def show_fault(self, field: str, sentence: str) -> bool:
        """Write ``sentence`` under its field and go there; False when no field has that name."""
        field = {"connection": "connections"}.get(field, field)
        if field == "connections" and self._asked is not None and not self._asked.connections:
            field = next((one.name for one in self._asked.parts if not one.secret), "secret")
        if field not in self.rows.editors:
            return False
        if field in self._folding:
            self.show_more()
        said = self.rows.show_fault(field, sentence)
        locked = field == "passphrase" and self.key_place.locked
        place = self.key_place.phrase if locked else self.rows.editors[field]
        place.setFocus(Qt.FocusReason.OtherFocusReason)
        self.ensureWidgetVisible(said)
        return True

    def clear_faults(self) -> None:
        """Take all sentences away."""
        self.rows.clear_faults()

    def faults(self) -> dict[str, str]:
        """What stands under which field."""
        return self.rows.faults()

    def _guard_follows(self) -> None:
        # Production starts read only; what was chosen by hand for another environment is not made laxer.
        if self.environment.currentData() == "production":
            _choose(self.guard, "read only")

    def _show_secret(self, shown: bool) -> None:
        mode = QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password
        self.secret.setEchoMode(mode)
        self._reveal.setIcon(icon("eye-off" if shown else "eye"))
        self._reveal.setText("Hide what is typed" if shown else "Show what is typed")

    def _choose_ca(self) -> None:
        forms = "Certificates (*.pem *.crt *.cer);;All files (*)"
        ask_to_open(self, "CA file", forms, lambda path: self.ca_file.setText(str(path)))


def _seconds(most: int) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setRange(0.1, most)
    box.setDecimals(1)
    box.setSuffix(" s")
    box.setMaximumWidth(140)
    box.lineEdit().setTextMargins(7, 0, 0, 0)
    return box


def _choose(box: QComboBox, value: str) -> None:
    box.setCurrentIndex(max(0, box.findData(value)))


def _in_use_first(profile: Profile) -> list[str]:
    return [
        c for c in (profile.connection, *(c for c in profile.connections if c != profile.connection)) if c
    ]
