"""`nn.DataParallel` is slower than `DistributedDataParallel`, also on one machine.

## What happens
One Python process drives all GPUs by threads that share the interpreter's lock. In every forward pass the module is
copied to each GPU, the batch is cut up and sent, and the outputs are gathered on one GPU. PyTorch's documentation
calls it usually slower than `DistributedDataParallel` for these reasons, and recommends the latter "instead of this
class, to do multi-GPU training, even if there is only a single node". What a replica sets on `self` is lost with it.

## What to write
One process for each GPU, started by `torchrun`: `DistributedDataParallel(model, device_ids=[local_rank])` with a
`DistributedSampler`. To only read a checkpoint whose keys begin with `module.`, strip the prefix:
`torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")`.

## Silent
- `isinstance(model, nn.DataParallel)`, annotations, and `model.module`.
- `DistributedDataParallel` and other wrappers.
- A class that is itself named so, such as `DataParallelStrategy`: what it offers is this very wrapper.

## Known limits
Subclasses are reported where an object of them is made, in the file that defines them.

## Sources
- `torch.nn.DataParallel` in PyTorch's documentation; "CUDA semantics": "Use nn.parallel.DistributedDataParallel
  instead of multiprocessing or nn.DataParallel"; "Getting Started with Distributed Data Parallel", PyTorch tutorials.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import class_of
from flake8_torch_pitfalls.analysis.values import Class
from flake8_torch_pitfalls.finding import Finding

WORDS = {"DataParallel", "data_parallel"}

CLASS_NAME = "DataParallel"
CLASS = f"torch.nn.parallel.{CLASS_NAME}"
FUNCTION = "torch.nn.parallel.data_parallel"


def check(source: Source) -> Iterator[Finding]:
    """Yield where a module is spread over GPUs by threads."""
    for call in torch_calls(source, CLASS, FUNCTION):
        owner = class_of(call.node)
        if owner is None or CLASS_NAME not in owner.name:
            yield _finding(call.node, call.symbol.rpartition(".")[2])
    for cls in source.index.of(nodes.ClassDef):
        if source.names.derives(cls, CLASS) is True:
            for node in source.index.calls.get(cls.name, ()):
                if source.names.values(node.func) == (Class(cls),):
                    yield _finding(node, cls.name)


def _finding(node: nodes.NodeNG, name: str) -> Finding:
    return Finding(
        node, f"'{name}' copies the module to each GPU in every forward pass; use 'DistributedDataParallel'"
    )
