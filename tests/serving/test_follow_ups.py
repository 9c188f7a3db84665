"""Follow-ups: dialogues whose last question leans on what was said before, and such whose last question does not."""

from dataclasses import dataclass

import pytest
from follow_up_rows import algorithms

from knowledge_graph.graph.concept_graph import ConceptGraph
from serving.assistant.understanding.focus import Focus, Position, find_listed
from serving.assistant.understanding.follow_up_question import Resolved
from serving.assistant.understanding.follow_ups import focus_of, resolve
from serving.llm.messages import Message

SORTS = "There are:\n1. **Bubble sort**: swaps neighbours\n2. **Merge sort**: splits in halves"
PAIXU = "有三种：\n1. 冒泡排序：相邻交换\n2. 归并排序：先分后合\n3. 快速排序"


@dataclass(frozen=True)
class Dialogue:
    """The user's turns, the last question and what it becomes; `None` when it must stay. `answer` precedes it."""

    turns: tuple[str, ...]
    question: str
    becomes: str | None
    answer: str | None = None

    def history(self) -> list[Message]:
        said = [Message("user", turn) for turn in self.turns]
        return [*said, Message("assistant", self.answer)] if self.answer else said


ENGLISH: list[Dialogue] = [
    Dialogue(("what does the heap mean in a sort",), "and the fringe?", "what does the fringe mean in a sort"),
    Dialogue(("What is the heap?",), "and the fringe?", "the fringe of heap?"),
    Dialogue(("doorstep vs stack",), "give me an example", "give me an example of doorstep?"),
    Dialogue(("What is lecture 10 about?",), "and the one after it?", "What is lecture 11 about?"),
    Dialogue(
        ("what does the area of a 2D shape tell me",), "And what about 3D?", "what does the area of a 3D shape tell me"
    ),
    Dialogue(
        ("does the marine biology degree require statistics?",),
        "what about the history ba?",
        "does the history ba require statistics?",
    ),
    Dialogue(
        ("what does it mean if the heap is empty?",),
        "can you still sort a stack then?",
        "can you still sort a stack if the heap is empty?",
    ),
    Dialogue(
        ("how big is the heap of a full binary tree",), "what does a small one mean?", "what does a small heap mean?"
    ),
    Dialogue(("what is recursion",), "do all algorithms have it?", "do all algorithms have recursion?"),
    Dialogue(
        ("how do i find the heap of a binary tree",), "does every queue have one?", "does every queue have a heap?"
    ),
    Dialogue(
        ("how do i find the learning rate for gradient descent",),
        "does every gradient descent have one?",
        "does every gradient descent have a learning rate?",
    ),
    Dialogue(
        ("Do I need calculus to take MATH 2100 (linear algebra)?",),
        "and for MATH 1300 (Discrete Structures)?",
        "Do I need calculus to take MATH 1300 (Discrete Structures)?",
    ),
    Dialogue(
        ("how many credits is MATH 2100 (linear algebra)?", "and for MATH 1300 (Discrete Structures)?"),
        "and COMP 3300?",
        "how many credits is COMP 3300?",
    ),
    Dialogue(
        ("I took HIST 1010 - can I get into HIST 3120 (Maps and Power)",),
        "when does it meet?",
        "when does HIST 3120 meet?",
    ),
    Dialogue(
        ("in which cases is breadth-first search better than depth-first search",),
        "example?",
        "in which cases is breadth-first search better than depth-first search (example)",
    ),
    Dialogue(
        ("when is depth-first search better",),
        "what about the breadth-first one?",
        "when is breadth-first search better",
    ),
    Dialogue(
        ("how do I delete a key from a heap in a binary tree",),
        "what if it has two children?",
        "how do I delete a key from a heap in a binary tree, if it has two children?",
    ),
    Dialogue(
        ("how many compares does merge sort make on an array that is sorted",),
        "and when its in descending order?",
        "how many compares does merge sort make on an array that is sorted, when its in descending order?",
    ),
    Dialogue(("give me a summary of week 3",), "the next week?", "give me a summary of week 4"),
    Dialogue(("summarise lecture 10",), "and the previous one?", "summarise lecture 9"),
    Dialogue(
        ("what does a binary search tell me geometrically",),
        "ok but what about 3d?",
        "what does a binary search tell me geometrically, in 3d?",
    ),
    Dialogue(("When is assignment 2 due?",), "and assignment 3?", "When is assignment 3 due?"),
    Dialogue(("how many late days are for A3",), "and for the quizzes?", "how many late days are for the quizzes"),
    Dialogue(
        ("which classes meet on Fridays in spring 2027",),
        "and in fall 2027?",
        "which classes meet on Fridays in fall 2027",
    ),
    Dialogue(("what are the prerequisites of COMP 3400",), "what comes after it?", "what comes after COMP 3400?"),
    Dialogue(("I got 48% in the final, do I pass?",), "can i take it again", "can i take the final again"),
    Dialogue(("When is the final exam?",), "how long does it take", "how long does the final exam take"),
    Dialogue(("When is assignment 2 due?",), "can i hand it in late", "can i hand assignment 2 in late"),
    Dialogue(("期中考试什么时候？",), "它难吗", "期中考试难吗"),
    Dialogue(("When is the midterm?",), "what about the final exam?", "When is the final exam?"),
    Dialogue(("What is binary search?",), "and its complexity?", "time complexity of binary search?"),
    Dialogue(("What is binary search?",), "what is its complexity?", "what is the time complexity of binary search?"),
    Dialogue(("What is merge sort?",), "and its complexity?", "complexity of merge sort?"),
    Dialogue(("What is binary search?",), "How does it work?", "How does binary search work?"),
    Dialogue(
        ("What is the complexity of binary search?",), "and of merge sort?", "What is the complexity of merge sort?"
    ),
    Dialogue(
        ("What is the time complexity of binary search?",),
        "what about quick sort?",
        "What is the time complexity of quick sort?",
    ),
    Dialogue(
        ("What is the time complexity of merge sort?",),
        "and the space complexity?",
        "What is the space complexity of merge sort?",
    ),
    Dialogue(("What is a stack?",), "for example?", "An example of stack?"),
    Dialogue(("what is a blind stack",), "give me some examples", "give me some examples of blind stack?"),
    Dialogue(("What is a stack?",), "Can you give me an example?", "Can you give me an example of stack?"),
    Dialogue(("Is quick sort stable?",), "why?", "Is quick sort stable? Why?"),
    Dialogue(("What is a heap?",), "why?", "Why heap?"),
    Dialogue(("What is a heap?",), "what are the advantages?", "what are the advantages of heap?"),
    Dialogue(("What is a heap?",), "I don't understand", "Explain heap in more detail."),
    Dialogue(("What is a heap?",), "Why is this algorithm useful?", "Why is heap useful?"),
    Dialogue(("What is overfitting?",), "How do I prevent it?", "How do I prevent overfitting?"),
    Dialogue(
        ("How do you sort with merge sort?",),
        "and in the worst case?",
        "How do you sort with merge sort, in the worst case?",
    ),
    Dialogue(("What is quick sort?",), "and the pivot?", "the pivot of quick sort?"),
    Dialogue(("Which sorts are there?",), "How does the second one work?", "How does Merge sort work?", answer=SORTS),
    Dialogue(
        ("What is the difference between a stack and a queue?",),
        "how are they implemented?",
        "how are stack and queue implemented?",
    ),
    Dialogue(
        ("What is the difference between a stack and a queue?",),
        "What is the former used for?",
        "What is stack used for?",
    ),
    Dialogue(("Compare a stack and a queue",), "Which one is faster?", "Which one is faster, stack or queue?"),
    Dialogue(("What is recursion?", "thanks!"), "what is it good for?", "what is recursion good for?"),
    Dialogue(
        ("What is recursion?",),
        "Is it slower than dynamic programming?",
        "Is recursion slower than dynamic programming?",
    ),
    Dialogue(
        ("What is the complexity of binary search?", "and of merge sort?"),
        "and of quick sort?",
        "What is the complexity of quick sort?",
    ),
    Dialogue(
        ("Which page explains sorting?",), "what is it?", "what is quick sort?", answer="Page 3 explains quick sort."
    ),
    Dialogue(("What is binary search?",), "can you explain it again?", "Explain binary search in more detail."),
    Dialogue(("What is binary search?",), "Does that always work?", "Does binary search always work?"),
    Dialogue(("What is binary search?",), "how fast is it?", "how fast is binary search?"),
    Dialogue(("What is binary search?",), "what's an example of that?", "what's an example of binary search?"),
    Dialogue(
        ("What is binary search?",), "is that the same as merge sort?", "is binary search the same as merge sort?"
    ),
    Dialogue(("What is binary search?",), "so what's the point of it?", "so what's the point of binary search?"),
    Dialogue(("What is binary search?",), "who invented it?", "who invented binary search?"),
    Dialogue(
        ("What is binary search?",), "what are some applications of it?", "what are the applications of binary search?"
    ),
    Dialogue(("What is binary search?",), "compared to merge sort?", "binary search compared to merge sort?"),
    Dialogue(
        ("What is binary search?",),
        "how can I implement this in Python?",
        "how can I implement binary search in Python?",
    ),
    Dialogue(("What is binary search?",), "How would you implement that?", "How would you implement binary search?"),
    Dialogue(
        ("What is binary search?",),
        "so it's faster than linear search?",
        "so binary search is faster than linear search?",
    ),
    Dialogue(("What is binary search?",), "why is it faster?", "why is binary search faster?"),
    Dialogue(("What is binary search?",), "What does this mean?", "What does binary search mean?"),
    Dialogue(("What is binary search?",), "give me another example", "give me another example of binary search?"),
    Dialogue(("What is binary search?",), "What are its main steps?", "What are the main steps of binary search?"),
    Dialogue(
        ("What is binary search?",), "could you show me the code?", "could you show me the code of binary search?"
    ),
    Dialogue(("What is binary search?",), "When should I not use it?", "When should I not use binary search?"),
    Dialogue(("What is a hash table?",), "How do I run it in O(n)?", "How do I run hash table in O(n)?"),
    Dialogue(("What is a hash table?",), "Where is it used?", "Where is hash table used?"),
    Dialogue(("What is a hash table?",), "WHAT IS IT?", "WHAT IS hash table?"),
    Dialogue(("What is a hash table?",), "What is it used for in IT?", "What is hash table used for in IT?"),
    Dialogue(("What is a hash table?",), "How do I use it in my project?", "How do I use hash table in my project?"),
    Dialogue(
        ("What is a hash table?",),
        "Why is it fast and when is that not so?",
        "Why is hash table fast and when is that not so?",
    ),
    Dialogue(
        ("When does quick sort become slow?",),
        "does merge sort have that problem too?",
        "When does merge sort become slow?",
    ),
    Dialogue(
        ("What happens to quick sort in a linked list?",),
        "does the same happen with merge sort?",
        "What happens to merge sort in a linked list?",
    ),
    Dialogue(
        ("What is the worst case of quick sort?",), "and in the best case?", "What is the best case of quick sort?"
    ),
    *(
        Dialogue(("What is a heap?", said), "How does it work?", "How does heap work?")
        for said in ("lol", "👍", "I'm so stressed", "asdfgh", "what is the")
    ),
]

