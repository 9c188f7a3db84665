"""The face of the intent model, as serving asks it. `models.intent.classifier.IntentClassifier` stands behind it."""

from typing import Protocol


class IntentScores(Protocol):
    """What the intent model says of one question; `h` is the chit-chat score of eq. 4, `complex` that it asks for
    reasoning, both 0..1."""

    @property
    def category(self) -> str: ...
    @property
    def h(self) -> float: ...
    @property
    def complex(self) -> float: ...


class Intent(Protocol):
    """The intent model. `alpha_for` is its calibrated chit-chat threshold for a question of this length."""

    def alpha_for(self, question: str) -> float: ...
    def classify(self, question: str, *, previous: str = "", course: str = "") -> IntentScores: ...
