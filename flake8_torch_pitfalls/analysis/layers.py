"""What a module is made of: whether train and eval mode differ for it, whether it has parameters.

Its attributes, the members of its containers and its bases are followed; what cannot be followed makes a
"no" unknown, never a "yes".
"""
from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Iterator

from astroid import nodes

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.analysis.symbols import WRAPPERS, Names
from flake8_torch_pitfalls.analysis.tree import argument, class_of, constant, last_name, self_name
from flake8_torch_pitfalls.analysis.values import NOTHING, UNKNOWN, Data, Instance, Items, Many, Value, Values

CONTAINERS = ("torch.nn.Sequential", "torch.nn.ModuleList", "torch.nn.ModuleDict")
_LARGEST = 400
_PARAMETRISED = re.compile(
    r"\.(Lazy)?(Bil|L)inear$|\.(Lazy)?Conv|\.(Lazy|Sync)?BatchNorm|\.(Layer|Group|RMS)Norm$|\.Embedding|"
    r"\.(RNN|LSTM|GRU)|\.MultiheadAttention$|\.Transformer|\.PReLU$|\.Parameter$|\.AdaptiveLogSoftmaxWithLoss$"
)
_AFFINE = {
    re.compile(r"\.(Layer|RMS)Norm$"): (2, "elementwise_affine"),
    re.compile(r"\.((Lazy|Sync)?BatchNorm\w*|GroupNorm)$"): (3, "affine"),
}
"""Normalisations, and the argument that leaves out their weight and bias, with its position."""
_CONVOLUTION = re.compile(r"\.(Lazy)?Conv")
_TENSOR_CORES = re.compile(r"\.(Lazy)?Conv|\.(RNN|LSTM|GRU)$|\.MultiheadAttention$|\.Transformer")
_UNTRACKED = re.compile(r"\.(Lazy)?InstanceNorm")
_TRACKED = re.compile(r"\.(Lazy|Sync)?BatchNorm")
_TORCHVISION_WITH_BATCH_NORM = re.compile(
    r"(resnet|resnext|wide_resnet|densenet|mobilenet|efficientnet|inception|googlenet|shufflenet|mnasnet|regnet)"
    r"|vgg.*_bn$"
)
_DROPOUT_BY_DEFAULT = {
    "torch.nn.TransformerEncoderLayer": 3,
    "torch.nn.TransformerDecoderLayer": 3,
    "torch.nn.Transformer": 5,
}
"""Layers that drop out unless told otherwise, and the position of that argument."""
_DROPOUT_ON_DEMAND = {
    "torch.nn.RNN": 5,
    "torch.nn.LSTM": 5,
    "torch.nn.GRU": 5,
    "torch.nn.MultiheadAttention": 2,
}


class Trait(enum.Enum):
    """What a module may have."""

    MODES = "layers that behave differently in train and eval mode"
    PARAMETERS = "parameters"
    BATCH_STATISTICS = "batch norms that keep running statistics"
    CONVOLUTIONS = "convolutions"
    TENSOR_CORES = "convolutions, recurrent layers or attention, which half precision makes faster"


def has(names: Names, module: Value, trait: Trait) -> bool | None:
    """Return whether *module* has *trait*, None if some of it cannot be followed."""
    return _Search(names, trait).of(module)


def any_has(names: Names, modules: Iterable[Value], trait: Trait) -> bool | None:
    """Return whether one of *modules* has *trait*; None also if there are none."""
    answers = {has(names, module, trait) for module in modules}
    return True if True in answers else False if answers == {False} else None