CHINESE: list[Dialogue] = [
    Dialogue(("堆是什么意思",), "那截距呢", "截距是什么意思"),
    Dialogue(("门阶和栈有什么区别",), "举个例子", "举个门阶的例子。"),
    Dialogue(("海洋生物专业要修统计学吗",), "那历史专业呢", "历史专业要修统计学吗"),
    Dialogue(("如果堆是空的，会发生什么？",), "那还能用快速排序吗", "如果堆是空的，还能用快速排序吗？"),
    Dialogue(("快排什么情况下会变得很慢",), "那归并排序会不会也有这种情况", "归并排序什么情况下会变得很慢"),
    Dialogue(("快速排序为什么不稳定",), "归并排序也会这样吗", "归并排序为什么不稳定"),
    Dialogue(("快排是稳定的吗",), "那归并呢", "归并排序是稳定的吗"),
    Dialogue(("快速排序的时间复杂度是多少？",), "那归并呢", "归并排序的时间复杂度是多少？"),
    Dialogue(("归并排序是稳定的吗",), "那快排呢", "快速排序是稳定的吗"),
    Dialogue(
        ("二叉树里怎么用递归删掉一个数？",), "要是它有两个孩子呢？", "二叉树里怎么用递归删掉一个数，要是它有两个孩子？"
    ),
    Dialogue(("第10讲讲了什么？",), "那下一讲呢？", "第11讲讲了什么？"),
    Dialogue(("第十讲讲了什么？",), "那第十二讲呢", "第12讲讲了什么？"),
    Dialogue(("期中考试什么时候考？",), "那期末考试呢？", "期末考试什么时候考？"),
    Dialogue(("什么是二分查找？",), "那它的复杂度呢？", "二分查找的时间复杂度？"),
    Dialogue(("什么是归并排序？",), "它的复杂度是多少？", "归并排序的复杂度是多少？"),
    Dialogue(("什么是二分查找？",), "复杂度呢", "二分查找的时间复杂度？"),
    Dialogue(("二分查找的复杂度是多少？",), "那归并排序呢？", "归并排序的复杂度是多少？"),
    Dialogue(("二分查找的时间复杂度是多少？",), "空间复杂度呢？", "二分查找的空间复杂度是多少？"),
    Dialogue(("什么是栈？",), "它有什么用？", "栈有什么用？"),
    Dialogue(("什么是栈？",), "举个例子", "举个栈的例子。"),
    Dialogue(("什么是栈？",), "比如呢？", "举个栈的例子。"),
    Dialogue(("快速排序是稳定的吗？",), "为什么？", "快速排序是稳定的吗？为什么？"),
    Dialogue(("什么是栈？",), "为什么呢？", "栈为什么是这样？"),
    Dialogue(("什么是栈？",), "怎么实现？", "栈怎么实现？"),
    Dialogue(("什么是栈？",), "有什么优点？", "栈有什么优点？"),
    Dialogue(("什么是栈？",), "优缺点呢？", "栈的优缺点？"),
    Dialogue(("什么是过拟合",), "如何避免这个问题？", "如何避免过拟合？"),
    Dialogue(("什么是递归",), "其本质是什么？", "递归的本质是什么？"),
    Dialogue(("什么是递归",), "没听懂", "请详细解释递归。"),
    Dialogue(("什么是递归",), "能再详细一点吗？", "请详细解释递归。"),
    Dialogue(("什么是快速排序",), "那基准呢？", "快速排序的基准？"),
    Dialogue(("二分查找怎么做",), "如果数组没有排序呢？", "如果数组没有排序，二分查找怎么做？"),
    Dialogue(("栈和队列的区别是什么",), "前者有什么用？", "栈有什么用？"),
    Dialogue(("栈和队列的区别是什么",), "它们怎么实现？", "栈和队列怎么实现？"),
    Dialogue(("栈和队列的区别是什么",), "哪个更快？", "栈和队列哪个更快？"),
    Dialogue(("有哪些排序方法",), "第二个怎么实现？", "归并排序怎么实现？", answer=PAIXU),
    Dialogue(("有哪些排序方法",), "最后一个呢？", "快速排序呢？", answer=PAIXU),
    Dialogue(("什么是梯度下降", "谢谢老师"), "这个算法有什么缺点？", "梯度下降有什么缺点？"),
    Dialogue(("什么是梯度下降",), "它和动态规划有什么区别？", "梯度下降和动态规划有什么区别？"),
    Dialogue(("什么是二分查找？",), "那它稳定吗？", "那二分查找稳定吗？"),
    Dialogue(("什么是二分查找？",), "有代码吗？", "二分查找有代码吗？"),
    Dialogue(("什么是二分查找？",), "怎么用代码实现？", "二分查找怎么用代码实现？"),
    Dialogue(("什么是二分查找？",), "和归并排序有什么区别？", "二分查找和归并排序有什么区别？"),
    Dialogue(("什么是二分查找？",), "这个概念怎么理解？", "二分查找怎么理解？"),
    Dialogue(("什么是二分查找？",), "它为什么比较快？", "二分查找为什么比较快？"),
    Dialogue(("什么是二分查找？",), "什么时候用它？", "什么时候用二分查找？"),
    Dialogue(("什么是二分查找？",), "请再解释一下", "请详细解释二分查找。"),
    Dialogue(("什么是二分查找？",), "这是什么意思？", "请详细解释二分查找。"),
    Dialogue(("什么是二分查找？",), "能用Python实现它吗", "能用Python实现二分查找吗"),
    Dialogue(("什么是二分查找？",), "应用呢？", "二分查找的应用？"),
    Dialogue(("什么是二分查找？",), "它适合什么数据？", "二分查找适合什么数据？"),
    Dialogue(("什么是二分查找？",), "那有什么缺点呢", "二分查找有什么缺点？"),
    Dialogue(("什么是二分查找？",), "什么时候用？", "二分查找什么时候用？"),
    Dialogue(("什么是二分查找？",), "一般用在哪里？", "二分查找一般用在哪里？"),
    Dialogue(("什么是二分查找？",), "那最坏情况呢？", "二分查找的最坏情况？"),
    Dialogue(("什么是二分查找？",), "如何证明？", "二分查找如何证明？"),
    Dialogue(("什么是二分查找？",), "具体步骤是什么？", "二分查找的具体步骤是什么？"),
    Dialogue(("什么是二分查找？",), "学这个有什么用", "学二分查找有什么用"),
    Dialogue(("快速排序稳定吗",), "那堆呢", "堆稳定吗"),
    Dialogue(("快速排序的最坏情况是什么",), "在最好情况下呢", "快速排序的最好情况是什么"),
    Dialogue(("栈和队列的区别是什么",), "两者怎么实现？", "栈和队列怎么实现？"),
    Dialogue(("什么是栈？", "哈哈"), "它怎么用？", "栈怎么用？"),
    Dialogue(("什么是栈？", "压力好大"), "它怎么用？", "栈怎么用？"),
]

