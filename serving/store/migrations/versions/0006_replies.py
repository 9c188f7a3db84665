"""How answers of `/v1/responses` were given."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "replies",
        sa.Column("trace_id", sa.String(length=32), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["turns.trace_id"], name=op.f("fk_replies_trace_id_turns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("trace_id", name=op.f("pk_replies")),
    )
