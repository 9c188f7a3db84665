"""What searching by meaning takes: the embedder for questions and the vectors of the entries, opened together or not.

How they are used is `serving.retrieval`'s.
"""

import structlog

from knowledge_graph.home import DataDir
from models.embedding.embedder import REMEDY, Embedder, read_card
from models.embedding.published import open_embedder
from models.versions import ModelError, current_folder
from serving.index.dense import DenseIndex, VectorsMissing, VectorsUnfit
from serving.settings import Settings

log = structlog.get_logger(__name__)

Dense = tuple[DenseIndex, Embedder]


def open_dense(data_dir: DataDir, settings: Settings, *, last: Dense | None = None) -> Dense | None:
    """The vectors of the home with the embedder that made them; `None`, and a line in the log, when it has not both.

    The embedder of `last` is used again when it is the same one: it is 90 MB. While a build replaces the embedder its
    vectors do not fit yet, and `last` stays.
    """
    try:
        embedder = _open_embedder(data_dir, settings, last=last)
        index = DenseIndex.open(data_dir.embeddings, model=embedder.name, dimension=embedder.dimension)
    except VectorsUnfit as error:
        log.warning("dense_search_not_used", reason=str(error), instead="the last one" if last else "words alone")
        return last
    except (ModelError, VectorsMissing) as error:
        log.warning("dense_search_not_used", reason=str(error), instead="words alone")
        return None
    log.info("dense_search_opened", model=embedder.name, languages=embedder.languages, **index.counts())
    return index, embedder


def _open_embedder(data_dir: DataDir, settings: Settings, *, last: Dense | None) -> Embedder:
    if last is not None:
        card = read_card(current_folder(data_dir.embedder, what="embedder", remedy=REMEDY))
        if (card.name, card.languages) == (last[1].name, last[1].languages):
            return last[1]
    return open_embedder(data_dir.embedder, api_key=settings.embedder_key)
