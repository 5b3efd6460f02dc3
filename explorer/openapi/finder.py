"""Finds the interfaces of the user's folder when a profile or a command names one; reading them is left until then."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from explorer.catalog.interfaces import FINDERS


def find_in(config: Path) -> None:
    """From now on `registry_of` finds the interfaces that are kept in ``config`` of the user's folders."""
    FINDERS[:] = [partial(_find, config)]


def kept_in(config: Path) -> list[tuple[str, str]]:
    """Name and title of each interface that is kept there, by name. Reads a small file for each."""
    from explorer.openapi.kept import KeptInterfaces  # YAML and schemas, which a start does without

    return [(kept.name, kept.title) for kept in KeptInterfaces(config).all()]


def _find(config: Path, key: str) -> None:
    from explorer.openapi.interface import find_kept  # the same

    find_kept(config, key)
