"""The intent model as `mlflow.pyfunc` loads it anywhere: numpy, ONNX Runtime, tokenizers, pandas, nothing of coteach.

MLflow packs this file with the model. It reads the folder that the gateway reads, and a test holds both to the same
answers.
"""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pandas as pd
from numpy.typing import NDArray
from tokenizers import Tokenizer

_LONGEST_TEXT, _CONTEXT_SHARE, _TINY, _AT_ONCE = 2000, 0.35, 1e-12, 64
_CHAT = ("general_chat", "emotional_chat")
_CJK = re.compile(r"[\u3400-\u9fff]")
_ENDS = {"up to 10": 10, "up to 20": 20, "up to 50": 50}


class IntentModel:
    """Column `question`, optionally `previous` and `course`; nulls count as empty."""

    def __init__(self, folder: Path) -> None:
        self._labels = _read(folder / "labels.json")
        self._thresholds = _read(folder / "thresholds.json")
        self._tokenizer = _tokenizer(folder)
        self._session = _session(folder)
        self._embedder = _Embedder(folder / "embedder") if self._labels.get("embedder") else None

    def predict(self, model_input: pd.DataFrame) -> pd.DataFrame:
        """A row for each question: `category`, `h`, whether that `is_chat`, `complex_score`, and a column for each
        category with its probability, after the temperature."""
        texts = model_input.reindex(columns=["previous", "course", "question"]).astype(object)
        turns = [tuple(map(str, row)) for row in texts.where(texts.notna(), "").itertuples(index=False)]
        categories = self._labels["categories"]
        scored = _temper(self._probabilities(turns), float(self._thresholds.get("temperature", 1.0)))
        found = pd.DataFrame(scored, columns=categories)
        chat = found[list(_CHAT)].sum(axis=1)
        found.insert(0, "category", [categories[number] for number in scored.argmax(axis=1)])
        found.insert(1, "h", chat)
        found.insert(2, "is_chat", chat > [self._alpha(question) for _, _, question in turns])
        found.insert(3, "complex_score", found["complex"])
        return found

    def _alpha(self, question: str) -> float:
        size = len(question.strip())
        length = next((name for name, end in _ENDS.items() if size <= end), "longer")
        return float(self._thresholds.get("by_length", {}).get(length, self._thresholds["alpha"]))

    def _probabilities(self, turns: list[Any]) -> NDArray[np.float64]:
        rows = [self._encode(*turn) for turn in turns]
        order = sorted(range(len(rows)), key=lambda place: len(rows[place][0]))
        found = np.zeros((len(rows), len(self._labels["categories"])))
        for start in range(0, len(order), _AT_ONCE):
            some = order[start : start + _AT_ONCE]
            given = self._pad([rows[place] for place in some])
            if self._embedder is not None:
                given |= self._embedder.batch([turns[place][2] for place in some])
            found[some] = self._session.run(["probabilities"], given)[0]
        return found

    def _encode(self, previous: str, course: str, question: str) -> tuple[list[int], list[int]]:
        title = course[:_LONGEST_TEXT] if self._labels.get("reads_course", True) else ""
        before = previous[-_LONGEST_TEXT:] if self._labels.get("reads_previous", True) else ""
        context = self._ids(", ".join(text for text in (before, title) if text))
        asked, room = self._ids(question[:_LONGEST_TEXT]), int(self._labels["max_length"]) - 3
        asked = asked[: room - min(len(context), int(room * _CONTEXT_SHARE))]
        kept = room - len(asked)
        context = context[-kept:] if kept else []
        first, end = int(self._labels["cls_id"]), int(self._labels["sep_id"])
        return [first, *context, end, *asked, end], [0] * (len(context) + 2) + [1] * (len(asked) + 1)

    def _ids(self, text: str) -> list[int]:
        whole = text.encode("utf-8", "replace").decode()
        ids: list[int] = self._tokenizer.encode(whole, add_special_tokens=False).ids
        return ids

    def _pad(self, rows: list[tuple[list[int], list[int]]]) -> dict[str, NDArray[Any]]:
        shape = (len(rows), max(len(ids) for ids, _ in rows))
        found: dict[str, NDArray[Any]] = {
            name: np.zeros(shape, np.int64) for name in ("attention_mask", "token_type_ids")
        }
        found["input_ids"] = np.full(shape, int(self._labels["pad_id"]), np.int64)
        for number, (ids, segments) in enumerate(rows):
            found["input_ids"][number, : len(ids)] = ids
            found["attention_mask"][number, : len(ids)] = 1
            found["token_type_ids"][number, : len(ids)] = segments
        return found


class _Embedder:
    """Sentence embeddings, each language by the model that was trained for it; one text after the other, since padding
    changes the last digits of a vector."""

    def __init__(self, folder: Path) -> None:
        card = _read(folder / "card.json")
        places = [folder / part for part in card.get("parts", ())] or [folder]
        self._dimension, self._languages = int(card["dimension"]), list(card["languages"])
        self._models: dict[str, tuple[Tokenizer, Any]] = {}
        for place in places:
            own = _read(place / "card.json")
            model = _tokenizer(place, own["max_tokens"]), _session(place)
            for lang in own["languages"]:
                self._models.setdefault(lang, model)

    def batch(self, questions: list[str]) -> dict[str, NDArray[Any]]:
        vectors = np.zeros((len(questions), self._dimension), np.float32)
        places = np.zeros(len(questions), np.int64)
        for number, question in enumerate(questions):
            text = question[:_LONGEST_TEXT].encode("utf-8", "replace").decode()
            lang = "zh" if len(_CJK.findall(text)) * 10 > len(text) else "en"
            if lang in self._models:
                places[number] = 1 + self._languages.index(lang)
                vectors[number] = self._vector(lang, text)
        return {"vectors": vectors, "vector_language": places}

    def _vector(self, lang: str, text: str) -> NDArray[np.float32]:
        tokenizer, session = self._models[lang]
        ids = np.array([tokenizer.encode(text).ids], np.int64)
        (found,) = session.run(["vectors"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        vector: NDArray[np.float32] = found[0]
        return vector


def _tokenizer(folder: Path, max_tokens: int | None = None) -> Tokenizer:
    found = Tokenizer.from_file(str(folder / "tokenizer.json"))
    found.no_padding()
    found.no_truncation()
    if max_tokens is not None:
        found.enable_truncation(max_tokens)
    return found


def _session(folder: Path) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])


def _temper(probabilities: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    if temperature == 1.0:
        return probabilities
    logits = np.log(np.maximum(probabilities, _TINY)) / temperature
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    scaled: NDArray[np.float64] = raised / raised.sum(axis=1, keepdims=True)
    return scaled


def _read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def _load_pyfunc(data_path: str) -> IntentModel:
    return IntentModel(Path(data_path))