ENGLISH_ALONE: list[Dialogue] = [
    Dialogue(("What is lecture 1 about?",), "and the one before it?", None),
    Dialogue(("What is a stack?",), "and the next one?", None),
    Dialogue(("why did the stack overflow?",), "when was that?", None),
    Dialogue(("What is binary search?",), "What is a queue?", None),
    Dialogue(("What is binary search?",), "What is time complexity?", None),
    Dialogue(("What is binary search?",), "What is an AVL tree and why do we need it?", None),
    Dialogue(("What is binary search?",), "Is it possible to take the exam again?", None),
    Dialogue(("What is binary search?",), "When is this assignment due?", None),
    Dialogue(("What is binary search?",), "this course is great", None),
    Dialogue(("What is binary search?",), "I like it", None),
    Dialogue(("What is binary search?",), "What time is it?", None),
    Dialogue(("What is binary search?", "When does the semester begin?"), "how does it work?", None),
    Dialogue(("What is binary search?",), "Does it matter if the array is not sorted?", None),
    Dialogue(("What is binary search?",), "How does a stack work and what is its use?", None),
    Dialogue(("What is binary search?",), "and when is the deadline?", None),
    Dialogue(("What is binary search?",), "merge sort", None),
    Dialogue((), "and its complexity?", None),
    Dialogue((), "why?", None),
    Dialogue(("hello",), "what does it mean?", None),
    Dialogue(("What is binary search?",), "Is there a faster way?", None),
    Dialogue(("What is binary search?",), "what is the weather today?", None),
    Dialogue(("What is binary search?",), "I did it!", None),
    Dialogue(("What is binary search?",), "Are you a robot?", None),
    Dialogue(("What is binary search?",), "Will this be on the exam?", None),
    Dialogue(("What is binary search?",), "that's great", None),
    Dialogue(("What is binary search?",), "What does the teacher mean by that?", None),
    Dialogue(("What is binary search?",), "What is the last one?", None),
    Dialogue(("What is binary search?",), "Explain the first law of thermodynamics", None),
    Dialogue(("What is binary search?",), "how are you?", None),
    Dialogue(("What is binary search?",), "What about lunch?", None),
    Dialogue(("What is binary search?",), "and you?", None),
    Dialogue(("What is binary search?",), "What's up?", None),
    Dialogue(("What is binary search?",), "Do they offer a certificate?", None),
    Dialogue(("What is binary search?",), "Can I ask a question?", None),
    Dialogue(("What is binary search?",), "What is the purpose of life?", None),
    Dialogue(("What is binary search?",), "What are the prerequisites of this course?", None),
    *(
        Dialogue(("What is a hash table?",), question, None)
        for question in (
            "Who works in IT?",
            "for it in items: print(it) - what does this print?",
            "Why do they call it that?",
            "It crashes when I run it, why?",
            "Why is it that my code never stops?",
            "will it rain?",
            "How do I turn it in?",
            "Can I retake it?",
            "Do I have to pay for it?",
            "Where is it held?",
            "What is their email?",
            "When did they land on the moon?",
            "What's the difference between them?",
            "Which of them is faster?",
            "and if I fail?",
            *(f"and the {thing}?" for thing in ("TA", "final", "project", "room", "fee", "forum", "book")),
        )
    ),
]

