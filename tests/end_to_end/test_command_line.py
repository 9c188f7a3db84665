"""`coteach` as a person and a script use it, over the built home and the running model server."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path

import httpx
import psutil
import pytest
from running import COMPARISON, FAQ_QUESTION, SAMPLES, Json, coteach, coteach_command

from knowledge_graph.lake.home import DataDir
from serving.llm.processes import free_port

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def as_json(*arguments: str, home: DataDir, llm_url: str) -> Json:
    done = coteach(*arguments, "--json", home=home.root, COTEACH_LLM_URL=llm_url)
    assert done.returncode == 0, done.stderr
    found: Json = json.loads(done.stdout)
    return found


def test_status_tells_what_is_built_and_what_runs(home: DataDir, llm_url: str) -> None:
    facts = as_json("status", home=home, llm_url=llm_url)
    assert facts["ready"] is True
    assert facts["missing"] == []
    assert facts["home"] == str(home.root)
    sizes = {course["course_id"]: (course["lang"], course["videos"]) for course in facts["courses"]}
    lectures = {
        course: (lang, len(list((SAMPLES / course / "subtitles").iterdir())))
        for course, lang in (("data-structures", "en"), ("shujujiegou", "zh"))
    }
    assert sizes == lectures | {"university-catalog": ("en", 0)}
    taught = [course for course in facts["courses"] if course["videos"]]
    assert all(course["cues"] > 100 and course["concepts"] > 20 for course in taught)
    assert facts["index"] == (home.index / "CURRENT").read_text().strip()
    assert facts["intent_model"] == (home.intent / "CURRENT").read_text().strip()
    assert facts["model_server"] == llm_url


def test_ask_answers_from_the_faq(home: DataDir, llm_url: str) -> None:
    facts = as_json("ask", FAQ_QUESTION, "--course", "data-structures", home=home, llm_url=llm_url)
    assert facts["route"] == "direct"
    assert "Sunday at 23:59 UTC" in facts["answer"]
    assert facts["references"][0]["source"] == "faq"


def test_ask_teaches_a_comparison_with_time_codes(home: DataDir, llm_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COTEACH_MAX_TOKENS", "64")  # how much the model writes of it is nothing that is looked at here
    facts = as_json("ask", COMPARISON, "--course", "data-structures", home=home, llm_url=llm_url)
    assert facts["route"] == "teach"
    assert any("@" in one["label"] for one in facts["references"])


def test_ask_without_a_home_says_what_to_run(tmp_path: Path) -> None:
    done = coteach("ask", "What is a stack?", home=tmp_path / "nowhere")
    assert done.returncode == 1
    assert "coteach build" in " ".join(done.stdout.split())


def test_a_second_build_has_nothing_to_do(home: DataDir) -> None:
    again = coteach("build", "--courses", str(SAMPLES), home=home.root)
    assert again.returncode == 0, again.stdout
    assert "Everything is up to date" in again.stdout


@contextmanager
def served(home: DataDir, llm_url: str, printed: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """`coteach serve`, which prints into a file, and has said where it serves."""
    with printed.open("w") as output:
        service = subprocess.Popen(
            coteach_command("serve", *arguments, home=home.root),
            env=dict(os.environ) | {"COTEACH_LLM_URL": llm_url, "COTEACH_PORT": str(free_port(0))},
            stdout=output,
            stderr=output,
        )
    try:
        wait_until_served(service, printed)
        yield service
    finally:
        service.kill()
        service.wait()


def assert_ends(service: subprocess.Popen[bytes], number: signal.Signals, *, exit_code: int, processes: int) -> None:
    """Told to end, a service does, with all of so many processes and more."""
    family = [psutil.Process(service.pid), *psutil.Process(service.pid).children(recursive=True)]
    assert len(family) >= processes
    service.send_signal(number)
    assert service.wait(timeout=60) == exit_code
    _, alive = psutil.wait_procs(family, timeout=2)
    assert alive == []


def test_an_interrupted_service_ends_well_and_leaves_no_process_behind(
    home: DataDir, llm_url: str, tmp_path: Path
) -> None:
    with served(home, llm_url, tmp_path / "printed") as service:
        assert_ends(service, signal.SIGINT, exit_code=0, processes=2)


def test_several_gateways_share_one_store_and_a_terminated_service_leaves_no_process_behind(
    home: DataDir, llm_url: str, tmp_path: Path
) -> None:
    printed = tmp_path / "printed"
    with served(home, llm_url, printed, "--gateways", "2") as service:
        first, second = re.findall(r"http://[\d.:]+/v1", printed.read_text())
        key = coteach("keys", "create", home=home.root).stdout.split()[0]
        with httpx.Client(headers={"Authorization": f"Bearer {key}"}, timeout=60) as student:
            body = {"model": "coteach:data-structures", "messages": [{"role": "user", "content": FAQ_QUESTION}]}
            trace_id = student.post(f"{first}/chat/completions", json=body).json()["coteach"]["trace_id"]
            assert student.get(f"{second}/traces/{trace_id}").status_code == HTTPStatus.OK
        assert httpx.get(f"{second}/traces/{trace_id}").status_code == HTTPStatus.NOT_FOUND
        assert_ends(service, signal.SIGTERM, exit_code=128 + signal.SIGTERM, processes=3)


def wait_until_served(service: subprocess.Popen[bytes], printed: Path, patience_s: float = 120) -> None:
    deadline = time.monotonic() + patience_s
    while "Ctrl-C stops everything." not in printed.read_text():
        assert service.poll() is None, f"`coteach serve` ended: {printed.read_text()}"
        assert time.monotonic() < deadline, f"no gateway after {patience_s:.0f} s: {printed.read_text()}"
        time.sleep(0.2)
