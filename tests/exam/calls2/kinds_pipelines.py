"""Pipelines and customers that are written otherwise than they were sent."""

from __future__ import annotations

import copy
from typing import Any

from tests.exam.calls.service import Service
from tests.exam.calls.web import Request
from tests.exam.calls.world import Row
from tests.exam.calls2.kinds import CUSTOMERS, PIPELINES, kind


@kind("pipelines", "an update replaces the metadata", PIPELINES, writes=True)
class MetadataReplaced(Service):
    def changed_pipeline(self, row: Row, body: Row) -> None:
        super().changed_pipeline(row, body)
        if "metadata" in body:
            row["metadata"] = body["metadata"]


@kind("pipelines", "an update merges the metadata at every depth", PIPELINES, writes=True)
class MergedDeep(Service):
    def merged(self, old: Any, new: Any) -> Any:
        if isinstance(old, dict) and isinstance(new, dict):
            return {**old, **{key: self.merged(old.get(key), value) for key, value in new.items()}}
        return new


@kind("pipelines", "an update answers the new metadata and keeps the old", PIPELINES, writes=True)
class MetadataForgotten(Service):
    def pipeline_update(self, request: Request, pipeline: str) -> Any:
        before = copy.deepcopy(self.world.pipelines.get(pipeline))
        made = copy.deepcopy(super().pipeline_update(request, pipeline))
        if before is not None:
            self.world.pipelines[pipeline]["metadata"] = before["metadata"]
        return made


@kind("pipelines", "an update of disabled is answered and not stored", PIPELINES, writes=True)
class DisabledForgotten(Service):
    def pipeline_update(self, request: Request, pipeline: str) -> Any:
        before = copy.deepcopy(self.world.pipelines.get(pipeline))
        made = copy.deepcopy(super().pipeline_update(request, pipeline))
        if before is not None:
            self.world.pipelines[pipeline]["disabled"] = before["disabled"]
        return made


@kind("pipelines", "an update of disabled is not carried out", PIPELINES, writes=True)
class DisabledIgnored(Service):
    def changed_pipeline(self, row: Row, body: Row) -> None:
        super().changed_pipeline(row, {key: value for key, value in body.items() if key != "disabled"})


@kind("pipelines", "an update of the metadata alone clears the streams", PIPELINES, writes=True)
class StreamsCleared(Service):
    def changed_pipeline(self, row: Row, body: Row) -> None:
        super().changed_pipeline(row, body)
        if "streams" not in body:
            row["streams"] = None


@kind("pipelines", "an update enables the pipeline again", PIPELINES, writes=True)
class EnabledAgain(Service):
    def changed_pipeline(self, row: Row, body: Row) -> None:
        super().changed_pipeline(row, {"disabled": False, **body})


@kind("pipelines", "createdAt moves at every update", PIPELINES, writes=True)
class CreatedAgain(Service):
    def changed_pipeline(self, row: Row, body: Row) -> None:
        super().changed_pipeline(row, body)
        row["createdAt"] = row["updatedAt"]


@kind("pipelines", "the answered id is another than the one that was sent", PIPELINES, writes=True)
class OtherId(Service):
    def pipeline(self, row: Row) -> Row:
        return {**super().pipeline(row), "id": f"pipe_{row['id'].removeprefix('pipe_')[::-1]}x"}


@kind("pipelines", "an id without pipe_ is taken and stored", PIPELINES, writes=True)
class AnyPipelineId(Service):
    def looked_at(self, value: Any, prefix: str, *path: str) -> None:
        if prefix != "pipe_":
            super().looked_at(value, prefix, *path)


@kind("pipelines", "a create drops the metadata", PIPELINES, writes=True)
class NoMetadata(Service):
    def made_pipeline(self, body: Row) -> Row:
        return super().made_pipeline({key: value for key, value in body.items() if key != "metadata"})


@kind("pipelines", "an update writes the metadata of the pipeline made first as well", PIPELINES, writes=True)
class AllPipelines(Service):
    def changed_pipeline(self, row: Row, body: Row) -> None:
        for one in self.world.pipelines.values():
            super().changed_pipeline(one, body)


@kind("pipelines", "createdAt and updatedAt are left out", PIPELINES, writes=True)
class NoDates(Service):
    def pipeline(self, row: Row) -> Row:
        return {key: value for key, value in row.items() if key not in ("createdAt", "updatedAt")}


@kind("pipelines", "disabled is a number in the answer", PIPELINES, writes=True)
class NumberFlag(Service):
    def pipeline(self, row: Row) -> Row:
        return {**row, "disabled": int(row["disabled"])}


@kind("customers", "a put merges the metadata instead of replacing the customer", CUSTOMERS, writes=True)
class CustomerMerged(Service):
    def kept_customer(self, customer: str, body: Row) -> Row:
        before = self.world.customers.get(customer, {}).get("metadata")
        row = super().kept_customer(customer, body)
        if isinstance(before, dict) and isinstance(row.get("metadata"), dict):
            row["metadata"] = {**before, **row["metadata"]}
        return row


@kind("customers", "a second put is not carried out", CUSTOMERS, writes=True)
class CustomerOnce(Service):
    def kept_customer(self, customer: str, body: Row) -> Row:
        return self.world.customers.get(customer) or super().kept_customer(customer, body)


@kind("customers", "the answered id is made by the service", CUSTOMERS, writes=True)
class CustomerNewId(Service):
    def customer(self, row: Row) -> Row:
        return {**row, "id": f"cus_{len(self.world.customers):06}"}


@kind("customers", "orgId is left out", CUSTOMERS, writes=True)
class CustomerNoOrg(Service):
    def customer(self, row: Row) -> Row:
        return {key: value for key, value in row.items() if key != "orgId"}


@kind("customers", "metadata comes back as a text", CUSTOMERS, writes=True)
class CustomerText(Service):
    def customer(self, row: Row) -> Row:
        return {**row, "metadata": str(row["metadata"])} if "metadata" in row else row
