"""A notice as a mail, in the reader's language, with its signed links, and how it is handed to a mail server.

By `smtplib` (RFC 5321).
"""

import hashlib
import smtplib
import ssl
from collections.abc import Mapping
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any, Literal
from urllib.parse import urlencode

from itsdangerous import BadSignature, URLSafeSerializer

from knowledge_graph.lake.records import LANGS, Lang
from serving.pages.words import PageTexts, words
from serving.settings import Settings
from serving.store.notices import DueNotice, Outcome

Purpose = Literal["confirm", "unsubscribe"]

SECONDS = 30.0
"""Longest wait for the mail server. A choice; a notice is held for ten times as long."""

LONGEST_QUOTED = 400
"""Characters of a question that stand in a mail."""

_LONGEST_TOKEN = 1000
"""Characters of what may be a token."""


class NoticeLinks:
    """The signed links of a mail: to confirm an address and to get nothing more. They open without a key or a login.

    Over the secret of a home; a new secret ends every link. A token names a person and, to confirm, an address.
    """

    def __init__(self, secret: bytes, base_url: str) -> None:
        self._secret, self._base = secret, base_url.rstrip("/")

    def _signer(self, purpose: Purpose) -> URLSafeSerializer:
        options = {"key_derivation": "hmac", "digest_method": hashlib.sha256}
        return URLSafeSerializer(self._secret, salt=f"coteach.notices.{purpose}", signer_kwargs=options)

    def address(self, purpose: Purpose, person_id: str, email: str = "") -> str:
        return f"{self._base}/{purpose}/{self._signer(purpose).dumps([person_id, email])}"

    def read(self, purpose: Purpose, token: str) -> tuple[str, str] | None:
        """Person and address; `None` for what was not made here for this."""
        if len(token) > _LONGEST_TOKEN:
            return None
        try:
            person_id, email = self._signer(purpose).loads(token)
        except (BadSignature, ValueError, TypeError):
            return None
        return str(person_id), str(email)

    def page(self, path: str) -> str:
        """An address on this gateway."""
        return f"{self._base}{path}"


def mail_of(notice: DueNotice, settings: Settings, links: NoticeLinks) -> EmailMessage:
    """The mail: plain text, with a way to get no more of them that mail programs show as a button (RFC 8058)."""
    lang: Lang = next((one for one in LANGS if one == notice.lang), "en")
    say = words("notices", lang)
    subject, body = _subject_and_text(notice, say, links)
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = settings.mail_from, notice.email, subject
    message["Date"] = format_datetime(notice.created_at)
    message["Message-ID"] = f"<{notice.notice_id}@{settings.mail_from.rpartition('@')[2] or 'localhost'}>"
    message["Auto-Submitted"] = "auto-generated"
    if notice.kind != "confirm":
        leave = links.address("unsubscribe", notice.person_id)
        message["List-Unsubscribe"] = f"<{leave}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        body = f"{body}\n\n-- \n{say('footer', link=leave)}"
    message.set_content(f"{body}\n")
    return message


def _subject_and_text(notice: DueNotice, say: PageTexts, links: NoticeLinks) -> tuple[str, str]:
    told = notice.payload
    if notice.kind == "confirm":
        link = links.address("confirm", notice.person_id, notice.email)
        return say("confirm_subject"), say("confirm_body", link=link)
    if notice.kind == "digest":
        return say("digest_subject", n=told["waiting"]), _digest_body(told, say, links)
    question = " ".join(str(told.get("question") or "").split())[:LONGEST_QUOTED]
    subject = f"{notice.kind}_subject"
    if told.get("state") == "material_changed":
        subject, key = "material_subject", "material_body"
    elif notice.kind == "corrected":
        key = "withdrawn_body" if told.get("state") == "withdrawn" else "corrected_body"
    else:
        key = "rejected_body" if told.get("state") == "rejected" else "answered_body"
    where = [(name, told[f"{name}_id"]) for name in ("session", "course") if told.get(f"{name}_id")]
    query = dict(where[:1])
    link = links.page(f"/?{urlencode(query)}" if query else "/")
    return say(subject), say(key, question=question, link=link)


def _digest_body(told: Mapping[str, Any], say: PageTexts, links: NoticeLinks) -> str:
    first = "\n".join(
        f"- {' '.join(str(one['question']).split())[:LONGEST_QUOTED]} ({say('students', n=one['students'])}, "
        + (f"{say('other_wordings', n=one['other_wordings'])}, " if one.get("other_wordings") else "")
        + f"{say('reason_' + str(one['reason']))}, {one['course_id'] or '–'})"
        for one in told["first"]
    )
    ages = ", ".join(f"{say(f'age_{name}')}: {n}" for name, n in told["by_age"].items())
    reasons = ", ".join(f"{say(f'reason_{name}')}: {n}" for name, n in told["by_reason"].items())
    return say("digest_body", ages=ages, reasons=reasons, first=first, link=links.page("/queue"))


def send_mail(message: EmailMessage, settings: Settings) -> tuple[Outcome, str]:
    """Hand a mail over; what came of it, and what was wrong. Before the mail server was told anything of it every
    fault is tried again; where the connection breaks while it is handed over, it may have been taken."""
    try:
        server = _connect(settings)
    except (OSError, smtplib.SMTPException) as error:
        return "again", _describe_error(error)
    try:
        server.send_message(message)
    except smtplib.SMTPRecipientsRefused as error:
        codes = [code for code, _ in error.recipients.values()]
        return ("again" if all(400 <= code < 500 for code in codes) else "failed"), f"refused with {codes}"
    except smtplib.SMTPResponseException as error:
        return ("again" if 400 <= error.smtp_code < 500 else "failed"), _describe_error(error)
    except (OSError, smtplib.SMTPException) as error:
        return "unknown", _describe_error(error)
    else:
        return "sent", ""
    finally:
        server.close()


def _connect(settings: Settings) -> smtplib.SMTP:
    host, port = settings.smtp_host or "", settings.smtp_port
    if settings.smtp_security == "tls":
        server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=SECONDS, context=ssl.create_default_context())
    else:
        server = smtplib.SMTP(host, port, timeout=SECONDS)
    try:
        if settings.smtp_security == "starttls":
            server.starttls(context=ssl.create_default_context())
        if settings.smtp_user is not None:
            server.login(settings.smtp_user, settings.smtp_password)
    except BaseException:
        server.close()
        raise
    return server


def _describe_error(error: Exception) -> str:
    """An error without what may be in it of a login."""
    code = getattr(error, "smtp_code", None)
    return f"{type(error).__name__}{f' {code}' if code is not None else ''}"
