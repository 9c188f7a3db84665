"""Settings of the service, each from a `COTEACH_*` environment variable. Settings of the pipeline are in orchestration.

Nothing here reads the environment at import: `Settings()` does, once, where the process starts.
"""

import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.records import Lang
from models.tracking.place import ServerAddress

_URL = r"^https?://\S+$"
_URLS = r"^https?://[^\s,]+(,\s*https?://[^\s,]+)*$"
_ORIGIN = re.compile(r"https?://[^\s/]+")


class Settings(BaseSettings):
    """Everything a running gateway can be told. The names in the environment carry the prefix `COTEACH_`."""

    model_config = SettingsConfigDict(
        env_prefix="COTEACH_", env_ignore_empty=True, frozen=True, extra="ignore", hide_input_in_errors=True
    )

    home: Path = Field(default=Path("data"), description="Folder that holds everything a build made.")
    follow_url: str | None = Field(
        default=None,
        repr=False,
        description="Where a home is published (`COTEACH_PUBLISH_URL` of the pipeline): this gateway fetches it into "
        "its own home, which nobody builds in, and follows it. Unset: it answers from what is built in its home.",
    )
    follow_seconds: float = Field(
        default=1.0, gt=0, description="Pause between two looks at what is published at `COTEACH_FOLLOW_URL`."
    )
    link_secret: str | None = Field(
        default=None,
        repr=False,
        min_length=32,
        description="Secret of signed links, the same for all gateways that have homes of their own. Unset: a file of "
        "the home.",
    )
    courses: Path | None = Field(default=None, description="Folder of course folders; default `<home>/courses`.")
    single_course: bool = Field(
        default=False, description="Whether `COTEACH_COURSES` is one course, whatever folders are in it."
    )
    course_editing: Literal["on", "off"] = Field(
        default="on",
        description="Whether teachers change the files of their courses, and start builds, in the console and by the "
        "API. `off` for courses that live in git or come from elsewhere, and by default with `COTEACH_FOLLOW_URL`.",
    )
    max_upload_bytes: int = Field(
        default=256 * 2**20, ge=1000, description="Longest file, or packed course, that is uploaded, in bytes."
    )
    upload_seconds: float = Field(default=600.0, gt=0, description="Longest time that an upload may take to arrive.")
    host: str = Field(default="127.0.0.1", description="Address the gateway listens on.")
    port: int = Field(default=8080, ge=0, le=65535, description="Port the gateway listens on.")

    llm_url: str | None = Field(
        default=None,
        pattern=_URLS,
        description="Base URL of an OpenAI-compatible model server, with its `/v1`; several with commas between them "
        "for servers of the same model, of which the least busy is asked. Unset: coteach starts vLLM itself.",
    )
    llm_model: str | None = Field(
        default=None, description="Model name sent to the model server. Unset: the first name its `/v1/models` lists."
    )
    llm_api_key: str = Field(default="none", repr=False, description="Key sent to the model server; vLLM needs none.")
    llm_url_en: str | None = Field(
        default=None,
        pattern=_URLS,
        description="As `COTEACH_LLM_URL`, for the model that writes in English, with an exam and limits of its own. "
        "Unset: that of `COTEACH_LLM_URL` does.",
    )
    llm_model_en: str | None = Field(
        default=None, description="As `COTEACH_LLM_MODEL`, for the servers of `COTEACH_LLM_URL_EN`."
    )
    llm_api_key_en: str = Field(
        default="none", repr=False, description="Key sent to the servers of `COTEACH_LLM_URL_EN`."
    )
    llm_url_zh: str | None = Field(
        default=None,
        pattern=_URLS,
        description="As `COTEACH_LLM_URL`, for the model that writes in Chinese, with an exam and limits of its own. "
        "Unset: that of `COTEACH_LLM_URL` does.",
    )
    llm_model_zh: str | None = Field(
        default=None, description="As `COTEACH_LLM_MODEL`, for the servers of `COTEACH_LLM_URL_ZH`."
    )
    llm_api_key_zh: str = Field(
        default="none", repr=False, description="Key sent to the servers of `COTEACH_LLM_URL_ZH`."
    )
    model_admission: Literal["exam", "always", "never"] = Field(
        default="exam",
        description="Whether a language model may write answers: `exam`, where it is admitted; `always`, unexamined "
        "and "
        "with a warning; `never`. Whoever is not admitted leaves the answer to what is composed from the material.",
    )
    exam_seconds: float = Field(
        default=300.0,
        gt=0,
        description="Longest time in which a model is asked the exam of the courses; fewer items are asked then. What "
        "was asked before is kept and costs nothing.",
    )
    exam_judge_url: str | None = Field(
        default=None,
        pattern=_URL,
        description="Base URL of an OpenAI-compatible server whose model says of each exam answer whether it is right: "
        "a column beside the marks, which decides nothing. Unset: none is asked.",
    )
    exam_judge_model: str | None = Field(
        default=None, description="Model name sent to that server. Unset: the first name its `/v1/models` lists."
    )
    exam_judge_key: str = Field(default="none", repr=False, description="Key of `COTEACH_EXAM_JUDGE_URL`.")
    languages: Annotated[tuple[str, ...], NoDecode] = Field(
        default=("en",),
        description="Languages the served models can teach in, comma separated. Default: en, as the default model, "
        "and those with servers of their own.",
    )
    temperature: float = Field(default=0.2, ge=0, le=2, description="Sampling temperature of every generated answer.")
    temperature_limit: float = Field(
        default=1.0, ge=0, le=2, description="Highest temperature that a request may ask for; more is taken as this."
    )
    max_tokens: int = Field(default=256, ge=16, description="Longest generated answer, in tokens.")
    max_question_chars: int = Field(
        default=4000, ge=100, le=100_000, description="Longest question that is read, in characters."
    )
    unknown_parameters: Literal["refuse", "ignore"] = Field(
        default="refuse",
        description="What becomes of a request with a parameter that this endpoint does not have: `refuse`, 400 by "
        "name; `ignore`, answered with a list `warnings`. The header `X-Coteach-Unknown-Parameters` says it for one "
        "request.",
    )
    context_tokens: int = Field(
        default=700,
        ge=200,
        description="Longest prompt, in estimated tokens. 1,475 tokens take 9 s to read on two CPU cores.",
    )
    llm_connect_seconds: float = Field(
        default=2.0, gt=0, description="Longest wait for a connection to the model server."
    )
    llm_first_token_seconds: float = Field(
        default=60.0, gt=0, description="Longest wait for the first token of an answer."
    )
    llm_stall_seconds: float = Field(default=10.0, gt=0, description="Longest silence between two tokens of an answer.")
    llm_probe_seconds: float = Field(
        default=1.0,
        gt=0,
        description="Pause between two looks at the model server's `/health` while a token is awaited.",
    )
    deadline_seconds: float = Field(default=120.0, gt=0, description="Longest time the model may take for one answer.")

    embedder_key: str = Field(default="none", repr=False, description="Key of `COTEACH_EMBEDDER_URL`.")

    alpha: float | None = Field(
        default=None, ge=0, le=1, description="Chat when the intent score h is above it. Unset: the calibrated value."
    )
    beta: float | None = Field(
        default=None, ge=0, le=1, description="Direct answer when the match is above it. Unset: the calibrated value."
    )
    intent_context: bool = Field(
        default=True, description="Whether the intent model reads the turn before and the course beside the question."
    )
    refusals: bool = Field(
        default=True,
        description="Whether questions that are cut off, nonsense, about no subject or without options are declined.",
    )
    strategy: Literal["concept_aware", "hybrid", "catalog_expert", "fused"] = Field(
        default="hybrid",
        description="How what may answer is found and ranked: `concept_aware`, `hybrid`, `catalog_expert` or `fused`.",
    )
    reranker: str = Field(
        default="none",
        pattern=f"^(none|llm)$|{_URL}",
        description="Who has the last word in `fused`: `none`, `llm` (the served model), or the `/v1` of a server with "
        "a cross-encoder.",
    )
    reranker_model: str = Field(default="reranker", description="Name of the cross-encoder on its server.")
    tokenizer: Path | None = Field(
        default=None,
        description="Folder with the served model's `tokenizer.json`; prompts are counted by it. Unset: an upper "
        "estimate, or the model's own where coteach starts vLLM.",
    )
    informal_reviews: bool = Field(
        default=False, description="Whether informal reviews of classes, which nobody checks, may answer."
    )
    search_weight: Literal["h", "openness"] = Field(
        default="openness",
        description="Factor of search snippets in eq. 6: `h` as printed, or `openness` (1 - h), which brought the "
        "gold into "
        "the evidence of 106 of 169 questions where `h` brought 94.",
    )
    top_k: int = Field(default=5, ge=1, le=50, description="How many ranked candidates are kept for one question.")
    simple_prompt: Literal["context", "tutor", "teach"] = Field(
        default="context",
        description="The prompt of a simple question: `context` (structured, cited), `tutor` (academic tutor with "
        "safeguards) or `teach`, that of complex ones.",
    )
    complex_prompt: Literal["teach", "context", "tutor"] = Field(
        default="teach",
        description="The prompt of a complex question: `teach` (Chain of Teach), or one of those of simple ones.",
    )
    demonstrations: int = Field(
        default=1, ge=0, le=8, description="Worked examples in a Chain of Teach prompt. Each costs about 150 tokens."
    )
    own_demonstrations: Path | None = Field(
        default=None,
        description="YAML file of worked examples that teachers wrote, which stand before those of the program.",
    )
    few_shot: int = Field(
        default=0, ge=0, le=5, description="Stored QA pairs shown to the model as examples in the structured prompt."
    )
    explanations: bool = Field(
        default=True, description="Whether a stored answer is given with its explanation, where it has one."
    )
    max_snippets: int = Field(default=3, ge=0, le=10, description="How many of them are shown to the model.")

    reference_candidates: int = Field(
        default=20, ge=3, le=200, description="Passages that are weighed as references of one answer."
    )
    no_references_for: Annotated[tuple[str, ...], NoDecode] = Field(
        default=("mathematics",),
        description="Subjects whose answers carry no references, comma separated, mathematics in any language; `none`: "
        "all do.",
    )

    stream: Literal["live", "checked"] = Field(
        default="live",
        description="Streamed answers: `live` shows text as it is written, `checked` once it has passed the graders.",
    )
    graders: Annotated[tuple[str, ...], NoDecode] = Field(
        default=("material",),
        description="Who looks at a draft, comma separated: `material` (compares texts), `llm` (asks the model where "
        "that is unsure); `none` for nobody.",
    )
    regenerations: int = Field(
        default=2, ge=0, le=5, description="How often a draft that is not grounded is written again."
    )
    rewrites: int = Field(
        default=2, ge=0, le=5, description="How often a question without an answer is asked in other words."
    )
    reflect_seconds: float = Field(
        default=30.0, ge=0, description="No new attempt at an answer begins so long after the question."
    )

    store_url: str | None = Field(
        default=None,
        repr=False,
        description="Database of sessions, answers, feedback and reviews: `sqlite:////path/store.db` or "
        "`postgresql://user:password@host/database`. Unset: `<home>/store.db`.",
    )
    retention_days: int | None = Field(
        default=None,
        ge=1,
        description="Answers older than so many days are deleted, with what hangs on them; reviewed answers stay. "
        "Unset: all are kept.",
    )
    low_confidence: float = Field(
        default=0.5, ge=0, le=1, description="Answers less sure than this go into the TAs' queue by themselves."
    )
    answered_ratio: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="An alert is raised when a smaller share of the last 50 questions of a course is answered in full. "
        "0: never.",
    )
    answered_ratio_questions: int = Field(
        default=20, ge=1, description="Fewest questions of a course within 24 hours that such an alert can come from."
    )

    mlflow_server: ServerAddress | None = Field(
        default=None, description="The MLflow server of the home's runs, as the pipeline has it; unset: the home."
    )
    mlflow_traces: str | None = Field(
        default=None,
        description="MLflow tracking URI that also gets a trace of every answer, or `home` for where the home's runs "
        "are.",
    )

    access: Literal["open", "keys"] = Field(
        default="open",
        description="Who may ask: `open`, whoever reaches the gateway, as a student; `keys`, who has a key. "
        "TAs and teachers always need one. Beyond the machine itself it must be set.",
    )
    login_days: float = Field(default=30.0, gt=0, le=400, description="Days until a browser must log in again.")
    requests_per_minute: int = Field(
        default=120, ge=0, description="Questions one caller may ask of one course per minute; `0`: no limit."
    )
    logins_per_minute: int = Field(
        default=60, ge=0, description="Logins, and wrong keys, from one address per minute; `0`: no limit."
    )
    concurrent_answers: int = Field(
        default=256, ge=0, description="Answers that may be written for one caller at once; `0`: no limit."
    )
    limits_url: str | None = Field(
        default=None,
        repr=False,
        description="Where several gateways count limits together, such as `redis://host:6379`, with the extra "
        "`redis`. Unset: each its own.",
    )
    student_tokens_per_day: int = Field(
        default=0,
        ge=0,
        description="Tokens of the model server that one student may cost on one day (UTC); beyond them the material "
        "answers. `0`: no cap. It holds for whoever has a key, a login or a session; who begins a new one each time is "
        "bound by the caps of course and key.",
    )
    key_tokens_per_day: int = Field(
        default=0,
        ge=0,
        description="The same for all students of one key together, unless the key has a cap of its own. `0`: no cap.",
    )
    course_tokens_per_day: int = Field(
        default=0,
        ge=0,
        description="The same for all questions to one course, unless the course has a cap of its own. `0`: no cap.",
    )
    tokens_per_day: int = Field(default=0, ge=0, description="The same for everything together. `0`: no cap.")
    student_questions_per_day: int = Field(
        default=0,
        ge=0,
        description="Questions that one student may ask on one day (UTC), whoever answers; beyond them 429 until the "
        "day is over. `0`: no cap. As for tokens, whoever begins a new session each time is bound by the other caps.",
    )
    key_questions_per_day: int = Field(
        default=0, ge=0, description="The same for everybody who asks with one key together. `0`: no cap."
    )
    course_questions_per_day: int = Field(
        default=0,
        ge=0,
        description="The same for all questions to one course, unless the course has a cap of its own. `0`: no cap.",
    )
    questions_per_day: int = Field(default=0, ge=0, description="The same for everything together. `0`: no cap.")
    price_per_million_prompt_tokens: float | None = Field(
        default=None, ge=0, description="What a million tokens read by the model cost. Unset: tokens alone are told."
    )
    price_per_million_completion_tokens: float | None = Field(
        default=None, ge=0, description="What a million tokens written by the model cost."
    )
    currency: str = Field(default="USD", max_length=8, description="What these prices are in.")
    smtp_host: str | None = Field(
        default=None, description="Mail server by which people are told what they chose to be told. Unset: no mail."
    )
    smtp_port: int = Field(default=587, ge=1, le=65535, description="Its port.")
    smtp_security: Literal["starttls", "tls", "none"] = Field(
        default="starttls", description="How the connection is protected: `starttls`, `tls` from its start, or `none`."
    )
    smtp_user: str | None = Field(default=None, description="Login at the mail server. Unset: none is made.")
    smtp_password: str = Field(default="", repr=False, description="Its password.")
    mail_from: str = Field(default="coteach@localhost", description="Address that mail comes from.")
    webhook_url: str | None = Field(
        default=None,
        pattern=_URL,
        repr=False,
        description="Where notices are posted for those who chose so, signed as Standard Webhooks are. Unset: nowhere.",
    )
    webhook_secret: str = Field(
        default="", repr=False, description="Secret of its signatures: base64 with or without `whsec_` before it."
    )
    digest_hour: int = Field(
        default=6, ge=0, le=23, description="Hour (UTC) from which TAs who chose so get their digest."
    )
    digest_every: Literal["day", "week"] = Field(
        default="day", description="How often they do: each `day`, or each `week`, from its Monday on."
    )
    patience_seconds: float = Field(
        default=0.7,
        ge=0,
        description="A question that would wait longer for those before it is refused with 503 and `Retry-After`; `0`: "
        "none is.",
    )
    short_first_seconds: float = Field(
        default=10.0,
        ge=0,
        description="Of those that wait, a shorter question goes first unless a longer one came so many seconds before "
        "it: no longer than `COTEACH_PATIENCE_SECONDS` where the gateway is waited for. `0`: as they came.",
    )
    kept_answers: int = Field(
        default=2000,
        ge=0,
        description="Answers that are kept for whoever asks the same first question of a session again, until what "
        "they rest on changes; some 10 kB each. `0`: none.",
    )
    most_writing: int = Field(
        default=32,
        ge=0,
        description="Answers that the model server may write, or that may wait for it, at once; beyond them the "
        "material answers. `0`: any number.",
    )
    model_requests: int = Field(
        default=0,
        ge=0,
        description="Requests that one gateway sends to each model server at once; others wait, the shorter first. "
        "`0`: all are sent, and the server orders them. Unset, for a vLLM that coteach starts on a processor: 8.",
    )
    max_body_bytes: int = Field(default=1_000_000, ge=1000, description="Longest request that is read, in bytes.")
    body_seconds: float = Field(default=20.0, gt=0, description="Longest time a request's body may take to arrive.")
    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="Web origins whose pages may ask from a browser, comma separated. Default: none."
    )
    player_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="Origins of pages with a video player that may show the chat in a frame beside it and tell it "
        "where in a lecture the student is, comma separated. Registered LMSs may for those they launch. Default: none.",
    )
    public_url: str | None = Field(
        default=None,
        pattern=r"^https?://[^\s?#]+$",
        description="Address by which students reach the gateway, as `https://ta.example.edu`: references are below "
        "it. Unset: the address and port it listens on. The `Host` header is never believed.",
    )
    sources: Literal["asked", "public"] = Field(
        default="asked",
        description="Who opens the sources that references lead to: `asked`, who may ask, and whoever has the signed "
        "link of an answer; `public`, everybody.",
    )
    link_hours: float = Field(
        default=24.0 * 30, gt=0, description="How long the signed links of an answer open, in hours."
    )
    footnotes: Literal["auto", "always", "never"] = Field(
        default="auto",
        description="Whether references stand in an answer's text too, beside its annotations: `auto`, unless a "
        "request's `metadata.footnotes` says `never`; `always`; `never`.",
    )
    drain_seconds: float = Field(
        default=130.0,
        ge=0,
        description="How long a gateway that is asked to end finishes the answers that are being written.",
    )
    notice_seconds: float = Field(
        default=0.0,
        ge=0,
        description="How long a gateway that is asked to end still answers while `/readyz` says that it leaves: longer "
        "than a load balancer takes to notice.",
    )
    keep_alive_seconds: float = Field(
        default=10.0,
        gt=0,
        description="A stream in which nothing was said for so long gets a comment, so that no proxy ends it.",
    )
    idle_connection_seconds: int = Field(
        default=75,
        ge=1,
        description="How long a connection without a request is kept. Longer than a load balancer keeps its own, "
        "mostly 60 s, so that none is closed just when a request comes.",
    )
    trusted_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="Host names the gateway answers to, comma separated. Default: any."
    )
    metrics: Literal["loopback", "admin", "open"] = Field(
        default="loopback",
        description="Who reads `/metrics`: `loopback`, this machine or an admin's key; `admin`, a key alone; `open`.",
    )
    otlp_endpoint: str | None = Field(
        default=None,
        pattern=r"^https?://[^\s]+$",
        description="Where OpenTelemetry traces are sent (OTLP over HTTP), as `http://collector:4318/v1/traces`; needs "
        "`coteach[telemetry]`. Unset: none are made.",
    )
    log_format: Literal["json", "console"] = Field(default="json", description="How the gateway's log is written.")

    @field_validator(
        "languages", "graders", "no_references_for", "cors_origins", "player_origins", "trusted_hosts", mode="before"
    )
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator("graders")
    @classmethod
    def _known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := set(value) - {"material", "llm", "none"}:
            raise ValueError(f"Graders are material, llm or none; found {', '.join(sorted(unknown))}.")
        return value

    @field_validator("languages")
    @classmethod
    def _taught(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := set(value) - set(get_args(Lang)):
            raise ValueError(f"Languages are {' and '.join(get_args(Lang))}; found {', '.join(sorted(unknown))}.")
        return value

    @field_validator("cors_origins", "player_origins")
    @classmethod
    def _origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if wrong := [one for one in value if _ORIGIN.fullmatch(one) is None]:
            raise ValueError(f"An origin is written https://lms.example.edu, without a path; found {', '.join(wrong)}.")
        return value

    @model_validator(mode="before")
    @classmethod
    def _edits_where_it_builds(cls, given: dict[str, Any]) -> dict[str, Any]:
        """A gateway that follows a home built elsewhere edits no courses, unless somebody says so."""
        return {"course_editing": "off"} | given if given.get("follow_url") else given

    @field_validator("tokenizer")
    @classmethod
    def _there(cls, value: Path | None) -> Path | None:
        if value is not None and not (value / "tokenizer.json").is_file():
            raise ValueError(f"There is no tokenizer.json in {value}.")
        return value

    @model_validator(mode="before")
    @classmethod
    def _taught_by_their_own(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Whoever names servers for a language wants it taught, unless they say in which languages."""
        own = [lang for lang in get_args(Lang) if given.get(f"llm_url_{lang}")]
        return {"languages": tuple(dict.fromkeys(("en", *own)))} | given

    @model_validator(mode="after")
    def _models_have_servers(self) -> Self:
        for lang in get_args(Lang):
            if getattr(self, f"llm_model_{lang}") and not getattr(self, f"llm_url_{lang}"):
                own = lang.upper()
                raise ValueError(f"COTEACH_LLM_MODEL_{own} names a model, and COTEACH_LLM_URL_{own} no server of it.")
        return self

    @property
    def llm_urls(self) -> tuple[str, ...]:
        """The addresses of the model server's replicas; none where coteach starts its own."""
        return tuple(one.strip() for one in (self.llm_url or "").split(",") if one.strip())

    @property
    def data_dir(self) -> DataDir:
        return DataDir(self.home)

    @property
    def courses_folder(self) -> Path:
        """Where the course folders are."""
        return (self.courses or self.data_dir.courses).absolute()


class ModelServerSettings(BaseSettings):
    """How coteach starts a model server of its own, when `COTEACH_LLM_URL` names none."""

    model_config = SettingsConfigDict(env_prefix="COTEACH_", env_ignore_empty=True, frozen=True, extra="ignore")

    llm: str = Field(
        ".cache/models/smollm2-135m-instruct",
        description="Model that vLLM serves: a Hugging Face id or a folder. Default: what `make setup` fetched.",
    )
    vllm_python: Path | None = Field(
        None, description="Interpreter of the environment that has vLLM. Default: `.venv-vllm/bin/python`."
    )
    vllm_port: int = Field(
        8100, ge=0, le=65535, description="Port vLLM listens on; when it is taken a free one, which is told."
    )
    vllm_args: str = Field("", description="Further arguments for vLLM, as in a shell; they win over the defaults.")
    vllm_start_seconds: float = Field(900, gt=0, description="Longest wait until vLLM is ready.")
