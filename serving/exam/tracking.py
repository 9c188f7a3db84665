"""`log_exam`: an exam as a run in MLflow, with every mark and what failed."""

import json
from dataclasses import asdict

from knowledge_graph.lake.home import DataDir
from models.tracking.evaluation import EvaluationRun, log_evaluation
from models.tracking.runs import TrackedRun
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
