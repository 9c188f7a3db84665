"""dbt as a build starts it: `python -P dbt_process.py build …` is `dbt build …` for three quarters of its processor.

Half of a small run is preparation. Each of dbt's 500 records is given methods that write it and read it, as source code
that is compiled when the record is declared; though dbt asks for that to be put off until one is called, what puts it
off is source code, too. Here a function puts it off. Of its 1,400 messages dbt writes 140, for the level that it is
told, and formats all. And garbage is looked for a hundred times among objects that stay.

`coteach dbt` starts the plain one. `tests/orchestration/test_quiet_dbt.py` holds that both do and say the same.
"""

import logging
from typing import Any

import mashumaro.mixins.dict as records
from mashumaro.config import BaseConfig
from mashumaro.core.meta.code.builder import CodeBuilder

from knowledge_graph.lean_imports import collect_garbage_rarely

_unpacker, _packer = vars(records)["compile_mixin_unpacker"], vars(records)["compile_mixin_packer"]


def _is_put_off(record: type) -> bool:
    return bool(getattr(getattr(record, "Config", BaseConfig), "lazy_compilation", False))


def give_unpacker(record: type, format_name: str = "dict", dialect: Any = None, decoder: Any = None) -> None:
    """Give a record what reads it from a format, compiled when it is first called where the record asks for that."""
    if not _is_put_off(record):
        _unpacker(record, format_name, dialect, decoder)
        return
    name = CodeBuilder.get_unpack_method_name(format_name=format_name, decoder=decoder)

    def unpack(of: type, *args: Any, **options: Any) -> Any:
        CodeBuilder(
            of,
            first_method=name,
            allow_postponed_evaluation=False,
            format_name=format_name,
            decoder=decoder,
            default_dialect=dialect,
        ).add_unpack_method()
        return getattr(of, name)(*args, **options)

    for each in (name, name.public):
        setattr(record, each, classmethod(unpack))


def give_packer(
    record: type, format_name: str = "dict", dialect: Any = None, encoder: Any = None, encoder_kwargs: Any = None
) -> None:
    """The same for what writes it."""
    if not _is_put_off(record):
        _packer(record, format_name, dialect, encoder, encoder_kwargs)
        return
    name = CodeBuilder.get_pack_method_name(format_name=format_name, encoder=encoder)

    def pack(one: Any, *args: Any, **options: Any) -> Any:
        CodeBuilder(
            type(one),
            first_method=name,
            allow_postponed_evaluation=False,
            format_name=format_name,
            encoder=encoder,
            encoder_kwargs=encoder_kwargs,
            default_dialect=dialect,
        ).add_pack_method()
        return getattr(one, name)(*args, **options)

    for each in (name, name.public):
        setattr(record, each, pack)


def run() -> None:
    """What `dbt` does, with the arguments of this process."""
    collect_garbage_rarely()
    vars(records).update(compile_mixin_unpacker=give_unpacker, compile_mixin_packer=give_packer)
    from dbt.cli.main import cli  # noqa: PLC0415  it declares the records
    from dbt_common.events import logger as messages  # noqa: PLC0415
    from dbt_common.events.base_types import EventLevel  # noqa: PLC0415

    write = messages._Logger.write_line

    def write_if_shown(self: messages._Logger, message: Any) -> None:
        to: logging.Logger | None = self._python_logger
        level = messages._log_level_map[EventLevel(message.info.level)]
        if to is None or to.isEnabledFor(level) or messages._is_print_event(message):
            write(self, message)

    vars(messages)["_Logger"].write_line = write_if_shown
    cli()


if __name__ == "__main__":
    run()
