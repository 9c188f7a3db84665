"""Who wants to be remembered, and what they were asked in quizzes."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "memories",
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.person_id"], name=op.f("fk_memories_person_id_people"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_memories")),
    )
    op.create_table(
        "quiz_cards",
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("course_id", sa.String(length=200), nullable=False),
        sa.Column("item_id", sa.String(length=16), nullable=False),
        sa.Column("card", sa.JSON(), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("was_right", sa.Boolean(), nullable=False),
        sa.Column("reviews", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.person_id"], name=op.f("fk_quiz_cards_person_id_people"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("person_id", "course_id", "item_id", name=op.f("pk_quiz_cards")),
    )