CHINESE_ALONE: list[Dialogue] = [
    Dialogue(("什么是二分查找？",), "什么是队列？", None),
    Dialogue(("什么是二分查找？",), "时间复杂度是什么", None),
    Dialogue(("什么是二分查找？",), "其他算法呢", None),
    Dialogue(("什么是二分查找？",), "其实我不想学了", None),
    Dialogue(("什么是二分查找？",), "这个课程什么时候结束？", None),
    Dialogue(("什么是二分查找？",), "这个视频打不开怎么办？", None),
    Dialogue(("什么是二分查找？",), "那作业呢？", None),
    Dialogue(("什么是二分查找？",), "你呢？", None),
    Dialogue(("什么是二分查找？",), "红黑树是什么，它有什么用？", None),
    Dialogue(("什么是二分查找？",), "归并排序", None),
    Dialogue(("什么是二分查找？",), "好的，谢谢", None),
    Dialogue(("什么是二分查找？",), "今天天气怎么样？", None),
    Dialogue(("什么是二分查找？", "教室在哪？"), "它怎么用？", None),
    Dialogue((), "它的复杂度是多少？", None),
    Dialogue((), "举个例子", None),
    Dialogue(("你好",), "这是什么意思？", None),
    Dialogue(("什么是二分查找？",), "第二个作业什么时候交？", None),
    Dialogue(("什么是二分查找？",), "我叫什么名字？", None),
    Dialogue(("什么是二分查找？",), "你是谁？", None),
    Dialogue(("什么是二分查找？",), "这道题怎么做？", None),
    Dialogue(("什么是二分查找？",), "这个老师叫什么？", None),
    Dialogue(("什么是二分查找？",), "那什么时候考试？", None),
    Dialogue(("什么是二分查找？",), "怎么办", None),
    Dialogue(("什么是二分查找？",), "有没有其它资料", None),
    Dialogue(("什么是二分查找？",), "老师呢？", None),
    Dialogue(("什么是二分查找？",), "这样对吗？", None),
    Dialogue(("什么是二分查找？",), "那些人是谁？", None),
    Dialogue(("什么是二分查找？",), "其中第三步是什么", None),
    Dialogue(("什么是二分查找？",), "为什么要上课？", None),
    Dialogue(("什么是二分查找？",), "这周的内容是什么？", None),
    Dialogue(("什么是二分查找？",), "哪个好吃", None),
    Dialogue(("什么是二分查找？",), "比较一下栈和队列", None),
    *(
        Dialogue(("什么是哈希表？",), question, None)
        for question in (
            *("这是哪个老师", "那是几点", "那是哪一年", "两者有什么区别", "这个多少钱", "如果挂科呢"),
            *("那Python呢", "助教呢", "地点呢", "时间呢", "钱呢", "答案呢"),
        )
    ),
]


