"""The labelling functions for concepts: each says of a term that it names one (1), that it does not (-1), or nothing.

Belongs here: one opinion per function, with its reason as the docstring. What is measured is in `features.py`; how far
each is trusted to begin with, in `beliefs.py`.
"""

import re

from knowledge_graph.concepts.facts import Facts
from knowledge_graph.concepts.tagging import SEED
from knowledge_graph.labelling.functions import ABSTAIN, NO, YES, labelling_functions

_RARE, _TECHNICAL, _EVERYDAY = 3.0, 4.0, 5.0
"""Zipf scale of wordfreq: "eigenvector" 1.9, "centroid" 2.9, "matrix" 4.1, "cost" 5.2, "thing" 5.7."""
_TIGHT, _LOOSE = 0.6, 0.4  # normalised PMI: "neural network" 0.9, "training set" 0.67; "simple table" below 0.3
_GRADED = 0.15  # share of graded uses: "large" 0.44, "simple" 0.32; "linear" 0.05, "hidden" 0.07
_LOOSE_FIRST = 0.25  # terms per occurrence: "simple" 0.28 to 0.42, "huge" 0.28; "linear" 0.04, "hidden" below
_COUNTED, _FEWEST_COUNTED = 0.6, 4  # "metre" 0.8, "byte" 0.6, "outlier" 0.4, "amino acid" 0.3
_FEWEST_BLOCKS = 4  # below, where something is said tells nothing
_CLUMPED, _EVEN = 1.0, 0.3  # bits of residual IDF


_SHORT_FORM = re.compile(r"(?=(?:[a-z]?[A-Z]){2}|[a-z][A-Z])[A-Za-z\d]{2,6}")
"""A name written with capitals: DNA, mRNA, pH."""


def _is_short_form(facts: Facts) -> bool:
    return any(_SHORT_FORM.fullmatch(name) for name in facts.term.names)


def several_words(facts: Facts) -> int:
    """Most terms have two words or more (Justeson and Katz 1995), in Chinese three characters; single ones are rare.

    Nothing is said of a short form, and of what a title names or a sentence introduces.
    """
    if facts.words > 1:
        return YES
    if _is_short_form(facts) or facts.introduced or (facts.titled and not facts.generic_alone):
        return ABSTAIN
    return NO if facts.term.candidate.lang == "en" and facts.rarest > _RARE else ABSTAIN


def frequent_and_whole(facts: Facts) -> int:
    """A high C-value: said often, and not only inside a longer term (Frantzi et al. 2000)."""
    return YES if facts.c_value >= 8 else NO if facts.c_value < 3 else ABSTAIN


def hangs_together(facts: Facts) -> int:
    """Its words meet far more often than chance, as in a name."""
    if len(facts.term.candidate.words) == 1:
        return ABSTAIN
    return YES if facts.association >= _TIGHT else NO if facts.association < _LOOSE else ABSTAIN


def holds_a_technical_word(facts: Facts) -> int:
    """One of its words is rare in general language; a term of everyday words alone seldom is one."""
    return YES if facts.rarest <= _TECHNICAL else NO if facts.rarest >= _EVERYDAY else ABSTAIN


def key_to_the_course(facts: Facts) -> int:
    """Its words are said far more often here than in general language."""
    return YES if facts.keyness >= 1.5 else NO if facts.keyness < 0.7 else ABSTAIN


def part_of_a_longer_term(facts: Facts) -> int:
    """It is said almost only inside a longer term: "descent" in "gradient descent"."""
    return NO if facts.absorbed > 0.5 or facts.alone < 0.12 else ABSTAIN


def adds_to_a_term(facts: Facts) -> int:
    """Without its last word it is a commoner term: "gradient descent update" is about one and names none."""
    return NO if facts.extends else ABSTAIN


def stands_alone(facts: Facts) -> int:
    """It is mostly a whole noun phrase, with nothing before or after it."""
    return YES if facts.alone >= 0.7 and facts.term.candidate.count >= 4 else ABSTAIN


def begins_with_a_judgement(facts: Facts) -> int:
    """Its first word is one that is graded ("very large", "larger"): it describes and does not name."""
    return NO if facts.graded >= _GRADED else ABSTAIN


def begins_with_a_loose_word(facts: Facts) -> int:
    """Its first word goes with anything: few uses for each thing it is said of ("huge step", "huge effect")."""
    return NO if facts.looseness >= _LOOSE_FIRST else ABSTAIN


def begins_with_a_verb(facts: Facts) -> int:
    """Its first word is a verb that opens many phrases and ends none: it says what is done with a thing."""
    return NO if facts.verbal else ABSTAIN


def cut_off(facts: Facts) -> int:
    """It follows a letter or a number, so its first part is missing: "dimensional vector" of "n-dimensional vector"."""
    return NO if facts.cut_off >= 0.4 else ABSTAIN


def is_a_unit(facts: Facts) -> int:
    """It mostly stands behind a number: what is counted or measured with, as "seven kilometres"."""
    return NO if facts.counted >= _COUNTED and facts.term.candidate.count >= _FEWEST_COUNTED else ABSTAIN


def latin_word_in_chinese(facts: Facts) -> int:
    """In a Chinese course a Latin word alone is mostly code, a product or a translation."""
    one = facts.term.candidate
    return NO if one.lang == "zh" and one.normal.isascii() else ABSTAIN


