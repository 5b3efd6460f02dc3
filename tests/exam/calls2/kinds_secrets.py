"""Tokens, keys, signed links, stack traces, paths and hosts in answers."""

from __future__ import annotations

import base64
import json
from random import Random
from typing import Any

from tests.exam.calls.links import jwt
from tests.exam.calls.lists import DRIVE, FILE, JOB, MAILBOX, STATE
from tests.exam.calls.service import Service
from tests.exam.calls.web import Answer, Request, third_party
from tests.exam.calls.world import Row
from tests.exam.calls2.kinds import (
    ANY,
    BALANCE,
    DRIVES,
    FILES,
    INCOME,
    JOBS,
    MAILBOXES,
    RECEIPTS,
    STATES,
    kind,
)
from tests.exam.calls2.kinds_loss import Page
from tests.exam.frame import KEY

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def drawn(draw: Random, count: int) -> str:
    return "".join(draw.choices(LETTERS, k=count))


class InRaw(Service):
    """Puts something into the raw data of every row of a list."""

    where = JOB

    def leak(self, row: Row) -> Row:
        """What is added to the raw record."""
        raise NotImplementedError

    def prepare(self) -> None:
        for one in self.held(self.where):
            one["raw_data"].update(self.leak(one))


@kind("secrets", "mailboxes: raw data with the mailbox's OAuth tokens", MAILBOXES)
class MailboxTokens(InRaw):
    where = MAILBOX

    def leak(self, row: Row) -> Row:
        access, refresh = f"ya29.a0{drawn(self.draw, 90)}", f"1//0{drawn(self.draw, 60)}"
        return {"oauth": {"access_token": access, "refresh_token": refresh, "expires_in": 3599}}


@kind("secrets", "mailboxes: raw data with the password of the mail server", MAILBOXES)
class MailboxPassword(InRaw):
    where = MAILBOX

    def leak(self, row: Row) -> Row:
        login = {"host": "smtp.exam.example", "port": 587, "username": row["email"]}
        return {"smtp": {**login, "password": f"{drawn(self.draw, 11)}!7"}}


@kind("secrets", "files: raw data with links that open the file for anybody", FILES)
class SignedDownloads(InRaw):
    where = FILE

    def leak(self, row: Row) -> Row:
        if row["type"] == "folder":
            return {}
        token = jwt(
            {"aud": "sharepoint", "nbf": 1740000000, "exp": 1740003600}, {"alg": "RS256", "typ": "JWT"}
        )
        host = "https://exam.sharepoint.example/_layouts/15/download.aspx"
        return {"@microsoft.graph.downloadUrl": f"{host}?UniqueId={row['id']}&tempauth={token}"}


@kind("secrets", "jobs: raw data with presigned links to the attachments", JOBS)
class Presigned(InRaw):
    where = JOB

    def leak(self, row: Row) -> Row:
        signature = f"{self.draw.getrandbits(256):064x}"
        query = (
            f"X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA{drawn(self.draw, 16).upper()}%2F20250301"
            f"%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Expires=604800&X-Amz-Signature={signature}"
        )
        return {"attachments": [{"url": f"https://grnhse-prod.s3.amazonaws.example/{row['id']}.pdf?{query}"}]}


@kind(
    "secrets",
    "sequence states: raw data with the request that fetched them, bearer included",
    STATES[0],
    STATES[1],
)
class RequestEchoed(InRaw):
    where = STATE

    def leak(self, row: Row) -> Row:
        headers = {"accept": "application/vnd.api+json", "authorization": f"Bearer {drawn(self.draw, 64)}"}
        return {
            "_request": {"method": "GET", "url": "https://api.outreach.example/api/v2", "headers": headers}
        }


@kind("secrets", "drives: raw data with the client secret of the app", DRIVES)
class ClientSecret(InRaw):
    where = DRIVE

    def leak(self, row: Row) -> Row:
        return {
            "auth": {
                "clientId": "1f6d1c52-exam",
                "clientSecret": f"{drawn(self.draw, 3)}8Q~{drawn(self.draw, 34)}",
            }
        }


