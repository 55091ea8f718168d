"""Saving a whole module ties the checkpoint to today's code, and `torch.load` refuses it by default.

## What happens
`torch.save(model, path)` pickles the object: its class is found again by module and name, so the file breaks when
a file is moved, a class renamed or an attribute added. Since PyTorch 2.6 `torch.load(path)` raises
`UnpicklingError` for it, because it takes full unpickling, which runs any code that a file holds. The same goes
for a module inside a dictionary, tuple or list.

## What to write
`torch.save(model.state_dict(), path)`, and `model.load_state_dict(torch.load(path))` on a new model.

## Silent
- State dictionaries, tensors, plain values and containers of them.
- `torch.jit.save`, `torch.export.save` and other formats made for whole programs.
- A variable of which `isinstance` or `hasattr` was asked on the way, where the answer excludes a module.
- A buffer in memory (`io.BytesIO`), where a module is copied or sent rather than kept.

## Where it is reported
At the module where it stands in the call, else at the saved object. A helper such as `save_checkpoint(state, path)`
is reported where it is called with the module.

## Known limits
A container that is filled in another function is not followed. An object about which nothing is known is left alone.

## Sources
- "Saving and Loading Models", PyTorch tutorials.
- `torch.load` in PyTorch's documentation, `weights_only`.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import narrowing, scopes
from flake8_torch_pitfalls.analysis.calls import arguments, torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import dotted, function_of, last_name, self_name
from flake8_torch_pitfalls.analysis.values import Data, Function
from flake8_torch_pitfalls.finding import Finding

SAVING = ("save", "checkpoint", "ckpt", "dump", "store", "snapshot", "persist", "write")
"""Parts of the names of helpers that save what they are given."""
WORDS = {"save", "save_checkpoint", "save_model", "save_ckpt", "save_state", "save_network", "save_weights",
         "_save_checkpoint", "checkpoint", "save_snapshot", "dump"}  # fmt: skip
DEEPEST_HELPER = 3
DEEPEST_CONTAINER = 4


def check(source: Source) -> Iterator[Finding]:
    """Yield the modules that are saved as objects."""
    helpers = set()
    for save in torch_calls(source, "torch.save"):
        saved = save.given.get("obj")
        if saved is not None and not _goes_to_memory(save.given.get("f")):
            parameter = _parameter_of(saved)
            if parameter is None or _is_module(source, saved):
                yield from _report(source, saved)
            else:
                helpers.add(parameter[0].name)
    for name, calls in source.index.calls.items():
        if name in helpers or _sounds_like_saving(name):
            for call in calls:
                for given in _saved_by_helper(source, call):
                    if _parameter_of(given) is None:
                        yield from _report(source, given)


def _report(source: Source, saved: nodes.NodeNG) -> Iterator[Finding]:
    modules = list(dict.fromkeys(_modules_in(source, saved)))
    inside = [module for module in modules if module is saved or saved.parent_of(module)]
    for module in inside or modules[:1]:
        name = dotted(module)
        what, instead = (f"'{name}'", f"'{name}.state_dict()'") if name else ("a module", "its 'state_dict()'")
        yield Finding(
            module if inside else saved,
            f"{what} is saved as a whole object, which 'torch.load' refuses; save {instead}",
        )


# -- what is a module, and what holds one ---------------------------------------------------------


def _is_module(source: Source, node: nodes.NodeNG) -> bool:
    return source.kinds.of(node, "module") is True


def _modules_in(source: Source, node: nodes.NodeNG, depth: int = 0) -> Iterator[nodes.NodeNG]:
    """Yield the expressions of modules that *node* is, or that the container it stands for holds."""
    if depth > DEEPEST_CONTAINER:
        return
    if _is_module(source, node):
        yield node
        return
    for item in _items(source, node):
        yield from _modules_in(source, item, depth + 1)


def _items(source: Source, node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the expressions that the container *node* is made of, and those put into it later."""
    for value in source.names.known(node):
        if isinstance(value, Data):
            yield from _displayed(value.node)
    for made in (node, *_assigned(node)):
        if isinstance(made, nodes.Call) and source.names.symbol(made.func) == "dict":
            yield from (keyword.value for keyword in made.keywords or () if keyword.arg is not None)
    text = dotted(node)
    if text is None:
        return
    for target in source.index.items.get(text, ()):
        if function_of(target) is function_of(node) and isinstance(target.parent, nodes.Assign):
            yield target.parent.value
    for call in source.index.calls.get("update", ()):
        if dotted(getattr(call.func, "expr", None)) == text and function_of(call) is function_of(node):
            yield from (keyword.value for keyword in call.keywords or () if keyword.arg is not None)
            yield from (item for given in call.args for item in _displayed(given))