@pytest.fixture(scope="module")
def graph() -> ConceptGraph:
    return algorithms()


def after(graph: ConceptGraph, question: str, *turns: str) -> Resolved:
    return resolve(question, focus=focus_of([Message("user", turn) for turn in turns], graph=graph), graph=graph)


@pytest.mark.parametrize("said", [*ENGLISH, *CHINESE], ids=lambda said: said.question)
def test_a_follow_up_is_made_to_stand_alone(graph: ConceptGraph, said: Dialogue) -> None:
    found = resolve(said.question, focus=focus_of(said.history(), graph=graph), graph=graph)
    assert found.question == said.becomes
    assert found.added


@pytest.mark.parametrize("said", [*ENGLISH_ALONE, *CHINESE_ALONE], ids=lambda said: said.question)
def test_a_question_that_stands_alone_or_leans_on_nothing_known_stays(graph: ConceptGraph, said: Dialogue) -> None:
    found = resolve(said.question, focus=focus_of(said.history(), graph=graph), graph=graph)
    assert found.question == said.question
    assert found.added == ()


def test_what_was_added_is_said_for_people(graph: ConceptGraph) -> None:
    found = after(graph, "and its complexity?", "What is binary search?")
    assert found.added == (
        "its complexity -> binary search (from the previous question)",
        "complexity -> time complexity (taught with binary search)",
    )


