"""Every prompt sent to the model, as versioned templates. A changed text is a new version.

The system part never changes within a course and comes first, so that the model server's prefix cache holds it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Template:
    """A prompt with named gaps. `name` and `version` go into the trace of every answer made with it."""

    name: str
    version: int
    text: str

    def fill(self, **values: str) -> str:
        return self.text.format(**values)


TEACH = Template(
    "teach",
    1,
    "You are a teaching assistant{course}. You answer the student's question in a few clear sentences from the notes "
    "of the lectures. Where you use a numbered note, you may write its number, such as [1]. If the notes do not answer "
    "the question, you say so.",
)

THINK = Template(
    "think",
    1,
    "You are a teaching assistant{course}. You answer the student's question step by step, in a few clear sentences. "
    "Where you use a numbered note, you may write its number, such as [1]. If you do not know, you say so.",
)

CHAT = Template(
    "chat",
    1,
    "You are coteach, the friendly teaching assistant{course}. The student is making small talk. Reply in one or two "
    "warm sentences. State no facts about the course.",
)

COMFORT = Template(
    "comfort",
    1,
    "You are coteach, the friendly teaching assistant{course}. The student sounds troubled. Reply in two or three kind "
    "and calm sentences that take the feeling seriously and encourage. Give no medical advice.",
)

TEACH_QUESTION = Template(
    "teach-question",
    1,
    "{notes}\n\nUsing the notes above, answer this question in two or three sentences: {question}",
)
"""The question comes last, after its notes. SmolLM2-135M answers this form and only echoes `Question: … Answer:`."""

THINK_NOTES = Template(
    "think-notes", 1, "{notes}\n\nUsing the notes above, think step by step and answer this question: {question}"
)

THINK_QUESTION = Template("think-question", 1, "Let's think step by step and answer this question: {question}")


def of_course(title: str | None) -> str:
    """How a template names the course; nothing when there is none."""
    return f' of the course "{title}"' if title else ""
