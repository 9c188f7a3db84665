"""Every prompt, printed whole and compared with its file in `tests/serving/goldens`.

After a change that is meant, write the files again and read their diff:

    COTEACH_WRITE_GOLDENS=1 pytest tests/serving/prompts/test_golden_prompts.py

A template whose text changed also needs a new version. Writing adds its row to `template_versions.txt` and leaves the
rows that are there, so a changed text under an old version fails either way.
"""

import difflib
import os
import string
from collections.abc import Sequence
from pathlib import Path

import pytest
from filled import VALUES, built_prompts, template_prompts

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.generation.prompts import TEMPLATES
from serving.assistant.generation.template import Template
from serving.llm.messages import Message

GOLDENS = Path(__file__).parents[1] / "goldens"
VERSIONS = Path(__file__).with_name("template_versions.txt")
WRITES = os.environ.get("COTEACH_WRITE_GOLDENS") == "1"

BUILT = tuple(built_prompts(ConceptGraph.from_rows([], [], [])))


def printed(messages: Sequence[Message]) -> str:
    return "\n".join(f"--- {message.role} ---\n{message.content}\n" for message in messages)


def compare(name: str, messages: Sequence[Message]) -> None:
    path, found = GOLDENS / f"{name}.txt", printed(messages)
    if WRITES:
        path.write_text(found, encoding="utf-8")
    wanted = path.read_text(encoding="utf-8") if path.is_file() else ""
    lines = difflib.unified_diff(wanted.splitlines(), found.splitlines(), str(path.name), "this prompt", lineterm="")
    assert found == wanted, "\n".join(["The prompt is not as it was:", *lines])


def versions() -> dict[tuple[str, int], str]:
    rows = [line.split() for line in VERSIONS.read_text(encoding="utf-8").splitlines()] if VERSIONS.is_file() else []
    return {(name, int(version)): digest for name, version, digest in rows}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_a_template_is_printed_as_before(template: Template) -> None:
    name = f"template-{template.name}"
    compare(name, template_prompts()[name])


@pytest.mark.parametrize("name", BUILT)
def test_a_whole_prompt_is_printed_as_before(name: str, graph: ConceptGraph) -> None:
    compare(name, built_prompts(graph)[name])


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_a_changed_template_has_a_new_version(template: Template) -> None:
    known = versions()
    if WRITES and (template.name, template.version) not in known:
        with VERSIONS.open("a", encoding="utf-8") as table:
            table.write(f"{template.name} {template.version} {template.digest}\n")
        known = versions()
    assert known.get((template.name, template.version)) == template.digest, (
        f"The text of {template.label} is not the one recorded: raise its version and write the goldens again."
    )


def test_no_version_goes_back() -> None:
    newest = {name: version for name, version in sorted(versions())}
    assert newest == {template.name: template.version for template in TEMPLATES}


def test_names_are_unique_and_no_golden_is_left_over() -> None:
    names = {f"template-{template.name}" for template in TEMPLATES} | set(BUILT)
    assert len(names) == len(TEMPLATES) + len(BUILT)
    assert {path.stem for path in GOLDENS.glob("*.txt")} == names


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_what_changes_with_the_question_is_not_in_the_instructions(template: Template) -> None:
    gaps = {gap for _, gap, _, _ in string.Formatter().parse(template.system) if gap}
    assert gaps <= {"course", "language"}
    assert template.system or template.name == "chat-background"


def test_every_value_of_the_fixture_is_used() -> None:
    texts = " ".join(template.system + template.text for template in TEMPLATES)
    assert [gap for gap in VALUES if f"{{{gap}}}" not in texts] == []
