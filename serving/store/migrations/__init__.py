"""How the schema became what it is: alembic's steps in `versions`, run by `serving.store.schema`."""
