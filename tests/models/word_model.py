"""An intent model of a few words, in the form serving opens: what a question's words weigh is in sight."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers

from models.intent.labels.categories import CATEGORIES, Category

WEIGHTS: dict[str, tuple[Category, float]] = {
    "what": ("simple", 3.0),
    "why": ("complex", 3.0),
    "hello": ("general_chat", 4.0),
    "sad": ("emotional_chat", 4.0),
}
"""Words it knows: each adds its weight to the logit of a category."""

_SPECIAL = ("[PAD]", "[CLS]", "[SEP]", "[UNK]")


def write_word_model(folder: Path) -> Path:
    """Write the model and return its folder."""
    folder.mkdir(parents=True)
    words = _words()
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    labels = {"categories": list(CATEGORIES), "cls_id": 1, "sep_id": 2, "pad_id": 0, "max_length": 32}
    (folder / "labels.json").write_text(json.dumps(labels))
    (folder / "thresholds.json").write_text(json.dumps({"alpha": 0.5, "rule": "", "questions": 0}))
    write_network(folder / "model.onnx", WEIGHTS)
    return folder


def write_network(path: Path, weights: Mapping[str, tuple[Category, float]]) -> None:
    """Write another network for the same tokenizer: `weights` of some of the words of `WEIGHTS`."""
    words = _words()
    table = np.zeros((len(words), len(CATEGORIES)), np.float32)
    for word, (category, weight) in weights.items():
        table[words.index(word), CATEGORIES.index(category)] = weight
    onnx.save(_sum_of_words(table), str(path))


def _words() -> list[str]:
    return [*_SPECIAL, *WEIGHTS]


def _sum_of_words(table: np.ndarray) -> onnx.ModelProto:
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["questions", "tokens"]) for name in names]
    output = helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["questions", len(CATEGORIES)])
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["weights"], axis=0),
        helper.make_node("ReduceSum", ["weights", "tokens_axis"], ["logits"], keepdims=0),
        helper.make_node("Softmax", ["logits"], ["probabilities"], axis=-1),
    ]
    constants = [
        numpy_helper.from_array(table, "table"),
        numpy_helper.from_array(np.array([1], np.int64), "tokens_axis"),
    ]
    graph = helper.make_graph(nodes, "words", inputs, [output], initializer=constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
