"""An operation that returns a new tensor stands as a statement, so its result is lost and nothing changes.

## What happens
`detach`, `view`, `clamp`, `unsqueeze`, `F.normalize`, `torch.relu` and most other operations leave their input as
it is. `hidden.detach()` on a line of its own does not cut the graph, and `x.clamp(0, 1)` does not bound `x`; the
program goes on with the old tensor, often without an error. The same goes for a layer without state: `self.act(x)`
on a line of its own in `forward`.

## What to write
`x = x.detach()`, or the operation that works in place where there is one and it may be used: `x.clamp_(0, 1)`.

## Silent
- Operations in place (`add_`, `F.relu(x, inplace=True)`, `out=`), and methods with another effect: `backward`,
  `retain_grad`, `requires_grad_`, `register_hook`, `record_stream`, `share_memory_`.
- Objects that are not known to be tensors: arrays, frames, tables with methods of the same names.
- Attempts (in a `try`, in `pytest.raises`, in a test), warming up and timing: a loop, `with` block or
  function in which nothing else happens.
- Displays: a statement of a script after which a gap follows, as at the end of a notebook's cell.
- What nobody reads afterwards.
- Moves and conversions between devices and dtypes: TP401 reports them.

## Known limits
A tensor is known by how it was made, by what callers in the project pass, by its annotation, or as part of a batch of
a `DataLoader`; the argument of a `forward` that is none of these is not known, and neither are the weights of what an
`isinstance` alone says to be a layer.

## Sources
- `torch.Tensor` in PyTorch's documentation: "Methods which mutate a tensor are marked with an underscore suffix".
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis.batches import is_of_batch
from flake8_torch_pitfalls.analysis.calls import arguments
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.purpose import expects_failure, is_dropped, is_last_use, is_on_purpose, root_of
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, constant, function_of, last_name, text_of
from flake8_torch_pitfalls.analysis.values import NOTHING, Instance
from flake8_torch_pitfalls.finding import Finding

MOVES = frozenset("to cuda cpu half float double bfloat16 type contiguous".split())
"""Reported as TP401."""
HOMES = ("torch", "torch.nn.functional", "torch.linalg", "torch.special", "torch.fft")
WITH_EFFECT = re.compile(r"rand|bernoulli|multinomial|normal$|poisson|(batch|instance)_norm|embedding|_$|^_")
"""Functions that draw random numbers, or change something beside their result."""
STATEFUL = re.compile(r"BatchNorm|InstanceNorm|Lazy|Sequential|Module|Parallel|Transformer|Embedding|Loss|RNN|LSTM|GRU")
"""Layers that keep something of a call, or hold layers that may."""
WORDS = {"torch"}
LONGEST = 30


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls whose only effect would have been their result."""
    for statement in source.index.of(nodes.Expr):
        for call in statement.nodes_of_class(nodes.Call):
            if is_dropped(call) and (changed := _intended(source, call)) is not None:
                if not _is_for_show(source, call) and not is_on_purpose(source.names, call, changed):
                    yield Finding(call, _message(call, changed))


# -- what has no effect ----------------------------------------------------------------------------


def _intended(source: Source, call: nodes.Call) -> nodes.NodeNG | None:
    """Return the tensor that *call* was probably to change, None if it has an effect or may have one."""
    if any(keyword.arg in (None, "out") for keyword in call.keywords or ()):
        return None
    name = last_name(call.func) or ""
    if isinstance(call.func, nodes.Attribute) and _only_returns(f"torch.Tensor.{name}", call):
        if _is_tensor(source, call.func.expr):
            return call.func.expr
    target = call.args[0] if call.args else None
    if isinstance(target, (nodes.Tuple, nodes.List)) and target.elts:
        target = target.elts[0]  # torch.cat((x, y))
    if target is None or not (_is_layer_of_forward(source, call) or _is_function(source, call, name)):
        return None
    return target if _is_tensor(source, target) else None


