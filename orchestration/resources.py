"""Settings of the pipeline and the resources that assets receive. The service's settings are serving/settings.py.

Resources hand over plain objects (`DataDir`, `Inputs`), so that no asset sees Dagster configuration.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import dagster as dg
from packaging.version import Version
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.sources.folders import CourseFolder, find_courses
from knowledge_graph.sources.web.settings import WebSettings
from models.embedding.published import EmbedderSource
from models.kept_trainings import KeptTrainings
from models.tracking.place import ServerAddress
from orchestration.building.decisions import store_url
from orchestration.building.home_lock import is_held, show_alive, writing
from orchestration.building.kept_engines import held
from orchestration.building.lean_dagster_dbt import DbtCliResource
from orchestration.building.ray_runs import TaskResources
from orchestration.project import PROJECT
from serving.index.engine import EngineName, IndexPlace

DBT_PROJECT = (
    PROJECT / "dbt" if (PROJECT / "dbt" / "dbt_project.yml").is_file() else PROJECT / "coteach" / "dbt_project"
)
MINILM = PROJECT / ".cache" / "models" / "all-minilm-l6-v2"
"""Where `make setup` puts all-MiniLM-L6-v2, an embedding model of English."""
E5 = PROJECT / ".cache" / "models" / "multilingual-e5-small"
"""Where `make setup` puts multilingual-e5-small, which embeds Chinese."""
TRAININGS = PROJECT / ".cache" / "trainings"
EMBED_LIMIT = 200_000
MLFLOW_PAGES = "http://127.0.0.1:5000"
DATA_DOCS_URL = "http://127.0.0.1:3001"


@dataclass(frozen=True)
class EvaluationPaths:
    """Public or own data to evaluate on beside the courses' own `gold/`; `None` where there is none."""

    intents: Path | None = None
    answers: Path | None = None
    ratings: Path | None = None
    releases: Path | None = None


@dataclass(frozen=True)
class Watch:
    """When too few questions are answered: in the last `hours`, less than `share` (0..1) of at least `least`."""

    hours: float
    share: float
    least: int


WATCH = Watch(hours=6, share=0.5, least=10)
"""Choices: an outage is told within hours, and a quiet night is none."""


