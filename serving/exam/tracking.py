"""`log_exam`, `log_ablation`: an exam, and an ablation by its marks, as runs in MLflow."""

import json
from dataclasses import asdict

from knowledge_graph.lake.home import DataDir
from models.tracking.evaluation import EvaluationRun, log_evaluation
from models.tracking.recording import TrackedRun
from serving.exam.ablation import TeachAblation, figures_of
from serving.exam.admission import Admission
from serving.exam.examiner import figures


def log_exam(admission: Admission, *, data_dir: DataDir) -> TrackedRun:
    """Log a result in the experiment `models`; runs of several models stand side by side there."""
    kinds = [f"{one.lang} {one.kind}" for one in admission.standings if one.is_admitted]
    return log_evaluation(
        EvaluationRun(
            "models",
            admission.model,
            dict(figures(admission)),
            params={"model": admission.model, "key": admission.key, "admitted": ", ".join(kinds) or "none"},
            texts={"exam.json": json.dumps(asdict(admission), ensure_ascii=False, indent=1)},
        ),
        data_dir=data_dir,
    )


def log_ablation(ablation: TeachAblation, *, data_dir: DataDir) -> TrackedRun:
    """Log what each part of the Chain of Teach is worth to a model, in the same experiment."""
    return log_evaluation(
        EvaluationRun(
            "models",
            f"Chain of Teach ablation: {ablation.model}",
            dict(figures_of(ablation)),
            params={"model": ablation.model},
            texts={"ablation.json": json.dumps(asdict(ablation), ensure_ascii=False, indent=1)},
        ),
        data_dir=data_dir,
    )
