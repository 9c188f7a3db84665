"""Stage `search_index`: the model that turns texts into vectors, as the gateway opens it.

torch and transformers are imported where a model is exported, for the reason that albert_pretrained.py gives.
"""

import dagster as dg

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.seals import POINTER
from models.embedding.published import publish_embedder
from models.versions import current_version
from orchestration.building.courses import EMBEDDER_SOURCE
from orchestration.partitions import HOME_POOL
from orchestration.reporting.tables import facts_of_files
from orchestration.resources import Inputs

_NONE = "none"


@dg.asset(
    deps=[EMBEDDER_SOURCE],
    group_name="search_index",
    kinds={"torch", "onnx"},
    owners=["team:ml"],
    pool=HOME_POOL,
    code_version="2",
)
def embedder(data_dir: dg.ResourceParam[DataDir], inputs: dg.ResourceParam[Inputs]) -> dg.MaterializeResult:
    """What embeds sentences, exported to ONNX: unless set all-MiniLM-L6-v2 for English and multilingual-e5-small for
    Chinese; or the card of a model behind a server."""
    if reason := why_none(inputs):
        return dg.MaterializeResult(metadata={"none_because": reason}, data_version=dg.DataVersion(_NONE))
    card = publish_embedder(inputs.embedder, data_dir.embedder, kept=inputs.trainings)
    version = current_version(data_dir.embedder) or _NONE
    return dg.MaterializeResult(
        metadata={
            **facts_of_files(data_dir.embedder / version, data_dir.embedder / POINTER),
            "model": card.name,
            "dimension": card.dimension,
            "languages": list(card.languages),
        },
        data_version=dg.DataVersion(version),
    )


def why_none(inputs: Inputs) -> str | None:
    """Why no text is to be embedded; None when it is. A model that a person named is never skipped."""
    if not inputs.embed_limit:
        return "COTEACH_EMBED_LIMIT is 0."
    if not inputs.embedder.is_chosen and not inputs.embedder.is_there:
        return inputs.embedder.missing
    return None


@dg.asset_check(asset=embedder)
def there_is_an_embedder(inputs: dg.ResourceParam[Inputs]) -> dg.AssetCheckResult:
    """Without one, texts are searched by their words alone: a warning, nothing else stops."""
    return make_check_result(inputs, why_none(inputs))


def make_check_result(inputs: Inputs, reason: str | None) -> dg.AssetCheckResult:
    """Passed when texts are embedded, or when a person wanted none to be."""
    return dg.AssetCheckResult(
        passed=reason is None or not inputs.embed_limit, severity=dg.AssetCheckSeverity.WARN, description=reason
    )