@pytest.mark.parametrize(
    ("question", "turn", "choices"),
    [
        ("what is its complexity?", "What is the difference between a stack and a queue?", ("en:stack", "en:queue")),
        ("它的复杂度是多少？", "栈和队列的区别是什么", ("zh:栈", "zh:队列")),
    ],
)
def test_of_two_equally_recent_concepts_none_is_chosen(
    graph: ConceptGraph, question: str, turn: str, choices: tuple[str, str]
) -> None:
    found = after(graph, question, turn)
    assert found == Resolved(question, reason="ambiguous", candidates=choices)


def test_what_about_another_thing_is_not_what_the_answer_named_in_passing(graph: ConceptGraph) -> None:
    turns = [Message("user", "what is loss aversion"), Message("assistant", "Think of a stack and a queue.")]
    focus = focus_of(turns, graph=graph)
    assert resolve("what about the sunk cost fallacy?", focus=focus, graph=graph).reason == "no_focus"


def test_thanks_keep_the_subject_and_another_question_ends_it(graph: ConceptGraph) -> None:
    assert after(graph, "How does it work?", "What is a heap?", "thank you").is_changed
    assert after(graph, "How does it work?", "What is a heap?", "Who won the match?").reason == "no_focus"


@pytest.mark.parametrize(
    ("first", "answer", "then", "becomes"),
    [
        (
            "what is amortized analysis",
            "It averages the cost of an operation. A heap and a stack have one too.",
            "and is that the same as the average case?",
            "and is amortized analysis the same as the average case?",
        ),
        ("什么是摊还分析？", "栈和堆都有。", "它和平均情况一样吗？", "摊还分析和平均情况一样吗？"),
    ],
)
def test_it_is_what_was_asked_about_and_not_what_the_answer_names_in_passing(
    graph: ConceptGraph, first: str, answer: str, then: str, becomes: str
) -> None:
    focus = focus_of([Message("user", first), Message("assistant", answer)], graph=graph)
    assert resolve(then, focus=focus, graph=graph).question == becomes


