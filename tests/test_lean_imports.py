"""What is loaded in a build is loaded without the rest: spaCy without PyTorch, wordfreq without a look at source."""

import subprocess
import sys

import pytest

WITHOUT_SOURCE = """
import inspect

def refuse(*_):
    raise AssertionError("source code was looked at")

kept, inspect.findsource = inspect.stack, refuse
import knowledge_graph.concepts.features as features
assert inspect.stack is kept, "everybody else has it as it was"
assert features.wordfreq.get_frequency_dict("en")["matrix"] > 0
"""
WITHOUT_TORCH = """
import sys
import knowledge_graph.concepts.tagging
assert "spacy" in sys.modules
assert "torch" not in sys.modules
"""


@pytest.mark.parametrize("code", [WITHOUT_SOURCE, WITHOUT_TORCH], ids=["wordfreq", "spacy"])
def test_a_library_is_loaded_without_what_no_build_needs(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
