"""The options of ``check``, in the order in which its help shows them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from explorer.cli import options
from explorer.cli.evidence import AddendumFile, BundleFile, MaskKinds

Resources = Annotated[
    list[str] | None,
    typer.Argument(metavar="[RESOURCE …]", help="Resources such as ats/job; without any: all."),
]
RecipeFile = Annotated[
    Path | None,
    typer.Option("--recipe", metavar="FILE", help="Read the settings from a recipe; options override it."),
]
SaveRecipe = Annotated[
    Path | None,
    typer.Option(
        "--save-recipe", metavar="FILE", help="Write the settings as a recipe, and send no request."
    ),
]
FailedAgain = Annotated[
    Path | None,
    typer.Option(
        "--failed-again", metavar="REPORT", help="Repeat only what failed in an earlier JSON report."
    ),
]
Connections = Annotated[
    str | None,
    typer.Option("--connections", metavar="A,B", help="Several connections, one after another."),
]
Only = Annotated[
    str | None, typer.Option("--only", metavar="CHECK,…", help="Ids of checks or names of groups.")
]
Ids = Annotated[str | None, typer.Option("--ids", metavar="A,B", help="Account ids for the batch read.")]
Properties = Annotated[
    str | None, typer.Option("--properties", metavar="A,B", help="Properties for the batch read.")
]
Customer = Annotated[
    str | None, typer.Option("--customer", metavar="ID", help="Customer id for the reports.")
]
Transactions = Annotated[
    str | None, typer.Option("--transactions", metavar="A,B", help="Transaction ids for the receipts.")
]
Connector = Annotated[
    str | None, typer.Option("--connector", metavar="NAME", help="The connector of the webhook.")
]
Writes = Annotated[
    bool | None,
    typer.Option("--writes/--no-writes", help="Also try writes, on records that the run makes itself."),
]
Prove = Annotated[
    bool | None,
    typer.Option(
        "--prove/--no-prove",
        help="Prove that each list is complete; a run without it says about how many calls that takes.",
    ),
]
Quick = Annotated[
    bool | None,
    typer.Option(
        "--quick/--no-quick",
        help="Look at the first three pages of each list alone; what needs the whole of one is skipped.",
    ),
]
Offline = Annotated[
    bool | None,
    typer.Option(
        "--offline/--no-offline",
        help="Check the rows of the last pull as they are stored, and send no request; what needs one is skipped.",
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        "--against",
        metavar="RECORDING",
        help="Check what a bundle, a .har file or pull:LIST recorded, in place of a service; needs no key.",
    ),
]
MaxCalls = Annotated[
    int | None, typer.Option("--max-calls", metavar="N", min=1, help="Make no more than N calls.")
]
MaxRecords = Annotated[
    int | None, typer.Option("--max-records", metavar="N", min=1, help="Read no more than N records.")
]
MaxPages = Annotated[
    int | None, typer.Option("--max-pages", metavar="N", min=1, help="No more than N pages of each list.")
]
MaxSeconds = Annotated[
    float | None, typer.Option("--max-seconds", metavar="S", min=0.1, help="Take no longer than S seconds.")
]
JsonFile = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the run as JSON.")]
HtmlFile = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write the run as one HTML page.")
]
JunitFile = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", help="Write the run as JUnit XML.")
]
SarifFile = Annotated[
    Path | None, typer.Option("--sarif", metavar="FILE", help="Write the run as SARIF 2.1.0.")
]
SummaryFile = Annotated[
    Path | None,
    typer.Option(
        "--summary", metavar="FILE", help="Write a few lines of Markdown, for a comment on a pull request."
    ),
]
BaselinePath = Annotated[
    Path | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help="Compare with the accepted findings in FILE: exit code 1 only for what is new, grown or expired.",
    ),
]
BaselineUpdate = Annotated[
    bool, typer.Option("--baseline-update", help="Accept in the baseline all that was found.")
]
BaselinePrune = Annotated[
    bool, typer.Option("--baseline-prune", help="Remove from the baseline what is fixed.")
]
MarkdownFile = Annotated[
    Path | None, typer.Option("--markdown", metavar="FILE", help="Write the run as Markdown.")
]


@dataclass(frozen=True, kw_only=True)
class CheckOptions:
    """The options of one ``check``: each field is one, and the order is that of the help."""

    resources: Resources = None
    recipe: RecipeFile = None
    save_recipe: SaveRecipe = None
    failed_again: FailedAgain = None
    connections: Connections = None
    only: Only = None
    ids: Ids = None
    properties: Properties = None
    customer: Customer = None
    transactions: Transactions = None
    connector: Connector = None
    writes: Writes = None
    quick: Quick = None
    prove: Prove = None
    offline: Offline = None
    against: Against = None
    max_calls: MaxCalls = None
    max_records: MaxRecords = None
    max_pages: MaxPages = None
    max_seconds: MaxSeconds = None
    json_file: JsonFile = None
    html_file: HtmlFile = None
    junit_file: JunitFile = None
    markdown_file: MarkdownFile = None
    sarif_file: SarifFile = None
    summary_file: SummaryFile = None
    baseline: BaselinePath = None
    baseline_update: BaselineUpdate = False
    baseline_prune: BaselinePrune = False
    bundle: BundleFile = None
    mask: MaskKinds = None
    addendum: AddendumFile = None
    deadline: options.Deadline = None
    timeout: options.Timeout = None

    @property
    def reports(self) -> dict[str, Path | None]:
        """The reports to write, by their form."""
        return {
            "json": self.json_file,
            "html": self.html_file,
            "junit": self.junit_file,
            "markdown": self.markdown_file,
            "sarif": self.sarif_file,
            "summary": self.summary_file,
        }

    @property
    def files(self) -> tuple[dict[str, Path | None], dict[str, Path | None]]:
        """The files that are written and those that are only read, by the names of their options."""
        written = {f"--{form}": path for form, path in self.reports.items()}
        written |= {"--bundle": self.bundle, "--addendum": self.addendum, "--save-recipe": self.save_recipe}
        changes = self.baseline_update or self.baseline_prune
        read = {"--recipe": self.recipe if self.save_recipe is None else None}
        (written if changes else read)["--baseline"] = self.baseline
        return written, read
