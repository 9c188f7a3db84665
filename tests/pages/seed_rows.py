"""What the invented class of `seed.py` says: questions of students with the answers they got."""

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge_graph.lake.records import Lang
from serving.desk.queue import Reason


@dataclass(frozen=True)
class Said:
    """A question with its answer. `places` are concepts whose definition the answer refers to."""

    question: str
    answer: str
    lang: Lang = "en"
    route: str = "teach"
    source: str | None = None
    category: str = "conceptual"
    confidence: float | None = 0.82
    places: Sequence[str] = ()
    concepts: Sequence[str] = ()
    notice: str = ""
    reasoning: str = ""


STACK = Said(
    "What is a stack?",
    "A stack is a collection in which the element added last is removed first [1].",
    route="direct",
    source="concept",
    confidence=0.97,
    places=("stack",),
    concepts=("stack",),
)
STACK_QUEUE = Said(
    "And how does it differ from a queue?",
    "A stack gives back the newest element first, a queue the oldest [1][2]. Think of a pile of plates and of people "
    "at a counter: you take the plate on top, and you serve whoever came first.",
    places=("stack", "queue"),
    concepts=("stack", "queue"),
    reasoning="Stack: last in, first out. Queue: first in, first out. Both add at one end; they differ in where they "
    "remove.",
)
BST = Said(
    "Why is searching in a binary search tree faster than in a list?",
    "At each node you learn on which side the key must be, so half of what is left falls away each time [1]. In a list "
    "every element may have to be looked at. With $n$ keys that is about $\\log_2 n$ steps against $n$, as long as the "
    "tree is balanced.",
    places=("binary search tree",),
    concepts=("binary search tree", "linked list"),
)
DIJKSTRA = Said(
    "Does Dijkstra's algorithm work with negative weights?",
    "No. It settles the closest vertex once and for all [1]; a negative edge found later could still make the way to "
    "it shorter.",
    places=("Dijkstra's algorithm",),
    concepts=("Dijkstra's algorithm",),
    confidence=0.74,
)
BFS = Said(
    "When do I use BFS and when DFS?",
    "Use breadth-first search when you want the fewest edges, since it visits level by level [1]. Depth-first search "
    "needs less memory on wide graphs and is what topological sorting is built on.",
    places=("breadth-first search",),
    concepts=("breadth-first search", "depth-first search"),
)
LATE = Said(
    "How many late days do I have?",
    "You have five late days for the whole course, and you can use at most two of them on any one programming "
    "assignment.",
    route="direct",
    source="faq",
    category="logistics",
    confidence=0.99,
)
HASH = Said(
    "what happens when two keys hash to the same bucket",
    "That is a collision. With chaining each bucket holds a list of all keys that fell into it; with open addressing "
    "the next free place is looked for [1].",
    places=("hash table",),
    concepts=("hash table", "collision"),
    confidence=0.69,
)
THANKS = Said("thanks, that helped!", "You are welcome. Good luck with the assignment!", route="chat", category="chat")
TIRED = Said(
    "i feel so behind in this course",
    "That is a hard place to be, and many are there in week six. Pick one lecture, not all of them; and write to a TA "
    "when you want a person to talk to.",
    route="chat",
    category="chat",
)
WEATHER = Said("who won the match yesterday", "I can only help with this course.", route="refuse", category="chat")
HEAP = Said(
    "Is a heap the same as a binary search tree?",
    "No. In a heap a parent is only ordered against its children, left and right are not [1]; in a search tree the "
    "whole left side is smaller and the whole right side larger [2].",
    places=("heap", "binary search tree"),
    concepts=("heap", "binary search tree"),
)

