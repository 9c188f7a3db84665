"""The jobs a build consists of, and the schedule of the periodic FAQ update (LittleMu 3.2.2)."""

from collections.abc import Iterator

import dagster as dg

from orchestration.decisions import TURNS
from orchestration.partitions import courses

COURSE_ASSETS = (
    "course_card",
    "subtitles",
    "lecture_sentences",
    "faq",
    "ta_answers",
    "search_snippets",
    "catalog_pages",
    "documents",
    "passages",
    "teacher_edits",
    "statements",
    "concepts",
    "prerequisites",
    "concept_map",
    "graph_scores",
    "search_queries",
    "web_snippets",
    "scholar_records",
    "prepared_texts",
)
"""Assets with one partition per course, in no particular order."""

WEB_ASSETS = ("search_queries", "web_snippets", "scholar_records", "catalog_pages")
"""What is fetched: made again each night and by `coteach build --refresh`, as nothing tells when the web changed."""

INTENT_ASSETS = ("intent_examples", "albert_pretrained", "intent_model", "intent_champion", "intent_thresholds")
"""What training the intent model and putting it in use take. Apart from the rest: no new course retrains it."""

EXPLANATION_ASSETS = ("explanations",)
"""What takes a model server. Apart from the rest: only a person starts it, with `coteach explain`."""

RETRIEVAL_ASSETS = ("retrieval_table",)
"""What compares retrieval strategies one by one, for minutes. Apart from the rest: only a person starts it."""

SET_ASSETS = ("evaluation_sets",)
"""What is evaluated on."""

SYSTEM_ASSETS = ("system_answers",)
"""What systems answer to it; one partition for each system."""

STORE_ASSETS = ("store_logs",)
"""What people asked and said, without names."""

MART_ASSETS = ("simulated_logs", "feedback_marts", "simulated_marts")
"""What dbt counts in that, and in logs that nobody wrote."""

TABLE_ASSETS = (
    "student_questions",
    "question_components",
    "data_statistics",
    "traffic_shape",
    "traffic_retrieval",
    "rouge_table",
    "system_comparison",
    "system_ablations",
    "human_ratings",
    "ratings_by_category",
    "rater_reliability",
    "reference_review",
    "reference_subjects",
    "reference_threshold",
    "catalog_projection",
    "catalog_latency",
    "catalog_ablations",
    "use_over_time",
    "answer_experiments",
    "votes_by_form",
)
"""One for each table of the papers."""

RELEASE_ASSETS = ("release_candidate", "released")
"""What a release would be, and what was released: a candidate that is worse stops here."""

REPORT_ASSETS = ("evaluation_report",)
"""All tables in one document."""

WEEKLY_ASSETS = ("weekly_report",)
"""What the teachers' weekly meeting looks at."""

EVALUATION_ASSETS = (
    *RETRIEVAL_ASSETS,
    *SET_ASSETS,
    *SYSTEM_ASSETS,
    *STORE_ASSETS,
    *MART_ASSETS,
    *TABLE_ASSETS,
    *RELEASE_ASSETS,
    *REPORT_ASSETS,
    *WEEKLY_ASSETS,
)
"""What measures and nothing is answered from. Apart from the rest: `coteach report` or a person starts it."""

_intent_selection = dg.AssetSelection.assets(*INTENT_ASSETS)
_course_selection = dg.AssetSelection.assets(*COURSE_ASSETS)
_explanation_selection = dg.AssetSelection.assets(*EXPLANATION_ASSETS)
_evaluation_selection = dg.AssetSelection.assets(*EVALUATION_ASSETS)
_systems_selection = dg.AssetSelection.assets(*SYSTEM_ASSETS)

course_build = dg.define_asset_job(
    "course_build",
    _course_selection,
    description="Everything one course needs, from its files.",
)

fan_in_build = dg.define_asset_job(
    "fan_in_build",
    dg.AssetSelection.all() - _course_selection - _intent_selection - _explanation_selection - _evaluation_selection,
    description="What is made from all courses: graph, QA pairs, index.",
)

intent_build = dg.define_asset_job("intent_build", _intent_selection, description="The intent model, from its labels.")

evaluation_build = dg.define_asset_job(
    "evaluation_build",
    dg.AssetSelection.assets(*RETRIEVAL_ASSETS),
    description="Retrieval strategies side by side on labelled questions.",
)

system_build = dg.define_asset_job(
    "system_build", _systems_selection, description="What one system answers to the evaluation questions."
)

report_build = dg.define_asset_job(
    "report_build",
    _evaluation_selection - _systems_selection - dg.AssetSelection.assets(*RETRIEVAL_ASSETS, *WEEKLY_ASSETS),
    description="The papers' tables, the release candidate and the report.",
)

weekly_build = dg.define_asset_job(
    "weekly_build", dg.AssetSelection.assets(*WEEKLY_ASSETS), description="The report for the teachers' meeting."
)

explanation_build = dg.define_asset_job(
    "explanation_build",
    _explanation_selection | dg.AssetSelection.assets("search_index"),
    description="Explanations by AI of stored answers that have none, and the index with them.",
)

_watch_job = dg.define_asset_job(
    "answering_watch_job",
    dg.AssetSelection.checks(dg.AssetCheckKey(TURNS, "answered_to_asked")),
    description="Whether students' questions are answered.",
)
_faq_job = dg.define_asset_job("faq_update_job", dg.AssetSelection.assets("faq"))
_web_job = dg.define_asset_job("web_update_job", dg.AssetSelection.assets(*WEB_ASSETS))


@dg.schedule(
    job=_faq_job,
    cron_schedule="30 3 * * *",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Read every course's FAQ again each night; what depends on it follows by its own automation.",
)
def faq_update(context: dg.ScheduleEvaluationContext) -> Iterator[dg.RunRequest]:
    """One run per registered course."""
    yield from _run_for_each_course(context)


@dg.schedule(
    job=_web_job,
    cron_schedule="0 4 * * *",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Ask the web again each night: catalogues, and searches for what courses leave unanswered.",
)
def web_update(context: dg.ScheduleEvaluationContext) -> Iterator[dg.RunRequest]:
    """One run per registered course; pages and replies that are young enough come from the cache."""
    yield from _run_for_each_course(context)


@dg.schedule(
    job=_watch_job,
    cron_schedule="20 * * * *",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Compare answered with asked questions each hour, so that an outage is not silent.",
)
def answering_watch(context: dg.ScheduleEvaluationContext) -> dg.RunRequest:
    """One run for all courses."""
    return dg.RunRequest(run_key=f"{context.scheduled_execution_time:%Y-%m-%dT%H}")


@dg.schedule(
    job=weekly_build,
    cron_schedule="0 6 * * 1",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Each Monday, what the last week's questions and answers were like.",
)
def weekly_report_schedule(context: dg.ScheduleEvaluationContext) -> dg.RunRequest:
    """One run for all courses."""
    return dg.RunRequest(run_key=f"{context.scheduled_execution_time:%Y-%m-%d}")


def _run_for_each_course(context: dg.ScheduleEvaluationContext) -> Iterator[dg.RunRequest]:
    for course_id in context.instance.get_dynamic_partitions(courses.name or "courses"):
        yield dg.RunRequest(run_key=f"{context.scheduled_execution_time:%Y-%m-%d}-{course_id}", partition_key=course_id)
