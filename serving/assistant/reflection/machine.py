"""The state machine of one answer: states, events and the table between them (Maastricht, Fig. 1 and section 3). Pure.

Every loop has a cap, so every walk ends. Who carries the states out is `serving.assistant.reflection.loop`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

State = Literal["retrieve", "generate", "grounded?", "answers?", "rewrite", "clarify", "material", "ask_ta", "done"]

Event = Literal["found", "stored", "nothing", "written", "failed", "yes", "no", "rewritten", "unchanged", "questions"]

Counter = Literal["regenerations", "rewrites"]


@dataclass(frozen=True)
class Transition:
    """Where an event leads. With a `counter` it leads there while that one is below its cap, and to `spent` after."""

    to: State
    counter: Counter | None = None
    spent: State | None = None


TABLE: Mapping[tuple[State, Event], Transition] = {
    ("retrieve", "found"): Transition("generate"),
    ("retrieve", "stored"): Transition("done"),
    ("retrieve", "nothing"): Transition("rewrite", "rewrites", "clarify"),
    ("generate", "written"): Transition("grounded?"),
    ("generate", "failed"): Transition("material"),
    ("grounded?", "yes"): Transition("answers?"),
    ("grounded?", "no"): Transition("generate", "regenerations", "material"),
    ("answers?", "yes"): Transition("done"),
    ("answers?", "no"): Transition("rewrite", "rewrites", "clarify"),
    ("rewrite", "rewritten"): Transition("retrieve"),
    ("rewrite", "unchanged"): Transition("clarify"),
    ("clarify", "questions"): Transition("done"),
    ("clarify", "nothing"): Transition("ask_ta"),
    ("material", "found"): Transition("done"),
    ("material", "nothing"): Transition("ask_ta"),
    ("ask_ta", "written"): Transition("done"),
}
"""A draft that is not grounded is written again; one that is, and does not answer, makes the question be asked in other
words, and a stored answer to those ends it. Both spent: what the material says, a question back, or a real TA."""


@dataclass(frozen=True)
class Caps:
    """How often each loop may be entered for one question. The paper gives none; two of each is a choice."""

    regenerations: int = 2
    rewrites: int = 2


@dataclass(frozen=True)
class Walk:
    """One question's way through the table: where it is, and where it was, oldest first."""

    state: State = "retrieve"
    regenerations: int = 0
    rewrites: int = 0
    path: tuple[str, ...] = ()

    def after(self, event: Event, caps: Caps) -> "Walk":
        """The walk after an event. Raises `ValueError` for an event that the state does not know."""
        transition = TABLE.get((self.state, event))
        if transition is None:
            known = ", ".join(sorted(each for state, each in TABLE if state == self.state))
            raise ValueError(f"In the state {self.state} there is no event {event}; there are: {known or 'none'}.")
        seen = replace(self, path=(*self.path, f"{self.state}: {event}"))
        counter = transition.counter
        if counter is None:
            return replace(seen, state=transition.to)
        again = counter == "regenerations"
        used, cap = (self.regenerations, caps.regenerations) if again else (self.rewrites, caps.rewrites)
        if used >= cap and transition.spent is not None:
            return replace(seen, state=transition.spent)
        if again:
            return replace(seen, state=transition.to, regenerations=used + 1)
        return replace(seen, state=transition.to, rewrites=used + 1)


def drawn() -> str:
    """The table as a Mermaid state diagram: dashed labels name the way that a spent counter takes."""
    lines = ["stateDiagram-v2", "    [*] --> retrieve"]
    for (state, event), transition in TABLE.items():
        cap = f" (up to the cap of {transition.counter})" if transition.counter else ""
        lines.append(f"    {_name(state)} --> {_name(transition.to)}: {event}{cap}")
        if transition.spent:
            lines.append(f"    {_name(state)} --> {_name(transition.spent)}: {event}, cap reached")
    lines.append("    done --> [*]")
    return "\n".join(lines) + "\n"


def _name(state: State) -> str:
    return state.rstrip("?")
