"""Convolutions over inputs of one size are trained without `cudnn.benchmark`.

## What happens
For a convolution cuDNN has several algorithms, of which one is fastest for the sizes at hand. With
`torch.backends.cudnn.benchmark = True` the first batch tries them, and the others use the fastest. It is off by
default, since with inputs of many sizes the trials cost more than they bring.

## What to write
`torch.backends.cudnn.benchmark = True` at the start of the program.

## Silent
- Files that say anything of `benchmark` or `deterministic`, or of deterministic algorithms.
- Models without convolutions, and programs that never move them to a GPU.
- Inputs that are not known to have one size.

## Known limits
The size is known for the classic data sets of torchvision (CIFAR, MNIST and such), for random and center crops, and
for a `Resize` to height and width. A setting in another file is not seen.

## Sources
- "Performance Tuning Guide", PyTorch tutorials: "Enable cuDNN auto-tuner". It takes effect on a GPU only.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import layers
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.training import modules_on_gpu, training_steps
from flake8_torch_pitfalls.analysis.tree import argument, quoted
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward"}

_SETTINGS = ("benchmark", "deterministic")
_FUNCTIONS = ("use_deterministic_algorithms", "set_deterministic_debug_mode")
_ONE_SIZE = ("CIFAR10", "CIFAR100", "MNIST", "FashionMNIST", "KMNIST", "EMNIST", "QMNIST", "USPS", "SVHN", "STL10",
             "RandomResizedCrop", "RandomCrop", "CenterCrop")  # fmt: skip


def check(source: Source) -> Iterator[Finding]:
    """Yield where the first model with convolutions that the file trains is moved to the GPU."""
    if not _has_one_size(source) or _is_decided(source) or not training_steps(source):
        return
    for call in modules_on_gpu(source):
        modules = source.kinds.instances(call.func.expr, "module")
        if layers.any_has(source.names, modules, layers.Trait.CONVOLUTIONS):
            model = quoted(call.func.expr, "the model")
            yield Finding(call, f"{model} convolves inputs of one size; set 'torch.backends.cudnn.benchmark = True'")
            return


def _has_one_size(source: Source) -> bool:
    if any(name in source.index.calls for name in _ONE_SIZE):
        return True
    sizes = (argument(call, 0, "size") for call in source.index.calls.get("Resize", ()))
    return any(isinstance(size, (nodes.Tuple, nodes.List)) and len(size.elts) == 2 for size in sizes)


def _is_decided(source: Source) -> bool:
    stored = any(name in source.index.stores for name in _SETTINGS)
    return stored or any(name in source.index.calls for name in _FUNCTIONS)
