"""The whole gateway, fuzzed by its own OpenAPI description with an admin's key: no server error, no answer that is not
described. One test for all routes: schemathesis ends an application's lifespan with the test that began it.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from gateways import bearer
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from routes_and_roles import TABLE
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.python import asgi
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from serving.gateway.app import create_app
from serving.settings import Settings
from serving.store.keys import make_key

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
EXAMPLES = 15 if settings.get_current_profile_name() == "thorough" else 4
"""Of each route, and as many again of what its description forbids."""


@pytest.fixture
def client(home: Path) -> Iterator[Any]:
    app = create_app(Settings(home=home, requests_per_minute=0, logins_per_minute=0))
    with asgi.get_client(app) as opened:
        key = app.state.service.store.write(lambda db: make_key(db, role="admin", name="Grace"))
        opened.headers.update(bearer(key))
        yield opened


def stop_builds(client: Any) -> None:
    """A build that was started outlives its gateway, and takes longer than the test."""
    while running := [one["build_id"] for one in client.get("/v1/builds").json() if one["state"] == "running"]:
        for build in running:
            client.post(f"/v1/builds/{build}/cancel")
        time.sleep(0.1)


def fuzz(client: Any, operation: Any, mode: GenerationMode) -> None:
    """Send what the description of one route allows, or forbids. Raises for the first answer that fails a check."""
    requests = operation.as_strategy(generation_mode=mode)

    @given(data=st.data())
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def send(data: Any) -> None:
        case = data.draw(requests)
        case.call_and_validate(session=client, checks=CHECKS, base_url="http://127.0.0.1")

    with suppress(Unsatisfiable):  # nothing that the description forbids can be sent to some routes
        send()


@pytest.mark.slow
def test_nothing_that_can_be_sent_is_a_server_error_or_an_answer_that_is_not_described(client: Any) -> None:
    described = schemathesis.openapi.from_dict(client.get("/openapi.json").json())
    failures = []
    for method, template in sorted({(row.method, row.template) for row in TABLE}):
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            try:
                fuzz(client, described[template][method], mode)
            except (Exception, BaseExceptionGroup) as failure:  # noqa: BLE001  told together in the end
                failures.append(f"{method} {template}: {failure}")
    stop_builds(client)
    assert "\n".join(failures) == ""
