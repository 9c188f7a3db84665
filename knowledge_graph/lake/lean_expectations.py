"""Great Expectations, loaded in a quarter of the time that it takes: import it from here first.

It brings Altair to draw two distributions and SciPy's statistics to compare them, loaded here when a suite does so, and
clients of the stores of Amazon and Google, which it does without where they are not installed. Half of the rest is
copies: each of its 370 models takes over the fields of its parents, and pydantic copies all that hangs on them, half a
million objects, where a field and what a subclass sets on it do. `tests/test_lean_imports.py` holds that.
"""

import warnings
from collections.abc import Mapping
from copy import copy
from typing import Any

import pydantic.v1.main as models

from knowledge_graph.lean_imports import on_demand, without


def _fields(of_parent: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that a model takes over, for it to set its own configuration and validators on."""
    taken = {name: copy(field) for name, field in of_parent.items()}
    for field in taken.values():
        field.field_info, field.class_validators = copy(field.field_info), dict(field.class_validators)
    return taken


_whole = vars(models)["smart_deepcopy"]
vars(models)["smart_deepcopy"] = _fields
try:
    with (
        on_demand("altair", "scipy.stats"),
        without("boto3", "botocore", "google.auth", "google.cloud"),
        warnings.catch_warnings(action="ignore", category=DeprecationWarning),  # it uses sre_constants
    ):
        import great_expectations as gx
        import great_expectations.expectations as gxe
finally:
    vars(models)["smart_deepcopy"] = _whole

__all__ = ["gx", "gxe"]
