"""Functional dropout does not know about `eval()`: it drops until it is told not to.

## What happens
`F.dropout` and its relatives take `training=True` by default, so a module that calls them without it keeps dropping
after `model.eval()`: predictions are noisy and differ from call to call. The same goes for
`F.scaled_dot_product_attention(..., dropout_p=self.dropout)`, which drops whenever `dropout_p` is above 0, for a
literal `training=True`, and for `F.batch_norm(..., training=True)`, which goes on using and updating the statistics
of each batch. The other way round, `F.alpha_dropout`, `F.feature_alpha_dropout` and `F.rrelu` take `training=False`
by default: without the argument they never drop, or never draw a slope.

## What to write
`F.dropout(x, self.p, training=self.training)`, `dropout_p=self.dropout if self.training else 0.0`, or a module
`self.drop = nn.Dropout(p)`, which follows `eval()` by itself.

## Silent
- `training=self.training`, and any variable.
- A rate of 0, a rate that is chosen by mode, and one that is a parameter of the function itself.
- A call in a branch that tests the mode, or after `if not self.training: return x`.
- Literal `training=True` in what is called a prenet, Monte Carlo, Bayesian, or uncertain: there it is the method.
- Functions that no module of the file calls, and `training_step`, `forward_train` and the like, which only run while
  training.
- `F.batch_norm` without running statistics, or with those of one step: `self.running_mean[step]`.

## Known limits
An attribute that a method other than `__init__` sets may follow the mode; it is left alone.

## Sources
- `torch.nn.functional.dropout`, `alpha_dropout` and `scaled_dot_product_attention` in PyTorch's documentation. The
  latter: "This function always applies dropout according to the specified `dropout_p` argument".
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.calls import TorchCall, torch_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import (
    FUNCTIONS,
    ancestors,
    class_of,
    constant,
    dotted,
    earlier_in_block,
    function_of,
    method_of,
    self_name,
    text_of,
)
from flake8_torch_pitfalls.finding import Finding

FUNCTIONAL = "torch.nn.functional"
DROPPING = ("dropout", "dropout1d", "dropout2d", "dropout3d")
WITHOUT_DEFAULT = ("torch.dropout", "torch.feature_dropout", "torch.alpha_dropout", "torch.feature_alpha_dropout")
"""The operations below them, which must be told whether to drop."""
DORMANT = ("alpha_dropout", "feature_alpha_dropout", "rrelu")
ATTENTION = "scaled_dot_product_attention"
NORMALIZING = "batch_norm"
WORDS = {*DROPPING, *DORMANT, ATTENTION, NORMALIZING}

MODE = re.compile(r"train|eval|infer|test|stochastic|sampling")
"""Names that speak of the mode."""
TRAINS = re.compile(r"(^|_)(pre)?train(ing)?(_|$)")
"""Names of methods that only run while training."""
ON_PURPOSE = re.compile(r"MC|(?i:(^|_)mc|monte|bayes|uncertain|prenet|stochastic|perturb)")
"""Names of classes and functions in which dropping always is the method."""


def check(source: Source) -> Iterator[Finding]:
    """Yield the functional layers whose mode is not the module's."""
    for call in _calls(source, DROPPING):
        if call.lacks("training"):
            if _drops_always(source, call, "p"):
                yield _finding(call, "drops in eval mode, too; give it 'training=self.training'")
        elif _is_literally_on(call):
            what = "drops in eval mode, too, for 'training=True'; write 'training=self.training'"
            yield _finding(call, what, "training")
    for call in _calls(source, WITHOUT_DEFAULT, ""):
        if _is_literally_on(call) and _drops_always(source, call, "p"):
            yield _finding(call, "drops in eval mode, too, for 'train=True'; write 'self.training'", "train")
    for call in _calls(source, (ATTENTION,)):
        if "dropout_p" in call.given and _drops_always(source, call, "dropout_p"):
            rate = text_of(call.given["dropout_p"])
            instead = f"write '{rate} if self.training else 0.0'"
            yield _finding(call, f"drops in eval mode, too; {instead}", "dropout_p")
    for call in _calls(source, (NORMALIZING,)):
        mean = call.given.get("running_mean")
        if _is_literally_on(call) and isinstance(mean, nodes.Attribute) and _is_of_self(mean):
            what = "takes the statistics of the batch in eval mode, too; write 'training=self.training'"
            yield _finding(call, what, "training")
    for call in _calls(source, DORMANT):
        if call.lacks("training"):
            yield _finding(call, "is in eval mode by default, also when training; give it 'training=self.training'")


