"""What the contract leaves open, topic by topic: where the interface says "not shown"."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing that the contract leaves open."""

    id: str
    """Stable; the addendum's JSON names it."""
    group: str
    title: str
    place: str
    """The section of the contract that leaves it open."""


TOPICS = (
    Topic("success.status", "Answers", "Status of a successful response", "4, rule 5"),
    Topic("success.type", "Answers", "Content type of a successful response", "4"),
    Topic("success.connection", "Answers", "Whether a response names the connection that it used", "5.3"),
    Topic("success.encoding", "Answers", "How bodies are compressed", "4"),
    Topic("success.redirects", "Answers", "Redirects", "4"),
    Topic("time.pages", "Answers", "How long responses take", "8"),
    Topic("error.status", "Failures", "Status of a failure", "7"),
    Topic("error.shape", "Failures", "Shape of a failure's body", "7"),
    Topic("error.code", "Failures", "Codes in a failure's body", "7"),
    Topic("error.no-key", "Failures", "A call without a key", "7"),
    Topic("error.wrong-key", "Failures", "A call with an unknown key", "7"),
    Topic("error.no-connection", "Failures", "A call without a connection", "5.3"),
    Topic("error.unknown-connection", "Failures", "A call with an unknown connection", "5.3"),
    Topic("error.prefix", "Failures", "An id with a wrong prefix", "7"),
    Topic("error.length", "Failures", "An empty customerId for a link", "7"),
    Topic("limits.headers", "Limits", "Headers about rate limits", "8"),
    Topic("limits.status", "Limits", "Calls refused as too many (429)", "8"),
    Topic("limits.page-size", "Limits", "Page sizes: requested and received", "8"),
    Topic("limits.length", "Limits", "Longest text of a field", "8"),
    Topic("paging.cursor", "Lists", "Form of a cursor", "2.14"),
    Topic("paging.cursor-life", "Lists", "Whether an old cursor is still valid", "2.14"),
    Topic("paging.end", "Lists", "How the end of a list is marked", "2.14"),
    Topic("paging.last", "Lists", "Whether the last page has rows", "2.14"),
    Topic("paging.empty", "Lists", "Empty pages before the last", "2.14"),
    Topic("paging.order", "Lists", "Whether a page requested again is the same", "2.14"),
    Topic("sync.mode", "Lists", "What sync_mode does", "4, endpoints 5 to 7"),
    Topic("sync.since", "Lists", "How far back incremental goes", "4, endpoints 5 to 7"),
    Topic("sync.again", "Lists", "Whether a second pull gives the same records", "4"),
    Topic("records.dates", "Records", "Forms of dates", "2"),
    Topic("records.key-order", "Records", "Order of a record's fields", "2"),
    Topic("records.undeclared", "Records", "Fields that the contract does not name", "2"),
    Topic("records.unseen", "Records", "Declared fields that were never returned", "2"),
    Topic("records.nulls", "Records", "Null and absent", "2"),
    Topic("values.address-type", "Records", "Values of address_type", "2.2"),
    Topic("values.phone-number-type", "Records", "Values of phone_number_type", "2.2"),
    Topic("values.file-type", "Records", "Values of a file's type", "2.4"),
    Topic("values.state", "Records", "Values of a sequence state's state", "3"),
    Topic("inner.offices", "Records", "Fields of a job's offices", "2.6"),
    Topic("inner.recruiters", "Records", "Fields of a job's recruiters", "2.6"),
    Topic("inner.hiring-managers", "Records", "Fields of a job's hiring_managers", "2.6"),
    Topic("batch.unknown", "Accounts", "An unknown id in the batch read", "4, endpoint 4"),
    Topic("batch.double", "Accounts", "An id requested twice in the batch read", "4, endpoint 4"),
    Topic("batch.properties", "Accounts", "What properties does", "4, endpoint 4"),
    Topic("upsert.none", "Writes", "An upsert that no record matches", "4, rule 4"),
    Topic("upsert.one", "Writes", "An upsert that one record matches", "4, rule 4"),
    Topic("upsert.several", "Writes", "An upsert that several records match", "4, rule 4"),
    Topic("contact.required", "Writes", "Contact fields sent with a create", "2.1"),
    Topic("pipeline.required", "Writes", "Pipeline fields sent with a create", "4, endpoint 13"),
    Topic("report.parameters", "Reports", "Parameters sent for a balance report", "4, endpoint 10"),
    Topic("receipt.parameters", "Reports", "Parameters sent for a receipt", "4, endpoint 12"),
    Topic("receipt.fields", "Reports", "What a payment receipt is", "2.11"),
    Topic("connection.check", "Core", "What a connection check returns", "4, rule 2"),
    Topic("webhook.body", "Webhook", "Webhook calls and their acknowledgment", "4, endpoint 18"),
    Topic("webhook.unknown", "Webhook", "An unknown connector", "4, endpoint 18"),
    Topic("versions.headers", "Versions", "Headers about versions and deprecation", "9.3"),
)
"""Every topic, in the order of the addendum."""

OF_CHECKS = {
    "credentials.no-key": "error.no-key",
    "credentials.wrong-key": "error.wrong-key",
    "credentials.no-connection": "error.no-connection",
    "credentials.unknown-connection": "error.unknown-connection",
    "writes.prefix": "error.prefix",
    "links.customer-id": "error.length",
    "paging.again": "paging.cursor-life",
    "paging.first-again": "paging.order",
    "paging.no-empty-page": "paging.empty",
    "paging.last-page": "paging.last",
    "sync.effect": "sync.mode",
    "sync.since": "sync.since",
    "sync.nothing-lost": "sync.again",
    "records.undeclared": "records.undeclared",
    "records.unseen": "records.unseen",
    "records.null-or-absent": "records.nulls",
    "batch.unknown-id": "batch.unknown",
    "batch.double-id": "batch.double",
    "batch.properties": "batch.properties",
    "writes.upsert-twice": "upsert.one",
    "writes.two-matches": "upsert.several",
    "webhook.acknowledged": "webhook.body",
    "webhook.unknown-name": "webhook.unknown",
    "transport.latency": "time.pages",
    "reports.receipt-type": "receipt.fields",
}
"""Checks whose result answers a topic."""
