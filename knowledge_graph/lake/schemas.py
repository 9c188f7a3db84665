"""The schemas of the tables that courses are built into: sources, concepts, graph, QA pairs, passages and labels.

Logs and marts have theirs in log_schemas.py, evaluation in evaluation_schemas.py. A comment beside a column says what
it means; the code that fills it stands elsewhere.
"""

import pyarrow as pa

_TEXTS = pa.list_(pa.string())

SPAN = pa.struct(
    [
        ("video_id", pa.string()),
        ("start_ms", pa.int64()),
        ("end_ms", pa.int64()),
        ("text", pa.string()),
        ("document", pa.string()),
        ("page", pa.int32()),
        ("article", pa.string()),
    ]
)
"""A stretch of a lecture (video and times) or of a document that supports a fact."""

MOST_EVIDENCE = 5
"""Spans that a concept or an edge keeps: what a person opens, not all there is."""

LOCATOR = pa.struct(
    [
        ("url", pa.string()),
        ("video_id", pa.string()),
        ("video_title", pa.string()),
        ("start_ms", pa.int64()),
        ("end_ms", pa.int64()),
        ("document", pa.string()),
        ("page", pa.int32()),
        ("article", pa.string()),
    ]
)
"""Where a passage or an answer can be opened. Fields that do not apply are null."""

COURSE_CARDS = pa.schema(
    [
        ("course_id", pa.string()),
        ("title", pa.string()),
        ("lang", pa.string()),
        ("subject", pa.string()),
        ("domains", _TEXTS),
        ("instructors", _TEXTS),
        ("policy", pa.string()),
        ("support", pa.string()),
        ("video_order", _TEXTS),
        ("concepts", pa.string()),  # merged, given, extracted
        ("videos", pa.map_(pa.string(), pa.string())),  # video id or file name -> address
        ("video_url", pa.string()),  # of the others, with {video} and {seconds} to be filled in
        ("shares_with", _TEXTS),  # courses that are shown its concepts; null: all whose students may see it
        ("is_platform", pa.bool_()),  # its FAQ answers in every course, or in those of shares_with
    ]
)

GRADED_ITEMS = pa.schema(
    [
        ("course_id", pa.string()),
        ("assessment", pa.string()),  # what people call the work
        ("number", pa.int32()),  # of the item in it, from 1
        ("text", pa.string()),  # never shown to students
        ("lang", pa.string()),
        ("allows", pa.string()),  # closed, references, hints
        ("opens", pa.string()),  # ISO 8601 in UTC; null: the rule has no beginning
        ("closes", pa.string()),  # ISO 8601 in UTC; null: it has no end
    ]
)

CUES = pa.schema(
    [
        ("course_id", pa.string()),
        ("video_id", pa.string()),  # path of the subtitle file without suffix, or the video's own id
        ("video_title", pa.string()),
        ("video_index", pa.int32()),  # 0-based place of the video in the course
        ("cue_index", pa.int32()),  # 0-based place of the cue in the video
        ("start_ms", pa.int64()),  # here and in every table: from 1,000,000,000 up a paragraph, see text/time_code.py
        ("end_ms", pa.int64()),
        ("text", pa.string()),
        ("lang", pa.string()),  # en or zh
    ]
)

CONCEPTS = pa.schema(
    [
        ("course_id", pa.string()),
        ("concept_id", pa.string()),  # "<lang>:<normal form>": the same term is the same concept in every course
        ("name", pa.string()),
        ("aliases", _TEXTS),  # other surface forms, the name itself left out
        ("lang", pa.string()),
        ("rank", pa.int32()),  # 1 = best
        ("score", pa.float64()),  # 0..1
        ("definition", pa.string()),  # null when definition_kind is "none"
        ("definition_kind", pa.string()),  # teacher, subtitle, document, search, dataset, none
        ("definition_locator", LOCATOR),
        ("domains", _TEXTS),
        ("mention_count", pa.int32()),
        ("evidence", pa.list_(SPAN)),  # the cues that mention it best, at most 5, in lecture order
        ("votes", pa.map_(pa.string(), pa.int8())),  # labelling function -> 1, -1; abstentions left out
        ("definition_confidence", pa.float64()),  # 0..1, 1 of what people give; null where nothing is defined
    ]
)

