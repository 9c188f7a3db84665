"""The first schema of the store."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "batches",
        sa.Column("batch_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("form", sa.String(length=16), nullable=False),
        sa.Column("course_id", sa.String(length=200), nullable=True),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("drawn_from", sa.JSON(), nullable=False),
        sa.Column("created_by", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("batch_id", name=op.f("pk_batches")),
    )
    op.create_table(
        "experiments",
        sa.Column("experiment_id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("course_id", sa.String(length=200), nullable=True),
        sa.Column("variants", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("stopped_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("experiment_id", name=op.f("pk_experiments")),
        sa.UniqueConstraint("name", name=op.f("uq_experiments_name")),
    )
    op.create_table(
        "graph_edits",
        sa.Column("edit_id", sa.String(length=32), nullable=False),
        sa.Column("course_id", sa.String(length=200), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("object", sa.Text(), nullable=True),
        sa.Column("definition", sa.Text(), nullable=True),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("by", sa.String(length=200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("edit_id", name=op.f("pk_graph_edits")),
    )
    op.create_index(op.f("ix_graph_edits_course_id"), "graph_edits", ["course_id"], unique=False)
    op.create_table(
        "meta",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_meta")),
    )
    op.create_table(
        "people",
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("key_id", sa.String(length=32), nullable=True),
        sa.Column("alias", sa.String(length=64), nullable=True),
        sa.Column("name", sa.String(length=200), nullable=True),
        sa.Column("is_by_session", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_people")),
        sa.UniqueConstraint("key_id", "alias", name=op.f("uq_people_key_id_alias")),
    )
    op.create_index(op.f("ix_people_created_at"), "people", ["created_at"], unique=False)
    op.create_table(
        "reviewed_answers",
        sa.Column("answer_id", sa.String(length=32), nullable=False),
        sa.Column("course_id", sa.String(length=200), nullable=False),
        sa.Column("lang", sa.String(length=8), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("reviewer_id", sa.String(length=32), nullable=False),
        sa.Column("reviewer", sa.String(length=200), nullable=False),
        sa.Column("replaces", sa.Text(), nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("is_stale", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("answer_id", name=op.f("pk_reviewed_answers")),
    )
    op.create_index("reviewed_answers_of_course", "reviewed_answers", ["course_id", "state"], unique=False)
    op.create_table(
        "reviews",
        sa.Column("review_id", sa.String(length=32), nullable=False),
        sa.Column("question_id", sa.String(length=32), nullable=True),
        sa.Column("answer_id", sa.String(length=32), nullable=True),
        sa.Column("person_id", sa.String(length=32), nullable=True),
        sa.Column("decision", sa.String(length=16), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("review_id", name=op.f("pk_reviews")),
    )
    op.create_index(op.f("ix_reviews_answer_id"), "reviews", ["answer_id"], unique=False)
    op.create_index(op.f("ix_reviews_question_id"), "reviews", ["question_id"], unique=False)
    op.create_table(
        "api_keys",
        sa.Column("key_id", sa.String(length=32), nullable=False),
        sa.Column("secret_sha256", sa.String(length=64), nullable=False),
        sa.Column("label", sa.String(length=200), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("courses", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("requests_per_minute", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.person_id"], name=op.f("fk_api_keys_person_id_people"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key_id", name=op.f("pk_api_keys")),
    )
    op.create_index(op.f("ix_api_keys_person_id"), "api_keys", ["person_id"], unique=False)
    op.create_table(
        "exposures",
        sa.Column("experiment_id", sa.String(length=32), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("variant", sa.String(length=200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["experiment_id"],
            ["experiments.experiment_id"],
            name=op.f("fk_exposures_experiment_id_experiments"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.person_id"], name=op.f("fk_exposures_person_id_people"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("experiment_id", "person_id", name=op.f("pk_exposures")),
    )
    op.create_index(op.f("ix_exposures_person_id"), "exposures", ["person_id"], unique=False)
    op.create_table(
        "logins",
        sa.Column("token_sha256", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("key_id", sa.String(length=32), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.person_id"], name=op.f("fk_logins_person_id_people"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_sha256", name=op.f("pk_logins")),
    )
    op.create_index(op.f("ix_logins_expires_at"), "logins", ["expires_at"], unique=False)
    op.create_index(op.f("ix_logins_person_id"), "logins", ["person_id"], unique=False)
    op.create_table(
        "reviewed_sources",
        sa.Column("answer_id", sa.String(length=32), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("course_id", sa.String(length=200), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("text_sha256", sa.String(length=64), nullable=False),
        sa.Column("locator", sa.JSON(), nullable=False),
        sa.Column("changed_to", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["answer_id"],
            ["reviewed_answers.answer_id"],
            name=op.f("fk_reviewed_sources_answer_id_reviewed_answers"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("answer_id", "unit", name=op.f("pk_reviewed_sources")),
    )
    op.create_table(
        "sessions",
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("course_id", sa.String(length=200), nullable=True),
        sa.Column("mode", sa.String(length=16), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.person_id"], name=op.f("fk_sessions_person_id_people"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("session_id", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_person_id"), "sessions", ["person_id"], unique=False)
    op.create_index(op.f("ix_sessions_updated_at"), "sessions", ["updated_at"], unique=False)
    op.create_table(
        "turns",
        sa.Column("trace_id", sa.String(length=32), nullable=False),
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("outcome", sa.String(length=16), nullable=False),
        sa.Column("route", sa.String(length=16), nullable=True),
        sa.Column("course_id", sa.String(length=200), nullable=True),
        sa.Column("lang", sa.String(length=8), nullable=True),
        sa.Column("category", sa.String(length=32), nullable=True),
        sa.Column("form", sa.String(length=8), nullable=True),
        sa.Column("source", sa.String(length=16), nullable=True),
        sa.Column("confidence", sa.Double(), nullable=True),
        sa.Column("degraded", sa.Boolean(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("strategy", sa.String(length=32), nullable=True),
        sa.Column("template", sa.String(length=200), nullable=True),
        sa.Column("prompt_sha256", sa.String(length=64), nullable=True),
        sa.Column("model", sa.String(length=200), nullable=True),
        sa.Column("index_version", sa.String(length=200), nullable=True),
        sa.Column("total_ms", sa.Double(), nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), nullable=False),
        sa.Column("completion_tokens", sa.Integer(), nullable=False),
        sa.Column("experiment", sa.String(length=200), nullable=True),
        sa.Column("variant", sa.String(length=200), nullable=True),
        sa.Column("thread_sha256", sa.String(length=64), nullable=True),
        sa.Column("shown", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.person_id"], name=op.f("fk_turns_person_id_people"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.session_id"], name=op.f("fk_turns_session_id_sessions"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("trace_id", name=op.f("pk_turns")),
        sa.UniqueConstraint("session_id", "position", name=op.f("uq_turns_session_id_position")),
    )
    op.create_index(op.f("ix_turns_asked_at"), "turns", ["asked_at"], unique=False)
    op.create_index(op.f("ix_turns_course_id"), "turns", ["course_id"], unique=False)
    op.create_index("turns_by_thread", "turns", ["person_id", "thread_sha256"], unique=False)
    op.create_index(
        "turns_counted",
        "turns",
        ["asked_at", "course_id", "outcome", "route", "degraded", "model", "index_version", "total_ms", "session_id"],
        unique=False,
    )
    op.create_table(
        "batch_items",
        sa.Column("batch_id", sa.String(length=32), nullable=False),
        sa.Column("trace_id", sa.String(length=32), nullable=False),
        sa.Column("assigned_to", sa.String(length=32), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.batch_id"], name=op.f("fk_batch_items_batch_id_batches"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["turns.trace_id"], name=op.f("fk_batch_items_trace_id_turns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("batch_id", "trace_id", "assigned_to", name=op.f("pk_batch_items")),
    )
    op.create_index(op.f("ix_batch_items_trace_id"), "batch_items", ["trace_id"], unique=False)
    op.create_table(
        "feedback",
        sa.Column("trace_id", sa.String(length=32), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("thumb", sa.Integer(), nullable=False),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.person_id"], name=op.f("fk_feedback_person_id_people"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["turns.trace_id"], name=op.f("fk_feedback_trace_id_turns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("trace_id", "person_id", name=op.f("pk_feedback")),
    )
    op.create_index(op.f("ix_feedback_person_id"), "feedback", ["person_id"], unique=False)
    op.create_index(op.f("ix_feedback_updated_at"), "feedback", ["updated_at"], unique=False)
    op.create_table(
        "ratings",
        sa.Column("rating_id", sa.String(length=32), nullable=False),
        sa.Column("trace_id", sa.String(length=32), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("form", sa.String(length=16), nullable=False),
        sa.Column("item", sa.String(length=64), nullable=False),
        sa.Column("value", sa.String(length=32), nullable=False),
        sa.Column("batch_id", sa.String(length=32), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["batch_id"], ["batches.batch_id"], name=op.f("fk_ratings_batch_id_batches"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["turns.trace_id"], name=op.f("fk_ratings_trace_id_turns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("rating_id", name=op.f("pk_ratings")),
        sa.UniqueConstraint(
            "trace_id", "person_id", "form", "item", name=op.f("uq_ratings_trace_id_person_id_form_item")
        ),
    )
    op.create_index(op.f("ix_ratings_batch_id"), "ratings", ["batch_id"], unique=False)
    op.create_index(op.f("ix_ratings_trace_id"), "ratings", ["trace_id"], unique=False)
    op.create_table(
        "rests_on",
        sa.Column("trace_id", sa.String(length=32), nullable=False),
        sa.Column("entry_id", sa.String(length=200), nullable=False),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("text_sha256", sa.String(length=64), nullable=False),
        sa.Column("is_reference", sa.Boolean(), nullable=False),
        sa.Column("course_id", sa.String(length=200), nullable=True),
        sa.Column("origin_id", sa.Text(), nullable=True),
        sa.Column("video_id", sa.Text(), nullable=True),
        sa.Column("start_ms", sa.Integer(), nullable=True),
        sa.Column("end_ms", sa.Integer(), nullable=True),
        sa.Column("document", sa.Text(), nullable=True),
        sa.Column("page", sa.Integer(), nullable=True),
        sa.Column("article", sa.Text(), nullable=True),
        sa.Column("url", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["turns.trace_id"], name=op.f("fk_rests_on_trace_id_turns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("trace_id", "entry_id", name=op.f("pk_rests_on")),
    )
    op.create_index("rests_on_document", "rests_on", ["course_id", "document"], unique=False)
    op.create_index("rests_on_origin", "rests_on", ["course_id", "origin_id"], unique=False)
    op.create_index("rests_on_video", "rests_on", ["course_id", "video_id", "start_ms"], unique=False)
    op.create_table(
        "ta_questions",
        sa.Column("question_id", sa.String(length=32), nullable=False),
        sa.Column("course_id", sa.String(length=200), nullable=True),
        sa.Column("lang", sa.String(length=8), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("same_as", sa.String(length=64), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("reason", sa.String(length=24), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=True),
        sa.Column("trace_id", sa.String(length=32), nullable=True),
        sa.Column("answer_id", sa.String(length=32), nullable=True),
        sa.Column("claimed_by", sa.String(length=32), nullable=True),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["answer_id"],
            ["reviewed_answers.answer_id"],
            name=op.f("fk_ta_questions_answer_id_reviewed_answers"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.person_id"], name=op.f("fk_ta_questions_person_id_people"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["turns.trace_id"], name=op.f("fk_ta_questions_trace_id_turns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("question_id", name=op.f("pk_ta_questions")),
    )
    op.create_index(op.f("ix_ta_questions_answer_id"), "ta_questions", ["answer_id"], unique=False)
    op.create_index(op.f("ix_ta_questions_person_id"), "ta_questions", ["person_id"], unique=False)
    op.create_index(op.f("ix_ta_questions_trace_id"), "ta_questions", ["trace_id"], unique=False)
    op.create_index("ta_questions_alike", "ta_questions", ["same_as", "state"], unique=False)
    op.create_index("ta_questions_queue", "ta_questions", ["state", "course_id"], unique=False)
    op.create_table(
        "traces",
        sa.Column("trace_id", sa.String(length=32), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["trace_id"], ["turns.trace_id"], name=op.f("fk_traces_trace_id_turns"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("trace_id", name=op.f("pk_traces")),
    )
