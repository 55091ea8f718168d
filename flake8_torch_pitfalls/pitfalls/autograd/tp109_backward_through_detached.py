"""A loss that was cut from its graph gives the model no gradient: `backward()` raises, or trains nothing.

## What happens
`.item()`, `.detach()`, `.data`, `.numpy()`, `float()`, `torch.tensor(loss)`, `torch.tensor([loss1, loss2])`,
`Variable(loss)`, comparisons, `argmax` and whatever runs under `torch.no_grad()` give values that know nothing of the
parameters they were computed from. `backward()` on a tensor computed from nothing else raises "element 0 of tensors
does not require grad and does not have a grad_fn".

Asking for a gradient afterwards, by `torch.tensor(loss, requires_grad=True)`, `loss.requires_grad = True` or
`Variable(loss.data, requires_grad=True)`, only hides this: `backward()` stops at the new leaf, the gradients of the
model stay `None`, and every `step()` leaves it as it was.

`round()`, `floor()`, `ceil()` and `sign()` keep the graph and lose the gradient, which is zero everywhere.

A term that is a number adds to the loss and nothing to the gradient: in `ce + 0.1 * penalty.item()` the penalty
punishes nobody.

## What to write
Go backward from the tensor that was computed, and take the number for the log:

```python
loss = torch.stack(losses).mean()
loss.backward()
history.append(loss.item())
```

The same holds inside a model: what goes through `torch.tensor(h)` or `torch.from_numpy(h.detach().numpy())` in
`forward` leaves the layers before it untrained, and nothing says so.

An accuracy has no gradient: train on a loss that has one, such as the cross-entropy of the scores.

## Silent
- A fresh leaf whose gradient is read, or that an optimizer has: inputs that are optimized, pipelines cut in stages.
- Something with parameters is computed from the detached value: `head(features.detach())`, a discriminator.
- Targets, baselines and weights that are detached, and the straight-through estimator `x + (q - x).detach()`.
- Losses that some path computes with a graph, and numbers that are only logged.

## Known limits
Inside a model only a layer is reported whose one result goes through a copy in `forward`: `detach()` alone is taken
for meant. A value that comes from a function out of view is taken for one with a graph.

## Sources
- "Locally disabling gradient computation" and `torch.Tensor.detach` in PyTorch's documentation.
- `torch.tensor`: "torch.tensor() creates a tensor with no autograd history".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.cuts import NUMBERS, Cut, Cuts, freezes
from flake8_torch_pitfalls.analysis.lineage import Backward, is_parameter
from flake8_torch_pitfalls.analysis.purpose import expects_failure
from flake8_torch_pitfalls.analysis.scopes import definitions, match_arguments
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import ancestors, class_of, constant, dotted, function_of, last_name, text_of
from flake8_torch_pitfalls.analysis.uses import Use, uses
from flake8_torch_pitfalls.finding import Finding

WORDS = {"backward", "manual_backward", "training_step", "forward", "detach"}

_COPIERS = ("tensor", "from_numpy", "as_tensor", "Variable", "FloatTensor", "Tensor")
_COPYING = NUMBERS | {"detach", "data", "cpu"}
_STARTS = ("backward", "manual_backward")


def check(source: Source) -> Iterator[Finding]:
    """Yield where losses that are back-propagated, or terms of them, lose their graph."""
    cuts = Cuts(source)
    reported: set[nodes.NodeNG] = set()
    for function in _functions(source):
        for backward in cuts.lineage.backwards(function):
            if expects_failure(backward.node) or not _starts_itself(source, cuts, backward):
                continue
            for cut, message in _faults(source, cuts, backward):
                if cut.node not in reported and cut.node.root() is source.module:
                    reported.add(cut.node)
                    yield Finding(cut.node, message)
    for cut, message in _losses_of_numbers(source, cuts):
        if cut.node not in reported:
            reported.add(cut.node)
            yield Finding(cut.node, message)
    for call in _cut_layers(source, cuts):
        if call not in reported:
            yield Finding(call, "the layers before this copy get no gradient; go on with the tensor itself")


def _functions(source: Source) -> Iterator[nodes.NodeNG]:
    yield source.module
    yield from source.index.of(nodes.FunctionDef, nodes.AsyncFunctionDef)


def _starts_itself(source: Source, cuts: Cuts, backward: Backward) -> bool:
    """Return whether *backward* starts from its very expression, not from something a helper computes of it."""
    call = backward.node
    if not isinstance(call, nodes.Call) or last_name(call.func) in _STARTS:
        return True
    for function in source.names.callee(call):
        given = match_arguments(function.node, call, bound=function.receiver is not None)
        for inner in cuts.lineage.backwards(function.node):
            if isinstance(inner.start, nodes.Name) and given.get(inner.start.name) is backward.start:
                return all(is_parameter(one) for one in definitions(inner.start, inner.start.name))
    return False


def _faults(source: Source, cuts: Cuts, backward: Backward) -> Iterator[tuple[Cut, str]]:
    start = _loss_of_step(source, backward)
    if start is None:
        return
    whole = cuts.of(start)
    if whole.graph is False:
        known = [cut for cut in whole.cuts if cut.sure or not whole.switched or whole.leaf]
        if known and (not whole.switched or whole.leaf or _trains(source, backward.node)):
            yield known[0], _whole_message(start, known[0], whole.switched or _is_switched_on(source, start))
        return
    for term in cuts.terms(start):
        traced = cuts.of(term)
        if traced.graph is False and traced.cuts and traced.cuts[0].sure and _is_number(traced.cuts[0]):
            yield traced.cuts[0], _term_message(traced.cuts[0])


def _loss_of_step(source: Source, backward: Backward) -> nodes.NodeNG | None:
    """Return the loss that *backward* starts from; of what ``training_step`` returns, the loss in it."""
    if not isinstance(backward.node, nodes.Return):
        return backward.start
    if "automatic_optimization" in source.index.stores:
        return None
    if isinstance(backward.start, nodes.Dict):
        return next((value for key, value in backward.start.items if constant(key) == "loss"), None)
    return backward.start


def _trains(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether the function of *node* steps an optimizer."""
    return any(function_of(call) is function_of(node) for call in source.index.calls.get("step", ()))


