{# Where an answer can be opened: the struct of the lake's LOCATOR, with what is not given left null. #}
{% macro locator(url='null', document='null', page='null', article='null') -%}
{'url': {{ url }}, 'video_id': null, 'video_title': null, 'start_ms': null, 'end_ms': null,
 'document': {{ document }}, 'page': {{ page }}, 'article': {{ article }}}::{{ locator_type() }}
{%- endmacro %}

{% macro locator_type() -%}
struct(url varchar, video_id varchar, video_title varchar, start_ms bigint, end_ms bigint,
       document varchar, page integer, article varchar)
{%- endmacro %}
