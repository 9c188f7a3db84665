"""Opens an exported network to run on the processor, or says what is wrong with its file. Every model shares it."""

from pathlib import Path
from typing import Any

import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as errors

from models.versions import ModelBroken

UNREADABLE = (
    errors.Fail,
    errors.InvalidArgument,
    errors.InvalidGraph,
    errors.InvalidProtobuf,
    errors.NoSuchFile,
    errors.NotImplemented,
    errors.RuntimeException,
)
"""What ONNX Runtime raises for a file that it cannot open or run."""


def open_session(path: Path, threads: int, *, remedy: str) -> Any:
    """A session on `threads` threads. Raises `ModelBroken`, ending in `remedy`, for a file that is no network.

    A thread with nothing to do sleeps. ONNX Runtime lets it spin, which takes the processor from whoever waits: 2.7 s
    in place of 2.1 for the same vectors of 40 passages, on two threads of a busy machine.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except UNREADABLE as error:
        raise ModelBroken(f"{path} is not an ONNX model that can be opened: {error}. {remedy}") from error
