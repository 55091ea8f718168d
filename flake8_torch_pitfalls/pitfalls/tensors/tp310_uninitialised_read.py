"""The memory of `torch.empty` is read before anything was written to it, so whatever lay there is computed with.

## What happens
`torch.empty`, `empty_like`, `new_empty` and `torch.Tensor(3, 4)` reserve memory and write nothing. What they hold is
what that memory held before: often zeros, sometimes huge numbers or NaN. `total = torch.empty(3)` with `total += x`
sums up onto that, and a parameter made of it and never initialised starts training from it. It works in one run and
gives NaN in the next, and no error is raised.

## What to write
`torch.zeros`, `torch.zeros_like` or `new_zeros` to add up; for a parameter one of `torch.nn.init`, right after it is
made.

## Silent
- Anything that may write first: `fill_`, `copy_`, `nn.init`, `out=`, an assignment to items, a call of a function
  that is given the tensor.
- Tensors without elements: `torch.empty(0)`; tensors on `meta`; `torch.Tensor` of data.
- Tests, which may only look at shapes.
- Parameters of a class that goes through its `parameters()`, or that other code in the file touches; classes that do
  not initialise any parameter themselves, unless the same file trains them and initialises nothing.

## Known limits
Only variables of one function and parameters of classes that derive from `nn.Module` alone are followed. A tensor of
which only a part is written before it is read is not looked at.

## Sources
- `torch.empty` in PyTorch's documentation: "Returns a tensor filled with uninitialized data."
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.construction import is_self
from flake8_torch_pitfalls.analysis.flow import Flow, Point, flow
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.synchronization import sets, steps
from flake8_torch_pitfalls.analysis.tree import (
    Scope,
    ancestors,
    argument,
    class_of,
    constant,
    function_of,
    is_open,
    last_name,
    target_text,
    text_of,
)
from flake8_torch_pitfalls.finding import Finding

WORDS = {"empty", "empty_like", "new_empty", "Tensor", "FloatTensor", "DoubleTensor", "HalfTensor", "LongTensor"}

_TYPED = ("Tensor", "FloatTensor", "DoubleTensor", "HalfTensor", "LongTensor")
_ACCUMULATES = frozenset(
    "add_ sub_ mul_ div_ addmm_ addcmul_ scatter_add_ index_add_ clamp_ sigmoid_".split()
)
"""Methods whose result depends on what the tensor held."""
_READS = _ACCUMULATES | frozenset(
    "sum mean max min norm std var prod matmul mm bmm add mul sub div item tolist softmax argmax exp log abs".split()
)
_GOES_THROUGH = frozenset(
    "parameters named_parameters apply modules named_modules children named_children state_dict load_state_dict "
    "setattr getattr".split()
)
_FORWARD = ("forward", "__call__", "extra_repr")


def check(source: Source) -> Iterator[Finding]:
    """Yield the tensors that are read before anything is written to them."""
    graphs: dict[Scope, Flow] = {}
    for name in sorted(WORDS & source.index.calls.keys()):
        for call in source.index.calls[name]:
            statement = call.parent
            if isinstance(statement, nodes.Assign) and len(statement.targets) == 1:
                target = statement.targets[0]
                if isinstance(target, nodes.AssignName):
                    yield from _variable(source, graphs, call, target.name)
            elif isinstance(statement, nodes.Call) and last_name(statement.func) == "Parameter":
                yield from _parameters(source, statement, call)


def _is_uninitialised(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* surely reserves memory for some elements and leaves it as it is."""
    if is_open(call) or constant(argument(call, None, "device")) == "meta":
        return False
    if any(constant(part) == 0 for size in call.args for part in (size, *size.get_children())):
        return False
    name = last_name(call.func)
    if name == "new_empty":
        return isinstance(call.func, nodes.Attribute)
    if name in _TYPED and len(call.args) < 2 and not (call.args and isinstance(constant(call.args[0]), int)):
        return False
    return source.names.symbol(call.func) == f"torch.{name}"


# -- variables -------------------------------------------------------------------------------------


def _variable(source: Source, graphs: dict[Scope, Flow], call: nodes.Call, name: str) -> Iterator[Finding]:
    """Yield *call*, which makes the variable *name*, if the first thing done with that reads it."""
    scope = function_of(call)
    if isinstance(scope, nodes.FunctionDef) and scope.name.startswith("test"):
        return
    if scope not in graphs:
        graphs[scope] = flow(scope)
    start = next((point for point in graphs[scope].points if point.node is call.parent), None)
    read = next((point for point in _firsts(start, name) if _is_read(source, point, name)), None) if start else None
    if read is not None and _is_uninitialised(source, call):
        assert read.node is not None
        line = read.node.lineno
        yield Finding(
            call, f"'{name}' is read in line {line} before anything is written to it; {_instead(text_of(call.func))}"
        )


