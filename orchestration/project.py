"""The place of the checkout and the files commands need from it; an installed package has none."""

from pathlib import Path

from knowledge_graph.lake.problems import CoteachError
from serving.settings import ModelServerSettings

PROJECT = Path(__file__).resolve().parents[1]


class ModelFolderMissing(CoteachError):
    """The folder of the model to serve does not exist."""


def model_folder(chosen: ModelServerSettings) -> str:
    """The folder or hub id of the model that coteach would serve. Raises `ModelFolderMissing`."""
    model = chosen.llm
    if not model.startswith((".", "/")):
        return model
    folder = (PROJECT / model) if model.startswith(".") else Path(model)
    if not (folder / "config.json").exists():
        raise ModelFolderMissing(f"No model in {folder}. Run `make setup`, or name another with COTEACH_LLM.")
    return str(folder)