def pointed_out(facts: Facts) -> int:
    """The Chinese course itself points it out, in a title or by wording such as X是一种…, so it was kept whole."""
    one = facts.term.candidate
    return YES if one.first_tags[SEED] * 2 > one.count and len(one.words) == 1 else ABSTAIN


def set_phrase(facts: Facts) -> int:
    """The Chinese tagger knows it as an idiom or set phrase, which is of general language."""
    one = facts.term.candidate
    return NO if len(one.words) == 1 and 2 * (one.first_tags["l"] + one.first_tags["i"]) > one.count else ABSTAIN


def chain_of_words(facts: Facts) -> int:
    """A Chinese chain of three words or more is a phrase, not a name."""
    one = facts.term.candidate
    return NO if one.lang == "zh" and len(one.words) > 2 else ABSTAIN


def ends_in_a_general_word(facts: Facts) -> int:
    """Its last word, such as "problem" or "step", fits any subject."""
    return NO if facts.generic_head else ABSTAIN


def general_word_alone(facts: Facts) -> int:
    """A noun of any science, such as "step" or "function", is no concept by itself."""
    return NO if facts.generic_alone else ABSTAIN


def clumps(facts: Facts) -> int:
    """Terms cluster where they are taught, other words are spread evenly (residual IDF, Church and Gale 1995)."""
    if facts.blocks < _FEWEST_BLOCKS:
        return ABSTAIN
    return YES if facts.clumping >= _CLUMPED else NO if facts.clumping < _EVEN else ABSTAIN


def comes_back(facts: Facts) -> int:
    """What is taught is taken up again later; what is said in one place only is an example."""
    if facts.blocks < _FEWEST_BLOCKS:
        return ABSTAIN
    return YES if facts.spread >= 4 else NO if facts.spread < 2 else ABSTAIN


def named_in_a_title(facts: Facts) -> int:
    """A title names it."""
    return YES if facts.titled else ABSTAIN


def asked_about(facts: Facts) -> int:
    """An FAQ entry, a glossary or a recorded search asks about it, and the lectures speak of it."""
    return YES if facts.asked and facts.spoken >= 0.5 else ABSTAIN


def called_so(facts: Facts) -> int:
    """The course names it with "called", "known as" or 叫做."""
    return YES if facts.named else ABSTAIN


def has_an_introduction(facts: Facts) -> int:
    """A sentence introduces it: "A condition is a term which …", "this is called …"."""
    return YES if facts.introduced else ABSTAIN


def defined_somewhere(facts: Facts) -> int:
    """A sentence says what it is."""
    return YES if facts.defined else ABSTAIN


def has_an_acronym(facts: Facts) -> int:
    """What is abbreviated is an established name."""
    names = facts.term.names
    short = any(name.isupper() and name.isascii() and 1 < len(name) <= 6 for name in names)
    return YES if short and any(not name.isupper() for name in names) else ABSTAIN


def has_kin(facts: Facts) -> int:
    """Names come in families that share a last word: binary tree, search tree, spanning tree."""
    return YES if facts.words > 1 and facts.kin >= 6 and not facts.generic_head else ABSTAIN


def proper_name(facts: Facts) -> int:
    """Names of people, places and products are not what is taught; short forms, taken for names by taggers, may be."""
    return NO if facts.proper >= 0.5 and not _is_short_form(facts) else ABSTAIN


def holds_a_number(facts: Facts) -> int:
    """With a number in it, it is a value or a label of a figure."""
    return NO if any(word[0].isdigit() for word in facts.term.candidate.words) else ABSTAIN


def near_the_subject(facts: Facts) -> int:
    """It is talked of together with what the course is surely about: the seeds, else what titles name."""
    if facts.closeness is None:
        return ABSTAIN
    return YES if facts.closeness >= 0.75 else NO if facts.closeness < 0.4 else ABSTAIN


def kin_of_the_subject(facts: Facts) -> int:
    """It shares its last word with seeds, or with terms that titles name."""
    return YES if facts.words > 1 and facts.kin_of_anchors >= 2 else ABSTAIN


def listed_with_the_subject(facts: Facts) -> int:
    """It stands in a list beside a seed, or beside a term that titles name: "stacks and queues", 栈和队列."""
    return YES if facts.listed else ABSTAIN


def of_the_papers(facts: Facts) -> int:
    """Documents say it more than lectures do, so it is of the papers around the course: rules, dates, grading."""
    return NO if facts.spoken < 0.5 else ABSTAIN


def given_as_a_seed(facts: Facts) -> int:
    """Somebody who knows the course says that it is one."""
    return YES if facts.seed else ABSTAIN


FUNCTIONS = labelling_functions(
    several_words,
    frequent_and_whole,
    hangs_together,
    holds_a_technical_word,
    key_to_the_course,
    part_of_a_longer_term,
    adds_to_a_term,
    stands_alone,
    begins_with_a_judgement,
    begins_with_a_loose_word,
    begins_with_a_verb,
    cut_off,
    is_a_unit,
    latin_word_in_chinese,
    pointed_out,
    set_phrase,
    chain_of_words,
    ends_in_a_general_word,
    general_word_alone,
    clumps,
    comes_back,
    named_in_a_title,
    asked_about,
    called_so,
    has_an_introduction,
    defined_somewhere,
    has_an_acronym,
    has_kin,
    proper_name,
    holds_a_number,
    near_the_subject,
    kin_of_the_subject,
    listed_with_the_subject,
    of_the_papers,
    given_as_a_seed,
)
"""All of them, in the order they are shown."""
