"""Stage `evaluation`: every system asked the evaluation questions, a partition and an MLflow run for each.

Only a person starts it (`coteach report`). A system with a model needs a server; the others ask nobody. The modules
that ask are imported inside: the gateway's libraries take 1.5 s, MLflow 4.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import dagster as dg
from pydantic import Field

from assets.embeddings import embeddings
from assets.evaluation.evaluation_sets import evaluation_sets
from assets.graph import graph
from assets.intent_thresholds import intent_thresholds
from assets.reference_cut import reference_cut
from assets.search_index import search_index
from knowledge_graph.lake.evaluation_schemas import SYSTEM_ANSWERS
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, write_table
from orchestration.building.courses import ANSWERING
from orchestration.reporting.tables import facts_of_files
from orchestration.resources import Inputs
from serving.evaluation.systems.systems import PER_LANGUAGE, SYSTEMS, System, questions_for, sample

if TYPE_CHECKING:
    from models.tracking.recording import TrackedRun
    from serving.evaluation.sets.evaluation_sets import EvaluationQuestion
    from serving.evaluation.systems.system_answers import SystemAnswer
    from serving.settings import Settings

systems = dg.StaticPartitionsDefinition(list(SYSTEMS))

_PROGRESS_PARTS = 10
"""How often a run tells how far it is."""

_NO_SERVER = (
    "The system {system} needs a model server, and COTEACH_LLM_URL names none. Run `coteach report`, which starts one, "
    "or set COTEACH_LLM_URL to the `/v1` of one that runs."
)


class RunSampling(dg.Config):
    """What a person can choose for one run."""

    per_language: int = Field(
        PER_LANGUAGE, ge=1, description="Questions that a system with a model is asked, in each language it speaks."
    )


@dataclass(frozen=True)
class _Job:
    """What one partition does. `sampled` are the ids of the questions that every system is asked."""

    system: System
    settings: "Settings"
    questions: "tuple[EvaluationQuestion, ...]"
    sampled: frozenset[str]
    questions_digest: str
    index_version: str


@dg.asset(
    deps=[ANSWERING, evaluation_sets, search_index, embeddings, graph, intent_thresholds, reference_cut],
    partitions_def=systems,
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="1",
)
def system_answers(
    context: dg.AssetExecutionContext,
    config: RunSampling,
    data_dir: dg.ResourceParam[DataDir],
    inputs: dg.ResourceParam[Inputs],
) -> dg.MaterializeResult:
    """What one system answered to the evaluation questions, and what that comes to."""
    from serving.evaluation.systems.system_answers import version_of  # noqa: PLC0415
    from serving.evaluation.systems.system_measures import metrics  # noqa: PLC0415

    job = _job(SYSTEMS[context.partition_key], data_dir, config.per_language)
    rows = _answer(job, data_dir, context.log.info)
    path = _publish(rows, job.system, data_dir)
    found = metrics(rows, sampled=job.sampled)
    run = _log(job, rows, found, data_dir)
    failed = sum(one.route == "failed" for one in rows)
    return dg.MaterializeResult(
        metadata={
            **facts_of_files(Path(path)),
            "dagster/row_count": len(rows),
            "failed": failed,
            "mlflow_run": dg.MetadataValue.url(f"{inputs.mlflow_url.rstrip('/')}/{run.url_path}"),
            **{name: value for name, value in found.items() if name.count("/") == 1},
        },
        data_version=dg.DataVersion(version_of(rows)),
    )


@dg.asset_check(asset=system_answers)
def every_question_was_answered(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """No question of any system ended in an error. Warns, and names the questions."""
    from serving.evaluation.systems.system_answers import read_answers  # noqa: PLC0415

    failed = [
        f"{row.system}, {row.question_id} ({row.question[:60]}): {row.error}"
        for path in data_dir.systems_answered
        for row in read_answers(path)
        if row.route == "failed"
    ]
    return dg.AssetCheckResult(
        passed=not failed,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={
            "failed": len(failed),
            "questions": dg.MetadataValue.md("\n".join(f"- {one}" for one in failed[:20])),
        },
    )


def _job(system: System, data_dir: DataDir, per_language: int) -> _Job:
    from serving.evaluation.sets.evaluation_sets import read_questions  # noqa: PLC0415
    from serving.index.search import SearchIndex  # noqa: PLC0415
    from serving.llm.per_language import settings_per_language  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415

    home = settings_per_language(Settings(home=data_dir.root)).others
    if system.needs_model and home.llm_url is None:
        raise dg.Failure(_NO_SERVER.format(system=system.name))
    settings = Settings.model_validate(home.model_dump() | system.overrides)
    path = data_dir.evaluation_set("questions")
    known = read_questions(path)
    asked = questions_for(system, known, languages=home.languages, per_language=per_language)
    if not asked:
        raise dg.Failure(
            f"No question for {system.name}: the evaluation sets have none of a course in {', '.join(home.languages)}. "
            "Write gold/questions.jsonl in a course folder, or name the model's languages with COTEACH_LANGUAGES."
        )
    sampled = sample(known, languages=home.languages, per_language=per_language)
    chosen = frozenset(one.question_id for one in sampled)
    return _Job(system, settings, asked, chosen, digest(path), SearchIndex.open(data_dir.index).version)


def _answer(job: _Job, data_dir: DataDir, tell: Callable[[str], None]) -> "list[SystemAnswer]":
    """The answers, in the order of the questions; those that a stopped run left are not asked again."""
    from serving.assistant.generation.explanations import fetch_model_name  # noqa: PLC0415
    from serving.evaluation.audited_answers import AT_ONCE  # noqa: PLC0415
    from serving.evaluation.systems.model_alone import who_answers  # noqa: PLC0415
    from serving.evaluation.systems.system_answers import Asking, answer_all  # noqa: PLC0415
    from serving.evaluation.systems.unfinished_runs import UnfinishedRun, fingerprint  # noqa: PLC0415
    from serving.gateway.knowledge import load_knowledge  # noqa: PLC0415
    from serving.llm.language_model import LlmError  # noqa: PLC0415
    from serving.llm.model_client import open_model  # noqa: PLC0415

    async def ask() -> UnfinishedRun:
        llm = open_model(job.settings) if job.system.needs_model else None
        try:
            served = fetch_model_name(job.settings.llm_urls[0], await llm.model_name()) if llm else None
            begun = UnfinishedRun(data_dir.system_answers_begun(job.system.name), fingerprint(_depends_on(job, served)))
            left = [one for one in job.questions if one.question_id not in begun.rows]

            def done(row: "SystemAnswer") -> None:
                begun.keep(row)
                if len(begun.rows) % max(1, len(job.questions) // _PROGRESS_PARTS) == 0:
                    tell(f"{job.system.name}: {len(begun.rows):,} of {len(job.questions):,} questions answered")

            knowledge = load_knowledge(job.settings, llm)
            asking = Asking(job.system.name, served, AT_ONCE if served else 1)
            asked = who_answers(job.system, knowledge, llm, job.settings)
            await answer_all(asking, left, knowledge=knowledge, assistant=asked, done=done)
            return begun
        except LlmError as error:
            raise dg.Failure(f"The model server did not answer: {error} Start it and run the same again.") from error
        finally:
            if llm:
                await llm.aclose()

    rows = asyncio.run(ask()).rows
    if missing := [one for one in job.questions if one.question_id not in rows]:
        raise dg.Failure(
            f"{len(missing):,} of {len(job.questions):,} questions have no answer: the model server went away. Start "
            "it and run the same again; what was answered is kept."
        )
    return [rows[one.question_id] for one in job.questions]


def _depends_on(job: _Job, served: str | None) -> dict[str, object]:
    paths = ("home", "store_url", "llm_url")
    settings = {name: value for name, value in job.settings.model_dump().items() if name not in paths}
    return {
        "system": job.system.name,
        "served": served,
        "settings": settings,
        "questions": job.questions_digest,
        "index": job.index_version,
    }


def _publish(rows: "Sequence[SystemAnswer]", system: System, data_dir: DataDir) -> "os.PathLike[str]":
    """Write the answers; those of another model that was served before stay, under its name."""
    from serving.evaluation.systems.answered_systems import file_name  # noqa: PLC0415
    from serving.evaluation.systems.system_answers import read_answers  # noqa: PLC0415

    path = data_dir.system_answers(system.name)
    before = read_answers(path)[:1] if path.is_file() else ()
    if before and before[0].served not in (None, rows[0].served):
        os.replace(path, data_dir.system_answers(file_name(system.name, before[0].served)))
    write_table(path, map(asdict, rows), SYSTEM_ANSWERS)
    if rows[0].served is not None:
        data_dir.system_answers(file_name(system.name, rows[0].served)).unlink(missing_ok=True)
    data_dir.system_answers_begun(system.name).unlink(missing_ok=True)
    return path


def _log(job: _Job, rows: "Sequence[SystemAnswer]", found: dict[str, float], data_dir: DataDir) -> "TrackedRun":
    import pandas as pd  # noqa: PLC0415

    from models.tracking.evaluation import EvaluationRun, log_evaluation  # noqa: PLC0415
    from models.tracking.recording import DataSet  # noqa: PLC0415
    from serving.feedback.experiments import FIELDS  # noqa: PLC0415

    settings = job.settings.model_dump(include={*FIELDS, *job.system.settings} - {"llm_url"})
    params = {name: str(value) for name, value in settings.items()}
    served = rows[0].served or "none"
    asked = pd.DataFrame([{"id": one.question_id, "question": one.question, "set": one.set} for one in job.questions])
    return log_evaluation(
        EvaluationRun(
            kind="systems",
            name=job.system.name if rows[0].served is None else f"{job.system.name}, {served}",
            metrics=found,
            params=params | {"index_version": job.index_version, "questions": job.questions_digest, "served": served},
            tags={"coteach.system": job.system.name, "coteach.model": served, "coteach.about": job.system.about},
            data_sets=[DataSet(f"questions_{job.system.questions}", job.questions_digest, asked)],
        ),
        data_dir=data_dir,
    )