@kind("secrets", "jobs: the cursor is base64 of the third party's key", JOBS, small=False)
class KeyInCursor(Service):
    def cursor(self, name: str, position: int, request: Request) -> str:
        held = {"list": name, "at": position, "auth": {"api_key": f"ghk_{drawn(Random(7), 40)}"}}
        return base64.urlsafe_b64encode(json.dumps(held).encode()).decode()


@kind("secrets", "files: the cursor is the third party's next link with its access token", FILES, small=False)
class NextLink(Service):
    def cursor(self, name: str, position: int, request: Request) -> str:
        made = super().cursor(name, position, request)
        return (
            f"https://graph.exam.example/v1.0/items?$skiptoken={made}&access_token=EwB{drawn(Random(5), 80)}"
        )

    def position(self, name: str, cursor: str) -> int:
        return super().position(name, cursor.partition("skiptoken=")[2].partition("&")[0] or cursor)


@kind("secrets", "balance: a debug field with the company's token", BALANCE)
class DebugReport(Service):
    def balance(self, request: Request, _: str) -> Any:
        token = jwt({"iss": "quickbooks", "realm": "4620816365"})
        return {**super().balance(request, _), "debug": {"authorization": f"Bearer {token}"}}


@kind("secrets", "income: the caller's own key is told again", INCOME)
class KeyEchoed(Service):
    def income(self, request: Request, _: str) -> Any:
        return {
            **super().income(request, _),
            "request": {"headers": {"x-apikey": request.headers.get("x-apikey")}},
        }


@kind("secrets", "receipts: a private key stands in the answer", RECEIPTS)
class PrivateKey(Service):
    def receipt_json(self, transaction: str) -> Row:
        key = f"{drawn(self.draw, 64)}\n{drawn(self.draw, 64)}"
        pem = f"-----BEGIN PRIVATE KEY-----\n{key}\n-----END PRIVATE KEY-----\n"
        return {**super().receipt_json(transaction), "signedWith": pem}


@kind("secrets", "the check of a connection answers its tokens", ANY, writes=True)
class ConnectionTokens(Service):
    def connection(self) -> Row:
        made = super().connection()
        credentials = {"access_token": drawn(self.draw, 96), "refresh_token": drawn(self.draw, 48)}
        return {**made, "settings": {**made["settings"], "oauth": {"credentials": credentials}}}


@kind("secrets", "a header of every answer has the third party's bearer", ANY)
class HeaderBearer(Service):
    def finished(self, operation: str, request: Request, answer: Answer) -> Answer:
        answer.headers["x-upstream-authorization"] = f"Bearer {drawn(Random(3), 72)}"
        return answer


@kind("secrets", "a header of every answer sets the service's own session cookie", ANY)
class HeaderCookie(Service):
    def finished(self, operation: str, request: Request, answer: Answer) -> Answer:
        answer.headers["Set-Cookie"] = f"admin_session={jwt({'role': 'system', 'sub': 'root'})}; Path=/"
        return answer


class Explained(Service):
    """Refuses with more words than it should; `status` chooses which refusals."""

    status: tuple[int, ...] = (404,)

    def explained(self, request: Request, answer: Answer) -> Answer:
        raise NotImplementedError

    def refusal(self, operation: str, request: Request, answer: Answer) -> Answer:
        return self.explained(request, answer) if answer.status in self.status else answer


@kind("errors", "an unknown connection: the message has a stack trace with paths", ANY)
class StackTrace(Explained):
    def explained(self, request: Request, answer: Answer) -> Answer:
        stack = (
            "Error: conn not found\n    at getConnection (/srv/app/packages/engine/src/db/connection.ts:112:15)\n"
            "    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)\n"
            "    at async /srv/app/packages/api/src/trpc/remoteProcedure.ts:48:22"
        )
        return Answer({**answer.body, "data": {**answer.body["data"], "stack": stack}}, answer.status)


@kind("errors", "an unknown connection: the connections that there are, are listed", ANY)
class ConnectionsListed(Explained):
    def explained(self, request: Request, answer: Answer) -> Answer:
        others = ", ".join(f"conn_{name}_{drawn(Random(9), 12)}" for name in ("hubspot", "greenhouse", "qbo"))
        return Answer({**answer.body, "message": f"{answer.body['message']}; known: {others}"}, answer.status)