class _Search:
    def __init__(self, names: Names, trait: Trait) -> None:
        self.names = names
        self.trait = trait
        self.leaf: Callable[[Names, Instance, str], bool | None] = _LEAVES[trait]
        self.seen: set[object] = set()

    def of(self, module: Value) -> bool | None:
        match module:
            case Instance(str() as cls):
                return self.of_modelled(module, cls)
            case Instance(nodes.ClassDef() as node):
                return self.of_class(module, node)
            case Data(nodes.Const() | nodes.JoinedStr()):
                return False
            case Data() | Many() | Items():
                if module in self.seen:  # a list that is put into itself, through a parameter
                    return False
                self.seen.add(module)
                return self._any(self.names.elements(module))
        return None

    def _any(self, values: Values) -> bool | None:
        """Return True if one of *values* has the trait, False if all are known not to."""
        answers = {self.of(value) for value in values if value != NOTHING}
        return True if True in answers else None if None in answers else False

    def of_modelled(self, module: Instance, cls: str) -> bool | None:
        key = (cls, module.made_at)
        if key in self.seen or len(self.seen) > _LARGEST:
            return False
        self.seen.add(key)
        if cls in CONTAINERS or cls in WRAPPERS or cls.endswith((".TransformerEncoder", ".TransformerDecoder")):
            if not isinstance(module.made_at, nodes.Call):
                return None
            return self.of_arguments(module.made_at)
        if cls.startswith("torchvision.models."):
            return self.trait is not Trait.BATCH_STATISTICS or _keeps_statistics(module)
        if cls == "torch.nn.Module" or not torch_model.modelled(cls):
            return None
        return self.leaf(self.names, module, cls)

    def of_arguments(self, call: nodes.Call) -> bool | None:
        """Return whether one of the modules that *call* is given has the trait."""
        if call.keywords and any(keyword.arg is None for keyword in call.keywords):
            return None
        answers = set()
        for node in call.args:
            inner = node.value if isinstance(node, nodes.Starred) else node
            answers.add(self._any(self.content(inner)))
        return True if True in answers else None if None in answers else False

    def content(self, node: nodes.NodeNG) -> Values:
        """Return the modules that *node* is or holds, also those appended later."""
        found = self.names.values(node)
        if all(isinstance(value, (Data, Many, Items)) for value in found):
            return self.names.content(node)
        return found

    def of_class(self, module: Instance, node: nodes.ClassDef) -> bool | None:
        if node in self.seen or len(self.seen) > _LARGEST:
            return False
        self.seen.add(node)
        answers: set[bool | None] = set()
        for base in self.names.mro(node):
            if isinstance(base, nodes.ClassDef):
                answers.add(self.of_body(base))
            elif base is None:
                answers.add(None)
            elif base not in ("torch.nn.Module", "object") and "torch.nn.Module" in torch_model.ancestors(base):
                if base not in CONTAINERS:
                    answers.add(self.of_modelled(Instance(base), base))
            if True in answers:
                return True
        return None if None in answers else False

    def of_body(self, node: nodes.ClassDef) -> bool | None:
        """Return whether what the methods of *node* put on ``self`` has the trait."""
        index = self.names.index_of(node)
        if self.trait is Trait.MODES:
            if any(_of_self(read.expr, node) for read in index.attributes.get("training", ())):
                return True
        answers: set[bool | None] = set()
        for name, targets in index.stores_in.get(node, {}).items():
            if any(_of_self(target.expr, node) for target in targets):
                answers.add(self.of_attribute(node, name))
        for call in _members_given(self.names, node):
            answers.add(self.of_arguments(call))
        return True if True in answers else None if None in answers else False

    def of_attribute(self, node: nodes.ClassDef, name: str) -> bool | None:
        index = self.names.index_of(node)
        found: Values = ()
        for target in index.stores_in[node][name]:
            if _of_self(target.expr, node):
                found += self.names.stored(target)
        modules = tuple(value for value in found if self.names.is_a(value, "torch.nn.Module", "torch.nn.Parameter"))
        if self._any(modules):
            return True
        called = any(_of_self(getattr(call.func, "expr", None), node) for call in index.calls.get(name, ()))
        if UNKNOWN in found and called:
            return None
        return self._any(modules)