class PipelineSettings(BaseSettings):
    """What a person can set for the pipeline, from the environment. `make docs` lists every field."""

    model_config = SettingsConfigDict(env_prefix="COTEACH_", env_ignore_empty=True, hide_input_in_errors=True)

    home: Path = Field(Path("data"), description="Everything coteach builds and stores.")
    courses: Path | None = Field(None, description="Folder of course folders; default `<home>/courses`.")
    single_course: bool = Field(
        default=False, description="Whether `COTEACH_COURSES` is one course, whatever folders are in it."
    )
    labels: Path = Field(
        PROJECT / "examples" / "labels", description="Folder with `intents/*.csv`; default the samples'."
    )
    albert: str | None = Field(
        None, description="ALBERT to fine-tune: a hub id or a folder; default one trained here on the courses' text."
    )
    intent_training: bool = Field(
        default=True,
        description="Whether builds train the intent model; a home without one tells chat from questions by rules.",
    )
    kept_intent_models: int = Field(
        10,
        ge=1,
        description="Intent models that builds keep beside those in use or with an alias; older ones are deleted with "
        "their runs in MLflow.",
    )
    trainings: Path = Field(
        TRAININGS, description="Folder in which trained and exported models are kept by what they were made of."
    )
    reuse_trainings: bool = Field(
        default=True,
        description="Whether a model is taken from `COTEACH_TRAININGS` when the same code made it of the same.",
    )
    embedder: str | None = Field(
        None,
        description="Model that embeds texts: a hub id or a folder; default the two of `make setup`, "
        "all-MiniLM-L6-v2 for English and multilingual-e5-small for Chinese.",
    )
    embedder_url: str | None = Field(
        None, description="An OpenAI-compatible server, with its `/v1`, that has `COTEACH_EMBEDDER`."
    )
    embedder_key: str = Field("none", repr=False, description="Key of `COTEACH_EMBEDDER_URL`.")
    embedder_languages: str = Field(
        "en", description="Languages that `COTEACH_EMBEDDER` was trained for, comma separated."
    )
    embed_limit: int = Field(
        EMBED_LIMIT,
        ge=0,
        description="Most entries that are embedded (a pair has two vectors); with more, and with 0, words alone are "
        "searched.",
    )
    index: EngineName = Field(
        "tantivy",
        description="Who keeps the search index: `tantivy`, files of the home that one machine maps into memory; or "
        "`lance`, LanceDB's tables, of the extra `lance`.",
    )
    index_url: str | None = Field(
        None,
        description="Where `lance` keeps them: a folder or an object store's address such as `s3://bucket/path`, whose "
        "keys are read from `AWS_…`; default in `<home>/index`.",
    )
    compute: Literal["local", "ray"] = Field(
        "local",
        description="Where `coteach build` and the daemon build courses: `local`, one after the other; `ray`, "
        "as tasks of the Ray cluster that `RAY_ADDRESS` names, or one on this machine, of the extra `ray`.",
    )
    course_cpus: float = Field(1.0, gt=0, description="Processors that a course asks of Ray.")
    course_gpus: float = Field(
        0.0,
        ge=0,
        description="GPUs that a course asks of Ray. Nothing that coteach itself makes of a course uses one; it places "
        "courses on nodes that have them.",
    )
    course_memory_bytes: int = Field(
        0, ge=0, description="Memory that a course asks of Ray, which begins no more than fit; `0`: it is not counted."
    )
    store_url: str | None = Field(
        None, repr=False, description="Database of sessions, answers, feedback and reviews; default `<home>/store.db`."
    )
    dagster_url: str | None = Field(
        None,
        repr=False,
        pattern=r"^postgresql\+psycopg2://\S+$",
        description="Database of Dagster's runs, events and schedules, with the driver that Dagster is written for: "
        "`postgresql+psycopg2://user:password@host/database`. Of the extra `postgres`; default SQLite in "
        "`<home>/dagster`.",
    )
    publish_url: str | None = Field(
        None,
        repr=False,
        description="Where what gateways read is published after each build, for those with `COTEACH_FOLLOW_URL`: "
        "`s3://bucket/path` with keys, region and endpoint in `AWS_…`, `gs://bucket/path`, or a folder. Unset: "
        "nowhere.",
    )
    home_url: str | None = Field(
        None,
        repr=False,
        description="Where machines share the home, one after the other: `s3://bucket/path`, `gs://bucket/path` or a "
        "folder. Commands that write pull it from there before and push it after; COTEACH_HOME is a working copy. "
        "Unset: the home is on this disk alone.",
    )
    watch_hours: float = Field(
        WATCH.hours, gt=0, description="Hours back in which answered questions are compared with those asked."
    )
    watch_share: float = Field(
        WATCH.share,
        ge=0,
        le=1,
        description="Least share of answered questions in a course; below it an alert is raised.",
    )
    watch_least: int = Field(
        WATCH.least, ge=1, description="Fewest questions of a course in that time that say anything."
    )
    eval_intents: Path | None = Field(
        None, description="CSV of questions with their categories (`id,question,session_id,category`) to report on."
    )
    eval_answers: Path | None = Field(
        None, description="CSV of questions with reference answers (`id,question,category,answer`) to be asked too."
    )
    eval_ratings: Path | None = Field(
        None, description="Folder with a folder of CSV files for each rated system: six aspects, 0 to 2."
    )
    eval_releases: Path | None = Field(
        None, description="YAML list of releases (`at`, `name`) that charts over time mark."
    )
    search_url: str | None = Field(None, description="A SearXNG instance for web search; default recorded replies.")
    scholar_url: str | None = Field(
        None, description="An OpenAlex API, `https://api.openalex.org`, for scholars, papers and trends."
    )
    scholar_key: str | None = Field(None, description="OpenAlex's free API key.")
    web_delay_seconds: float = Field(1.0, ge=0, description="Least time between two requests to one host.")
    mailto: str | None = Field(None, description="Whom a site may write to when our requests are a burden.")
    search_questions: bool = Field(
        default=False, description="Whether students' unanswered questions may be sent to search engines."
    )
    mlflow_server: ServerAddress | None = Field(
        None,
        description="Address of an MLflow server that keeps the runs, data sets and models of this home, as of others; "
        "its login is in `MLFLOW_TRACKING_…`, that of the store of its files in `AWS_…`. Unset: they are in the home.",
    )
    mlflow_url: str | None = Field(
        None,
        description="Where the MLflow pages are; used for links. Unset: `COTEACH_MLFLOW_SERVER`, or where `coteach up` "
        "shows the home's, http://127.0.0.1:5000.",
    )
    gateway_url: str = Field("http://127.0.0.1:8080", description="Where the gateway is; used for links.")
    data_docs_url: str = Field(
        DATA_DOCS_URL, description="Where `coteach data-docs` shows Great Expectations' pages; used for links."
    )
    alert_url: str | None = Field(
        None,
        repr=False,
        description="Webhook that is told of runs and checks that failed, as JSON; default `<home>/logs/alerts.log` "
        "alone.",
    )

    @property
    def mlflow_pages(self) -> str:
        """Where the MLflow pages are, without a slash at the end."""
        return (self.mlflow_url or self.mlflow_server or MLFLOW_PAGES).rstrip("/")

    @property
    def course_resources(self) -> TaskResources:
        """What a course asks of Ray."""
        return TaskResources(self.course_cpus, self.course_gpus, self.course_memory_bytes)


