"""Sessions that go on from an answer in the middle of another one."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("sessions", sa.Column("branched_from", sa.String(length=32), nullable=True))
