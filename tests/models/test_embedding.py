"""Export and use of an embedding model that runs here: a tiny one with random weights, and the real one (slow)."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny_embedder import write_json, write_tiny_embedder
from transformers import AutoModel, AutoTokenizer

from models.embedding import token_basis
from models.embedding.embedder import TOKEN_LENGTH, EmbedderCard, read_card, unit_rows, write_card
from models.embedding.exporting import TOLERANCE, ExportReport, export_embedder
from models.embedding.onnx_embedder import OnnxEmbedder
from models.embedding.published import EmbedderSource, open_embedder, publish_embedder
from models.embedding.token_basis import BASIS, main_directions, token_vectors
from models.versions import ModelBroken, ModelMissing

MINILM = Path(__file__).parents[2] / ".cache" / "models" / "all-minilm-l6-v2"

TEXTS = ("how do i install ?", "", "a heap", "the exam date is on monday " * 20, "installation steps")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_embedder(tmp_path_factory.mktemp("source") / "Tiny-Model")


@pytest.fixture(scope="module")
def exported(source: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ExportReport]:
    folder = tmp_path_factory.mktemp("home") / "embedding"
    return folder, export_embedder(str(source), folder, languages=("en",))


def by_torch(source: Path, text: str, *, pooling: str = "mean") -> np.ndarray:
    """The vector of one text, worked out by PyTorch alone and without padding."""
    network = AutoModel.from_pretrained(source).eval()
    tokenizer = AutoTokenizer.from_pretrained(source)
    with torch.no_grad():
        states = network(**tokenizer(text, truncation=True, max_length=32, return_tensors="pt")).last_hidden_state[0]
    found = states.mean(0) if pooling == "mean" else states[0]
    return (found / found.norm()).numpy()


def test_an_exported_model_answers_as_pytorch_does(source: Path, exported: tuple[Path, ExportReport]) -> None:
    found = OnnxEmbedder.open(exported[0]).encode(TEXTS)
    assert exported[1].difference < TOLERANCE
    for text, vector in zip(TEXTS, found, strict=True):
        np.testing.assert_allclose(vector, by_torch(source, text), atol=TOLERANCE)


def test_a_model_that_pools_by_its_first_token_is_exported_so(tmp_path: Path) -> None:
    source = write_tiny_embedder(tmp_path / "first", pooling="cls_token")
    export_embedder(str(source), tmp_path / "home", languages=("en",))
    (found,) = OnnxEmbedder.open(tmp_path / "home").encode(["a heap"])
    np.testing.assert_allclose(found, by_torch(source, "a heap", pooling="cls"), atol=TOLERANCE)


def test_vectors_come_in_the_order_of_the_texts_whatever_their_lengths(exported: tuple[Path, ExportReport]) -> None:
    embedder = OnnxEmbedder.open(exported[0])
    texts = [f"{'a heap ' * (place * 7 % 11)}tree" for place in range(40)]
    together = embedder.encode(texts)
    alone = np.concatenate([embedder.encode([text]) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    assert together.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-5)


def test_the_vector_of_one_text_is_remembered_and_cannot_be_changed(exported: tuple[Path, ExportReport]) -> None:
    embedder = OnnxEmbedder.open(exported[0])
    first = embedder.encode(["a heap"])
    assert embedder.encode(["a heap"]) is first
    with pytest.raises(ValueError, match="read-only"):
        first[0, 0] = 1.0


def test_tokens_are_those_of_pytorch_along_the_directions_without_special_ones(tmp_path: Path) -> None:
    source = write_tiny_embedder(tmp_path / "model")
    short = [text for text in TEXTS if len(text) < 100]
    plain = token_vectors(str(source), short)
    np.save(source / BASIS, main_directions(plain, 5))
    export_embedder(str(source), tmp_path / "home", languages=("en",))
    embedder = OnnxEmbedder.open(tmp_path / "home")
    vectors, tokens = embedder.encode_with_tokens(short)
    np.testing.assert_array_equal(vectors, embedder.encode(short))
    mean, *directions = main_directions(plain, 5)
    along = (plain - mean) @ np.array(directions).T
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    assert embedder.token_dimension == 5
    np.testing.assert_allclose(np.concatenate(tokens), along * TOKEN_LENGTH, atol=0.51)
    one, (alone,) = embedder.encode_with_tokens(short[:1])
    assert np.abs(alone.astype(int) - tokens[0]).max() <= 1
    assert not one.flags.writeable
    assert not alone.flags.writeable


def test_directions_are_those_along_which_vectors_differ_most() -> None:
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(500, 4)) * [0.1, 3.0, 0.2, 1.0] + [0.0, 0.0, 5.0, 0.0]
    mean, first, second = main_directions(vectors, 2)
    np.testing.assert_allclose(mean, [0, 0, 5, 0], atol=0.4)
    np.testing.assert_allclose(first, [0, 1, 0, 0], atol=0.1)
    np.testing.assert_allclose(second, [0, 0, 0, 1], atol=0.1)


def test_a_basis_of_another_size_is_refused(tmp_path: Path) -> None:
    source = write_tiny_embedder(tmp_path / "model")
    np.save(source / BASIS, np.ones((3, 7), dtype=np.float32))
    with pytest.raises(ModelBroken, match=r"token_basis.npy is \(3, 7\), expected"):
        export_embedder(str(source), tmp_path / "home", languages=("en",))


def test_a_basis_is_learnt_from_subtitles_and_a_folder_without_any_is_named(tmp_path: Path) -> None:
    source, said = write_tiny_embedder(tmp_path / "model"), tmp_path / "said"
    said.mkdir()
    with pytest.raises(SystemExit, match="has no subtitles"):
        token_basis.main(str(source), str(said))
    (said / "01.srt").write_text("1\n00:00:01,000 --> 00:00:04,000\nA heap is a tree. The exam is\n\n"
                                 "2\n00:00:04,000 --> 00:00:06,000\non Monday.\n")  # fmt: skip
    assert token_basis.read_sentences(said) == ["A heap is a tree.", "The exam is on Monday."]
    with pytest.MonkeyPatch.context() as small:
        small.setattr(token_basis, "DIMENSION", 3)
        token_basis.main(str(source), str(said))
    assert np.load(source / BASIS).shape == (4, 16)


def test_no_texts_give_no_vectors(exported: tuple[Path, ExportReport]) -> None:
    assert OnnxEmbedder.open(exported[0]).encode([]).shape == (0, 16)


def test_what_stands_after_the_longest_input_is_not_read(exported: tuple[Path, ExportReport]) -> None:
    first, second = OnnxEmbedder.open(exported[0]).encode(["a " * 30 + "heap", "a " * 30 + "tree"])
    np.testing.assert_array_equal(first, second)


def test_the_name_carries_a_digest_of_what_the_vectors_depend_on(source: Path, tmp_path: Path) -> None:
    same = export_embedder(str(source), tmp_path / "a", languages=("en",)).card
    again = export_embedder(str(source), tmp_path / "b", languages=("en",)).card
    other = write_tiny_embedder(tmp_path / "Tiny-Model", seed=4)
    third = export_embedder(str(other), tmp_path / "c", languages=("en",)).card
    assert same == again
    assert same.name.startswith("tiny-model@")
    assert len(same.name.partition("@")[2]) == 8
    assert third.name != same.name


def test_a_card_is_read_as_it_was_written(tmp_path: Path) -> None:
    card = EmbedderCard("http", "big@12345678", 1024, ("en", "zh"), url="http://localhost:1/v1", model="big")
    write_card(tmp_path, card)
    assert read_card(tmp_path) == card


@pytest.mark.parametrize("text", ["", "[]", '{"kind": "onnx"}', '{"languages": 3}'])
def test_a_card_of_something_else_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "card.json").write_text(text)
    with pytest.raises(ModelBroken, match=r"card\.json cannot be read.*embedder"):
        read_card(tmp_path)


def test_without_a_published_model_the_error_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"No embedder in .* Materialize `embedder`"):
        open_embedder(tmp_path)


def test_a_damaged_model_is_refused(exported: tuple[Path, ExportReport], tmp_path: Path) -> None:
    version = exported[0] / exported[1].version
    for name in ("card.json", "tokenizer.json", "model.onnx"):
        (tmp_path / name).write_bytes((version / name).read_bytes())
    (tmp_path / "model.onnx").write_bytes((version / "model.onnx").read_bytes()[:500])
    with pytest.raises(ModelBroken, match="not an ONNX model"):
        OnnxEmbedder(tmp_path)


def test_a_model_of_another_dimension_than_its_card_says_is_refused(
    exported: tuple[Path, ExportReport], tmp_path: Path
) -> None:
    version = exported[0] / exported[1].version
    for name in ("card.json", "tokenizer.json", "model.onnx"):
        (tmp_path / name).write_bytes((version / name).read_bytes())
    write_json(tmp_path / "card.json", json.loads((version / "card.json").read_text()) | {"dimension": 5})
    with pytest.raises(ModelBroken, match=r"\(1, 16\) numbers"):
        OnnxEmbedder(tmp_path)


def test_a_model_with_a_step_that_is_not_exported_is_refused(tmp_path: Path) -> None:
    source = write_tiny_embedder(tmp_path / "dense")
    write_json(source / "modules.json", [{"type": "sentence_transformers.models.Dense"}])
    with pytest.raises(ModelBroken, match=r"\['Dense'\]"):
        export_embedder(str(source), tmp_path / "home", languages=("en",))


def test_a_pooling_that_is_not_exported_is_refused(tmp_path: Path) -> None:
    source = write_tiny_embedder(tmp_path / "max", pooling="max_tokens")
    with pytest.raises(ModelBroken, match="pooling_mode_max_tokens"):
        export_embedder(str(source), tmp_path / "home", languages=("en",))


def test_a_folder_without_a_model_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelBroken, match="COTEACH_EMBEDDER"):
        export_embedder(str(tmp_path / "empty"), tmp_path / "home", languages=("en",))
    assert list((tmp_path / "home").iterdir()) == []


def test_a_source_that_is_not_there_is_missing_and_says_what_to_run(tmp_path: Path) -> None:
    source = EmbedderSource(str(tmp_path / "nothing"), ("en",))
    assert not source.is_there
    with pytest.raises(ModelMissing, match="make setup"):
        publish_embedder(source, tmp_path / "home")


def test_a_source_has_another_version_when_its_files_or_languages_change(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    before = EmbedderSource(str(tmp_path / "model"), ("en",)).version()
    (tmp_path / "model" / "config.json").write_text("{}")
    after = EmbedderSource(str(tmp_path / "model"), ("en",)).version()
    chinese = EmbedderSource(str(tmp_path / "model"), ("en", "zh")).version()
    assert len({before, after, chinese}) == 3


def test_publishing_opens_as_the_card_says(source: Path, tmp_path: Path) -> None:
    card = publish_embedder(EmbedderSource(str(source), ("en",)), tmp_path)
    opened = open_embedder(tmp_path)
    assert (opened.name, opened.dimension, opened.languages) == (card.name, 16, ("en",))


def test_using_an_embedder_loads_neither_torch_nor_transformers() -> None:
    code = (
        "import sys, models.embedding.published; sys.exit(bool({'torch', 'transformers', 'sklearn'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_rows_are_scaled_to_length_one_and_zeros_stay() -> None:
    found = unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    np.testing.assert_allclose(found, [[0.6, 0.8], [0.0, 0.0]], atol=1e-7)


@pytest.mark.slow
@pytest.mark.skipif(not MINILM.is_dir(), reason="`make setup` fetches the model")
def test_the_default_model_knows_what_questions_mean(tmp_path: Path) -> None:
    report = export_embedder(str(MINILM), tmp_path, languages=("en",))
    assert (report.card.dimension, report.card.max_tokens) == (384, 256)
    assert report.difference < TOLERANCE
    embedder = OnnxEmbedder.open(tmp_path)
    for question, near, far in (
        ("How do I install?", "installation steps", "exam date"),
        ("My laptop is too slow, may I rent a machine?", "Running it in the cloud", "Certificates"),
        ("Can I still hand in late?", "submission after the deadline", "how a heap is stored"),
    ):
        asked, close, distant = embedder.encode([question, near, far])
        assert asked @ close > asked @ distant + 0.1
