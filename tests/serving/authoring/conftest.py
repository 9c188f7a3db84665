"""A whole gateway with course folders beside its home, and a stand-in for what builds."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from gateways import Gateway, running

from serving.gateway.authoring.builds import BuildRoom
from serving.settings import Settings

Result = TypeVar("Result")

SRT = "1\n00:00:01,000 --> 00:00:03,000\nA stack is a list.\n"

SLOW = (
    sys.executable,
    "-c",
    "import sys, time\n"
    "print('  course ds: faq: new', flush=True)\n"
    "try:\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    print('Stopped. What was built is kept', flush=True)\n"
    "    sys.exit(130)\n",
)
"""A build that lasts until it is stopped, and says so as `coteach build` does."""


@pytest.fixture
def courses(tmp_path: Path) -> Path:
    """Two courses: `ds`, which the small home knows, and `law`, which is another teacher's."""
    folder = tmp_path / "courses"
    for course_id in ("ds", "law"):
        (folder / course_id / "subtitles").mkdir(parents=True)
        (folder / course_id / "course.yaml").write_text(f"title: {course_id}\n")
        (folder / course_id / "subtitles" / "01.srt").write_text(SRT)
    return folder


@pytest.fixture
def use(home: Path, courses: Path) -> Callable[..., Any]:
    """Run a coroutine function over a gateway with these settings. Its builds do nothing but wait."""

    def run(
        work: Callable[[Gateway], Awaitable[Result]], *, command: tuple[str, ...] = SLOW, **settings: Any
    ) -> Result:
        async def whole() -> Result:
            chosen = Settings(**{"home": home, "courses": courses, "access": "keys"} | settings)
            async with running(chosen, client=("127.0.0.1", 50_000)) as gateway:
                gateway.app.state.builds = BuildRoom(chosen.data_dir, courses, command=command)
                try:
                    return await work(gateway)
                finally:
                    for one in gateway.app.state.builds.list_builds():
                        if one.state == "running":
                            gateway.app.state.builds.cancel(one.build.build_id)

        return asyncio.run(whole())

    return run
