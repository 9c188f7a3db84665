"""What outlives a request: people, sessions, answers, feedback, the TAs' work, experiments (SQLAlchemy, alembic).

`tables` is the schema, `database` opens it; each other module is one noun with plain functions over an open session.
"""
