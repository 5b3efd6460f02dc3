"""Documents with their packs in the user's folder: ``interfaces/NAME/`` below the configuration.

A folder holds ``document.json`` or ``document.yaml`` with the bytes as they came, ``overlay.yaml`` and ``pack.toml``
where there are such, and ``about.json``, which is written last: a folder without it was not finished and counts as not
there.
"""

from __future__ import annotations

import contextlib
import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from explorer.files import write_whole
from explorer.openapi.load import DocumentFault
from explorer.openapi.overlay import is_overlay
from explorer.openapi.pack import apply, read_pack
from explorer.openapi.proposal import read
from explorer.openapi.values import Proposal
from explorer.paths import private_folder

NAMED = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""The name of an interface: it becomes a folder, and the key that profiles name."""
_ABOUT = "about.json"


@dataclass(frozen=True, slots=True)
class Kept:
    """One interface in the user's folder."""

    name: str
    folder: Path
    title: str
    lists: int
    origin: str
    """The file or address that the document came from."""

    @property
    def document(self) -> Path:
        """The document's file."""
        json = self.folder / "document.json"
        return json if json.exists() else self.folder / "document.yaml"

    @property
    def pack(self) -> Path:
        """The pack's file, which need not exist."""
        return self.folder / "pack.toml"

    @property
    def overlay(self) -> Path:
        """The Overlay's file, which need not exist; it is applied before the pack."""
        return self.folder / "overlay.yaml"

    def corrections(self) -> tuple[bytes | None, bytes | None]:
        """The Overlay and the pack; None where there is none. Raises OSError."""
        overlay, pack = (f.read_bytes() if f.exists() else None for f in (self.overlay, self.pack))
        return overlay, pack

    def read(self) -> Proposal:
        """The document as Overlay and pack correct it. Raises DocumentFault, OSError."""
        overlay, pack = self.corrections()
        return proposal_of(self.document.read_bytes(), pack, overlay)


class _About(msgspec.Struct):
    title: str = ""
    lists: int = 0
    origin: str = ""


def proposal_of(document: bytes, pack: bytes | None, overlay: bytes | None = None) -> Proposal:
    """What a document says, as an Overlay and then a pack correct it; either may be given as ``pack``.

    Raises DocumentFault, which names the file where it is its fault.
    """
    if pack is not None and is_overlay(pack):
        pack, overlay = None, pack
    proposal = read(document, overlay)
    if pack is None:
        return proposal
    try:
        return apply(proposal, read_pack(pack))
    except DocumentFault as fault:
        raise DocumentFault(f"The pack, {str(fault)[:1].lower()}{str(fault)[1:]}") from None


def name_for(proposal: Proposal, source: str) -> str:
    """A name for the interface of a document, after its title, else after the file or address it came from."""
    for text in (proposal.title, Path(urlsplit(source).path).stem):
        small = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40].strip("-")
        if small:
            return small
    return "interface"


class KeptInterfaces:
    """The interfaces in one folder, ``config`` of the user's folders; it is made when the first one is added."""

    def __init__(self, config: Path) -> None:
        self.config = config
        self._folder = config / "interfaces"

    def all(self) -> list[Kept]:
        """Every interface, by name."""
        if not self._folder.is_dir():
            return []
        return [kept for each in sorted(self._folder.iterdir()) if (kept := self._kept(each)) is not None]

    def get(self, name: str) -> Kept | None:
        """The interface of that name; None when there is none."""
        return self._kept(self._folder / name) if NAMED.fullmatch(name) else None

    def add(self, name: str, document: bytes, pack: bytes | None, origin: str) -> Kept:
        """Keeps a document with its pack or Overlay.

        Raises DocumentFault for what cannot be read or a name in use; OSError.
        """
        proposal = proposal_of(document, pack)
        folder = self._folder / name
        if self._kept(folder) is not None:
            raise DocumentFault(
                f"There is an interface {name} already: remove it first, or give another --name."
            )
        private_folder(self._folder)
        if folder.exists():  # left behind by an `add` that was killed
            shutil.rmtree(folder)
        private_folder(folder)
        kind = "json" if document.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{" else "yaml"
        try:
            write_whole(folder / f"document.{kind}", document)
            if pack is not None:
                write_whole(folder / ("overlay.yaml" if is_overlay(pack) else "pack.toml"), pack)
            about = _About(proposal.title, len(proposal.lists), origin)
            write_whole(folder / _ABOUT, msgspec.json.encode(about))
        except OSError:
            with contextlib.suppress(OSError):
                shutil.rmtree(folder)
            raise
        return Kept(name, folder, about.title, about.lists, origin)

    def set_pack(self, name: str, pack: bytes) -> Kept:
        """Puts a pack in the place of the one that is there. Raises DocumentFault, LookupError, OSError."""
        kept = self.get(name)
        if kept is None:
            raise LookupError(name)
        proposal = proposal_of(kept.document.read_bytes(), pack, kept.corrections()[0])
        write_whole(kept.pack, pack)
        about = _About(proposal.title, len(proposal.lists), kept.origin)
        write_whole(kept.folder / _ABOUT, msgspec.json.encode(about))
        return replace(kept, lists=about.lists)

    def remove(self, name: str) -> bool:
        """Removes an interface; False when there is none. Raises OSError."""
        kept = self.get(name)
        if kept is None:
            return False
        (kept.folder / _ABOUT).unlink()  # from here on it is not there, whatever happens to the rest
        shutil.rmtree(kept.folder)
        return True

    def _kept(self, folder: Path) -> Kept | None:
        try:
            about = msgspec.json.decode((folder / _ABOUT).read_bytes(), type=_About)
        except (OSError, msgspec.DecodeError):
            return None
        return Kept(folder.name, folder, about.title, about.lists, about.origin)
