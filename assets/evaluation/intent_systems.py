"""Stage `evaluation`: which way to tell what a question is serves best, by cross-validation on all labels.

Training code is imported inside the asset, for the reason that albert_pretrained.py gives.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import dagster as dg
from pydantic import Field

from assets.albert_pretrained import albert_pretrained, log_progress
from assets.embedder import embedder
from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest
from knowledge_graph.sources.bounded_report import BoundedTold
from models.intent.labels.examples import IntentExample, make_labelled_examples
from models.intent.labels.files import LabelFiles, read_label_file, read_label_files
from orchestration.building.courses import EVALUATION_FILES, INTENT_SETTINGS, LABEL_FILES
from orchestration.reporting.publishing import Made, publish, read_shown
from orchestration.resources import Inputs

if TYPE_CHECKING:
    from models.albert import Encoder
    from models.embedding.embedder import Embedder
    from serving.evaluation.systems.intent_table import Compared

_LEAST = 100
"""Questions from which on systems are compared. A choice: fewer tell nothing apart."""
_NAMES = {"labels": "labels of this home", "file": "labelled file"}
_ABOUT = {
    "labels": "what the intent model learns from, labelled by people.",
    "file": "the file of COTEACH_EVAL_INTENTS; nothing that is served learnt from it.",
}


class CrossValidation(dg.Config):
    """What a person can choose in Dagster's launchpad for one run."""

    parts: int = Field(5, description="Parts that the questions are dealt into, 2 to 20.", ge=2, le=20)
    rounds: int = Field(1, description="Times that they are dealt, each with other seeds, 1 to 20.", ge=1, le=20)


@dg.asset(
    deps=[LABEL_FILES, EVALUATION_FILES, INTENT_SETTINGS, albert_pretrained, embedder],
    group_name="evaluation",
    kinds={"torch", "mlflow"},
    owners=["team:ml"],
    code_version="4",
)
def intent_systems(
    context: dg.AssetExecutionContext,
    config: CrossValidation,
    data_dir: dg.ResourceParam[DataDir],
    inputs: dg.ResourceParam[Inputs],
) -> dg.MaterializeResult:
    """Majority, linear baselines, the n-gram bag, ALBERT and both, with and without context, each asked what it has not
    learnt; with sentence embeddings and without; and which of them the rule would serve.

    A training for each part and network: minutes. What systems said is kept beside other trainings, so that the same
    labels, settings and encoder are not trained on again.
    """
    from models.intent.release.cross_validated_choice import SEED  # noqa: PLC0415
    from models.intent.settings_file import read_intent_settings  # noqa: PLC0415
    from models.intent.training.systems import find_served  # noqa: PLC0415
    from serving.evaluation.systems.intent_table import intent_table  # noqa: PLC0415

    made_of: dict[str, str] = {}
    missing: list[str] = []
    encoder, vectors = _encoder(data_dir, inputs, missing), _embedder(data_dir, inputs, missing)
    sets = []
    for slug, examples in _sets(inputs, made_of):
        if len(examples) < _LEAST:
            missing.append(f"{_NAMES[slug]}: {len(examples)} labelled questions, fewer than {_LEAST}: not compared.")
            continue
        found = _compare(context, slug, examples, encoder, vectors, inputs, config)
        _log(found, examples, data_dir, made_of)
        sets.append(found)
    table = intent_table(sets, served=find_served(read_intent_settings(inputs.labels)), missing=missing)
    params: Mapping[str, str] = {
        "seed": str(SEED),
        "parts": str(config.parts),
        "rounds": str(config.rounds),
        "encoder": encoder.name if encoder else "",
    }
    return publish(context, Made(table, made_of, params=params), data_dir=data_dir, inputs=inputs)


@dg.asset_check(asset=intent_systems)
def the_rule_chose_what_is_served(
    data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]
) -> dg.AssetCheckResult:
    """What the settings of the intent model serve is what the rule chose on the labels of this home."""
    from models.intent.settings_file import read_intent_settings  # noqa: PLC0415
    from models.intent.training.systems import SERVED, find_served  # noqa: PLC0415
    from serving.evaluation.systems.intent_table import NAME  # noqa: PLC0415

    table = read_shown(data_dir.evaluation_tables / f"{NAME}.json").table
    chosen = {row[0]: row[1] for row in table.rows if "chosen" in str(row[-1])}
    wanted, serves = chosen.get(_NAMES["labels"]), find_served(read_intent_settings(inputs.labels))
    needed = ", ".join(f"{name}: {value}" for name, value in SERVED.get(str(wanted), {}).items())
    return dg.AssetCheckResult(
        passed=wanted is None or wanted == serves,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"Chosen is {wanted}, served {serves or 'none of those compared'}. "
        f"To serve the chosen one, write into intent.yaml beside the labels: {needed}."
        if wanted is not None and wanted != serves
        else None,
        metadata={
            "served": serves or "none of those compared",
            **{f"chosen, {name}": str(one) for name, one in chosen.items()},
        },
    )