STATEMENTS = pa.schema(
    [
        ("course_id", pa.string()),
        ("kind", pa.string()),  # concept, no_concept, name, alias, prerequisite, no_prerequisite
        ("given_by", pa.string()),  # seed, dataset, teacher
        ("subject", pa.string()),
        ("object", pa.string()),
        ("definition", pa.string()),
        ("file", pa.string()),
        ("row", pa.int32()),
    ]
)

TEACHER_EDITS = pa.schema(
    [
        ("course_id", pa.string()),
        ("edit_id", pa.string()),
        ("kind", pa.string()),  # as in STATEMENTS
        ("subject", pa.string()),
        ("object", pa.string()),
        ("definition", pa.string()),
        ("by", pa.string()),
        ("at", pa.string()),  # ISO 8601
    ]
)

FUNCTION_REPORTS = pa.schema(
    [
        ("course_id", pa.string()),
        ("name", pa.string()),
        ("reason", pa.string()),
        ("yes", pa.int64()),
        ("no", pa.int64()),
        ("coverage", pa.float64()),
        ("overlap", pa.float64()),
        ("conflict", pa.float64()),
        ("accuracy", pa.float64()),  # as the label model sees it, null when the function never votes
    ]
)
"""What a label model learnt of each labelling function: `concept_functions` and `prerequisite_functions`."""

GRAPH_SCORES = pa.schema(
    [
        ("course_id", pa.string()),
        ("of", pa.string()),  # concepts, prerequisites
        ("system", pa.string()),  # coteach, or the name of a baseline
        ("measure", pa.string()),
        ("value", pa.float64()),
        ("gold_digest", pa.string()),  # SHA-256 of the gold file
    ]
)

PREREQUISITES = pa.schema(
    [
        ("course_id", pa.string()),
        ("prerequisite_id", pa.string()),
        ("concept_id", pa.string()),
        ("prerequisite", pa.string()),
        ("concept", pa.string()),
        ("probability", pa.float64()),
        ("accepted", pa.bool_()),
        # null when accepted; else "below threshold", "not among the most probable of its concept",
        # "weakest edge of a cycle" or "rejected by a teacher"
        ("rejected_because", pa.string()),
        ("votes", pa.map_(pa.string(), pa.int8())),  # labelling function -> 1, 0, -1
        ("evidence", pa.list_(SPAN)),
        ("confidence", pa.float64()),  # of accepted ones, 0..1; 0 when taught after what needs it, 1 when people say so
    ]
)

EVIDENCE = pa.struct([("course_id", pa.string()), ("span", SPAN)])
"""A span and the course whose lecture or document it stands in: video ids are unique in a course only."""

GRAPH_CONCEPTS = pa.schema(
    [
        ("concept_id", pa.string()),
        ("name", pa.string()),
        ("aliases", _TEXTS),
        ("lang", pa.string()),
        ("score", pa.float64()),  # the best over its courses
        ("definition", pa.string()),  # the best one sure enough to be shown, see showing.py; else null
        ("definition_kind", pa.string()),
        ("definition_locator", LOCATOR),
        ("definition_course_id", pa.string()),
        ("domains", _TEXTS),
        ("course_ids", _TEXTS),
        ("mention_count", pa.int64()),  # over all its courses
        ("evidence", pa.list_(EVIDENCE)),  # at most 5, those of the course where it scores best first
    ]
)

GRAPH_PREREQUISITES = pa.schema(
    [
        ("prerequisite_id", pa.string()),
        ("concept_id", pa.string()),
        ("probability", pa.float64()),  # how sure it is that a teacher would name it
        ("course_ids", _TEXTS),
        ("evidence", pa.list_(EVIDENCE)),  # at most 5, those of the surest course first
    ]
)

