"""Learning platforms that may launch this gateway: what they may open, and what proves a launch."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from serving.store.tables.base import ID, NAME, Base, now


class LtiPlatform(Base, kw_only=True):
    """An LMS that may launch this gateway by LTI 1.3, and what it may open.

    Its people are those of the key `key_id`, whose secret nobody has: revoking it ends their logins. `courses` are the
    courses it may open, `None`: all; `highest_role` the most that its word can make of somebody.
    """

    __tablename__ = "lti_platforms"
    __table_args__ = (UniqueConstraint("issuer", "client_id"),)
    platform_id: Mapped[str] = mapped_column(ID, primary_key=True)
    name: Mapped[str] = mapped_column(NAME)
    issuer: Mapped[str] = mapped_column(String(500))
    client_id: Mapped[str] = mapped_column(String(255))
    auth_url: Mapped[str] = mapped_column(Text)
    token_url: Mapped[str | None] = mapped_column(Text, default=None)
    jwks_url: Mapped[str] = mapped_column(Text)
    origins: Mapped[list[Any]]
    """Whose pages may show ours in a frame."""
    courses: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True), default=None)
    highest_role: Mapped[str] = mapped_column(String(16), default="teacher")
    teachers_choose: Mapped[bool] = mapped_column(default=True)
    """Whether a teacher of an LMS course that is not connected may choose which course it is."""
    key_id: Mapped[str] = mapped_column(ID)
    created_at: Mapped[datetime] = mapped_column(default_factory=now)


class LtiDeployment(Base, kw_only=True):
    """A place where a platform has this tool installed, by the platform's own id."""

    __tablename__ = "lti_deployments"
    platform_id: Mapped[str] = mapped_column(
        ForeignKey("lti_platforms.platform_id", ondelete="CASCADE"), primary_key=True
    )
    deployment_id: Mapped[str] = mapped_column(String(255), primary_key=True)


class LtiContext(Base, kw_only=True):
    """A course of an LMS (a context) and the course that it is here. `by` connected them: an admin or a teacher."""

    __tablename__ = "lti_contexts"
    platform_id: Mapped[str] = mapped_column(
        ForeignKey("lti_platforms.platform_id", ondelete="CASCADE"), primary_key=True
    )
    deployment_id: Mapped[str] = mapped_column(String(255), primary_key=True)
    context_id: Mapped[str] = mapped_column(String(255), primary_key=True)
    course_id: Mapped[str] = mapped_column(NAME, index=True)
    by: Mapped[str] = mapped_column(NAME)
    at: Mapped[datetime] = mapped_column(default_factory=now)


class LtiInvitation(Base, kw_only=True):
    """A link by which one platform registers itself, once; kept by the SHA-256 of its token. The rest is what the
    platform will be allowed."""

    __tablename__ = "lti_invitations"
    token_sha256: Mapped[str] = mapped_column(String(64), primary_key=True, repr=False)
    name: Mapped[str] = mapped_column(NAME)
    issuer: Mapped[str | None] = mapped_column(String(500), default=None)
    origins: Mapped[list[Any]] = mapped_column(default_factory=list)
    courses: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True), default=None)
    highest_role: Mapped[str] = mapped_column(String(16), default="teacher")
    teachers_choose: Mapped[bool] = mapped_column(default=True)
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None] = mapped_column(default=None)


class LtiNonce(Base, kw_only=True):
    """A nonce that came back in a launch, until its state is too old to be shown again. It is there: it is spent."""

    __tablename__ = "lti_nonces"
    nonce_sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    expires_at: Mapped[datetime] = mapped_column(index=True)


class LtiKey(Base, kw_only=True):
    """A key with which this tool signs what it sends to platforms, encrypted with the secret of the home."""

    __tablename__ = "lti_keys"
    kid: Mapped[str] = mapped_column(ID, primary_key=True)
    private_pem: Mapped[str] = mapped_column(Text, repr=False)
    public_jwk: Mapped[dict[str, Any]]
    signs_from: Mapped[datetime]
    """Published at once, used from then on, so that platforms that remember our keys have learnt it."""
    published_until: Mapped[datetime | None] = mapped_column(default=None)
