"""The built-in interface as tables written out by hand: its sidebar, each endpoint, every field. Never made from the
catalog.

One line a field: name, JSON type, then what the contract says of it (``required``, ``null``, ``prefix=``,
``enum=``, ``min=``, ``default=``, ``format=``, and ``shown=`` for values shown without a word that they are
all), then after ``observed`` what only a running service was seen to do.
"""

from dataclasses import dataclass, field

from pydantic import BaseModel

from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import ABSENT


@dataclass(frozen=True)
class Endpoint:
    """One row of the interface's table of endpoints."""

    number: int
    key: str
    method: str
    path: str
    writes: str = "never"
    kind: str = "Write"
    path_input: str = ""
    query: str = ""
    body: str | None = None
    answer: str | None = None
    """None: type any, or a page envelope."""
    envelope: tuple[str, str, str, str | None, tuple[str, ...]] | None = None
    record: str | None = None
    array: bool = False
    bearer: bool = False
    free_body: bool = False
    entries: str = field(default="")


CONTACT_IN = """
    first_name string observed null
    last_name string observed null
    email string observed null
    phone string observed null
    passthrough_fields object observed null
"""
CONTACT_OUT = """
    id string observed
    updated_at string observed
    raw_data object observed null
    first_name string observed null
    last_name string observed null
    email string observed null
    phone string observed null
"""
ACCOUNT = """
    id string required
    updated_at string required format=date
    raw_data object
    name string null
    is_deleted boolean null
    website string null
    industry string null
    number_of_employees number null
    owner_id string null
    created_at string null
    description string null
    last_activity_at string null format=date-time
    addresses array(object) null
    .address_type string observed choices=primary|mailing|other|billing|shipping
    .city string
    .country string
    .postal_code string
    .state string
    .street_1 string
    .street_2 string
    phone_numbers array(object) null
    .phone_number string
    .phone_number_type string observed choices=primary|mobile|fax|other
    lifecycle_stage string null enum=subscriber|lead|marketingqualifiedlead|salesqualifiedlead|opportunity|customer|evangelist|other
    last_modified_at string null
"""  # noqa: E501
JOB = """
    id string
    created_at string
    modified_at string
    name string
    confidential boolean
    departments array(object)
    .id string observed null
    .created_at string observed null
    .modified_at string observed null
    .name string observed null
    .parent_id string observed null
    .parent_department_external_id string observed null
    .child_ids array(string) observed null
    .child_department_external_ids array(string) observed null
    .raw_data object observed null
    offices array(object) observed null
    hiring_managers any
    recruiters array(object) observed null
    raw_data object
"""
FILE = """
    id string
    name string observed null
    description string observed null
    type string shown=file observed choices=file|folder|url
    path string observed null
    mime_type string observed null
    downloadable boolean
    size number observed null
    permissions object
    .download boolean
    exportable boolean
    export_formats array(string) observed null
    updated_at string observed null
    created_at string observed null
    raw_data any
"""
DRIVE = """
    id string
    name string
    description string observed null
    updated_at string observed null
    created_at string observed null
    raw_data any
"""
MAILBOX = """
    id string
    email string
    created_at string
    updated_at string
    last_modified_at string
    user_id string
    is_deleted boolean
    raw_data object
"""
SEQUENCE_STATE = """
    id string
    state string
    created_at string
    updated_at string
    last_modified_at string
    sequence_id string
    contact_id string
    mailbox_id string
    user_id string
    is_deleted boolean
    raw_data object
"""
PIPELINE = """
    id string required prefix=pipe_
    createdAt string required
    updatedAt string required
    sourceId string prefix=conn_
    sourceState object
    sourceVertical string null
    streams object null
    destinationId string prefix=conn_
    destinationState object
    destinationVertical string null
    linkOptions array(any)
    lastSyncStartedAt string null
    lastSyncCompletedAt string null
    disabled boolean
    metadata any
"""
SEVEN_REPORT_PARAMETERS = """
    customer string required
    start_date string
    end_date string
    sort_order string
    department string
    date_macro string
    summarize_by string
"""
SEVEN_OBSERVED = """
    customer string observed only required
    start_date string observed only
    end_date string observed only
    sort_order string observed only
    department string observed only
    date_macro string observed only
    summarize_by string observed only
"""
MODE_CURSOR_SIZE = """
    sync_mode string enum=full|incremental observed
    cursor string null
    page_size number observed
"""
TYPE_A = ("A", "items", "next_cursor", "has_next_page", ("next_page_cursor",))
TYPE_B = ("B", "items", "next_page_cursor", None, ("next_cursor",))
WRAPPED_CONTACT_IN = "record object" + CONTACT_IN.replace("\n    ", "\n    .")
WRAPPED_CONTACT_OUT = "record object" + CONTACT_OUT.replace("\n    ", "\n    .")