def test_the_users_concept_goes_before_the_answers(graph: ConceptGraph) -> None:
    said = [Message("user", "What is a heap?"), Message("assistant", "A heap is a binary tree.")]
    assert focus_of(said, graph=graph).topics[0].concepts == ("en:heap",)


@pytest.mark.parametrize(
    ("answer", "meant"), [("A heap takes fewer than a stack.", ("en:heap",)), ("A stack takes none.", ("en:stack",))]
)
def test_what_was_asked_about_is_left_only_where_the_next_answer_speaks_of_others(
    graph: ConceptGraph, answer: str, meant: tuple[str, ...]
) -> None:
    asked = [Message("user", "How does a heap work?"), Message("assistant", "It is a binary tree.")]
    said = [*asked, Message("user", "how many comparisons on average"), Message("assistant", answer)]
    assert focus_of(said, graph=graph).topics[0].concepts == meant


@pytest.mark.parametrize(
    ("second", "concepts"),
    [
        (70, ("en:binary search",)),
        (100, ("en:binary search",)),
        (305, ("en:time complexity",)),
        (59, ()),
        (900, ()),
    ],
)
def test_a_moment_of_a_video_tells_the_concept_spoken_of_last(
    graph: ConceptGraph, second: int, concepts: tuple[str, ...]
) -> None:
    assert graph.concepts_at("algo", "03 searching", second * 1000) == concepts


