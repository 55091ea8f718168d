"""What is compiled is called once, and compiling takes longer than it saves.

## What happens
`torch.compile` compiles at the first call, for seconds up to minutes, and only the calls after that are faster. For one
call the program would have been done long before.

## What to write
Call the function or model as it is; compile what runs in a loop.

## Silent
- Results that are called twice, in a loop or comprehension, or in a function that a loop calls.
- Results that are returned, kept on an object, or handed to other code, which may call them often.
- Compiled functions of a module's top level that are called in other functions.
- Tests, and functions that measure time, which want to know what compiling does.

## Known limits
A function that other files call may be called often: only functions whose one caller is in view, `main`, and the
module's own statements are looked at. Decorated functions are left alone.

## Sources
- `torch.compile` in PyTorch's documentation: compilation happens at the first call.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.calls import torch_calls
from flake8_torch_pitfalls.analysis.clocks import CLOCK_NAMES
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import COMPREHENSIONS, LOOPS, ancestors, function_of, loops_around, quoted
from flake8_torch_pitfalls.finding import Finding

WORDS = {"compile"}


def check(source: Source) -> Iterator[Finding]:
    """Yield the compilations whose result is called once."""
    for call in torch_calls(source, "torch.compile"):
        use = _only_call(call.node)
        if use is not None and not call.is_partial and _runs_once(source, call.node) and _runs_once(source, use):
            if function_of(use) is function_of(call.node) and not _measures(source, use):
                what = quoted(call.given.get("model"), "a function")
                yield Finding(call.node, f"{what} is compiled for one call, which saves nothing; call it as it is")


def _only_call(made: nodes.Call) -> nodes.Call | None:
    """Return the only call of what *made* gives, if there is no other use."""
    match made.parent:
        case nodes.Call(func=func) as call if func is made and made.args:
            return call
        case nodes.Assign(targets=[nodes.AssignName(name=name)]):
            scope = function_of(made)
            uses = [node for node in scope.nodes_of_class(nodes.Name) if node.name == name]
            uses = [use for use in uses if made.parent.targets[0] in scopes.definitions(use, name)]
            if len(uses) == 1 and isinstance(uses[0].parent, nodes.Call) and uses[0].parent.func is uses[0]:
                return uses[0].parent
    return None


def _runs_once(source: Source, node: nodes.NodeNG, depth: int = 0) -> bool:
    """Return whether *node* runs once in a run of the program, as far as the file shows."""
    if any(isinstance(above, (*LOOPS, *COMPREHENSIONS, nodes.Lambda, nodes.ClassDef)) for above in ancestors(node)):
        return False
    function = function_of(node)
    if not isinstance(function, nodes.FunctionDef):
        return True
    sites = source.names.call_sites(function)
    if len(sites) != 1 or function.decorators is not None or depth:
        return function.name == "main" and len(sites) <= 1
    return not loops_around(sites[0]) and _runs_once(source, sites[0], depth + 1)


def _measures(source: Source, call: nodes.Call) -> bool:
    """Return whether the function of *call* is a test, or reads a clock."""
    function = function_of(call)
    if getattr(function, "name", "").startswith("test"):
        return True
    clocks = (*sorted(CLOCK_NAMES), "synchronize", "Timer", "elapsed_time", "assert_close", "allclose")
    return any(function_of(other) is function for name in clocks for other in source.index.calls.get(name, ()))