def settings_now() -> PipelineSettings:
    """The settings as the environment has them. To read them takes a quarter of a second once Great Expectations is
    loaded, through whose classes Pydantic looks, so they are read again only when a variable is another."""
    return _settings_of(frozenset(each for each in os.environ.items() if each[0].upper().startswith("COTEACH_")))


@lru_cache(maxsize=1)
def _settings_of(_: frozenset[tuple[str, str]]) -> PipelineSettings:
    return PipelineSettings()


class HomeUnusable(CoteachError):
    """A home in which nothing can be built."""


class CourseUnknown(CoteachError):
    """A course that no folder holds."""


class IndexPlaceUnusable(CoteachError):
    """An address for the search index that its engine would not read."""


@dataclass(frozen=True)
class Inputs:
    """Where the outside world is: course folders, labels, models to start from, what may be asked of the web, the store
    of what people asked and decided."""

    courses: Path
    labels: Path
    albert: str | None
    mlflow_url: str
    gateway_url: str
    web: WebSettings
    store_url: str
    embedder: EmbedderSource = field(default_factory=lambda: EmbedderSource(str(MINILM), ("en",)))
    embed_limit: int = EMBED_LIMIT
    index: IndexPlace = field(default_factory=IndexPlace)
    data_docs_url: str = DATA_DOCS_URL
    watch: Watch = WATCH
    evaluation: EvaluationPaths = field(default_factory=EvaluationPaths)
    trains_intent: bool = True
    """Whether builds train the intent model."""
    is_single: bool = False
    """Whether `courses` is one course, as a person said."""
    known_digests: Path | None = None
    """Where the digests of the courses' files are kept, to read only those that changed."""
    kept_intent_models: int = 10
    """Beside those in use or with an alias."""
    trainings: KeptTrainings = field(default_factory=lambda: KeptTrainings(TRAININGS))

    def find_folders(self) -> tuple[CourseFolder, ...]:
        """The folder of every course. Raises `FolderAmbiguous` when it cannot be told what is one."""
        return find_courses(self.courses, is_single=self.is_single)

    def course(self, course_id: str) -> CourseFolder:
        """The folder of one course. Raises `CourseUnknown` with the courses that exist."""
        found = {folder.course_id: folder for folder in self.find_folders()}
        if course_id not in found:
            raise CourseUnknown(
                f"No course {course_id!r} in {self.courses}; found: {', '.join(sorted(found)) or 'none'}. "
                "Point COTEACH_COURSES (or --courses) at the folder that holds it."
            )
        return found[course_id]


class HomeResource(dg.ConfigurableResource[DataDir]):
    """The home as a `DataDir`. A run that asks for it is the home's one writer for as long as it lasts."""

    root: str

    @contextmanager
    def yield_for_execution(self, context: dg.InitResourceContext) -> Iterator[DataDir]:
        data_dir = DataDir(Path(self.root))
        if context.run is None:
            yield data_dir
            return

        def tell(line: str) -> None:
            if context.log is not None:
                context.log.info(line)

        with writing_as_run(context.run, data_dir, tell):
            yield data_dir


