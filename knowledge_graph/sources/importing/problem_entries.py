"""`ProblemText`: an exercise in plain words, of any system. `ProblemEntries`: which of them become entries of the FAQ.

Whoever asks is told the solution. So graded ones are left out unless they are asked for, and so is an exercise for
practice that a graded quiz asks, too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from knowledge_graph.sources.bounded_report import BoundedTold
from knowledge_graph.sources.fields import LONGEST_QUESTION, LONGEST_TEXT
from knowledge_graph.sources.headed_text import HtmlError, html_parts
from knowledge_graph.sources.importing.items import ImportedEntry
from knowledge_graph.sources.importing.outline import CourseOutline


@dataclass(frozen=True)
class ProblemText:
    """Plain text. `correct` is empty where only a program can tell; `solution` where nobody wrote one."""

    question: str
    correct: str
    solution: str
    is_computed: bool = False
    """Its numbers are drawn by a script, so that the text is not what a student sees."""

    @property
    def answer(self) -> str:
        if not self.correct:
            return self.solution
        label = "Correct answers:\n" if "\n" in self.correct else "Correct answer: "
        return f"{label}{self.correct}\n\n{self.solution}"

    @property
    def reason_against(self) -> str | None:
        """Why it cannot be explained to students; `None` when it can."""
        reasons = {
            "problems without a written solution": not self.solution,
            "problems with numbers drawn by a script": self.is_computed,
            "problems without a question in words": not self.question,
            f"problems of more than {LONGEST_QUESTION:,} characters": len(self.question) > LONGEST_QUESTION
            or len(self.answer) > LONGEST_TEXT,
        }
        return next((reason for reason, holds in reasons.items() if holds), None)


@dataclass
class ProblemEntries:
    """The exercises of one course. `asked_graded` holds the questions of its graded quizzes, as students read them."""

    outline: CourseOutline
    with_graded: bool = False
    asked_graded: set[str] = field(default_factory=set)
    graded: int = 0

    def entry(
        self, found: ProblemText, *, title: str, author: str, section: str, name: str = "", is_graded: bool = False
    ) -> Iterator[ImportedEntry]:
        """The entry of an exercise, or none, and why. `name` is what its system calls it by, where it does."""
        reason = found.reason_against
        if reason is None and not self.with_graded:
            if is_graded:
                reason = "graded problems, whose solutions students would be told"
            elif found.question in self.asked_graded:
                reason = "problems for practice that a graded quiz asks, too"
        if reason is not None:
            self.outline.leave_out(reason, title)
            return
        self.graded += is_graded
        fields = {"question": found.question, "answer": found.answer, "author": author, "section": section}
        yield ImportedEntry(self.outline.course_id, {"id": name, **fields} if name else fields)

    def quiz_entry(
        self, found: ProblemText | None, kind: str, *, quiz: str, number: int, section: str, name: str, is_graded: bool
    ) -> Iterator[ImportedEntry]:
        """The entry of a quiz's question, or none, and why; `found` is `None` for a kind that is not read."""
        title = f"{quiz}, question {number}"
        if found is None:
            self.outline.leave_out(f"questions of the kind '{kind}'", title)
        else:
            yield from self.entry(
                found, title=title, author=f"Quiz: {quiz}", section=section, name=name, is_graded=is_graded
            )

    def leaves_out(self, title: str, *, is_graded: bool, shows_answers: bool) -> bool:
        """Whether a quiz is left out whole: it is graded, or tells nobody what is right."""
        if is_graded and not self.with_graded:
            self.outline.leave_out("graded quizzes, whose solutions students would be told", title)
        elif not shows_answers:
            self.outline.leave_out("quizzes that never show their answers", title)
        else:
            return False
        return True

    def tell_graded(self, log: BoundedTold) -> None:
        if self.graded:
            message = f"{self.graded} of the imported problems are graded: a student who asks is told their answer."
            log.warning(None, message, "Import without --graded-solutions if that is not wanted.")


def letter(place: int) -> str:
    """A for the first option."""
    return chr(ord("A") + place) if place < 26 else str(place + 1)


def letter_options(options: Sequence[str]) -> list[str]:
    """The options of a question on one line each, as "A) …"."""
    return [f"{letter(place)}) {' '.join(option.split())}" for place, option in enumerate(options)]


def words_of(page: str) -> str:
    """What a piece of HTML says, a line for each of its blocks; empty for one that cannot be parsed."""
    try:
        parts = html_parts(page).parts
    except HtmlError:
        return ""
    lines = "\n".join(f"{heading or ''}\n{text}" for heading, text in parts).split("\n")
    return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)
