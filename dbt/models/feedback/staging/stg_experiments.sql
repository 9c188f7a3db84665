select experiment, variant, place, weight from {{ source('logs', 'experiments') }}
