"""What one batch of a data set is made of, and which classes move tensors by themselves."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from astroid import nodes

from flake8_torch_pitfalls.analysis import devices
from flake8_torch_pitfalls.analysis import layout as layouts
from flake8_torch_pitfalls.analysis.facts import Fact, Group, Tensor
from flake8_torch_pitfalls.analysis.layout import Layout
from flake8_torch_pitfalls.analysis.symbols import Names
from flake8_torch_pitfalls.analysis.tree import argument, class_of, constant, function_of, is_open, last_name, method_of
from flake8_torch_pitfalls.analysis.values import NOTHING, Instance, Unknown, Value

DATASET = "torch.utils.data.Dataset"
TENSORS = "torch.utils.data.TensorDataset"
PART = ("torch.utils.data.Subset",)
_DEEPEST = 4


class Seen(Protocol):
    """Answers what is known of tensors at other places than the loop over a loader."""

    def device_at(self, node: nodes.NodeNG) -> str | None:
        """Return the device of the tensor *node*."""

    def layout_at(self, node: nodes.NodeNG) -> Layout | None:
        """Return the layout of the tensor, or number, *node*."""


def sample(names: Names, dataset: nodes.NodeNG | None, seen: Seen, depth: int = 0) -> Fact | None:
    """Return what the default collate function makes of items of *dataset*, an expression; None if unknown."""
    if dataset is None or depth > _DEEPEST:
        return None
    found = {_of_value(names, value, seen, depth) for value in names.values(dataset) if value != NOTHING}
    return found.pop() if len(found) == 1 else None


def _of_value(names: Names, value: Value, seen: Seen, depth: int) -> Fact | None:
    match value:
        case Instance(str() as cls, nodes.Call() as made):
            if is_open(made):
                return None
            if cls == TENSORS:
                return Group(tuple(_batched(given, seen) for given in made.args))
            if cls in PART:
                return sample(names, argument(made, 0, "dataset"), seen, depth + 1)
            if cls.startswith("torchvision.datasets.") and constant(argument(made, None, "transform")) is not None:
                return Group((_collated(f"{cls} image"), _collated(f"{cls} label")))
        case Instance(nodes.ClassDef() as cls, nodes.Call() as made) if names.derives(cls, DATASET):
            if is_open(made) or moves_itself(names, cls):
                return None
            if not all(_is_plain(names, given, seen) for given in _given(made)):
                return None
            method = names.method(cls, "__getitem__")
            return None if method is None else _of_items(names, method, seen)
    return None


def _given(call: nodes.Call) -> list[nodes.NodeNG]:
    return [*call.args, *(keyword.value for keyword in call.keywords or ())]


def _is_plain(names: Names, node: nodes.NodeNG, seen: Seen) -> bool:
    """Return whether the argument *node* of a data set brings no tensor from an accelerator."""
    values = names.values(node)
    if any(names.is_a(value, "torch.Tensor") for value in values):
        return seen.device_at(node) == devices.CPU
    return not any(isinstance(value, Unknown) for value in values) or not _is_parameter(names, node)


def _is_parameter(names: Names, node: nodes.NodeNG) -> bool:
    """Return whether *node* is a parameter of the function that it stands in."""
    scope = function_of(node)
    return isinstance(node, nodes.Name) and any(
        isinstance(found.parent, nodes.Arguments) for found in getattr(scope, "locals", {}).get(node.name, ())
    )


def _of_items(names: Names, method: nodes.FunctionDef, seen: Seen) -> Fact | None:
    """Return what the collated results of ``__getitem__`` are, by the shape of what it returns."""
    shapes = {_shape(names, statement.value, seen) for statement in names.index_of(method).returns.get(method, ())}
    return shapes.pop() if len(shapes) == 1 else None


def _shape(names: Names, node: nodes.NodeNG | None, seen: Seen) -> Fact | None:
    match node:
        case nodes.Tuple(elts=elements) if not any(isinstance(element, nodes.Starred) for element in elements):
            return Group(tuple(_collated(element, layout=seen.layout_at(element)) for element in elements))
        case nodes.Dict():
            return Group(None, Tensor(device=devices.CPU))
    values = names.values(node)
    return _collated(node) if node and all(names.is_a(value, "torch.Tensor") for value in values) else None


def _batched(data: nodes.NodeNG, seen: Seen) -> Tensor:
    """Return a batch of *data*, a tensor of all examples."""
    whole = seen.layout_at(data)
    return _collated(data, seen.device_at(data), layouts.item(whole))


def _collated(
    item: nodes.NodeNG | str, device: str | None = devices.CPU, layout: Layout | None = None
) -> Tensor:
    """Return the tensor made of *item* of each example: it has one dimension more, and memory of its own."""
    return Tensor(device=device, layout=layouts.base(item) if layout is None else layouts.stacked(layout, item))


def moves_itself(names: Names, cls: nodes.ClassDef, *methods: str) -> bool:
    """Return whether *cls*, a class of the project, names devices in its *methods* (in any, if none is given).

    The methods of its bases count, and those of the other modules of its file, which may be parts of it.
    """
    owners = [base for base in names.mro(cls) if isinstance(base, nodes.ClassDef)]
    if not methods:
        owners += [other for other in names.index_of(cls).of(nodes.ClassDef) if names.derives(other, "torch.nn.Module")]
    return any(
        class_of(node) in owners and (not methods or getattr(method_of(node), "name", "") in methods)
        for owner in {owner.root(): owner for owner in owners}.values()
        for node in _moves(names, owner)
    )


def _moves(names: Names, node: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield where the file of *node* moves something, or makes it somewhere."""
    index = names.index_of(node)
    for name in sorted(devices.MOVES | {"type", "type_as", "to_device"}):
        yield from (call for call in index.calls.get(name, ()) if not _converts(call))
    for name in ("device", "FloatTensor", "get_device"):
        yield from index.attributes.get(name, ())
    for keyword in index.of(nodes.Keyword):
        if keyword.arg == "device":
            yield keyword


def _converts(call: nodes.Call) -> bool:
    """Return whether *call* changes only the dtype: ``x.to(torch.float32)``, ``x.type(torch.LongTensor)``."""
    given = [*call.args, *(keyword.value for keyword in call.keywords or () if keyword.arg == "dtype")]
    return (
        len(given) == 1
        and len(given) == len(call.args) + len(call.keywords or ())
        and isinstance(given[0], nodes.Attribute)
        and last_name(given[0].expr) == "torch"
    )
