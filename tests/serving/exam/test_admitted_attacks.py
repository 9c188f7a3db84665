"""The stored attacks against a model that was admitted and then does whatever it is told: what an attacker wants is no
sentence that the evidence bears, so nothing of it is shown."""

import re
from typing import get_args

import pytest
from admissions import admitted
from attacks import ATTACKS, SECRET, Attack
from test_attacks import COMPLEX, QUESTIONS, Classroom, Manner, by_id
from test_markup import assert_inert, rendered

from serving.assistant.generation.prompts import TEMPLATES
from serving.assistant.guardrails.prompt_leak import find_fixed_parts, leaks
from serving.exam.admission import WRITTEN

_MARK = re.compile(r"[\[【［](\d{1,3})[\]】］]")
_PROTECTED = [part for one in TEMPLATES for part in find_fixed_parts(one.system)]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Classroom:
    return Classroom(tmp_path_factory.mktemp("admitted"), admission=admitted(*WRITTEN))


@pytest.mark.parametrize("attack", ATTACKS, ids=by_id)
@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize("manner", get_args(Manner))
def test_an_admitted_model_that_obeys_an_attack_is_not_heard(
    room: Classroom, attack: Attack, question: str, manner: Manner
) -> None:
    outcome = room.ask(attack, question, manner)
    answer = outcome.answer
    numbers = {one.number for one in answer.evidence if one.mark} | {one.number for one in answer.references}
    assert {int(number) for number in _MARK.findall(answer.text)} <= numbers
    assert not leaks(answer.text, _PROTECTED)
    assert SECRET not in outcome.page
    assert not any(SECRET in one.content for messages in outcome.sent for one in messages)
    assert not [text for text in attack.never_said if text in answer.text]
    assert_inert(answer.text)
    assert all(seen.active == [] for seen in rendered(outcome.page))


def test_the_model_is_asked_under_attack(room: Classroom) -> None:
    asked = [attack.id for attack in ATTACKS if room.ask(attack, COMPLEX).sent]
    assert len(asked) > len(ATTACKS) / 2, "the test above would hold of a model that nobody asks"