def _is_switched_on(source: Source, loss: nodes.NodeNG) -> bool:
    """Return whether the function tells *loss* to require a gradient."""
    text, function = dotted(loss), function_of(loss)
    switched = [target.expr for target in source.index.stores.get("requires_grad", ())]
    switched += [call.func.expr for call in source.index.calls.get("requires_grad_", ()) if call.func != loss]
    return any(dotted(one) == text and function_of(one) is function for one in switched)


def _is_number(cut: Cut) -> bool:
    """Return whether *cut* makes a number, or a copy that looks as if it still had its graph; no one detaches so."""
    if isinstance(cut.node, nodes.Call):
        return last_name(cut.node.func) in NUMBERS | {"float", "tensor", "Variable", "FloatTensor", "Tensor"}
    return False


# -- loss functions ------------------------------------------------------------------------------------


def _losses_of_numbers(source: Source, cuts: Cuts) -> Iterator[tuple[Cut, str]]:
    """Yield where functions that are called losses make their result a new leaf."""
    asked = {
        function_of(keyword) for keyword in source.index.of(nodes.Keyword)
        if keyword.arg == "requires_grad" and constant(keyword.value) is True
    }  # fmt: skip
    for function in source.index.of(nodes.FunctionDef):
        if function in asked and _is_loss_function(function):
            traced = cuts.returned(function)
            if traced.graph is False and traced.cuts and traced.switched and traced.leaf:
                cut = traced.cuts[0]
                yield cut, f"the result has no graph after {cut.how}, so the loss trains nothing; {_remedy(cut)}"


def _is_loss_function(function: nodes.FunctionDef) -> bool:
    owner = class_of(function)
    name = owner.name if owner is not None and function.name == "forward" else function.name
    return "loss" in name.lower()


# -- between the layers of a model ----------------------------------------------------------------------


def _cut_layers(source: Source, cuts: Cuts) -> Iterator[nodes.Call]:
    """Yield the copies, in a model's forward, of what one of its layers gives and nothing else makes use of."""
    for name in _COPIERS:
        for call in source.index.calls.get(name, ()):
            if _is_in_forward(source, call) and (copied := _copied(call)) is not None:
                traced = cuts.of(copied)
                if traced.graph and source.tensors.recording(call) is True and cuts.of(call).graph is False:
                    if _is_used_once(source, copied) and Use.RETURNED in uses(source.names, call):
                        yield call