def _finding(call: TorchCall, what: str, argument: str | None = None) -> Finding:
    place = call.node if argument is None else call.place_of(argument)
    return Finding(place, f"'{text_of(call.node.func)}' {what}")


def _calls(source: Source, names: tuple[str, ...], where: str = f"{FUNCTIONAL}.") -> Iterator[TorchCall]:
    """Yield the calls of *names* of *where* that run in a module, unless a test of the mode decides about them."""
    for call in torch_calls(source, *(where + name for name in names)):
        if _runs_in_module(source, call.node) and not _is_guarded(call.node):
            yield call


def _runs_in_module(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* stands in a method of a module, or in a function that one in the file calls."""
    cls = class_of(node)
    if cls is not None:
        trains = TRAINS.search(getattr(method_of(node), "name", ""))
        return trains is None and source.names.derives(cls, "torch.nn.Module") is True
    function = function_of(node)
    if not isinstance(function, nodes.FunctionDef) or _takes_mode(function):
        return False
    return any(
        (caller := class_of(call)) is not None and source.names.derives(caller, "torch.nn.Module") is True
        for call in source.names.call_sites(function)
        if call.root() is source.module
    )


def _takes_mode(function: nodes.FunctionDef) -> bool:
    args = function.args
    return any(MODE.search(each.name) for each in [*args.posonlyargs, *(args.args or []), *args.kwonlyargs])


# -- the mode --------------------------------------------------------------------------------------


def _is_literally_on(call: TorchCall) -> bool:
    """Return whether ``training=True`` is written out where nothing says that it is meant."""
    if constant(call.given.get("training", call.given.get("train"))) is not True:
        return False
    around = (class_of(call.node), method_of(call.node), function_of(call.node))
    return not any(ON_PURPOSE.search(getattr(each, "name", "")) for each in around if each is not None)


def _is_guarded(call: nodes.Call) -> bool:
    """Return whether a test of the mode decides whether *call* runs."""
    below: nodes.NodeNG = call
    for above in ancestors(call):
        if isinstance(above, (nodes.If, nodes.IfExp)) and below is not above.test and _speaks_of_mode(above.test):
            return True
        if any(_leaves_by_mode(earlier) for earlier in earlier_in_block(below)):
            return True
        if isinstance(above, FUNCTIONS):
            return False
        below = above
    return False


def _leaves_by_mode(statement: nodes.NodeNG) -> bool:
    return (
        isinstance(statement, nodes.If)
        and _speaks_of_mode(statement.test)
        and isinstance(statement.body[-1], (nodes.Return, nodes.Raise))
    )


def _speaks_of_mode(node: nodes.NodeNG) -> bool:
    return any(
        MODE.search(found.attrname if isinstance(found, nodes.Attribute) else found.name)
        for found in node.nodes_of_class((nodes.Attribute, nodes.Name))
    )


# -- the rate --------------------------------------------------------------------------------------


def _drops_always(source: Source, call: TorchCall, parameter: str) -> bool:
    """Return whether the rate is above 0 in each mode: nothing that the text shows makes it 0."""
    rate = call.given.get(parameter)
    if rate is None:
        return not (call.is_open or call.is_partial)
    return _is_fixed(source, rate)


def _is_fixed(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether *node* is a number above 0, or a setting that is the same in all modes."""
    match node:
        case nodes.Const(value=float() | int() as value):
            return value > 0
        case nodes.Name(name=name):
            found = scopes.definitions(node, name)
            return len(found) == 1 and _is_fixed_assignment(source, found[0])
        case nodes.Attribute(expr=nodes.Name()) if _is_of_self(node):
            return _is_set_once(source, node)
        case nodes.Attribute() if _is_of_self(node):
            return not _speaks_of_mode(node)
    return False


def _is_fixed_assignment(source: Source, definition: nodes.NodeNG) -> bool:
    statement = definition.parent
    return isinstance(statement, nodes.Assign) and _is_fixed(source, statement.value)


def _is_of_self(node: nodes.NodeNG | None) -> bool:
    """Return whether *node* is an attribute of ``self``, or of an attribute of it."""
    text = dotted(node)
    method = method_of(node) if node is not None else None
    return text is not None and method is not None and text.startswith(f"{self_name(method)}.")


def _is_set_once(source: Source, attribute: nodes.Attribute) -> bool:
    """Return whether only constructors give the attribute of ``self`` its value, and one that is no literal 0."""
    cls = class_of(attribute)
    stores = list(source.names.stores(cls, attribute.attrname)) if cls is not None else []
    return bool(stores) and all(
        getattr(function_of(store), "name", "") == "__init__"
        and constant(getattr(store.statement(), "value", None)) not in (0, None)
        for store in stores
    )
