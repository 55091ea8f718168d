"""A name, argument or usage that works at the target version of torch or torchvision, and is deprecated.

## What happens
Most emit a warning, in every process of a job, and some are already wrong in a newer version: what is deprecated is
removed later, and then reported as TP010. A few are deprecated by PyTorch's documentation only, such as
`torch.autograd.Variable`, `torch.norm` and `torch.svd`, and emit nothing.

TorchScript is among them since torch 2.10: `torch.jit.script`, `trace`, `save` and `load` warn.

## What to write
What the message names.

A name is reported where the file imports or first uses it, an argument at every call that passes it. The option
`torch-version` is the oldest torch the code must run on: what that version does not deprecate is not reported.

## Silent
- `torch-version` below the deprecation.
- Code behind a question for the version, or for the name with `hasattr`, an early `return` for newer versions
  included; `try` with a handler for what the missing name raises.
- Code that expects the warning: `warnings.catch_warnings()`, `pytest.warns`.
- Functions of other libraries and your own with the same name.
- Boolean masks; the keywords that replace an argument: `weights=`, `reduction=`, `alpha=`.

## Known limits
Methods are reported where the object is known to be a tensor, or where only tensors have a method of that name. Names
of `torch.cuda.amp` are TP118's, `softmax` without `dim` is TP306's and `checkpoint` without `use_reentrant` TP609's.

## Sources
The table `torch_model/lifetimes.csv` names the page for each of its rows: PyTorch's and torchvision's release notes and
documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis import lifetimes
from flake8_torch_pitfalls.analysis.lifetimes import Use
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.finding import Finding
from flake8_torch_pitfalls.torch_model.lifetimes import words

WORDS = words(removed=False)


def check(source: Source) -> Iterator[Finding]:
    """Yield the uses of what the target version of torch advises against."""
    for use in lifetimes.uses(source, lifetimes.deprecated(source.settings.torch_version)):
        since = use.lifetime.deprecated_text
        yield Finding(use.node, f"{_fault(use)} is deprecated since {since}; {use.lifetime.instead}")


def _fault(use: Use) -> str:
    row = use.lifetime
    match row.when.partition(" ")[0]:
        case "missing":
            return f"'{use.text}' without '{row.argument}'"
        case "uint8":
            return f"{'indexing ' if row.argument == 'index' else ''}'{use.text}' with a mask of dtype uint8"
        case "positional":
            return f"'{use.text}' with a number before the tensors"
        case "=":
            return f"'{row.argument}{row.when.replace(' ', '')}' of '{use.text}'"
    return f"'{row.argument}' of '{use.text}'" if row.argument else f"'{use.text}'"
