"""Alembic's entry: runs the steps on the connection that `serving.store.schema` has opened and locked."""

from alembic import context

from serving.store.tables.base import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    # SQLite cannot alter most of a table: alembic copies it.
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
