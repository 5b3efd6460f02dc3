"""The page of the package: README.md for readers who have no checkout, and the project's addresses.

hatchling calls it while it makes a wheel or an archive of the sources (pyproject.toml has the setting). Links into the
repository become absolute; while it has no address, their words stay and pictures are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PICTURE = r"^(?:<picture>.*?</picture>|!\[[^\]]*\]\([^)]*\))\n\n?"
"""A picture, which stands on lines of its own."""


class PackagePage(MetadataHookInterface):
    """Fills in `readme` and `urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Adds both to the project's metadata."""
        repository = str(self.config.get("repository", ""))
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": page(text, repository)}
        metadata["urls"] = urls(repository)


def urls(repository: str) -> dict[str, str]:
    """The project's addresses, by the names that package pages know."""
    places = {"Homepage": "", "Issues": "/issues", "Changelog": "/blob/HEAD/CHANGELOG.md"}
    return {name: repository + path for name, path in places.items()} if repository else {}


def page(text: str, repository: str) -> str:
    """README.md with links that lead from anywhere; without a repository, with their words alone."""
    if not repository:
        text = re.sub(_PICTURE, "", text, flags=re.MULTILINE | re.DOTALL)
        return re.sub(r"\[([^\]]+)\]\((?!\w+://)[^)]*\)", r"\1", text)
    text = re.sub(r"(!\[[^\]]*\]\()(?!\w+://)", rf"\1{repository}/raw/HEAD/", text)
    text = re.sub(r'((?:src|srcset)=")(?!\w+://)', rf"\1{repository}/raw/HEAD/", text)
    return re.sub(r"((?<!!)\[[^\]]+\]\()(?!\w+://|#)", rf"\1{repository}/blob/HEAD/", text)
