"""How a place in a video is written. Belongs here: nothing else."""


def time_code(milliseconds: int) -> str:
    """`03:12`, or `1:03:12` from an hour on."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"
