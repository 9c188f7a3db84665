"""`Notifier`: finds what is new, takes what is due and sends it, beside the requests of a gateway. Several gateways
over one store share the work: each notice is taken by one."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime

import httpx
import structlog

from knowledge_graph.lake.problems import CoteachError
from serving.desk.notices import MOST_IN_QUEUE, DigestTimes, DueDigest, digest_of, due_digests, put_digest, put_news
from serving.desk.queue import open_questions
from serving.desk.queue_groups import Grouping, group_queue
from serving.gateway.notifications.mail import NoticeLinks, mail_of, send_mail
from serving.gateway.notifications.webhook import send_webhook
from serving.gateway.signed_links import read_secret
from serving.settings import Settings
from serving.store.database import Store
from serving.store.notices import Channel, DueNotice, Outcome, settle, take_due
from serving.store.tables.base import now

log = structlog.get_logger(__name__)

LOOK_SECONDS = 5.0
"""How often it is looked whether there is something to tell. A choice."""


class NotifierUnset(CoteachError):
    """Webhooks without a secret: anybody could send what looks like one."""


def channels_set(settings: Settings) -> list[Channel]:
    """The ways in which people can be told here."""
    found: list[Channel] = ["email"] if settings.smtp_host else []
    return [*found, "webhook"] if settings.webhook_url else found


def notice_links(settings: Settings) -> NoticeLinks:
    """Links below the address by which people reach the gateway."""
    base = settings.public_url or f"http://{settings.host}:{settings.port}"
    return NoticeLinks(read_secret(settings.home, settings.link_secret), base)


class Notifier:
    """Sends the notices of one gateway. Raises `NotifierUnset` for webhooks that would not be signed."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        client: httpx.AsyncClient,
        grouping: Callable[[], Awaitable[Grouping]],
    ) -> None:
        """`grouping` is what finds other wordings of a question, as the queue itself does."""
        if settings.webhook_url and not settings.webhook_secret:
            raise NotifierUnset("COTEACH_WEBHOOK_URL is set; set COTEACH_WEBHOOK_SECRET too, by which it is signed.")
        self._store, self._settings, self._client, self._grouping = store, settings, client, grouping
        self.channels = channels_set(settings)

    async def follow(self, pause: float = LOOK_SECONDS) -> None:
        """Look and send until cancelled; nothing where no way to tell anybody is set."""
        while self.channels:
            try:
                await self.look()
            except Exception:
                log.exception("notices_not_sent", retry_seconds=pause)
            await asyncio.sleep(pause)

    async def look(self) -> int:
        """Put into the outbox what is new, and send what is due; how many were sent."""
        at = now()
        put = await self._store.writing(lambda db: put_news(db, at=at))
        digests = DigestTimes(self._settings.digest_hour, is_weekly=self._settings.digest_every == "week")
        if (period := digests.period(at)) is not None:
            for digest in await self._store.reading(lambda db: due_digests(db, period)):
                put += await self._put_digest(digest, at)
        if put:
            log.info("notices_put", number=put)
        sent = 0
        while due := await self._store.writing(lambda db: take_due(db, self.channels, at=now())):
            for notice in due:
                sent += await self._send(notice) == "sent"
        return sent

    async def _put_digest(self, due: DueDigest, at: datetime) -> int:
        """None where nothing waits. Questions are compared beside the store: a write would wait for it."""
        items = await self._store.reading(lambda db: open_questions(db, courses=due.courses, limit=MOST_IN_QUEUE))
        if not items:
            return 0
        groups = await asyncio.to_thread(group_queue, items, await self._grouping())
        return await self._store.writing(lambda db: put_digest(db, due, digest_of(groups, at)))

    async def _send(self, notice: DueNotice) -> Outcome:
        if notice.channel == "email":
            message = mail_of(notice, self._settings, notice_links(self._settings))
            outcome, error = await asyncio.to_thread(send_mail, message, self._settings)
        else:
            outcome, error = await send_webhook(notice, self._settings, self._client)
        await self._store.writing(lambda db: settle(db, notice.notice_id, outcome, error))
        if outcome != "sent":
            facts = {"kind": notice.kind, "channel": notice.channel, "attempt": notice.attempts}
            log.warning("notice_not_sent", outcome=outcome, error=error, **facts)
        return outcome
