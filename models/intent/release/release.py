"""From labelled questions to a released intent model: train, compare, fit once more on all, export, decide, track.

Putting it in use is a step of its own (champion.py), after the checks on what is decided here.
"""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from knowledge_graph.lake.home import DataDir
from models.albert import Encoder
from models.embedding.embedder import Embedder
from models.intent.labels.examples import IntentExample
from models.intent.question_vectors import QuestionVectors, embed_questions
from models.intent.release.champion import Challenger, contest, write_challenger
from models.intent.release.mlflow_package import pack_network, share_embedder
from models.intent.release.promotion import PromotionDecision, compare
from models.intent.release.runs import intent_run
from models.intent.release.seen_questions import write_seen
from models.intent.release.test_sets import version_test_set
from models.intent.scope import IntentScope
from models.intent.settings import IntentSettings
from models.intent.training.baselines import Linear
from models.intent.training.calibration_files import calibrate_version, predict_calibrated
from models.intent.training.candidate import (
    JudgedModel,
    TrainedCandidate,
    card,
    examples_digest,
    judge_ablation,
    judge_all,
    judge_calibrated,
    judge_rehearsal,
    part,
)
from models.intent.training.exporting import Thresholds, export
from models.intent.training.refitting import refit, rehearse
from models.intent.training.search import ablate, best_of, search
from models.kept_trainings import KeptTrainings
from models.progress import OnProgress, TrainingProgress, ignore_progress
from models.statistics.metrics import IntentMetrics
from models.statistics.paired import LEVEL
from models.tracking.recording import open_run
from models.tracking.runs import INTENT_EXPERIMENT, TrackedModel, finish_training
from models.versions import publish, staging

ALPHA_RULE = "best chit-chat F1 on the validation questions; ties go to the alpha nearest 0.5"

_SAMPLE = 64
"""Questions on which ONNX is compared with PyTorch."""


@dataclass(frozen=True)
class TrainingPlan:
    """How many trainings one release takes."""

    search: int = 1
    """Settings to try, the best on the validation questions is taken; 1 tries none but those given."""
    ablation: bool = True
    """Train once more without previous turn and course, to see what they are worth. On the sample questions that took
    0.6 times as long as the model itself: the inputs are shorter."""


@dataclass(frozen=True)
class IntentReport:
    """What came out of one training; the metrics are those of the held-out training on the `test` questions."""

    version: str
    """Published, not in use."""
    decision: PromotionDecision
    """Whether it is to be put in use."""
    albert: IntentMetrics
    calibrated: IntentMetrics
    """The same as it serves, with temperature and thresholds."""
    bag: IntentMetrics
    linear: IntentMetrics
    majority: IntentMetrics
    rehearsal: IntentMetrics | None
    """Of the refit, as far as it can be judged: taught without the test questions. None where nothing is refitted."""
    without_context: IntentMetrics | None
    """None when the ablation was not wanted."""
    chosen: str
    """The name of the settings, of those searched."""
    alpha: float
    best_epoch: int
    epochs: int
    onnx_difference: float
    refitted: bool
    """Whether what would be served is a refit on all questions, of which there are no figures."""
    served: str
    """The same in words."""
    data_digest: str
    encoder: Encoder
    run: TrackedModel
    seconds: float
    was_kept: bool = False
    """Whether the same training was done before on this machine, and its result was taken."""


