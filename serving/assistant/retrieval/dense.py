"""What searching by meaning takes: the embedder for questions and the vectors of the entries, opened together or not.

How they are used is `lookup`'s; that a running gateway keeps the last ones, `serving.gateway.knowledge`'s.
"""

from knowledge_graph.lake.home import DataDir
from models.embedding.embedder import REMEDY, Embedder, read_card
from models.embedding.published import open_embedder
from models.versions import ModelError, current_folder
from serving.assistant.retrieval.lookup import Dense
from serving.index.dense import DenseIndex, VectorsMissing, VectorsUnfit
from serving.index.engine import NearestNeighbours
from serving.index.lance_vectors import POINTER, LanceVectors


def open_dense(
    data_dir: DataDir, *, api_key: str = "none", last: Dense | None = None, is_awaited: bool = False
) -> Dense:
    """The embedder of a home with its vectors; the embedder of `last` again when it is the same one: it is 90 MB.

    `is_awaited` when a student waits for what is embedded. Raises `ModelError` or `VectorsMissing` when the home has
    not both, `VectorsUnfit` when the vectors are another embedder's: they are never compared.
    """
    embedder = _same(data_dir, last.embedder) if last is not None else None
    if embedder is None:
        embedder = open_embedder(data_dir.embedder, api_key=api_key, is_awaited=is_awaited)
    return Dense(embedder, _open_vectors(data_dir, embedder))


def _open_vectors(data_dir: DataDir, embedder: Embedder) -> NearestNeighbours:
    """The vectors in memory, or where the index's pointer says that LanceDB has them."""
    if not (data_dir.index / POINTER).is_file():
        return DenseIndex.open(data_dir.embeddings, model=embedder.name, dimension=embedder.dimension)
    return LanceVectors.open(data_dir.index, model=embedder.name, dimension=embedder.dimension)


def find_dense(data_dir: DataDir) -> tuple[Dense | None, str]:
    """The same for one look at a home, or why there is nothing to compare meanings with."""
    try:
        return open_dense(data_dir), ""
    except (ModelError, VectorsMissing, VectorsUnfit) as error:
        return None, str(error)


def _same(data_dir: DataDir, last: Embedder) -> Embedder | None:
    card = read_card(current_folder(data_dir.embedder, what="embedder", remedy=REMEDY))
    return last if (card.name, card.languages) == (last.name, last.languages) else None
