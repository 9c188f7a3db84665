"""What of a sentence is about the subject: `blank_frame` blanks "The answer to this question is", `bare_reply` reads a
yes or no that stands alone, and `claim_of` says what such a reply affirms or denies.

Small models put a frame before nearly everything. Taken for a claim, "the answer" stands in no evidence, and an answer
that is right counts as unsupported; "The answer is no." claims nothing but what was asked.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from serving.assistant.grounding.attribution import Reason, Ruling, SentenceVerdict, Shares, check_sentence
from serving.assistant.grounding.questions import find_expected
from serving.index.analysis import content_terms
from serving.index.evidence import Evidence

_SOURCE = r"(?:documents?|texts?|passages?|context|material|notes?|lectures?|FAQ)"
_FRAME = re.compile(
    rf"""^\W*(?:(?:so|therefore|thus|hence),?\s+)?(?:
      the\s+(?:(?:correct|right|final|short)\s+)?answer(?:\s+to\s+(?:the|this|your)\s+question)?(?:\s+["“][^"”]{{0,200}}["”]?)?
        \s*(?:\b(?:is|would\s+be)\b(?:\s+that\b)?|(?=\W*$))[:,]?
      |(?:the|this|your)\s+(?:provided\s+|given\s+)?{_SOURCE}\s+(?:says?|states?|mentions?)\s+that\b
      |(?:according\s+to|based\s+on)\s+(?:the|this)\s+(?:provided\s+|given\s+)?{_SOURCE}(?:\s+(?:provided|given|above))?\s*,
      |to\s+answer\s+(?:the|this|your)\s+question\s*,
      |(?:the\s+)?answer\s*:
      |is\s+that\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_BARE = re.compile(
    r"^\W*(yes|no)\b\W*(?:(?:it|that|this|they|you|we|i|he|she|there)\s+(?:is|are|can|do|does|may|will|must|should)"
    r"(?:n['’]t|\s?not)?(?:\s+rely\s+on\s+(?:it|that|this)(?:\s+(?:answer|claim|statement))?)?)?\W*$",
    re.IGNORECASE,
)
_TOLD = re.compile(r"\b(?:told me|heard|said|says|rely on|true)\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“]([^\"“”]{10,400})[\"”]")
_REQUEST = re.compile(
    r"(?:can|could|would|will|do|may|should) (?:you|i|we)\b[^?]{0,20}?"
    r"\b(?:explain|tell|give|show|help|describe|know|ask|summari[sz]e|define|compare|list)\b",
    re.IGNORECASE,
)
"""A question by its form, that asks for more than yes."""
_OPENS_WITH = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)
_DUTY = re.compile(r"\b(?:have to|has to|need(?:ed)?|must|required?)\b", re.IGNORECASE)
_OPENS = re.compile(r"\W*(?:so|and|but|hi|hello|please)\b[,:]?\s+", re.IGNORECASE)


@dataclass(frozen=True)
class BareReply:
    """A yes or no that says nothing else; `claim` is what it affirms, or denies with `is_no`."""

    claim: str
    is_no: bool

    def verdict(self, evidence: Sequence[Evidence], *, concepts: Collection[str] = ()) -> SentenceVerdict:
        """What the evidence says of the claim, turned round for a no. A no to what it does not speak of claims
        nothing, nor one to a duty or to what it denies in part: "have to" is no word that evidence has."""
        found = check_sentence(self.claim, evidence, concepts=concepts)
        if (said_no := _denies(self.claim, evidence)) is not None:
            is_so = said_no == self.is_no
            ruling: Ruling = "supported" if is_so else "contradicted"
            reason: Reason = "" if is_so else "denial"
            return replace(found, ruling=ruling, reason=reason, said="", shares=Shares(denial=float(not is_so)))
        if not self.is_no:
            return found
        if found.ruling == "contradicted":
            return replace(found, ruling="supported", reason="", shares=Shares())
        if found.ruling == "supported" and found.shares.denial == 0.0 and not _DUTY.search(self.claim):
            return replace(found, ruling="contradicted", reason="denial", said="no", shares=Shares(denial=1.0))
        return replace(found, ruling="no_claim", reason="", shares=Shares())


def _denies(claim: str, evidence: Sequence[Evidence]) -> bool | None:
    """Whether evidence that asks the same in its title says no to it at once; `None` where none says yes or no."""
    asked = set(content_terms(claim))
    for one in evidence:
        found = _OPENS_WITH.match(one.text)
        if found is not None and asked and set(content_terms(claim_of(one.title))) == asked:
            return found[1].lower() == "no"
    return None


def blank_frame(sentence: str) -> str:
    """The sentence with what only introduces it blanked, so of the same length: "The answer is Python." says
    "Python."."""
    while (found := _FRAME.match(sentence)) is not None and found.group().strip():
        sentence = " " * found.end() + sentence[found.end() :]
    return sentence


def bare_reply(sentence: str, question: str) -> BareReply | None:
    """The yes or no that a sentence is, frame or none, where the question claims something."""
    found = _BARE.match(blank_frame(sentence))
    claim = claim_of(question) if found is not None else ""
    return BareReply(claim, found[1].lower() == "no") if found is not None and claim else None


def is_bare(sentence: str) -> bool:
    """Whether a sentence is a yes or no alone, whatever was asked."""
    return _BARE.match(blank_frame(sentence)) is not None


def claim_of(question: str) -> str:
    """What a yes to the question affirms: what is quoted as told, or the question itself; empty where it asks for more
    than yes or no."""
    if _TOLD.search(question) and (quoted := _QUOTED.search(question)) is not None:
        return quoted[1]
    opened = _OPENS.match(question)
    asked = question[opened.end() :] if opened is not None else question
    is_claim = find_expected(asked) == "yes_no" and not _REQUEST.match(asked)
    return asked.strip().rstrip("?？ ") if is_claim else ""
