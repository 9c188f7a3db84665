"""The parts of which English wordings of a definition are made.

Belongs here: regular expressions for what stands around a term, such as determiners, asides and verbs. The wordings are
in `english.py`.
"""

import re

DET = r"(?:(?:an?|the|our|my|your|every|each|any|all|so-called|what's called) |[\"“']){0,6}"
KINDS = (
    r"algorithm|technique|method|idea|problem|function|model|structure|procedure|concept|notion|property|process|term|"
    r"approach|task|operation|rule|theorem|principle|thing|tool|phrase|word|system|set|step|setting"
)
"""Nouns that say of what kind a term is, without saying what it is."""
PURPOSES = (
    r"idea|goal|purpose|point|job|aim|definition|intuition|meaning|role|effect|task|function|formula|notion|concept|"
    r"advantage|essence|principle"
)
CALLED = r"(?:called|known as|referred to as|termed|named)"
_OF_KINDS = (
    r"algorithm|technique|method|idea|problem|concept|notion|property|process|term|approach|task|operation|rule|"
    r"theorem|"
    r"principle|tool|phrase|word|case"
)
KIND_OF = rf"(?:(?:(?:{KINDS}) (?:called |known as )?|(?:{_OF_KINDS}) of ){DET})?"
SAYING = (
    r"(?:says?|said|saying|know|means?|out|see|seen|notes?|recall|remember|fact|so|is|such|shows?|shown|think|believe|"
    r"find|found|observation|idea|and)"
)

SUBJECT = rf"^(?:this )?{DET}{KIND_OF}$"
CLAUSE = (
    rf"(?:[,;:]|,? -+) (?:(?:and|so|then|but) ){{0,2}}{DET}$"
    rf"|\b(?:{SAYING} that|because|where|recall|remember|say|means|so) {DET}{KIND_OF}$"
)
"""The term as subject of the sentence, and of a clause in it."""
ANY_CLAUSE = rf"(?:[,;:]|\b(?:{SAYING} that|because|where|so|and|but)) {DET}{KIND_OF}$"
CALLED_KIND = rf"\b(?:an?|the|this) (?:\w+ ){{0,2}}(?:{KINDS})s? (?:\w+ )?(?:called|known as) {DET}$"
AFTER_WORD = (
    r"(?:^|[,;:]|\b(?:about|of|called|use|using|with|by|for|is|was|and|or|see|define|consider|apply|run|have|get|as|"
    rf"to)) {DET}$"
)
"""The term after a word that can end a phrase of its own."""

HEAD = rf"(?: (?:{KINDS})s?)?"
_OF = r"(?: (?:of|for|in) (?:(?:an?|the|your|our|this|some|each) )?[\w-]+(?: [\w-]+)?)?"
_OR = r"[\"”']?(?: ?\([^)]{1,40}\)| or (?:the |an? )?[\w-]+(?: [\w-]+){0,2}?|, [^,.]{2,60},)?"
ASIDE = HEAD + _OR
OF_ASIDE = HEAD + _OF + _OR
"""What may stand between a term and its verb: its kind, what it is of, another name."""

ADVERB = (
    r"(?: (?:actually|basically|essentially|just|simply|really|then|also|therefore|nothing but|usually|always|often|"
    r"generally|typically|in fact|only|sometimes|automatically))*"
)
IS = rf",? ?(?: is| are|'s|’s){ADVERB}"
IS_A = rf"(?:{IS}| would be{ADVERB}| will be{ADVERB})"
VAGUE = (
    r"(?!(?:very |pretty |really |quite |fairly |so |one )*"
    r"(?:bit|little|lot|called|known|good|great|bad|nice|best|better|same|case|reason|right|next|only|first|second|"
    r"third|"
    r"following|important|big|huge|terrible|reasonable|common|popular|fine|we|i|you|being|example|most|"
    r"of (?:the|those|these|our|my)|bunch|way of saying|problem with|question|matter|topic|subject|last|few|couple|"
    r"idea|hard|easy|simple to|key step|thing (?:i|we|you)|interesting|one|unusual|natural|useful|different|more|less|"
    r"other|another|new|similar|(?:\w+ ){0,2}(?:topic|example|video|lecture|question|idea|choice|way to go))\b)"
)
"""Not followed by praise, order or comparison: "the same thing", "a good one" define nothing."""

REFERS = (
    r",? (?:refers? to|just means?|means? (?!that (?:you|we|i)\b)|(?:is|are) defined (?:as|to be|by)|stands? for|"
    r"consists? of|denotes?|describes?|(?:is|are) (?:composed|made up|made) of|says? that)\b"
)
_VERBS = (
    "act add allow alternate analyze approximate ask assign assume build calculate capture carry change choose "
    "aim combine compare compute connect consider contain control convert correspond cover decide describe detect "
    "determine divide enable encode ensure estimate execute exist exploit express find fit focus form generate give go "
    "group guarantee help hold implement indicate iterate keep learn let look maintain map maximize mean measure "
    "minimize model move multiply need offer organize output perform predict prevent proceed produce project "
    "provide quantify reach read receive recommend reduce relate rely remove repeat replace represent require "
    "return run say scale search send separate serve set share show solve sort specify split start store summarize "
    "support take tell tend test trace transform translate traverse treat try turn update use view visit want work "
    "write"
).split()
BASE = "|".join(_VERBS)
THIRD = "|".join(
    verb[:-1] + "ies"
    if re.search("[^aeiou]y$", verb)
    else verb + ("es" if re.search("(?:s|x|ch|sh|o)$", verb) else "s")
    for verb in _VERBS
)
DOES = (
    rf",?(?: (?:can|will|would|may|might|should|must){ADVERB} (?:{BASE}|have)\b"
    rf"|{ADVERB} (?:{THIRD}|has (?:an?|the))\b"
    rf"|(?<=s){ADVERB} (?:{BASE}|have (?:an?|the))\b)"
)
"""What a term does: third person, or a plural with the plain verb."""
PASSIVE = (
    rf",?(?: is| are| can be| will be){ADVERB} (?:used|useful|designed|meant|intended|given by|computed|obtained|"
    r"formed|measured|represented|built|organized|made|constructed|supposed|named|stored|determined|calculated|said to)"
)
DONE = (
    rf"{IS} (?!going\b|supposed\b|called\b|based\b|related\b)[a-z]{{2,20}}(?:ed|en|lt) "
    r"(?:by|to|as|into|from|using|with|so|out of)\b"
)
NO_DOING = r"(?!(?:is|was|has|as|does|this|seems|gets|becomes|looks|goes|happens|suffers)\b)"
WE = (
    r"(?:we|you(?! know)|i|what (?:we|you)|there(?:'s| is| are)|our goal|the (?:goal|task|idea|aim|algorithm)|each|"
    r"every|all)"
)
IN_ORDER_TO = rf"{HEAD},? (?:(?:in order )?to (?!do\b|get\b|this\b|be\b)|for (?:the purpose of )?\w+ing )\w+"
END_OF_CLAUSE = r"[\"”']?(?:[.,;:!]|$| (?:or|and|because|of|in|for|since|problem|algorithm|method|function)\b)"
