"""`train`, `eval` and `nn.init` take less than they seem to: a wrong call raises, or sets nothing.

## What happens
`model.train("eval")` and `model.train(0)` raise `ValueError: training mode is expected to be boolean`, and
`model.eval(True)` raises `TypeError`, because `eval` takes nothing. `self.train = True` in a module hides the method:
the next `model.train()` or `model.eval()` raises `TypeError: 'bool' object is not callable`. `model.training = False`
raises nothing and changes the flag of that one module: its dropout and normalisation layers stay in train mode.

The functions of `nn.init` want a tensor, no module; those that count inputs and outputs (`xavier_*`, `kaiming_*`,
`orthogonal_`) want one of two dimensions at least, which a bias or the weight of a normalisation layer is not. The
second argument of `kaiming_*` is the slope, not the name of the activation, and unknown names are refused.
`model.apply(init_weights())` calls the function once, without a module, and hands on what it returns, `None`.

## What to write
`model.train()`, `model.train(False)` or `model.eval()`; another name for the flag: `self.is_train = True`;
`nn.init.zeros_(layer.bias)`; `nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")`; `model.apply(init_weights)`.

## Silent
- `train(True)`, `train(False)`, `train(mode)` and a comparison as the mode.
- `train` and `eval` of classes that define their own.
- A function put in place of `train` on purpose, such as one that keeps a frozen network in eval mode.
- `training` set on a single layer, on `self`, on each of `modules()`, or beside a call of `train` or `eval`.
- `nn.init` on weights of two dimensions and more, `zeros_`, `ones_`, `constant_`, `normal_` and `uniform_` on any
  tensor.

## Known limits
The dimensions of a tensor are known of the layers that PyTorch defines, and of a bias that the module itself makes.

## Sources
- `torch.nn.Module.train` and `eval`, `torch.nn.init` in PyTorch's documentation.
"""
from __future__ import annotations

import re
from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis.calls import TorchCall, constant_of, torch_calls
from flake8_torch_pitfalls.analysis.layers import CONTAINERS, Trait, any_has
from flake8_torch_pitfalls.analysis.origins import origins
from flake8_torch_pitfalls.analysis.purpose import binds, expects_failure
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.symbols import WRAPPERS
from flake8_torch_pitfalls.analysis.tree import (
    ancestors,
    argument,
    constant,
    dotted,
    function_of,
    is_open,
    last_name,
    text_of,
)
from flake8_torch_pitfalls.analysis.values import NOTHING, Function, Instance, Method, Unknown
from flake8_torch_pitfalls.finding import Finding

WORDS = {"train", "eval", "training", "init", "apply"}

INIT = "torch.nn.init."
COUNTING = tuple(INIT + name for name in (
    "xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_", "orthogonal_", "sparse_",
))  # fmt: skip
"""Initialisers that need two dimensions."""
FILLING = tuple(INIT + name for name in (
    "uniform_", "normal_", "trunc_normal_", "constant_", "ones_", "zeros_",
))  # fmt: skip
GAIN = INIT + "calculate_gain"
MODES = {"fan_in", "fan_out"}
NONLINEARITIES = {"linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
                  "sigmoid", "tanh", "relu", "leaky_relu", "selu"}  # fmt: skip
WITH_FLAT_BIAS = re.compile(r"^torch\.nn\.(modules\.\w+\.)?(Lazy)?(Linear|Bilinear|Conv\w+|\w*BatchNorm\w*|GroupNorm)$")
WITH_FLAT_WEIGHT = re.compile(r"^torch\.nn\.(modules\.\w+\.)?(Lazy)?(\w*BatchNorm\w*|GroupNorm|InstanceNorm\w+|PReLU)$")
MAKING = re.compile(r"^torch\.(empty|zeros|ones|rand|randn|Tensor|FloatTensor)$")


