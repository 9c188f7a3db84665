{{ config(meta={'dagster': {'ref': {'name': 'qa_pairs'}}}) }}
-- The union keeps every staged pair: one row per pair of each source.
with staged as (
    select count(*) as pairs from {{ ref('stg_concepts') }}
    union all select count(*) from {{ ref('stg_faq') }}
    union all select count(*) from {{ ref('stg_search_snippets') }}
    union all select count(*) from {{ ref('stg_documents') }}
)

select (select sum(pairs) from staged) as staged_pairs, (select count(*) from {{ ref('qa_pairs') }}) as published_pairs
where staged_pairs <> published_pairs
