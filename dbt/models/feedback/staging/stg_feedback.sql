select trace_id, person, thumb, reasons, updated_at from {{ source('logs', 'feedback') }}
