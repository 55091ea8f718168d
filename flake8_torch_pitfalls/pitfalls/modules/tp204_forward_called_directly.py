"""Calling `forward` directly skips the module's hooks.

## What happens
`net(x)` runs `nn.Module.__call__`: forward pre-hooks, `forward`, forward hooks, and what backward hooks need.
`net.forward(x)` runs the method alone. Profilers, feature extractors, pruning, the older `weight_norm` and
`spectral_norm`, sharded wrappers and lazy layers live in hooks: the extractor collects nothing, the weight goes
stale, all without an error.

## What to write
`net(x)`.

## Silent
- `super().forward(x)` and `Base.forward(self, x)`: a method of a base, not a module that is called.
- `self.forward(x)` inside the module's own `__call__` or `forward`, or in a method that `forward` calls, and in
  `__init__`, when nobody can have registered a hook yet.
- Modules whose class defines a `__call__` of its own: there the two are different things. So too a module of unknown
  kind that such a class wraps.
- A call of which only the shape is looked at.
- `forward` of objects that are no modules, of `torch.autograd.Function` and of TorchScript's own modules.

## Known limits
A module that arrives through a container or a function of another package is not followed.

## Sources
- `torch.nn.Module.forward` in PyTorch's documentation: "one should call the Module instance afterwards instead
  of this since the former takes care of running the registered hooks".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import class_of, is_super, method_of, self_name, text_of
from flake8_torch_pitfalls.analysis.uses import Use, uses
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"forward"}

MODULE = "torch.nn.Module"

_HOOKLESS = ("__call__", "forward", "__init__")
"""Methods in which ``self.forward`` is the implementation itself, or runs before any hook."""


def check(source: Source) -> Iterator[Finding]:
    """Yield calls of ``.forward`` on an object that is known to be a module."""
    for call in source.index.calls.get("forward", ()):
        if not isinstance(call.func, nodes.Attribute):
            continue
        module = call.func.expr
        if is_super(module) or _is_own_implementation(source, call, module):
            continue
        if _is_module(source, module) and not _is_called_otherwise(source, module):
            if uses(source.names, call) != {Use.META}:
                name = text_of(module)
                yield Finding(call, f"'{name}.forward()' skips the hooks of the module; call '{name}()' itself")


def _is_module(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* is a module, or a part, of unknown kind, of something that is only known to be one."""
    if source.kinds.inferred(node, "module"):
        return True
    if not isinstance(node, nodes.Attribute) or not source.kinds.is_unknown(node):
        return False
    owners = source.names.known(node.expr)
    return bool(owners) and all(isinstance(owner, Instance) and owner.cls == MODULE for owner in owners)


def _is_own_implementation(source: Source, call: nodes.Call, module: nodes.NodeNG) -> bool:
    method = method_of(call)
    if method is None or not isinstance(module, nodes.Name) or module.name != self_name(method):
        return False
    return method.name in _HOOKLESS or _is_part_of_forward(source, method)


def _is_part_of_forward(source: Source, method: nodes.FunctionDef) -> bool:
    """Return whether the module's ``forward`` calls *method*: ``self()`` there would run the hooks once more."""
    forward = source.names.method(method.parent, "forward")
    if forward is None:
        return False
    this = self_name(forward)
    return any(
        isinstance(call.func, nodes.Attribute)
        and call.func.attrname == method.name
        and isinstance(call.func.expr, nodes.Name)
        and call.func.expr.name == this
        for call in source.names.index_of(forward).calls_in.get(forward, ())
    )


def _is_called_otherwise(source: Source, module: nodes.NodeNG) -> bool:
    """Return whether a class of *module* has a ``__call__`` of its own, or is TorchScript's."""
    for value in source.kinds.instances(module, "module"):
        if source.names.is_a(value, "torch.jit.ScriptModule"):
            return True
        if isinstance(value, Instance) and isinstance(value.cls, nodes.ClassDef):
            if source.names.method(value.cls, "__call__") is not None:
                return True
    return _stands_in_class_called_otherwise(source, module)


def _stands_in_class_called_otherwise(source: Source, module: nodes.NodeNG) -> bool:
    """Return whether *module* stands in a module class with its own ``__call__``: what it wraps may have it too."""
    owner = class_of(module)
    if owner is None or not source.names.is_a(Instance(owner), MODULE):
        return False
    if any(isinstance(value, Instance) and value.cls != MODULE for value in source.names.known(module)):
        return False
    return any(isinstance(base, nodes.ClassDef) and "__call__" in base.locals for base in source.names.mro(owner))
