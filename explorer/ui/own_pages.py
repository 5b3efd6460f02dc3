"""What stands in the sidebar beside the interface's own resources: Home, the pages about quality; and every icon."""

from __future__ import annotations

from dataclasses import replace

from explorer.catalog.interfaces import remake_of
from explorer.catalog.registry import Registry
from explorer.catalog.spec import Batch, Report, Resource, Vertical

HOME = Resource(key="connection/home", title="Home", icon="house", operations=())
INTERFACE = Resource(key="connection/interface", title="Interface", icon="braces", operations=())
RUNS = Resource(key="quality/runs", title="Runs", icon="shield", operations=())
SNAPSHOTS = Resource(key="quality/snapshots", title="Snapshots", icon="camera", operations=())
_TABS = {RUNS.key: "Quality run"}
"""What a tab says where the sidebar's heading is needed to understand its entry."""


CONNECTION = Vertical(key="connection", title="", resources=(HOME,))
"""The first group of the sidebar, which needs no heading."""
QUALITY = Vertical(key="quality", title="Quality", resources=(RUNS, SNAPSHOTS))
"""The last group of the sidebar."""


def verticals(registry: Registry) -> tuple[Vertical, ...]:
    """All groups of the sidebar, in order. An interface that was read out of a document has a page about it."""
    if remake_of(registry.interface.key) is None:
        return (CONNECTION, *registry.interface.verticals, QUALITY)
    shown = (
        replace(
            vertical, resources=tuple(one for resource in vertical.resources for one in _entries(resource))
        )
        for vertical in registry.interface.verticals
    )
    return (replace(CONNECTION, resources=(HOME, INTERFACE)), *shown, QUALITY)


def _entries(resource: Resource) -> tuple[Resource, ...]:
    """A list of a document and, as an entry of its own, what else can be asked below its path: forms for one call."""
    rest = tuple(one for one in resource.operations if one is not resource.listing)
    if resource.listing is None or not rest:
        return (resource,)
    calls = Resource(key=f"{resource.key}:calls", title=f"{resource.title}: single calls", operations=rest)
    return (replace(resource, operations=(resource.listing,)), calls)


def page_resources(registry: Registry) -> dict[str, Resource]:
    """All that has a page, by its key. That about interfaces is always there: one can be imported in any profile."""
    shown = {resource.key: resource for vertical in verticals(registry) for resource in vertical.resources}
    return {INTERFACE.key: INTERFACE, **shown}


def tab_title(resource: Resource) -> str:
    """What its tab says."""
    return _TABS.get(resource.key, resource.title)


def icon_name(resource: Resource) -> str:
    """The icon of its entry, as `explorer.ui.kit.theme.icon` takes it: its own, else one by what it does."""
    return f"pages/{resource.icon or _by_kind(resource)}"


def _by_kind(resource: Resource) -> str:
    if resource.listing is not None:
        return "list"
    if not resource.reads:
        return "pencil"
    kinds = {type(operation) for operation in resource.operations}
    return "table" if Batch in kinds else "chart" if Report in kinds else "braces"
