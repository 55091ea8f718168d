"""`model.state_dict` without parentheses is a method, not the weights.

## What happens
`torch.save(model.state_dict, path)` raises nothing: it pickles the bound method, and with it the whole module.
`torch.load` then refuses the file, or returns a method where weights are expected.
`load_state_dict(other.state_dict)` raises `TypeError: Expected state_dict to be dict-like`, and
`copy.deepcopy(model.state_dict)` copies the module.

## What to write
`model.state_dict()`.

## Silent
- The method called, wrapped or replaced: `original = model.state_dict`, and `original()` later.
- Attributes of the same name on other objects: `checkpoint.state_dict`.

## Known limits
What is known of an object only by its name is left alone.

## Sources
- "Saving and Loading Models", PyTorch tutorials.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, class_of, dotted, function_of, is_called, last_name, text_of
from flake8_torch_pitfalls.analysis.values import Function, Method
from flake8_torch_pitfalls.finding import Finding

WORDS = {"state_dict"}

TELLING = ("state_dict", "load_state_dict", "parameters", "zero_grad")
"""Methods that only modules, optimizers and their like have."""
COPIES = ("copy.copy", "copy.deepcopy")
SAVES = ("save", "checkpoint", "ckpt", "snapshot")
"""Parts of the names of helpers that save what they are given."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the ``state_dict`` methods that are used as if they were what they return."""
    for method in source.index.attributes.get("state_dict", ()):
        if not is_called(method) and _is_method(source, method) and _is_taken_for_weights(source, method):
            text = text_of(method)
            yield Finding(method, f"'{text}' is the method itself, not the weights; call it: '{text}()'")


def _is_method(source: Source, node: nodes.Attribute) -> bool:
    """Return whether *node* is a method by inference, or because its object is used as one that has it."""
    values = source.names.known(node)
    if values:
        return all(
            (isinstance(value, Method) and value.name.endswith(".state_dict"))
            or (isinstance(value, Function) and getattr(value.node, "name", "") == "state_dict")
            for value in values
        )
    return source.kinds.is_unknown(node.expr) and _is_used_as_owner(source, node.expr)


def _is_used_as_owner(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether the same variable or attribute is called as a module or optimizer elsewhere."""
    text = dotted(node)
    if text is None:
        return False
    scope_of = class_of if text.startswith("self.") else function_of
    return any(
        dotted(getattr(call.func, "expr", None)) == text and scope_of(call) is scope_of(node)
        for name in TELLING
        for call in source.index.calls.get(name, ())
    )


def _is_taken_for_weights(source: Source, node: nodes.NodeNG, through_name: bool = False) -> bool:
    """Return whether *node*, maybe inside a container or by another name, is saved, loaded or copied."""
    below = node
    for above in ancestors(node):
        match above:
            case nodes.Dict() | nodes.List() | nodes.Tuple() | nodes.IfExp() | nodes.Keyword() | nodes.BoolOp():
                below = above
            case nodes.Call(func=func) if last_name(func) in ("dict", "OrderedDict"):
                below = above
            case nodes.Call() if below is not above.func:
                return _expects_weights(source, above)
            case nodes.Assign(targets=targets) if not through_name:
                return any(_is_name_taken(source, target) for target in targets)
            case _:
                return False
    return False


def _expects_weights(source: Source, call: nodes.Call) -> bool:
    name = last_name(call.func) or ""
    if name == "load_state_dict":
        return True
    symbol = source.names.symbol(call.func)
    return symbol in COPIES or symbol == "torch.save" or any(part in name.lower() for part in SAVES)


def _is_name_taken(source: Source, target: nodes.NodeNG) -> bool:
    """Return whether what is assigned to *target* is saved, loaded or copied, and never called."""
    match target:
        case nodes.AssignName(name=name):
            found = [
                use
                for use in function_of(target).nodes_of_class(nodes.Name)
                if use.name == name and target in scopes.definitions(use, name)
            ]
        case nodes.AssignAttr(attrname=name):
            found = [use for use in source.index.attributes.get(name, ()) if class_of(use) is class_of(target)]
        case nodes.Subscript(value=container):
            found = [
                use
                for use in function_of(target).nodes_of_class(nodes.Name)
                if use is not container and use.name == dotted(container)
            ]
        case _:
            return False
    if any(is_called(use) for use in found):
        return False
    return any(_is_taken_for_weights(source, use, through_name=True) for use in found)