def train_intent(
    examples: Sequence[IntentExample],
    *,
    data_dir: DataDir,
    encoder: Encoder,
    settings: IntentSettings,
    plan: TrainingPlan | None = None,
    embedder: tuple[str, Embedder] | None = None,
    kept: KeptTrainings | None = None,
    on_progress: OnProgress = ignore_progress,
) -> IntentReport:
    """Train, compare on the held-out `test` questions, export, and record in MLflow as `challenger`.

    The run is open from the beginning, and failed when the training fails.

    What is to be served is fitted once more on all questions (refitting.py), unless the settings say otherwise, or the
    rehearsal of it, which the test questions judge, is worse than the judged network beyond chance.
    The version is published but not in use, and `challenger.json` says whether it is to be: `put_in_use` does it.
    `embedder` is the home's, with its published version (`open_local`): heads over its vectors are a part of the model,
    unless there are more labelled questions than the settings embed.
    Questions outside of the settings' languages and categories are left out.
    The networks are taken from `kept` where the same training was done before; contest and record are new each time.
    Raises `ValueError` when a split is empty or all training questions are of one category.
    """
    started = time.monotonic()
    examples = IntentScope.of(settings).among(examples)
    if not part(examples, "test"):
        raise ValueError("Comparing models needs test examples; found none. Add labelled questions, then split them.")
    if len({one.category for one in part(examples, "train")}) < 2:
        raise ValueError(
            "Training needs train examples of two categories; found fewer. Add labelled questions of others."
        )
    with open_run(INTENT_EXPERIMENT, "training", data_dir=data_dir) as live:

        def tell(progress: TrainingProgress) -> None:
            live.tell(progress)
            on_progress(progress)

        if not settings.embedding_share or len(examples) > settings.most_embedded:
            embedder = None
        plan = plan or TrainingPlan()
        candidate, was_kept = _train_or_take(examples, encoder, settings, plan, embedder, kept, tell)
        version, difference = _publish(candidate, data_dir)
        opened = None if embedder is None else embedder[1]
        calibrate_version(data_dir.intent / version, examples, embedder=opened)
        test = part(examples, "test")
        said = predict_calibrated(data_dir.intent / version, test, embedder=opened)
        calibrated = judge_calibrated(*said, examples)
        decision = contest(
            version,
            test,
            candidate.judged["linear"].probabilities,
            beats_majority=candidate.beats_majority,
            data_digest=examples_digest(examples),
            data_dir=data_dir,
            embedder=opened,
        )
        decision = replace(decision, test_set=version_test_set(examples, data_dir=data_dir))
        seconds = time.monotonic() - started
        with pack_network(data_dir.intent / version) as model:
            found = intent_run(
                candidate, calibrated, decision, onnx_difference=difference, seconds=seconds, model=model
            )
            run = finish_training(live, found)
        if run.files is not None:
            share_embedder(data_dir.intent / version, run.files)
    write_challenger(Challenger(decision, run.model_version, run.run_id, run.url_path), data_dir=data_dir)
    report = _report(candidate, calibrated, decision, difference, run, seconds=time.monotonic() - started)
    return replace(report, was_kept=was_kept)


def _train_or_take(
    examples: Sequence[IntentExample],
    encoder: Encoder,
    settings: IntentSettings,
    plan: TrainingPlan,
    embedder: tuple[str, Embedder] | None,
    kept: KeptTrainings | None,
    on_progress: OnProgress,
) -> tuple[TrainedCandidate, bool]:
    def train() -> TrainedCandidate:
        return _train(examples, encoder, settings, plan, embedder, on_progress)

    if kept is None or encoder.origin == "hub":  # what a hub's name stands for may change
        return train(), False
    inputs = {
        "examples": [asdict(example) for example in examples],
        "encoder": encoder.name,
        "settings": asdict(settings),
        "plan": asdict(plan),
        "embedder": None if embedder is None else [embedder[0], embedder[1].name],
    }
    candidate, was_kept = kept.get("intent", inputs, train, is_whole=_is_whole)
    return replace(candidate, encoder=encoder), was_kept


def _embed(
    examples: Sequence[IntentExample], embedder: tuple[str, Embedder] | None, on_progress: OnProgress
) -> QuestionVectors | None:
    if embedder is None:
        return None
    return embed_questions(
        [one.question for one in examples],
        embedder[1],
        version=embedder[0],
        tell=lambda done, total: on_progress(TrainingProgress("embedding", done, total, {})),
    )


def _is_whole(candidate: TrainedCandidate) -> bool:
    attempts = [*candidate.attempts, *([candidate.ablation] if candidate.ablation else [])]
    return not any(attempt.trained.stopped_by_time for attempt in attempts)


