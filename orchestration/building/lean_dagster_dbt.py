"""dagster-dbt, loaded without dbt, which works in a process of its own: import it from here first.

Of dbt it uses names of kinds and states, which it has itself where dbt is not installed, and what chooses models by
`select` and `exclude`: choose from the manifest instead. Loading dbt takes 1.4 s of processor in every process that
knows the assets.
"""

from knowledge_graph.lean_imports import without

with without("dbt.version"):
    from dagster_dbt import DagsterDbtTranslator, DbtCliResource, DbtProject, dbt_assets

__all__ = ["DagsterDbtTranslator", "DbtCliResource", "DbtProject", "dbt_assets"]
