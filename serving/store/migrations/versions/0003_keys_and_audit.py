"""Keys with an end, scopes, a last use and rotation; a record of administrative acts."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    for name, kind in (
        ("scopes", sa.JSON(none_as_null=True)),
        ("expires_at", sa.DateTime(timezone=True)),
        ("last_used_at", sa.DateTime(timezone=True)),
        ("old_secret_sha256", sa.String(length=64)),
        ("old_secret_until", sa.DateTime(timezone=True)),
    ):
        op.add_column("api_keys", sa.Column(name, kind, nullable=True))
    op.create_table(
        "audit",
        sa.Column("act_id", sa.String(length=32), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(length=200), nullable=False),
        sa.Column("act", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("act_id", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_at"), "audit", ["at"], unique=False)
