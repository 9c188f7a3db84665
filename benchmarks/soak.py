"""What a small platform survives: load, kills, pauses, a clock that jumps, a full disk and damage, in turn, and a table
of what was tried and held.

    make soak        or        .venv/bin/python benchmarks/soak.py [--seconds 300] [--seed 7]

Two small courses are built in a temporary home by the real command line (the intent model is reported as built, for
training it would take all of the time), and their questions are asked of a real gateway. A trial holds when the one
build after it repairs the home, every answer is the one of before, and nothing ends in a traceback. What was not
reached in the time is told. Exit code 0 when all that was tried held.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import cycle
from math import ceil
from pathlib import Path

import dagster as dg
import httpx
from rich.console import Console
from rich.table import Table
from sqlalchemy import select

from knowledge_graph.lake.home import DataDir
from orchestration.building.build import Builder
from orchestration.cli.ask_command import home_status
from orchestration.cli.build_command import open_instance
from orchestration.cli.services import gateway_spec, start_service
from orchestration.definitions import defs
from orchestration.jobs import INTENT_ASSETS
from orchestration.resources import PipelineSettings, inputs_of
from serving.llm.processes import free_port
from serving.settings import ModelServerSettings, Settings
from serving.store.database import open_store
from serving.store.tables.conversation import TurnRow

FAQ = {
    "When is the homework due?": "On Sunday at noon.",
    "May I hand in late?": "Two days late is fine.",
    "Where do I get help?": "In the forum.",
}
SENTENCES = (
    "A stack is a list where items are pushed and popped at one end only.",
    "A linked list is a chain of nodes where each node points to the next node.",
    "To understand the call stack you first need to understand the stack.",
    "The call stack is a stack that holds one frame for every running function.",
)
NO_MODEL = "http://127.0.0.1:9/v1"
TRACEBACK = "Traceback (most recent call last)"
LASTING = ("lake", "index", "maps", "models/embedding")
"""Folders of a home that are damaged: all that is built, but for the intent model, which takes minutes."""
DAMAGES_AT_ONCE = 20
CALLERS = 8
ATTACKERS = 4
LONGEST_QUESTION = 4_000
LIVE_SECONDS = 0.1
"""Within which `/livez` answers, 99 times of 100, whatever is asked meanwhile."""
PATHOLOGICAL = (
    *(
        "[a](  ",
        "(",
        "*",
        "`",
        "<a ",
        " ",
        "\n",
        "a ",
        "A",
        "1. ",
        "| ",
        "&a",
        "\u200ba",
        "$",
        "\\[",
        "“",
        "栈",
        "是",
        "和",
    ),
    *(
        "你",
        "平均",
        "啊",
        "一",
        "by ",
        "is it ",
        "asymptotic ",
        " , monday",
        "so-called ",
        "and ",
        "or ",
        "hw ",
        "what is ",
    ),
)
"""Said again and again, these took patterns and filters seconds before they were mended."""
LOAD_SECONDS = 10.0
PAUSE_SECONDS = 3.0
FULL_MB = 60


@dataclass
class Trial:
    """What was tried how often, how often it held, and the first thing that did not."""

    name: str
    tried: int = 0
    held: int = 0
    seconds: float = 0.0
    broke: list[str] = field(default_factory=list)

    def note(self, what: str | None) -> None:
        """One more was tried; `what` broke, or nothing did."""
        self.tried += 1
        if what is None:
            self.held += 1
        else:
            self.broke.append(what)


@dataclass(frozen=True)
class Place:
    """Courses and the home that is built from them."""

    root: Path

    @property
    def data_dir(self) -> DataDir:
        return DataDir(self.root / "home")

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "orchestration.cli.main", *words, "--home", str(self.data_dir.root)]

    def build(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command("build", "--courses", str(self.root / "courses")), capture_output=True, text=True, check=False
        )

    def files(self) -> list[Path]:
        """What a build made and damage may befall, sorted; no version of the index before the one in use."""
        found = [path for name in LASTING for path in (self.data_dir.root / name).rglob("*") if path.is_file()]
        index = self.data_dir.root / "index"
        current = index / (index / "CURRENT").read_text().strip()
        found = [
            path for path in found if path.parent == index or not path.is_relative_to(index) or current in path.parents
        ]
        return sorted(path for path in found if path.stat().st_size and not path.name.startswith("."))


def write_courses(folder: Path) -> None:
    for course in ("structures", "sorting"):
        (folder / course).mkdir(parents=True)
        cues = [
            f"{number + 1}\n00:{number // 30:02}:{2 * number % 60:02},000 --> 00:{number // 30:02}:"
            f"{2 * number % 60 + 1:02},900\n{sentence}\n"
            for number, sentence in enumerate(SENTENCES * 5)
        ]
        (folder / course / "01 - Stacks.srt").write_text("\n".join(cues))
        rows = [f"q{number},{question},{answer}" for number, (question, answer) in enumerate(FAQ.items())]
        (folder / course / "faq.csv").write_text("\n".join(["id,question,answer", *rows]))


def report_intent_model() -> None:
    """Tell Dagster that the intent model is built, as in a home after its first build."""
    settings = PipelineSettings()
    with open_instance(settings) as instance:
        Builder(defs(), instance, inputs_of(settings), DataDir(settings.home.absolute())).prepare()
        code = {spec.key: spec.code_version or "" for spec in defs().resolve_all_asset_specs()}
        for name in INTENT_ASSETS:
            tags = {"dagster/code_version": code[dg.AssetKey(name)], "dagster/data_version": "earlier"}
            instance.report_runless_asset_event(dg.AssetMaterialization(name, tags=tags))


@contextmanager
def serving(place: Place) -> Iterator[str]:
    """The address of a gateway that is ready."""
    port = free_port(0)
    settings = Settings(home=place.data_dir.root, requests_per_minute=0)
    os.environ["COTEACH_REQUESTS_PER_MINUTE"] = "0"
    with start_service(gateway_spec(settings, NO_MODEL, port)) as process:
        process.wait_ready()
        yield f"http://127.0.0.1:{port}"


def asked(address: str, question: str) -> tuple[int, str]:
    body = {"model": "coteach:structures", "messages": [{"role": "user", "content": question}]}
    try:
        reply = httpx.post(f"{address}/v1/chat/completions", json=body, timeout=30)
    except httpx.TransportError as error:
        return 0, str(error)
    return reply.status_code, str(reply.json()["choices"][0]["message"]["content"]) if reply.is_success else reply.text


def wrong_answer(address: str) -> str | None:
    """The first question that is answered with something else than the FAQ says; an honest 503 is no wrong answer."""
    for question, answer in FAQ.items():
        status, text = asked(address, question)
        if status not in (200, 503) or (status == 200 and answer not in text) or TRACEBACK in text:
            return f"{question!r} got {status}: {text[:120]}"
    return None


def wrong_page(address: str) -> str | None:
    """The first page that shows something else than the course says, or fails without saying why. A source whose table
    is damaged is an honest 503, one whose table is gone a 404."""
    first, answer = next(iter(FAQ.items()))
    pages = {
        "/": None,
        "/courses/structures/faq/q0": answer,
        "/courses/structures/videos/01%20-%20Stacks": SENTENCES[0],
    }
    for path, said in pages.items():
        try:
            page = httpx.get(f"{address}{path}", timeout=30, headers={"Accept": "text/html"})
        except httpx.TransportError as error:
            return f"{path}: {error}"
        if page.status_code not in ((200,) if said is None else (200, 404, 503)) or TRACEBACK in page.text:
            return f"{path} got {page.status_code}"
        if page.is_success and said is not None and said not in page.text:
            return f"{path} does not say what it said of {first!r}"
    return None


def unnamed(place: Place, damaged: Sequence[Path]) -> list[Path]:
    """The damaged files of which the planner says nothing: neither of them nor of the folder that they belong to."""
    with open_instance(PipelineSettings()) as instance:
        builder = Builder(defs(), instance, inputs_of(PipelineSettings()), place.data_dir, verify=True)
        plans = list(builder.plans(builder.prepare()))
    told = " ".join(str(each) for plan in plans for each in (*plan.reasons.values(), *plan.damaged))
    return [path for path in damaged if not _is_told(path, told, place.data_dir)]


def _is_told(path: Path, told: str, home: DataDir) -> bool:
    """Whether a damaged file is named itself, by a folder of the index that holds it, or as a file of its folder."""
    within = [each for each in path.parents if each.is_relative_to(home.root)]
    is_of_index = any(str(each) in told for each in within if each.is_relative_to(home.index) and each != home.index)
    of_folder = any(str(each) in told and f"its file {path.relative_to(each)} " in told for each in within)
    return str(path) in told or is_of_index or of_folder


def damage(path: Path, dice: random.Random) -> str:
    """Cut, flip a bit of, or remove a file; what was done to it."""
    kind = dice.choice(("cut", "bit flipped", "removed"))
    content = bytearray(path.read_bytes())
    if kind == "cut":
        path.write_bytes(content[: dice.randrange(len(content))])
    elif kind == "bit flipped":
        content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
        path.write_bytes(content)
    else:
        path.unlink()
    return f"{path.name} {kind}"


def repaired(place: Place) -> str | None:
    """Build once; what is wrong afterwards."""
    made = place.build()
    printed = made.stdout + made.stderr
    if TRACEBACK in printed or made.returncode:
        return f"the build ended with {made.returncode}: {' '.join(printed.split())[-200:]}"
    with open_instance(PipelineSettings()) as instance:
        builder = Builder(defs(), instance, inputs_of(PipelineSettings()), place.data_dir, verify=True)
        left = list(builder.plans(builder.prepare()))
    return f"afterwards there is still to do: {left[0].reasons}" if left else None


def damaged_at_rest(place: Place, dice: random.Random) -> Iterator[str | None]:
    """After each damage `status` still ends in sentences; then a question is answered rightly or refused in one, each
    damage is named, and all of them together are repaired by one build."""
    damaged = dice.sample(place.files(), DAMAGES_AT_ONCE)
    for path in damaged:
        done = damage(path, dice)
        try:
            home_status(Settings(), ModelServerSettings())
        except Exception as error:  # noqa: BLE001  whatever it is, a person would see it
            yield f"status after {done}: {error!r}"
        else:
            yield None
    yield wrong_at_rest(place)
    left = unnamed(place, damaged)
    yield f"not named: {', '.join(map(str, left))}" if left else None
    yield repaired(place)


def wrong_at_rest(place: Place) -> str | None:
    """What is wrong with the answer to a question over a damaged home."""
    question, answer = next(iter(FAQ.items()))
    asked = subprocess.run(
        place.command("ask", question, "--course", "structures"), capture_output=True, text=True, check=False
    )
    printed = " ".join((asked.stdout + asked.stderr).split())  # a terminal breaks lines anywhere
    is_right = answer in printed if asked.returncode == 0 else "Run `coteach build`" in printed
    return None if is_right and TRACEBACK not in printed else f"ask: {printed[-200:]}"


def damaged_while_serving(place: Place, dice: random.Random) -> Iterator[str | None]:
    """A gateway answers as before while its home is damaged, also its index, and repaired under it; pages open, or say
    what cannot be read."""
    with serving(place) as address:
        for path in dice.sample(place.files(), DAMAGES_AT_ONCE):
            damage(path, dice)
            yield wrong_answer(address) or wrong_page(address)
        yield repaired(place)
        yield wrong_answer(address) or wrong_page(address)


def killed_builds(place: Place, dice: random.Random) -> Iterator[str | None]:
    """kill -9 three times somewhere in the build of a changed course; the next build ends it."""
    with (place.root / "courses" / "sorting" / "faq.csv").open("a") as faq:
        faq.write("\nkilled,What is a kill good for?,It shows what is lost.")
    for _ in range(3):
        running = subprocess.Popen(
            place.command("build", "--courses", str(place.root / "courses")),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(dice.uniform(6, 20))
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    yield repaired(place)


def killed_gateway(place: Place, dice: random.Random) -> Iterator[str | None]:
    """kill -9 of a gateway under load: every answer that was acknowledged is still there."""
    told: list[str] = []

    def ask_on(address: str, until: float) -> None:
        while time.monotonic() < until:
            body = {"model": "coteach:structures", "messages": [{"role": "user", "content": next(iter(FAQ))}]}
            try:
                reply = httpx.post(f"{address}/v1/chat/completions", json=body, timeout=10)
            except httpx.TransportError:
                return
            if reply.is_success:
                told.append(str(reply.json()["coteach"]["trace_id"]))

    port, settings = free_port(0), Settings(home=place.data_dir.root)
    spec = gateway_spec(settings, NO_MODEL, port)
    with start_service(spec) as process, ThreadPoolExecutor(CALLERS) as pool:
        process.wait_ready()
        until = time.monotonic() + LOAD_SECONDS
        for _ in range(CALLERS):
            pool.submit(ask_on, f"http://127.0.0.1:{port}", until)
        time.sleep(dice.uniform(1, LOAD_SECONDS / 2))
        os.kill(process.pid, signal.SIGKILL)
    with serving(place) as address:
        yield wrong_answer(address)
    store = open_store(settings)
    kept = store.read(lambda db: set(db.scalars(select(TurnRow.trace_id))))
    store.close()
    for trace_id in told:
        yield None if trace_id in kept else f"the answer {trace_id} is not in the store"


def paused(place: Place, _dice: random.Random) -> Iterator[str | None]:
    """A gateway that is stopped for some seconds under load goes on where it was: every caller gets its answer."""
    port, settings = free_port(0), Settings(home=place.data_dir.root)
    with start_service(gateway_spec(settings, NO_MODEL, port)) as process, ThreadPoolExecutor(CALLERS) as pool:
        process.wait_ready()
        address = f"http://127.0.0.1:{port}"
        for _ in range(2):
            waiting = [pool.submit(wrong_answer, address) for _ in range(CALLERS)]
            os.kill(process.pid, signal.SIGSTOP)
            time.sleep(PAUSE_SECONDS)
            os.kill(process.pid, signal.SIGCONT)
            yield from (one.result() for one in waiting)


def jumping_clock(place: Place, _dice: random.Random) -> Generator[str | None, None, str]:
    """The clock goes a day on, two days back and to the right time again: every question is answered throughout."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
    if library is None:
        return "not tried, libfaketime is not installed"
    port, settings = free_port(0), Settings(home=place.data_dir.root)
    shift = place.root / "clock"
    shift.write_text("+0")
    spec = gateway_spec(settings, NO_MODEL, port)
    clock = {
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(shift),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    with start_service(replace(spec, environment={**spec.environment, **clock})) as process:
        process.wait_ready()
        for jump in ("+1d", "-1d", "+0"):
            shift.write_text(jump)
            for _ in range(2):
                yield wrong_answer(f"http://127.0.0.1:{port}")
    return ""


def loaded(place: Place, _dice: random.Random) -> Iterator[str | None]:
    """Eight callers without a pause: every answer is right, and the process stays alive."""
    with serving(place) as address, ThreadPoolExecutor(CALLERS) as pool:
        until = time.monotonic() + LOAD_SECONDS
        while time.monotonic() < until:
            yield from pool.map(lambda _: wrong_answer(address), range(CALLERS))
        yield None if httpx.get(f"{address}/livez", timeout=1).is_success else "/livez is silent"


def attacked(place: Place, _dice: random.Random) -> Generator[str | None, None, str]:
    """Four callers ask what once took seconds to read, as a question, as what was said before and as a search, while
    `/livez` is asked twenty times a second."""
    took = list[float]()
    with serving(place) as address, ThreadPoolExecutor(ATTACKERS) as pool, httpx.Client(timeout=60) as client:
        until = time.monotonic() + 2 * LOAD_SECONDS
        attacks = [pool.submit(attack_on, address, number, until) for number in range(ATTACKERS)]
        while time.monotonic() < until:
            began = time.monotonic()
            client.get(f"{address}/livez")
            took.append(time.monotonic() - began)
            time.sleep(0.05)
        for one in attacks:
            yield from one.result()
    p99 = sorted(took)[ceil(0.99 * len(took)) - 1]
    told = f"/livez p99 {1000 * p99:.0f} ms, longest {1000 * max(took):.0f} ms"
    yield None if p99 < LIVE_SECONDS else told
    return told


def attack_on(address: str, number: int, until: float) -> list[str | None]:
    """What broke in each attack of one caller: an answer of 200, 400 or 503 in the end is none."""
    found, units = list[str | None](), cycle(PATHOLOGICAL[number:] + PATHOLOGICAL[:number])
    while time.monotonic() < until:
        unit = next(units)
        text = (unit * LONGEST_QUESTION)[:LONGEST_QUESTION]
        said = [{"role": "user", "content": text}, {"role": "assistant", "content": text}]
        asked = {
            "model": "coteach:structures",
            "messages": [*said, {"role": "user", "content": f"{text[:-9]} and it?"}],
        }
        for path, body in (("/v1/chat/completions", asked), ("/v1/search", {"query": text, "course": "structures"})):
            try:
                status = httpx.post(f"{address}{path}", json=body, timeout=60).status_code
            except httpx.TransportError as error:
                found.append(f"{path} of {unit!r}: {error!r}")
            else:
                found.append(None if status in (200, 400, 503) else f"{path} of {unit!r} got {status}")
    return found


def full_disk(place: Place, _dice: random.Random) -> Iterator[str | None]:
    """A build on a disk without room says so in a sentence, leaves what was built, and goes on when there is room."""
    small = place.root / "small"
    small.mkdir(exist_ok=True)
    copy = Place(small)
    size = sum(path.stat().st_size for path in place.root.rglob("*") if path.is_file()) // 2**20 + FULL_MB
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}m", "tmpfs", str(small)], capture_output=True, check=False
    )
    if mounted.returncode:
        return  # only root may make a small disk
    try:
        shutil.copytree(place.root / "courses", small / "courses")
        shutil.copytree(place.data_dir.root, copy.data_dir.root)
        shutil.rmtree(copy.data_dir.root / "lake" / "graph")
        filler = small / "filler"
        fill(filler)
        made = copy.build()
        yield "a traceback, with no room" if TRACEBACK in made.stdout + made.stderr else None
        filler.unlink()
        yield repaired(copy)
    finally:
        subprocess.run(["umount", str(small)], check=False)


