"""Stage `evaluation`: the sets that every system is evaluated on, of the courses and of a public file.

What reads files is imported inside: `serving` takes a second, MLflow four.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import dagster as dg

from assets.faq import faq
from assets.intent_examples import intent_examples
from knowledge_graph.lake.evaluation_schemas import EVALUATION_CHOICES, EVALUATION_GROUNDEDNESS, EVALUATION_QUESTIONS
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, read_rows, write_table
from orchestration.building.courses import EVALUATION_FILES, files_key
from orchestration.reporting.publishing import Made, publish
from orchestration.reporting.tables import clean_input_result, clean_input_spec
from orchestration.resources import Inputs

if TYPE_CHECKING:
    from serving.evaluation.sets.leakage import EvaluationText, KnownText, Leak
    from serving.evaluation.sets.sets_of_files import Sets

_SHOWN = 50
"""Leaks and missing sources that Dagster's pages show."""


@dg.asset(
    deps=[files_key("gold"), EVALUATION_FILES, "qa_pairs", intent_examples, faq],
    check_specs=[clean_input_spec("evaluation_sets")],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="1",
)
def evaluation_sets(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Questions with gold sources and reference answers, multiple-choice questions, and answers with their evidence.

    Intent examples, FAQ and pairs are only read by the checks: whether a question was seen, and its sources exist.
    """
    from serving.evaluation.sets.set_table import set_table, slug  # noqa: PLC0415
    from serving.evaluation.sets.sets_of_files import read_sets  # noqa: PLC0415

    sets = read_sets(inputs.find_folders(), answers=inputs.evaluation.answers)
    _write(sets, data_dir)
    made_of = {"/".join(map(slug, name.split("/"))): digest(path) for name, path in sorted(sets.files.items())}
    made = Made(set_table(sets), made_of, data_sets=list(_data_sets(sets)))
    result = publish(context, made, data_dir=data_dir, inputs=inputs)
    return result._replace(check_results=[clean_input_result(sets.problems)])


@dg.asset_check(asset=evaluation_sets, blocking=True)
def no_question_leaks(data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]) -> dg.AssetCheckResult:
    """No question of a course stands in a prompt, a demonstration, a training label, a FAQ or a calibration label.

    Blocking: whatever is measured on a question that was seen is wrong, and the course's people can word it otherwise.
    """
    return _leak_result(_leaks(data_dir, inputs, section="course"), dg.AssetCheckSeverity.ERROR)


@dg.asset_check(asset=evaluation_sets)
def no_public_question_leaks(
    data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.AssetCheckResult:
    """The same of the public set. Warns: nobody here can word those otherwise, and "stack" is what everyone asks."""
    return _leak_result(_leaks(data_dir, inputs, section="public"), dg.AssetCheckSeverity.WARN)


@dg.asset_check(asset=evaluation_sets)
def every_gold_source_exists(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """What a question names as its source is a pair or a passage of its course. Warns: the course may not be built."""
    from serving.evaluation.sets.evaluation_sets import read_questions  # noqa: PLC0415

    known = _known_sources(data_dir)
    asked = read_questions(data_dir.evaluation_set("questions"))
    missing = [
        f"{one.set}: {one.question[:80]!r} names {source}"
        for one in asked
        for source in one.gold
        if (one.course_id, source) not in known
    ]
    return dg.AssetCheckResult(
        passed=not missing,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{len(missing)} sources are in no table; build the course, or mend its gold." if missing else None,
        metadata={"missing": len(missing), "sources": _markdown_list(missing)},
    )


def _write(sets: "Sets", data_dir: DataDir) -> None:
    from serving.evaluation.sets.evaluation_sets import rows_of  # noqa: PLC0415

    write_table(data_dir.evaluation_set("questions"), rows_of(sets.questions), EVALUATION_QUESTIONS)
    write_table(data_dir.evaluation_set("choices"), rows_of(sets.choices), EVALUATION_CHOICES)
    write_table(data_dir.evaluation_set("groundedness"), rows_of(sets.groundedness), EVALUATION_GROUNDEDNESS)


def _data_sets(sets: "Sets") -> "Iterator[object]":
    """For MLflow, whose tables have no lists: those become lines."""
    import pandas as pd  # noqa: PLC0415

    from models.tracking.recording import DataSet  # noqa: PLC0415
    from serving.evaluation.sets.set_table import flat, name_sets  # noqa: PLC0415

    for one in name_sets(sets):
        yield DataSet(one.name, one.digest, pd.DataFrame([flat(row) for row in one.rows]))


def _leaks(data_dir: DataDir, inputs: Inputs, *, section: str) -> "tuple[Leak, ...]":
    from serving.evaluation.sets.leakage import find_leaks  # noqa: PLC0415

    return find_leaks(list(_evaluation_texts(data_dir, section)), list(_known_texts(data_dir, inputs)))


def _evaluation_texts(data_dir: DataDir, section: str) -> "Iterator[EvaluationText]":
    from serving.evaluation.sets.evaluation_sets import read_choices, read_questions  # noqa: PLC0415
    from serving.evaluation.sets.leakage import EvaluationText  # noqa: PLC0415

    for one in read_questions(data_dir.evaluation_set("questions")):
        if one.section == section:
            yield EvaluationText(one.set, one.question_id, one.question)
    if section == "course":
        for choice in read_choices(data_dir.evaluation_set("choices")):
            yield EvaluationText(choice.course_id, choice.question_id, choice.stem)


def _known_texts(data_dir: DataDir, inputs: Inputs) -> "Iterator[KnownText]":
    """What the system learnt from, copies from or is told: labels of every split, for a new label moves the splits."""
    from serving.assistant.generation.demonstrations import load_demonstrations, read_own  # noqa: PLC0415
    from serving.assistant.generation.prompts import TEMPLATES  # noqa: PLC0415
    from serving.assistant.references.labelled import LabelsBroken, read_labelled  # noqa: PLC0415
    from serving.evaluation.sets.leakage import KnownText, texts_of_demonstrations, texts_of_prompts  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415

    yield from texts_of_prompts(TEMPLATES)
    own = Settings(home=data_dir.root).own_demonstrations
    yield from texts_of_demonstrations((*load_demonstrations(), *(read_own(own) if own is not None else ())))
    if data_dir.intent_examples.is_file():
        for row in read_rows(data_dir.intent_examples):
            yield KnownText(f"intent example {row['id']} ({row['split']}, {row['label_kind']})", row["question"])
    for path in data_dir.tables("faq"):
        yield from (KnownText(f"FAQ {row['course_id']}/{row['origin_id']}", row["question"]) for row in read_rows(path))
    for course in inputs.find_folders():
        try:
            labelled = read_labelled(course.path)
        except LabelsBroken:
            continue  # `reference_cut` tells; it learns nothing from the file
        yield from (KnownText(f"labelled reference of {course.course_id}", one.question) for one in labelled)


def _known_sources(data_dir: DataDir) -> set[tuple[str | None, str]]:
    known: set[tuple[str | None, str]] = set()
    if data_dir.qa_pairs.is_file():
        for row in read_rows(data_dir.qa_pairs):
            known |= {(row["course_id"], row["origin_id"]), (row["course_id"], row["qa_id"])}
    for path in data_dir.tables("passages"):
        known |= {(row["course_id"], row["passage_id"]) for row in read_rows(path)}
    return known


def _leak_result(leaks: "tuple[Leak, ...]", severity: dg.AssetCheckSeverity) -> dg.AssetCheckResult:
    told = f"{len(leaks)} questions were seen before; `where` says of each in what." if leaks else None
    return dg.AssetCheckResult(
        passed=not leaks,
        severity=severity,
        description=told,
        metadata={"leaks": len(leaks), "where": _markdown_list([leak.description() for leak in leaks])},
    )


def _markdown_list(lines: list[str]) -> dg.MarkdownMetadataValue:
    return dg.MetadataValue.md("\n".join(f"- {line}" for line in lines[:_SHOWN]) or "None.")
