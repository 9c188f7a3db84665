"""The schemas of the logs, rows of the store without names, and of the marts that dbt counts from them."""

import pyarrow as pa

_TEXTS = pa.list_(pa.string())

LOG_TURNS = pa.schema(
    [
        ("trace_id", pa.string()),
        ("person", pa.string()),  # pseudonym, as is session
        ("session", pa.string()),
        ("position", pa.int32()),  # 0-based place in the session
        ("asked_at", pa.timestamp("us")),  # UTC, as every time of the logs
        ("question", pa.string()),
        ("outcome", pa.string()),  # answered, stopped, failed
        ("route", pa.string()),  # null when it ended before it had one
        ("course_id", pa.string()),
        ("lang", pa.string()),
        ("category", pa.string()),
        ("form", pa.string()),  # mcq, frq
        ("has_options", pa.bool_()),  # of an mcq, whether its options were given; else null
        ("source", pa.string()),  # of a direct answer
        ("confidence", pa.float64()),
        ("degraded", pa.bool_()),
        ("strategy", pa.string()),
        ("template", pa.string()),
        ("model", pa.string()),
        ("index_version", pa.string()),
        ("total_ms", pa.float64()),
        ("prompt_tokens", pa.int64()),
        ("completion_tokens", pa.int64()),
        ("experiment", pa.string()),
        ("variant", pa.string()),
    ]
)

LOG_FEEDBACK = pa.schema(
    [
        ("trace_id", pa.string()),
        ("person", pa.string()),
        ("thumb", pa.int8()),  # 1, -1
        ("reasons", _TEXTS),  # codes of serving.feedback.reasons
        ("created_at", pa.timestamp("us")),
        ("updated_at", pa.timestamp("us")),
    ]
)

LOG_RATINGS = pa.schema(
    [
        ("trace_id", pa.string()),
        ("rater", pa.string()),
        ("form", pa.string()),  # aspects, relevance, satisfaction
        ("item", pa.string()),
        ("value", pa.string()),
        ("batch_id", pa.string()),
        ("at", pa.timestamp("us")),
    ]
)

LOG_EXPOSURES = pa.schema(
    [
        ("person", pa.string()),
        ("experiment", pa.string()),
        ("variant", pa.string()),
        ("at", pa.timestamp("us")),
    ]
)

LOG_EXPERIMENTS = pa.schema(
    [
        ("experiment", pa.string()),
        ("variant", pa.string()),
        ("place", pa.int32()),  # 0 is what the others are compared with
        ("weight", pa.float64()),
    ]
)

LOGS = {
    "turns": LOG_TURNS,
    "feedback": LOG_FEEDBACK,
    "ratings": LOG_RATINGS,
    "exposures": LOG_EXPOSURES,
    "experiments": LOG_EXPERIMENTS,
}
"""What `DataDir.logs_table` names: rows of the store without names, or simulated ones."""

_SHARE = [("share", pa.float64()), ("low", pa.float64()), ("high", pa.float64())]
"""0..1 with its 95% Wilson interval; all three null where nothing was counted."""

_PERIOD = [("period", pa.string()), ("begins", pa.date32())]
"""`week` (from Monday) or `month`, in UTC, and its first day."""

MARTS = {
    "thumbs_by_answer": pa.schema(
        [
            ("course_id", pa.string()),
            ("route", pa.string()),
            ("form", pa.string()),
            ("has_options", pa.bool_()),
            ("source", pa.string()),
            ("up", pa.int64()),
            ("down", pa.int64()),
            *_SHARE,
        ]
    ),
    "thumbs_over_time": pa.schema(
        [
            *_PERIOD,
            ("form", pa.string()),
            ("has_options", pa.bool_()),
            ("up", pa.int64()),
            ("down", pa.int64()),
            *_SHARE,
        ]
    ),
    "vote_reasons": pa.schema(
        [
            ("thumb", pa.int8()),
            ("reason", pa.string()),
            ("given", pa.int64()),
            ("votes", pa.int64()),  # thumbs of this kind, with a reason or without
            *_SHARE,
        ]
    ),
    "coverage_over_time": pa.schema(
        [("course_id", pa.string()), *_PERIOD, ("asked", pa.int64()), ("answered", pa.int64()), *_SHARE]
    ),
    "satisfaction_over_time": pa.schema(
        [
            ("course_id", pa.string()),
            *_PERIOD,
            ("answers", pa.int64()),
            ("satisfying", pa.float64()),  # sum over answers, each the mean of its experts
            *_SHARE,
        ]
    ),
    "sessions_over_time": pa.schema(
        [
            ("course_id", pa.string()),  # of the session's first turn, as is the period
            *_PERIOD,
            ("sessions", pa.int64()),
            ("rounds", pa.int64()),
            ("rounds_squared", pa.int64()),  # sum over sessions
            ("mean_rounds", pa.float64()),
        ]
    ),
    "experiment_buckets": pa.schema(
        [
            ("experiment", pa.string()),
            ("variant", pa.string()),
            ("place", pa.int32()),
            ("weight", pa.float64()),
            ("exposed", pa.int64()),  # people
            ("measure", pa.string()),  # coverage, thumbs_up
            ("people", pa.int64()),  # with at least one trial
            ("x", pa.int64()),
            ("y", pa.int64()),
            ("xx", pa.int64()),
            ("xy", pa.int64()),
            ("yy", pa.int64()),
        ]
    ),
}
"""What `DataDir.mart` names: counts that dbt makes of the logs."""