def _sets(inputs: Inputs, made_of: dict[str, str]) -> Iterator[tuple[str, tuple[IntentExample, ...]]]:
    if inputs.labels.is_dir():
        made_of["labels"] = digest(inputs.labels)
        yield "labels", _examples(read_label_files(inputs.labels, BoundedTold()), inputs)
    path: Path | None = inputs.evaluation.intents
    if path is not None:
        made_of["intents"] = digest(path)
        yield "file", _examples(read_label_file(path, BoundedTold()), inputs)


def _examples(found: LabelFiles, inputs: Inputs) -> tuple[IntentExample, ...]:
    """Those in the languages and of the categories that the model is for."""
    from models.intent.scope import IntentScope  # noqa: PLC0415
    from models.intent.settings_file import read_intent_settings  # noqa: PLC0415

    scope = IntentScope.of(read_intent_settings(inputs.labels))
    return tuple(scope.among(make_labelled_examples(found.rows)))


def _encoder(data_dir: DataDir, inputs: Inputs, missing: list[str]) -> "Encoder | None":
    from models.albert import resolve_encoder  # noqa: PLC0415
    from models.intent.settings_file import encoder_asked_for  # noqa: PLC0415
    from models.versions import ModelMissing  # noqa: PLC0415

    try:
        return resolve_encoder(encoder_asked_for(inputs.labels, inputs.albert), data_dir=data_dir)
    except ModelMissing as error:
        missing.append(f"Without an encoder nothing that can be served was compared: {error}")
        return None


def _embedder(data_dir: DataDir, inputs: Inputs, missing: list[str]) -> "Embedder | None":
    from models.embedding.published import open_embedder  # noqa: PLC0415
    from models.versions import ModelError  # noqa: PLC0415

    try:
        found = open_embedder(data_dir.embedder, api_key=inputs.embedder.api_key)
    except ModelError as error:
        missing.append(f"Sentence embeddings were not compared: {error}")
        return None
    missing.append(f"Sentence embeddings are those of {found.name}, made for: {', '.join(found.languages)}.")
    return found


def _compare(
    context: dg.AssetExecutionContext,
    slug: str,
    examples: tuple[IntentExample, ...],
    encoder: "Encoder | None",
    vectors: "Embedder | None",
    inputs: Inputs,
    config: CrossValidation,
) -> "Compared":
    from models.intent.release.cross_validated_choice import (  # noqa: PLC0415
        CrossValidationPlan,
        choose_by_cross_validation,
    )
    from models.intent.release.system_choice import groups_of  # noqa: PLC0415
    from models.intent.settings_file import read_intent_settings  # noqa: PLC0415
    from serving.evaluation.systems.intent_table import Compared  # noqa: PLC0415

    kept = inputs.trainings
    choice = choose_by_cross_validation(
        examples,
        encoder=encoder,
        embedder=vectors,
        settings=read_intent_settings(inputs.labels),
        plan=CrossValidationPlan(kept.folder / "intent systems", config.parts, config.rounds, kept.reuse),
        on_progress=lambda progress: log_progress(context, progress),
    )
    sessions = int(groups_of(examples).max()) + 1
    return Compared(
        slug, _NAMES[slug], _ABOUT[slug], len(examples), sessions, config.parts, choice, rounds=config.rounds
    )


def _log(found: "Compared", examples: tuple[IntentExample, ...], data_dir: DataDir, made_of: Mapping[str, str]) -> None:
    """A run for each system, with the same figures under the same names, on the same data."""
    import pandas as pd  # noqa: PLC0415

    from models.intent.training.candidate import examples_digest, figures  # noqa: PLC0415
    from models.tracking.evaluation import EvaluationRun, log_evaluation  # noqa: PLC0415  MLflow takes 4 s
    from models.tracking.recording import DataSet  # noqa: PLC0415

    asked = DataSet(found.name, examples_digest(examples), pd.DataFrame([asdict(one) for one in examples]))
    for one in found.choice.standings:
        marks = {
            name: str(one.system == who).lower()
            for name, who in (("best", found.choice.best), ("chosen", found.choice.chosen))
        }
        log_evaluation(
            EvaluationRun(
                kind="intent systems",
                name=one.system,
                metrics={
                    **figures(one.metrics),
                    "macro_f1.low": one.macro_f1.low,
                    "macro_f1.high": one.macro_f1.high,
                    "p": one.p,
                },
                params={
                    "labels": found.name,
                    "questions": str(found.questions),
                    "parts": str(found.parts),
                    "rounds": str(found.rounds),
                    **{f"made_of.{k}": v for k, v in made_of.items()},
                },
                tags={f"coteach.{name}": value for name, value in marks.items()},
                data_sets=[asked],
            ),
            data_dir=data_dir,
        )
