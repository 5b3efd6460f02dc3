"""Answers that hold what opens something else."""

from __future__ import annotations

import base64
import json
from random import Random
from typing import Any

from tests.exam.calls.kinds import ANY, FILES, JOBS, MAILBOXES, kind
from tests.exam.calls.links import jwt
from tests.exam.calls.lists import DRIVE, FILE, JOB, MAILBOX, STATE
from tests.exam.calls.service import UNIFIED_OPERATIONS, Service
from tests.exam.calls.web import Answer, Request
from tests.exam.calls.world import Row, World
from tests.exam.frame import KEY, Expected

GROUP = "secrets"
SIGNED = "https://exam.sharepoint.example/_layouts/15/download.aspx?UniqueId={id}&tempauth=v1.{token}"
AMAZON = (
    "https://exam-files.s3.eu-central-1.amazonaws.com/{id}?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential="
    "AKIAIOSFODNN7QZEXAM4%2F20261101%2Feu-central-1%2Fs3%2Faws4_request&X-Amz-Date=20261101T101500Z"
    "&X-Amz-Expires=604800&X-Amz-SignedHeaders=host&X-Amz-Signature={token}"
)
STACK = """TypeError: Cannot read properties of undefined (reading 'accessToken')
    at GreenhouseAdapter.listJobs (/srv/app/packages/adapters/greenhouse/index.js:118:31)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
    at async /srv/app/node_modules/@trpc/server/dist/resolveHTTPResponse.js:214:18"""
CHECK = Expected("core/connection")


def word(world: World, length: int, salt: object = "") -> str:
    """Something that nobody could guess; the same each time it is told."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    return "".join(Random(f"{world.seed}/{length}/{salt}").choices(letters, k=length))


class Settings(Service):
    """The check's answer has more settings."""

    def secrets(self) -> Row:
        return {}

    def connection(self) -> Row:
        row = super().connection()
        return {**row, "settings": {**row["settings"], **self.secrets()}}


@kind(GROUP, "check: the settings have the OAuth tokens", CHECK, ANY, writes=True)
class OauthTokens(Settings):
    def secrets(self) -> Row:
        raw = {
            "access_token": f"ya29.a0{word(self.world, 60)}",
            "refresh_token": f"1//03{word(self.world, 50)}",
        }
        return {"oauth": {"credentials": {"type": "OAUTH2", **raw, "expires_at": "2026-11-22T12:00:00Z"}}}


@kind(GROUP, "check: the settings have an API key of the third party", CHECK, ANY, writes=True)
class ProviderKey(Settings):
    def secrets(self) -> Row:
        return {"apiKey": word(self.world, 40)}


@kind(GROUP, "check: the settings have the address of a database with its password", CHECK, ANY, writes=True)
class DatabaseUrl(Settings):
    def secrets(self) -> Row:
        return {"databaseUrl": f"postgresql://sync:{word(self.world, 14)}@db.exam.example:5432/prod"}


@kind(GROUP, "pipeline: its state has an access token", Expected("core/pipeline"), ANY, writes=True)
class TokenInState(Service):
    def pipeline(self, row: Row) -> Row:
        state = {"accessToken": f"ya29.a0{word(self.world, 60)}", "since": "2026-01-01"}
        return {**super().pipeline(row), "sourceState": state}


class RawSecrets(Service):
    """Something is added to the raw data of a list."""

    lists: tuple[str, ...] = ()

    def added(self, row: Row) -> Row:
        return {}

    def prepare(self) -> None:
        for name in self.lists:
            for one in self.held(name):
                one["raw_data"].update(self.added(one))


@kind(GROUP, "files: raw_data has addresses that download without a login", FILES)
class DownloadUrl(RawSecrets):
    lists = (FILE,)

    def added(self, row: Row) -> Row:
        return {
            "@microsoft.graph.downloadUrl": SIGNED.format(id=row["id"], token=word(self.world, 90, row["id"]))
        }


@kind(GROUP, "files: raw_data has signed addresses of a bucket", FILES)
class SignedBucket(RawSecrets):
    lists = (FILE,)

    def added(self, row: Row) -> Row:
        return {
            "preview": {
                "url": AMAZON.format(id=row["id"], token=f"{self.world.random.getrandbits(256):064x}")
            }
        }


@kind(GROUP, "drives: raw_data has a link that shares the drive with anyone", ANY)
class SharingToken(RawSecrets):
    lists = (DRIVE,)

    def added(self, row: Row) -> Row:
        sas = f"sv=2023-11-03&sp=rl&sig={word(self.world, 43, row['id'])}%3D&se=2027-01-01T00%3A00%3A00Z"
        return {"sasUrl": f"https://examfiles.blob.core.windows.net/drive?{sas}"}


@kind(GROUP, "mailboxes: raw_data has the password of the mail server", MAILBOXES)
class SmtpPassword(RawSecrets):
    lists = (MAILBOX,)

    def added(self, row: Row) -> Row:
        login = {
            "host": "smtp.exam.example",
            "username": row["email"],
            "password": word(self.world, 14, row["id"]),
        }
        return {"smtp": {**login, "port": 587}}