GRAPH_COURSES = pa.schema(
    [
        ("course_id", pa.string()),
        ("title", pa.string()),
        ("lang", pa.string()),
        ("subject", pa.string()),
        ("domains", _TEXTS),
        ("policy", pa.string()),
        ("support", pa.string()),
        ("instructors", _TEXTS),
        ("shares_with", _TEXTS),
        ("is_platform", pa.bool_()),
    ]
)

FAQ = pa.schema(
    [
        ("course_id", pa.string()),
        ("origin_id", pa.string()),  # the entry's own id, else "<file>#<digest of the question>"
        ("section", pa.string()),  # what the file groups it under, null when it does not
        ("question", pa.string()),
        ("answer", pa.string()),
        ("author", pa.string()),
        ("reviewer", pa.string()),
        ("updated_at", pa.string()),  # ISO 8601 date or null
        ("file", pa.string()),
        ("row", pa.int32()),  # 1-based
        ("lang", pa.string()),
    ]
)

TA_ANSWERS = pa.schema(
    [
        ("course_id", pa.string()),
        ("origin_id", pa.string()),  # "ta-<answer_id>"
        ("replaces", pa.string()),  # origin_id of the entry in whose place it stands, or null
        ("question", pa.string()),
        ("answer", pa.string()),
        ("reviewer", pa.string()),
        ("updated_at", pa.string()),  # ISO 8601
        ("lang", pa.string()),
    ]
)

REVIEWED_SOURCES = pa.schema(
    [
        ("answer_id", pa.string()),
        ("course_id", pa.string()),
        ("kind", pa.string()),  # cues, faq, document, catalog
        ("unit", pa.string()),
        ("label", pa.string()),
        ("text_sha256", pa.string()),  # of its text when the answer was approved
        ("is_changed", pa.bool_()),
    ]
)

SEARCH_SNIPPETS = pa.schema(
    [
        ("course_id", pa.string()),
        ("query", pa.string()),
        ("position", pa.int32()),  # 1 = the engine's first
        ("headline", pa.string()),
        ("text", pa.string()),
        ("url", pa.string()),
        ("fetched_at", pa.string()),  # ISO 8601
        ("lang", pa.string()),
    ]
)

SEARCH_QUERIES = pa.schema(
    [
        ("course_id", pa.string()),
        ("query", pa.string()),
        ("reason", pa.string()),  # concept, unanswered
        ("concept_id", pa.string()),  # null for unanswered questions
        ("lang", pa.string()),
    ]
)

SCHOLAR_RECORDS = pa.schema(
    [
        ("course_id", pa.string()),
        ("kind", pa.string()),  # scholar, paper, trend
        ("record_id", pa.string()),  # the service's own id
        ("query", pa.string()),
        ("position", pa.int32()),  # 1 = the service's first
        ("question", pa.string()),
        ("answer", pa.string()),
        ("url", pa.string()),
        ("fetched_at", pa.string()),  # ISO 8601
        ("lang", pa.string()),
    ]
)

INFORMAL_REVIEWS = pa.schema(
    [
        ("course_id", pa.string()),
        ("review_id", pa.string()),  # a digest of what it is about and its words
        ("about", pa.string()),
        ("text", pa.string()),
        ("written_at", pa.string()),  # as the file has it
        ("lang", pa.string()),
    ]
)

CATALOG_PAGES = pa.schema(
    [
        ("course_id", pa.string()),
        ("mode", pa.string()),  # class, program, null for what a page says of its classes together
        ("record_id", pa.string()),  # unique in the catalogue, stays when the text changes
        ("code", pa.string()),  # of a class
        ("title", pa.string()),
        ("topic", pa.string()),  # of a program: home, requirements
        ("text", pa.string()),
        ("page", pa.string()),  # the address or file the record was read from
        ("url", pa.string()),
        ("fetched_at", pa.string()),  # ISO 8601, when this text was first seen; null for saved pages
        ("lang", pa.string()),
    ]
)

