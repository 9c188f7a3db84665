"""What an answer is about by its sentence in bold, where the question tells a case and names no such thing: "it" is
then the rule that decides the case. Pure."""

import re

from knowledge_graph.text.sentences import has_cjk

_BOLD = re.compile(r"^\*\*(?!(?:\d+[.、]|FAQ\b|问))(?P<text>[^*\n]+)\*\*", re.MULTILINE)
"""The sentence in bold with which a quote begins, and no heading."""
_TELLS_A_CASE = re.compile(
    r"\b(?:i|i['’]m|we|my|our|somebody|someone|he|she)\b(?!['’]?d? (?:mean|wonder|understand|get it)\b)|我|有人|他|她",
    re.IGNORECASE,
)
"""How a question tells what somebody does, and asks what is then."""
_SAYS = (
    r"(?:is|are|was|were|says?|states|means?|tells|holds|requires?|lets|gives|stops|makes|takes|finds|sorts|works|applies"
    r"|apply|allows?|protects?|gets|needs|uses|computes|does|do|can|must|will|has|have)"
)
_NO_NAME = (
    r"(?:this|that|these|those|it|they|there|he|she|we|you|i|what|which|who|if|when|where|how|why|one|another|some|most"
    r"|all|each|both|no|nothing|thing|answer|point|reason|problem|question|difference|trick|idea|example|result|others?"
    r"|first|second|same|only|best|main|whole)"
)
_HEAD = re.compile(
    rf"^(?:(?:so|and|but|now|then),? )?(?!(?:(?:the|an?) )?{_NO_NAME}\b)(?P<name>(?:(?:the|an?) )?"
    r"[\w'’-]+(?: (?!(?:that|which|who|of|in|on|to|for|with|and|or)\b)[\w'’-]+){0,3}?)"
    rf" {_SAYS}\b",
    re.IGNORECASE,
)
_HEAD_ZH = re.compile(
    r"^(?:所以|那么?)?，?(?P<name>(?!(?:[这那它他她我你]|大家|什么|如果|当|因为|所以|其实|第|一[个种]|问题|答案|原因|关键))"
    r"[^\W\d_a-zA-Z]{2,8}?)(?:就?是指?|指的?是?|说的?是?|规定|要求|意味着|认为|告诉|表示|适用|允许|保证)"
)


def name_answered(question: str, answer: str) -> str:
    """The name that begins the sentence in bold of an answer to a question that tells a case; empty for any other."""
    bold = _BOLD.search(answer) if _TELLS_A_CASE.search(question) else None
    if bold is None:
        return ""
    head = (_HEAD_ZH if has_cjk(bold["text"]) else _HEAD).match(bold["text"].strip())
    if head is None:
        return ""
    name = head["name"]
    return f"the {name[4:]}" if name.startswith("The ") else name
