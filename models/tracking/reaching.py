"""A server of MLflow that is away or refuses, told in words, within a bounded time.

MLflow's own client tries again for minutes, and what it raises names neither the setting nor what to do.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from knowledge_graph.lake.problems import CoteachError
from models.tracking.place import SETTING, MlflowPlace

_PATIENCE_S = 10
"""That a server has for its first answer."""
_BOUNDS = {"MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2", "MLFLOW_HTTP_REQUEST_TIMEOUT": "60", "AWS_MAX_ATTEMPTS": "2"}
"""What MLflow and its clients of object stores read; whoever sets them otherwise has it so."""
_CLIENTS = frozenset(("mlflow", "requests", "urllib3", "botocore", "boto3", "google", "azure"))
"""Packages whose errors are of the server, or of where its files are."""
_QUERY = re.compile(r"\?[^\s'\")]+")
"""Of an address: a signed one has its signature there."""
_CAUSE = re.compile(r"\(Caused by (.*)\)")
_WRAPPED = re.compile(r"^.*[)>]: |^\w+\(['\"]?")
"""What stands before the reason itself: the names of errors, and the connection."""
_REASON = 300
"""Characters of what a library says."""


class MlflowUnusable(CoteachError):
    """The server of MLflow that is set cannot be reached, or refuses."""


@contextmanager
def reaching(place: MlflowPlace) -> Iterator[None]:
    """Let what a server, or the store of its files, does not do end as `MlflowUnusable`. In a home nothing changes."""
    try:
        yield
    except Exception as error:
        if place.server is None or not _is_of_a_client(error):
            raise
        raise MlflowUnusable(
            f"The MLflow server of {SETTING}, {place.server}, cannot be used: {describe_failure(error)}. See that it "
            "runs, that this machine reaches it and the store of its files, and that MLFLOW_TRACKING_… and AWS_… hold "
            "the right login; then run the same again. What was built is kept, and answers students meanwhile."
        ) from error


def require_server(place: MlflowPlace) -> None:
    """Raise within seconds where a server does not answer or refuses, before anything is begun for it."""
    if place.server is None:
        return
    from mlflow.utils.credentials import get_default_host_creds  # noqa: PLC0415  4 s
    from mlflow.utils.rest_utils import http_request_safe  # noqa: PLC0415

    for name, bound in _BOUNDS.items():
        os.environ.setdefault(name, bound)
    creds = get_default_host_creds(place.server)  # type: ignore[no-untyped-call]
    path, asked = "/api/2.0/mlflow/experiments/search", {"max_results": 1}
    http_request_safe(  # type: ignore[no-untyped-call]
        creds, path, "POST", json=asked, timeout=_PATIENCE_S, max_retries=1
    )


def describe_failure(error: BaseException) -> str:
    """What a library said, as short as it allows, without what an address has behind a question mark."""
    said = " ".join(_QUERY.sub("", str(error)).split())
    if cause := _CAUSE.search(said):
        said = _WRAPPED.sub("", cause[1]).rstrip("'\")")
    return said[:_REASON].rstrip(" .:") or type(error).__name__


def _is_of_a_client(error: Exception) -> bool:
    missing = isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in _CLIENTS
    return missing or any(kind.__module__.partition(".")[0] in _CLIENTS for kind in type(error).__mro__)