ENDPOINTS = (
    Endpoint(
        1,
        "crm/contact/create",
        "POST",
        "/v0/unified/crm/contact",
        "always",
        body=WRAPPED_CONTACT_IN,
        answer=WRAPPED_CONTACT_OUT,
    ),
    Endpoint(
        2,
        "crm/contact/update",
        "PATCH",
        "/v0/unified/crm/contact/{id}",
        "always",
        path_input="id string required",
        body=WRAPPED_CONTACT_IN,
        answer=WRAPPED_CONTACT_OUT,
    ),
    Endpoint(
        3,
        "crm/contact/upsert",
        "POST",
        "/v0/unified/crm/contact/_upsert",
        "always",
        body=f"""
    upsert_on object observed
    .key string shown=email
    .values array(string)
    {WRAPPED_CONTACT_IN}
""",
        answer=WRAPPED_CONTACT_OUT,
    ),
    Endpoint(
        4,
        "crm/account/batch_read",
        "POST",
        "/v0/unified/crm/account/_batch_read",
        kind="Batch",
        body="""
    ids array(string) required observed
    properties array(string) required observed
""",
        answer=ACCOUNT,
        array=True,
        record=ACCOUNT,
    ),
    Endpoint(
        5,
        "ats/job",
        "GET",
        "/v0/unified/ats/job",
        kind="Listing",
        query=MODE_CURSOR_SIZE,
        envelope=TYPE_A,
        record=JOB,
    ),
    Endpoint(
        6,
        "file-storage/file",
        "GET",
        "/v0/unified/file-storage/file",
        kind="Listing",
        query="""
    sync_mode string enum=full|incremental observed
    cursor string observed only
    page_size number observed only
    drive_id string observed only
    folder_id string observed only
    drive_group_id string observed only
""",
        envelope=TYPE_A,
        record=FILE,
    ),
    Endpoint(
        7,
        "file-storage/drive",
        "GET",
        "/v0/unified/file-storage/drive",
        kind="Listing",
        query=MODE_CURSOR_SIZE + "drive_group_id string",
        envelope=TYPE_A,
        record=DRIVE,
    ),
    Endpoint(
        8,
        "sales-engagement/mailbox",
        "GET",
        "/v0/unified/sales-engagement/mailbox",
        kind="Listing",
        query="cursor string null",
        envelope=TYPE_B,
        record=MAILBOX,
    ),
    Endpoint(
        9,
        "sales-engagement/sequence_state",
        "GET",
        "/v0/unified/sales-engagement/sequence_state",
        kind="Listing",
        query="cursor string null",
        envelope=TYPE_B,
        record=SEQUENCE_STATE,
    ),
    Endpoint(
        10,
        "accounting/customer-balance",
        "GET",
        "/v0/unified/accounting/customer-balance",
        kind="Report",
        query=SEVEN_OBSERVED,
        answer="""
    reportName string
    reportDate string
    currency string
    entries array(object)
    .customerId string
    .customerName string
    .balance number
    totalBalance number
""",
        entries="entries",
    ),
    Endpoint(
        11,
        "accounting/customer-income",
        "GET",
        "/v0/unified/accounting/customer-income",
        kind="Report",
        query=SEVEN_REPORT_PARAMETERS,
        answer="""
    reportName string required
    startPeriod string required
    endPeriod string required
    currency string required
    entries array(object) required
    .customerId string
    .customerName string
    .totalIncome number
    .totalExpenses number
    .netIncome number
    totalIncome number required
    totalExpenses number required
    netIncome number required
""",
        entries="entries",
    ),
    Endpoint(
        12,
        "accounting/payment-receipt",
        "GET",
        "/v0/unified/accounting/payment-receipt",
        kind="Report",
        query="customer_transaction_id string observed only required",
    ),
    Endpoint(
        13,
        "core/pipeline/create",
        "POST",
        "/v0/core/pipeline",
        "always",
        body="""
    id string prefix=pipe_ observed required
    metadata any
    disabled boolean
    sourceId string prefix=conn_
    streams object observed
    destinationId string prefix=conn_
""",
        answer=PIPELINE,
    ),
    Endpoint(
        14,
        "core/pipeline/update",
        "PATCH",
        "/v0/core/pipeline/{id}",
        "always",
        path_input="id string required prefix=pipe_",
        body="""
    metadata any observed
    disabled boolean
    streams object null observed
""",
        answer=PIPELINE,
    ),
    Endpoint(
        15,
        "core/connection/check",
        "POST",
        "/v0/core/connection/{id}/_check",
        "always",
        path_input="id string required prefix=conn_",
        body="""
    skipCache boolean null
    import boolean null observed
    updateWebhook boolean null
    sandboxSimulateUpdate boolean null
    sandboxSimulateDisconnect boolean null
""",
    ),
    Endpoint(
        16,
        "core/customer/put",
        "PUT",
        "/v0/core/customer/{id}",
        "always",
        path_input="id string required",
        body="metadata any",
        answer="""
    id string required
    orgId string required
    metadata any observed
""",
    ),
    Endpoint(
        17,
        "connect/magic-link",
        "POST",
        "/v0/connect/magic-link",
        "always",
        body="""
    customerId string min=1
    validityInSeconds number default=2592000 observed
    displayName string null
    redirectUrl string null
    connectorNames string null
    integrationIds string null
    connectionId string null
    theme string null enum=light|dark
    view string null enum=manage|manage-deeplink|add|add-deeplink
""",
        answer="url string required",
    ),
    Endpoint(
        18,
        "webhook",
        "POST",
        "/v1/webhook/{connector_name}",
        "always",
        path_input="connector_name string required observed choices",
        answer="""
    status string required enum=ok|error
    info any
""",
        bearer=True,
        free_body=True,
    ),
)

