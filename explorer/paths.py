"""Where things are: the per-user folders (platformdirs), the bundled resources, and one override for all of them.

`--home DIR` or the environment variable ``UNIFIED_EXPLORER_HOME`` moves every per-user folder under DIR, so that a
test, a second instance or a portable stick never touches the user's own files.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

HOME_VARIABLE = "UNIFIED_EXPLORER_HOME"
_APP = "unified-explorer"


class Folders(NamedTuple):
    """The per-user folders of the program. They need not exist; whoever writes makes them (mode 0700)."""

    config: Path
    """Profiles and settings: small, worth a backup."""
    data: Path
    """The stores, one file a profile: what has been pulled, drafts, registries."""
    state: Path
    """The window's layout and what was open last."""

    @classmethod
    def of_user(cls, home: str | os.PathLike[str] | None = None) -> Folders:
        """Folders under ``home``, else under ``UNIFIED_EXPLORER_HOME``, else where the platform keeps such things."""
        chosen = home or os.environ.get(HOME_VARIABLE)
        if chosen:
            root = Path(chosen).expanduser().absolute()
            return cls(root / "config", root / "data", root / "state")
        import platformdirs  # only when it is needed: the import costs a start some milliseconds

        dirs = platformdirs.PlatformDirs(_APP, appauthor=False, roaming=False)
        # On macOS and Windows the three fall into one folder; a name of their own keeps them apart there as well.
        return cls(
            Path(dirs.user_config_path) / "config",
            Path(dirs.user_data_path) / "data",
            Path(dirs.user_state_path) / "state",
        )


def private_folder(folder: Path) -> Path:
    """``folder``, made if it is missing, for this user alone (0700 where the platform has modes).

    Raises OSError when it cannot be made.
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