def fill(path: Path) -> None:
    """Write until the disk is full."""
    with suppress(OSError), path.open("wb", buffering=0) as stream:
        while stream.write(bytes(2**16)):
            pass


TRIALS: Sequence[tuple[Callable[[Place, random.Random], Iterator[str | None]], float]] = (
    (loaded, 20),
    (attacked, 30),
    (killed_gateway, 20),
    (paused, 20),
    (jumping_clock, 15),
    (full_disk, 40),
    (killed_builds, 70),
    (damaged_at_rest, 45),
    (damaged_while_serving, 70),
)
"""Each with the seconds that it takes on two cores."""


def damages_alone(count: int) -> Sequence[tuple[Callable[[Place, random.Random], Iterator[str | None]], float]]:
    """Both trials of damage as often as it takes, whatever the time."""
    return ((damaged_at_rest, 0.0), (damaged_while_serving, 0.0)) * ceil(count / (2 * DAMAGES_AT_ONCE))


def run(trial: Callable[[Place, random.Random], Iterator[str | None]], place: Place, dice: random.Random) -> Trial:
    found, began = Trial(trial.__name__.replace("_", " ")), time.monotonic()
    outcomes = iter(trial(place, dice))
    while True:
        try:
            found.note(next(outcomes))
        except StopIteration as end:
            found.name += f": {end.value}" if end.value else ""
            break
    found.seconds = time.monotonic() - began
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=300.0, help="no trial is begun that may end after so many")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--damages", type=int, help="nothing but so many damages, half of them while serving")
    arguments = parser.parse_args()
    console, dice, began = Console(), random.Random(arguments.seed), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="coteach-soak-") as folder:
        place = Place(Path(folder))
        write_courses(place.root / "courses")
        os.environ |= {
            "COTEACH_HOME": str(place.data_dir.root),
            "COTEACH_COURSES": str(place.root / "courses"),
            "COTEACH_EMBED_LIMIT": "1000",
            "COTEACH_INTENT_TRAINING": "false",
            "COTEACH_LLM_URL": NO_MODEL,
        }
        report_intent_model()
        first = place.build()
        if first.returncode:
            raise SystemExit(f"The courses could not be built:\n{first.stdout}\n{first.stderr}")
        results = list[Trial]()
        for trial, seconds in TRIALS if arguments.damages is None else damages_alone(arguments.damages):
            if seconds and time.monotonic() - began + seconds > arguments.seconds:
                results.append(Trial(f"{trial.__name__.replace('_', ' ')}: not reached"))
            else:
                results.append(run(trial, place, dice))
                last = results[-1]
                console.print(f"{last.name}: {last.held} of {last.tried} held, {last.seconds:.0f} s", *last.broke[:3])
    show(console, results, time.monotonic() - began)
    raise SystemExit(1 if any(one.broke for one in results) else 0)


def show(console: Console, results: Sequence[Trial], seconds: float) -> None:
    table = Table(title=f"What was tried in {seconds:.0f} s")
    for heading in ("trial", "tried", "held", "seconds", "first that broke"):
        table.add_column(heading, overflow="fold")
    for one in results:
        numbers = (str(one.tried), str(one.held), f"{one.seconds:.0f}")
        table.add_row(one.name, *numbers, one.broke[0] if one.broke else "")
    console.print(table)


if __name__ == "__main__":
    main()
