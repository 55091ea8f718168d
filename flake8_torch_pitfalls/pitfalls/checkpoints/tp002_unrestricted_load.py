"""`torch.load` without the weights-only reader runs whatever code the file contains.

## What happens
A checkpoint is a pickle. The full unpickler calls any function that the file names: a file from a stranger can
run commands while it is being opened. `weights_only=False` asks for the full unpickler, and so does
`pickle_module=pickle`. Before PyTorch 2.6 it was also the default.

## What to write
`torch.load(path, weights_only=True)`, and checkpoints that hold state dictionaries, tensors and plain values.
A class that the file must hold can be allowed one by one with `torch.serialization.add_safe_globals`.

With `torch-version` below 2.6 a call that leaves the choice to the default is reported too. Below 1.13 the
argument does not exist and the rule asks for nothing.

## Silent
- `weights_only=True`, and the default of PyTorch 2.6 and later.
- A choice that is passed through: `weights_only=weights_only`.
- A file, or a buffer in memory, that the same function or script wrote before.
- The `load` of other libraries.
- A `pickle_module` of your own, which may be restricted itself.

## Known limits
Whether a file comes from a stranger is not known: one that another function of the same program wrote is
reported as well. `**options` is followed to a dictionary of the same scope that nothing changes, not further.

## Sources
- `torch.load` in PyTorch's documentation, and its warning on untrusted data.
- PyTorch 2.6 release notes: "Flipped the default value of `weights_only` in `torch.load`".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.calls import TorchCall, constants, torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import function_of, last_name
from flake8_torch_pitfalls.finding import Finding

WORDS = {"load"}

RESTRICTED_BY_DEFAULT = (2, 6)
CAN_RESTRICT = (1, 13)
PICKLES = {"pickle", "_pickle", "cPickle", "pickle5", "dill", "cloudpickle"}
WRITERS = ("save", "dump", "write", "export")
"""Parts of the names of functions that write the file they are given."""
SAME_PATH = {"str", "open", "fspath", "Path"}
"""Functions that give a path for a path; ``open`` stands for its file."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the loads that use the full unpickler."""
    for load in torch_calls(source, "torch.load"):
        finding = _unrestricted(source, load)
        if finding is not None and not _written_before(source, load):
            yield finding


def _unrestricted(source: Source, load: TorchCall) -> Finding | None:
    if "weights_only" in load.given:
        chosen = constants(source.names, load.given["weights_only"])
        if chosen == {False}:
            return Finding(
                load.place_of("weights_only"),
                "'torch.load' with 'weights_only=False' runs any code the file holds; write 'weights_only=True'",
            )
        if chosen != {None}:
            return None
    elif not load.lacks("weights_only"):
        return None
    if "pickle_module" in load.given and source.names.symbol(load.given["pickle_module"]) in PICKLES:
        return Finding(
            load.place_of("pickle_module"),
            "'torch.load' with a 'pickle_module' runs any code the file holds; write 'weights_only=True' instead",
        )
    if "pickle_module" not in load.given and CAN_RESTRICT <= source.settings.torch_version < RESTRICTED_BY_DEFAULT:
        return Finding(
            load.node,
            "'torch.load' runs any code the file holds before torch 2.6; write 'weights_only=True'",
        )
    return None


def _written_before(source: Source, load: TorchCall) -> bool:
    """Return whether the function of *load* wrote the same file or buffer itself, further up."""
    if "f" not in load.given:
        return False
    loaded = _paths(load.given["f"])
    for call in source.index.calls_in.get(function_of(load.node), ()):
        name = last_name(call.func) or ""
        if call.fromlineno <= load.node.fromlineno and any(writer in name.lower() for writer in WRITERS):
            given = [*call.args, *(keyword.value for keyword in call.keywords or ())]
            if any(not loaded.isdisjoint(_paths(argument)) for argument in given):
                return True
    return False


def _paths(node: nodes.NodeNG) -> set[str]:
    """Return the texts by which the file that *node* stands for may be recognised."""
    found = set()
    for _ in range(5):
        if isinstance(node, nodes.Name):
            found.add(node.name)
            inner = _opened(node)
        elif isinstance(node, nodes.Call) and last_name(node.func) in SAME_PATH and node.args:
            inner = node.args[0]
        else:
            if not isinstance(node, nodes.Const) or isinstance(node.value, str):
                found.add(node.as_string())
            inner = None
        if inner is None:
            break
        node = inner
    return found


def _opened(name: nodes.Name) -> nodes.NodeNG | None:
    """Return the call that *name* is bound to by ``with open(…) as name`` or ``name = open(…)``."""
    definitions = scopes.definitions(name, name.name)
    if len(definitions) != 1:
        return None
    match definitions[0].statement():
        case nodes.With(items=items):
            for context, bound in items:
                if bound is definitions[0] and isinstance(context, nodes.Call):
                    return context
        case nodes.Assign(value=nodes.Call() as call) if last_name(call.func) in SAME_PATH:
            return call
    return None
