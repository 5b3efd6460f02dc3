"""Mailboxes and sequence states as Outreach has them, and accounts as Salesforce has them."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.exam import words
from tests.exam.mapping import STAGES, Json, made
from tests.exam.world import Shape, World, listing

MAILBOX = (
    made("id", "id", how="as text"),
    made("email", "attributes/email"),
    made("created_at", "attributes/createdAt"),
    made("updated_at", "attributes/updatedAt"),
    made("last_modified_at", "attributes/updatedAt"),
    made("user_id", "relationships/user/data/id", how="as text"),
    made("is_deleted", how="never"),
)
STATE = (
    made("id", "id", how="as text"),
    made("state", "attributes/state"),
    made("created_at", "attributes/createdAt"),
    made("updated_at", "attributes/updatedAt"),
    made("last_modified_at", "attributes/updatedAt"),
    made("sequence_id", "relationships/sequence/data/id", how="as text"),
    made("contact_id", "relationships/prospect/data/id", how="as text"),
    made("mailbox_id", "relationships/mailbox/data/id", how="as text"),
    made("user_id", "relationships/user/data/id", how="as text"),
    made("is_deleted", how="never"),
)
ADDRESS = ("Street", "City", "State", "PostalCode", "Country")
ACCOUNT = (
    made("id", "Id"),
    made("updated_at", "SystemModstamp", how="date with Z"),
    made("name", "Name"),
    made("is_deleted", "IsDeleted"),
    made("website", "Website"),
    made("industry", "Industry"),
    made("number_of_employees", "NumberOfEmployees"),
    made("owner_id", "OwnerId"),
    made("created_at", "CreatedDate", how="date with Z"),
    made("description", "Description"),
    made("last_activity_at", "LastActivityDate", how="midnight of the day"),
    made(
        "addresses",
        *(f"Billing{part}" for part in ADDRESS),
        *(f"Shipping{part}" for part in ADDRESS),
        how="billing and shipping",
    ),
    made("phone_numbers", "Phone", "Fax", how="phone and fax"),
    made("lifecycle_stage", "Lifecycle_Stage__c", how="stage"),
    made("last_modified_at", "LastModifiedDate", how="date with Z"),
)
STATES = ("pending", "active", "paused", "finished", "bounced", "opted_out", "failed", "disabled")


def _to(kind: str, uid: int | None) -> Json:
    """A JSON:API relationship to one."""
    return {"data": None if uid is None else {"type": kind, "id": uid}}


def outreach(rng: Random, mailboxes: int = 80, count: int = 600) -> World:
    """JSON:API: attributes and relationships apart."""
    users = rng.sample(range(1, 400), 50)
    boxes: list[Json] = []
    for n in range(mailboxes):
        created = words.moment(rng, 2018, 2021)
        user = rng.choice(users)
        email = words.email(rng, n)
        uid = 1001 + 3 * n + rng.randrange(3)
        boxes.append(
            {
                "type": "mailbox",
                "id": uid,
                "attributes": {
                    "authId": rng.randrange(10_000, 99_999),
                    "createdAt": words.iso(created),
                    "email": email,
                    "emailHash": words.token(rng, 32, "0123456789abcdef"),
                    "emailProvider": rng.choice(("gmail_api", "exchange", "office365")),
                    "emailSignature": f"<p>{' '.join(words.person(rng))}</p>",
                    "maxEmailsPerDay": 500,
                    "sendDisabled": rng.random() < 0.1,
                    "sendErroredAt": None,
                    "sendSuccessAt": words.iso(words.later(rng, created, 900)),
                    "updatedAt": words.iso(words.later(rng, created, 900)),
                    "username": words.often(rng, 0.5, f"login-{words.email(rng, n + 500)}"),
                    "userId": user,
                },
                "relationships": {
                    "creator": _to("user", rng.choice(users)),
                    "updater": _to("user", rng.choice(users)),
                    "user": _to("user", user),
                },
                "links": {"self": f"https://api.outreach.example/api/v2/mailboxes/{uid}"},
            }
        )
    states = [_state(rng, 50_001 + 7 * n + rng.randrange(7), boxes, users) for n in range(count)]
    return World(
        "outreach",
        [
            listing("sales-engagement/mailbox", "B", boxes, MAILBOX),
            listing("sales-engagement/sequence_state", "B", states, STATE),
        ],
    )


def _state(rng: Random, uid: int, boxes: list[Json], users: list[int]) -> Json:
    created = words.moment(rng, 2021)
    changed = words.later(rng, created, 60)
    box = rng.choice(boxes)
    state = rng.choice(STATES)
    opened = rng.randrange(9)
    attributes: dict[str, Any] = {
        "activeAt": words.iso(words.later(rng, created, 3)),
        "bounceCount": int(state == "bounced"),
        "callCompletedAt": None,
        "clickCount": rng.randrange(4),
        "createdAt": words.iso(created),
        "deliverCount": opened + rng.randrange(5),
        "errorReason": "mailbox not found" if state == "failed" else None,
        "failureCount": int(state == "failed"),
        "openCount": opened,
        "optOutCount": int(state == "opted_out"),
        "pauseReason": "Out of office until Monday" if state == "paused" else None,
        "repliedAt": words.often(rng, 0.2, words.iso(changed)),
        "replyCount": rng.randrange(3),
        "state": state,
        "stateChangedAt": words.iso(changed),
        "updatedAt": words.iso(words.later(rng, changed, 30)),
    }
    return {
        "type": "sequenceState",
        "id": uid,
        "attributes": attributes,
        "relationships": {
            "account": _to("account", words.often(rng, 0.7, rng.randrange(9000, 9900))),
            "calls": {
                "links": {
                    "related": f"https://api.outreach.example/api/v2/calls?filter[sequenceState][id]={uid}"
                }
            },
            "creator": _to("user", rng.choice(users)),
            "mailbox": _to("mailbox", box["id"]),
            "prospect": _to("prospect", rng.randrange(200_000, 299_999)),
            "sequence": _to("sequence", rng.randrange(400, 460)),
            "sequenceStep": _to("sequenceStep", rng.randrange(7000, 7400)),
            "user": _to("user", box["attributes"]["userId"]),
        },
        "links": {"self": f"https://api.outreach.example/api/v2/sequenceStates/{uid}"},
    }


INDUSTRIES = (
    "Apparel",
    "Banking",
    "Biotechnology",
    "Chemicals",
    "Education",
    "Food & Beverage",
    "Insurance",
    "Retail",
)
SALESFORCE_IDS = 150


def salesforce_id(n: int) -> str:
    """The id of the n-th account: the same for every seed, since the program has to be told them."""
    return f"0015g00000Qx{n:03d}AAA"


def salesforce(rng: Random, count: int = SALESFORCE_IDS) -> World:
    """Flat, in capitals, with addresses in five fields each."""
    owners = ["0055g000009" + words.token(rng, 4) + "AAM" for _ in range(12)]
    raws: list[Json] = []
    for n in range(count):
        created = words.moment(rng)
        changed = words.later(rng, created)
        uid = salesforce_id(n)
        domain = f"{words.token(rng, 5).lower()}.example"
        billing, shipping = (_salesforce_place(rng, share) for share in (0.9, 0.5))
        raws.append(
            {
                "attributes": {"type": "Account", "url": f"/services/data/v57.0/sobjects/Account/{uid}"},
                "Id": uid,
                "IsDeleted": rng.random() < 0.15,
                "MasterRecordId": None,
                "Name": f"{rng.choice(words.COMPANIES)} {rng.choice(words.FORMS)}".strip(),
                "Type": rng.choice(("Customer - Direct", "Prospect", "Partner", None)),
                "ParentId": words.often(rng, 0.2, salesforce_id(rng.randrange(count))),
                **{f"Billing{part}": value for part, value in zip(ADDRESS, billing, strict=True)},
                **{f"Shipping{part}": value for part, value in zip(ADDRESS, shipping, strict=True)},
                "Phone": words.often(rng, 0.8, _phone(rng)),
                "Fax": words.often(rng, 0.4, _phone(rng)),
                "AccountNumber": f"CC{rng.randrange(10**6):06d}",
                "Website": words.often(
                    rng, 0.8, f"https://www.{domain}/{rng.choice(('', 'de/start', 'about?x=1&y=2'))}"
                ),
                "Sic": words.often(rng, 0.3, f"{rng.randrange(10**4):04d}"),
                "Industry": words.often(rng, 0.8, rng.choice(INDUSTRIES)),
                "AnnualRevenue": words.often(rng, 0.6, rng.randrange(10**5, 10**9) / 1),
                "NumberOfEmployees": words.often(rng, 0.8, rng.choice((1, 12, 150, 2300, 12_500, 340_000))),
                "Description": words.often(rng, 0.6, words.text(rng)),
                "Rating": rng.choice(("Hot", "Warm", "Cold", None)),
                "OwnerId": rng.choice(owners),
                "CreatedDate": _stamp(words.iso(created)),
                "CreatedById": rng.choice(owners),
                "LastModifiedDate": _stamp(words.iso(changed)),
                "LastModifiedById": rng.choice(owners),
                "SystemModstamp": _stamp(words.iso(words.later(rng, changed, 9))),
                "LastActivityDate": words.often(rng, 0.6, words.iso(words.later(rng, created, 90))[:10]),
                "Lifecycle_Stage__c": words.often(rng, 0.85, rng.choice(tuple(STAGES))),
            }
        )
    return World("salesforce", [listing("crm/account", "batch", raws, ACCOUNT)])


def _salesforce_place(rng: Random, share: float) -> tuple[str | None, ...]:
    if rng.random() >= share:
        return (None,) * len(ADDRESS)
    city, state, country, code = rng.choice(words.CITIES)
    street = rng.choice(("Main St", "Hauptstraße", "Rue de l’Église", "ул. Ленина", "中央通り"))
    return (
        f"{rng.randrange(1, 900)} {street}" + rng.choice(("", "\nSuite 400", "\nc/o Müller")),
        city,
        state,
        code,
        country,
    )


def _phone(rng: Random) -> str:
    return rng.choice(
        (
            f"+1 (415) 555-{rng.randrange(10**4):04d}",
            f"+49 89 {rng.randrange(10**6):06d}-{rng.randrange(100):02d}",
            f"030 {rng.randrange(10**7):07d}",
            f"+81-3-{rng.randrange(10**4):04d}-{rng.randrange(10**4):04d}",
        )
    )


def _stamp(at: str) -> str:
    return at.removesuffix("Z") + "+0000"


OUTREACH = Shape("outreach", outreach)
PROPERTIES = tuple(name for name in salesforce(Random(0), 1).lists[0].rows[0].raw if name != "attributes")
ASKED = ("--ids", ",".join(map(salesforce_id, range(SALESFORCE_IDS))), "--properties", ",".join(PROPERTIES))
SALESFORCE = Shape("salesforce", salesforce, ASKED)
