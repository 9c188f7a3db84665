"""Tokens spent by day, course, key and person; switches and caps of courses; a cap of a key."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("api_keys", sa.Column("tokens_per_day", sa.Integer(), nullable=True))
    op.create_table(
        "spending",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("course_id", sa.String(length=200), nullable=False),
        sa.Column("key_id", sa.String(length=32), nullable=False),
        *_counts(),
        sa.PrimaryKeyConstraint("day", "course_id", "key_id", name=op.f("pk_spending")),
    )
    op.create_table(
        "person_spending",
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("course_id", sa.String(length=200), nullable=False),
        *_counts(),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.person_id"], name=op.f("fk_person_spending_person_id_people"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", "day", "course_id", name=op.f("pk_person_spending")),
    )
    op.create_index(op.f("ix_person_spending_day"), "person_spending", ["day"], unique=False)
    op.create_table(
        "course_controls",
        sa.Column("course_id", sa.String(length=200), nullable=False),
        sa.Column("switch", sa.String(length=16), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("tokens_per_day", sa.Integer(), nullable=True),
        sa.Column("by", sa.String(length=200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("course_id", name=op.f("pk_course_controls")),
    )


def _counts() -> list[sa.Column[int]]:
    names = ("prompt_tokens", "completion_tokens", "answers")
    return [sa.Column(name, sa.Integer(), nullable=False) for name in names]
