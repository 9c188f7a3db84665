"""How English speakers and writers word a definition, with what each wording is worth.

Belongs here: whole wordings, each named by its shape. The parts they are made of are in `parts.py`.
"""

from knowledge_graph.definitions.parts import (
    ADVERB,
    AFTER_WORD,
    ANY_CLAUSE,
    ASIDE,
    CALLED,
    CALLED_KIND,
    CLAUSE,
    DET,
    DOES,
    DONE,
    END_OF_CLAUSE,
    HEAD,
    IN_ORDER_TO,
    IS,
    IS_A,
    KIND_OF,
    KINDS,
    NO_DOING,
    OF_ASIDE,
    PASSIVE,
    PURPOSES,
    REFERS,
    SAYING,
    SUBJECT,
    VAGUE,
    WE,
)
from knowledge_graph.definitions.patterns import Pattern, pattern

_IN_A_CLAUSE = 0.78  # of the weight of the same wording at the start of a sentence


def _of_subject(name: str, weight: float, after: str) -> tuple[Pattern, Pattern]:
    """The term as subject of the sentence, and of a clause in it."""
    return (
        pattern(name, weight, SUBJECT, after),
        pattern(f"clause: {name}", round(_IN_A_CLAUSE * weight, 2), CLAUSE, after, "clause"),
    )


_IS_SOMETHING = (
    *_of_subject("X is a kind of thing", 1.0, rf"{OF_ASIDE}{IS_A} (?:an?|one|any) {VAGUE}[\w-]{{2,}}"),
    *_of_subject("X is the thing that", 0.85, rf"{OF_ASIDE}{IS_A} the {VAGUE}[\w-]{{2,}}"),
    *_of_subject("X refers to", 1.0, rf"{OF_ASIDE}{REFERS}"),
    *_of_subject(
        "X is when, X is how",
        0.8,
        rf"{ASIDE}(?:{IS} (?:when|where|how|what|defined|to)\b(?! (?:we|i|you)(?:'re|'ll|'ve)\b)"
        r"| (?:occurs|happens|arises|comes|comes about) (?:when|if)\b)",
    ),
    *_of_subject("X is doing something", 0.62, rf"{ASIDE}{IS} (?!(?:go|do|be|hav|gett)ing\b)\w+ing\b"),
    *_of_subject("Xs are things", 0.66, rf"{ASIDE} are (?:\w+ly )?{VAGUE}(?!(?:not|going|we|all)\b)[\w-]+ \w+"),
    *_of_subject("X is used to", 0.7, rf"{ASIDE}{PASSIVE}\b"),
    *_of_subject("X is done by", 0.55, rf"{ASIDE}{DONE}"),
    *_of_subject("X does something", 0.62, rf"{ASIDE}{DOES}"),
    *_of_subject(
        "X is somehow", 0.5, rf"{ASIDE}(?:{IS}| has(?! \w+ed\b)| have(?! \w+ed\b)| will| can) {VAGUE}[\w-]{{2,}}"
    ),
    *_of_subject("X does anything", 0.6, rf"{ASIDE}{ADVERB} {NO_DOING}[a-z]{{2,20}}s\b (?!of\b)"),
    pattern(
        "the parts of X are",
        0.62,
        rf"^the (?:parameters|inputs?|outputs?|elements|components|parts|properties|steps|ingredients) (?:of|to|"
        rf"for) {DET}$",
        rf"{HEAD}(?: is| are){ADVERB} (?!(?:not|the same|also|going)\b)\w+",
    ),
    pattern(
        "X of something is got by",
        0.66,
        SUBJECT,
        r"(?: (?:of|with respect to) [^,.;]{2,60}){1,2},?(?: that| this| it)? (?:can be|is|are) "
        r"(?:obtained|computed|calculated|given|found|measured) (?:by|as|from)\b",
    ),
    pattern(
        "things have an X that can",
        0.66,
        r"(?<!\bwe)(?<!\byou)(?<!\bi) (?:has|have) (?:an?|some) $",
        rf"{ASIDE} (?:that|which)(?: the \w+)? (?:is|are|was|were|can|could) (?:(?:trying|used|meant|made) to )?\w",
    ),
    pattern("clause: X is or does", 0.5, ANY_CLAUSE, rf"{ASIDE}(?:{IS} {VAGUE}|{DOES}|{PASSIVE}\b)", "clause"),
    pattern("for Y X does", 0.66, r"^(?:for|with|in) (?:the|an?) (?:[\w-]+ ){1,5}$", DOES),
    pattern("about X does", 0.6, rf"\babout {DET}$", rf"{HEAD}{DOES}", "clause"),
    pattern(
        "this is X and it does",
        0.85,
        rf"\b\w+ (?:is|are|'s)(?: also| just)?(?: {CALLED})? {DET}$",
        rf"{HEAD},? (?:and|which)(?: so)?(?: it| they)?{DOES}",
    ),
)