def test_before_the_first_question_it_is_what_the_video_shows(graph: ConceptGraph) -> None:
    focus = focus_of([], graph=graph, position=Position("algo", "03 searching", 70_000))
    found = resolve("How does it work?", focus=focus, graph=graph)
    assert found.question == "How does binary search work?"
    assert found.added == ("it -> binary search (from the video)",)


def test_two_concepts_at_one_moment_are_a_choice(graph: ConceptGraph) -> None:
    focus = focus_of([], graph=graph, position=Position("algo", "04 sorting", 110_000))
    found = resolve("what does this mean?", focus=focus, graph=graph)
    assert set(found.candidates) == {"en:quick sort", "en:bubble sort"}


def test_here_is_the_video_whatever_was_asked_before(graph: ConceptGraph) -> None:
    said = [Message("user", "What is a heap?")]
    focus = focus_of(said, graph=graph, position=Position("algo", "03 searching", 70_000))
    assert resolve("Can you explain this part?", focus=focus, graph=graph).question == (
        "Can you explain this part (binary search)?"
    )


@pytest.mark.parametrize(
    ("question", "becomes"),
    [
        ("What is this video about?", 'What is the video "Searching" about?'),
        ("这个视频讲了什么？", "视频《Searching》讲了什么？"),
    ],
)
def test_this_video_is_named_by_its_title(graph: ConceptGraph, question: str, becomes: str) -> None:
    focus = focus_of([], graph=graph, position=Position("algo", "03 searching", 0, "Searching"))
    assert resolve(question, focus=focus, graph=graph).question == becomes


@pytest.mark.parametrize(
    "question",
    ["Can I park here?", "why is there an error here in my code?", "this lecture hall is where?", "这里停车要钱吗"],
)
def test_a_place_is_no_moment_of_the_video(graph: ConceptGraph, question: str) -> None:
    focus = focus_of([], graph=graph, position=Position("algo", "03 searching", 65_000, "Searching"))
    assert not resolve(question, focus=focus, graph=graph).is_changed
    assert resolve("what happens here?", focus=focus, graph=graph).is_changed


def test_without_a_title_this_video_stays(graph: ConceptGraph) -> None:
    assert not resolve("What is this video about?", focus=Focus(), graph=graph).is_changed


def test_a_list_is_read_by_line_and_in_brackets() -> None:
    assert find_listed("- stack: last in\n- queue: first in") == ("stack", "queue")
    assert find_listed("Two kinds: (1) stack; (2) queue.") == ("stack", "queue")
    assert find_listed("1. only one") == ()


def test_a_concept_that_a_new_graph_no_longer_holds_is_not_put_in(graph: ConceptGraph) -> None:
    focus = focus_of([Message("user", "What is a heap?")], graph=graph)
    assert resolve("How does it work?", focus=focus, graph=ConceptGraph.from_rows()).reason == "no_focus"


@pytest.mark.parametrize(
    "text", ["", "   ", "?", "\x00\x01", "\u202eabc?", "it " * 33_000, "嗯" * 100_000, "什么是" * 30_000]
)
def test_bad_input_stays_as_it_is(graph: ConceptGraph, text: str) -> None:
    assert after(graph, text, text, "What is a heap?").question == text
    assert after(graph, "What is a heap?", text).question == "What is a heap?"
