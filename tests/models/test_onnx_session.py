"""How an exported network runs."""

import time
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from models.onnx_session import open_session

WIDTH = 512


def _write_product(path: Path) -> None:
    """A network that multiplies its rows with a matrix: enough for several threads."""
    rows = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", WIDTH]) for name in ("x", "y")]
    matrix = numpy_helper.from_array(np.ones((WIDTH, WIDTH), np.float32), "matrix")
    product = helper.make_node("MatMul", ["x", "matrix"], ["y"])
    graph = helper.make_graph([product], "product", rows[:1], rows[1:], [matrix])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))


def test_a_thread_with_nothing_to_do_takes_no_processor_time(tmp_path: Path) -> None:
    _write_product(tmp_path / "model.onnx")
    session = open_session(tmp_path / "model.onnx", 2, remedy="")
    idle = 0.0
    for _ in range(5):
        session.run(["y"], {"x": np.ones((256, WIDTH), np.float32)})
        began = time.process_time()
        time.sleep(0.2)
        idle += time.process_time() - began
    assert idle < 0.02  # 0.001 s; 0.1 where a thread spins
