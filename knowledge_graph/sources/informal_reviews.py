"""Informal reviews of classes: `informal_reviews.csv` or `.jsonl`, one opinion a row (Tulane 6).

What the paper's users asked for most were easy classes, which no catalogue names. Nobody checks such rows: they are
their own source, are called what they are wherever they are shown, and are not searched unless that is set.
"""

import hashlib

from knowledge_graph.lake.problems import Problem, display_path
from knowledge_graph.lake.records import CourseCard, InformalReview
from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.fields import (
    LONGEST_QUESTION,
    LONGEST_TEXT,
    Fields,
    ProblemLog,
    excess,
    lower_keys,
    texts_of,
)
from knowledge_graph.sources.files import read_text
from knowledge_graph.sources.folders import CourseFolder, input_files
from knowledge_graph.sources.language import lang_of
from knowledge_graph.sources.row_formats import FileRow, FormatError, csv_rows, json_line_rows

_FIELDS: Fields = {
    "about": ("about", "class", "course", "code", "课程", "班级"),
    "text": ("review", "text", "comment", "评价", "评论", "内容"),
    "written_at": ("date", "written_at", "日期", "时间"),
}
_FORM = "Write columns class, review and, if it is known, date."


def read_informal_reviews(
    folder: CourseFolder, card: CourseCard
) -> tuple[tuple[InformalReview, ...], tuple[Problem, ...]]:
    """Every review in file order, the same words about the same class once; what was left out is reported."""
    reviews: dict[str, InformalReview] = {}
    log = BoundedTold()
    for path in input_files(folder, "informal_reviews"):
        log.file = display_path(path, folder.path)
        decoded = read_text(path, log)
        if decoded is not None:
            text = decoded.text.replace("\r\n", "\n").replace("\r", "\n")
            try:
                rows = json_line_rows(text) if path.suffix.lower() == ".jsonl" else csv_rows(text)
            except FormatError as error:
                log.error(error.line, str(error), error.remedy)
                rows = []
            for row in rows:
                if (review := _review(row, card, log)) is not None:
                    reviews.setdefault(review.review_id, review)
        log.close()
    return tuple(reviews.values()), tuple(log.problems)


def _review(row: FileRow, card: CourseCard, log: ProblemLog) -> InformalReview | None:
    if row.defect:
        log.error(row.line, row.defect, "Mend that place: quotes, a comma, or a bracket that is not closed.")
        return None
    values = texts_of(lower_keys(row.fields), _FIELDS, row.line, log)
    about, text = " ".join((values["about"] or "").split()), values["text"] or ""
    if not about or not text:
        log.error(row.line, f"A review without its {'text' if about else 'class'} was left out.", _FORM)
        return None
    if long := excess("class", about, LONGEST_QUESTION) or excess("review", text, LONGEST_TEXT):
        log.error(row.line, f"A review was left out: {long}.", "Shorten it, or remove it.")
        return None
    review_id = hashlib.sha256(f"{about.casefold()}\n{text}".encode()).hexdigest()[:16]
    return InformalReview(card.course_id, review_id, about, text, values["written_at"], lang_of(text, card.lang))
