"""What a build decides to run, on small lineages with known histories."""

from dataclasses import dataclass, field
from pathlib import Path

import dagster as dg

from orchestration.building.staleness import Artefact, Event, Target, closure, stale_reason


def key(name: str) -> dg.AssetKey:
    return dg.AssetKey([name])


def target(name: str, *deps: str, partitioned: bool = True, when_missing: bool = False) -> Target:
    return Target(key(name), tuple(map(key, deps)), partitioned, code_version="1", when_missing=when_missing)


FILES, CUES, CONCEPTS = target("files"), target("cues", "files"), target("concepts", "cues")
GRAPH = target("graph", "concepts", partitioned=False)
LINEAGE = {one.key: one for one in (FILES, CUES, CONCEPTS, GRAPH)}


@dataclass
class Log:
    """A log written line by line, newest last."""

    lines: list[tuple[str, str | None, Event]] = field(default_factory=list)

    def add(self, name: str, partition: str | None, version: str, *, succeeded: bool = True, **more: Path) -> "Log":
        event = Event(len(self.lines), version, "1", succeeded, tuple(map(Artefact, more.values())))
        self.lines.append((name, partition, event))
        return self

    def newest(self, wanted: dg.AssetKey, partition: str | None, *, before: int | None = None) -> Event | None:
        for name, course, event in reversed(self.lines):
            if key(name) == wanted and course == partition and (before is None or event.storage_id < before):
                return event
        return None


def built() -> Log:
    log = Log()
    for course in ("a", "b"):
        log.add("files", course, "f1").add("cues", course, "c1").add("concepts", course, "k1")
    return log.add("graph", None, "g1")


def reasons(log: Log, *, courses: tuple[str, ...] = ("a", "b")) -> dict[tuple[str, str | None], str]:
    found = {}
    for one in (CUES, CONCEPTS, GRAPH):
        for partition in courses if one.partitioned else [None]:
            reason = stale_reason(one, partition, log, LINEAGE, courses)
            if reason:
                found[(one.key.to_user_string(), partition)] = reason
    return found


def test_nothing_is_stale_after_a_build() -> None:
    assert reasons(built()) == {}


def test_changed_files_make_only_their_course_stale() -> None:
    assert reasons(built().add("files", "a", "f2")) == {("cues", "a"): "files changed"}


def decided(log: Log, version: str, **tally: int) -> Log:
    counted = {name.replace("_", " "): count for name, count in tally.items()}
    log.lines.append(("files", "a", Event(len(log.lines), version, "1", run_succeeded=True, tally=counted)))
    return log


def test_what_people_did_since_is_the_reason() -> None:
    log = decided(Log(), "f1", answer_approved=3, answer_withdrawn=1).add("cues", "a", "c1")
    decided(decided(log, "f2", answer_approved=4), "f3", answer_approved=5, answer_edited=1, answer_withdrawn=1)
    assert stale_reason(CUES, "a", log, LINEAGE, ["a"]) == "2 answers approved, 1 answer edited since"


def test_what_people_did_is_told_with_its_course_where_all_are_read() -> None:
    of_all = target("review", "files", partitioned=False)
    log = decided(decided(Log(), "f1").add("review", None, "r1"), "f2", answer_approved=1)
    assert stale_reason(of_all, None, log, LINEAGE, ["a"]) == "1 answer of a approved since"


def test_files_that_changed_back_are_not_stale() -> None:
    assert reasons(built().add("files", "a", "f2").add("files", "a", "f1")) == {}


def test_a_rebuilt_asset_with_the_same_content_stops_the_wave() -> None:
    assert reasons(built().add("files", "a", "f2").add("cues", "a", "c1")) == {}


def test_a_new_course_makes_the_fan_in_stale() -> None:
    log = built().add("files", "c", "f1").add("cues", "c", "c1").add("concepts", "c", "k1")
    assert reasons(log, courses=("a", "b", "c")) == {("graph", None): "concepts of c changed"}


def test_an_asset_whose_run_failed_is_built_again() -> None:
    log = built().add("cues", "b", "c1", succeeded=False)
    assert reasons(log) == {("cues", "b"): "its last run did not succeed"}


def test_an_asset_whose_file_is_gone_is_built_again(tmp_path: Path) -> None:
    gone = tmp_path / "cues.parquet"
    assert reasons(built().add("cues", "b", "c1", artefact=gone)) == {("cues", "b"): f"{gone} is gone"}


def test_new_code_makes_an_asset_stale() -> None:
    newer = Target(CUES.key, CUES.deps, True, code_version="2", when_missing=False)
    assert stale_reason(newer, "a", built(), LINEAGE, ["a"]) == "its code changed"


def test_an_asset_built_when_missing_ignores_what_it_reads() -> None:
    once = target("encoder", "cues", partitioned=False, when_missing=True)
    lineage = LINEAGE | {once.key: once}
    assert stale_reason(once, None, built(), lineage, ["a", "b"]) == "never built"
    log = built().add("encoder", None, "e1", succeeded=False).add("cues", "a", "c2")
    assert stale_reason(once, None, log, lineage, ["a", "b"]) is None


def test_what_reads_a_stale_asset_is_built_with_it() -> None:
    assert closure({CUES.key}, [CUES, CONCEPTS, GRAPH]) == [CUES.key, CONCEPTS.key, GRAPH.key]
    once = target("encoder", "cues", partitioned=False, when_missing=True)
    assert closure({CUES.key}, [CUES, once]) == [CUES.key]


SYSTEMS = ("words", "meaning")
ANSWERS = Target(key("answers"), (key("graph"),), partitioned=True, code_version="1", when_missing=False, fixed=SYSTEMS)
TABLE = target("table", "answers", "files", partitioned=False)
ANSWERED = LINEAGE | {ANSWERS.key: ANSWERS, TABLE.key: TABLE}


def answered() -> Log:
    log = built()
    for system in SYSTEMS:
        log.add("answers", system, "a1")
    return log.add("table", None, "t1")


def test_a_table_of_systems_reads_every_system_and_every_course() -> None:
    assert stale_reason(TABLE, None, answered(), ANSWERED, ["a", "b"]) is None
    again = answered().add("answers", "meaning", "a2")
    assert stale_reason(TABLE, None, again, ANSWERED, ["a", "b"]) == "answers of meaning changed"
    edited = answered().add("files", "b", "f2")
    assert stale_reason(TABLE, None, edited, ANSWERED, ["a", "b"]) == "files of b changed"


def test_a_system_is_no_course_of_what_it_reads() -> None:
    of_courses = Target(ANSWERS.key, (key("cues"),), True, code_version="1", when_missing=False, fixed=SYSTEMS)
    log = answered().add("cues", "a", "c2")
    assert stale_reason(of_courses, "words", log, ANSWERED, ["a", "b"]) == "cues of a changed"
