"""The files of ``check`` beside its reports: the evidence bundle, and the addendum of observed behaviour."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.exits import CannotStart, UsageFault, known_secrets, without_secrets
from explorer.cli.words import say
from explorer.files import write_whole
from explorer.quality.baseline.baseline import Baseline
from explorer.quality.bundle.choice import choose
from explorer.quality.bundle.evidence import Evidence
from explorer.quality.bundle.masking_kinds import Mask, masked_words
from explorer.quality.bundle.write import BundleFault, write_bundle
from explorer.quality.engine.check import Run
from explorer.quality.reports.observed import observed
from explorer.quality.reports.observed_report import addendum_json, addendum_markdown
from explorer.words import count

BundleFile = Annotated[
    Path | None,
    typer.Option("--bundle", metavar="FILE", help="Write the run with its evidence as one zip; see `open`."),
]
MaskKinds = Annotated[
    str | None,
    typer.Option(
        "--mask", metavar="KIND,…", help="In the bundle also mask: emails, phones, names. Keys always are."
    ),
]
AddendumFile = Annotated[
    Path | None,
    typer.Option(
        "--addendum",
        metavar="FILE",
        help=(
            "Write what was seen where the contract is silent, as Markdown, or as JSON if FILE ends in .json."
        ),
    ),
]


def masks_of(text: str | None, bundle: Path | None) -> tuple[Mask, ...]:
    """The kinds of --mask. Raises UsageFault for an unknown kind, or when there is no --bundle."""
    names = [part.strip() for part in (text or "").split(",") if part.strip()]
    known = {str(mask): mask for mask in Mask}
    for name in names:
        if name not in known:
            raise UsageFault(f"{name!r} is not a kind to mask. Kinds are: {', '.join(known)}.")
    if names and bundle is None:
        raise UsageFault("--mask applies to the bundle: give --bundle FILE too.")
    return tuple(known[name] for name in names)


def evidence_works(
    runs: Sequence[Run],
    evidence: Sequence[Evidence],
    *,
    bundle: Path | None,
    masks: Sequence[Mask] = (),
    baseline: Baseline | None = None,
    addendum: Path | None = None,
) -> dict[str, Callable[[], None]]:
    """A function for each file to write, by its name.

    It raises OSError, and CannotStart when the second search found something unmasked in the bundle.
    """
    works: dict[str, Callable[[], None]] = {}
    if addendum is not None:
        works["addendum"] = partial(_write_addendum, runs, evidence, addendum)
    if bundle is not None:
        works["bundle"] = partial(_write_bundle, runs, evidence, bundle, masks, baseline)
    return works


def _write_addendum(runs: Sequence[Run], evidence: Sequence[Evidence], path: Path) -> None:
    form = addendum_json if path.suffix.lower() == ".json" else addendum_markdown
    made = form([observed(run, one) for run, one in zip(runs, evidence, strict=True)])
    write_whole(path, without_secrets(made.decode()).encode(), private=False)


def _write_bundle(
    runs: Sequence[Run],
    evidence: Sequence[Evidence],
    path: Path,
    masks: Sequence[Mask],
    baseline: Baseline | None,
) -> None:
    try:
        chosen = [choose(run, one) for run, one in zip(runs, evidence, strict=True)]
        written = write_bundle(path, chosen, secrets=known_secrets(), masks=masks, baseline=baseline)
    except BundleFault as fault:
        raise CannotStart(str(fault)) from None
    masked = masked_words(written.masked)
    say(f"{path}: {count(len(written.files), 'file')}, masked: {masked}. {written.looked_for}")
