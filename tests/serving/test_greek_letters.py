"""Letters that a question spells out are put as the material writes them."""

import pytest

from serving.assistant.understanding.greek_letters import write_greek_letters


@pytest.mark.parametrize(
    ("question", "written", "sought"),
    [
        ("What is the phi function?", ["φ function"], "What is the φ function?"),
        ("why do we need Phi functions", ["φ function", "phi"], "why do we need φ functions"),
        ("what does theta do", ["θ"], "what does θ do"),
        ("what does theta do", ["θ", "theta"], "what does theta do"),
        ("what is the phi function", ["φ function", "phi function"], "what is the phi function"),
        ("what is lambda calculus", [], "what is lambda calculus"),
        ("what is the alphabet", ["α"], "what is the alphabet"),
    ],
)
def test_a_letter_is_written_where_the_material_writes_it_and_never_spells_it(
    question: str, written: list[str], sought: str
) -> None:
    assert write_greek_letters(question, written.__contains__) == sought
