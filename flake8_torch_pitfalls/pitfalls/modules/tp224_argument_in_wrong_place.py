"""A positional argument that torch takes for another one: `nn.BatchNorm2d(64, 0.8)` sets `eps`, not the momentum.

## What happens
Many of torch's functions have more parameters than one remembers, and what is passed by position lands in the next
one. Often nothing raises:

- `nn.BatchNorm2d(64, 0.8)`: the second parameter is `eps`. The variance is far too large, outputs are squashed.
- `F.dropout(x, self.training)`: the rate is `True`, that is 1. Training sees nothing but zeros.
- `nn.LeakyReLU(True)`: the slope is 1. The network is linear.
- `nn.Linear(8, 8, 0.1)`, `nn.ReLU(0.2)`: any number that is not 0 switches `bias` or `inplace` on, and does no more.
- `nn.MultiheadAttention(64, 8, True)`, `nn.TransformerEncoderLayer(64, 8, 64, True)`: a dropout of 1.
- `nn.init.normal_(w, 0.02)`, `trunc_normal_(w, 0.02)`, `w.normal_(0.02)`: the mean is 0.02, the deviation stays 1.
  `nn.init.uniform_(w, 0.1)` draws from 0.1 to 1.
- `nn.Upsample(2)`, `F.interpolate(x, 2)`: the *size* is 2; images of 2 by 2 come out.
- `F.normalize(x, -1)`, `torch.norm(x, -1)`: the exponent is -1, the dimension the default.
- `F.gumbel_softmax(x, True)`: the temperature is 1, the samples stay soft.
- `optim.SGD(params, 0.1, 5e-4)`: a momentum of 0.0005, no weight decay.
- `StepLR(optimizer, 0.1, 30)`: steps of 0.1 epochs, which no whole epoch hits: the rate never changes.
- `nn.BCEWithLogitsLoss(pos_weight)`: the weight of each sample, for both classes.
- `nn.Linear(8, 8, device)`: a bias; the layer stays on the CPU.
- `DataLoader(data, 32, 4)`: `shuffle` is 4, that is on; no workers.
- `x.clamp(1, 0)`: the minimum is above the maximum, everything becomes 0.

Others raise, some only when they are first used: booleans as `stride`, `padding`, `dilation` or `groups`,
`nn.LSTM(8, 8, 2, 0.5)`, `nn.GroupNorm(64, 8)`, `optim.Adam(params, 1e-3, 0.9)`, `loss.backward(True)`, losses and
activations that are *made* with tensors instead of called with them: `nn.CrossEntropyLoss(out, y)`, `nn.ReLU(x)`.

## What to write
The name with the value: `nn.BatchNorm2d(64, momentum=0.8)`, `F.dropout(x, training=self.training)`. A loss or a layer
is made first and then called: `nn.CrossEntropyLoss()(out, y)`.

## Silent
- Values that are plausible for their place: `nn.BatchNorm2d(64, 1e-3)`, `nn.Linear(8, 8, False)`,
  `nn.Conv2d(3, 8, 3, 1, 1)`, `nn.init.normal_(w, 1.0, 0.02)`.
- Arguments with their names, whatever their values.
- Values that the text does not show, calls with `*args`, and functions of other libraries and of the project.
- A variable named after another parameter where that parameter is given, too:
  `nn.Conv2d(c, c, 3, 1, dilation, dilation)`.

## Known limits
Only the functions and parameters that are listed in the rule are looked at. Two sizes that are swapped are seen where
both are numbers in the text.

## Sources
- The signatures in PyTorch's documentation.
"""
from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable, Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes, sequences
from flake8_torch_pitfalls.analysis.calls import constants, local_names, positional_names
from flake8_torch_pitfalls.analysis.facts import Tensor
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import class_of, constant, dotted, function_of, last_name, text_of
from flake8_torch_pitfalls.analysis.values import Unknown
from flake8_torch_pitfalls.finding import Finding

Test = Callable[[object], bool]


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_float(value: object) -> bool:
    return isinstance(value, float)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _number(within: Callable[[float], bool]) -> Test:
    """Return the test whether a value is a number *within* some range; True and False are none."""
    return lambda value: isinstance(value, (int, float)) and not isinstance(value, bool) and within(value)


