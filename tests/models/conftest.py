"""The tiny model, trained once for all tests here."""

import pytest
from tiny_intent import Trained, train

from knowledge_graph.lake.home import DataDir


@pytest.fixture(scope="session")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    home = tmp_path_factory.mktemp("home")
    return Trained(DataDir(home), *train(home))
