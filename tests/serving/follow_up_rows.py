"""A small course on searching, sorting and learning, in English and in Chinese, for dialogues about it."""

from typing import Any

from course_rows import concept

from knowledge_graph.graph.concept_graph import ConceptGraph

Row = dict[str, Any]


def seen(course: str, video: str, *times: tuple[int, int]) -> list[Row]:
    """Evidence: a concept is spoken of in a video at these times, in seconds."""
    return [
        {
            "course_id": course,
            "span": {
                "video_id": video,
                "start_ms": start * 1000,
                "end_ms": end * 1000,
                "text": "words of the lecture",
                "document": None,
                "page": None,
                "article": None,
            },
        }
        for start, end in times
    ]


# name -> where it is spoken of. Binary search is taught with one complexity, merge sort with two.
ENGLISH: dict[str, list[Row]] = {
    "binary search": seen("algo", "03 searching", (60, 75), (200, 210)),
    "time complexity": [*seen("algo", "03 searching", (300, 310)), *seen("algo", "04 sorting", (500, 510))],
    "space complexity": seen("algo", "04 sorting", (520, 530)),
    "merge sort": seen("algo", "04 sorting", (10, 20)),
    "quick sort": seen("algo", "04 sorting", (100, 120)),
    "bubble sort": seen("algo", "04 sorting", (100, 120)),
    "stack": [],
    "queue": [],
    "hash table": [],
    "linked list": [],
    "binary tree": [],
    "heap": [],
    "recursion": [],
    "dynamic programming": [],
    "breadth-first search": [],
    "depth-first search": [],
    "gradient descent": [],
    "learning rate": [],
    "overfitting": [],
    "algorithm": [],
}
CHINESE: dict[str, list[Row]] = {
    "二分查找": seen("suanfa", "第三讲", (60, 75)),
    "时间复杂度": [*seen("suanfa", "第三讲", (300, 310)), *seen("suanfa", "第四讲", (500, 510))],
    "空间复杂度": seen("suanfa", "第四讲", (520, 530)),
    "归并排序": seen("suanfa", "第四讲", (10, 20)),
    "快速排序": [],
    "冒泡排序": [],
    "栈": [],
    "队列": [],
    "哈希表": [],
    "链表": [],
    "二叉树": [],
    "堆": [],
    "递归": [],
    "动态规划": [],
    "广度优先搜索": [],
    "深度优先搜索": [],
    "梯度下降": [],
    "学习率": [],
    "过拟合": [],
    "算法": [],
}


def algorithms() -> ConceptGraph:
    rows = [
        concept(f"{lang}:{name}", name, None, course_ids=[course], evidence=evidence)
        for lang, course, names in (("en", "algo", ENGLISH), ("zh", "suanfa", CHINESE))
        for name, evidence in names.items()
    ]
    courses = [
        {
            "course_id": one,
            "title": one,
            "lang": lang,
            "subject": None,
            "domains": [],
            "policy": None,
            "instructors": [],
            "shares_with": None,
            "is_platform": False,
        }
        for one, lang in (("algo", "en"), ("suanfa", "zh"))
    ]
    return ConceptGraph.from_rows(rows, [], courses)
