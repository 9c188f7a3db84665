"""Several embedders as one: each text by the one of its language; published, opened and told apart."""

import json
from pathlib import Path

import numpy as np
import pytest
from tiny_embedder import write_tiny_embedder

from models.embedding.by_language import ByLanguage
from models.embedding.exporting import CENTRE
from models.embedding.onnx_embedder import OnnxEmbedder
from models.embedding.published import EmbedderSource, open_embedder, publish_embedder
from models.versions import ModelBroken, current_folder

TEXTS = ["a heap", "什么是堆？", "the exam date", "堆和栈"]


def pair(folder: Path) -> EmbedderSource:
    """A model for English with another for Chinese beside it."""
    english, chinese = (write_tiny_embedder(folder / lang, seed=seed) for lang, seed in (("en", 3), ("zh", 4)))
    return EmbedderSource(str(english), ("en",), beside=(EmbedderSource(str(chinese), ("zh",)),))


def test_each_text_is_embedded_by_the_model_of_its_language(tmp_path: Path) -> None:
    card = publish_embedder(pair(tmp_path), tmp_path / "published")
    found = open_embedder(tmp_path / "published")
    version = current_folder(tmp_path / "published", what="embedder", remedy="")
    assert isinstance(found, ByLanguage)
    assert (card.kind, found.languages, found.name) == ("by_language", ("en", "zh"), card.name)
    english, chinese = OnnxEmbedder(version / "en"), OnnxEmbedder(version / "zh")
    expected = np.concatenate([(chinese if place % 2 else english).encode([text]) for place, text in enumerate(TEXTS)])
    np.testing.assert_allclose(found.encode(TEXTS), expected, atol=1e-6)
    np.testing.assert_allclose(found.encode(["die Prüfung"]), english.encode(["die Prüfung"]))
    assert found.encode([]).shape == (0, 16)


def test_texts_of_any_language_are_embedded_by_the_model_that_is_named(tmp_path: Path) -> None:
    publish_embedder(pair(tmp_path), tmp_path / "published")
    found = open_embedder(tmp_path / "published")
    assert isinstance(found, ByLanguage)
    chinese = OnnxEmbedder(current_folder(tmp_path / "published", what="embedder", remedy="") / "zh")
    np.testing.assert_allclose(found.encode_by("zh", TEXTS), chinese.encode(TEXTS))
    with pytest.raises(ValueError, match="none of the embedders knows 'fr'"):
        found.encode_by("fr", TEXTS)


def test_a_model_beside_that_is_not_there_is_done_without(tmp_path: Path) -> None:
    alone = EmbedderSource(str(write_tiny_embedder(tmp_path / "en")), ("en",))
    missing = EmbedderSource(alone.location, ("en",), beside=(EmbedderSource(str(tmp_path / "none"), ("zh",)),))
    assert publish_embedder(missing, tmp_path / "published").languages == missing.all_languages == ("en",)
    assert missing.version() == alone.version()
    assert pair(tmp_path).version() != alone.version()
    assert pair(tmp_path).all_languages == ("en", "zh")


def test_models_of_different_dimensions_are_refused(tmp_path: Path) -> None:
    other = write_tiny_embedder(tmp_path / "zh", dimension=8)
    english = write_tiny_embedder(tmp_path / "en")
    source = EmbedderSource(str(english), ("en",), beside=(EmbedderSource(str(other), ("zh",)),))
    with pytest.raises(ModelBroken, match=r"one dimension; these have \[8, 16\]"):
        publish_embedder(source, tmp_path / "published")
    assert not (tmp_path / "published" / "CURRENT").exists()


def test_what_all_texts_share_is_taken_from_the_vectors(tmp_path: Path) -> None:
    folder = write_tiny_embedder(tmp_path / "tiny")
    publish_embedder(EmbedderSource(str(folder), ("en",)), tmp_path / "plain")
    plain = open_embedder(tmp_path / "plain").encode(["a heap", "the exam"])
    centre = plain.mean(0)
    (folder / CENTRE).write_text(json.dumps([float(number) for number in centre]))
    publish_embedder(EmbedderSource(str(folder), ("en",)), tmp_path / "centred")
    found = open_embedder(tmp_path / "centred").encode(["a heap", "the exam"])
    expected = plain - centre
    np.testing.assert_allclose(found, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-5)


@pytest.mark.parametrize("centre", ["[1.0, 2.0]", '{"a": 1}'])
def test_a_centre_of_another_size_is_refused(tmp_path: Path, centre: str) -> None:
    folder = write_tiny_embedder(tmp_path / "tiny")
    (folder / CENTRE).write_text(centre)
    with pytest.raises(ModelBroken, match=r"centre\.json is no list of 16 numbers"):
        publish_embedder(EmbedderSource(str(folder), ("en",)), tmp_path / "published")
