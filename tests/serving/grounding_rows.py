"""Questions about a made-up course, with evidence, a grounded answer in other words, and one that is not grounded."""

from typing import NamedTuple

from serving.index.evidence import Evidence


class Row(NamedTuple):
    question: str
    evidence: str
    grounded: str
    invented: str


def evidence(*texts: str, title: str = "") -> list[Evidence]:
    return [
        Evidence(number=n, evidence_id=f"e{n}", source="document", course_id="ds", title=title, text=text)
        for n, text in enumerate(texts, start=1)
    ]


ENGLISH = [
    Row(
        "How fast is binary search?",
        "Binary search halves the interval at every step. It needs at most 20 comparisons for a million keys.",
        "For a million keys binary search needs at most 20 comparisons, as the interval is halved at every step.",
        "For a million keys binary search needs about 500 comparisons, as shown by Donald Knuth.",
    ),
    Row(
        "Who invented quicksort?",
        "Quicksort was invented in 1959 by Tony Hoare, while he was a visiting student at Moscow State University.",
        "Quicksort was invented by Tony Hoare.",
        "Quicksort was invented by John von Neumann.",
    ),
    Row(
        "When is homework 3 due?",
        "Homework 3 is due on 14 October at 18:00. Late work loses ten percent a day.",
        "It is due on 14 October, and late work loses 10% a day.",
        "It is due on 21 October, and late work loses 25% a day.",
    ),
    Row(
        "What is a hash table?",
        "A hash table stores each key in a slot that a hash function computes from it. Two keys of one slot collide.",
        "A hash table stores each key in the slot that a hash function computes from it.",
        "A hash table is a balanced tree whose leaves are sorted by colour and rotated weekly.",
    ),
    Row(
        "Why do we normalise the features?",
        "Gradient descent converges slowly when features differ in scale, so they are normalised before training.",
        "Because gradient descent converges slowly when features differ in scale.",
        "Because the university requires it for certification of laboratory equipment.",
    ),
    Row(
        "Is merge sort stable?",
        "Merge sort is stable: equal elements keep their order. It needs extra memory for n elements.",
        "Yes, merge sort is stable: equal elements keep their order.",
        "No, the heap property of Williams makes partitions unstable in 1964.",
    ),
]

CHINESE = [
    Row(
        "快速排序是谁发明的？",
        "快速排序由托尼·霍尔在1959年发明，当时他在莫斯科国立大学访问。",
        "快速排序是托尼·霍尔在1959年发明的。",
        "快速排序是约翰·冯诺在1972年发明的。",
    ),
    Row(
        "哈希表是什么？",
        "哈希表用哈希函数计算每个键的存储位置。两个键落在同一位置时发生冲突。",
        "哈希表用哈希函数计算每个键的存储位置。",
        "哈希表是一种按照颜色排列叶子的平衡树，每周旋转三次。",
    ),
    Row(
        "第三次作业什么时候截止？",
        "第三次作业在十月十四日截止，迟交每天扣百分之十。",
        "在10月14日截止，迟交每天扣10%。",
        "在10月21日截止，迟交每天扣25%。",
    ),
    Row(
        "为什么要对特征归一化？",
        "特征的尺度不同时，梯度下降收敛得很慢，因此训练之前要对特征归一化。",
        "因为特征尺度不同时梯度下降收敛得很慢。",
        "因为学校规定实验室设备必须通过年度认证。",
    ),
    Row(
        "归并排序稳定吗？",
        "归并排序是稳定的：相等的元素保持原来的顺序。它需要额外的内存。",
        "是的，归并排序是稳定的，相等的元素保持原来的顺序。",
        "不是，威廉姆斯证明了堆的性质会破坏分区。",
    ),
]
