"""What a question asks for: a time, a place, a person, an amount, a reason. Pure."""

import re

_ASKED = {
    "time": r"\bwhen (?:is|are|was|does|do|did|will|can|must|should)\b|\bwhat (?:time|day|date)\b|\bby when\b"
    "|什么时候|何时|几点|几号|哪天|哪一天",
    "place": r"\bwhere\b|\b(?:which|what) (?:room|building|hall|place)\b|哪里|哪儿|在哪|何处|哪个教室|哪间",
    "person": r"\bwho(?:m|se)?\b|谁|哪位",
    "amount": r"\bhow (?:many|much|long|often)\b|多少|多久|几次|几个|多长",
    "reason": r"\bwhy\b|\bhow come\b|为什么|为何",
}
_FORMS = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _ASKED.items()}


def asks_for(question: str) -> str:
    """`time`, `place`, `person`, `amount`, `reason`, or nothing: what is asked by another is another question, however
    alike their words are."""
    return next((kind for kind, form in _FORMS.items() if form.search(question)), "")
