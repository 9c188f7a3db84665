"""The jobs a build consists of, and the schedule of the periodic FAQ update (LittleMu 3.2.2)."""

from collections.abc import Iterator

import dagster as dg

from orchestration.partitions import courses

COURSE_ASSETS = (
    "course_card",
    "subtitles",
    "faq",
    "search_snippets",
    "catalog_pages",
    "documents",
    "passages",
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

EVALUATION_ASSETS = ("retrieval_table",)
"""What measures for some time and nothing is made from. Apart from the rest: only a person starts it."""

_intent_selection = dg.AssetSelection.assets(*INTENT_ASSETS)
_course_selection = dg.AssetSelection.assets(*COURSE_ASSETS)
_explanation_selection = dg.AssetSelection.assets(*EXPLANATION_ASSETS)
_evaluation_selection = dg.AssetSelection.assets(*EVALUATION_ASSETS)

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
    "evaluation_build", _evaluation_selection, description="Retrieval strategies side by side on labelled questions."
)

explanation_build = dg.define_asset_job(
    "explanation_build",
    _explanation_selection | dg.AssetSelection.assets("search_index"),
    description="Explanations by AI of stored answers that have none, and the index with them.",
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


def _run_for_each_course(context: dg.ScheduleEvaluationContext) -> Iterator[dg.RunRequest]:
    for course_id in context.instance.get_dynamic_partitions(courses.name or "courses"):
        yield dg.RunRequest(run_key=f"{context.scheduled_execution_time:%Y-%m-%d}-{course_id}", partition_key=course_id)