@contextmanager
def writing_as_run(run: dg.DagsterRun, data_dir: DataDir, tell: Callable[[str], None]) -> Iterator[None]:
    """While a run of Dagster is the home's writer. It keeps Dagster's event log open, as a command does."""
    if not is_held(data_dir):
        refuse_shared_home(settings_now())
    show_alive(data_dir, run.run_id)
    with writing(data_dir, f"run {run.run_id[:8]} of {run.job_name}", tell=tell), held():
        yield


class InputsResource(dg.ConfigurableResource[Inputs]):
    """The outside world as `Inputs`."""

    courses: str
    labels: str
    albert: str | None
    mlflow_url: str
    gateway_url: str
    embed_limit: int = EMBED_LIMIT

    def create_resource(self, context: dg.InitResourceContext) -> Inputs:
        # Not fields of this resource: Dagster's pages show those, two are keys, and a URL may hold a password.
        settings = settings_now()
        return Inputs(
            courses=Path(self.courses),
            labels=Path(self.labels),
            albert=self.albert,
            mlflow_url=self.mlflow_url,
            gateway_url=self.gateway_url,
            web=web_settings(settings),
            store_url=store_url(DataDir(settings.home.absolute()), settings.store_url),
            embedder=embedder_source(settings),
            embed_limit=self.embed_limit,
            index=index_place(settings),
            data_docs_url=settings.data_docs_url,
            watch=watch(settings),
            evaluation=evaluation_paths(settings),
            is_single=settings.single_course,
            trains_intent=settings.intent_training,
            known_digests=DataDir(settings.home.absolute()).known_digests,
            kept_intent_models=settings.kept_intent_models,
            trainings=open_trainings(settings),
        )


def web_settings(settings: PipelineSettings) -> WebSettings:
    """What may be asked of the web."""
    return WebSettings(
        search_url=settings.search_url,
        scholar_url=settings.scholar_url,
        scholar_key=settings.scholar_key,
        mailto=settings.mailto,
        delay_seconds=settings.web_delay_seconds,
        send_questions=settings.search_questions,
    )


def embedder_source(settings: PipelineSettings) -> EmbedderSource:
    """Which model embeds texts: the one that is chosen, else one for English and one for Chinese."""
    if settings.embedder is None and settings.embedder_url is None:
        return EmbedderSource(str(MINILM), ("en",), beside=(EmbedderSource(str(E5), ("zh",)),))
    return EmbedderSource(
        location=settings.embedder or str(MINILM),
        languages=tuple(part.strip() for part in settings.embedder_languages.split(",") if part.strip()),
        url=settings.embedder_url,
        api_key=settings.embedder_key,
        is_chosen=settings.embedder is not None,
    )


def index_place(settings: PipelineSettings) -> IndexPlace:
    """Where the search index is kept, a folder with its absolute path. Raises `IndexPlaceUnusable`."""
    if settings.index == "tantivy":
        if settings.index_url is not None:
            raise IndexPlaceUnusable(
                "COTEACH_INDEX_URL is where LanceDB keeps the index, and COTEACH_INDEX is tantivy, which keeps it in "
                "the home. Set COTEACH_INDEX=lance, or leave the address out."
            )
        return IndexPlace()
    if settings.index_url is not None and _holds_secret(settings.index_url):
        raise IndexPlaceUnusable(
            "COTEACH_INDEX_URL holds a user, a password or a query, and it would be written into the home and into "
            "messages. Leave them out: the keys of an object store are read from AWS_ACCESS_KEY_ID and AWS_…."
        )
    is_folder = settings.index_url is not None and "://" not in settings.index_url
    return IndexPlace("lance", str(Path(str(settings.index_url)).absolute()) if is_folder else settings.index_url)


def _holds_secret(address: str) -> bool:
    parts = urlsplit(address)
    return "://" in address and ("@" in parts.netloc or bool(parts.query))


def open_trainings(settings: PipelineSettings) -> KeptTrainings:
    """Where trained models are kept between homes."""
    return KeptTrainings(settings.trainings.absolute(), reuse=settings.reuse_trainings)


