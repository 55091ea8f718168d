"""A compiled function that is called with something new each time is compiled again for each call, then not at all.

## What happens
`torch.compile` guards what it took for constant. A size or number among the arguments is compiled a second time and
then kept variable; but integers in attributes of a module, strings, lengths of lists and what drives a `range` stay
constant. Where these change, each call compiles anew, for seconds. After eight times torch gives up and runs the
function uncompiled from then on.

## What to write
- A counter in a buffer, changed in place (`self.steps += 1` on a tensor), or counted outside of the module.
- Loops over `range(n)` outside of the compiled function, names and texts too.
- `dynamic=False` only where sizes stay; leave it out otherwise.

## Silent
- Integers, floats and sizes among the arguments: two compilations in all.
- Float attributes, tensors in attributes and buffers, integers in attributes of other objects than modules.
- Lists that are emptied or cut, `torch._dynamo.config.allow_unspec_int_on_nn_module`.
- `requires_grad` or the grad mode going to and fro: two compilations, both kept.
- At most eight different values.

## Known limits
Values that change are seen in the function itself and in the loop around its call. Counters under conditions other than
`self.training` are left alone.

## Sources
- "Recompilation" in PyTorch's documentation of `torch.compile`. Each kind was counted on torch 2.13.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.compiled import (
    Compilation,
    Region,
    calls_of,
    compilations,
    functions,
    has_option,
    regions,
)
from flake8_torch_pitfalls.analysis.data_dependent import may_be_skipped
from flake8_torch_pitfalls.analysis.size_changes import changes_size_each_pass, counter, is_variable_of, passes
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    class_of,
    constant,
    dotted,
    function_of,
    last_name,
    loops_around,
    self_name,
    target_text,
    text_of,
    walk,
)
from flake8_torch_pitfalls.analysis.values import Data, Function, Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"compile"}

_LIMIT = 8
"""How often torch compiles one function before it gives up."""
_CUTS = frozenset("clear pop popleft remove".split())


def check(source: Source) -> Iterator[Finding]:
    """Yield what changes from call to call of compiled functions, and is compiled for each value."""
    reported: set[nodes.NodeNG] = set()
    for compilation in compilations(source):
        if has_option(source, compilation, "disable", True):
            continue
        found = [
            *(one for region in regions(source, compilation) for one in _changed_inside(source, region)),
            *(one for region in regions(source, compilation) for one in _changed_from_outside(source, region)),
            *_changed_by_calls(source, compilation),
        ]
        for finding in found:
            if finding.node not in reported:
                reported.add(finding.node)
                yield finding


# -- what the function itself changes --------------------------------------------------------------


def _changed_inside(source: Source, region: Region) -> Iterator[Finding]:
    function = region.function.node
    index = source.names.index_of(function)
    counts = [(one, one.target, one.value) for one in index.within(function, nodes.AugAssign)]
    counts += [(one, *count) for one in index.within(function, nodes.Assign) if (count := _written_out(one))]
    for statement, target, step in counts:
        if function_of(statement) is function and not may_be_skipped(source, statement, function):
            if (text := _counted(source, region, target, step)) is not None:
                yield Finding(
                    region.place(statement, source.module),
                    f"'{text}' changes in each call, and '{region.name}' is compiled again for each value; "
                    "count in a tensor, or outside",
                )
    for call in index.calls_in.get(function, ()):
        if _lengthens_attribute(source, region, call) and not may_be_skipped(source, call, function):
            yield Finding(
                region.place(call, source.module),
                f"'{call.func.expr.as_string()}' gets longer in each call, and '{region.name}' is compiled again for "
                "each length; return the value",
            )


def _written_out(statement: nodes.Assign) -> tuple[nodes.NodeNG, nodes.NodeNG] | None:
    """Return target and step of a count that is not written as ``+=``: ``self.step = self.step + 1``."""
    match statement:
        case nodes.Assign(targets=[target], value=nodes.BinOp(op="+" | "-", left=left, right=right)):
            if target_text(target) is not None and target_text(target) == dotted(left):
                return target, right
    return None


def _counted(source: Source, region: Region, target: nodes.NodeNG, step: nodes.NodeNG) -> str | None:
    """Return the integer *target* if *step* counts it on and each value is compiled for: of a module, or global."""
    if not _is_whole_number(step):
        return None
    if isinstance(target, nodes.AssignName):
        found = region.function.node.root().locals.get(target.name, ())
        starts = [one for one in found if one is not target]
        return target.name if target in found and _starts_whole(starts) else None
    owner = _module_of(source, region, target)
    if owner is None or _allows_integers(source):
        return None
    stores = [one for one in source.names.stores(owner, target.attrname) if one is not target]
    return f"self.{target.attrname}" if _starts_whole(stores) else None


def _module_of(source: Source, region: Region, target: nodes.NodeNG) -> nodes.ClassDef | None:
    """Return the class of modules whose attribute *target* is."""
    function = region.function.node
    if not isinstance(target, (nodes.AssignAttr, nodes.Attribute)) or not isinstance(target.expr, nodes.Name):
        return None
    if target.expr.name != self_name(function):
        return None
    receiver = region.function.receiver
    owner = receiver.cls if isinstance(receiver, Instance) else class_of(function)
    if not isinstance(owner, nodes.ClassDef) or source.names.derives(owner, "torch.nn.Module") is not True:
        return None
    return owner


def _is_whole_number(node: nodes.NodeNG | None) -> bool:
    return type(constant(node)) is int


def _starts_whole(stores: list[nodes.NodeNG]) -> bool:
    """Return whether all *stores* elsewhere assign a whole number, or count one on."""
    values = [one.parent.value for one in stores if isinstance(one.parent, (nodes.Assign, nodes.AnnAssign))]
    return bool(values) and all(_is_whole_number(value) for value in values)


def _allows_integers(source: Source) -> bool:
    return "allow_unspec_int_on_nn_module" in source.index.stores


def _lengthens_attribute(source: Source, region: Region, call: nodes.Call) -> bool:
    """Return whether *call* appends to a list of the module that nothing ever shortens."""
    if last_name(call.func) != "append" or not isinstance(call.func, nodes.Attribute):
        return False
    kept = call.func.expr
    owner = _module_of(source, region, kept)
    if owner is None:
        return False
    stores = list(source.names.stores(owner, kept.attrname))
    values = source.names.values(kept)
    if len(stores) != 1 or not all(isinstance(one, Data) and isinstance(one.node, nodes.List) for one in values):
        return False
    return getattr(function_of(stores[0]), "name", "") == "__init__" and not _is_shortened(source, kept.attrname)


def _is_shortened(source: Source, name: str) -> bool:
    """Return whether the file shortens, replaces or removes the attribute *name* of something."""
    cuts = (call for cut in _CUTS for call in source.index.calls.get(cut, ()))
    if any(isinstance(call.func, nodes.Attribute) and last_name(call.func.expr) == name for call in cuts):
        return True
    if any(last_name(one.value) == name for one in source.index.of(nodes.Subscript) if one.ctx.name != "Load"):
        return True
    if any(one.attrname == name for one in source.index.of(nodes.DelAttr)):
        return True
    return len(source.index.stores.get(name, ())) > 1


# -- what others set -------------------------------------------------------------------------------


def _changed_from_outside(source: Source, region: Region) -> Iterator[Finding]:
    """Yield the loops that set an integer attribute of the module, which the function of *region* reads."""
    function = region.function.node
    if _allows_integers(source):
        return
    for read in source.names.index_of(function).within(function, nodes.Attribute):
        owner = _module_of(source, region, read) if read.attrname in source.index.stores else None
        for store in source.index.stores.get(read.attrname, ()) if owner is not None else ():
            if isinstance(store.parent, nodes.Assign) and _is_counter(store.parent.value, _long_loops(store)):
                if any(isinstance(one, Instance) and one.cls is owner for one in source.names.values(store.expr)):
                    yield Finding(
                        store.parent,
                        f"'{text_of(store)}' changes in each pass, and '{region.name}' is compiled again for each "
                        "value; set a tensor",
                    )


# -- what the calls change -------------------------------------------------------------------------


def _changed_by_calls(source: Source, compilation: Compilation) -> Iterator[Finding]:
    compiled = functions(source, compilation)
    is_static = has_option(source, compilation, "dynamic", False)
    for call in calls_of(source, compilation):
        loops = _long_loops(call)
        if not loops:
            continue
        if is_static and changes_size_each_pass(source, call, _LIMIT):
            yield Finding(call, "'dynamic=False' compiles each size anew, and the loop varies it; leave it out")
        elif len(compiled) == 1:
            yield from _changed_arguments(compiled[0], call, loops)


def _long_loops(node: nodes.NodeNG) -> list[nodes.NodeNG]:
    """Return the loops around *node* that may have more passes than torch compiles for."""
    numbers = [(loop, passes(loop) if isinstance(loop, nodes.For) else None) for loop in loops_around(node)]
    return [loop for loop, number in numbers if number is None or number > _LIMIT]


def _changed_arguments(function: Function, call: nodes.Call, loops: list[nodes.NodeNG]) -> Iterator[Finding]:
    """Yield *call* where an argument has another value in each pass that *function* is compiled for."""
    given = scopes.match_arguments(function.node, call, bound=function.receiver is not None)
    for name, node in given.items():
        if isinstance(node, nodes.JoinedStr) and _reads_counter(node, loops) and _is_read(function.node, name):
            harm = f"'{name}' is another string in each pass"
        elif _is_counter(node, loops) and _drives_range(function.node, name):
            harm = f"'{name}' drives 'range' with another number each time"
        else:
            continue
        label = getattr(function.node, "name", "lambda")
        yield Finding(call, f"{harm}, and '{label}' is compiled again for each; do that outside of it")
        return


def _is_counter(node: nodes.NodeNG, loops: list[nodes.NodeNG]) -> bool:
    inner = node.left if isinstance(node, nodes.BinOp) and _is_whole_number(node.right) and node.op in "+-" else node
    return any(counter(loop) is not None and is_variable_of(inner, loop) for loop in loops)


def _reads_counter(node: nodes.JoinedStr, loops: list[nodes.NodeNG]) -> bool:
    return any(counter(loop) is not None and is_variable_of(one, loop) for loop in loops for one in walk(node))


def _is_read(function: nodes.NodeNG, name: str) -> bool:
    return any(isinstance(node, nodes.Name) and node.name == name for node in walk(function))


def _drives_range(function: nodes.NodeNG, name: str) -> bool:
    """Return whether *function* runs a loop as often as its parameter *name* says."""
    return any(
        isinstance(node, nodes.For)
        and isinstance(node.iter, nodes.Call)
        and last_name(node.iter.func) == "range"
        and any(isinstance(given, nodes.Name) and given.name == name for given in node.iter.args)
        for node in walk(function)
    )
