"""Answers whose sources say something else since, as the gateways found them."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "changed_answers",
        sa.Column("trace_id", sa.String(length=32), nullable=False),
        sa.Column("sources_sha256", sa.String(length=64), nullable=False),
        sa.Column("index_version", sa.String(length=200), nullable=False),
        sa.Column("by_desk", sa.Boolean(), nullable=False),
        sa.Column("found_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["turns.trace_id"], name=op.f("fk_changed_answers_trace_id_turns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("trace_id", name=op.f("pk_changed_answers")),
    )
    op.create_index(op.f("ix_changed_answers_found_at"), "changed_answers", ["found_at"], unique=False)