@kind(GROUP, "mailboxes: raw_data has a refresh token", MAILBOXES)
class RefreshToken(RawSecrets):
    lists = (MAILBOX,)

    def added(self, row: Row) -> Row:
        return {"oauth": {"refreshToken": f"1//03{word(self.world, 60, row['id'])}"}}


@kind(GROUP, "jobs: raw_data has the bearer token of a person's session", JOBS)
class SessionToken(RawSecrets):
    lists = (JOB,)

    def added(self, row: Row) -> Row:
        return {
            "_meta": {"headers": {"Authorization": f"Bearer {jwt({'sub': 'user_77', 'exp': 1893456000})}"}}
        }


@kind(GROUP, "jobs: raw_data has a private key", JOBS)
class PrivateKey(RawSecrets):
    lists = (JOB,)

    def added(self, row: Row) -> Row:
        lines = "\n".join(word(self.world, 64, at) for at in range(6))
        return {"signing": f"-----BEGIN PRIVATE KEY-----\n{lines}\n-----END PRIVATE KEY-----\n"}


@kind(GROUP, "sequence states: raw_data has the caller's own key", ANY)
class OwnKey(RawSecrets):
    lists = (STATE,)

    def added(self, row: Row) -> Row:
        return {"requestedBy": {"x-apikey": KEY}}


@kind(GROUP, "jobs: the cursor holds the third party's token", JOBS, ANY, small=False)
class TokenInCursor(Service):
    def cursor(self, name: str, position: int, request: Request) -> str:
        if name != JOB:
            return super().cursor(name, position, request)
        state = {
            "list": name,
            "at": position,
            "access_token": f"xoxb-{self.world.seed}-4420019-qPz7VbT2mK9wLr4sNd8h",
        }
        return base64.urlsafe_b64encode(json.dumps(state).encode()).decode()


@kind(GROUP, "errors: a stack trace comes with every refusal", ANY)
class StackTrace(Service):
    def refusal(self, operation: str, request: Request, answer: Answer) -> Answer:
        if isinstance(answer.body, dict):
            answer.body = {**answer.body, "stack": STACK}
        return answer


@kind(GROUP, "errors: the host and port of the database are told", ANY)
class InternalHost(Service):
    def refusal(self, operation: str, request: Request, answer: Answer) -> Answer:
        if isinstance(answer.body, dict) and answer.status in (400, 404):
            words = "connect ECONNREFUSED 10.0.3.17:5432 (pg-main.internal.cluster.local)"
            answer.body = {**answer.body, "message": f"{answer.body.get('message')}: {words}"}
        return answer


@kind(GROUP, "errors: a refused query of the database is told whole", ANY)
class QueryTold(Service):
    def refusal(self, operation: str, request: Request, answer: Answer) -> Answer:
        if isinstance(answer.body, dict) and answer.status in (400, 404):
            query = 'select "settings", "api_key" from "connection" where "id" = $1 limit 1'
            answer.body = {**answer.body, "detail": f"Failed query: {query} params: conn_x"}
        return answer


@kind(GROUP, "errors: the key that was sent is repeated", ANY)
class KeyRepeated(Service):
    def refusal(self, operation: str, request: Request, answer: Answer) -> Answer:
        if isinstance(answer.body, dict):
            headers = {
                name: value
                for name, value in request.headers.items()
                if name in ("x-apikey", "authorization")
            }
            answer.body = {**answer.body, "request": {"headers": headers}}
        return answer


@kind(GROUP, "answers: a header repeats the organization's key", ANY)
class KeyInHeader(Service):
    def finished(self, operation: str, request: Request, answer: Answer) -> Answer:
        answer.headers["x-debug-upstream"] = f"apikey={KEY}; node=api-7"
        return answer


@kind(GROUP, "answers: a header has the token for the third party", ANY)
class TokenInHeader(Service):
    def finished(self, operation: str, request: Request, answer: Answer) -> Answer:
        if operation in UNIFIED_OPERATIONS:
            answer.headers["x-upstream-authorization"] = f"Bearer ya29.a0{word(self.world, 60)}"
        return answer


@kind(GROUP, "accounts: raw_data has the request that was made, with its token", Expected("crm/account"))
class BatchConfig(Service):
    """An axios error handler's habit: the configuration travels with the data."""

    def account(self, company: Row, properties: list[str]) -> Row:
        row = super().account(company, properties)
        headers = {"Authorization": f"Bearer CKXn{word(self.world, 70)}"}
        row["raw_data"]["config"] = {
            "url": "https://api.hubapi.example/crm/v3/objects/companies",
            "headers": headers,
        }
        return row


@kind(GROUP, "webhook: info has the secret that signs its calls", Expected("webhook"), ANY, writes=True)
class WebhookSecret(Service):
    def acknowledged(self, connector: str) -> Any:
        return {"status": "ok", "info": {"webhookSecret": f"whsec_{word(self.world, 32)}", "events": 0}}


@kind(
    GROUP,
    "customer: metadata comes back with the customer's own key",
    Expected("core/customer"),
    ANY,
    writes=True,
)
class CustomerKey(Service):
    def customer(self, row: Row) -> Row:
        return {**super().customer(row), "apiKey": f"key_live_{word(self.world, 32)}"}
