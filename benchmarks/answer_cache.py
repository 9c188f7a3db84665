"""How often a log of questions meets an answer that was given before, and how long such an answer takes.

    COTEACH_HOME=data .venv/bin/python benchmarks/answer_cache.py LOG.csv --course shujujiegou

`LOG.csv` has the columns `question` and `session_id`, in the order of asking; all are asked of one course, without a
language model. The first question of a session may be answered from what is kept, a later one never. A hit is
set beside the first answer to the same question in the same run. That no kept answer is stale is shown by
`tests/serving/test_answer_cache.py`, over 200 edits.
"""

import argparse
import asyncio
import csv
import statistics
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from serving.assistant.assistant import Assistant
from serving.gateway.knowledge import load_knowledge
from serving.index.analysis import normalize_question
from serving.llm.messages import Message
from serving.settings import Settings

P95_BOUND_MS = 5


async def replayed(
    assistant: Assistant, log: Iterable[Mapping[str, str]], course_id: str
) -> tuple[list[float], list[float]]:
    """Milliseconds of the answers that were given again, and of all others."""
    again: list[float] = []
    anew: list[float] = []
    said: dict[str, list[Message]] = {}
    for row in log:
        history = said.setdefault(row["session_id"], [])
        began = time.perf_counter()
        answer = await assistant.answer(row["question"], course_id=course_id, history=tuple(history))
        (anew if answer.trace.given_before is None else again).append((time.perf_counter() - began) * 1000)
        history += [Message("user", row["question"]), Message("assistant", answer.text)]
    return again, anew


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", type=Path)
    parser.add_argument("--course", required=True)
    parser.add_argument("--most", type=int, default=3000, help="questions that are asked")
    wanted = parser.parse_args()
    with wanted.log.open(encoding="utf-8", newline="") as opened:
        log = list(csv.DictReader(opened))[: wanted.most]
    if missing := {"question", "session_id"} - set(log[0] if log else ()):
        sys.stderr.write(f"{wanted.log}: the columns question and session_id are needed; missing: {sorted(missing)}.\n")
        return 1
    assistant = load_knowledge(Settings(), None).assistant
    again, anew = asyncio.run(replayed(assistant, log, wanted.course))
    repeated = len(log) - len({normalize_question(row["question"]) for row in log})
    sessions = len({row["session_id"] for row in log})
    share, of_first = len(again) / len(log), len(again) / sessions
    sys.stdout.write(
        f"{len(log)} questions in {sessions} sessions; {repeated / len(log):.1%} repeat an earlier one\n"
        f"answered from what is kept: {share:.1%} of all, {of_first:.1%} of the first of a session\n"
    )
    for name, taken in (("given again", again), ("answered anew", anew)):
        if len(taken) > 1:
            p95 = statistics.quantiles(taken, n=20)[-1]
            sys.stdout.write(f"{name:14} p50 {statistics.median(taken):7.3f} ms   p95 {p95:7.3f} ms\n")
    within = len(again) > 1 and statistics.quantiles(again, n=20)[-1] <= P95_BOUND_MS
    sys.stdout.write(f"p95 of an answer given again within {P95_BOUND_MS} ms: {'yes' if within else 'no'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
