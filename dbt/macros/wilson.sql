{# `share`, `low` and `high` of a proportion: its 95% interval by the score method (Wilson 1927), as
   models/statistics/intervals.py has it. Null without anything counted. #}
{% macro shares(hits, n) -%}
{{ hits }}::double / nullif({{ n }}, 0) as share,
{{ wilson_low(hits, n) }} as low,
{{ wilson_high(hits, n) }} as high
{%- endmacro %}

{% macro wilson_low(hits, n) -%}
case
    when {{ n }} <= 0 then null
    when {{ hits }} <= 0 then 0.0
    else ({{ wilson_centre(hits, n) }} - {{ wilson_half(hits, n) }}) / (1 + {{ wilson_width(n) }})
end::double
{%- endmacro %}

{% macro wilson_high(hits, n) -%}
case
    when {{ n }} <= 0 then null
    when {{ hits }} >= {{ n }} then 1.0
    else ({{ wilson_centre(hits, n) }} + {{ wilson_half(hits, n) }}) / (1 + {{ wilson_width(n) }})
end::double
{%- endmacro %}

{# The square of 1.96, between whose negative and itself 95% of a normal distribution lie, over n. #}
{% macro wilson_width(n) -%}
(3.841458820694124e0 / {{ n }}::double)
{%- endmacro %}

{% macro wilson_centre(hits, n) -%}
({{ hits }}::double / {{ n }} + {{ wilson_width(n) }} / 2)
{%- endmacro %}

{% macro wilson_half(hits, n) -%}
sqrt(greatest({{ hits }}::double / {{ n }} * (1 - {{ hits }}::double / {{ n }}), 0) * {{ wilson_width(n) }}
    + {{ wilson_width(n) }} * {{ wilson_width(n) }} / 4)
{%- endmacro %}
