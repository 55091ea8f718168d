"""A name, argument or usage that torch or torchvision no longer has at the target version.

## What happens
Where the name is gone, the import fails with `ImportError` or the use with `AttributeError`; an argument that is gone
is a `TypeError`. Some names were left behind to explain themselves: `torch.symeig`, `torch.solve`, `torch.lstsq`,
`torch.eig` and `torch.matrix_rank` still exist and raise `RuntimeError` when they are called, so neither `hasattr` nor
`except AttributeError` notices. `torch.stft` of a real signal raises without `return_complex`, and `masked_fill`,
`masked_select`, `masked_scatter` and `x[mask] = value` raise for a mask of dtype uint8, which `.byte()` makes.

## What to write
What the message names. The message also tells the version; where documentation and release notes do not tell it
exactly, it is the latest possible one.

A name is reported where the file imports or first uses it, an argument at every call that passes it. The option
`torch-version` is the oldest torch the code must run on: what that version still has is not reported here.

## Silent
- `torch-version` below the removal.
- Code behind a question for the version, or for the name with `hasattr`, an early `return` for newer versions
  included; `try` with a handler for what the missing name raises.
- Functions of other libraries and your own with the same name.
- `torch.stft` with `return_complex`, or with `**kwargs` that may hold it; boolean masks.

## Known limits
`torch.stft` of a complex signal, which needs no `return_complex`, is reported as well. Methods are reported where the
object is known to be a tensor, or where only tensors have a method of that name. The table holds what people were seen
to use, not every name that ever was; names of `torch.cuda.amp` are TP118's.

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

WORDS = words(removed=True)


def check(source: Source) -> Iterator[Finding]:
    """Yield the uses of what the target version of torch no longer has."""
    for use in lifetimes.uses(source, lifetimes.removed(source.settings.torch_version)):
        yield Finding(use.node, f"{_fault(use)}; {use.lifetime.instead}")


def _fault(use: Use) -> str:
    row = use.lifetime
    since = f"{row.removed_text} and later"
    match row.when.partition(" ")[0]:
        case "missing":
            return f"'{use.text}' without '{row.argument}' raises in {since}"
        case "uint8":
            doing = "storing to " if row.argument == "index" else ""
            return f"{doing}'{use.text}' with a mask of dtype uint8 raises in {since}"
        case "called":
            return f"'{use.text}' is a module in {since}"
    if row.argument:
        return f"'{row.argument}' of '{use.text}' is not in {since}"
    return f"'{use.text}' {'raises' if row.how == 'raises' else 'is not'} in {since}"
