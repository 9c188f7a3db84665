"""People are told what they chose to be told, once, by a real SMTP server and a real HTTP receiver."""

import asyncio
import re
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from gateways import Gateway, bearer, running
from sqlalchemy import select

from serving.desk.decisions import approve, edit, withdraw
from serving.desk.notices import DigestTimes, due_digests, put_digest
from serving.desk.queue import open_questions
from serving.gateway.notifications.webhook import signature_of
from serving.gateway.review import open_groups
from serving.llm.processes import free_port
from serving.settings import Settings
from serving.store.caller import Caller
from serving.store.database import Store
from serving.store.notices import MOST_ATTEMPTS, SubscriptionRefused, Wished, put_notice, settle, subscribe, take_due
from serving.store.tables.base import now
from serving.store.tables.conversation import TurnRow
from serving.store.tables.identity import Person
from serving.store.tables.notification import Notice, Subscription

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
"""The example of https://www.standardwebhooks.com, no secret of anybody's."""

TA = Caller("ta", "ta", "k", "Ines")


class Postbox:
    """What a mail server took. `refuse` is what it says instead, `breaks` ends the connection in the middle."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.refuse, self.breaks, self.tries = "", False, 0

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802  its name there
        self.tries += 1
        if self.breaks:
            self.mails.append(message_from_bytes(envelope.content, policy=policy.default))  # type: ignore[arg-type]
            server.transport.abort()
            return ""
        if self.refuse:
            return self.refuse
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))  # type: ignore[arg-type]
        return "250 OK"

    def link(self, purpose: str) -> str:
        """The newest link of a kind, as a path."""
        for mail in reversed(self.mails):
            if found := re.search(rf"https?://[^/\s]+(/{purpose}/\S+)", mail.get_content()):
                return found[1]
        raise AssertionError(f"No mail has a link to {purpose}.")


@pytest.fixture
def postbox() -> Iterator[tuple[Postbox, int]]:
    box = Postbox()
    server = Controller(box, hostname="127.0.0.1", port=free_port(0))
    server.start()
    yield box, server.port
    server.stop()


@contextmanager
def receiving(statuses: list[int]) -> Iterator[tuple[str, list[tuple[dict[str, str], bytes]]]]:
    """A receiver of webhooks that answers with these statuses, then 204: its address and what it got."""
    got: list[tuple[dict[str, str], bytes]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            got.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(statuses.pop(0) if statuses else 204)
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: the tests look at `got`."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/hook", got
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def over(home: Path, work: Callable[[Gateway], Awaitable[Any]], **settings: Any) -> Any:
    """Run `work` over a gateway whose notifier looks when the test says so, and not by itself."""

    async def run() -> Any:
        named = {"access": "keys", "public_url": "https://ta.example.edu", "smtp_security": "none", **settings}
        async with running(Settings(home=home, **named)) as gateway:
            return await work(gateway)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("serving.gateway.notifications.worker.LOOK_SECONDS", 1e6)
        return asyncio.run(run())


async def told(gateway: Gateway) -> int:
    sent: int = await gateway.app.state.service.notifier.look()
    return sent


async def asked_ta(gateway: Gateway, key: str, question: str = "May I hand in late?") -> None:
    body = {"question": question, "course_id": "ds"}
    assert (await gateway.client.post("/v1/questions", json=body, headers=bearer(key))).status_code == 201


def answer_all(gateway: Gateway, text: str = "Until Sunday.") -> str:
    def work(db: Any) -> str:
        (item,) = open_questions(db, courses=None, limit=5)
        return approve(db, item.question_id, question=item.question, answer=text, rests=[], by=TA).answer_id

    return gateway.store.write(work)


async def confirmed(gateway: Gateway, box: Postbox, key: str, *events: str, email: str = "ming@example.edu") -> None:
    wish = {"events": list(events), "email": email, "lang": "en"}
    kept = await gateway.client.put("/v1/me/notifications", json=wish, headers=bearer(key))
    assert kept.json()["is_confirmed"] is False, kept.text
    await told(gateway)
    assert (await gateway.client.get(box.link("confirm"))).status_code == 200
    assert (await gateway.client.post(box.link("confirm"))).status_code == 200


def test_a_student_is_mailed_once_that_their_question_was_answered_and_when_the_answer_is_corrected(
    home: Path, postbox: tuple[Postbox, int]
) -> None:
    box, port = postbox

    async def work(gateway: Gateway) -> None:
        key, other = gateway.key(), gateway.key()
        await confirmed(gateway, box, key, "answered", "corrected")
        assert [mail["subject"] for mail in box.mails] == ["Please confirm your address"]
        await asked_ta(gateway, key)
        await asked_ta(gateway, other, "May I hand in late?")  # asks the same, and chose nothing
        answer_id = answer_all(gateway)
        assert [await told(gateway), await told(gateway), await told(gateway)] == [1, 0, 0]
        mail = box.mails[-1]
        assert (mail["to"], mail["subject"]) == ("ming@example.edu", "Your question was answered")
        assert "May I hand in late?" in mail.get_content()
        assert "https://ta.example.edu/?course=ds" in mail.get_content()
        assert "Until Sunday" not in mail.get_content(), "what was answered is read behind the login"
        gateway.store.write(
            lambda db: edit(db, answer_id, question="May I hand in late?", answer="Never.", rests=[], by=TA)
        )
        assert [await told(gateway), await told(gateway)] == [1, 0]
        assert box.mails[-1]["subject"] == "An answer that you were given has been corrected"
        gateway.store.write(lambda db: withdraw(db, answer_id, by=TA))
        assert await told(gateway) == 1
        assert "have taken it back" in box.mails[-1].get_content()
        left = await gateway.client.post(box.link("unsubscribe"))
        assert "no notices any more" in left.text
        assert gateway.store.read(lambda db: list(db.scalars(select(Subscription)))) == []
        await asked_ta(gateway, key, "And by mail?")
        answer_all(gateway)
        assert await told(gateway) == 0
        assert len(box.mails) == 4

    over(home, work, smtp_host="127.0.0.1", smtp_port=port)


def test_who_was_answered_from_the_faq_is_told_when_a_ta_corrects_that_entry(
    home: Path, postbox: tuple[Postbox, int]
) -> None:
    """By the lineage of the answer they were given: nobody asked a TA anything."""
    from course_rows import QA

    from serving.desk.decisions import edit_faq

    box, port = postbox
    entry = next(row for row in QA if row["source"] == "faq" and row["course_id"] == "ds" and row["lang"] == "en")

    async def work(gateway: Gateway) -> None:
        key = gateway.key()
        await confirmed(gateway, box, key, "corrected")
        body = {"model": "coteach:ds", "messages": [{"role": "user", "content": entry["question"]}]}
        reply = await gateway.client.post("/v1/chat/completions", json=body, headers=bearer(key))
        assert reply.json()["coteach"]["route"] == "direct"
        origin, before = str(entry["origin_id"]), f"{entry['question']}\n\n{entry['answer']}"
        gateway.store.write(lambda db: edit_faq(db, "ds", origin, str(entry["question"]), "Never.", TA, before=before))
        assert [await told(gateway), await told(gateway)] == [1, 0]
        assert box.mails[-1]["subject"] == "An answer that you were given has been corrected"
        session = gateway.store.read(lambda db: db.scalars(select(TurnRow.session_id)).one())
        assert f"https://ta.example.edu/?session={session}" in box.mails[-1].get_content()

    over(home, work, smtp_host="127.0.0.1", smtp_port=port)


def test_the_mail_leads_to_the_conversation_in_which_a_question_was_asked(
    home: Path, postbox: tuple[Postbox, int]
) -> None:
    box, port = postbox

    async def work(gateway: Gateway) -> None:
        key = gateway.key()
        await confirmed(gateway, box, key, "answered", "corrected")
        body = {"model": "coteach:ds", "messages": [{"role": "user", "content": "Who won the football match?"}]}
        reply = await gateway.client.post("/v1/chat/completions", json=body, headers=bearer(key))
        asked = {"trace_id": reply.json()["coteach"]["trace_id"]}
        assert (await gateway.client.post("/v1/questions", json=asked, headers=bearer(key))).status_code == 201
        answer_id = answer_all(gateway)
        session = gateway.store.read(lambda db: db.scalars(select(TurnRow.session_id)).one())
        assert await told(gateway) == 1
        assert f"https://ta.example.edu/?session={session}" in box.mails[-1].get_content()
        question = "Who won the football match?"
        gateway.store.write(lambda db: edit(db, answer_id, question=question, answer="We did.", rests=[], by=TA))
        assert await told(gateway) == 1
        assert f"https://ta.example.edu/?session={session}" in box.mails[-1].get_content()

    over(home, work, smtp_host="127.0.0.1", smtp_port=port)


def test_a_ta_gets_one_digest_a_day_of_the_queue_by_age_and_reason(home: Path, postbox: tuple[Postbox, int]) -> None:
    box, port = postbox

    async def work(gateway: Gateway) -> None:
        ta, student = gateway.key("ta", courses=["ds"]), gateway.key()
        wish = {"events": ["digest"], "email": "x@example.edu"}
        refused = await gateway.client.put("/v1/me/notifications", json=wish, headers=bearer(student))
        assert refused.status_code == 400
        await confirmed(gateway, box, ta, "digest")
        assert len(box.mails) == 1, "nothing waits"
        await asked_ta(gateway, student)
        assert [await told(gateway), await told(gateway)] == [1, 0]
        mail = box.mails[-1]
        assert mail["subject"] == "Questions that wait for an answer: 1"
        assert "up to a day: 1" in mail.get_content()
        assert "- May I hand in late? (students: 1, asked for, ds)" in mail.get_content()
        assert mail["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"

    over(home, work, smtp_host="127.0.0.1", smtp_port=port, digest_hour=0)


def test_a_digest_names_a_question_once_with_its_other_wordings_as_the_queue_does(
    home: Path, postbox: tuple[Postbox, int]
) -> None:
    box, port = postbox

    async def work(gateway: Gateway) -> None:
        ta, students = gateway.key("ta", courses=["ds"]), [gateway.key() for _ in range(3)]
        await confirmed(gateway, box, ta, "digest")
        wordings = ("When is homework three due?", "When is homework three really due?", "Who teaches the tutorial?")
        for student, question in zip(students, wordings, strict=True):
            await asked_ta(gateway, student, question)
        groups, _ = await open_groups(gateway.app.state.service, {"ds"})
        assert sorted(len(group.items) for group in groups) == [1, 2]
        await told(gateway)
        mail = box.mails[-1]
        assert mail["subject"] == "Questions that wait for an answer: 2"
        text = mail.get_content()
        assert "(students: 2, in other words: 1, asked for, ds)" in text
        assert "- Who teaches the tutorial? (students: 1, asked for, ds)" in text
        assert text.count("homework three") == 1

    over(home, work, smtp_host="127.0.0.1", smtp_port=port, digest_hour=0)


@pytest.mark.parametrize(
    ("at", "daily", "weekly"),
    [
        (datetime(2026, 11, 23, 5, 59, tzinfo=UTC), None, None),  # a Monday, before the hour
        (datetime(2026, 11, 23, 6, 0, tzinfo=UTC), "2026-11-23", "2026-11-23"),
        (datetime(2026, 11, 25, 7, 0, tzinfo=UTC), "2026-11-25", "2026-11-23"),
        (datetime(2026, 11, 26, 3, 0, tzinfo=UTC), None, "2026-11-23"),
        (datetime(2026, 11, 29, 23, 0, tzinfo=UTC), "2026-11-29", "2026-11-23"),
        (datetime(2026, 11, 30, 6, 0, tzinfo=UTC), "2026-11-30", "2026-11-30"),
    ],
)
def test_a_digest_is_due_once_a_day_or_once_a_week_from_its_monday(
    at: datetime, daily: str | None, weekly: str | None
) -> None:
    assert DigestTimes(6).period(at) == daily
    assert DigestTimes(6, is_weekly=True).period(at) == weekly


def test_a_weekly_digest_comes_once_a_week_and_says_so_on_the_page(home: Path, postbox: tuple[Postbox, int]) -> None:
    box, port = postbox

    async def work(gateway: Gateway) -> None:
        ta, student = gateway.key("ta", courses=["ds"]), gateway.key()
        await confirmed(gateway, box, ta, "digest")
        await asked_ta(gateway, student)
        times, monday = DigestTimes(0, is_weekly=True), datetime(2099, 1, 5, 1, tzinfo=UTC)
        put = []
        for day in (0, 1, 6, 7):
            period = times.period(monday + timedelta(days=day)) or ""
            due = gateway.store.read(lambda db, period=period: due_digests(db, period))
            put.append(sum(gateway.store.write(lambda db, one=one: put_digest(db, one, {})) for one in due))
        assert put == [1, 0, 0, 1]
        await gateway.client.post("/login", json={"key": ta})
        page = await gateway.client.get("/me", headers={"Accept-Language": "en"})
        assert "once a week, what waits in the queue" in page.text

    over(home, work, smtp_host="127.0.0.1", smtp_port=port, digest_hour=23, digest_every="week")


def test_nothing_is_mailed_to_an_address_before_it_is_confirmed_and_one_address_is_asked_once_a_day(
    home: Path, postbox: tuple[Postbox, int]
) -> None:
    box, port = postbox

    async def work(gateway: Gateway) -> None:
        keys = [gateway.key() for _ in range(3)]
        for key in keys:
            wish = {"events": ["answered"], "email": "Victim@example.edu"}
            await gateway.client.put("/v1/me/notifications", json=wish, headers=bearer(key))
            await asked_ta(gateway, key)
        answer_all(gateway)
        await told(gateway)
        assert [mail["subject"] for mail in box.mails] == ["Please confirm your address"]
        forged = box.link("confirm")[:-3] + "abc"
        assert (await gateway.client.post(forged)).status_code == 404
        as_other = box.link("confirm").replace("/confirm/", "/unsubscribe/")
        assert (await gateway.client.post(as_other)).status_code == 404, "a link is for one thing"
        for wrong in ("no address", "a@b.c\r\nBcc: x@y.z", "ä@example.edu"):
            kept = await gateway.client.put(
                "/v1/me/notifications", json={"events": ["answered"], "email": wrong}, headers=bearer(keys[0])
            )
            assert kept.status_code == 400, wrong

    over(home, work, smtp_host="127.0.0.1", smtp_port=port)


def test_a_mail_that_is_put_off_is_tried_again_and_one_that_may_have_been_taken_is_not(
    home: Path, postbox: tuple[Postbox, int]
) -> None:
    box, port = postbox

    async def work(gateway: Gateway) -> None:
        key = gateway.key()
        await confirmed(gateway, box, key, "answered")
        await asked_ta(gateway, key)
        answer_all(gateway)
        box.refuse, tries = "451 try again later", box.tries
        assert [await told(gateway), await told(gateway)] == [0, 0]
        assert box.tries == tries + 1, "not before the pause is over"
        waits = gateway.store.read(lambda db: db.scalars(select(Notice).where(Notice.kind == "answered")).one())
        assert (waits.state, waits.attempts, waits.error) == ("pending", 1, "SMTPDataError 451")
        assert timedelta(seconds=20) < waits.next_at - now() <= timedelta(seconds=30)

        def make_due(db: Any) -> None:
            db.get_one(Notice, waits.notice_id).next_at = now()

        box.refuse, box.breaks, had = "", True, len(box.mails)
        gateway.store.write(make_due)
        assert await told(gateway) == 0
        assert len(box.mails) == had + 1, "it was taken, and the sender could not know"
        box.breaks = False
        assert await told(gateway) == 0
        assert len(box.mails) == had + 1
        outbox = await gateway.client.get("/v1/notices", headers=bearer(gateway.key("admin")))
        assert outbox.json()["counts"] == {"sent": 1, "unknown": 1}
        assert outbox.json()["errors"][0]["kind"] == "answered"
        assert "ming@" not in outbox.text

    over(home, work, smtp_host="127.0.0.1", smtp_port=port)


def test_who_says_no_way_to_be_told_is_asked_for_one_and_who_takes_theirs_away_is_told_no_more(home: Path) -> None:
    async def work(gateway: Gateway) -> None:
        headers, at = bearer(gateway.key()), "/v1/me/notifications"
        refused = await gateway.client.put(at, json={"events": ["answered"]}, headers=headers)
        assert (refused.status_code, refused.json()["error"]["param"]) == (400, "email")
        assert "`by_webhook`" in refused.json()["error"]["message"]
        form = await gateway.client.post("/me/notifications", data={"events": "answered"}, headers=headers)
        assert (form.status_code, "choose what you want to be told" in form.text) == (400, True)
        wish = {"events": ["answered"], "email": "ming@example.edu"}
        assert (await gateway.client.put(at, json=wish, headers=headers)).json()["events"] == ["answered"]
        ended = await gateway.client.put(at, json=wish | {"email": ""}, headers=headers)
        assert (ended.status_code, ended.json()["events"], ended.json()["email"]) == (200, [], "")

    over(home, work, smtp_host="127.0.0.1", smtp_port=1, webhook_url="http://127.0.0.1:1/hook", webhook_secret=SECRET)


def test_a_webhook_is_signed_tried_again_with_the_same_id_and_given_up_when_refused(home: Path) -> None:
    with receiving([503, 204, 400]) as (url, got):

        async def work(gateway: Gateway) -> None:
            key = gateway.key()
            wish = {"events": ["answered"], "by_webhook": True}
            kept = await gateway.client.put("/v1/me/notifications", json=wish, headers=bearer(key))
            assert kept.json()["channels"] == ["webhook"]
            mailed = await gateway.client.put(
                "/v1/me/notifications", json={"events": ["answered"], "email": "a@b.edu"}, headers=bearer(key)
            )
            assert mailed.status_code == 400, "this gateway has no mail server"
            await asked_ta(gateway, key)
            answer_all(gateway)
            assert await told(gateway) == 0

            def make_due(db: Any) -> None:
                for one in db.scalars(select(Notice).where(Notice.state == "pending")):
                    one.next_at = now()

            gateway.store.write(make_due)
            assert [await told(gateway), await told(gateway)] == [1, 0]
            await asked_ta(gateway, key, "And by mail?")
            answer_all(gateway)
            await told(gateway)
            gateway.store.write(make_due)
            assert await told(gateway) == 0

        over(home, work, webhook_url=url, webhook_secret=SECRET)
    assert len(got) == 3
    (first, body), (second, again), _ = got
    assert first["webhook-id"] == second["webhook-id"]
    assert body == again
    for headers, sent in got:
        expected = signature_of(SECRET, headers["webhook-id"], int(headers["webhook-timestamp"]), sent)
        assert headers["webhook-signature"] == expected
    assert b'"type":"coteach.answered"' in body
    assert b"May I hand in late?" in body


def test_a_signature_is_that_of_the_published_example() -> None:
    """https://github.com/standard-webhooks/standard-webhooks: the reference test vector of its libraries."""
    made = signature_of(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def held(store: Store) -> Subscription:
    store.write(lambda db: db.add(Person(person_id="ming")))
    store.write(lambda db: subscribe(db, "ming", Wished(("answered",), by_webhook=True)))
    return store.read(lambda db: db.get_one(Subscription, "ming"))


def test_two_gateways_never_get_the_same_notice_and_it_is_put_in_once(store: Store) -> None:
    one = held(store)
    put = [store.write(lambda db: put_notice(db, one, "answered", "webhook", thing="q", payload={})) for _ in range(3)]
    assert put == [True, False, False]
    first = store.write(lambda db: take_due(db, ["webhook"], at=now()))
    assert len(first) == 1
    assert store.write(lambda db: take_due(db, ["webhook"], at=now())) == []
    lost = store.write(lambda db: take_due(db, ["webhook"], at=now() + timedelta(minutes=6)))
    assert [each.notice_id for each in lost] == [first[0].notice_id], "its gateway ended: a webhook may come twice"


def test_a_notice_is_given_up_after_some_attempts_with_longer_and_longer_pauses(store: Store) -> None:
    one = held(store)
    store.write(lambda db: put_notice(db, one, "answered", "webhook", thing="q", payload={}))
    pauses, at = [], now()
    for _ in range(MOST_ATTEMPTS):
        (due,) = store.write(lambda db, at=at: take_due(db, ["webhook"], at=at))
        store.write(lambda db, due=due: settle(db, due.notice_id, "again", "503"))
        row = store.read(lambda db, due=due: db.get_one(Notice, due.notice_id))
        pauses.append(round((row.next_at - now()).total_seconds()))
        at = row.next_at
    assert pauses[:5] == [30, 120, 480, 1920, 7680]
    assert row.state == "failed"
    assert store.write(lambda db: take_due(db, ["webhook"], at=now() + timedelta(days=9))) == []


def test_what_is_no_address_is_refused(store: Store) -> None:
    store.write(lambda db: db.add(Person(person_id="ming")))
    for wrong in ("ming", "ming@", "@example.edu", "a b@example.edu", "a@example.edu,b@example.edu", "x" * 300):
        with pytest.raises(SubscriptionRefused):
            store.write(lambda db, wrong=wrong: subscribe(db, "ming", Wished(("answered",), wrong)))


def test_webhooks_without_a_secret_do_not_start(home: Path) -> None:
    async def work(gateway: Gateway) -> None:
        """Never reached."""

    with pytest.raises(Exception, match="COTEACH_WEBHOOK_SECRET"):
        over(home, work, webhook_url="http://127.0.0.1:9/x")
