"""A release against the one before it, on what real retrieval finds: a fault is caught, a build of the same is not."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from course_rows import CONCEPTS, COURSES, PREREQUISITES, tables
from release_rows import QUESTIONS, pairs

from knowledge_graph.graph.concept_graph import ConceptGraph
from models.statistics.calibration import PromiseVerdict as CutVerdict
from models.statistics.calibration import RiskPromise as CutPromise
from serving.assistant.references.calibration import Calibration, CutMeasures, Scorer
from serving.assistant.retrieval.hybrid import Hybrid
from serving.assistant.retrieval.lookup import Lookup
from serving.evaluation.release.promises import (
    ThresholdPromise,
    list_broken,
    promise_of_alpha,
    promise_of_answers,
    promise_of_beta,
    promises_of_references,
)
from serving.evaluation.release.release_gate import (
    FACTS,
    CandidateUnusable,
    ReleaseCandidate,
    Score,
    floors_of,
    judge,
    read_candidate,
    read_judgement,
    score_reshaped,
    student_scores,
    write_candidate,
    write_judgement,
)
from serving.evaluation.release.release_table import release_table
from serving.evaluation.release.reshaping import reshape
from serving.evaluation.release.traffic_answers import GoldRank, ask_in_sessions, ask_written, values
from serving.evaluation.release.traffic_shape import PUBLISHED
from serving.evaluation.sets.golden import golden_questions, titles_of
from serving.evaluation.tables import MeasuredNumber
from serving.index.build import build_index
from serving.index.calibration import UNCALIBRATED, Beta
from serving.index.search import SearchIndex

GRAPH = ConceptGraph.from_rows(CONCEPTS, PREREQUISITES, COURSES)
GOLDEN = golden_questions(QUESTIONS, titles=titles_of(pairs()), graph=GRAPH)
TURNS = reshape(GOLDEN, PUBLISHED, seed=1)


def candidate(folder: Path, *, without: range = range(0)) -> ReleaseCandidate:
    """What a build of the course finds for its questions, as written and reshaped."""
    build_index(tables(folder / "tables", qa=pairs(without=without), passages=[]), folder / "index")
    strategy = Hybrid(Lookup(SearchIndex.open(folder / "index"), None), 10)
    written = asyncio.run(ask_written(strategy, GOLDEN, graph=GRAPH))
    reshaped = asyncio.run(ask_in_sessions(strategy, TURNS, graph=GRAPH))
    scores = (*scored("written", written), *scored("reshaped", reshaped))
    return ReleaseCandidate({"search_index": folder.name}, floors_of(scores, {"hit_at_1": 0.02}), scores)


def scored(asked: str, found: list[GoldRank]) -> list[Score]:
    return [
        Score(f"{asked}/{name}", one.golden.question_id, value)
        for name, listed in values(found).items()
        for one, value in zip(found, listed, strict=True)
    ]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> ReleaseCandidate:
    return candidate(tmp_path_factory.mktemp("whole"))


def test_nearly_all_of_what_is_asked_is_found(whole: ReleaseCandidate) -> None:
    assert whole.figures["written/recall_at_3"] > 0.95
    assert whole.figures["reshaped/recall_at_3"] > 0.9


def test_the_same_course_built_again_may_be_released(whole: ReleaseCandidate, tmp_path: Path) -> None:
    judgement = judge(candidate(tmp_path), whole, version="v1")
    assert (judgement.worse, judgement.is_blocked, judgement.against) == ((), False, "v1")
    assert {one.verdict for one in judgement.comparisons} == {"no difference shown"}


def test_an_index_that_lost_a_third_of_the_faq_is_held_back(whole: ReleaseCandidate, tmp_path: Path) -> None:
    judgement = judge(candidate(tmp_path, without=range(0, 60, 3)), whole, version="v1")
    assert judgement.is_blocked
    assert set(judgement.worse) >= {"written/hit_at_1", "written/recall_at_3", "reshaped/hit_at_1"}
    found = next(one for one in judgement.comparisons if one.measure == "written/hit_at_1")
    assert found.difference.value == pytest.approx(-20 / 60, abs=0.02)


def test_what_was_mended_is_better_and_blocks_nothing(whole: ReleaseCandidate, tmp_path: Path) -> None:
    judgement = judge(whole, candidate(tmp_path, without=range(0, 60, 3)), version="v1")
    assert not judgement.is_blocked
    assert "better" in {one.verdict for one in judgement.comparisons}


def test_a_loss_too_small_to_be_told_from_chance_is_let_through(whole: ReleaseCandidate, tmp_path: Path) -> None:
    assert not judge(candidate(tmp_path, without=range(2)), whole, version="v1").is_blocked


def test_the_first_release_is_compared_with_nothing_but_keeps_its_promises(whole: ReleaseCandidate) -> None:
    assert not judge(whole, None, version=None).is_blocked
    assert judge(whole, None, version=None, broken=("beta: too many",)).is_blocked


def test_only_questions_that_both_were_asked_count(whole: ReleaseCandidate) -> None:
    fewer = ReleaseCandidate(whole.facts, whole.floors, tuple(one for one in whole.scores if one.question_id >= "q30"))
    judgement = judge(fewer, whole, version="v1")
    assert {one.questions for one in judgement.comparisons} == {30}
    assert judgement.left_out["written/hit_at_1"] == 30


def test_a_candidate_that_was_asked_none_of_the_questions_is_held_back(whole: ReleaseCandidate, tmp_path: Path) -> None:
    other = tuple(replace(one, question_id=f"new {one.question_id}", value=0.0) for one in whole.scores)
    judgement = judge(ReleaseCandidate(whole.facts, whole.floors, other), whole, version="v1")
    assert judgement.is_blocked
    assert set(judgement.lost) == set(whole.measures)
    write_judgement(tmp_path, judgement, candidate="digest")
    assert any(line.startswith("written/hit_at_1: none of the questions") for line in read_judgement(tmp_path).worse)
    notes = [note.format_text() for note in release_table(whole, judgement, []).notes]
    assert notes[0].startswith("Held back, it was asked none of the questions of release v1 in: ")
    assert "Hit@1, as written: 120 questions were asked of one of the two only." in notes


def test_the_release_sets_the_noise_floor_and_not_the_candidate(whole: ReleaseCandidate, tmp_path: Path) -> None:
    faulty = candidate(tmp_path, without=range(0, 60, 3))
    lax = ReleaseCandidate(faulty.facts, dict.fromkeys(faulty.floors, 1.0), faulty.scores)
    assert judge(lax, whole, version="v1").is_blocked


def test_known_floors_are_taken_and_others_come_from_halves() -> None:
    scores = [Score("written/rouge_l", f"q{number}", (number % 2) / 2) for number in range(40)]
    scores += score_reshaped([{"question_id": f"q{number}", "hit_rank": 1} for number in range(40)])
    floors = floors_of(scores, {"hit_at_1": 0.0, "recall_at_3": 0.01})
    assert (floors["reshaped/hit_at_1"], floors["reshaped/recall_at_3"]) == (0.0, 0.01)
    assert 0.05 < floors["written/rouge_l"] < 0.3
    assert floors["reshaped/mrr_at_10"] == 0.0  # every question has the same value


def test_a_candidate_is_read_as_it_was_written_and_the_same_bytes_twice(
    whole: ReleaseCandidate, tmp_path: Path
) -> None:
    write_candidate(tmp_path / "one", whole)
    write_candidate(tmp_path / "two", ReleaseCandidate(whole.facts, whole.floors, tuple(reversed(whole.scores))))
    assert read_candidate(tmp_path / "one").measures == whole.measures
    for name in ("answers.parquet", FACTS):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert json.loads((tmp_path / "one" / FACTS).read_text())["figures"]["written/hit_at_1"] > 0.9


def test_a_folder_without_a_candidate_is_told(tmp_path: Path) -> None:
    with pytest.raises(CandidateUnusable, match="holds no candidate"):
        read_candidate(tmp_path)
    with pytest.raises(CandidateUnusable, match="Make `release_candidate`"):
        read_judgement(tmp_path)


def test_what_is_stored_names_the_measures_that_are_worse(whole: ReleaseCandidate, tmp_path: Path) -> None:
    judgement = judge(candidate(tmp_path / "faulty", without=range(0, 60, 3)), whole, version="v1")
    write_judgement(tmp_path, judgement, candidate="digest")
    said = read_judgement(tmp_path)
    assert (said.candidate, said.against) == ("digest", "v1")
    assert any(line.startswith("written/hit_at_1: ") and "60 questions" in line for line in said.worse)
    assert said.compared["written/hit_at_1"] == "worse"


def test_the_table_says_what_was_compared_and_what_could_be_seen(whole: ReleaseCandidate, tmp_path: Path) -> None:
    judgement = judge(candidate(tmp_path, without=range(0, 60, 3)), whole, version="v1")
    table = release_table(whole, judgement, [ThresholdPromise("beta", "kept", "")])
    row = next(row for row in table.rows if row[0] == "Hit@1, as written")
    smallest = row[7]
    assert isinstance(smallest, MeasuredNumber)
    assert smallest.value is not None
    assert 0.1 < smallest.value < 0.3
    assert row[-1] == "worse"
    assert table.notes[0].format_text().startswith("Held back, worse than release v1 in: ")
    first = release_table(whole, judge(whole, None, version=None), [])
    assert first.notes[0].format_text() == "The first release: there is nothing to compare it with."


def cut(value: float | None) -> CutPromise:
    return CutPromise(cut=value, risk=0.2, delta=0.1, questions=90, accepted=20, errors=1, upper_bound=0.15)


def test_alpha_is_broken_when_newer_labels_refute_it() -> None:
    refuted = CutVerdict(0.2, 0.95, accepted=20, errors=15, lower_bound=0.5)
    assert promise_of_alpha(None, {}).state == "nothing promised"
    assert promise_of_alpha(cut(None), {}).state == "nothing promised"
    assert promise_of_alpha(cut(0.7), {}).state == "kept"
    assert promise_of_alpha(cut(0.7), {"all": refuted}).state == "broken"


def test_beta_promises_nothing_on_a_few_questions() -> None:
    assert promise_of_beta(UNCALIBRATED).state == "nothing promised"
    assert promise_of_beta(Beta(0.6, 0.0, 1.0, 10, upper_bound=0.2)).state == "nothing promised"
    assert promise_of_beta(Beta(0.6, 0.0, 1.0, 90, upper_bound=0.03)).state == "kept"
    assert promise_of_beta(Beta(0.6, 0.2, 1.0, 90, upper_bound=0.3)).state == "broken"


def test_references_below_their_target_are_broken() -> None:
    def scorer(precision: float) -> Scorer:
        measured = CutMeasures(60, 900, 100, 50, precision, 0.7, 0.86, 0.9, 0.8, 0.8, 0.7, 0.8)
        return Scorer("en", None, 0.0, {}, 0.5, measured)

    assert [one.state for one in promises_of_references(Calibration())] == ["nothing promised"]
    found = promises_of_references(Calibration((scorer(0.9), scorer(0.8))))
    assert [one.state for one in found] == ["kept", "broken"]
    assert list_broken(found) == ("references_en_words: precision 0.800 of 50 shown, wanted 0.86",)


def marks(misleading: int, of: int) -> list[dict[str, object]]:
    """Rows of `STUDENT_MARKS` of the unseen half, and one of the other that says nothing of it."""
    unseen = [
        {
            "question_id": f"q{n}",
            "course_id": "ds",
            "split": "unseen",
            "cited": n >= misleading,
            "misleading": n < misleading,
        }
        for n in range(of)
    ]
    return [*unseen, {**unseen[0], "question_id": "d", "split": "dev", "cited": False, "misleading": True}]


@pytest.mark.parametrize(
    ("misleading", "of", "state"), [(0, 200, "kept"), (40, 200, "broken"), (8, 200, "nothing promised")]
)
def test_answers_mislead_at_most_as_often_as_is_promised(misleading: int, of: int, state: str) -> None:
    assert promise_of_answers(marks(misleading, of)).state == state


def test_without_questions_that_nobody_read_nothing_is_promised_of_answers() -> None:
    assert promise_of_answers([]).state == "nothing promised"


def test_students_questions_are_scored_by_what_is_cited_and_what_misleads() -> None:
    found = {(one.measure, one.question_id): one.value for one in student_scores(marks(1, 2))}
    assert found["students/right_and_cited", "q0"] == 0.0
    assert found["students/not_misleading", "q0"] == 0.0
    assert found["students/right_and_cited", "q1"] == 1.0
