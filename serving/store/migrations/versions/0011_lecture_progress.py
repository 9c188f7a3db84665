"""Where students are in the lectures that they watch, as the player of an LMS's page told."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "lecture_progress",
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("course_id", sa.String(length=200), nullable=False),
        sa.Column("video_id", sa.String(length=300), nullable=False),
        sa.Column("at_ms", sa.Integer(), nullable=False),
        sa.Column("furthest_ms", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.person_id"], name=op.f("fk_lecture_progress_person_id_people"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", "course_id", "video_id", name=op.f("pk_lecture_progress")),
    )
    op.create_index(op.f("ix_lecture_progress_seen_at"), "lecture_progress", ["seen_at"], unique=False)
