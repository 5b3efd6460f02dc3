"""What stands in the sidebar beside the interface's own resources: the pages about quality."""

from __future__ import annotations

from explorer.catalog import registry
from explorer.catalog.spec import Resource, Vertical

RUNS = Resource(key="quality/runs", title="Runs", operations=())
SNAPSHOTS = Resource(key="quality/snapshots", title="Snapshots", operations=())
_TABS = {RUNS.key: "Quality run"}
"""What a tab says where the sidebar's heading is needed to understand its entry."""


QUALITY = Vertical(key="quality", title="Quality", resources=(RUNS, SNAPSHOTS))
"""The last group of the sidebar."""


def verticals() -> tuple[Vertical, ...]:
    """All groups of the sidebar, in order."""
    return (*registry.VERTICALS, QUALITY)


def page_resources() -> dict[str, Resource]:
    """All that has a page, by its key."""
    return {resource.key: resource for vertical in verticals() for resource in vertical.resources}


def page_resource(key: str) -> Resource:
    """What the page of that key is about. Raises KeyError."""
    return page_resources().get(key) or registry.resource(key)


def tab_title(resource: Resource) -> str:
    """What its tab says."""
    return _TABS.get(resource.key, resource.title)
