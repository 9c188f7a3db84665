"""Questions of which a TA said that they need no entry in the FAQ."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "dismissed_questions",
        sa.Column("trace_id", sa.String(length=32), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["turns.trace_id"], name=op.f("fk_dismissed_questions_trace_id_turns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("trace_id", name=op.f("pk_dismissed_questions")),
    )
