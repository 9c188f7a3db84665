"""Stage `evaluation`: what would be released, whether it is worse than what was, and what was released.

A candidate is judged on the questions that the last release was asked. It is blocked here and nowhere else: the index
and the models of a home are in use as soon as a build has made them. A gateway that is to serve released versions only
is given a home in which a candidate has passed.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dagster as dg

from assets.evaluation.student_questions import student_questions
from assets.evaluation.system_answers import system_answers
from assets.evaluation.traffic_shape import traffic_retrieval
from assets.intent_examples import read_examples
from assets.intent_thresholds import intent_thresholds
from assets.reference_cut import reference_cut
from assets.search_index import search_index
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, read_rows
from models.intent.thresholds import thresholds_path
from models.versions import ModelError, current_folder, current_version, publish, staging
from orchestration.reporting.publishing import Made, read_shown
from orchestration.reporting.publishing import publish as publish_table
from orchestration.reporting.tables import facts_of_files
from orchestration.resources import Inputs
from serving.evaluation.systems.systems import DEFAULT
from serving.index.search import SearchIndex

if TYPE_CHECKING:
    from serving.evaluation.release.promises import ThresholdPromise
    from serving.evaluation.release.release_gate import ReleaseCandidate, StoredJudgement

_FLOOR = "floor/"
_AGAIN = "Make `release_candidate` again."
_ANEW = "To release it all the same, remove {current}: the next candidate is then the first release."


@dg.asset(
    deps=[system_answers, traffic_retrieval, student_questions, search_index, intent_thresholds, reference_cut],
    group_name="evaluation",
    kinds={"mlflow"},
    owners=["team:ml"],
    code_version="3",
)
def release_candidate(
    context: dg.AssetExecutionContext, data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.MaterializeResult:
    """Index, models and thresholds as they are, their figures, and how these differ from those of the last release."""
    from serving.evaluation.release.promises import list_broken  # noqa: PLC0415
    from serving.evaluation.release.release_gate import judge, read_candidate, write_candidate, write_judgement  # noqa: PLC0415
    from serving.evaluation.release.release_table import release_table  # noqa: PLC0415

    candidate, promises = _candidate(data_dir), tuple(_promises(data_dir))
    version = current_version(data_dir.releases)
    released = read_candidate(data_dir.releases / version) if version else None
    judgement = judge(candidate, released, version=version, broken=list_broken(promises))
    folder = data_dir.release_candidate
    write_candidate(folder, candidate)
    write_judgement(folder, judgement, candidate=_digest(folder))
    made_of = {**candidate.facts, "released": version or "none"}
    made = Made(release_table(candidate, judgement, promises), made_of)
    return publish_table(context, made, data_dir=data_dir, inputs=inputs)


@dg.asset_check(asset=release_candidate, blocking=True)
def not_worse_than_released(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """No measure is worse than that of the last release, beyond chance and the noise floor. Blocks the release."""
    said = _read_judgement(data_dir)
    return dg.AssetCheckResult(
        passed=not said.worse,
        description="; ".join(said.worse) or (f"Compared with {said.against}." if said.against else "First release."),
        metadata={"against": said.against or "none", **said.compared},
    )


@dg.asset_check(asset=release_candidate, blocking=True)
def every_promise_holds(data_dir: dg.ResourceParam[DataDir]) -> dg.AssetCheckResult:
    """No promise of a threshold is refuted by what is stored or by newer labels. Blocks the release.

    A threshold with too few labels promises nothing: that is told, and blocks nothing.
    """
    said = _read_judgement(data_dir)
    return dg.AssetCheckResult(passed=not said.broken, description="; ".join(said.broken) or None)


@dg.asset(deps=[release_candidate], group_name="evaluation", kinds={"parquet"}, owners=["team:ml"], code_version="1")
def released(data_dir: dg.ResourceParam[DataDir]) -> dg.MaterializeResult:
    """The candidate, kept as what the next is held against. Only one that passed: a run of this asset alone looks too.

    The same candidate again is the same version.
    """
    from serving.evaluation.release.release_gate import FACTS, SCORES  # noqa: PLC0415

    said, folder = _read_judgement(data_dir), data_dir.releases
    version, judged = current_version(folder), _digest(data_dir.release_candidate)
    is_released = version is not None and _digest(folder / version) == judged
    if said.candidate != judged or not (is_released or said.against == version):
        raise dg.Failure(f"The candidate was judged before it or the last release changed. {_AGAIN}")
    if said.worse or said.broken:
        raise dg.Failure(_held_back(said, data_dir))
    with staging(folder) as staged:
        for name in (FACTS, SCORES):
            shutil.copyfile(data_dir.release_candidate / name, staged / name)
        version = publish(folder, staged)
    return dg.MaterializeResult(
        metadata={**facts_of_files(folder / version), "version": version, "against": said.against or "none"},
        data_version=dg.DataVersion(version),
    )


def _candidate(data_dir: DataDir) -> "ReleaseCandidate":
    from serving.evaluation.release.release_gate import (  # noqa: PLC0415
        ReleaseCandidate,
        floors_of,
        score_reshaped,
        score_written,
        student_scores,
    )
    from serving.evaluation.systems.system_answers import read_answers  # noqa: PLC0415

    answers = data_dir.system_answers(DEFAULT)
    if not answers.is_file():
        raise dg.Failure(f"The system {DEFAULT} has not answered yet. Make its partition of `system_answers`.")
    scores = [
        *score_written(read_answers(answers)),
        *score_reshaped(read_rows(data_dir.reshaped_ranks)),
        *student_scores(_student_marks(data_dir)),
    ]
    if not scores:
        raise dg.Failure("No course has labelled questions (gold/questions.jsonl): a release cannot be judged.")
    known = read_shown(data_dir.evaluation_tables / "traffic_retrieval.json").table.metrics()
    floors = {name.removeprefix(_FLOOR): value for name, value in known.items() if name.startswith(_FLOOR)}
    return ReleaseCandidate(_facts(data_dir), floors_of(scores, floors), tuple(scores))


def _student_marks(data_dir: DataDir) -> list[dict[str, Any]]:
    """The marks of students' questions; none where the home's courses have no such questions."""
    return list(read_rows(data_dir.student_marks)) if data_dir.student_marks.is_file() else []


def _facts(data_dir: DataDir) -> dict[str, str]:
    """Versions and digests of all that answers."""
    from serving.assistant.references.calibration import FILE  # noqa: PLC0415
    from serving.settings import Settings  # noqa: PLC0415

    index = SearchIndex.open(data_dir.index).version
    files = {
        "beta": data_dir.index / index / "thresholds.json",
        "alpha": thresholds_path(data_dir.intent / str(current_version(data_dir.intent))),
        "reference_cut": data_dir.references / FILE,
        "questions": data_dir.evaluation_set("questions"),
    }
    return {
        "search_index": index,
        "intent_model": current_version(data_dir.intent) or "none",
        "embedder": current_version(data_dir.embedder) or "none",
        "strategy": Settings(home=data_dir.root).strategy,
        **{name: digest(path) if path.is_file() else "none" for name, path in files.items()},
    }


def _promises(data_dir: DataDir) -> "Iterator[ThresholdPromise]":
    from serving.assistant.references.calibration import read_calibration  # noqa: PLC0415
    from serving.evaluation.release.promises import (  # noqa: PLC0415
        promise_of_answers,
        promise_of_beta,
        promises_of_references,
    )

    yield _alpha(data_dir)
    yield promise_of_answers(_student_marks(data_dir))
    yield promise_of_beta(SearchIndex.open(data_dir.index).beta)
    yield from promises_of_references(read_calibration(data_dir.references))


def _alpha(data_dir: DataDir) -> "ThresholdPromise":
    from models.intent.training.calibration_files import judge_version, read_calibration  # noqa: PLC0415
    from serving.evaluation.release.promises import promise_of_alpha  # noqa: PLC0415

    try:
        folder = current_folder(data_dir.intent, what="intent model", remedy="Run `coteach build`.")
        calibration = read_calibration(folder)
    except ModelError:
        return promise_of_alpha(None, {})
    return promise_of_alpha(calibration.alpha.overall, judge_version(folder, read_examples(data_dir, weak=True)))


def _read_judgement(data_dir: DataDir) -> "StoredJudgement":
    from serving.evaluation.release.release_gate import read_judgement  # noqa: PLC0415

    return read_judgement(data_dir.release_candidate)


def _held_back(said: "StoredJudgement", data_dir: DataDir) -> str:
    anew = f" {_ANEW.format(current=data_dir.releases / 'CURRENT')}" if said.worse else ""
    return f"Held back: {'; '.join((*said.worse, *said.broken))}.{anew}"


def _digest(folder: Path) -> str:
    """Digest of the files that are released."""
    from serving.evaluation.release.release_gate import FACTS, SCORES  # noqa: PLC0415

    return " ".join(digest(folder / name) for name in (FACTS, SCORES))