def _train(
    examples: Sequence[IntentExample],
    encoder: Encoder,
    settings: IntentSettings,
    plan: TrainingPlan,
    embedder: tuple[str, Embedder] | None,
    on_progress: OnProgress,
) -> TrainedCandidate:
    started = time.monotonic()
    vectors = _embed(examples, embedder, on_progress)
    on_progress(TrainingProgress("baseline", 0, 1, {}))
    linear = Linear(part(examples, "train"))  # first, so that its time counts: with 40,000 questions it takes a minute
    on_progress(TrainingProgress("baseline", 1, 1, {}))
    attempts = search(
        examples,
        encoder=encoder,
        settings=settings,
        size=plan.search,
        vectors=vectors,
        spent_s=time.monotonic() - started,
        on_progress=on_progress,
    )
    chosen = best_of(attempts)
    ablation = None
    if plan.ablation:
        ablation = ablate(examples, encoder=encoder, settings=chosen.settings, vectors=vectors, on_progress=on_progress)
    judged = judge_all(chosen, linear, examples)
    rehearsal = rehearse(
        examples,
        chosen.trained,
        encoder=encoder,
        settings=chosen.settings,
        vectors=vectors,
        on_progress=on_progress,
    )
    rehearsed = None if rehearsal is None else judge_rehearsal(rehearsal, judged["albert"], examples)
    worse = rehearsed is not None and is_worse(part(examples, "test"), rehearsed, judged["albert"])
    refitted = None
    if rehearsal is not None and not worse:
        refitted = refit(
            examples,
            chosen.trained,
            encoder=encoder,
            settings=chosen.settings,
            vectors=vectors,
            rehearsed_s=rehearsal.seconds,
            on_progress=on_progress,
        )
    return TrainedCandidate(
        examples=examples,
        encoder=encoder,
        attempts=attempts,
        chosen=chosen,
        refitted=refitted,
        rehearsed=rehearsed,
        rehearsal_worse=worse,
        judged=judged,
        ablation=ablation,
        ablated=None if ablation is None else judge_ablation(ablation, examples),
    )


def is_worse(test: Sequence[IntentExample], rehearsed: JudgedModel, judged: JudgedModel) -> bool:
    """Whether the rehearsed refit is worse than the judged model beyond chance: in accuracy, chat AUC or macro-F1."""
    labels = [one.category for one in test]
    found = compare(labels, rehearsed.probabilities, judged.probabilities, name="the judged model")
    return bool(found.worse_in) or found.macro_f1.p_worse <= LEVEL


def _publish(candidate: TrainedCandidate, data_dir: DataDir) -> tuple[str, float]:
    """Export to a version that is not in use; the version and how far ONNX is from PyTorch."""
    valid = part(candidate.examples, "valid")
    with staging(data_dir.intent) as staged:
        difference = export(
            candidate.chosen.trained,
            staged,
            refitted=candidate.refitted,
            sample=part(candidate.examples, "test")[:_SAMPLE],
            thresholds=Thresholds(candidate.judged["albert"].alpha, ALPHA_RULE, len(valid)),
            card=card(candidate),
        )
        write_seen(staged, candidate.examples, refitted=candidate.refitted is not None)
        return publish(data_dir.intent, staged, use=False), difference


def _report(
    candidate: TrainedCandidate,
    calibrated: JudgedModel,
    decision: PromotionDecision,
    difference: float,
    run: TrackedModel,
    *,
    seconds: float,
) -> IntentReport:
    trained = candidate.chosen.trained
    return IntentReport(
        version=decision.version,
        decision=decision,
        albert=candidate.judged["albert"].metrics,
        calibrated=calibrated.metrics,
        bag=candidate.judged["bag"].metrics,
        rehearsal=None if candidate.rehearsed is None else candidate.rehearsed.metrics,
        linear=candidate.judged["linear"].metrics,
        majority=candidate.judged["majority"].metrics,
        without_context=None if candidate.ablated is None else candidate.ablated.metrics,
        chosen=candidate.chosen.name,
        alpha=candidate.judged["albert"].alpha,
        best_epoch=trained.best_epoch,
        epochs=len(trained.history),
        onnx_difference=difference,
        refitted=candidate.refitted is not None,
        served=candidate.serving_note,
        data_digest=examples_digest(candidate.examples),
        encoder=candidate.encoder,
        run=run,
        seconds=seconds,
    )
