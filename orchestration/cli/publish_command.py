"""What `coteach publish` does and prints."""

from rich.console import Console

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.problems import CoteachError
from knowledge_graph.lake.remote_folder import RemoteFolder
from orchestration.building.home_lock import writing
from orchestration.publication import describe, publish_home
from orchestration.resources import PipelineSettings, check_home


def publish(console: Console, *, url: str | None, verify: bool, wait: bool) -> int:
    """Publish the home as it is to `url`, or where the settings say. Returns the exit code."""
    settings = PipelineSettings()
    place = url or settings.publish_url
    if place is None:
        raise CoteachError(
            "Nowhere to publish to: set COTEACH_PUBLISH_URL, or give --to, as s3://bucket/path, gs://bucket/path or a "
            "folder."
        )
    data_dir = DataDir(check_home(settings))

    def tell(line: str) -> None:
        console.print(line, style="yellow", markup=False, highlight=False)

    with writing(data_dir, "`coteach publish`", wait=wait, tell=tell):
        report = publish_home(data_dir, place, verify=verify)
    console.print(describe(report, RemoteFolder(place).url), markup=False, highlight=False, soft_wrap=True)
    return 0
