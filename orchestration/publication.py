"""Publishing the home for gateways that follow it (`COTEACH_PUBLISH_URL`): at the end of `coteach build`, by
`coteach publish`, and by the daemon once nothing else runs.

With the setting unset there is no job and no sensor of it.
"""

import time

import dagster as dg

from knowledge_graph.lake.home import DataDir
from knowledge_graph.lake.publication import PublicationReport, publish
from knowledge_graph.lake.remote_folder import RemoteFolder
from knowledge_graph.sources.known_digests import KnownDigests
from orchestration.jobs import STAGE
from orchestration.partitions import HOME_POOL
from orchestration.resources import check_home, settings_now
from orchestration.sensors import busy

_LOOK_S = 5
_AGAIN_S = 60
"""After which what could not be published is tried again."""
_RETRIES = dg.RetryPolicy(max_retries=4, delay=5, backoff=dg.Backoff.EXPONENTIAL)
"""A store that is away for less than a minute and a quarter fails no run."""


def publish_home(data_dir: DataDir, url: str, *, verify: bool = False) -> PublicationReport:
    """Publish what gateways read of a home; its writer is the caller. `verify` reads every file whole.

    Raises `HomeUnfit` for a home that is not built, `PlaceUnreachable` and `PlaceUnusable` for the address.
    """
    from serving.gateway.following.served_files import find_served_files  # noqa: PLC0415  ONNX Runtime, .4 s of each start

    known = KnownDigests.load(data_dir.published_digests, trusted=not verify)
    report = publish(find_served_files(data_dir), RemoteFolder(url), digest=known.digest)
    known.save()
    return report


def describe(report: PublicationReport, folder: str) -> str:
    """One line for people."""
    if not report.is_new:
        return f"Published already: {report.version[:12]} in {folder}."
    return (
        f"Published {report.version[:12]} in {folder}: {report.files:,} files, of which {report.carried:,} "
        f"({report.carried_bytes / 1e6:,.1f} MB) travelled."
    )


@dg.op(pool=HOME_POOL, retry_policy=_RETRIES, description="What gateways read of the home, to where they follow it.")
def published_home(context: dg.OpExecutionContext, data_dir: dg.ResourceParam[DataDir]) -> None:
    """Publish the home as it is."""
    url = settings_now().publish_url
    if url is None:
        raise dg.Failure("COTEACH_PUBLISH_URL is not set: there is nowhere to publish to.", allow_retries=False)
    report = publish_home(data_dir, url)
    context.log.info(describe(report, RemoteFolder(url).url))
    context.add_output_metadata(
        {
            "version": report.version,
            "files": report.files,
            "carried": report.carried,
            "carried_bytes": report.carried_bytes,
        }
    )


@dg.job(
    description="Publishes the home for gateways that follow it.",
    tags={STAGE: "publication"},
    executor_def=dg.in_process_executor,
)
def publication() -> None:
    """One op."""
    published_home()


@dg.sensor(job=publication, minimum_interval_seconds=_LOOK_S, default_status=dg.DefaultSensorStatus.RUNNING)
def publishing(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
    """Publishes when a run has ended since the home was last published, and none is under way."""
    if reason := busy(context.instance, DataDir(check_home(settings_now()))):
        return dg.SkipReason(reason)
    newest = next(iter(context.instance.get_run_records(limit=1)), None)
    if newest is None:
        return dg.SkipReason("Nothing was built yet.")
    run = newest.dagster_run
    if run.job_name == publication.name:
        if run.status == dg.DagsterRunStatus.SUCCESS:
            return dg.SkipReason("What was built is published.")
        if time.time() - _end_of(newest) < _AGAIN_S:
            return dg.SkipReason("It could not be published; tried again soon.")
    return dg.SensorResult(run_requests=[dg.RunRequest(run_key=run.run_id)])


def _end_of(record: dg.RunRecord) -> float:
    return record.end_time or record.create_timestamp.timestamp()