def _is_in_forward(source: Source, call: nodes.Call) -> bool:
    function = function_of(call)
    if not isinstance(function, nodes.FunctionDef) or function.name != "forward" or freezes(source.index):
        return False
    owner = class_of(function)
    return owner is not None and source.names.derives(owner, "torch.nn.Module") is True


def _copied(call: nodes.Call) -> nodes.NodeNG | None:
    """Return ``h`` of ``torch.tensor(h.detach().numpy())``, None where more is done than copying."""
    node = call.args[0] if call.args else None
    while isinstance(node, (nodes.Call, nodes.Attribute)):
        inner = node.func if isinstance(node, nodes.Call) else node
        if not isinstance(inner, nodes.Attribute) or inner.attrname not in _COPYING:
            break
        node = inner.expr
    return node if isinstance(node, (nodes.Name, nodes.Call)) else None


def _is_used_once(source: Source, copied: nodes.NodeNG) -> bool:
    """Return whether a layer's result *copied*, and that layer, are of use nowhere else."""
    made = copied
    if isinstance(copied, nodes.Name):
        found = definitions(copied, copied.name)
        if len(found) != 1 or not isinstance(found[0].parent, (nodes.Assign, nodes.Tuple)):
            return False
        statement = found[0].statement()
        bound = {name.name for target in statement.targets for name in target.nodes_of_class(nodes.AssignName)}
        others = [
            use for use in source.index.within(function_of(copied), nodes.Name)
            if use.name in bound and use is not copied and not _is_looked_at(use)
            and any(one.statement() is statement for one in definitions(use, use.name))
        ]  # fmt: skip
        if others:
            return False
        made = statement.value
    layer = made.func if isinstance(made, nodes.Call) else None
    text = dotted(layer)
    if text is None or not text.startswith("self."):
        return False
    calls = source.index.calls.get(last_name(layer) or "", ())
    return sum(dotted(call.func) == text and class_of(call) is class_of(copied) for call in calls) == 1


def _is_looked_at(use: nodes.Name) -> bool:
    """Return whether only the shape or the like of *use* is read."""
    return isinstance(use.parent, nodes.Attribute) and use.parent.attrname in ("shape", "size", "device", "dtype")


# -- messages -------------------------------------------------------------------------------------------


def _whole_message(start: nodes.NodeNG, cut: Cut, switched: bool) -> str:
    loss = "the loss" if dotted(start) is None else f"'{text_of(start)}'"
    outcome = "trains nothing" if switched else "raises"
    if cut.how == "no_grad":
        mode = _mode(cut.node)
        return f"{loss} is computed under '{mode}', so 'backward()' {outcome}; compute it with recording on"
    if cut.lost is None:
        return f"{loss} has a gradient of zero after {cut.how}, so 'backward()' {outcome}; leave the rounding out"
    return f"{loss} has no graph after {cut.how}, so 'backward()' {outcome}; {_remedy(cut)}"


def _remedy(cut: Cut) -> str:
    text = dotted(cut.lost)
    if _is_list(cut.lost):
        return f"write 'torch.stack({text or '[...]'})'"
    if isinstance(cut.node, nodes.Compare) or "arg" in cut.how or "indices" in cut.how:
        return "train on a loss that has a gradient"
    return f"use '{text}' itself" if text is not None and len(text) < 30 else "use the tensor itself"


def _is_list(node: nodes.NodeNG | None) -> bool:
    if isinstance(node, nodes.Name):
        made = [getattr(definition.parent, "value", None) for definition in definitions(node, node.name)]
        return any(isinstance(value, (nodes.List, nodes.ListComp)) for value in made)
    return isinstance(node, (nodes.List, nodes.ListComp))


def _term_message(cut: Cut) -> str:
    text = dotted(cut.lost)
    what = f"'{text}'" if text is not None else "this term"
    return f"{what} adds no gradient to the loss after {cut.how}; add the tensor itself"


def _mode(node: nodes.NodeNG) -> str:
    """Return the text of the block or decorator around *node* that switches recording off."""
    for above in ancestors(node):
        decorators = getattr(above, "decorators", None)
        contexts = [context for context, _ in above.items] if isinstance(above, nodes.With) else []
        for context in [*contexts, *(decorators.nodes if decorators is not None else ())]:
            target = context.func if isinstance(context, nodes.Call) else context
            if last_name(target) in ("no_grad", "inference_mode", "set_grad_enabled"):
                return str(context.as_string())
    return "torch.no_grad()"
