{# What counts as a question, and as an answer in full: serving/store/answered_questions.py in SQL, kept equal by a test. #}
{% macro is_question() -%}
(route is null or route not in ('chat', 'refuse', 'clarify'))
{%- endmacro %}

{% macro is_answered_in_full() -%}
coalesce(outcome = 'answered' and route in ('direct', 'teach', 'explain') and not degraded, false)
{%- endmacro %}

{# The same for an experiment, as serving/store/experiments.py has it: a variant that declines more does not gain by
   it, and one without its model is still what was compared. #}
{% macro is_trial_question() -%}
(route is null or route <> 'chat')
{%- endmacro %}

{% macro is_trial_answer() -%}
coalesce(outcome = 'answered' and route in ('direct', 'teach', 'explain'), false)
{%- endmacro %}
