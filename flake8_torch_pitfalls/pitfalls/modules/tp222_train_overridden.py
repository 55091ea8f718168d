'''A module whose `train` means something else breaks `eval()`, and `train()` of every module that holds it.

## What happens
`nn.Module.eval()` is `self.train(False)`, and `train(mode)` of a module calls `train(mode)` of each of its children.
A class that defines `def train(self, loader, epochs)`, its training loop, takes the place of that method. `eval()`
then raises `TypeError`, or starts the training loop with `False` for the loader; so does `eval()` or `train()` of a
module that holds this one. What the class holds itself, dropout and batch normalisation, can no longer be switched.

## What to write
Another name for the loop, `fit` say, or the loop in a class that is no module. A `train` that adds something to
torch's takes the same argument, and passes it on:

```python
def train(self, mode=True):
    super().train(mode)
    self.backbone.eval()
    return self
```

## Silent
- The signature of torch: `train(self, mode=True)`, under whatever name the flag goes, and `*args`.
- A method that calls `super().train(...)`.
- `train(self)` beside an `eval(self)` of the class itself: its two modes.
- `train` of classes that are no modules: trainers, agents.

## Known limits
`eval`, `to` and `parameters` that are redefined break only their own callers, and are not looked at.

## Sources
- `torch.nn.Module.train` and `torch.nn.Module.eval` in PyTorch's documentation.
'''
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import constant, decorator_names, last_name
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"train"}

_FLAG = re.compile(r"(^|_)(mode|flag|train|training|istrain|enable|enabled|status|on|is)($|_)", re.IGNORECASE)
_CHANGES_KIND = ("property", "overload")


def check(source: Source) -> Iterator[Finding]:
    """Yield the methods ``train`` of modules that cannot be what ``eval()`` calls."""
    for function in source.index.of(nodes.FunctionDef, nodes.AsyncFunctionDef):
        cls = function.parent
        if function.name != "train" or not isinstance(cls, nodes.ClassDef):
            continue
        if _takes_mode(function) or _is_pair(cls, function):
            continue
        if source.kinds.is_kind(Instance(cls), "module") is True and not _calls_base(source, function):
            yield Finding(
                function,
                f"'{cls.name}.train' replaces the method that 'eval()' and parent modules call with a bool; "
                "rename it, to 'fit' say",
            )


def _takes_mode(function: nodes.FunctionDef) -> bool:
    """Return whether *function* can be called as ``train(False)``, and takes the argument for a flag."""
    if decorator_names(function) & set(_CHANGES_KIND):
        return True
    args = function.args
    parameters = [*args.posonlyargs, *(args.args or [])]
    if "staticmethod" not in decorator_names(function):
        parameters = parameters[1:]
    if not parameters:
        return args.vararg is not None
    required = len(parameters) - len(args.defaults or [])
    if required > 1 or any(default is None for default in args.kw_defaults or ()):
        return False
    return _is_flag(function, str(parameters[0].name))


def _is_pair(cls: nodes.ClassDef, function: nodes.FunctionDef) -> bool:
    """Return whether *cls* has an ``eval`` of its own beside a *function* that takes nothing: its two modes."""
    return "eval" in cls.locals and not [*function.args.arguments][1:]


def _is_flag(function: nodes.FunctionDef, name: str) -> bool:
    declared = scopes.annotation(function, name)
    if declared is not None:
        return bool(last_name(declared) == "bool") or _FLAG.search(name) is not None
    usual = constant(scopes.default(function, name))
    return isinstance(usual, bool) or (usual is ... and _FLAG.search(name) is not None)


def _calls_base(source: Source, function: nodes.FunctionDef) -> bool:
    """Return whether *function* hands on to the method it replaces: ``super().train(...)``, ``Base.train(self)``."""
    return any(
        isinstance(call.func, nodes.Attribute) and call.func.attrname == "train" and call.args
        and not (isinstance(call.func.expr, nodes.Name) and call.func.expr.name == "self")
        and (_is_super(call.func.expr) or last_name(call.args[0]) == "self")
        for call in source.index.calls_in.get(function, ())
    )


def _is_super(node: nodes.NodeNG) -> bool:
    return isinstance(node, nodes.Call) and last_name(node.func) == "super"
