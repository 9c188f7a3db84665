"""Counts what a question costs at the model server: each of its requests, even one that was broken off.

A bill is opened where a question begins and follows it through tasks and threads, as its context does. What is asked
of the model without one (an exam) is counted by nobody.
"""

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass

from serving.llm.messages import Message

BYTES_PER_TOKEN = 4
"""For the tokens of a prompt whose server reported none, as for an answer that was broken off. About right for English;
too low by at most a third for Chinese (three bytes a character, of which tokenizers make one token or less)."""


@dataclass
class TokenBill:
    """Tokens of one question so far, and requests to the model server."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    requests: int = 0

    def charge(self, prompt: int, completion: int) -> None:
        self.prompt_tokens += prompt
        self.completion_tokens += completion
        self.requests += 1

    def take(self) -> "TokenBill":
        """What came since it was taken last."""
        taken = TokenBill(self.prompt_tokens, self.completion_tokens, self.requests)
        self.prompt_tokens = self.completion_tokens = self.requests = 0
        return taken


BILL: ContextVar[TokenBill | None] = ContextVar("bill", default=None)
"""The bill of the question that is worked on here."""


def open_bill() -> TokenBill:
    """A new bill for what is asked from here on."""
    bill = TokenBill()
    BILL.set(bill)
    return bill


def estimate_prompt_tokens(messages: Sequence[Message]) -> int:
    """Tokens of a prompt that its server did not count."""
    return sum(len(one.content.encode("utf-8", "replace")) for one in messages) // BYTES_PER_TOKEN + 1
