{# Each row once for its week (from Monday) and once for its month, in UTC: join this, and group by `begins`. #}
{% macro periods() -%}
(values ('week'), ('month')) as periods (period)
{%- endmacro %}

{% macro begins(at) -%}
date_trunc(period, {{ at }})::date
{%- endmacro %}
