"""An index of vectors that has none, for tests of what is done with words alone."""

from collections.abc import Sequence

from models.embedding.embedder import Tokens
from serving.index.engine import NearestNeighbours, Vector
from serving.index.schema import VectorKind


class NoVectors(NearestNeighbours):
    """Nothing is near to anything."""

    def search(self, vector: Vector, **scope: object) -> list[tuple[str, float]]:
        return []

    def vectors(self, ids: Sequence[str], kind: VectorKind) -> dict[str, Vector]:
        return {}

    def cosines(self, vector: Vector, ids: Sequence[str], kind: VectorKind) -> dict[str, float]:
        return {}

    def token_cosines(self, tokens: Tokens, ids: Sequence[str], kind: VectorKind) -> dict[str, Vector]:
        return {}
