"""Tags of every asset, to find it by in Dagster's catalogue and to choose it by: which job builds it, what it takes.

They are read off the jobs and the lineage, so that none has to be kept up to date by hand.
"""

from collections.abc import Mapping

import dagster as dg

from orchestration.jobs import (
    COURSE_ASSETS,
    EVALUATION_ASSETS,
    EXAM_ASSETS,
    EXPLANATION_ASSETS,
    INTENT_ASSETS,
    STAGE,
    TUTOR_ASSETS,
    WEB_ASSETS,
)

OUTSIDE = "outside"
"""Stage of what no job makes: files, the store, services."""
ALL_COURSES = "all_courses"

_STAGES: Mapping[str, tuple[str, ...]] = {
    "course": COURSE_ASSETS,
    "intent_model": INTENT_ASSETS,
    "explanations": EXPLANATION_ASSETS,
    "model_exam": EXAM_ASSETS,
    "model": TUTOR_ASSETS,
    "evaluation": EVALUATION_ASSETS,
}
"""The assets of each stage, as the tags of the runs of its job name it; the first that has an asset is its stage."""
_READ: Mapping[str, str] = {
    "course_files": "coteach/reads_files",
    "label_files": "coteach/reads_labels",
    "store": "coteach/reads_store",
}
"""The tag of what reads an external asset, by the first part of the asset's key."""
_TAKEN: Mapping[str, tuple[str, ...]] = {
    "coteach/asks_web": WEB_ASSETS,
    "coteach/takes_model_server": (*EXPLANATION_ASSETS, *EXAM_ASSETS),
    "coteach/trains": ("albert_pretrained", "intent_model", *TUTOR_ASSETS),
}


def asset_tags(spec: dg.AssetSpec) -> dict[str, str]:
    """The tags of one asset beside those that it has: its stage, and what it reads from outside and takes."""
    name = spec.key.path[-1] if len(spec.key.path) == 1 else ""
    stage = next((each for each, names in _STAGES.items() if name in names), ALL_COURSES)
    read = {_READ[dep.asset_key.path[0]] for dep in spec.deps if dep.asset_key.path[0] in _READ}
    taken = {tag for tag, names in _TAKEN.items() if name in names}
    # What is made has a version of its code.
    return {STAGE: stage if spec.code_version else OUTSIDE} | dict.fromkeys(sorted(read | taken), "")


def with_tags(definitions: dg.Definitions) -> dg.Definitions:
    """The same definitions, each asset with its tags."""
    return definitions.map_asset_specs(func=lambda spec: spec.merge_attributes(tags=asset_tags(spec)))