def _any_of(*tests: Test) -> Test:
    return lambda value: any(test(value) for test in tests)


_is_number = _number(lambda value: True)
_is_no_flag = _any_of(_is_text, _is_float, _number(lambda value: value not in (0, 1)))
_is_no_rate = _any_of(_is_bool, _number(lambda value: not 0 <= value <= 1))
_is_no_epsilon = _number(lambda value: value >= 0.05)
_is_factor = _any_of(_is_float, _number(lambda value: value in (2, 3)))
_is_spread = _number(lambda value: 0 < value < 0.5)
_is_bound = _number(lambda value: -1 < value < 1 and value != 0)


@dataclasses.dataclass(frozen=True, slots=True)
class Place:
    """A parameter, what is implausible for it, and what is probably meant (with the value for ``{}``).

    *without*: only where this parameter, which belongs to it, is left out. *followed*: variables are looked into.
    """

    parameter: str
    is_wrong: Test
    meant: str
    without: str | None = None
    followed: bool = False


def _places(parameters: str, is_wrong: Test, meant: str) -> tuple[Place, ...]:
    return tuple(Place(parameter, is_wrong, meant) for parameter in parameters.split())


NAME = "the name of the argument"
BACKWARD = "torch.Tensor.backward"

_NORM = (Place("eps", _is_bool, "affine={}"), Place("eps", _is_no_epsilon, "momentum={}", followed=True))
_RATE = (Place("p", _is_bool, "inplace={}"), Place("p", _is_no_rate, "a rate from 0 to 1"))
_FUNCTIONAL_RATE = (Place("p", _is_bool, "training={}"), Place("p", _is_no_rate, "a rate from 0 to 1"))
_IN_PLACE = (Place("inplace", _is_no_flag, "'leaky_relu' for a slope"),)
_SLOPE = (Place("negative_slope", _is_bool, "inplace={}"),)
_CONV = (
    *_places("stride padding dilation output_padding groups", _is_bool, "bias={}"),
    *_places("stride dilation output_padding groups", _is_text, "padding={}"),
    Place("bias", _is_no_flag, NAME),
)
_POOL = _places("stride padding dilation", _is_bool, "ceil_mode={}")
_RECURRENT = (
    Place("num_layers", _is_bool, "batch_first={}"),
    *_places("num_layers bias batch_first", _is_float, "dropout={}"),
    *_places("bias batch_first bidirectional", _is_no_flag, NAME),
    Place("dropout", _is_bool, "bidirectional={}"),
)
_TRANSFORMER_LAYER = (
    Place("dim_feedforward", _any_of(_is_float, _is_bool), "dropout={}"),
    Place("dropout", _is_no_rate, NAME),
)
_BETAS = (Place("betas", _is_number, "weight_decay={}, or a pair"),)
_NORMAL = (Place("mean", _is_spread, "std={}", without="std"),)

