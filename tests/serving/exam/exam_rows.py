"""A small course whose exam the tests know: concepts, sentences and rules in English and Chinese."""

from knowledge_graph.lake.records import Concept, Lang
from knowledge_graph.transcripts.sentences import LectureSentence
from serving.exam.material import CourseMaterial, Rule

DEFINED: dict[Lang, dict[str, str]] = {
    "en": {
        "stack": "A stack is a collection from which the item added last is removed first.",
        "queue": "A queue is a collection from which the item added first is removed first.",
        "linked list": "A linked list is a data structure in which every element points to the next node.",
        "hash table": "A hash table is a data structure that stores pairs at positions computed by a hash function.",
        "binary heap": "A binary heap is a complete tree in which no child is smaller than its parent.",
        "merge sort": "Merge sort is an algorithm that halves a sequence, sorts both halves and merges them.",
    },
    "zh": {
        "栈": "栈是后进入的元素最先离开的线性表。",
        "队列": "队列是先进入的元素最先离开的线性表。",
        "链表": "链表是每个结点都指向后继结点的存储结构。",
        "哈希表": "哈希表是根据哈希函数直接确定存储位置的查找表。",
    },
}
SAID: dict[Lang, list[str]] = {
    "en": [
        "Today is a short lecture.",
        "Binary search needs a sorted sequence.",
        "A stack is used for function calls because the last call must return before the others.",
        "Fine, let us begin, because time is short.",
    ],
    "zh": ["函数调用要用栈来保存现场，因为最后的调用必须最先返回。", "今天天气不错。"],
}
RULES: dict[Lang, list[tuple[str, str]]] = {
    "en": [
        ("Can I use an assistant?", "In the quizzes and the final exam no AI assistant may be used."),
        ("Is there a resit?", "There is no resit of the midterm. The weight of the final exam grows instead."),
        ("When do lectures come?", "A new lecture is published every Monday."),
    ],
    "zh": [("作业", "不得在讨论区公开未截止作业的完整代码。"), ("更新", "视频每周一上午十点更新。")],
}

CLASSES = (
    ("ZOOL 1100 Birds", "Feathers, songs and nests of the birds of the coast. Boots are lent.\nCredits: 3"),
    ("ZOOL 2100 Bird Song", "How songs are learnt, recorded and drawn.\nCredits: 3\nPrerequisite: ZOOL 1100."),
    (
        "ZOOL 3100 Migration",
        "Routes over the ocean, followed by radio.\nCredits: 4\nPrerequisites:\nZOOL 2100 and\nSTAT 1200 Counting.",
    ),
    ("ZOOL 3200 Museums", "Skins and eggs, taught in the museum by its staff.\nCredits: 2\nPrerequisite: none."),
)


def catalogue() -> CourseMaterial:
    """A catalogue of four classes: no lectures, no concepts."""
    entries = tuple(Rule(f"class-{place}", "catalog", title, text) for place, (title, text) in enumerate(CLASSES))
    return CourseMaterial("uni", "en", rules=entries, classes=entries)


def material(lang: Lang = "en") -> CourseMaterial:
    return CourseMaterial(
        "ds",
        lang,
        tuple(_concept(name, text, lang, rank) for rank, (name, text) in enumerate(DEFINED[lang].items(), 1)),
        tuple(_sentence(text, lang, place) for place, text in enumerate(SAID[lang])),
        tuple(Rule(f"rule-{place}", "document", title, text) for place, (title, text) in enumerate(RULES[lang])),
    )


def _concept(name: str, definition: str, lang: Lang, rank: int) -> Concept:
    return Concept("ds", f"ds:{name}", name, (), lang, rank, 0.9, definition, "subtitle", None, (), 3, (), {}, 0.95)


def _sentence(text: str, lang: Lang, place: int) -> LectureSentence:
    at = 5_000 * place
    return LectureSentence(f"s{place}", "ds", "01", "Stacks", 0, place, 0, lang, at, at + 5_000, text, 0.5)
