"""dagster-dbt, loaded without dbt, which works in a process of its own: import it from here first.

Of dbt it uses names of kinds and states, which it has itself where dbt is not installed, and what chooses models by
`select` and `exclude`: choose from the manifest instead. Loading dbt takes 1.4 s of processor in every process that
knows the assets. Half of what is left is dbt Cloud's clients and components for `dg`, which nothing here uses.
"""

from knowledge_graph.lean_imports import only_modules_of, without

with without("dbt.version"), only_modules_of("dagster_dbt"):
    from dagster_dbt.asset_decorator import dbt_assets
    from dagster_dbt.core.resource import DbtCliResource
    from dagster_dbt.dagster_dbt_translator import DagsterDbtTranslator
    from dagster_dbt.dbt_project import DbtProject

__all__ = ["DagsterDbtTranslator", "DbtCliResource", "DbtProject", "dbt_assets"]
