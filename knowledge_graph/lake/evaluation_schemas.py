"""The schemas of evaluation: questions with their gold answers, what the systems answered, and the marks."""

import pyarrow as pa

_TEXTS = pa.list_(pa.string())

EVALUATION_QUESTIONS = pa.schema(
    [
        ("set", pa.string()),  # course id, or name of the file without suffix
        ("question_id", pa.string()),
        ("course_id", pa.string()),  # null for questions of a file that names no course
        ("lang", pa.string()),
        ("question", pa.string()),
        ("kind", pa.string()),  # simple, complex
        ("gold", _TEXTS),  # sorted origin_id or entry_id of what answers it; none in public sets
        ("reference", pa.string()),  # reference answer, "" where there is none
        ("section", pa.string()),  # course, public
    ]
)

SYSTEM_ANSWERS = pa.schema(
    [
        ("system", pa.string()),
        ("served", pa.string()),  # the model that was there to write, null for systems without one
        ("set", pa.string()),  # set to section: as in EVALUATION_QUESTIONS
        ("section", pa.string()),
        ("question_id", pa.string()),
        ("course_id", pa.string()),
        ("lang", pa.string()),
        ("kind", pa.string()),
        ("question", pa.string()),
        ("route", pa.string()),  # failed where an error came in place of an answer
        ("answer", pa.string()),  # as shown, without marks
        ("source", pa.string()),  # of the first piece of evidence, null without any
        ("top", _TEXTS),  # best first, at most 10; by the name that the gold set knows them by
        ("hit_rank", pa.int32()),  # 1-based place of the first gold id in top, null when it is not there
        ("recall5", pa.float64()),  # share of the gold ids in the first five of top, null without gold
        ("references", _TEXTS),
        ("gold_references", pa.int32()),  # how many of them are gold, null without gold
        ("confidence", pa.float64()),
        ("degraded", pa.bool_()),
        ("model", pa.string()),  # that wrote the answer, null when none did
        ("error", pa.string()),
        ("total_ms", pa.float64()),
        ("rouge1", pa.float64()),  # F1 0..1 against the reference answer, null without one
        ("rouge2", pa.float64()),
        ("rougel", pa.float64()),
        ("statements", pa.int32()),  # sentences that claim something; 0 for routes that answer nothing
        ("supported_statements", pa.int32()),  # by what they cite
        ("citations", pa.int32()),
        ("supported_citations", pa.int32()),  # that support the sentence they stand in
        # whether the evidence supports what a model wrote, true where none wrote it; null for routes that answer
        # nothing, and for systems without a model
        ("grounded", pa.bool_()),
    ]
)
"""What one system answered to the evaluation questions. Support is measured by a program, not by people."""

EVALUATION_CHOICES = pa.schema(
    [
        ("question_id", pa.string()),
        ("course_id", pa.string()),
        ("lang", pa.string()),
        ("stem", pa.string()),
        ("options", pa.list_(pa.struct([("label", pa.string()), ("text", pa.string())]))),
        ("answer", pa.string()),  # label of the right option
        ("explanation", pa.string()),  # "" where there is none
        ("subject", pa.string()),
    ]
)

EVALUATION_GROUNDEDNESS = pa.schema(
    [
        ("id", pa.string()),
        ("course_id", pa.string()),
        ("lang", pa.string()),
        ("question", pa.string()),
        ("evidence", pa.string()),  # paragraphs, an empty line between them
        ("answer", pa.string()),
        ("grounded", pa.bool_()),
    ]
)

RESHAPED_TURNS = pa.schema(
    [
        ("session", pa.string()),
        ("position", pa.int32()),  # 0-based place in the session
        ("course_id", pa.string()),
        ("lang", pa.string()),
        ("question", pa.string()),
        ("question_id", pa.string()),  # of the golden question that it asks, null for a turn that leads to the next
        ("original", pa.string()),  # that question as written, else null
        ("gold", _TEXTS),  # sorted, none for a turn that leads to the next
        ("is_repeat", pa.bool_()),
    ]
)
"""The evaluation questions in the shape of traffic, in sessions: `DataDir.evaluation_set("reshaped")`."""

RESHAPED_RANKS = pa.schema(
    [
        ("question_id", pa.string()),
        ("question", pa.string()),  # as reshaped
        ("hit_rank", pa.int32()),  # 1-based place of the first gold id among the first 10, null when it is not there
    ]
)

STUDENT_MARKS = pa.schema(
    [
        ("question_id", pa.string()),
        ("course_id", pa.string()),
        ("split", pa.string()),  # dev or unseen
        ("cited", pa.bool_()),  # right, and one of the places that support it is cited
        ("misleading", pa.bool_()),
    ]
)
"""The marks of the answers to students' questions: what a release is held to."""

RELEASE_SCORES = pa.schema(
    [
        ("measure", pa.string()),  # "<set>/<measure>"
        ("question_id", pa.string()),
        ("value", pa.float64()),  # 0..1, higher is better
    ]
)
"""What a release is held against: one row for each measure and question."""