SCHEDULE = pa.schema(
    [
        ("course_id", pa.string()),
        ("offering_id", pa.string()),  # "<term>/<code>/<section>"
        ("code", pa.string()),  # of the class, as the schedule writes it
        ("title", pa.string()),
        ("term", pa.string()),  # as the schedule writes it: "Spring 2027"
        ("section", pa.string()),
        # day 1 = Monday, minutes since midnight
        ("meetings", pa.list_(pa.struct([("day", pa.int8()), ("start", pa.int16()), ("end", pa.int16())]))),
        ("credits", pa.float64()),  # null where the schedule says nothing: the catalogue's record does
        ("seats", pa.int32()),  # still free; null where it is not said
        ("room", pa.string()),
        ("instructor", pa.string()),
        ("file", pa.string()),
        ("row", pa.int32()),  # 1-based
        ("lang", pa.string()),
    ]
)

DOCUMENTS = pa.schema(
    [
        ("course_id", pa.string()),
        ("document", pa.string()),  # file path in the course folder
        ("title", pa.string()),
        ("section_index", pa.int32()),  # 0-based place in the document
        ("section_key", pa.string()),  # unique in the document; stays when other sections come or go
        ("page", pa.int32()),  # 1-based, null where the format has no pages
        ("article", pa.string()),  # "5.1.1", null where there is no number
        ("heading", pa.string()),
        ("text", pa.string()),
        ("lang", pa.string()),
    ]
)

LECTURE_SENTENCES = pa.schema(
    [
        ("sentence_id", pa.string()),
        ("course_id", pa.string()),
        ("video_id", pa.string()),
        ("video_title", pa.string()),
        ("video_index", pa.int32()),
        ("position", pa.int32()),  # within the video, from 0
        ("chapter", pa.int32()),  # within the video, from 0
        ("lang", pa.string()),
        ("start_ms", pa.int64()),
        ("end_ms", pa.int64()),
        ("text", pa.string()),  # cleaned for reading
        ("weight", pa.float32()),  # how central to its lecture, 0..1
        ("source", pa.string()),  # subtitle
        ("mode", pa.string()),  # null: no catalogue
        ("continued", pa.string()),  # as it reads after the sentence before; null: as `text`
    ]
)

EXAM_QUESTIONS = pa.schema(
    [
        ("item_id", pa.string()),
        ("course_id", pa.string()),
        ("lang", pa.string()),
        ("kind", pa.string()),  # definition, comparison, reason, unanswerable, regulation, follow_up, injection
        ("question", pa.string()),
        (
            "evidence",
            pa.list_(
                pa.struct(
                    [
                        ("number", pa.int32()),
                        ("evidence_id", pa.string()),
                        ("source", pa.string()),
                        ("course_id", pa.string()),
                        ("title", pa.string()),
                        ("text", pa.string()),
                        ("locator", LOCATOR),
                        ("reviewer", pa.string()),
                        ("origin_id", pa.string()),
                    ]
                )
            ),
        ),
        ("subjects", _TEXTS),
        ("must_say", pa.list_(_TEXTS)),  # one wording of each
        ("must_not_say", _TEXTS),
        ("is_answerable", pa.bool_()),
        ("history", pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))),
    ]
)

PASSAGES = pa.schema(
    [
        ("passage_id", pa.string()),
        ("course_id", pa.string()),
        ("source", pa.string()),  # subtitle, document, catalog
        ("title", pa.string()),
        ("text", pa.string()),
        ("subject", pa.string()),
        ("mode", pa.string()),  # class or program for the catalogue, null elsewhere
        ("lang", pa.string()),
        ("locator", LOCATOR),
        ("content_hash", pa.string()),
    ]
)

