"""What the libraries below coteach would tell their makers or keep in a person's home, and how that is prevented.

Every package of coteach sees to it when it is imported, before any of these libraries is: ONNX Runtime reads its switch
only once, when it is loaded, and without it keeps an id of the device and a database below `~/.cache`. Processes that
are started inherit all of it.
"""

import os
from collections.abc import Mapping, MutableMapping
from pathlib import Path

SILENT: Mapping[str, str] = {
    "ORT_DISABLE_TELEMETRY": "1",  # ONNX Runtime
    "DAGSTER_DISABLE_TELEMETRY": "1",
    "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
    "GX_ANALYTICS_ENABLED": "false",  # Great Expectations
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
}
"""Switches of telemetry."""

KEPT_IN: Mapping[str, str] = {
    "MPLCONFIGDIR": "matplotlib",
    "TORCHINDUCTOR_CACHE_DIR": "torchinductor",
    "VLLM_CACHE_ROOT": "vllm",
    "VLLM_CONFIG_ROOT": "vllm",
}
"""Where libraries keep what they want to find again: folders of the checkout's `.cache`, not of the person's home."""

_CHECKOUT = Path(__file__).resolve().parents[1]


def settle(environment: MutableMapping[str, str], checkout: Path = _CHECKOUT) -> None:
    """Set what is not set; what a person chose stays. Without a checkout libraries keep their own places."""
    for name, value in SILENT.items():
        environment.setdefault(name, value)
    if (checkout / "pyproject.toml").is_file() and os.access(checkout, os.W_OK):
        for name, folder in KEPT_IN.items():
            environment.setdefault(name, str(checkout / ".cache" / folder))


settle(os.environ)