_MEANS = (
    pattern(
        "by X we mean",
        1.0,
        rf"\bby {DET}$",
        r"[\"”']?,? (?:(?:what )?(?:we|i|you|people)(?: (?:really|just))? mean|that means)\b",
    ),
    pattern(
        "clause: by X we mean",
        1.0,
        rf"\b(?:and|so|but) by {DET}$",
        r"[\"”']?,? (?:(?:what )?(?:we|i|you|people)(?: (?:really|just))? mean|that means)\b",
        "clause",
    ),
    pattern(
        "when I say X I mean",
        1.25,
        rf"\b(?:say|says|talk about|use the (?:word|term)) {DET}$",
        r"[\"”']?,? (?:what )?(?:we|i)(?: (?:really|just))? mean\b",
    ),
    pattern("what I mean by X is", 0.9, rf"\bmeans? by {DET}$", rf"{HEAD}[\"”']? is\b"),
    pattern(
        "think of X as",
        0.95,
        rf"\b(?:think (?:of|about)|view|regard|define|describe) {DET}$",
        r"[\"”']? (?:as|to be)\b",
    ),
    pattern(
        "X, that is to say",
        0.55,
        r"",
        r"[\"”']?,? (?:that is,|i\.e\.|meaning|in other words|which means?|which refers? to|which stands for),? ",
    ),
    pattern("X - doing something", 0.62, AFTER_WORD, rf"{HEAD}[\"”']?(?:,? -+|:) (?:an?|the|\w+ing) \w"),
)

_CALLED_SO = (
    pattern(
        "this is called X",
        0.75,
        r".{25}\b(?:(?<!what )(?<!what)(?:is|are|be|'s)(?: \w+ly| also| often| sometimes| what is| what's){0,2} "
        rf"{CALLED}|(?:is|'s|are) what (?:we|people|they)(?: \w+ly| also| often)? (?:call|"
        rf"refer to as)) {DET}{KIND_OF}$",
        END_OF_CLAUSE,
        names=True,
    ),
    pattern(
        "the process of doing is called X",
        0.95,
        r"^(?:this|the) (?:\w+ )?(?:process|procedure|technique|method|idea|practice|act|problem|task|property|step|"
        r"case) "
        rf"(?:of|where|when|that) .{{5,120}} (?:is|are)(?: also| often| sometimes)? {CALLED} {DET}$",
        END_OF_CLAUSE,
        names=True,
    ),
    pattern(
        "this is called X because",
        0.8,
        rf"^.{{10,}}\b(?:is|are)(?: also| often| sometimes)? {CALLED} {DET}$",
        rf"{HEAD}[\"”']?,? (?:because|since)\b",
        names=True,
    ),
    pattern(
        "we call this X",
        0.66,
        r".{25}\b(?:call (?:this|that|it|these|them|such \w+)"
        rf"|(?!(?:{KINDS}|something|what's|are|is|also)s?\b)\w+,? (?:called|known as)) {DET}{KIND_OF}$",
        r"[\"”']?[,.;]",
        names=True,
    ),
    *(
        pattern(f"{name}, which {does}", weight, before, rf"{HEAD}[\"”']?,?(?P<that> (?:{which})){after}", "relative")
        for name, before, which in (("a thing called X", CALLED_KIND, "which|that"), ("X", AFTER_WORD, "which"))
        for does, weight, after in (
            ("is a thing", 0.68, rf"(?: is| are){ADVERB} (?:an?|the|when|how) {VAGUE}\w"),
            ("does something", 0.62, rf"(?:{DOES}|{PASSIVE})\b"),
        )
    ),
    pattern(
        "an algorithm called X to",
        0.66,
        rf"\b(?:{KINDS})s? (?:\w+ )?(?:{CALLED}|of) {DET}$",
        r"[\"”']?,? (?:whose|to|for \w+ing)\b(?! (?:i|we)\b)",
    ),
    pattern("an algorithm called X", 0.42, rf"\b(?:{KINDS})s? (?:\w+ )?{CALLED} {DET}$", r"", names=True),
    pattern(
        "X, where",
        0.65,
        rf"(?:^|\b(?:is|be|called|of|about|do|as|problem|problems|,)) {DET}$",
        rf"{HEAD}[\"”']?,? (?:where|in which) (?:we|you|the|each|there|it|an?)\b",
    ),
)