def watch(settings: PipelineSettings) -> Watch:
    """When too few questions are answered."""
    return Watch(settings.watch_hours, settings.watch_share, settings.watch_least)


def evaluation_paths(settings: PipelineSettings) -> EvaluationPaths:
    """What is evaluated on beside the courses' own sets, with absolute paths."""
    named = (settings.eval_intents, settings.eval_answers, settings.eval_ratings, settings.eval_releases)
    return EvaluationPaths(*(path.absolute() if path else None for path in named))


class QuietDbt(DbtCliResource):
    """dbt whose version is looked up here: `dbt --version`, which dagster-dbt runs, asks PyPI for the newest one.

    And without an adapter of dbt in this process, too: dagster-dbt parses all macros for one, a second of each run, to
    count rows and columns in the database, which nothing here asks it to.
    """

    @cached_property
    def _cli_version(self) -> Version:
        return Version(metadata.version("dbt-core"))

    def _initialize_dbt_core_adapter(self, args: Sequence[str]) -> Any:
        return None


def dbt_resource() -> QuietDbt:
    """dbt of this environment, wherever the PATH points, as a program that ends soon: a tenth less processor time.

    It may be given what was parsed before (orchestration/building/carried_parse.py).
    """
    return QuietDbt(
        project_dir=str(DBT_PROJECT),
        profiles_dir=str(DBT_PROJECT),
        dbt_executable=sys.executable,
        global_config_flags=["-P", "-m", "knowledge_graph.lean_imports", "orchestration.building.carried_parse:run"],
    )


_MISREAD = frozenset("'\"[]{}?#%*")


def check_home(settings: PipelineSettings) -> Path:
    """The home as an absolute path. Raises `HomeUnusable` for characters that dbt or database URLs give a meaning, and
    for the copy of a home that is built elsewhere."""
    home = settings.home.absolute()
    if found := sorted(_MISREAD.intersection(str(home))):
        raise HomeUnusable(
            f"The home {home} has {' '.join(found)} in its path, which dbt, DuckDB or a database URL would misread. "
            "Choose another with --home or COTEACH_HOME; spaces and any letters are fine."
        )
    if DataDir(home).publication.is_dir():
        raise HomeUnusable(
            f"The home {home} is a gateway's copy of one that is published elsewhere: nothing is built in it. Build "
            "in another home, and publish that with COTEACH_PUBLISH_URL."
        )
    return home


def refuse_shared_home(settings: PipelineSettings) -> None:
    """Raise `HomeUnusable` where the home is shared: Dagster's daemon and pages have files of it open."""
    if settings.home_url is not None:
        raise HomeUnusable(
            "COTEACH_HOME_URL is set, and Dagster's daemon and pages cannot build a home that machines share: its "
            "record, which they have open, is a part of it. Build by `coteach build`, or unset it here."
        )


def inputs_of(settings: PipelineSettings) -> Inputs:
    """The outside world as the settings say, with absolute paths."""
    home = settings.home.absolute()
    return Inputs(
        courses=(settings.courses or DataDir(home).courses).absolute(),
        labels=settings.labels.absolute(),
        albert=settings.albert,
        mlflow_url=settings.mlflow_pages,
        gateway_url=settings.gateway_url,
        web=web_settings(settings),
        store_url=store_url(DataDir(home), settings.store_url),
        embedder=embedder_source(settings),
        embed_limit=settings.embed_limit,
        index=index_place(settings),
        data_docs_url=settings.data_docs_url,
        watch=watch(settings),
        evaluation=evaluation_paths(settings),
        is_single=settings.single_course,
        trains_intent=settings.intent_training,
        known_digests=DataDir(home).known_digests,
        kept_intent_models=settings.kept_intent_models,
        trainings=open_trainings(settings),
    )


def resources(settings: PipelineSettings) -> dict[str, object]:
    """Every resource under the name that assets ask for it by."""
    inputs = inputs_of(settings)
    return {
        "data_dir": HomeResource(root=str(check_home(settings))),
        "inputs": InputsResource(
            courses=str(inputs.courses),
            labels=str(inputs.labels),
            albert=inputs.albert,
            mlflow_url=inputs.mlflow_url,
            gateway_url=inputs.gateway_url,
            embed_limit=inputs.embed_limit,
        ),
        "dbt": dbt_resource(),
    }
