"""How MLflow loads a logged intent model (`mlflow.pyfunc`): a data frame of questions in, one of scores out."""

from dataclasses import asdict
from pathlib import Path

import pandas as pd

from models.intent.classifier import IntentClassifier


class IntentPyfunc:
    """Column `question`, optionally `previous` and `course`; nulls count as empty."""

    def __init__(self, classifier: IntentClassifier) -> None:
        self._classifier = classifier

    def predict(self, model_input: pd.DataFrame) -> pd.DataFrame:
        """Columns `category`, `h`, `complex_score` and one per category with its probability."""
        texts = model_input.reindex(columns=["previous", "course", "question"]).astype(object)
        texts = texts.where(texts.notna(), "")
        turns = [(str(previous), str(course), str(asked)) for previous, course, asked in texts.itertuples(index=False)]
        rows = [asdict(scores) for scores in self._classifier.classify_batch(turns)]
        return pd.DataFrame(
            [
                {"category": row["category"], "h": row["h"], "complex_score": row["complex"], **row["probabilities"]}
                for row in rows
            ]
        )


def _load_pyfunc(data_path: str) -> IntentPyfunc:
    return IntentPyfunc(IntentClassifier(Path(data_path)))
