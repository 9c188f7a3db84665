"""Questions asked by day, course, key and person, whoever answered; a course's own cap of them."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    for table in ("spending", "person_spending"):
        op.add_column(table, sa.Column("questions", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("course_controls", sa.Column("questions_per_day", sa.Integer(), nullable=True))
