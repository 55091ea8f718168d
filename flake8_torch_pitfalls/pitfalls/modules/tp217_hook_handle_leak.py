"""A hook registered again and again on one module runs once more each time.

## What happens
`register_forward_hook` and the like add a hook, they do not replace the last one. In a loop, or in `forward`, each
pass adds another: the module calls all of them, every pass is slower than the last, and what the hooks hold stays in
memory.

## What to write
Register once, in `__init__` or before the loop, or remove the hook again:

    handle = layer.register_forward_hook(keep)
    model(x)
    handle.remove()

## Silent
- A hook on each of several modules: `for layer in model.children(): layer.register_forward_hook(keep)`.
- Different hooks: `for hook in hooks: layer.register_forward_hook(hook)`.
- A module made inside the loop, and hooks on tensors, which go away with their graph.
- A handle that is kept, or a file that removes or clears hooks somewhere.
- Registrations under a condition, which may let only the first through; a test of the layer's class does not.

## Known limits
Handles that are kept and never removed are not reported: other code may remove them.

## Sources
- `torch.nn.Module.register_forward_hook` in PyTorch's documentation: the handle that it returns.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    LOOPS,
    ancestors,
    class_of,
    dotted,
    function_of,
    self_name,
    text_of,
    walk,
)
from flake8_torch_pitfalls.finding import Finding

HOOKS = ("register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook",
         "register_full_backward_pre_hook", "register_backward_hook")  # fmt: skip
WORDS = set(HOOKS)

_REMOVES = ("remove", "_forward_hooks", "_forward_pre_hooks", "_backward_hooks")
_PARTS = ("modules", "children", "named_modules", "named_children")
_DEEPEST = 3


def check(source: Source) -> Iterator[Finding]:
    """Yield the registrations that one module goes through many times and nothing takes back."""
    if any(name in source.index.attributes for name in _REMOVES):
        return
    for name in HOOKS:
        for call in source.index.calls.get(name, ()):
            if isinstance(call.func, nodes.Attribute) and _is_dropped(source, call):
                module = call.func.expr
                if source.kinds.of(module, "module") is not False and _repeats(source, call, module, _made_of(call)):
                    yield Finding(
                        call,
                        f"each pass adds another hook to '{text_of(module)}'; register it once, or remove its handle",
                    )


def _is_dropped(source: Source, call: nodes.Call) -> bool:
    """Return whether nothing keeps the handle that *call* gives."""
    match call.parent:
        case nodes.Expr():
            return True
        case nodes.Assign(targets=[nodes.AssignName(name=name)]):
            function = function_of(call)
            return isinstance(function, FUNCTIONS) and not any(
                read.name == name and function_of(read) is function for read in source.index.of(nodes.Name)
            )
    return False


def _made_of(call: nodes.Call) -> frozenset[str]:
    """Return the variables that say which hook *call* registers: ``hook``, ``name`` of ``make_hook(name)``."""
    hook = call.args[0] if call.args else None
    parts = [hook, *hook.args] if isinstance(hook, nodes.Call) else [hook]
    return frozenset(part.name for part in parts if isinstance(part, nodes.Name))


def _repeats(
    source: Source, node: nodes.NodeNG, module: nodes.NodeNG, hook: frozenset[str], depth: int = 0
) -> bool:
    """Return whether *node*, which registers a hook on *module*, runs many times for the same module.

    *hook* are the variables that say which hook it is: where a loop changes one, each pass may add another hook.
    """
    text = dotted(module)
    if text is None or depth > _DEEPEST:
        return False
    root = text.partition(".")[0].partition("[")[0]
    for above in ancestors(node):
        if isinstance(above, (nodes.If, nodes.IfExp, nodes.Try)) and not _is_of_each_pass(above):
            return False
        if isinstance(above, nodes.For) and (whole := _whole(above, root)) is not None:
            return _repeats(source, above, whole, hook - _bound_by(above), depth + 1)
        if isinstance(above, nodes.For) and not hook.isdisjoint(_bound_by(above)):
            return False
        if isinstance(above, LOOPS) and not _ends_at_once(above) and not _changes(above, root, text):
            return True
        if isinstance(above, FUNCTIONS):
            return isinstance(above, nodes.FunctionDef) and _function_repeats(source, above, root, hook, depth)
    return False


def _is_of_each_pass(branch: nodes.If | nodes.IfExp | nodes.Try) -> bool:
    """Return whether *branch* asks what is the same in each pass: the class of a layer, the name of the script."""
    match getattr(branch, "test", None):
        case nodes.Call(func=nodes.Name(name="isinstance")):
            return True
        case None:
            return False
        case test:
            return "__name__" in test.as_string()


def _whole(loop: nodes.For, variable: str) -> nodes.NodeNG | None:
    """Return the module through whose parts *loop* goes with *variable*: ``model`` of ``model.modules()``."""
    match loop.iter:
        case nodes.Call(func=nodes.Attribute(attrname=name, expr=whole)) if name in _PARTS:
            return whole if variable in _bound_by(loop) else None
    return None


def _bound_by(loop: nodes.For) -> set[str]:
    return {bound.name for bound in loop.target.nodes_of_class(nodes.AssignName)}


def _ends_at_once(loop: nodes.NodeNG) -> bool:
    return any(isinstance(statement, (nodes.Break, nodes.Return)) for statement in loop.body)


def _changes(loop: nodes.NodeNG, root: str, text: str) -> bool:
    """Return whether the variable *root*, or an index in *text*, is given another value in each pass of *loop*."""
    assigned = {node.name for node in walk(loop) if isinstance(node, nodes.AssignName)}
    attributes = {dotted_store for node in walk(loop) if (dotted_store := _stored(node)) is not None}
    return root in assigned or any(f"[{name}]" in text for name in assigned) or any(
        text == each or text.startswith((each + ".", each + "[")) for each in attributes
    )


def _stored(node: nodes.NodeNG) -> str | None:
    if isinstance(node, nodes.AssignAttr) and (owner := dotted(node.expr)) is not None:
        return f"{owner}.{node.attrname}"
    return None


def _function_repeats(
    source: Source, function: nodes.FunctionDef, root: str, hook: frozenset[str], depth: int
) -> bool:
    """Return whether *function* is a forward on a part of its own object, or called many times for one module."""
    is_own = root == self_name(function)
    if function.name == "forward" and is_own:
        owner = class_of(function)
        return owner is not None and source.names.derives(owner, "torch.nn.Module") is True
    if any(argument.name in hook for argument in function.args.arguments):
        return False
    if root in function.locals and not is_own:
        arguments = [*function.args.posonlyargs, *(function.args.args or [])]
        names = [argument.name for argument in arguments]
        if root not in names or any(isinstance(node.parent, nodes.Assign) for node in function.locals[root]):
            return False
        place = names.index(root) - (self_name(function) is not None)
        for call in source.names.call_sites(function):
            given = [keyword.value for keyword in call.keywords or () if keyword.arg == root]
            given += call.args[place : place + 1]
            if given and _repeats(source, call, given[0], frozenset(), depth + 1):
                return True
        return False
    if is_own and function.name != "__init__":
        return any(
            isinstance(call.func, nodes.Attribute) and _repeats(source, call, call.func.expr, frozenset(), depth + 1)
            for call in source.names.call_sites(function)
        )
    return False
