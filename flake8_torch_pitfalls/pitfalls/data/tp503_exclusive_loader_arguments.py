"""`DataLoader` refuses arguments that exclude each other.

## What happens
The constructor raises `ValueError`:

- `sampler` together with `shuffle=True`;
- `batch_sampler` together with a `batch_size` other than 1, a true `shuffle` or `drop_last`, or a `sampler`;
- a true `shuffle`, a `sampler` or a `batch_sampler` for an `IterableDataset`, which sets its own order;
- `batch_size=None` together with a true `drop_last`.

## What to write
Leave the order to one of them: the sampler shuffles (`RandomSampler`, `DistributedSampler(shuffle=True)`), the
batch sampler also sets size and last batch, an iterable dataset does both itself.

## Silent
- `shuffle=(sampler is None)`, `shuffle=False` and the other defaults written out.
- Values that the text does not decide, and calls with `**kwargs`.

## Known limits
A batch size in a variable beside a `batch_sampler` is taken for something other than 1 unless 1 is among its
values in view.

## Sources
- `torch.utils.data.DataLoader` in PyTorch's documentation: "mutually exclusive with".
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis.calls import TorchCall, constant_of
from flake8_torch_pitfalls.analysis.loaders import loader_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import FUNCTIONS, ancestors, last_name
from flake8_torch_pitfalls.analysis.values import NOTHING, UNKNOWN, Instance, Value
from flake8_torch_pitfalls.finding import Finding

WORDS = {"DataLoader", "sampler", "batch_sampler"}

ORDERS = ("shuffle", "sampler", "batch_sampler")


def check(source: Source) -> Iterator[Finding]:
    """Yield the argument that another one excludes, once for each loader."""
    for loader in loader_calls(source):
        if (finding := _conflict(source, loader)) is not None:
            yield finding


def _conflict(source: Source, loader: TorchCall) -> Finding | None:
    arguments = {name: _Argument(source, node) for name, node in loader.given.items()}
    unused = _Argument(source, None)
    sampler, batch_sampler = arguments.get("sampler", unused), arguments.get("batch_sampler", unused)
    shuffle, drop_last = arguments.get("shuffle", unused), arguments.get("drop_last", unused)
    batch_size = arguments.get("batch_size", unused)

    if _both(loader, sampler.something, shuffle.true):
        return Finding(
            loader.place_of("shuffle"),
            f"'DataLoader' raises: 'shuffle' excludes 'sampler'; drop 'shuffle' and let {sampler.quoted} shuffle",
        )
    for name, argument in (("shuffle", shuffle.true), ("drop_last", drop_last.true), ("sampler", sampler.something)):
        if _both(loader, batch_sampler.something, argument):
            return _excluded_by_batch_sampler(loader, name, batch_sampler)
    if batch_sampler.always_something and batch_size.is_not_one:
        return _excluded_by_batch_sampler(loader, "batch_size", batch_sampler)
    if drop_last.always_true and batch_size.always_none:
        return Finding(
            loader.place_of("drop_last"),
            "'DataLoader' raises: 'drop_last' excludes 'batch_size=None', which makes no batches; drop one of them",
        )
    if _is_iterable(source, loader.given.get("dataset")):
        for name, always in zip(
            ORDERS, (shuffle.always_true, sampler.always_something, batch_sampler.always_something)
        ):
            if always:
                return Finding(
                    loader.place_of(name),
                    f"'DataLoader' raises: an IterableDataset excludes '{name}'; order the items in its '__iter__'",
                )
    return None


def _excluded_by_batch_sampler(loader: TorchCall, name: str, batch_sampler: _Argument) -> Finding:
    return Finding(
        loader.place_of(name),
        f"'DataLoader' raises: 'batch_sampler' excludes '{name}'; drop it, {batch_sampler.quoted} decides alone",
    )


def _is_declared(value: Value) -> bool:
    """Return whether *value* is only known by an annotation, which may leave out ``None``."""
    return isinstance(value, Instance) and value.made_at is None


_Answers = tuple[bool, bool]
"""Whether something holds for every value, and for some value, that the text shows."""


class _Argument:
    """What is known of one argument."""

    def __init__(self, source: Source, node: nodes.NodeNG | None) -> None:
        self._node = node
        self._values: tuple[Value, ...] = source.names.values(node) if node is not None else (NOTHING,)
        self._made = isinstance(node, nodes.Call) and _makes_sampler(node)

    @property
    def quoted(self) -> str:
        name = last_name(self._node)
        return f"'{name}'" if name is not None else "the sampler"

    @property
    def something(self) -> _Answers:
        """Whether it is an object."""
        if self._made:
            return True, True
        unknown = [value == UNKNOWN or _is_declared(value) for value in self._values]
        known = [value != NOTHING for value, hidden in zip(self._values, unknown) if not hidden]
        return all(known) and not any(unknown), any(known)

    @property
    def true(self) -> _Answers:
        """Whether it is the constant ``True`` or another true one."""
        answers = [value != NOTHING and bool(constant_of(value)) is True and constant_of(value) is not ...
                   for value in self._values]  # fmt: skip
        return all(answers), any(answers)

    @property
    def always_something(self) -> bool:
        return self.something[0]

    @property
    def always_true(self) -> bool:
        return self.true[0]

    @property
    def always_none(self) -> bool:
        return self._node is not None and set(self._values) == {NOTHING}

    @property
    def is_not_one(self) -> bool:
        """Whether it is given, and not known as the default."""
        return self._node is not None and all(constant_of(value) != 1 for value in self._values)


def _both(loader: TorchCall, first: _Answers, second: _Answers) -> bool:
    """Return whether the arguments clash: always, or for a value of one that nothing around the call rules out."""
    if first[0] and second[0]:
        return True
    return (first[0] and second[1] or first[1] and second[0]) and not _is_conditional(loader.node)


def _is_conditional(call: nodes.NodeNG) -> bool:
    for parent in ancestors(call):
        if isinstance(parent, (nodes.If, nodes.IfExp, nodes.Try, nodes.Match)):
            return True
        if isinstance(parent, FUNCTIONS):
            return False
    return False


def _makes_sampler(call: nodes.Call) -> bool:
    """Return whether *call* makes an object of a class that is called a sampler, known or not."""
    name = last_name(call.func) or ""
    return name.endswith("Sampler") and name[:1].isupper()


def _is_iterable(source: Source, dataset: nodes.NodeNG | None) -> bool:
    values = [value for value in source.names.values(dataset) if value != NOTHING]
    return bool(values) and all(
        source.names.is_a(value, "torch.utils.data.IterableDataset") for value in values
    )
