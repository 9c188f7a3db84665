"""A setting that cannot be used is told by its name in the environment, with what was expected."""

from typing import Any

import pytest
from pydantic import ValidationError

from orchestration.cli.main import describe_wrong_setting
from serving.settings import Settings


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (
            {"llm_url_zh": "not a url"},
            "COTEACH_LLM_URL_ZH: expected an address that begins with http:// or https://, found 'not a url'",
        ),
        ({"llm_model_en": "qwen"}, "COTEACH_LLM_MODEL_EN names a model, and COTEACH_LLM_URL_EN no server of it."),
        ({"port": -1}, "COTEACH_PORT: Input should be greater than or equal to 0"),
    ],
)
def test_a_wrong_setting_is_told_by_its_name_and_what_was_expected(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Settings(**wrong)
    assert [describe_wrong_setting(one) for one in refused.value.errors()] == [told]