_PURPOSE = (
    pattern(
        "the idea of X is",
        1.0,
        rf"(?:^|[,;:] (?:and |so )?){DET}(?:\w+ )?(?:{PURPOSES}) (?:of|behind|for|in|with) (?:\w+ing )?{DET}{KIND_OF}$",
        rf"{HEAD}[\"”']?,? is(?: just| simply| really)? (?:to|that|an?|the|if|what|as)\b(?! (?:follows|same))",
    ),
    pattern(
        "what the job of X is",
        0.8,
        rf"(?:^|[,;:] |\b(?:and|so) )what the (?:{PURPOSES}) (?:of|behind) {DET}$",
        rf"{HEAD} is\b",
        "clause",
    ),
    pattern(
        "what X does is",
        0.85,
        rf"(?:^|[,;:] )(?:\w+ ){{0,2}}what (?:\w+, )?{DET}$",
        rf"{HEAD},? (?:does|do|is doing|are doing|will do|tries to do|says|means|is)\b,? ?(?:is\b|,)",
    ),
    pattern(
        "X, what we do is",
        0.7,
        rf"(?:^|[,;:] |\b(?:in|with|for|using) ){DET}$",
        rf"{HEAD},? (?:(?:what (?:we|you)(?:'re)?|all (?:we|you|it)) [\w ]{{2,25}} is|the (?:{PURPOSES}) is)\b",
    ),
    pattern(
        "what we can do with X is",
        0.85,
        rf"\bwhat (?:we|you)(?: can| will|'re going to)? (?:do|get) (?:with|in|by) (?:using )?{DET}$",
        rf"{HEAD},? is\b",
    ),
    pattern("the way X works", 0.75, rf"(?:^|[,;:] )the way (?:that )?{DET}$", rf"{HEAD} (?:works?|does this) is\b"),
    pattern(
        "in X, we do",
        0.68,
        rf"^(?:in|with|under|using|through|via) {DET}(?:\w+ of )?$",
        rf"{HEAD},? {WE}(?:'re|’re)?\b",
    ),
    pattern(
        "clause: in X, we do",
        0.62,
        rf"(?:[,;:] |\b(?:{SAYING} that|because) )(?:in|with|for|under|using) {DET}$",
        rf"{HEAD},? {WE}\b(?! \w+(?:n't|not)\b)",
        "clause",
    ),
    pattern(
        "when doing X, we do",
        0.65,
        r"^(?:when|if|whenever|to|in order to|by)(?: (?:we|you)(?:'re)?)? "
        r"(?:do|doing|perform|performing|us(?:e|ing)|run|running|apply|applying|implement|implementing|build|building|"
        rf"plot|plotting|comput(?:e|ing)) {DET}$",
        rf"{HEAD},? (?:what )?(?:we|you|i|the)\b",
    ),
    pattern(
        "if we take X, it",
        0.68,
        rf"^(?:if|when|once) (?:we|you) [a-z]{{3,15}} {DET}$",
        rf"{ASIDE},? (?:then )?(?:it|this|they)(?:'ll| will| would)?(?: \w+ly)? "
        r"(?:looks?|gives?|means?|tells?|is an?|has)\b",
    ),
    pattern(
        "at X, a thing is",
        0.66,
        rf"(?:^|[,;:] |\b(?:{SAYING} that|because|so) )(?:at|in|with|for) {DET}$",
        rf"{HEAD},? (?:the|your|our|its|each|every|all) (?:[\w-]+ ){{1,3}}(?:is|are|will be|would be|has|have)\b",
        "clause",
    ),
    pattern(
        "X, or how to", 0.7, rf"(?:\b(?:about|of|is)|,) {DET}$", r",? (?:or|that is,?|i\.e\.,?) how to \w", "clause"
    ),
    pattern("use X to", 0.6, rf"\b(?:use|using|uses|apply|applying|run|with) {DET}{KIND_OF}$", IN_ORDER_TO),
    pattern(
        "we use X to",
        0.68,
        r"\b(?:we|you|people)(?:'ll|'ve|'re)?(?: can| could| will| also| then| often| instead| going to){0,3} "
        r"(?:use|apply|need|have|add|solve|build|train|implement|compute|run) "
        rf"(?:this )?(?:the [\w-]+(?: [\w-]+)?, or )?{DET}{KIND_OF}$",
        IN_ORDER_TO,
        "clause",
    ),
)

ENGLISH: tuple[Pattern, ...] = tuple(
    sorted((*_IS_SOMETHING, *_MEANS, *_CALLED_SO, *_PURPOSE), key=lambda each: (-each.weight, each.name))
)
"""The wordings, the most telling first."""