def _members_given(names: Names, node: nodes.ClassDef) -> Iterator[nodes.Call]:
    """Yield the calls in *node* that add members: ``add_module``, ``append`` on ``self``, a list's ``__init__``."""
    index = names.index_of(node)
    for word in ("add_module", "register_module"):
        for call in index.calls.get(word, ()):
            if isinstance(call.func, nodes.Attribute) and class_of(call) is node:
                yield call
    if any(base in CONTAINERS for base in names.mro(node)):
        for call in index.calls.get("__init__", ()):
            if class_of(call) is node:
                yield call
    for call in index.calls.get("append", ()):
        target = getattr(call.func, "expr", None)
        if isinstance(target, nodes.Attribute) and _of_self(target.expr, node):
            yield call


def _of_self(node: nodes.NodeNG | None, owner: nodes.ClassDef) -> bool:
    if not isinstance(node, nodes.Name) or class_of(node) is not owner:
        return False
    scope = node.lookup(node.name)[0]
    return bool(self_name(scope) == node.name)


def _leaf_has_modes(names: Names, module: Instance, cls: str) -> bool | None:
    call = module.made_at if isinstance(module.made_at, nodes.Call) else None
    if "Dropout" in cls:
        return call is None or not _is_zero(names, argument(call, 0, "p"))
    if _TRACKED.search(cls):
        return call is None or constant(argument(call, 4, "track_running_stats")) is not False
    if _UNTRACKED.search(cls):
        return call is not None and constant(argument(call, 4, "track_running_stats")) is True
    if cls == "torch.nn.RReLU":
        return True
    if cls in _DROPOUT_BY_DEFAULT:
        return call is None or not _is_zero(names, argument(call, _DROPOUT_BY_DEFAULT[cls], "dropout"))
    if cls in _DROPOUT_ON_DEMAND:
        given = argument(call, _DROPOUT_ON_DEMAND[cls], "dropout") if call is not None else None
        if given is None or _is_zero(names, given):
            return False
        return True if constant(given) is not ... else None
    return False


def _leaf_has_parameters(names: Names, module: Instance, cls: str) -> bool | None:
    del names
    call = module.made_at if isinstance(module.made_at, nodes.Call) else None
    for pattern, (position, name) in _AFFINE.items():
        if call is not None and pattern.search(cls) and constant(argument(call, position, name)) is False:
            return False
    return bool(_PARAMETRISED.search(cls))


def _leaf_is_convolution(names: Names, module: Instance, cls: str) -> bool | None:
    del names, module
    return bool(_CONVOLUTION.search(cls))


def _leaf_uses_tensor_cores(names: Names, module: Instance, cls: str) -> bool | None:
    del names, module
    return bool(_TENSOR_CORES.search(cls))


def _leaf_has_statistics(names: Names, module: Instance, cls: str) -> bool | None:
    return _TRACKED.search(cls) is not None and _leaf_has_modes(names, module, cls)


_LEAVES: dict[Trait, Callable[[Names, Instance, str], bool | None]] = {
    Trait.MODES: _leaf_has_modes,
    Trait.PARAMETERS: _leaf_has_parameters,
    Trait.BATCH_STATISTICS: _leaf_has_statistics,
    Trait.CONVOLUTIONS: _leaf_is_convolution,
    Trait.TENSOR_CORES: _leaf_uses_tensor_cores,
}


def _keeps_statistics(model: Instance) -> bool | None:
    """Return whether *model*, of torchvision, has batch norms; None for families of which only some do."""
    maker = last_name(getattr(model.made_at, "func", None)) or ""
    return True if _TORCHVISION_WITH_BATCH_NORM.match(maker) else None


def _is_zero(names: Names, node: nodes.NodeNG | None) -> bool:
    """Return whether *node* is always 0: a literal, or a parameter for which all callers give one."""
    if node is None:
        return False
    return all(isinstance(value, Data) and constant(value.node) == 0 for value in names.values(node))