def check(source: Source) -> Iterator[Finding]:
    """Yield the calls that train, eval and the initialisers cannot take."""
    yield from _modes(source)
    yield from _hidden_methods(source)
    yield from _flags(source)
    yield from _initialisers(source)
    yield from _applied(source)


# -- train and eval -----------------------------------------------------------------------------------


def _modes(source: Source) -> Iterator[Finding]:
    """Yield calls of ``train`` with what is no bool, and of ``eval`` with anything."""
    for call in source.index.calls.get("train", ()):
        mode = argument(call, 0, "mode")
        if mode is not None and not is_open(call) and _is_no_bool(source, mode) and _is_torchs(source, call):
            owner = text_of(call.func.expr)
            yield Finding(
                call,
                f"'train' of '{owner}' takes a bool and raises on {_quoted(mode)}; "
                f"write '{owner}.train()' or '{owner}.eval()'",
            )
    for call in source.index.calls.get("eval", ()):
        if (call.args or call.keywords) and not is_open(call) and _is_torchs(source, call):
            owner = text_of(call.func.expr)
            yield Finding(
                call, f"'eval' of '{owner}' takes no argument and raises; write '{owner}.eval()' or '{owner}.train()'"
            )


def _is_torchs(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* runs the method that ``nn.Module`` defines, of an object, and is meant to succeed."""
    found = source.names.known(call.func)
    return (
        isinstance(call.func, nodes.Attribute)
        and bool(found)
        and all(isinstance(value, Method) and value.name == f"torch.nn.Module.{call.func.attrname}" for value in found)
        and not expects_failure(call)
    )


def _quoted(node: nodes.NodeNG) -> str:
    text = text_of(node)
    return text if isinstance(node, nodes.Const) and isinstance(node.value, str) else f"'{text}'"


def _is_no_bool(source: Source, mode: nodes.NodeNG) -> bool:
    values = source.names.values(mode)
    return all(
        isinstance(value, Instance) or (constant_of(value) is not ... and not isinstance(constant_of(value), bool))
        for value in values
    )


def _hidden_methods(source: Source) -> Iterator[Finding]:
    """Yield plain values that are put under the name of a module's ``train`` or ``eval``."""
    for name in ("train", "eval"):
        for target in source.index.stores.get(name, ()):
            value = getattr(target.parent, "value", None)
            if value is None or not isinstance(target.parent, (nodes.Assign, nodes.AnnAssign)):
                continue
            if _is_flag(source, value) and source.kinds.inferred(target.expr, "module") is True:
                raising = "'train()' and 'eval()' raise" if name == "train" else "'eval()' raises"
                yield Finding(
                    target,
                    f"'{target.as_string()}' hides the module's method, and {raising}; call '{name}()' or rename it",
                )


def _is_flag(source: Source, value: nodes.NodeNG) -> bool:
    """Return whether *value* is a bool, or may be one and nothing says that it is a function."""
    values = source.names.values(value)
    flags = [one for one in values if isinstance(constant_of(one), bool)]
    return bool(flags) and all(one in flags or one == NOTHING or isinstance(one, Unknown) for one in values)


def _flags(source: Source) -> Iterator[Finding]:
    """Yield modules whose ``training`` is set although it is their layers that have modes."""
    for target in source.index.stores.get("training", ()):
        if not isinstance(target.parent, nodes.Assign) or not isinstance(constant(target.parent.value), bool):
            continue
        modules = [value for value in source.names.known(target.expr) if isinstance(value, Instance)]
        if not modules or not all(_has_layers(source, module) for module in modules):
            continue
        if dotted(target.expr) == "self" or _is_of_loop(target) or _is_set_by_method_too(source, target):
            continue
        if any_has(source.names, modules, Trait.MODES):
            owner = text_of(target.expr)
            call = "train()" if constant(target.parent.value) else "eval()"
            yield Finding(
                target, f"'{target.as_string()}' leaves the layers of '{owner}' in their mode; write '{owner}.{call}'"
            )


def _has_layers(source: Source, module: Instance) -> bool:
    if source.names.is_a(module, "torch.nn.Module") is not True:
        return False
    return not isinstance(module.cls, str) or module.cls in CONTAINERS or module.cls in WRAPPERS


def _is_set_by_method_too(source: Source, target: nodes.AssignAttr) -> bool:
    """Return whether the function of *target* calls ``train`` or ``eval`` on the same module."""
    return any(
        dotted(getattr(call.func, "expr", None)) == dotted(target.expr)
        for call in source.index.calls_in.get(function_of(target), ())
        if last_name(call.func) in ("train", "eval")
    )


def _is_of_loop(target: nodes.AssignAttr) -> bool:
    """Return whether *target* belongs to the variable of a loop: every module gets its turn."""
    text = dotted(target.expr)
    return any(
        isinstance(above, nodes.For) and text is not None and binds(above.target, text) for above in ancestors(target)
    )


# -- nn.init ------------------------------------------------------------------------------------------


def _initialisers(source: Source) -> Iterator[Finding]:
    """Yield initialisers that are given what they cannot initialise, or options they do not know."""
    for call in torch_calls(source, *COUNTING, *FILLING, GAIN):
        if expects_failure(call.node):
            continue
        message = _wrong_tensor(source, call) or _wrong_option(call)
        if message is not None:
            yield Finding(call.node, message)


def _wrong_tensor(source: Source, call: TorchCall) -> str | None:
    tensor = call.given.get("tensor")
    if tensor is None:
        return None
    function = call.symbol.rpartition(".")[2]
    if source.kinds.inferred(tensor, "module") is True or _is_tested_for_module(source, tensor):
        text = text_of(tensor)
        return f"'{function}' takes a tensor and raises on the module '{text}'; pass '{text}.weight'"
    if call.symbol in COUNTING and _is_flat(source, tensor):
        return (
            f"'{function}' raises on '{text_of(tensor)}', which has one dimension; "
            "use 'zeros_', 'ones_' or 'uniform_'"
        )
    return None


def _is_tested_for_module(source: Source, node: nodes.NodeNG) -> bool:
    """Return whether the test that *node* stands under says that it is one of torch's modules."""
    classes = _classes(source, node) if isinstance(node, nodes.Name) else []
    return bool(classes) and all("torch.nn.Module" in torch_model.ancestors(cls) for cls in classes)


def _is_flat(source: Source, tensor: nodes.NodeNG) -> bool:
    """Return whether *tensor* surely has one dimension."""
    if isinstance(tensor, nodes.Attribute) and tensor.attrname == "data":
        tensor = tensor.expr
    if not isinstance(tensor, nodes.Attribute):
        return False
    flat = {"bias": WITH_FLAT_BIAS, "weight": WITH_FLAT_WEIGHT}.get(tensor.attrname)
    if flat is not None:
        having = (owner for owner in _classes(source, tensor.expr) if torch_model.member(owner, tensor.attrname))
        owners = list(having)
        if owners and all(flat.search(owner) for owner in owners):
            return True
    return tensor.attrname == "bias" and _is_made_flat(source, tensor)


def _classes(source: Source, owner: nodes.NodeNG) -> list[str]:
    """Return the classes of torch's that *owner* may have: by the tests that it stands under, else by inference."""
    below: nodes.NodeNG = owner
    for above in ancestors(owner):
        if isinstance(above, nodes.If) and below in above.body:
            tested = _tested_classes(above.test, owner)
            if tested:
                return [source.names.symbol(each) or "" for each in tested]
        if isinstance(above, nodes.FunctionDef):
            break
        below = above
    known = source.names.known(owner)
    found = [value.cls for value in known if isinstance(value, Instance) and isinstance(value.cls, str)]
    return [] if len(found) != len(known) or "torch.nn.Module" in found else found


def _tested_classes(test: nodes.NodeNG, owner: nodes.NodeNG) -> list[nodes.NodeNG]:
    """Return the classes that *test* asks for: ``isinstance(owner, nn.Linear)``, ``type(owner) == nn.Linear``."""
    match test:
        case nodes.Call(func=nodes.Name(name="isinstance"), args=[subject, kinds]) if dotted(subject) == dotted(owner):
            return list(kinds.elts) if isinstance(kinds, nodes.Tuple) else [kinds]
        case nodes.Compare(left=nodes.Call(func=nodes.Name(name="type"), args=[subject]), ops=[("==" | "is", kind)]):
            return [kind] if dotted(subject) == dotted(owner) else []
        case nodes.BoolOp(op="and"):
            for part in test.values:
                if found := _tested_classes(part, owner):
                    return found
    return []


def _is_made_flat(source: Source, tensor: nodes.Attribute) -> bool:
    """Return whether *tensor* is ``nn.Parameter(torch.empty(n))`` wherever it is made."""
    made = [one for one in origins(source.names, tensor) if not (isinstance(one, nodes.Const) and one.value is None)]
    return bool(made) and all(_makes_flat(source, one) for one in made)


def _makes_flat(source: Source, made: nodes.NodeNG) -> bool:
    if not isinstance(made, nodes.Call) or last_name(made.func) != "Parameter" or not made.args:
        return False
    inner = made.args[0]
    if not isinstance(inner, nodes.Call) or len(inner.args) != 1:
        return False
    if not MAKING.match(source.names.symbol(inner.func) or ""):
        return False
    size = inner.args[0]
    return isinstance(size, (nodes.Name, nodes.Attribute, nodes.Const)) and not any(
        isinstance(value, Instance) for value in source.names.known(size)
    )


def _wrong_option(call: TorchCall) -> str | None:
    function = call.symbol.rpartition(".")[2]
    for option, number in (("a", "slope"), ("gain", "factor")):
        text = constant(call.given.get(option))
        if isinstance(text, str) and function.startswith(("kaiming", "xavier")):
            instead = f"nonlinearity='{text}'" if option == "a" else f"gain=nn.init.calculate_gain('{text}')"
            return f"'{option}' of '{function}' is the {number}, and it raises on '{text}'; write \"{instead}\""
    for option, allowed in (("mode", MODES), ("nonlinearity", NONLINEARITIES)):
        text = constant(call.given.get(option))
        if isinstance(text, str) and text not in allowed and (function.startswith("kaiming") or call.symbol == GAIN):
            near = "fan_in' or 'fan_out" if option == "mode" else "relu' or 'leaky_relu"
            return f"'{function}' raises on {option} '{text}', which it does not know; write '{near}'"
    return None


def _applied(source: Source) -> Iterator[Finding]:
    """Yield what ``Module.apply`` is given that does not take a module."""
    for call in source.index.calls.get("apply", ()):
        given = argument(call, 0, "fn")
        if given is None or not isinstance(call.func, nodes.Attribute):
            continue
        if isinstance(given, nodes.Call):
            if _gives_nothing(source, given) and source.kinds.inferred(call.func.expr, "module") is True:
                name = text_of(given.func)
                yield Finding(given, f"'apply' is given the result of '{name}', None; pass '{name}' itself")
        elif isinstance(given, (nodes.Name, nodes.Attribute)):
            symbol = source.names.symbol(given)
            if symbol in (*COUNTING, *FILLING) and source.kinds.inferred(call.func.expr, "module") is True:
                name = text_of(given)
                yield Finding(
                    given, f"'apply' hands '{name}' modules, and it takes a tensor; pass a function that picks 'weight'"
                )


def _gives_nothing(source: Source, call: nodes.Call) -> bool:
    """Return whether *call* runs a function of the project that returns None."""
    if not any(isinstance(value, Function) for value in source.names.known(call.func)):
        return False
    return source.names.values(call) == (NOTHING,)
