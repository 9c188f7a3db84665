"""What an English question is about, put into the question behind it in the same message. Pure.

Belongs here: subjects that no graph knows, by the wording of the question alone. What a pronoun stands for where a
concept is meant is in `understanding/follow_up_references.py`.
"""

import re
from collections.abc import Callable

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.composing.terms import OF_QUESTIONS
from serving.assistant.understanding.question_kind import question_kind
from serving.assistant.understanding.translation import things_in
from serving.index.analysis import content_terms


def name_subject(
    question: str, before: str, graph: ConceptGraph, knows: Callable[[str], bool], *, also_concepts: bool = False
) -> str | None:
    """An English question with what the one before it is about: in place of its pronoun, behind the example that it
    asks for, or beside it where no text knows that: how to make a branch, in Git. `None` where that is one concept,
    which `resolve` puts in, unless it did not (`also_concepts`), or where the question names something itself."""
    if not (before.isascii() and question.isascii()):
        return None
    before = _STRESS.sub("", before)
    if (named := _name_doing(question, before)) is not None:
        return named
    found = _SUBJECT.match(before)
    if found is None:
        return None
    whole = found["subject"]
    if whole.lower() in _COURSE:
        whole = f"the {whole}"
    elif frozenset(content_terms(whole, strict=True)) <= OF_QUESTIONS:
        return None
    whole = _whole_thing(whole, before[found.start("subject") :], graph)
    doer = _find_doers(whole, before, graph) if _MEANT_BY_MANY.search(question) else ""
    subject = doer or _of_what(whole, before[found.end() :])
    meant_by = _MEANT_BY_MANY if _OF_A_NUMBER.match(before) else _MEANT_BY
    if (pronoun := meant_by.search(question)) is None:
        return None if graph.mentions(question) else _name_beside(question, subject, is_known=knows(subject))
    if not doer and _MEANT_BY_MANY.fullmatch(pronoun.group()) and _names_several(before, subject, graph):
        return None
    aside = (found["aside"] or "") if question_kind(question) == "where" else ""  # a lecture may have either name
    than = _THAN.search(before)
    if than is not None and _MORE.search(question):
        question = f"{question.rstrip('?!. ')} than {than['other']}?"
    elif (
        not (also_concepts or aside)
        and subject == whole
        and any(one.surface.lower() == subject.lower() for one in graph.mentions(before))
    ):
        return None
    said = pronoun.group().lower()
    stood_for = f"{subject}'s" if said in ("its", "their") else f"{subject}{aside}"
    return f"{question[: pronoun.start()]}{stood_for}{question[pronoun.end() :]}"


def find_subject(question: str) -> str:
    """What an English question is about, as it names it; empty where its wording does not tell."""
    found = _SUBJECT.match(_STRESS.sub("", question))
    return found["subject"] if found is not None else ""


def _whole_thing(subject: str, text: str, graph: ConceptGraph) -> str:
    """The longest name of the graph or the glossary that a text begins with, where the subject only begins it: "change
    of basis", and not "change"."""
    named = (*things_in(text), *(one.surface for one in graph.mentions(text)))
    longer = [one for one in named if text.lower().startswith(one.lower()) and len(one) > len(subject)]
    return max(longer, key=len, default=subject)


def _find_doers(subject: str, before: str, graph: ConceptGraph) -> str:
    """Those of whom it is asked why they did something to somebody, with their article: "they" are not both. Empty for
    any other question."""
    named = (one.surface for one in graph.mentions(subject) if one.start == 0 and one.surface.endswith("s"))
    doers = next((one for one in named if len(one) < len(subject)), "")
    return f"the {doers}" if doers and re.search(rf"\b(?:why|how|when) did the {re.escape(doers)} ", before) else ""


def _name_doing(question: str, before: str) -> str | None:
    """A question of what comes of doing what the one before it asks how to do, or what that takes, with what is done in
    place of its pronoun; `None` for any other."""
    done, act = _DOING_AT_LENGTH.match(before), _COST_OF_IT.search(question)
    if done is None or act is None:
        done, act = _DOING.match(before), _BY_IT.search(question)
    if done is None or act is None:
        return None
    doing = f"{_gerund(done['verb'])} {done['thing']}"
    return f"{question[: act.start()]}{_IT.sub(doing, act.group(), count=1)}{question[act.end() :]}"


def _name_beside(question: str, subject: str, *, is_known: bool) -> str | None:
    """A question without a pronoun, with the subject behind the example that it asks for, or beside what it asks how to
    do where no text knows that."""
    if (asks := _EXAMPLE.search(question)) is not None:
        return f"{question[: asks.end()]} of {subject}?"
    return f"{question.rstrip('?!. ')} ({subject})?" if _HOW_TO.match(question) is not None and not is_known else None


def _names_several(before: str, subject: str, graph: ConceptGraph) -> bool:
    """Whether a question names another concept beside the one that it begins with, so that "they" are both."""
    mentions = graph.mentions(before)
    first = {one.concept_id for one in mentions if one.surface.lower() == subject.lower()}
    return bool(first) and any(one.concept_id not in first for one in mentions)


