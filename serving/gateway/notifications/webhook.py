"""A notice as a webhook, signed as Standard Webhooks are (https://www.standardwebhooks.com): id, time and body under
HMAC-SHA256, so that its receiver knows from whom it is, that it is new, and which it has had before."""

import base64
import binascii
import hashlib
import hmac
import time
from http import HTTPStatus

import httpx
import orjson

from serving.settings import Settings
from serving.store.notices import DueNotice, Outcome

SECONDS = 10.0

_PREFIX = "whsec_"
_AGAIN = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS)


def body_of(notice: DueNotice) -> bytes:
    """What is posted: `person_id` is the random id that the API knows the person by."""
    at = notice.created_at.isoformat()
    data = {"person_id": notice.person_id, **notice.payload}
    return orjson.dumps({"type": f"coteach.{notice.kind}", "timestamp": at, "data": data})


def signature_of(secret: str, notice_id: str, at: int, body: bytes) -> str:
    """The value of `webhook-signature`."""
    signed = f"{notice_id}.{at}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest()).decode()


def _key(secret: str) -> bytes:
    text = secret.removeprefix(_PREFIX)
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return text.encode()


async def send_webhook(notice: DueNotice, settings: Settings, client: httpx.AsyncClient) -> tuple[Outcome, str]:
    """Post a notice; what came of it, and what was wrong. What may have arrived is sent again with the same id."""
    body, at = body_of(notice), int(time.time())
    headers = {
        "content-type": "application/json",
        "webhook-id": notice.notice_id,
        "webhook-timestamp": str(at),
        "webhook-signature": signature_of(settings.webhook_secret, notice.notice_id, at, body),
    }
    try:
        reply = await client.post(settings.webhook_url or "", content=body, headers=headers, timeout=SECONDS)
    except httpx.HTTPError as error:
        return "again", type(error).__name__
    if reply.is_success:
        return "sent", ""
    is_again = reply.is_server_error or reply.status_code in _AGAIN
    return ("again" if is_again else "failed"), f"answered with {reply.status_code}"
