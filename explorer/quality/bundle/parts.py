"""Names and fixed contents of a bundle's files, shared by its writer and its reader."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from explorer.quality.engine.check import BAD, Finding, Result, Run
from explorer.words import count

FORMAT = "unified-explorer evidence bundle"
VERSION = 1

FILES = {
    "README.md": "this page",
    "manifest.json": "what was masked (kinds and counts), each file's SHA-256, the program's version",
    "run.json": "the whole run: verdicts, findings, mapping, times",
    "findings.json": "every finding with its number, its places and the command that reproduces it",
    "rows.jsonl": "sample rows: one line for each place of a finding that is a record",
    "report.html": "the run as a page for a browser; it needs no network",
    "report.md": "the run for an issue or a pull request",
    "junit.xml": "the run for a build server",
    "observed.md": "what was seen where the contract is silent",
    "observed.json": "the same for programs",
}
"""Every file except the exchanges, in the order of the bundle."""
_EXCHANGES = re.compile(r"exchanges-[1-9]\d{0,3}\.har")


class BundleFault(Exception):
    """The bundle cannot be written or read. One plain sentence, without any value of the data."""

    def __init__(self, sentence: str, hits: Sequence[object] = ()) -> None:
        """``hits`` are all results of the final scan, each in words; the sentence names the first."""
        super().__init__(sentence)
        self.hits = tuple(hits)


def exchanges_file(number: int) -> str:
    """The name of the file with the calls of a run, counted from 1."""
    return f"exchanges-{number}.har"


def is_file(name: str) -> bool:
    """Whether a bundle may contain a file with that name."""
    return name in FILES or _EXCHANGES.fullmatch(name) is not None


def numbered(runs: Sequence[Run]) -> Iterator[tuple[int, int, Result, Finding | None]]:
    """Each finding's number (from 1), its run's, its result and itself; None for a result without findings.

    Failed ones come before suspect ones, each in the order found, and not by rank: so existing bundles keep their
    numbers whatever the ranking becomes.
    """
    number = 0
    for place, run in enumerate(runs, 1):
        for result in (one for verdict in BAD for one in run.results if one.verdict is verdict):
            for finding in result.findings or (None,):
                number += 1
                yield number, place, result, finding


def readme(runs: Sequence[Run], masks: Sequence[str], missing: int = 0) -> str:
    """A description of the bundle for its recipient. ``missing``: calls that were no longer available."""
    out = ["# Evidence of a quality run", ""]
    out.append("Unified Explorer made this bundle. It opens without any service, key or network:")
    out += ["", "    unified-explorer open BUNDLE", "", "| file | holds |", "|---|---|"]
    out += [f"| `{name}` | {words} |" for name, words in FILES.items()]
    for place, run in enumerate(runs, 1):
        who = (run.connection or run.profile).replace("|", " ").replace("`", " ")
        out.append(f"| `{exchanges_file(place)}` | the calls of run {place} (`{who}`) as HTTP Archive 1.2 |")
    also = f" On request also: {', '.join(masks)}." if masks else ""
    masked = (
        f"Keys, tokens and links are shown as ••••••.{also} A masked address, number or name has "
        "the same pseudonym everywhere in this bundle (`e-mail-1@masked.example`), so that rows "
        "can be told apart and joined; ids stay. The manifest says how much of each kind was "
        "masked. Before the bundle was written, every byte of it was searched once more."
    )
    use = (
        "Begin with `report.html`. A finding's number in `findings.json` leads to its rows "
        "(`finding` in `rows.jsonl`) and to its calls (`exchange`, which is `_number` in the HAR "
        "file). `reproduce` is the command to get it again with your own profile."
    )
    if missing:
        gone = f"{count(missing, 'call')} of these runs. The request log has a limit, and its oldest calls go first."
        out += ["", "## What is missing", "", gone]
    out += ["", "## What was masked", "", masked, "", "## How to use it", "", use]
    return "\n".join(out) + "\n"
