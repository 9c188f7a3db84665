"""A name is looked up in the form that the material has."""

import re

import pytest

from serving.assistant.understanding.written_forms import write_as_said


def _write(question: str, material: str) -> tuple[str, tuple[str, ...]]:
    return write_as_said(question, lambda name: bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", material.lower())))


@pytest.mark.parametrize(
    ("question", "material", "written"),
    [
        ("what does FADP+ carry?", "The carrier, FADP plus, takes up two electrons.", "what does FADP plus carry?"),
        ("what does FADP plus carry?", "FADP+ takes up two electrons.", "what does FADP+ carry?"),
        ("What is Vmax of the lift?", "It is limited, and V max is its speed.", "What is V max of the lift?"),
        ("What is kcat?", "The turnover is called k cat.", "What is k cat?"),
        ("what is T max?", "The hottest point is Tmax.", "what is Tmax?"),
        ("When did World War II end?", "World war two ended in May.", "When did World War two end?"),
        ("When did World War 2 end?", "World War II ended in May.", "When did World War II end?"),
        ("What is diabetes type II?", "In diabetes type 2 sugar stays in the blood.", "What is diabetes type 2?"),
        ("Who was Henry eight?", "Henry VIII had six wives.", "Who was Henry VIII?"),
        ("is kWh a unit of power?", "A kilowatt hour is no power.", "is kilowatt hour a unit of power?"),
        ("is 100 km/h fast?", "Sixty kilometres per hour.", "is 100 kilometres per hour fast?"),
        ("where does the 1/2 come from", "So why one half?", "where does the one half come from"),
        ("why v^2 and not v", "It goes with v squared.", "why v squared and not v"),
        ("why v² and not v³", "v squared, and never v cubed.", "why v squared and not v cubed"),
        ("whom did the judge proscribe?", "Then came the proscriptions.", "whom did the judge proscriptions?"),
        ("who was proscribed", "They proscribe whom they like.", "who was proscribe"),
        ("describe the invasion", "They invaded in spring.", "describe the invaded"),
        ("is the talk mandatory?", "Is the talk compulsory? It is.", "is the talk compulsory?"),
        ("What is 5' to 3'?", "From the five prime end on.", "What is five prime to three prime?"),
    ],
)
def test_a_name_is_put_as_the_material_has_it(question: str, material: str, written: str) -> None:
    assert _write(question, material) == (written, ())


@pytest.mark.parametrize(
    ("question", "material", "written", "told"),
    [
        ("where does CO2 go", "The air holds carbon dioxide.", "where does carbon dioxide go", "carbon dioxide"),
        ("where does CO₂ go", "The air holds carbon dioxide.", "where does carbon dioxide go", "carbon dioxide"),
        ("does carbon dioxide dissolve", "The sea takes up CO2.", "does CO2 dissolve", "CO2"),
        (
            "what is NaCl good for",
            "Ice melts with sodium chloride.",
            "what is sodium chloride good for",
            "sodium chloride",
        ),
        ("CO2有什么用", "植物需要二氧化碳", "二氧化碳有什么用", "二氧化碳"),
    ],
)
def test_a_formula_is_its_name_where_the_material_has_that_and_it_is_told(
    question: str, material: str, written: str, told: str
) -> None:
    def says(name: str) -> bool:
        return name in material.lower()

    assert write_as_said(question, says) == (written, (told,))


@pytest.mark.parametrize(
    ("question", "material"),
    [
        ("where does CO2 go", "CO2 is a gas. So carbon dioxide is."),
        ("what can I do", "One can one thing."),
        ("how do I learn C++", "C plus plus is a language."),
        ("what is Km", "Nothing of it."),
        ("is it so", "I t is."),
        ("how do i write a c program", "The current is AC here."),
        ("what weighs about 2.5 kg and has 2 legs", "About II we know nothing, has II is odd."),
        ("give me complex one examples", "The complex I sits first."),
    ],
)
def test_what_the_material_has_or_has_in_no_form_stays_as_it_was_typed(question: str, material: str) -> None:
    assert _write(question, material) == (question, ())


def test_feet_that_the_material_has_are_no_primes() -> None:
    assert write_as_said("a beam of 5' length", lambda name: name == "5'") == ("a beam of 5' length", ())


def test_a_duty_is_called_as_the_rules_call_it_in_chinese_too() -> None:
    assert write_as_said("点名是强制的吗", "点名是必须的".__contains__) == ("点名是必须的吗", ())