@kind("errors", "a wrong key: the right one is told", ANY)
class RightKeyTold(Explained):
    status = (401,)

    def explained(self, request: Request, answer: Answer) -> Answer:
        return Answer({**answer.body, "message": f"Invalid API key, expected {KEY}"}, 401)


@kind("errors", "an unknown connection: the data base's address with its password", ANY)
class DatabaseUrl(Explained):
    def explained(self, request: Request, answer: Answer) -> Answer:
        url = "postgres://engine:Wm4kQ9vz@db-primary.internal.exam:5432/engine"
        return Answer({**answer.body, "message": f"no row in connection at {url}"}, answer.status)


@kind("errors", "an unknown connection: the query with its parameters", ANY)
class SqlTold(Explained):
    def explained(self, request: Request, answer: Answer) -> Answer:
        words = 'PostgresError: select "id", "settings", "org_id" from "connection" where "id" = $1 and "org_id" = $2'
        return Answer({**answer.body, "message": words}, answer.status)


@kind("errors", "an unknown connection: 500 with an inner address", ANY)
class InnerAddress(Explained):
    def explained(self, request: Request, answer: Answer) -> Answer:
        body = {
            **answer.body,
            "code": "INTERNAL_SERVER_ERROR",
            "message": "connect ECONNREFUSED 10.0.3.7:5432",
        }
        return Answer(body, 500)


@kind("errors", "an unknown connection: the page of a framework's debug mode", ANY)
class DebugPage(Explained):
    def explained(self, request: Request, answer: Answer) -> Answer:
        page = (
            "<!DOCTYPE html><html><head><title>DoesNotExist at /v0/unified</title></head><body><h1>DoesNotExist</h1>"
            '<pre>Traceback (most recent call last):\n  File "/srv/api/views/unified.py", line 88, in get\n'
            "    connection = Connection.objects.get(pk=pk)\nSECRET_KEY = 'django-insecure-4h8s0w'</pre>"
            "<p>You're seeing this error because you have DEBUG = True</p></body></html>"
        )
        return Answer(content=page.encode(), kind="text/html; charset=utf-8", status=500)


@kind("errors", "an unknown connection: the caller's key is in the message", ANY)
class KeyInMessage(Explained):
    def explained(self, request: Request, answer: Answer) -> Answer:
        words = f"{answer.body['message']} (x-apikey: {request.headers.get('x-apikey')})"
        return Answer({**answer.body, "message": words}, answer.status)


@kind("errors", "drives: one call in four fails with the third party's request, key included", DRIVES, ANY)
class ThirdPartyRequest(Service):
    def page(self, name: str, rows: list[Row], start: int, size: int, request: Request) -> Page:
        if name == DRIVE and self.calls % 4 == 1:
            words = f"[500 Internal Server Error] GET https://graph.exam.example/drives?api_key={drawn(Random(2), 40)}"
            raise third_party(500, f'{words}\n{{"error":{{"code":"generalException"}}}}')
        return super().page(name, rows, start, size, request)


@kind("errors", "a refusal has status 200", ANY)
class RefusedWithSuccess(Explained):
    """Whoever looks at the status only takes it for an answer."""

    status = (400, 401, 404)

    def explained(self, request: Request, answer: Answer) -> Answer:
        return Answer(answer.body, 200)


@kind("errors", "a refusal says another status in its body than it has", ANY)
class TwoStatuses(Explained):
    def explained(self, request: Request, answer: Answer) -> Answer:
        data = {**answer.body["data"], "httpStatus": 500, "code": "INTERNAL_SERVER_ERROR"}
        return Answer({**answer.body, "code": "INTERNAL_SERVER_ERROR", "data": data}, answer.status)


@kind("errors", "a refusal's body is called JSON and is none", ANY)
class BrokenJson(Explained):
    status = (400, 401, 404)

    def explained(self, request: Request, answer: Answer) -> Answer:
        return Answer(content=b"{message: 'conn not found'", status=answer.status)
