"""The policy that a course's staff write in `course.yaml`: its text, and how much of it a model is shown."""

LONGEST_POLICY = 1200
"""Characters of a policy that reach the model, about 300 tokens of English. A choice."""


def policy_text(written: str | None) -> str:
    """The policy as it counts: its lines, single-spaced, without the empty ones; "" when there is none."""
    lines = (" ".join(line.split()) for line in (written or "").splitlines())
    return "\n".join(line for line in lines if line)
