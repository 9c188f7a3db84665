"""`DataDir`: the one place that names every artefact under a coteach home.

Paths only: nothing here opens or creates a file, and nothing anywhere else spells a path inside the home.
"""

from dataclasses import dataclass
from pathlib import Path

from knowledge_graph.lake.source_kinds import COURSE_TABLES, CourseTable

_TOP = frozenset({"lake", "index", "models", "maps", "evaluation", "cache"})
"""Folders of a home that hold what is built."""


def name_of(path: Path) -> str:
    """The name of something built as its home has it, `lake/cues/trees.parquet`, wherever the home lies or lay.

    No folder inside these is named like one of them, so the last of the names begins it.
    """
    parts = path.parts
    begin = max((place for place, part in enumerate(parts[:-1]) if part in _TOP), default=None)
    return path.as_posix() if begin is None else "/".join(parts[begin:])


@dataclass(frozen=True)
class DataDir:
    """Names under one home (`COTEACH_HOME`, default `./data`)."""

    root: Path

    def built(self, name: str) -> Path:
        """The path of something built by its name, also by the path that it had in a home that was moved here."""
        return self.root / name_of(Path(name))

    @property
    def courses(self) -> Path:
        """Default folder of course folders; `COTEACH_COURSES` points elsewhere."""
        return self.root / "courses"

    def table(self, table: CourseTable, course_id: str) -> Path:
        return self.root / "lake" / table / f"{course_id}.parquet"

    @property
    def staging(self) -> Path:
        """What runs write before it is published; a folder for each run."""
        return self.root / "lake" / ".staged"

    def staging_file(self, table: CourseTable, course_id: str, run_id: str) -> Path:
        """Where a run's rows wait for their check before they are published as `table`."""
        return self.staging / run_id / table / f"{course_id}.parquet"

    def validation(self, table: CourseTable, course_id: str) -> Path:
        """What Great Expectations last said of a table."""
        return self.validations / table / f"{course_id}.json"

    @property
    def gone_courses(self) -> Path:
        """Courses that were built and have no folder now."""
        return self.root / "gone_courses.json"

    @property
    def validations(self) -> Path:
        return self.root / "data_docs" / "results"

    @property
    def source_reports(self) -> Path:
        """What builds said of input files; a folder for each asset."""
        return self.root / "data_docs" / "sources"

    def source_report(self, asset: str, course_id: str) -> Path:
        """What an asset last said of the files of a course."""
        return self.source_reports / asset / f"{course_id}.json"

    @property
    def console_builds(self) -> Path:
        """Builds that were started in the console; a folder for each."""
        return self.root / "builds"

    @property
    def data_docs(self) -> Path:
        """The pages of Great Expectations, made by `coteach data-docs`."""
        return self.root / "data_docs" / "site"

    def tables_folder(self, table: CourseTable) -> Path:
        """The folder of one table's files, which changes whenever one of them is replaced."""
        return self.root / "lake" / table

    def tables(self, table: CourseTable) -> list[Path]:
        """The files of one table that exist, sorted by course."""
        return sorted(self.tables_folder(table).glob("*.parquet"))

    def of_course(self, course_id: str) -> list[Path]:
        """Every file that belongs to one course alone, whether it exists or not."""
        return [
            *(self.table(table, course_id) for table in COURSE_TABLES),
            *(self.validation(table, course_id) for table in COURSE_TABLES),
            *(folder / f"{course_id}.json" for folder in sorted(self.source_reports.glob("*"))),
            self.parses(course_id),
            self.sentence_cache(course_id),
            self.concept_map(course_id),
        ]

    @property
    def graph_concepts(self) -> Path:
        return self.root / "lake" / "graph" / "concepts.parquet"

    @property
    def graph_prerequisites(self) -> Path:
        return self.root / "lake" / "graph" / "prerequisites.parquet"

    @property
    def graph_courses(self) -> Path:
        """One row per course: what the gateway needs of its card."""
        return self.root / "lake" / "graph" / "courses.parquet"

    @property
    def qa_pairs(self) -> Path:
        return self.root / "lake" / "qa_pairs.parquet"

    @property
    def explanations(self) -> Path:
        """What a model wrote to explain QA pairs that have no explanation."""
        return self.root / "lake" / "explanations.parquet"

    @property
    def reviewed_sources(self) -> Path:
        """What approved answers rest on, and whether it still says the same."""
        return self.root / "lake" / "reviewed_sources.parquet"

    @property
    def intent_examples(self) -> Path:
        return self.root / "lake" / "intent_examples.parquet"

    @property
    def intent_label_history(self) -> Path:
        return self.root / "lake" / "intent_label_history.parquet"

    @property
    def index(self) -> Path:
        """Folder of index versions; `CURRENT` inside names the one in use."""
        return self.root / "index"

    @property
    def albert(self) -> Path:
        """Folder of pre-trained ALBERT encoders; `CURRENT` inside names the one in use."""
        return self.root / "models" / "albert"

    @property
    def intent(self) -> Path:
        """Folder of exported intent models; `CURRENT` inside names the one in use."""
        return self.root / "models" / "intent"

    @property
    def tutor(self) -> Path:
        """Folder of language models fine-tuned here; `CURRENT` inside names the newest, which nobody serves by that."""
        return self.root / "models" / "tutor"

    @property
    def embedder(self) -> Path:
        """Folder of exported embedding models; `CURRENT` inside names the one in use."""
        return self.root / "models" / "embedding"

    @property
    def embeddings(self) -> Path:
        """Vectors of QA pairs and passages."""
        return self.root / "lake" / "embeddings.parquet"

    @property
    def vector_parts(self) -> Path:
        """Vectors of an embedding that has not ended yet; may be removed at any time."""
        return self.root / "cache" / "vectors"

    @property
    def references(self) -> Path:
        """Folder of `calibration.json`: how likely a passage supports an answer, and from where on it is shown."""
        return self.root / "models" / "references"

    @property
    def labels(self) -> Path:
        """`intents/*.csv`; `COTEACH_LABELS` points elsewhere."""
        return self.root / "labels"

    @property
    def mlflow_db(self) -> Path:
        return self.root / "mlflow.db"

    @property
    def mlflow_lock(self) -> Path:
        """Locked while that database is opened: two processes that made its tables at once would break each other."""
        return self.root / "dagster" / "mlflow.lock"

    @property
    def mlflow_name(self) -> Path:
        """Under which name an MLflow server that several homes share knows this one."""
        return self.root / "mlflow_name.json"

    @property
    def mlflow_artifacts(self) -> Path:
        return self.root / "mlartifacts"

    @property
    def dagster(self) -> Path:
        return self.root / "dagster"

    @property
    def writer_lock(self) -> Path:
        """Locked by whoever writes in the home."""
        return self.root / ".writer.lock"

    @property
    def borrowers_lock(self) -> Path:
        """Locked, in shared mode, by processes that write for the one writer."""
        return self.root / ".borrowers.lock"

    @property
    def writer(self) -> Path:
        """Who that is, for people."""
        return self.root / ".writer.json"

    def run_alive(self, run_id: str) -> Path:
        """Locked by the process of a run of Dagster for as long as it lives."""
        return self.dagster / "alive" / run_id

    @property
    def dbt_output(self) -> Path:
        """Where dbt writes its marts before they are checked and published."""
        return self.root / "dbt"

    @property
    def parsed_dbt_project(self) -> Path:
        """Where dbt's project is parsed to when it lies where nothing may be written."""
        return self.dbt_output / "parsed"

    @property
    def own_marts(self) -> Path:
        """Where dbt models that a team adds land, a file for each."""
        return self.root / "lake" / "own_marts"

    @property
    def evaluation(self) -> Path:
        """What the evaluation asked, what came of it, and the tables made of that."""
        return self.root / "evaluation"

    def evaluation_set(self, name: str) -> Path:
        """One set of questions, choices, ratings or answers that is evaluated on."""
        return self.evaluation / "sets" / f"{name}.parquet"

    def system_answers(self, system: str) -> Path:
        """What one system answered to the evaluation questions."""
        return self.evaluation / "systems" / f"{system}.parquet"

    def system_answers_begun(self, system: str) -> Path:
        """What a run that was stopped has answered so far; gone when it is done."""
        return self.evaluation / "systems" / ".begun" / f"{system}.jsonl"

    @property
    def systems_answered(self) -> list[Path]:
        """The files of `system_answers` that exist, sorted by name."""
        return sorted((self.evaluation / "systems").glob("*.parquet"))

    @property
    def evaluation_tables(self) -> Path:
        """Folder with `<table>.json`, `.md`, `.html` and pictures for each table of the papers."""
        return self.evaluation / "tables"

    @property
    def evaluation_report(self) -> Path:
        """Folder of `results.md`: all tables in one document, with `results.json` and its pictures."""
        return self.evaluation / "report"

    @property
    def reshaped_ranks(self) -> Path:
        """Where the index has what answers the questions in the shape of traffic."""
        return self.evaluation / "reshaped_ranks.parquet"

    @property
    def student_marks(self) -> Path:
        """The marks of the answers to students' questions."""
        return self.evaluation / "student_marks.parquet"

    @property
    def release_candidate(self) -> Path:
        """Folder of what would be released, and how it compares with what was."""
        return self.evaluation / "candidate"

    @property
    def releases(self) -> Path:
        """Folder of what was released, by version; `CURRENT` inside names the last."""
        return self.evaluation / "released"

    @property
    def exam(self) -> Path:
        """What models were asked in the exam of the courses, and whether they may write; a folder for each model."""
        return self.evaluation / "exam"

    @property
    def weekly_reports(self) -> Path:
        """Folder with a page for each week that was looked back on, named by the week's last day."""
        return self.evaluation / "weekly"

    def logs_table(self, name: str, *, simulated: bool = False) -> Path:
        """Rows that left the store without names, by the names of `knowledge_graph.lake.log_schemas.LOGS`, or simulated
        ones."""
        return self.root / "lake" / ("simulated_logs" if simulated else "logs") / f"{name}.parquet"

    def mart(self, name: str, *, simulated: bool = False) -> Path:
        """What dbt counted in those rows."""
        return self.root / "lake" / ("simulated_marts" if simulated else "marts") / f"{name}.parquet"

    @property
    def web_cache(self) -> Path:
        """Replies of search engines and pages of catalogues, with the times they were fetched."""
        return self.root / "cache" / "web"

    @property
    def publication(self) -> Path:
        """What a gateway without a build of its own fetched; its `lake`, `index` and `models` are links into it."""
        return self.root / "published"

    @property
    def published_digests(self) -> Path:
        """Digests of what was published last, by size and times; may be removed at any time."""
        return self.root / "cache" / "published.json"

    @property
    def shared_version(self) -> Path:
        """The version of the shared home that this one was last pulled from or pushed as."""
        return self.root / ".shared.json"

    @property
    def incoming(self) -> Path:
        """Files downloaded from the shared home that are not in place yet."""
        return self.root / ".incoming"

    @property
    def shared_digests(self) -> Path:
        """Digests of the files of a shared home, by size and times; may be removed at any time."""
        return self.root / "cache" / "shared.json"

    @property
    def known_digests(self) -> Path:
        """Digests of input files by size and times; may be removed at any time."""
        return self.root / "cache" / "digests.json"

    def parses(self, course_id: str) -> Path:
        """What the taggers found in a course's text; may be removed at any time."""
        return self.root / "cache" / "parses" / f"{course_id}.parquet"

    def sentence_cache(self, course_id: str) -> Path:
        """The sentences of a course's lectures, by what they are made of; may be removed at any time."""
        return self.root / "cache" / "sentences" / f"{course_id}.parquet"

    def concept_map(self, course_id: str) -> Path:
        """The picture of a course's concepts, a page of its own."""
        return self.root / "maps" / f"{course_id}.html"

    @property
    def store(self) -> Path:
        """Sessions, answers, feedback and the TAs' work, unless `COTEACH_STORE_URL` names another database."""
        return self.root / "store.db"

    @property
    def logs(self) -> Path:
        return self.root / "logs"