ZH_STACK = Said(
    "栈和队列有什么区别？",
    "栈是后进先出，队列是先进先出[1]。可以把栈想成一摞盘子，把队列想成排队的人。",
    lang="zh",
    places=("栈", "队列"),
    concepts=("栈", "队列"),
)
ZH_HASH = Said(
    "什么是哈希表？",
    "哈希表是根据关键字的哈希函数值直接确定存储位置的查找表，也有人叫它散列表[1]。",
    lang="zh",
    route="direct",
    source="concept",
    confidence=0.96,
    places=("哈希表",),
    concepts=("哈希表",),
)
ZH_BST = Said(
    "二叉搜索树什么时候会退化？",
    "按顺序插入关键字时，每个新结点都成为上一个的右孩子，树就退化成一条链，查找要 $O(n)$ 步[1]。",
    lang="zh",
    places=("二叉搜索树",),
    concepts=("二叉搜索树",),
)
ZH_DUE = Said(
    "作业什么时候截止？",
    "每次编程作业在发布后第二周的周日二十三点五十九分截止，具体日期写在作业页面的标题下面。",
    lang="zh",
    route="direct",
    source="faq",
    category="logistics",
    confidence=0.98,
)
ZH_LIST = Said(
    "线性表用数组还是链表实现好？",
    "随机访问多用数组，插入删除多用链表[1]。",
    lang="zh",
    places=("线性表",),
    concepts=("线性表",),
    confidence=0.71,
)
ZH_THANKS = Said("谢谢老师！", "不客气，加油！", lang="zh", route="chat", category="chat")

AMORTISED = Said(
    "What does amortised constant time mean for a dynamic array?",
    "",
    route="ask_ta",
    category="conceptual",
    confidence=None,
    concepts=("dynamic array",),
)
RED_BLACK = Said(
    "Will red-black trees be in the exam?",
    "I found nothing on this in the course material, so I passed your question to a TA.",
    route="ask_ta",
    category="logistics",
    confidence=None,
)
ZH_EXAM = Said(
    "期末考试可以带一页手写笔记吗？",
    "课程资料里没有找到相关说明，我已把你的问题转给助教。",
    lang="zh",
    route="ask_ta",
    category="logistics",
    confidence=None,
)
GROUP = Said(
    "Can we hand in assignment 3 as a group of two?",
    "The material I have does not say whether groups are allowed for assignment 3.",
    category="logistics",
    confidence=0.31,
)
QUICKSORT = Said(
    "Why is quicksort O(n log n) on average when its worst case is quadratic?",
    "Quicksort splits the array at a pivot. On average the pivot falls near the middle, so there are about $\\log n$ "
    "levels of work $n$ each.",
    confidence=0.58,
    places=("quicksort",),
    concepts=("quicksort", "worst case"),
    reasoning="Pivot in the middle: log n levels. Pivot at the end: n levels.",
)
ZH_AVL = Said(
    "平衡二叉树旋转的时候怎么判断是左旋还是右旋？",
    "看失衡结点的平衡因子：左边高就右旋，右边高就左旋。",
    lang="zh",
    confidence=0.52,
    places=("二叉搜索树",),
    concepts=("平衡二叉树",),
)
FAILED = Said(
    "Explain topological sorting with an example",
    "",
    route="none",
    confidence=None,
    concepts=("topological sort",),
)

CONVERSATIONS: Sequence[Sequence[Said]] = (
    (STACK, STACK_QUEUE, THANKS),
    (STACK,),
    (BST, HEAP),
    (BST,),
    (DIJKSTRA,),
    (BFS, DIJKSTRA, THANKS),
    (LATE,),
    (LATE, THANKS),
    (HASH,),
    (HEAP,),
    (TIRED,),
    (WEATHER,),
    (RED_BLACK,),
    (ZH_STACK,),
    (ZH_STACK, ZH_LIST, ZH_THANKS),
    (ZH_HASH,),
    (ZH_BST,),
    (ZH_DUE,),
    (ZH_EXAM,),
)

OPEN: Sequence[tuple[int, Sequence[Said], Reason, str, str]] = (
    (340, (ZH_AVL,), "thumbs_down", "", "只说了结论，没有讲为什么。能不能画一个例子？"),
    (190, (FAILED,), "no_answer", "", ""),
    (
        95,
        (STACK, AMORTISED),
        "asked",
        "The lecture says pushing is O(1), but sometimes the whole array is copied. How can that be constant?",
        "",
    ),
    (52, (GROUP,), "low_confidence", "", ""),
    (33, (BST, QUICKSORT), "thumbs_down", "", "It does not say why the worst case almost never happens."),
    (12, (ZH_EXAM,), "asked", "周五就考试了，想早点知道。", ""),
    (6, (RED_BLACK,), "asked", "", ""),
)
"""Minutes ago, the conversation whose last turn waits, why, the note to the TA, and the comment of the thumb."""
