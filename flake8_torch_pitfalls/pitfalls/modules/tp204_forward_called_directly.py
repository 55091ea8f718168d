"""Calling `forward` directly skips the module's hooks.

## What happens
`net(x)` runs `nn.Module.__call__`, which runs forward pre-hooks, `forward` and forward hooks. `net.forward(x)`
runs the method alone: hooks of profilers, pruning, `weight_norm`, `torch.compile` and sharded wrappers stay
silent, without an error.

## What to write
`net(x)`.

## Silent
- `super().forward(x)` and `Base.forward(self, x)`: a method of a base, not a module that is called.
- `self.forward(x)` inside the module's own `__call__`, and inside a method that overrides or wraps `forward`.
- `forward` of objects that are no modules, and of `torch.autograd.Function`.

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
from flake8_torch_pitfalls.analysis.tree import method_of
from flake8_torch_pitfalls.finding import Finding

WORDS = {"forward"}


def check(source: Source) -> Iterator[Finding]:
    """Yield calls of ``.forward`` on an object that is known to be a module."""
    for call in source.index.calls.get("forward", ()):
        if not isinstance(call.func, nodes.Attribute):
            continue
        module = call.func.expr
        if isinstance(module, nodes.Call) and isinstance(module.func, nodes.Name) and module.func.name == "super":
            continue
        method = method_of(call)
        if method is not None and method.name in ("__call__", "forward"):
            if isinstance(module, nodes.Name) and module.name == "self":
                continue
        if source.kinds.inferred(module, "module"):
            name = module.as_string()
            yield Finding(call, f"'{name}.forward()' skips the hooks of the module; call '{name}()' itself")
