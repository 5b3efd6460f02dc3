"""The per-user folders (by platformdirs), with one override for all of them, and the bundled resources.

`--home DIR` or the environment variable ``UNIFIED_EXPLORER_HOME`` moves every per-user folder below DIR, so that a
test, a second instance or a copy on a USB stick never touches the user's own files.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

HOME_VARIABLE = "UNIFIED_EXPLORER_HOME"
_APP = "unified-explorer"


class Folders(NamedTuple):
    """The per-user folders of the program. They need not exist: code that writes creates them (`private_folder`)."""

    config: Path
    """Profiles, settings and the encrypted key file: small, and worth a backup."""
    data: Path
    """Stores, journals, snapshots and stored quality runs, by profile."""
    state: Path
    """The window's layout and what was open last."""

    @classmethod
    def of_user(cls, home: str | os.PathLike[str] | None = None) -> Folders:
        """Folders below ``home``, else below ``UNIFIED_EXPLORER_HOME``, else at the platform's usual places."""
        chosen = home or os.environ.get(HOME_VARIABLE)
        if chosen:
            root = Path(chosen).expanduser().absolute()
            return cls(root / "config", root / "data", root / "state")
        import platformdirs  # here, because the import takes some milliseconds of a start that does not need it

        dirs = platformdirs.PlatformDirs(_APP, appauthor=False, roaming=False)
        # On macOS and Windows platformdirs gives one folder for all three: each gets a subfolder.
        return cls(
            Path(dirs.user_config_path) / "config",
            Path(dirs.user_data_path) / "data",
            Path(dirs.user_state_path) / "state",
        )


def private_folder(folder: Path) -> Path:
    """Creates ``folder`` if it is missing, with mode 0700 where the platform has modes, and returns it.

    Raises OSError when it cannot be created.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def resource(name: str) -> Path:
    """The bundled file ``name`` (a relative path such as ``style.qss``).

    An installed package has the files in ``explorer/_resources``; a checkout in ``resources`` beside ``explorer``.
    """
    package = Path(__file__).resolve().parent
    installed = package / "_resources" / name
    return installed if installed.exists() else package.parent / "resources" / name