PLACES: dict[str, tuple[Place, ...]] = {
    **{f"torch.nn.{kind}{rank}d": _NORM for kind in ("BatchNorm", "InstanceNorm", "LazyBatchNorm", "LazyInstanceNorm")
       for rank in (1, 2, 3)},
    "torch.nn.SyncBatchNorm": _NORM,
    "torch.nn.LayerNorm": (
        Place("eps", _is_bool, "elementwise_affine={}"), Place("eps", _is_no_epsilon, "all sizes in one tuple"),
    ),
    "torch.nn.GroupNorm": (Place("eps", _is_bool, "affine={}"), Place("eps", _is_no_epsilon, NAME)),
    **{f"torch.nn.{kind}": _RATE for kind in ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout")},
    **{f"torch.nn.functional.{name}": _FUNCTIONAL_RATE
       for name in ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout")},
    **{f"torch.nn.{kind}": _IN_PLACE for kind in ("ReLU", "ReLU6")},
    **{f"torch.nn.functional.{name}": _IN_PLACE for name in ("relu", "relu6")},
    "torch.nn.LeakyReLU": _SLOPE,
    "torch.nn.functional.leaky_relu": _SLOPE,
    "torch.nn.Linear": (Place("bias", _is_no_flag, NAME),),
    **{f"torch.nn.{kind}{rank}d": _CONV for kind in ("Conv", "ConvTranspose") for rank in (1, 2, 3)},
    **{f"torch.nn.{kind}Pool{rank}d": _POOL for kind in ("Max", "Avg") for rank in (1, 2, 3)},
    **{f"torch.nn.functional.{kind}_pool{rank}d": _POOL for kind in ("max", "avg") for rank in (1, 2, 3)},
    "torch.nn.Embedding": _places("padding_idx max_norm", _is_bool, "sparse={}"),
    "torch.nn.LSTM": _RECURRENT,
    "torch.nn.GRU": _RECURRENT,
    "torch.nn.RNN": (*_RECURRENT, Place("nonlinearity", _any_of(_is_bool, _is_float), NAME)),
    "torch.nn.MultiheadAttention": (Place("dropout", _is_no_rate, NAME),),
    "torch.nn.TransformerEncoderLayer": _TRANSFORMER_LAYER,
    "torch.nn.TransformerDecoderLayer": _TRANSFORMER_LAYER,
    "torch.nn.Upsample": (Place("size", _is_factor, "scale_factor={}"), Place("scale_factor", _is_text, "mode={}")),
    "torch.nn.functional.interpolate": (
        Place("size", _is_factor, "scale_factor={}"), Place("scale_factor", _is_text, "mode={}"),
    ),
    "torch.nn.functional.gumbel_softmax": (Place("tau", _is_bool, "hard={}"),),
    "torch.nn.functional.normalize": (Place("p", _number(lambda value: value <= 0), "dim={}"),),
    "torch.norm": (Place("p", _number(lambda value: value == -1), "dim={}"),),
    "torch.Tensor.norm": (Place("p", _number(lambda value: value == -1), "dim={}"),),
    **{f"torch.optim.{kind}": _BETAS for kind in ("Adam", "AdamW", "NAdam", "RAdam", "Adamax")},
    "torch.optim.SGD": (Place("momentum", _number(lambda value: 0 < value < 0.01), "weight_decay={}"),),
    "torch.optim.lr_scheduler.StepLR": (Place("step_size", _number(lambda value: value < 1), "gamma={}"),),
    "torch.optim.lr_scheduler.MultiStepLR": (Place("milestones", _is_number, "gamma={}"),),
    "torch.utils.data.DataLoader": (
        Place("batch_size", _is_bool, "shuffle={}"),
        Place("shuffle", _number(lambda value: value not in (0, 1)), "num_workers={}"),
    ),
    "torch.nn.init.normal_": _NORMAL,
    "torch.nn.init.trunc_normal_": _NORMAL,
    "torch.Tensor.normal_": _NORMAL,
    "torch.nn.init.uniform_": (Place("a", _is_bound, "both bounds", without="b"),),
    "torch.Tensor.uniform_": (Place("from_", _is_bound, "both bounds", without="to"),),
    BACKWARD: (Place("gradient", _is_bool, "retain_graph={}"),),
    "torch.nn.CrossEntropyLoss": (
        Place("weight", _is_float, "label_smoothing={}"), Place("weight", _is_number, "ignore_index={}"),
    ),
    "torch.nn.NLLLoss": (Place("weight", _is_number, "ignore_index={}"),),
    "torch.nn.BCEWithLogitsLoss": (Place("weight", _is_number, "pos_weight={}"),),
    "torch.linspace": (Place("steps", _is_float, "'torch.arange' for a step"),),
}  # fmt: skip
"""What is implausible, by function and parameter. The first place that fits speaks."""

SWAPPED = {
    "torch.nn.GroupNorm": ("num_groups", "num_channels"),
    "torch.nn.MultiheadAttention": ("num_heads", "embed_dim"),
    "torch.nn.TransformerEncoderLayer": ("nhead", "d_model"),
    "torch.nn.TransformerDecoderLayer": ("nhead", "d_model"),
    "torch.nn.Transformer": ("nhead", "d_model"),
    "torch.clamp": ("min", "max"),
    "torch.Tensor.clamp": ("min", "max"),
    "torch.Tensor.clamp_": ("min", "max"),
}
"""Functions with a parameter that is never larger than another one."""

SPEAKING = re.compile(
    r"(?:^|_)(momentum|bias|dropout|batch_first|bidirectional|training|inplace|padding|dilation|groups|ceil_mode|"
    r"weight_decay|num_workers|shuffle|affine|pos_weight|device|dtype)(?:$|_)"
)
"""Variables that speak of the parameter they are meant for."""

OF_SETTINGS = {
    **{f"torch.nn.{kind}": 0 for kind in (
        "ReLU", "ReLU6", "LeakyReLU", "ELU", "SELU", "CELU", "GELU", "SiLU", "Sigmoid", "Tanh", "Softplus", "Softmax",
        "LogSoftmax", "Flatten", "Dropout", "Dropout2d", "Dropout3d", "MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss",
        "KLDivLoss", "MaxPool1d", "MaxPool2d", "AvgPool2d", "AdaptiveAvgPool2d",
    )},
    **{f"torch.nn.{kind}": 1 for kind in ("CrossEntropyLoss", "NLLLoss", "BCELoss", "BCEWithLogitsLoss")},
}  # fmt: skip
"""Classes that are made with settings, and the first of their positions where a tensor makes no sense."""
SETTING = re.compile(r"average|avg|reduc|mean|size|ignore|delta|beta|weight", re.IGNORECASE)
"""Names of settings that the second argument of a loss may be."""

BY_NAME: dict[str, list[str]] = {}
for _symbol in dict.fromkeys((*PLACES, *SWAPPED, *OF_SETTINGS)):
    BY_NAME.setdefault(_symbol.rpartition(".")[2], []).append(_symbol)
WORDS = set(BY_NAME)


def check(source: Source) -> Iterator[Finding]:
    """Yield positional arguments that torch takes for others than they are meant for."""
    for name, renamed in sorted(local_names(source.index, BY_NAME).items()):
        for call in source.index.calls.get(name, ()):
            for symbol in BY_NAME[renamed] if call.args else ():
                finding = next(_found(source, call, symbol), None)
                if finding is not None:
                    yield finding
                    break


def _found(source: Source, call: nodes.Call, symbol: str) -> Iterator[Finding]:
    """Yield what is wrong with *call* if it calls *symbol*; that is asked last, it costs most."""
    for node, parameter, meant in (*_implausible(source, call, symbol), *_misnamed(call, symbol)):
        if _is_call_of(source, call, symbol):
            text = text_of(node)
            instead = meant.format(text)
            yield Finding(node, f"'{text}' is read as '{parameter}' of '{text_of(call.func)}'; write {instead}")
    if _is_swapped(call, symbol) and _is_call_of(source, call, symbol):
        smaller, larger = SWAPPED[symbol]
        yield Finding(call, f"'{text_of(call.func)}' is given a '{smaller}' above its '{larger}'; swap the two")
    for node in _tensors(source, call, symbol):
        if _is_call_of(source, call, symbol):
            name = text_of(call.func)
            yield Finding(call, f"'{name}' is made with settings, not with '{text_of(node)}'; write '{name}()(...)'")


def _is_call_of(source: Source, call: nodes.Call, symbol: str) -> bool:
    """Return whether *call* calls *symbol*; a method of an object that is not known counts if only tensors have it."""
    values = source.names.values(call.func)
    if source.names.symbol(call.func) == symbol:
        return True
    if not symbol.startswith("torch.Tensor.") or not isinstance(call.func, nodes.Attribute):
        return False
    if not all(isinstance(value, Unknown) for value in values):
        return False
    return symbol != BACKWARD or "loss" in (last_name(call.func.expr) or "").lower()


# -- values and variables --------------------------------------------------------------------------


def _implausible(source: Source, call: nodes.Call, symbol: str) -> Iterator[tuple[nodes.NodeNG, str, str]]:
    """Yield the arguments that are no values for their places: each with the parameter and what is meant."""
    for index, place in _places_by_position(symbol):
        if index < len(call.args) and _is_wrong(source, call.args[index], place):
            if place.without is None or not _is_given(call, symbol, place.without):
                if not _is_cut_off(call, index):
                    yield call.args[index], place.parameter.rstrip("_"), place.meant


def _is_wrong(source: Source, node: nodes.NodeNG, place: Place) -> bool:
    value = constant(node)
    if value is not ...:
        return place.is_wrong(value)
    if place.followed and isinstance(node, (nodes.Name, nodes.Attribute)):
        found = constants(source.names, node)
        return found is not None and all(place.is_wrong(one) for one in found)
    return False


def _misnamed(call: nodes.Call, symbol: str) -> Iterator[tuple[nodes.NodeNG, str, str]]:
    """Yield the variables that have the name of another parameter than they are passed for."""
    names = positional_names(symbol)
    for index, (node, parameter) in enumerate(zip(call.args, names)):
        variable = last_name(node)
        spoken = SPEAKING.search(variable) if variable is not None and variable != parameter else None
        name = spoken[1] if spoken is not None else parameter
        if name != parameter and name in names and parameter != "kernel_size":
            if not _is_given(call, symbol, name) and not _is_cut_off(call, index):
                yield node, parameter, name + "={}"


def _is_swapped(call: nodes.Call, symbol: str) -> bool:
    """Return whether *call* gives by position a number that is above its bound."""
    if symbol not in SWAPPED:
        return False
    names = positional_names(symbol)
    smaller, larger = (names.index(name) for name in SWAPPED[symbol])
    if max(smaller, larger) >= len(call.args) or _is_cut_off(call, max(smaller, larger)):
        return False
    low, high = constant(call.args[smaller]), constant(call.args[larger])
    return isinstance(low, (int, float)) and isinstance(high, (int, float)) and low > high


@functools.cache
def _places_by_position(symbol: str) -> tuple[tuple[int, Place], ...]:
    """Return the places of *symbol*, each with the position of its parameter."""
    names = positional_names(symbol)
    return tuple((names.index(one.parameter), one) for one in PLACES.get(symbol, ()) if one.parameter in names)


def _is_given(call: nodes.Call, symbol: str, parameter: str) -> bool:
    names = positional_names(symbol)
    if parameter in names[: len(call.args)]:
        return True
    return any(keyword.arg in (parameter, None) for keyword in call.keywords)


def _is_cut_off(call: nodes.Call, index: int) -> bool:
    """Return whether ``*args`` stand before position *index*, so that it may be another one."""
    return any(isinstance(arg, nodes.Starred) for arg in call.args[:index])


# -- tensors ---------------------------------------------------------------------------------------


def _tensors(source: Source, call: nodes.Call, symbol: str) -> Iterator[nodes.NodeNG]:
    """Yield the tensors that a layer or loss is made with."""
    first = OF_SETTINGS.get(symbol, len(call.args))
    given = [node for node in call.args[first:] if constant(node) is ...]
    if not given:
        return
    function = function_of(call)
    if _is_trained_on(source, call) or _judges(call):
        yield given[0]
    elif getattr(function, "name", "") == "forward" and source.names.derives(class_of(call), "torch.nn.Module") is True:
        yield from (node for node in given if _is_tensor(source, node, function))


def _judges(call: nodes.Call) -> bool:
    """Return whether *call* makes a loss with two variables, as if to call it; in ``__init__`` they may be settings."""
    if not (last_name(call.func) or "").endswith("Loss") or getattr(function_of(call), "name", "") == "__init__":
        return False
    variables = [node for node in call.args[:2] if constant(node) is ... and not isinstance(node, nodes.Starred)]
    return len(variables) == 2 and not SETTING.search(last_name(variables[1]) or "")


def _is_trained_on(source: Source, call: nodes.Call) -> bool:
    """Return whether the result of *call* is treated as a tensor: ``backward`` or ``item`` is called on it."""
    name = sequences.assigned_name(call)
    return name is not None and any(
        dotted(getattr(use.func, "expr", None)) == name and sequences.share_name(use, call, name)
        for method in ("backward", "item")
        for use in source.index.calls.get(method, ())
    )


def _is_tensor(source: Source, node: nodes.NodeNG, forward: nodes.FunctionDef) -> bool:
    """Return whether *node* is a tensor, as what *forward* is given always is."""
    if isinstance(node, nodes.Name):
        required = [each for each in forward.args.args if scopes.default(forward, each.name) is None]
        if scopes.definitions(node, node.name) in ([each] for each in required):
            return True
    return isinstance(source.tensors.at(node), Tensor)