SIDEBAR = [
    ("CRM", [("crm/contact", "Contacts", False), ("crm/account", "Accounts", True)]),
    ("Applicant tracking", [("ats/job", "Jobs", True)]),
    ("File storage", [("file-storage/file", "Files", True), ("file-storage/drive", "Drives", True)]),
    (
        "Sales engagement",
        [
            ("sales-engagement/mailbox", "Mailboxes", True),
            ("sales-engagement/sequence_state", "Sequence states", True),
        ],
    ),
    (
        "Accounting",
        [
            ("accounting/customer-balance", "Customer balance", True),
            ("accounting/customer-income", "Customer income", True),
            ("accounting/payment-receipt", "Payment receipts", True),
        ],
    ),
    (
        "Core",
        [
            ("core/pipeline", "Pipelines", False),
            ("core/connection", "Connection check", False),
            ("core/customer", "Customers", False),
        ],
    ),
    ("Connect", [("connect/magic-link", "Magic link", False)]),
    ("Webhooks", [("webhook", "Send webhook", False)]),
]


def lines(text: str | None) -> list[str]:
    """A table's text as its lines, without the indentation."""
    return [line.strip() for line in (text or "").splitlines() if line.strip()]


def described(model: type[BaseModel] | None, depth: str = "") -> list[str]:
    """A model of the catalog in the words of the table above."""
    if model is None:
        return []
    out = []
    for one in fields_of(model):
        out.append(depth + _line(one))
        if one.model:
            out += described(one.model, depth + ".")
    return out


def _line(one: Field) -> str:
    words = [one.name, _json(one.kind) + (f"({_json(one.items)})" if one.items else "")]
    # A field of any type may be null by its type; the contract says nothing more of it.
    words += ["required"] * one.required + ["null"] * (one.nullable and one.kind != "any")
    marks = (("prefix", one.prefix), ("min", one.min_length), ("format", one.format))
    words += [f"{name}={value}" for name, value in marks if value]
    words += [f"shown={'|'.join(one.examples)}"] * bool(one.examples)
    words += [f"enum={'|'.join(one.choices)}"] * bool(one.choices)
    words += [f"default={one.default}"] * (one.default is not ABSENT)
    if one.observed:
        seen = one.observed
        words += ["observed"] + ["only"] * seen.only_observed + ["required"] * seen.required
        words += ["null"] * seen.nullable
        many = len(seen.choices) > 10  # the connector names have a test of their own
        words += ["choices" if many else f"choices={'|'.join(seen.choices)}"] * bool(seen.choices)
    if one.bounds != (None, None):
        words.append(f"bounds={one.bounds}")
    return " ".join(words)


def _json(kind: str) -> str:
    return {"id": "string", "text": "string", "date": "string"}.get(kind, kind)