def _only_returns(symbol: str, call: nodes.Call) -> bool:
    """Return whether *symbol*, an operation, gives tensors and changes nothing."""
    name = symbol.rpartition(".")[2]
    if name in MOVES or WITH_EFFECT.search(name) or _is_in_place(call, symbol):
        return False
    types = torch_model.returned(symbol, len(call.args), frozenset(word.arg for word in call.keywords or ()))
    return bool(types) and all(_holds_tensors(type_) for type_ in types)


def _holds_tensors(type_: torch_model.Type) -> bool:
    return type_.name in ("torch.Tensor", "Self") or any(_holds_tensors(inner) for inner in type_.args)


def _is_tensor(source: Source, node: nodes.NodeNG) -> bool:
    values = [value for value in source.names.values(node) if value != NOTHING]  # p.grad may be None
    are_tensors = bool(values) and all(source.kinds.is_kind(value, "tensor") is True for value in values)
    return are_tensors or is_of_batch(source.names, node) or isinstance(source.tensors.at(node), Tensor)


def _is_function(source: Source, call: nodes.Call, name: str) -> bool:
    """Return whether *call* is of a function of torch that only returns something."""
    if not any(torch_model.kind(f"{home}.{name}") == "function" for home in HOMES):
        return False
    symbol = source.names.symbol(call.func) or ""
    return symbol.rpartition(".")[0] in HOMES and _only_returns(symbol, call)


def _is_in_place(call: nodes.Call, symbol: str) -> bool:
    given = arguments(call, symbol).get("inplace")
    return given is not None and constant(given) is not False


def _is_layer_of_forward(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* in a ``forward`` is of a layer that only computes."""
    if getattr(function_of(call), "name", "") != "forward":
        return False
    values = source.names.values(call.func)
    return all(isinstance(value, Instance) and _only_computes(value) for value in values)


def _only_computes(layer: Instance) -> bool:
    cls, made = layer.cls, layer.made_at
    return (
        isinstance(cls, str)
        and isinstance(made, nodes.Call)
        and "torch.nn.Module" in torch_model.ancestors(cls)
        and not STATEFUL.search(cls.rpartition(".")[2])
        and not _is_in_place(made, cls)
    )


# -- what is no mistake ----------------------------------------------------------------------------


def _is_for_show(source: Source, call: nodes.Call) -> bool:
    """Return whether the statement of *call* shows, tests or measures its result, as far as its place tells."""
    statement = call.statement()
    function = function_of(statement)
    if isinstance(function, nodes.Module):
        return statement.parent is function and _ends_a_cell(statement)
    if not isinstance(function, nodes.FunctionDef) or function.name.startswith("test"):
        return True
    if all(isinstance(each, nodes.Expr) for each in function.body) or expects_failure(call):
        return True
    if any(_is_repeated(call, other) for other in source.index.calls_in.get(function, ())):
        return True
    return any(isinstance(above, nodes.Try) and statement in above.body for above in ancestors(statement))


def _is_repeated(call: nodes.Call, other: nodes.Call) -> bool:
    """Return whether *other* is the same call, also dropped: one warms up and one is timed."""
    return (
        other is not call
        and last_name(other.func) == last_name(call.func)
        and is_dropped(other)
        and other.as_string() == call.as_string()
    )


def _ends_a_cell(statement: nodes.NodeNG) -> bool:
    """Return whether nothing, or a gap, or another display, follows *statement* in a script."""
    following = statement.next_sibling()
    return (
        following is None
        or isinstance(following, nodes.Expr)
        or (following.fromlineno or 0) > (statement.tolineno or 0) + 1
    )


def _message(call: nodes.Call, changed: nodes.NodeNG) -> str:
    target, text = text_of(changed), " ".join(call.as_string().split())
    if len(text) > LONGEST:
        text = f"{text_of(call.func)}(...)"
    root = root_of(changed)
    if len(target) > LONGEST or isinstance(changed, nodes.Call):
        return f"the result of '{text}' is dropped and nothing else changes; keep it in a variable"
    dropped = f"'{text}' leaves '{target}' as it is and its result is dropped"
    if isinstance(root, nodes.Name) and is_last_use(call, root):
        return f"{dropped}; build a new container of the results"
    return f"{dropped}; write '{target} = {text}'"
