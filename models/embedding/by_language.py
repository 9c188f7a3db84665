"""`ByLanguage`: several embedders as one, each for the texts of its languages."""

from collections.abc import Sequence

import numpy as np

from knowledge_graph.text.sentences import language_of
from models.embedding.embedder import TokenEmbedder, Tokens, Vectors


class ByLanguage:
    """Embeds a text with the first of `parts` that was trained for its language; with the first where none was.

    Vectors of texts in one language can be compared, those of two languages cannot: what asks for the nearest entries
    keeps to those of the question's language. Raises `ValueError` for parts whose vectors are of different dimensions.
    """

    def __init__(self, parts: Sequence[TokenEmbedder]) -> None:
        if len(dimensions := {part.dimension for part in parts}) != 1:
            raise ValueError(f"embedders of one home need vectors of one dimension; these have {sorted(dimensions)}")
        self._parts = tuple(parts)
        self.name = "+".join(part.name for part in parts)
        self.dimension = parts[0].dimension
        self.token_dimension = max(part.token_dimension for part in parts)
        self.languages = tuple(dict.fromkeys(lang for part in parts for lang in part.languages))

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The vectors of `texts`, in their order: (n, dimension), rows of unit length."""
        return self.encode_with_tokens(texts)[0]

    def encode_with_tokens(self, texts: Sequence[str]) -> tuple[Vectors, list[Tokens]]:
        """The vectors of `texts`, and the tokens of those whose model knows of tokens; see `TokenEmbedder`."""
        places: dict[int, list[int]] = {}
        for place, text in enumerate(texts):
            places.setdefault(self._part_of(text), []).append(place)
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        none = np.empty((0, self.token_dimension), dtype=np.int8)
        tokens: list[Tokens] = [none] * len(texts)
        for part, found in places.items():
            vectors[found], of_part = self._parts[part].encode_with_tokens([texts[place] for place in found])
            for place, each in zip(found, of_part, strict=True):
                tokens[place] = each if len(each) else none
        return vectors, tokens

    def encode_by(self, lang: str, texts: Sequence[str]) -> Vectors:
        """The vectors by the model for one language, whatever the texts are in: (n, dimension), rows of unit length.

        A multilingual one places texts of several languages beside each other. Raises `ValueError` for a language that
        no model was trained for.
        """
        part = next((one for one in self._parts if lang in one.languages), None)
        if part is None:
            raise ValueError(f"none of the embedders knows {lang!r}; they know {self.languages}")
        return part.encode(texts)

    def _part_of(self, text: str) -> int:
        lang = language_of(text)
        return next((number for number, part in enumerate(self._parts) if lang in part.languages), 0)
