{# The staging models that hold pairs, those first that people stand behind the most, each with its source. #}
{% macro pair_sources() -%}
{{ return([
    ('stg_ta_answers', 'faq'),
    ('stg_faq', 'faq'),
    ('stg_documents', 'document'),
    ('stg_catalog_pages', 'catalog'),
    ('stg_concepts', 'concept'),
    ('stg_scholar_records', 'scholar'),
    ('stg_search_snippets', 'search'),
    ('stg_informal_reviews', 'review'),
]) }}
{%- endmacro %}
