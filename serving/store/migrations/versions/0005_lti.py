"""LMSs that launch this gateway by LTI 1.3, what they may open, and the keys with which we answer them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("logins", sa.Column("role", sa.String(length=16), nullable=True))
    op.add_column("logins", sa.Column("course_id", sa.String(length=200), nullable=True))
    op.create_table(
        "lti_platforms",
        sa.Column("platform_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("issuer", sa.String(length=500), nullable=False),
        sa.Column("client_id", sa.String(length=255), nullable=False),
        sa.Column("auth_url", sa.Text(), nullable=False),
        sa.Column("token_url", sa.Text(), nullable=True),
        sa.Column("jwks_url", sa.Text(), nullable=False),
        sa.Column("origins", sa.JSON(), nullable=False),
        sa.Column("courses", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("highest_role", sa.String(length=16), nullable=False),
        sa.Column("teachers_choose", sa.Boolean(), nullable=False),
        sa.Column("key_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("platform_id", name=op.f("pk_lti_platforms")),
        sa.UniqueConstraint("issuer", "client_id", name=op.f("uq_lti_platforms_issuer_client_id")),
    )
    op.create_table(
        "lti_deployments",
        sa.Column("platform_id", sa.String(length=32), nullable=False),
        sa.Column("deployment_id", sa.String(length=255), nullable=False),
        _of_platform("lti_deployments"),
        sa.PrimaryKeyConstraint("platform_id", "deployment_id", name=op.f("pk_lti_deployments")),
    )
    op.create_table(
        "lti_contexts",
        sa.Column("platform_id", sa.String(length=32), nullable=False),
        sa.Column("deployment_id", sa.String(length=255), nullable=False),
        sa.Column("context_id", sa.String(length=255), nullable=False),
        sa.Column("course_id", sa.String(length=200), nullable=False),
        sa.Column("by", sa.String(length=200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        _of_platform("lti_contexts"),
        sa.PrimaryKeyConstraint("platform_id", "deployment_id", "context_id", name=op.f("pk_lti_contexts")),
    )
    op.create_index(op.f("ix_lti_contexts_course_id"), "lti_contexts", ["course_id"], unique=False)
    op.create_table(
        "lti_invitations",
        sa.Column("token_sha256", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("issuer", sa.String(length=500), nullable=True),
        sa.Column("origins", sa.JSON(), nullable=False),
        sa.Column("courses", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("highest_role", sa.String(length=16), nullable=False),
        sa.Column("teachers_choose", sa.Boolean(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("token_sha256", name=op.f("pk_lti_invitations")),
    )
    op.create_table(
        "lti_nonces",
        sa.Column("nonce_sha256", sa.String(length=64), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("nonce_sha256", name=op.f("pk_lti_nonces")),
    )
    op.create_index(op.f("ix_lti_nonces_expires_at"), "lti_nonces", ["expires_at"], unique=False)
    op.create_table(
        "lti_keys",
        sa.Column("kid", sa.String(length=32), nullable=False),
        sa.Column("private_pem", sa.Text(), nullable=False),
        sa.Column("public_jwk", sa.JSON(), nullable=False),
        sa.Column("signs_from", sa.DateTime(timezone=True), nullable=False),
        sa.Column("published_until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("kid", name=op.f("pk_lti_keys")),
    )


def _of_platform(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_platform_id_lti_platforms")
    return sa.ForeignKeyConstraint(["platform_id"], ["lti_platforms.platform_id"], name=name, ondelete="CASCADE")
