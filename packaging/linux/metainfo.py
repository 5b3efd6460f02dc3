"""Prints the AppStream metainfo: what stands beside this file, with releases from CHANGELOG.md, addresses and pictures.

The repository's address is the one setting in pyproject.toml; while it is empty, links and pictures are left out.
"""

from __future__ import annotations

import re
import sys
import time
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from places import APP_ID, PYPROJECT, ROOT, VERSION

TEMPLATE = Path(__file__).parent / f"{APP_ID}.metainfo.xml"
PICTURES = {
    "jobs-light.png": "A list, the chosen record beside it, and the log of requests below",
    "quality-run.png": "A quality run: what fails first, and one finding with its rows",
    "contact-upsert.png": "A write: the form, what was sent against what came back, and the answer",
}

DEFAULT = ' type="default"'


def releases() -> str:
    """The versions of the change log, newest first; the one at work, if not released yet, as of today."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    made = re.findall(r"^## \[(\d[^\]]*)\] - (\d{4}-\d\d-\d\d)", text, re.MULTILINE)
    lines = [f'    <release version="{version}" date="{date}"/>' for version, date in made]
    if VERSION not in dict(made):
        today = time.strftime("%Y-%m-%d", time.gmtime())
        lines.insert(0, f'    <release version="{VERSION}" date="{today}" type="development"/>')
    return "\n".join(["  <releases>", *lines, "  </releases>"])


def addresses(repository: str) -> str:
    """The links and pictures that lead into the repository; nothing while it has no address."""
    if not repository:
        return ""
    pictures = [
        f"    <screenshot{DEFAULT if not at else ''}>\n      <caption>{words}</caption>\n      "
        f"<image>{repository}/raw/HEAD/docs/pictures/{name}</image>\n    </screenshot>"
        for at, (name, words) in enumerate(PICTURES.items())
    ]
    links = [
        f'  <url type="{kind}">{repository}{path}</url>'
        for kind, path in (("homepage", ""), ("bugtracker", "/issues"), ("vcs-browser", ""))
    ]
    return "\n".join([*links, "  <screenshots>", *pictures, "  </screenshots>"])


def metainfo() -> str:
    """The whole file."""
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    repository = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"]
    more = "\n".join(filter(None, (addresses(repository), releases())))
    return TEMPLATE.read_text(encoding="utf-8").replace("</component>", f"{more}\n</component>")


if __name__ == "__main__":
    sys.stdout.write(metainfo())
