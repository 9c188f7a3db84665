"""What `coteach model sweep` does and prints: settings of the intent model compared by cross-validation."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict

import pandas as pd
from rich.console import Console
from rich.table import Table

from assets.intent_examples import SPLIT_SEED, read_examples
from knowledge_graph.lake.home import DataDir
from models.albert import Encoder, resolve_encoder
from models.embedding.published import open_local
from models.intent.question_vectors import embed_questions
from models.intent.release.system_choice import SystemStanding
from models.intent.scope import IntentScope
from models.intent.settings import IntentSettings
from models.intent.settings_file import FILE, beside, read_intent_settings
from models.intent.training.candidate import examples_digest, figures
from models.intent.training.sweep import AS_SET, SweepResult, combinations, sweep
from models.progress import TrainingProgress
from models.tracking.recording import DataSet
from models.tracking.sweeps import open_sweep
from orchestration.resources import PipelineSettings, check_home, open_trainings

_KEPT = "intent sweeps"
_TELL_EVERY = 15.0
"""Seconds between two lines of progress. A choice."""


def sweep_settings(console: Console, asked: Sequence[str], *, parts: int, rounds: int, as_json: bool) -> int:
    """Try every combination of the values asked for; say which is best, and whether that is more than chance."""
    settings = PipelineSettings()
    data_dir, trainings = DataDir(check_home(settings)), open_trainings(settings)
    as_set = read_intent_settings(settings.labels)
    tried = combinations(as_set, asked)
    examples = [one for one in IntentScope.of(as_set).among(read_examples(data_dir)) if one.split != "test"]

    def encoder_of(own: IntentSettings) -> Encoder:
        return resolve_encoder(beside(settings.labels, own.encoder) or settings.albert, data_dir=data_dir)

    opened = open_local(data_dir.embedder)
    vectors = opened and embed_questions([one.question for one in examples], opened[1], version=opened[0])
    told = _Told(Console(stderr=True), len(tried) * parts * rounds)
    params: dict[str, str | int] = {
        "encoder": encoder_of(as_set).name,
        "embedder": "none" if opened is None else opened[1].name,
        "labels": examples_digest(examples),
        "parts": parts,
        "rounds": rounds,
        "questions": len(examples),
        "combinations": len(tried),
    }
    rows = pd.DataFrame([asdict(one) for one in examples])
    labels = DataSet("intent_examples", examples_digest(examples), rows, context="training", target="category")
    with open_sweep("; ".join(asked), params, labels, data_dir=data_dir) as run:
        found = sweep(
            examples,
            tried,
            encoder_of=encoder_of,
            vectors=vectors,
            folder=trainings.folder / _KEPT,
            seed=SPLIT_SEED,
            number=parts,
            rounds=rounds,
            tracked=run.track,
            reuse=trainings.reuse,
            on_progress=told,
        )
        tracked = run.finish(found, table=_markdown(found))
    if as_json:
        console.print_json(json.dumps({one.system: _figures(one) for one in found.choice.standings}))
        return 0
    console.print(_table(found))
    console.print(_advice(found), highlight=False, markup=False)
    page = f"{settings.mlflow_pages}/{tracked.url_path}"
    console.print(f"In MLflow: {page}", highlight=False, soft_wrap=True)
    return 0


class _Told:
    """A line of progress now and then."""

    def __init__(self, console: Console, trainings: int) -> None:
        self._console, self._trainings, self._done, self._last = console, trainings, 0, 0.0

    def __call__(self, progress: TrainingProgress) -> None:
        self._done += progress.phase == "cross-validation"
        now = time.monotonic()
        if now > self._last + _TELL_EVERY:
            self._last = now
            self._console.print(
                f"{self._done} of {self._trainings} trainings; {progress.phase} {progress.done} of {progress.total}",
                highlight=False,
            )


def _figures(one: SystemStanding) -> dict[str, float]:
    behind = {} if one.behind is None else {"behind": one.behind.macro_f1.value}
    return {**figures(one.metrics), "low": one.macro_f1.low, "high": one.macro_f1.high, **behind, "p": one.p}


def _cells(one: SystemStanding) -> tuple[str, ...]:
    found, apart = one.metrics, one.behind
    auc = "–" if found.chat_auc is None else f"{found.chat_auc:.3f}"
    behind = "best" if apart is None else f"{apart.macro_f1.value:+.3f}"
    f1 = f"{found.macro_f1:.3f} ({one.macro_f1.low:.3f} to {one.macro_f1.high:.3f})"
    return one.system, f1, auc, f"{found.ece:.3f}", behind, "–" if apart is None else f"{one.p:.3f}"


_COLUMNS = ("settings", "macro-F1 (95 %)", "chat AUC", "ECE", "the best is ahead by", "p")


def _table(found: SweepResult) -> Table:
    table = Table(*_COLUMNS)
    for one in found.choice.standings:
        table.add_row(*_cells(one))
    return table


def _markdown(found: SweepResult) -> str:
    rows = [_COLUMNS, ("---",) * len(_COLUMNS), *map(_cells, found.choice.standings)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + f"\n\n{_advice(found)}\n"


def _advice(found: SweepResult) -> str:
    """What follows: that nothing does, where the settings as they are are not shown to be worse than the best."""
    best, chosen = found.choice.best, found.choice.chosen
    asked = f"{found.questions:,} labelled questions, each asked of a model that learnt neither it nor its session"
    if best == AS_SET:
        return f"On {asked}, nothing was better than the settings as they are."
    if chosen == AS_SET:
        return f"On {asked}, the settings as they are are not shown to be worse than the best ({best})."
    needed = found.change(str(chosen)).replace("\n", "; ")
    return f"On {asked}, the settings as they are are worse than {best}. To take {chosen}, write into {FILE}: {needed}."
