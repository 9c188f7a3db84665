{# The staging models that hold pairs, those first that people stand behind the most. #}
{% macro pair_sources() -%}
{{ return(['stg_ta_answers', 'stg_faq', 'stg_documents', 'stg_catalog_pages', 'stg_concepts', 'stg_scholar_records',
          'stg_search_snippets']) }}
{%- endmacro %}
