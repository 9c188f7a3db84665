"""`Message`: one turn of a dialogue, as students, the assistant and the model server exchange it."""

from dataclasses import dataclass
from typing import Literal

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True)
class Message:
    """One message of a chat completion."""

    role: Role
    content: str
