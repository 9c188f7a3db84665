"""The real daemon over two small courses, alone and beside commands: the short form of `benchmarks/automation.py`."""

import re
from pathlib import Path

import pytest
from beside import DAEMON_STORY


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_an_edit_an_upload_two_commands_at_once_and_a_kill_end_in_the_bytes_of_one_build_and_no_run_fails_by_itself(
    programs_beside: Path | None,
) -> None:
    done = DAEMON_STORY.result(programs_beside)
    assert done.code == 0, done.printed[-8000:]
    assert "Seen(name='a FAQ row', runs=1, failed=0" in done.printed, "one run, from the file to the index"
    uploaded = re.search(r"Seen\(name='an uploaded file', runs=1, failed=0, .*served_s=(\d+)", done.printed)
    assert uploaded, "what a teacher sends to a gateway is built by the daemon alone and answers a student"
    assert "the same bytes as one build" in done.printed
