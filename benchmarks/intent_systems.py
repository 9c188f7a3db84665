"""What serves the intent model beside baselines, cross-validated, on labels that this repository does not hold too.

    .venv/bin/python benchmarks/intent_systems.py labels=examples/labels vta=intents.csv --home data [--out FIGURES]

A set is a name with a file of labels, or a folder with `intents/*.csv`; LittleMu's public file (github.com/THU-KEG/VTA)
is read as it is. Encoder and embedder are the home's. It compares by the code of the asset `intent_systems`; without
`--all` it asks the linear baselines, ALBERT with its bag and the turn before, and the same with sentence embeddings,
which is what serves.

`docs/intent_systems.json`, which README and the page for ML engineers quote, is what `--rounds 2 --out
docs/intent_systems.json` wrote; a test compares them. What was said is kept (`COTEACH_TRAININGS`), so that a run that
was stopped goes on. With 2,791 and 1,228 questions, two rounds are 20 trainings.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.tables import digest, write_text_atomic
from knowledge_graph.sources.bounded_report import BoundedTold
from models.albert import Encoder, resolve_encoder
from models.embedding.embedder import Embedder
from models.embedding.published import open_embedder
from models.intent.labels.examples import IntentExample, make_labelled_examples
from models.intent.labels.files import read_label_file, read_label_files
from models.intent.release.cross_validated_choice import CrossValidationPlan, choose_by_cross_validation
from models.intent.release.system_choice import SystemChoice, SystemStanding, groups_of
from models.intent.settings import IntentSettings
from models.intent.training.candidate import figures
from models.intent.training.systems import EMBEDDINGS, LINEAR
from models.progress import TrainingProgress
from orchestration.resources import PipelineSettings, open_trainings

ASKED = (LINEAR, EMBEDDINGS, "ALBERT and bag, turn before")
_DIGITS = 4


def examples_of(path: Path) -> tuple[IntentExample, ...]:
    """The labelled questions of a file, or of a folder as `COTEACH_LABELS` names one."""
    read = read_label_files if path.is_dir() else read_label_file
    return make_labelled_examples(read(path, BoundedTold()).rows)


def measure(path: Path, *, encoder: Encoder, embedder: Embedder, plan: CrossValidationPlan) -> dict[str, Any]:
    """The figures of every system on one set, with the digest of its labels."""
    examples = examples_of(path)
    choice = choose_by_cross_validation(
        examples, encoder=encoder, embedder=embedder, settings=IntentSettings(), plan=plan, on_progress=_tell
    )
    return {
        "digest": digest(path),
        "questions": len(examples),
        "sessions": int(groups_of(examples).max()) + 1,
        "systems": {one.system: _figures(one, choice) for one in choice.standings},
    }


def _figures(one: SystemStanding, choice: SystemChoice) -> dict[str, Any]:
    ahead = None if one.ahead is None else one.ahead.macro_f1
    return {
        **{name: round(value, _DIGITS) for name, value in figures(one.metrics).items()},
        "macro_f1_between": [round(value, _DIGITS) for value in (one.macro_f1.low, one.macro_f1.high)],
        "ahead": None if ahead is None else [round(value, _DIGITS) for value in (ahead.value, ahead.low, ahead.high)],
        "p": round(one.p, _DIGITS),
        "by_the_rule": [word for word, who in (("best", choice.best), ("chosen", choice.chosen)) if who == one.system],
    }


def rows_of(found: Mapping[str, Any]) -> list[str]:
    """The table as Markdown, as documentation has it: a column for each set."""
    sets: Sequence[Mapping[str, Any]] = list(found["sets"].values())
    told = [f"{one['questions']:,} questions, {one['sessions']:,} sessions" for one in sets]
    lines = [f"| macro-F1 (95 %) · chit-chat AUC · F1 | {' | '.join(told)} |", f"|---|{'--:|' * len(sets)}"]
    for system in sets[0]["systems"]:
        lines.append(f"| {system} | {' | '.join(_cell(one['systems'][system]) for one in sets)} |")
    return lines


def _cell(one: Mapping[str, Any]) -> str:
    low, high = map(_short, one["macro_f1_between"])
    chosen = " · **chosen**" if "chosen" in one["by_the_rule"] else ""
    told = f"{_short(one['macro_f1'])} ({low} to {high}) · {_short(one['chat_auc'])} · {_short(one['chat_f1'])}{chosen}"
    return told if one["ahead"] is None else f"{told} · {ahead_of(one)}"


def ahead_of(one: Mapping[str, Any]) -> str:
    """How far a system is ahead of the linear baseline."""
    value, low, high = one["ahead"]
    return f"{value:+.3f} ({low:+.3f} to {high:+.3f})".replace("0.", ".")


def _short(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def _tell(progress: TrainingProgress) -> None:
    if progress.phase == "cross-validation":
        sys.stderr.write(f"{progress.done} of {progress.total}\n")


def main() -> int:
    """Print the table, and write the figures if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", help="name=path of a file or folder of labels")
    parser.add_argument("--home", type=Path, default=Path("data"))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="every system that the asset compares")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    home, kept = DataDir(asked.home), open_trainings(PipelineSettings())
    encoder, embedder = resolve_encoder(None, data_dir=home), open_embedder(home.embedder)
    plan = CrossValidationPlan(
        kept.folder / "intent systems", rounds=asked.rounds, reuse=kept.reuse, only=None if asked.all else ASKED
    )
    named = dict(one.split("=", 1) for one in asked.sets)
    found = {
        "made_by": "benchmarks/intent_systems.py",
        "encoder": encoder.name,
        "embedder": embedder.name,
        "parts": plan.parts,
        "rounds": plan.rounds,
        "sets": {
            name: measure(Path(path), encoder=encoder, embedder=embedder, plan=plan) for name, path in named.items()
        },
    }
    sys.stdout.write("\n".join(rows_of(found)) + "\n")
    if asked.out is not None:
        write_text_atomic(asked.out, json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
