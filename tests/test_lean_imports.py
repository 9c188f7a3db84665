"""What is loaded in a build is loaded without the rest: most of the processor time of a small build is imports."""

import subprocess
import sys

import pytest

WITHOUT_SOURCE = """
import inspect

def refuse(*_):
    raise AssertionError("source code, or the module of a frame, was looked for")

kept = inspect.stack
inspect.findsource = inspect.getmodule = refuse
import knowledge_graph.concepts.features as features
assert inspect.stack is kept, "everybody else has it as it was"
assert features.wordfreq.get_frequency_dict("en")["matrix"] > 0
"""
WITHOUT_TORCH = """
import sys
import knowledge_graph.text.lean_spacy
assert "spacy" in sys.modules
assert "torch" not in sys.modules
"""
WITHOUT_TAGGER = """
import sys
from knowledge_graph.concepts import extract, tagging
named = tagging._version("en")
assert "spacy" not in sys.modules, "what was parsed before needs no tagger"
meta = tagging.english_tagger().meta
assert f"{meta['name']} {meta['version']}" in named, "it names the tagger that parses"
"""
WITHOUT_DRAWING = """
import sys
from knowledge_graph.lake.lean_expectations import gx, gxe
loaded = {"altair.vegalite", "scipy.stats._stats_py", "botocore.session", "google.auth.transport"} & set(sys.modules)
assert not loaded, loaded
assert "altair" not in sys.modules, "whoever imports it later has it whole"

import pandas as pd
context = gx.get_context(mode="ephemeral")
asset = context.data_sources.add_pandas("lake").add_dataframe_asset("rows")
rows = {"dataframe": pd.DataFrame({"a": list("xxyy")})}
batch = asset.add_batch_definition_whole_dataframe("all").get_batch(batch_parameters=rows)
likeness = gxe.ExpectColumnKLDivergenceToBeLessThan(
    column="a", partition_object={"values": ["x", "y"], "weights": [0.5, 0.5]}, threshold=0.1
)
assert batch.validate(likeness).success, "what is loaded on demand works when it is asked for"
assert "scipy.stats._stats_py" in sys.modules
"""
DEFINITIONS = """
import sys
from orchestration.definitions import defs
assert len(list(defs().resolve_all_asset_specs())) > 80
heavy = "dbt.version great_expectations spacy torch mlflow pandas sklearn networkx scipy.special pptx mammoth requests"
heavy += " onnxruntime tokenizers"
loaded = set(heavy.split()) & set(sys.modules)
assert not loaded, loaded
"""
GATEWAY = """
import sys
import serving.gateway.app
loaded = set("dagster pandas scipy sklearn spacy torch transformers".split()) & set(sys.modules)
assert not loaded, loaded
"""
COMMAND_LINE = """
import sys
import coteach.__main__, orchestration.cli.main
loaded = set("coteach.course serving.gateway serving.assistant openai fastapi dagster".split()) & set(sys.modules)
assert not loaded, loaded

from coteach import *
assert Course.open and Answer, "what is public is loaded when it is asked for"
assert set(coteach.__all__) <= set(dir(coteach))
assert not hasattr(coteach, "Lecture")
"""


@pytest.mark.parametrize(
    "code",
    [WITHOUT_SOURCE, WITHOUT_TORCH, WITHOUT_TAGGER, WITHOUT_DRAWING, DEFINITIONS, GATEWAY, COMMAND_LINE],
    ids=["wordfreq", "spacy", "tagger", "great_expectations", "definitions", "gateway", "command line"],
)
def test_a_library_is_loaded_without_what_no_build_needs(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


ENDED = """
import atexit, gc, sys, threading, time
from knowledge_graph.lean_imports import end_at_once

def slow():
    time.sleep(0.2)
    print("a thread is done")

with end_at_once():
    import duckdb
    gc.freeze()  # what DuckDB's binding would complain of, were it taken apart
    atexit.register(print, "what is registered is done")
    threading.Thread(target=slow).start()
    print("a line without its end", end="")
    {last}
"""
ALL_DONE = "a line without its enda thread is done\nwhat is registered is done\n"


@pytest.mark.parametrize(
    ("last", "status", "told"),
    [
        ("sys.exit(3)", 3, ""),
        ("sys.exit()", 0, ""),
        ("sys.exit('a message')", 1, "a message"),
        ("raise ValueError('a traceback')", 1, "ValueError: a traceback"),
        ("", 0, None),
    ],
    ids=["status", "no status", "message", "error", "end of the program"],
)
def test_a_program_ends_at_once_with_its_status_when_all_is_done_and_said(
    last: str, status: int, told: str | None
) -> None:
    done = subprocess.run([sys.executable, "-c", ENDED.format(last=last)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (status, ALL_DONE)
    if told is not None:
        assert told in done.stderr
    if told == "":
        assert done.stderr == ""


def test_a_console_program_is_run_with_its_arguments() -> None:
    command = [sys.executable, "-P", "-m", "knowledge_graph.lean_imports", "dbt.cli.main:cli", "build", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--indirect-selection" in done.stdout
