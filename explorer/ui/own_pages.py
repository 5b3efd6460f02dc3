"""What stands in the sidebar beside the interface's own resources: the pages about quality."""

from __future__ import annotations

from explorer.catalog.registry import Registry
from explorer.catalog.spec import Resource, Vertical

RUNS = Resource(key="quality/runs", title="Runs", operations=())
SNAPSHOTS = Resource(key="quality/snapshots", title="Snapshots", operations=())
_TABS = {RUNS.key: "Quality run"}
"""What a tab says where the sidebar's heading is needed to understand its entry."""


QUALITY = Vertical(key="quality", title="Quality", resources=(RUNS, SNAPSHOTS))
"""The last group of the sidebar."""


def verticals(registry: Registry) -> tuple[Vertical, ...]:
    """All groups of the sidebar, in order."""
    return (*registry.interface.verticals, QUALITY)


def page_resources(registry: Registry) -> dict[str, Resource]:
    """All that has a page, by its key."""
    return {resource.key: resource for vertical in verticals(registry) for resource in vertical.resources}


def tab_title(resource: Resource) -> str:
    """What its tab says."""
    return _TABS.get(resource.key, resource.title)
