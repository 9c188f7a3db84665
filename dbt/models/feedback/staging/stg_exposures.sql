select person, experiment, variant from {{ source('logs', 'exposures') }}