QA_PAIRS = pa.schema(
    [
        ("qa_id", pa.string()),  # stable: of source, course and origin, not of the text
        ("source", pa.string()),  # concept, search, scholar, faq, catalog, document, review
        ("course_id", pa.string()),
        ("lang", pa.string()),
        ("subject", pa.string()),
        ("domains", _TEXTS),
        ("mode", pa.string()),  # class or program for the catalogue, null elsewhere
        ("section", pa.string()),  # what the pair stands under where it comes from: FAQ section, document title
        ("question", pa.string()),
        ("answer", pa.string()),
        ("explanation", pa.string()),
        ("explanation_kind", pa.string()),
        ("locator", LOCATOR),
        ("origin_id", pa.string()),
        ("also_from", _TEXTS),  # "<source>:<origin_id>" of the same pair found elsewhere in the course
        ("reviewer", pa.string()),
        ("content_hash", pa.string()),
        ("updated_at", pa.string()),
    ]
)

EXPLANATIONS = pa.schema(
    [
        ("qa_id", pa.string()),
        ("course_id", pa.string()),
        ("source", pa.string()),
        ("lang", pa.string()),
        ("status", pa.string()),  # made, rejected
        ("explanation", pa.string()),  # null when rejected
        ("explanation_kind", pa.string()),  # ai; null when rejected
        ("reason", pa.string()),  # why it was rejected, else null
        ("content_hash", pa.string()),  # of the pair as it was explained
        ("prompt", pa.string()),  # names and versions of the templates
        ("model", pa.string()),
        ("made_at", pa.string()),  # ISO 8601
    ]
)
"""Explanations of stored QA pairs that a model wrote, with those that were not taken. One row per pair."""

INTENT_EXAMPLES = pa.schema(
    [
        ("id", pa.string()),
        ("question", pa.string()),
        ("previous", pa.string()),
        ("course", pa.string()),  # the course's title, as the model reads it
        ("session_id", pa.string()),
        ("category", pa.string()),
        ("lang", pa.string()),
        ("split", pa.string()),  # train, valid, test
        ("label_kind", pa.string()),  # human; weak (by rules) in train alone
        ("probability", pa.float64()),  # of the category, 0..1; 1 where a person gave it
        ("weight", pa.float64()),  # how much it counts in training; 1 where a person gave the category
        ("agreement", pa.float64()),  # share of the rows with this question text that people gave this category
    ]
)

INTENT_LABEL_HISTORY = pa.schema(
    [
        ("example_id", pa.string()),
        ("number", pa.int32()),  # 1 = the first label of this example
        ("question", pa.string()),
        ("category", pa.string()),
        ("file", pa.string()),
        ("line", pa.int32()),  # where the label was first seen
        ("file_version", pa.string()),  # first 12 hex digits of the SHA-256 of the file as it was then
        ("superseded_by", pa.int32()),  # number of the label that took its place, null when none did
        ("in_force", pa.bool_()),  # false when superseded, or when its row is gone
    ]
)
"""Every label that people ever gave, in `intent_label_history`. Grows only."""


def embeddings_schema(model: str, dimension: int, token_dimension: int = 0) -> pa.Schema:
    """`embeddings`: the vectors of QA pairs, passages and sentences by one model, and what they are filtered by.

    A QA pair has two rows, its question's and then its answer's; the others have one. With a `token_dimension` the
    tokens of sentences and of written passages are kept, too.
    """
    tokens = {"token_dimension": str(token_dimension)} if token_dimension else {}
    return pa.schema(
        [
            ("kind", pa.string()),  # qa, passage, sentence
            ("entry_id", pa.string()),
            ("source", pa.string()),
            ("course_id", pa.string()),
            ("lang", pa.string()),
            ("mode", pa.string()),
            ("text_hash", pa.string()),  # of what was embedded
            ("vector", pa.list_(pa.float16(), dimension)),  # of unit length
            ("tokens", pa.binary()),  # rows of int8, one per token, of length 127; null where tokens are not compared
        ],
        metadata={"model": model, "dimension": str(dimension)} | tokens,
    )