def _displayed(display: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    match display:
        case nodes.Dict(items=items):
            yield from (value for key, value in items if not isinstance(key, nodes.DictUnpack))
        case nodes.List(elts=elements) | nodes.Tuple(elts=elements) | nodes.Set(elts=elements):
            yield from elements
        case nodes.ListComp(elt=element) | nodes.DictComp(value=element):
            yield element


def _assigned(node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    if isinstance(node, nodes.Name):
        for definition in scopes.definitions(node, node.name):
            if isinstance(definition.parent, nodes.Assign):
                yield definition.parent.value


# -- where it goes, and through which helper -------------------------------------------------------


def _sounds_like_saving(name: str) -> bool:
    return any(part in name.lower() for part in SAVING)


def _goes_to_memory(target: nodes.NodeNG | None) -> bool:
    """Return whether *target* is a buffer in memory."""
    if target is None:
        return False
    return any(
        isinstance(made, nodes.Call) and last_name(made.func) == "BytesIO"
        for made in (target, *_assigned(target), *_entered(target))
    )


def _entered(node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the contexts that the name *node* is bound to by ``with … as node``."""
    if isinstance(node, nodes.Name):
        for definition in scopes.definitions(node, node.name):
            if isinstance(definition.parent, nodes.With):
                yield from (context for context, bound in definition.parent.items if bound is definition)


def _parameter_of(node: nodes.NodeNG) -> tuple[nodes.FunctionDef, str] | None:
    """Return the function and parameter that *node* names, None if it names none, or ``self``."""
    if isinstance(node, nodes.Name):
        definitions = scopes.definitions(node, node.name)
        if len(definitions) == 1 and isinstance(definitions[0].parent, nodes.Arguments):
            function = definitions[0].parent.parent
            if isinstance(function, nodes.FunctionDef) and self_name(function) != node.name:
                return function, node.name
    return None


def _saved_by_helper(source: Source, call: nodes.Call, depth: int = 0) -> Iterator[nodes.NodeNG]:
    """Yield the arguments of *call* that a function of the project hands on to ``torch.save``."""
    for function in source.names.callee(call):
        if isinstance(function.node, nodes.FunctionDef):
            given = scopes.match_arguments(function.node, call, bound=function.receiver is not None)
            for name in _saved_parameters(source, function, depth):
                if name in given:
                    yield given[name]


def _saved_parameters(source: Source, function: Function, depth: int) -> set[str]:
    """Return the parameters of *function* that it, or a helper it calls, saves as they are."""
    found: set[str] = set()
    here = source.names.index_of(function.node) is source.index
    for call in source.names.index_of(function.node).calls_in.get(function.node, ()):
        name = last_name(call.func) or ""
        if name == "save" and source.names.symbol(call.func) == "torch.save":
            given = arguments(call, "torch.save")
            saved = [given["obj"]] if "obj" in given and not _goes_to_memory(given.get("f")) else []
        elif depth < DEEPEST_HELPER and _sounds_like_saving(name):
            saved = list(_saved_by_helper(source, call, depth + 1))
        else:
            continue
        for node in saved:
            parameter = _parameter_of(node)
            if parameter is None or parameter[0] is not function.node or _is_no_module(node):
                continue
            if not (here and _is_module(source, node)):
                found.add(parameter[1])
    return found


def _is_no_module(parameter: nodes.Name) -> bool:
    """Return whether ``isinstance`` or ``hasattr`` was asked of *parameter* before, and denied."""
    definitions = scopes.definitions(parameter, parameter.name)
    return any(narrowing.refuted(parameter, definitions[0], definitions))
