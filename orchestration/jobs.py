"""The jobs of a build, and the schedules of sources that announce no changes (LittleMu 3.2.2)."""

import dagster as dg

from knowledge_graph.lake.source_kinds import INPUT_FILES
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.web.settings import WebSettings
from orchestration.building.decisions import TURNS
from orchestration.building.kept_results import stale_tag
from orchestration.partitions import courses
from orchestration.resources import Inputs

STAGE = "coteach/stage"
"""Tag of every run of a job: what part of the platform it builds, to find its runs by."""

COURSE_ASSETS = (
    "course_card",
    "graded_items",
    *(kind for kind, files in INPUT_FILES.items() if files.has_asset),
    "lecture_sentences",
    "ta_answers",
    "passages",
    "teacher_edits",
    "concepts",
    "prerequisites",
    "concept_map",
    "graph_scores",
    "search_queries",
    "web_snippets",
    "exam_questions",
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
    "intent_systems",
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
    "groundedness_grades",
)
"""One for each table of the papers, and of what this project holds itself to."""

RELEASE_ASSETS = ("release_candidate", "released")
"""What a release would be, and what was released: a candidate that is worse stops here."""

REPORT_ASSETS = ("evaluation_report",)
"""All tables in one document."""

WEEKLY_ASSETS = ("weekly_report",)
"""What the teachers' weekly meeting looks at."""

EXAM_ASSETS = ("model_admission",)
"""Whether the served language model may write. Takes a model server and minutes: a gateway holds the exam by itself,
and a person may."""

TUTOR_ASSETS = ("tutor_model",)
"""The small language model, fine-tuned on the home's courses: minutes of every core, so only a person starts it."""

EVALUATION_ASSETS = (
    *RETRIEVAL_ASSETS,
    *EXAM_ASSETS,
    *TUTOR_ASSETS,
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
    tags={STAGE: "course"},
)

_fan_in_selection = (
    dg.AssetSelection.all() - _course_selection - _intent_selection - _explanation_selection - _evaluation_selection
)

fan_in_build = dg.define_asset_job(
    "fan_in_build",
    _fan_in_selection,
    description="What is made from all courses: graph, QA pairs, index.",
    tags={STAGE: "all_courses"},
)

course_update = dg.define_asset_job(
    "course_update",
    _course_selection | _fan_in_selection,
    description="One course that changed, and what is made from all courses: from an edit to its answer in one run.",
    tags={STAGE: "course_and_all_courses"},
)

intent_build = dg.define_asset_job(
    "intent_build", _intent_selection, description="The intent model, from its labels.", tags={STAGE: "intent_model"}
)

evaluation_build = dg.define_asset_job(
    "evaluation_build",
    dg.AssetSelection.assets(*RETRIEVAL_ASSETS),
    description="Retrieval strategies side by side on labelled questions.",
    tags={STAGE: "evaluation"},
)

system_build = dg.define_asset_job(
    "system_build",
    _systems_selection,
    description="What one system answers to the evaluation questions.",
    tags={STAGE: "evaluation"},
)

report_build = dg.define_asset_job(
    "report_build",
    _evaluation_selection
    - _systems_selection
    - dg.AssetSelection.assets(*RETRIEVAL_ASSETS, *EXAM_ASSETS, *TUTOR_ASSETS, *WEEKLY_ASSETS),
    description="The papers' tables, the release candidate and the report.",
    tags={STAGE: "evaluation"},
)

exam_build = dg.define_asset_job(
    "exam_build",
    dg.AssetSelection.assets(*EXAM_ASSETS),
    description="The exam of the served language model.",
    tags={STAGE: "model_exam"},
)

tutor_build = dg.define_asset_job(
    "tutor_build",
    dg.AssetSelection.assets(*TUTOR_ASSETS),
    description="The small language model, fine-tuned on the home's own courses.",
    tags={STAGE: "model"},
)

weekly_build = dg.define_asset_job(
    "weekly_build",
    dg.AssetSelection.assets(*WEEKLY_ASSETS),
    description="The report for the teachers' meeting.",
    tags={STAGE: "evaluation"},
)

explanation_build = dg.define_asset_job(
    "explanation_build",
    _explanation_selection | dg.AssetSelection.assets("search_index"),
    description="Explanations by AI of stored answers that have none, and the index with them.",
    tags={STAGE: "explanations"},
)

_watch_job = dg.define_asset_job(
    "answering_watch_job",
    dg.AssetSelection.checks(dg.AssetCheckKey(TURNS, "answered_to_asked")),
    description="Whether students' questions are answered.",
    tags={STAGE: "watch"},
)
_web_job = dg.define_asset_job(
    "web_update_job",
    dg.AssetSelection.assets(*WEB_ASSETS),
    description="What is fetched, fetched again.",
    tags={STAGE: "web", "dagster/max_retries": "1"},
)


@dg.schedule(
    job=_web_job,
    cron_schedule="0 4 * * *",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Ask the web again each night: catalogues, and searches for what courses leave unanswered.",
)
def web_update(
    context: dg.ScheduleEvaluationContext, inputs: dg.ResourceParam[Inputs]
) -> list[dg.RunRequest] | dg.SkipReason:
    """One run for each course of which anything is fetched; pages and replies that are young enough come from the
    cache, and nothing follows what comes out the same. Where nothing is fetched of any, one course is looked at all the
    same: what has a schedule is overdue in Dagster's pages when it was not made."""
    folders = {folder.course_id: folder for folder in inputs.find_folders()}
    known = context.instance.get_dynamic_partitions(courses.name or "courses")
    there = sorted(course_id for course_id in known if course_id in folders)
    asked = [course_id for course_id in there if is_fetched(folders[course_id], inputs.web)] or there[:1]
    if not asked:
        return dg.SkipReason("There is no course yet.")
    day = f"{context.scheduled_execution_time:%Y-%m-%d}"
    return [dg.RunRequest(run_key=f"{day}-{course_id}", partition_key=course_id) for course_id in asked]


def is_fetched(folder: CourseFolder, web: WebSettings) -> bool:
    """Whether anything of a course comes from the web."""
    return web.search_url is not None or web.scholar_url is not None or bool(input_files(folder, "catalog_pages"))


@dg.schedule(
    job=fan_in_build,
    cron_schedule="30 4 * * *",
    default_status=dg.DefaultScheduleStatus.RUNNING,
    description="Each night, what is made of all courses is compared with what it reads, and its checks run again.",
)
def nightly_look(context: dg.ScheduleEvaluationContext) -> dg.RunRequest | dg.SkipReason:
    """One run that makes what is stale and keeps the rest, so that Dagster tells what nobody could confirm of late."""
    if not context.instance.get_dynamic_partitions(courses.name or "courses"):
        return dg.SkipReason("There is no course yet.")
    return dg.RunRequest(run_key=f"{context.scheduled_execution_time:%Y-%m-%d}", tags=stale_tag([]))


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
