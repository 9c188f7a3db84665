"""Turn a GGUF file into a folder of safetensors that vLLM serves. Run once, in the model server's environment.

A script and not a module of the gateway: it needs torch and transformers, which the gateway does without.

    .venv-vllm/bin/python serving/llm/convert_gguf.py SOURCE.gguf TARGET_FOLDER
"""

import os
import shutil
import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig


def convert(source: Path, target: Path) -> None:
    """Write `target` complete or not at all; the weights are dequantised to bfloat16."""
    made = target.with_name(f".{target.name}.{os.getpid()}")
    folder, file = str(source.parent), source.name
    model = AutoModelForCausalLM.from_pretrained(
        folder, gguf_file=file, quantization_config=GgufConfig(dequantize=True), dtype=torch.bfloat16
    )
    model.save_pretrained(made)
    AutoTokenizer.from_pretrained(folder, gguf_file=file).save_pretrained(made)
    shutil.rmtree(target, ignore_errors=True)
    made.rename(target)


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
