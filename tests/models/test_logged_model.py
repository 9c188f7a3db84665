"""How a model gets into MLflow."""

import os
from pathlib import Path

import mlflow
import pytest
from mlflow.environment_variables import MLFLOW_RECORD_ENV_VARS_IN_MODEL_LOGGING
from mlflow.utils.model_utils import env_var_tracker

from models.tracking.recording import RunContent
from models.tracking.runs import IntentRun, _log_model


class Logged(Exception):
    """So far as is needed."""


def test_what_other_threads_read_of_the_environment_is_not_collected_while_a_model_is_logged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """MLflow sorts what was read while its own monitor may read more: a training failed of it."""
    read = list[set[str]]()

    def log_model(**_: object) -> None:
        with env_var_tracker() as names:
            os.environ.get("PATH")
            read.append(set(names))
        raise Logged

    assert mlflow.pyfunc.log_model  # which loads it: `mlflow.pyfunc` is filled in when it is first used
    monkeypatch.setattr(mlflow.pyfunc, "log_model", log_model)
    monkeypatch.setenv(MLFLOW_RECORD_ENV_VARS_IN_MODEL_LOGGING.name, "true")
    run = IntentRun("one", RunContent({}, {}, {}), ("chat",), Path(), Path("loader.py"), (), "")
    with pytest.raises(Logged):
        _log_model(run)
    assert read == [set()]