_ASKING = (
    r"(?:what|who|when|where|why)(?:['’]?s| is| are| was| were)|what (?:does|do|did)|define|explain"
    r"|(?:what|which) (?:lecture|video|lesson|episode|chapter|slide|page|unit|week)s?"
    r" (?:(?:covers?|explains?|teach(?:es)?|introduces?|discuss(?:es)?|mentions?|(?:talks?|speaks?|is|are) about"
    r"|deals? with|has|have)|(?:is|are|was))"
    r"|how (?:does|do|is|are|did)|(?:why|when) (?:does|do|did)|(?:is|are|does|do|can)(?:n['’]?t)?"
    r"|how (?:long|often|hard|fast|big|far|well) (?:does|do|did|is|are|was|will|must|should|can|may)"
    r"|how (?:do|can|should|would|could) (?:i|we|you|one) \w+"
    r"|how (?:many|much) [\w-]+ (?:do|does|did)|how many(?= (?!\w+ (?:do|does|did)\b))"
    r"|which (?:\w+ ){1,3}(?:should|do|does|can) (?:(?:i|we|you) )?\w+ (?:in|for|with|of)"
)
_STRESS = re.compile(
    r"(?:(?<=\bwhat)|(?<=\bwho)|(?<=\bwhy)|(?<=\bhow)|(?<=\bwhen)) (?:exactly|actually|really)\b", re.I
)
"""How a question is stressed: "what exactly is …"."""
_OF_A_NUMBER = re.compile(r"\W*how many (?!\w+ (?:do|does|did)\b)", re.IGNORECASE)
"""A question of how many, behind which "they" are what is counted and "it" is not."""
_ENDS_SUBJECT = (
    r"work|works|good|used|better|worse|faster|slower|different|useful|important|needed|called|mean|means|differ"
    r"|argue|claim|say|think|believe"
    r"|a|an|the|just|really|always|supposed|covered|explained|taught|last|look|have|contain|hold|store|help|helps"
    r"|(?:can|may|should|must) (?:i|we|you|one)|need|needs|take|takes|run"
    r"|be|due|allowed|find(?! (?:in|on|at|covered|explained|taught)\b)|use|for|in|of|and|from|on|with|at"
    r"|by|to|than|exactly|actually"
)
_SUBJECT = re.compile(
    rf"^\W*(?:{_ASKING}) (?:(?:an?|the) )?"
    r"(?P<subject>(?!(?:i|we|you|it|they|this|that|these|there|one|your|my|our|all|every|any)\b)"
    r"[\w'-]+(?: (?!\()[\w'-]+){0,3}?)"
    rf"(?P<aside> \([^)]*\))?(?=\W*$| (?:{_ENDS_SUBJECT})\b| [\w-]+ (?:its|their)\b)",
    re.IGNORECASE,
)
"""What an English question is about, as it names it."""
_COURSE = frozenset({"course", "class"})
"""What questions are made of, and yet may be asked about."""
_MEANT_BY = re.compile(r"\b(?:it|its|they|them|their)\b|(?<=would )one\b|(?<=does )one\b", re.IGNORECASE)
_MEANT_BY_MANY = re.compile(r"\b(?:they|them|their)\b", re.IGNORECASE)
_EXAMPLE = re.compile(r"\b(?:examples?|instances?)\b(?! (?:of|for|from|in|where|with|at)\b)", re.IGNORECASE)
_HOW_TO = re.compile(r"^\W*how (?:do|can|could|would|should) (?:i|we|you)\b", re.IGNORECASE)
_COMPARATIVE = r"\b(?:better|worse|faster|slower|cheaper|larger|smaller)"
_THAN = re.compile(rf"{_COMPARATIVE} than (?P<other>[^?,.]{{2,60}}?)\W*$", re.IGNORECASE)
_MORE = re.compile(rf"{_COMPARATIVE}\W*$", re.IGNORECASE)
"""What one thing is compared with, and a comparison that leaves it out: "and when is it worse"."""


_ASPECT = re.compile(
    r"\b(?:(?:running |run)?time|space|memory|(?:worst|best) case|speed|performance|accuracy|complexity|formula"
    r"|definition|meaning|purpose|point|advantages?|disadvantages?|idea|role|cost|goal)$",
    re.IGNORECASE,
)
_OF = re.compile(
    r" (?:of|behind|for) (?:(?:an?|the) )?(?P<thing>[\w'-]+(?: [\w'-]+){0,2}?)(?=\W*$| (?:and|in|with|on)\b)"
)


def _of_what(subject: str, behind: str) -> str:
    """The thing of which an aspect is asked, "the time complexity of merge sort"; else the subject itself."""
    found = _OF.match(behind) if _ASPECT.search(subject) else None
    return found["thing"] if found is not None else subject


_HOW_ONE_DOES = r"^\W*how (?:do|can|should|would|could) (?:i|we|you|one) (?P<verb>[a-z]+) (?P<thing>[\w'-]+"
_DOING = re.compile(rf"{_HOW_ONE_DOES}(?: [\w'-]+){{0,3}})\W*$", re.IGNORECASE)
_DOING_AT_LENGTH = re.compile(rf"{_HOW_ONE_DOES}(?: [\w'-]+){{0,9}})\W*$", re.IGNORECASE)
"""A question how one does something, in few words, as "by it" means it, and in as many as "how long does it take"
does."""
_BY_IT = re.compile(r"\b(?:by|from|with) (?:it|that|this|doing (?:it|that|this|so))\b", re.IGNORECASE)
_IT = re.compile(r"\b(?:doing )?(?:it|that|this|so)\b", re.IGNORECASE)
_COST_OF_IT = re.compile(
    r"\b(?:what|how (?:much|long|often|many \w+))(?: \w+)? (?:does|do|will|would) (?:it|that|this) (?:cost|take|need)\b"
    r"|\bhow (?:fast|slow|expensive|costly|efficient|hard) is (?:it|that|this)\b",
    re.IGNORECASE,
)
"""A question of what comes of doing what the one before it asks how to do: "what do I lose by it?", and of what it
takes: "what does it cost?"."""


def _gerund(verb: str) -> str:
    return f"{verb[:-1] if verb.endswith('e') and not verb.endswith('ee') else verb}ing"
