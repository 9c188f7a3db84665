"""Launch arguments for each kind of machine. The real server is started in tests/end_to_end."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from serving.llm.vllm import (
    Hardware,
    ModelServer,
    VllmMissing,
    detect_hardware,
    find_python,
    launch_arguments,
    launch_environment,
    serves,
)

SERVER = ModelServer(model="/models/small", python=Path("/env/bin/python"), port=8100)


def test_a_processor_with_bfloat16_serves_in_it_without_compilation() -> None:
    assert launch_arguments(SERVER, Hardware(gpus=0, fast_bfloat16=True)) == [
        *("/env/bin/python", "-m", "vllm.entrypoints.openai.api_server"),
        *("--model", "/models/small", "--served-model-name", "coteach-llm"),
        *("--host", "127.0.0.1", "--port", "8100"),
        *("--dtype", "bfloat16", "--enforce-eager", "--max-model-len", "4096", "--max-num-seqs", "8"),
        *("--gpu-memory-utilization", "0.1"),
    ]


def test_a_processor_without_bfloat16_serves_in_float32() -> None:
    arguments = launch_arguments(SERVER, Hardware(gpus=0, fast_bfloat16=False))
    assert arguments[arguments.index("--dtype") + 1] == "float32"


def test_two_gpus_share_a_model_and_vllm_decides_the_rest() -> None:
    arguments = launch_arguments(SERVER, Hardware(gpus=2, fast_bfloat16=True))
    assert arguments[-4:] == ["--dtype", "auto", "--tensor-parallel-size", "2"]
    assert "--enforce-eager" not in arguments


def test_a_persons_own_arguments_come_last_so_that_they_win() -> None:
    server = ModelServer("org/model", Path("p"), extra_arguments="--max-model-len 512 --dtype 'float16'")
    assert launch_arguments(server, Hardware(0, False))[-4:] == ["--max-model-len", "512", "--dtype", "float16"]


def test_a_model_in_a_folder_never_asks_a_hub(tmp_path: Path) -> None:
    local = ModelServer(str(tmp_path), Path("p"))
    assert launch_environment(local, Hardware(0, False), {})["HF_HUB_OFFLINE"] == "1"
    assert "HF_HUB_OFFLINE" not in launch_environment(SERVER, Hardware(0, False), {})


def test_the_size_of_the_cache_can_be_set_by_a_person() -> None:
    assert launch_environment(SERVER, Hardware(0, False), {})["VLLM_CPU_KVCACHE_SPACE"] == "1"
    chosen = launch_environment(SERVER, Hardware(0, False), {"VLLM_CPU_KVCACHE_SPACE": "8"})
    assert chosen["VLLM_CPU_KVCACHE_SPACE"] == "8"
    assert "VLLM_CPU_KVCACHE_SPACE" not in launch_environment(SERVER, Hardware(1, False), {})


def test_nothing_is_compiled_on_a_processor_unless_a_person_wants_it() -> None:
    assert launch_environment(SERVER, Hardware(0, False), {})["TORCHDYNAMO_DISABLE"] == "1"
    assert launch_environment(SERVER, Hardware(0, False), {"TORCHDYNAMO_DISABLE": "0"})["TORCHDYNAMO_DISABLE"] == "0"
    assert "TORCHDYNAMO_DISABLE" not in launch_environment(SERVER, Hardware(1, False), {})


@pytest.mark.parametrize(("flags", "expected"), [("fma avx2", False), ("avx2 amx_bf16", True), ("avx512_bf16", True)])
def test_native_bfloat16_is_read_off_the_processors_flags(tmp_path: Path, flags: str, expected: bool) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(f"flags\t: fpu {flags}\n")
    assert detect_hardware(cpuinfo).fast_bfloat16 is expected


def serve_models(body: object) -> ThreadingHTTPServer:
    """Any server that answers JSON on loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *_: object) -> None:
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"data": [{"id": "coteach-llm"}]}, True),
        ({"data": [{"id": "other"}]}, False),
        ({"status": "ok"}, False),
        ([], False),
    ],
)
def test_only_a_server_that_lists_the_model_is_used_as_model_server(body: object, expected: bool) -> None:
    server = serve_models(body)
    try:
        assert serves(f"http://127.0.0.1:{server.server_port}/v1", "coteach-llm") is expected
    finally:
        server.shutdown()
        server.server_close()
    assert not serves(f"http://127.0.0.1:{server.server_port}/v1", "coteach-llm")


def test_a_missing_environment_is_an_error_that_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(VllmMissing, match=r"make setup.*COTEACH_VLLM_PYTHON.*COTEACH_LLM_URL"):
        find_python(tmp_path / "no" / "python")


def test_a_configured_interpreter_is_used_as_it_is(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.touch()
    assert find_python(python) == python