def _firsts(start: Point, name: str) -> Iterator[Point]:
    """Yield the points that may be the first after *start* with something to do with the variable *name*.

    Loops are taken to run at least once: one that fills the tensor does fill it.
    """
    seen = {id(start)}
    waiting = [start]
    for point in waiting:
        for edge in point.edges:
            if edge.empty or id(edge.to) in seen:
                continue
            seen.add(id(edge.to))
            if sets(edge.to, name) or _mentions(edge.to, name):
                yield edge.to
            else:
                waiting.append(edge.to)


def _is_read(source: Source, point: Point, name: str) -> bool:
    """Return whether *point*, the first to mention the variable *name*, computes with its values."""
    if isinstance(point.node, nodes.AugAssign) and target_text(point.node.target) == name:
        return True
    return any(_reads(source, mention) for mention in _mentions(point, name)[:1])


def _instead(made: str) -> str:
    if "empty" in made:
        return f"write '{made.replace('empty', 'zeros')}(...)'"
    return "write 'torch.zeros(...)'"


def _mentions(point: Point, name: str) -> list[nodes.Name]:
    """Return the reads of the variable *name* at *point*; also as the tensor whose items are assigned."""
    return [node for node in steps(point) if isinstance(node, nodes.Name) and node.name == name]


def _reads(source: Source, name: nodes.Name) -> bool:
    """Return whether the values of *name* are surely computed with where it stands."""
    match name.parent:
        case nodes.BinOp():
            return True
        case nodes.Subscript(value=value, parent=nodes.AugAssign(target=target)) if value is name:
            return target is name.parent
        case nodes.Attribute(attrname=method, parent=nodes.Call(func=func)) if func is name.parent:
            return method in _READS
        case nodes.Call(func=nodes.Attribute(attrname=function) as func) if name in name.parent.args:
            return function in _READS and source.names.symbol(func) == f"torch.{function}"
    return False


# -- parameters ------------------------------------------------------------------------------------


def _parameters(source: Source, made: nodes.Call, call: nodes.Call) -> Iterator[Finding]:
    """Yield *made*, a parameter over the memory of *call*, if nothing gives it values."""
    statement, owner = made.parent, class_of(made)
    if not isinstance(statement, nodes.Assign) or owner is None or len(statement.targets) != 1:
        return
    target = statement.targets[0]
    if not isinstance(target, nodes.AssignAttr) or not _is_left_alone(source, owner, target):
        return
    if source.names.symbol(made.func) not in ("torch.nn.Parameter", "torch.nn.parameter.Parameter"):
        return
    if source.names.mro(owner)[1:2] == ("torch.nn.Module",) and _is_uninitialised(source, call):
        name = f"self.{target.attrname}"
        yield Finding(made, f"'{name}' is never initialised: '{text_of(call.func)}' holds anything; use 'nn.init'")


def _is_left_alone(source: Source, owner: nodes.ClassDef, target: nodes.AssignAttr) -> bool:
    """Return whether the attribute *target* is only read, in ``forward``, though its like is initialised."""
    index = source.index
    name = target.attrname
    if len(index.stores[name]) != 1 or not index.attributes.get(name):
        return False
    if not all(_is_plain_read(mention) for mention in index.attributes[name]):
        return False
    calls = index.within(owner, nodes.Call)
    if not _GOES_THROUGH.isdisjoint(last_name(call.func) for call in calls):
        return False
    if any(_initialises_own(call) for call in calls):
        return True
    return "backward" in index.calls and not any(_initialises(name) or "load" in name for name in index.calls)


def _is_plain_read(mention: nodes.Attribute) -> bool:
    """Return whether *mention* of a parameter stands in ``forward`` and cannot change it."""
    if getattr(function_of(mention), "name", "") not in _FORWARD:
        return False
    for above in ancestors(mention):
        if isinstance(above, nodes.Call) and _initialises(last_name(above.func) or ""):
            return False
        if above.is_statement:
            break
    return not isinstance(mention.parent, nodes.Attribute) or mention.parent.attrname != "data"


def _initialises(name: str) -> bool:
    """Return whether a function called *name* may give a parameter its first values."""
    if name.startswith("__") or "grad" in name:  # clip_grad_norm_, requires_grad_
        return False
    return name.endswith("_") or "init" in name or name in ("reset_parameters", "copy", "fill")


def _initialises_own(call: nodes.Call) -> bool:
    """Return whether *call* gives values to an attribute of the object: ``nn.init.zeros_(self.bias)``."""
    if not isinstance(call.func, nodes.Attribute) or not call.func.attrname.endswith("_"):
        return False
    changed = [*call.args[:1], call.func.expr]
    owners = [one.expr if isinstance(one, nodes.Attribute) and one.attrname == "data" else one for one in changed]
    return any(isinstance(one, nodes.Attribute) and is_self(one.expr) for one in owners)
