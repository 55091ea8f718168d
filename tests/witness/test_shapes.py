"""Shapes, strides and legal views as the analysis works them out, against torch, over random programs."""
from __future__ import annotations

import os
import random
from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch")
hypothesis = pytest.importorskip("hypothesis")
pytest.importorskip("astroid")

from astroid import nodes  # noqa: E402
from hypothesis import strategies  # noqa: E402

from flake8_torch_pitfalls.analysis.facts import Tensor  # noqa: E402
from flake8_torch_pitfalls.analysis.layout import Layout  # noqa: E402
from flake8_torch_pitfalls.analysis.source import Source  # noqa: E402
from flake8_torch_pitfalls.analysis.strides import Strided  # noqa: E402
from flake8_torch_pitfalls.settings import Settings  # noqa: E402

PROGRAMS = int(os.environ.get("SHAPE_PROGRAMS", "400"))
LARGEST, HIGHEST = 30_000, 5
FACTORIES = ("torch.zeros", "torch.ones", "torch.rand", "torch.randn", "torch.empty")
SYMBOLIC = (11, 23, 47, 1)
"""Sizes of the parameters of the programs that name their sizes: neither equal nor multiples of another."""


class Program:
    """A random program of shape operations, run on torch while it is written.

    ``named``: sizes that the program knows by name only, since they are those of a parameter.
    """

    def __init__(self, choose: random.Random, symbolic: bool) -> None:
        self.choose = choose
        self.lines = ["import torch", "from torch import nn", "import torch.nn.functional as F"]
        self.lines.append("def f(x: torch.Tensor):")
        self.tensors: dict[str, torch.Tensor] = {}
        self.refused: dict[int, bool] = {}
        """Whether torch refused the view on that line."""
        self.named: dict[int, str] = {}
        if symbolic:
            self.tensors["x"] = torch.rand(choose.sample(SYMBOLIC[:3], choose.randint(1, 3)))
            names = ("a", "b", "c")[: self.tensors["x"].dim()]
            self.named = dict(zip(self.tensors["x"].shape, names))
            self.lines.append(f"    {', '.join(names)}, = x.shape")
        else:
            self.write(f"{choose.choice(FACTORIES)}({self.some_sizes()})")

    @property
    def text(self) -> str:
        """The program as the analysis reads it."""
        return "\n".join(self.lines) + "\n"

    def some_sizes(self) -> str:
        sizes = [self.choose.choice((1, 1, 2, 3, 4, 6)) for _ in range(self.choose.randint(0, 4))]
        forms = ["{}"] if len(sizes) > 1 else []
        return self.choose.choice([*forms, "[{}]", "size=[{}]"]).format(", ".join(map(str, sizes)))

    def write(self, expression: str) -> None:
        """Append an assignment of *expression* to a new variable, unless torch refuses it."""
        is_view = ".view(" in expression
        scope = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, **self.tensors}
        scope.update({name: size for size, name in self.named.items()})
        try:
            made = eval(expression, scope)  # noqa: S307
        except (RuntimeError, IndexError, TypeError, ValueError) as error:
            if is_view and "view size is not compatible" in str(error):
                self.lines.append(f"    {expression}")
                self.refused[len(self.lines)] = True
            return
        if not isinstance(made, torch.Tensor) or not 0 < made.numel() < LARGEST or made.dim() > HIGHEST:
            return
        name = f"t{len(self.lines)}"
        self.lines.append(f"    {name} = {expression}")
        if is_view:
            self.refused[len(self.lines)] = False
        self.tensors[name] = made

    def step(self) -> None:
        """Append one operation on one of the latest tensors."""
        name = self.choose.choice(list(self.tensors)[-2:])
        other = self.choose.choice(list(self.tensors)[-3:])
        self.write(self.choose.choice(OPERATIONS)(self, name, other))

    def pick(self, name: str, extra: int = 0) -> int:
        """Return the number of a dimension of the tensor *name*, perhaps counted from the end."""
        rank = max(self.tensors[name].dim() + extra, 1)
        return self.choose.randrange(-rank, rank)

    def squeezed(self, name: str) -> str:
        """Return a dimension of the tensor *name* that is of size 1, as one that is squeezed is taken to be."""
        shape = self.tensors[name].shape
        ones = [index for index, size in enumerate(shape) if size == 1]
        return str(self.choose.choice(ones) if ones else len(shape))

    def size(self, size: int) -> str:
        """Return *size* as the program may write it."""
        return self.named.get(size, str(size))

    def sizes(self, name: str) -> str:
        """Return sizes to view a tensor as: neighbours merged, dimensions split, one perhaps left to torch."""
        groups: list[list[int]] = []
        for size in self.tensors[name].shape:
            if groups and self.choose.random() < 0.4:
                groups[-1].append(size)
            elif size > 3 and size % 2 == 0 and self.choose.random() < 0.3:
                groups += [[2], [size // 2]]
            else:
                groups.append([size])
        if self.choose.random() < 0.2:
            groups.insert(self.choose.randrange(len(groups) + 1), [1])
        if self.choose.random() < 0.1:
            self.choose.shuffle(groups)
        texts = [" * ".join(map(self.size, group)) for group in groups]
        if texts and self.choose.random() < 0.3:
            texts[self.choose.randrange(len(texts))] = "-1"
        return f"[{', '.join(texts)}]" if len(texts) != 1 or self.choose.random() < 0.5 else texts[0]

    def order(self, name: str) -> list[int]:
        """Return the dimensions of the tensor *name* in any order."""
        rank = self.tensors[name].dim()
        return self.choose.sample(range(rank), rank)

    def index(self, name: str) -> str:
        """Return an index of the tensor *name*."""
        shape = self.tensors[name].shape
        most = max(1, min(shape, default=1) - 1)
        keys = []
        for _ in shape[: self.choose.randint(1, 3)]:
            bound = self.choose.randint(1, most)
            keys.append(self.choose.choice([":", "0", "None", f"{bound}:", f":{bound}", "::2", "-1", ":-1"]))
        if self.choose.random() < 0.2:
            keys.insert(self.choose.randrange(len(keys) + 1), "...")
        return ", ".join(keys) or "..."

    def expanded(self, name: str) -> str:
        """Return sizes to which the tensor *name* may be expanded."""
        lead = [str(self.choose.randint(1, 3)) for _ in range(self.choose.randint(0, 1))]
        own = [str(self.choose.randint(1, 3)) if size == 1 else "-1" for size in self.tensors[name].shape]
        return f"[{', '.join(lead + own)}]"

    def reduction(self) -> str:
        return self.choose.choice(("sum", "mean", "amax", "argmax", "var", "std", "prod", "logsumexp", "norm"))

    def keep(self) -> str:
        return self.choose.choice(("", ", keepdim=True", ", keepdim=False"))

    def width(self, name: str) -> int:
        shape = self.tensors[name].shape
        return shape[-1] if shape else 1

    def halved(self, name: str) -> str:
        """Return arguments of a split that leaves something out."""
        index = self.pick(name)
        shape = self.tensors[name].shape
        return f"{max(1, shape[index] // 2) if shape else 1}, {index}"

    def is_images(self, name: str) -> bool:
        return self.tensors[name].dim() == 4

    def channels(self, name: str) -> int:
        shape = self.tensors[name].shape
        return shape[1] if len(shape) > 1 else 1


Writer = Callable[[Program, str, str], str]
OPERATIONS: list[Writer] = [
    lambda p, x, y: f"{p.choose.choice(FACTORIES)}({p.some_sizes()})",
    lambda p, x, y: f"torch.full({(2, p.choose.randint(1, 3))}, 1.5)",
    lambda p, x, y: f"torch.arange({p.choose.randint(1, 5)}).float()",
    lambda p, x, y: f"torch.linspace(0, 1, {p.choose.randint(1, 5)})",
    lambda p, x, y: f"torch.eye({p.choose.randint(1, 4)})",
    lambda p, x, y: f"torch.tensor({p.choose.choice(['1.0', '[1.0]', '[1.0, 2.0]', '[[1.0], [2.0]]'])})",
    lambda p, x, y: f"torch.zeros_like({x})",
    lambda p, x, y: f"{x}.view({p.sizes(x)})",
    lambda p, x, y: f"{x}.view({p.sizes(x)})",
    lambda p, x, y: f"{x}.view({p.sizes(x)})",
    lambda p, x, y: f"{x}.reshape({p.sizes(x)})",
    lambda p, x, y: f"torch.reshape({x}, {p.sizes(x)})",
    lambda p, x, y: f"{x}.permute({p.order(x)})",
    lambda p, x, y: f"torch.permute({x}, {tuple(p.order(x))})",
    lambda p, x, y: f"{x}.transpose({p.pick(x)}, {p.pick(x)})",
    lambda p, x, y: f"torch.transpose({x}, {p.pick(x)}, {p.pick(x)})",
    lambda p, x, y: f"{x}.movedim({p.pick(x)}, {p.pick(x)})",
    lambda p, x, y: f"{x}.{p.choose.choice(['t()', 'mT', 'T'])}" if p.tensors[x].dim() == 2 else x,
    lambda p, x, y: f"{x}.squeeze({p.choose.choice(['' if 1 in p.tensors[x].shape else '-9', p.squeezed(x)])})",
    lambda p, x, y: f"torch.squeeze({x}, {p.squeezed(x)})",
    lambda p, x, y: f"torch.rand(2, 1, 3).squeeze({p.choose.randrange(3)})",
    lambda p, x, y: f"{x}.unsqueeze({p.pick(x, 1)})",
    lambda p, x, y: f"torch.unsqueeze({x}, {p.pick(x, 1)})",
    lambda p, x, y: f"{x}.flatten({p.choose.choice(['', '1', '0, 1', '-2'])})",
    lambda p, x, y: f"torch.flatten({x}, {p.choose.choice(['0', '1', 'start_dim=1'])})",
    lambda p, x, y: f"nn.Flatten({p.choose.choice(['', '0', '1, 2'])})({x})",
    lambda p, x, y: f"{x}.unflatten({p.pick(x)}, (-1, 2))",
    lambda p, x, y: f"{x}.expand({p.expanded(x)})",
    lambda p, x, y: f"{x}.expand_as({y})",
    lambda p, x, y: f"{x}.repeat({', '.join(str(p.choose.randint(1, 2)) for _ in range(p.tensors[x].dim() + 1))})",
    lambda p, x, y: f"torch.cat([{x}, {y}], dim={p.pick(x)})",
    lambda p, x, y: f"torch.cat([{x}, {x}], {p.pick(x)})",
    lambda p, x, y: f"torch.cat([{x}, {x}])",
    lambda p, x, y: f"torch.stack([{x}, {x}], {p.pick(x, 1)})",
    lambda p, x, y: f"torch.stack(({x}, {y}))",
    lambda p, x, y: f"{x}[{p.index(x)}]",
    lambda p, x, y: f"{x}[{p.index(x)}]",
    lambda p, x, y: f"{x}.select({p.pick(x)}, 0)",
    lambda p, x, y: f"{x}.narrow({p.pick(x)}, 0, 1)",
    lambda p, x, y: f"{x}.chunk(2, {p.pick(x)})[0]",
    lambda p, x, y: f"{x}.split({p.halved(x)})[0]",
    lambda p, x, y: f"{x}.unbind({p.pick(x)})[0]",
    lambda p, x, y: f"{x}.{p.reduction()}()",
    lambda p, x, y: f"{x}.{p.choose.choice(['sum', 'mean', 'amax', 'argmax', 'var'])}({p.pick(x)}{p.keep()})",
    lambda p, x, y: f"{x}.{p.choose.choice(['sum', 'mean', 'std'])}(dim={p.pick(x)}{p.keep()})",
    lambda p, x, y: f"{x}.mean(({p.pick(x)}, {p.pick(x)}){p.keep()})",
    lambda p, x, y: f"{x}.norm(dim={p.pick(x)}{p.keep()})",
    lambda p, x, y: f"{x}.logsumexp({p.pick(x)}{p.keep()})",
    lambda p, x, y: f"torch.{p.choose.choice(['sum', 'mean', 'argmax'])}({x}, {p.pick(x)}{p.keep()})",
    lambda p, x, y: f"{x}.max({p.pick(x)}{p.keep()})[0]",
    lambda p, x, y: f"{x}.max({p.pick(x)}{p.keep()}).values",
    lambda p, x, y: f"torch.max({x}, dim={p.pick(x)}{p.keep()})[0]",
    lambda p, x, y: f"{x}.topk(1, {p.pick(x)})[0]",
    lambda p, x, y: f"{x}.sort({p.pick(x)})[0]",
    lambda p, x, y: f"{x}.cumsum({p.pick(x)})",
    lambda p, x, y: f"{x}.softmax({p.pick(x)})",
    lambda p, x, y: f"F.log_softmax({x}, dim={p.pick(x)})",
    lambda p, x, y: "{0}.gather({1}, {0}.argmax({1}, keepdim=True))".format(x, p.pick(x)),
    lambda p, x, y: f"{x} @ {x}.transpose(-1, -2)",
    lambda p, x, y: f"{x} @ {y}",
    lambda p, x, y: f"torch.matmul({x}, {y})",
    lambda p, x, y: f"{x}.mT @ {y}",
    lambda p, x, y: f"torch.bmm({x}, {x}.transpose(1, 2))",
    lambda p, x, y: f"torch.mm({x}.t(), {x})",
    lambda p, x, y: f"nn.Linear({p.width(x)}, {p.choose.randint(1, 4)})({x})",
    lambda p, x, y: f"nn.Conv1d({p.channels(x)}, {p.choose.randint(1, 3)}, 1)({x})",
    lambda p, x, y: f"nn.Conv2d({p.channels(x)}, 3, {p.choose.choice([1, 2])})({x})" if p.is_images(x) else x,
    lambda p, x, y: f"nn.BatchNorm1d({p.channels(x)})({x})",
    lambda p, x, y: f"nn.BatchNorm2d({p.channels(x)}).eval()({x})",
    lambda p, x, y: f"nn.LayerNorm({p.width(x)})({x})",
    lambda p, x, y: f"nn.Sequential(nn.Linear({p.width(x)}, 3), nn.ReLU(), nn.Linear(3, 1))({x})",
    lambda p, x, y: f"F.adaptive_avg_pool2d({x}, {p.choose.choice(['1', '(2, 1)'])})" if p.is_images(x) else x,
    lambda p, x, y: f"nn.MaxPool2d(1)({x})" if p.is_images(x) else x,
    lambda p, x, y: f"{x} {p.choose.choice('+-*')} {y}",
    lambda p, x, y: f"{x} {p.choose.choice('+-*')} {y}",
    lambda p, x, y: f"{x} - {x}.mean({p.pick(x)}, keepdim=True)",
    lambda p, x, y: f"{p.choose.randint(1, 3)} - {x}",
    lambda p, x, y: f"({x} == {y}).float()",
    lambda p, x, y: f"torch.where({x} > 0, {x}, {y})",
    lambda p, x, y: f"{x}.{p.choose.choice(['clone', 'contiguous', 'relu', 'exp', 'double', 'float', 'detach'])}()",
    lambda p, x, y: f"{x}.to(memory_format=torch.channels_last)",
    lambda p, x, y: f"{x}.contiguous(memory_format=torch.channels_last)",
    lambda p, x, y: f"{x}.masked_fill({x} > 0, 0.0)",
    lambda p, x, y: f"{x}.clamp(min=0) ** 2",
]


def _matches(form: Strided, real: torch.Tensor) -> bool:
    known = [size.known for size in form.sizes]
    return len(known) == real.dim() and all(size in (None, now) for size, now in zip(known, real.shape))


def _is_odd(layout: Layout, real: torch.Tensor) -> bool:
    """Return whether a size that the analysis does not know is 1, which it takes none to be."""
    forms = [form for form in layout.forms if form.rank == real.dim()]
    return any(size.known is None and now == 1 for form in forms for size, now in zip(form.sizes, real.shape))


def _disagreement(layout: Layout, real: torch.Tensor) -> str | None:
    """Return what *layout* says that is not so of the tensor *real*."""
    same_rank = [form for form in layout.forms if form.rank == real.dim() or layout.only is not None]
    if same_rank and not any(_matches(form, real) for form in same_rank):
        return f"sizes {[[size.known for size in form.sizes] for form in layout.forms]}, but {list(real.shape)}"
    form = layout.only
    if form is not None and form.ordered and form.contiguous != real.is_contiguous():
        return f"contiguous: {form.contiguous}"
    return None


def _check(program: Program) -> None:
    """Raise AssertionError if the analysis disagrees with torch about *program*."""
    source = Source("program.py", program.text, Settings())
    [function] = source.index.of(nodes.FunctionDef)
    done = source.shapes.of(function)
    assert done is not None
    known = {name: fact.layout for name, fact in done.leaving.items() if isinstance(fact, Tensor) and fact.layout}
    if any(_is_odd(layout, program.tensors[name]) for name, layout in known.items()):
        return
    for call in source.index.calls.get("view", ()):
        refused, _ = done.views.get(call, (None, ""))
        if call.lineno in program.refused:
            assert refused in (None, program.refused[call.lineno]), f"line {call.lineno}\n{program.text}"
    for name, layout in known.items():
        wrong = _disagreement(layout, program.tensors[name])
        assert wrong is None, f"{name}: {wrong}\n{program.text}"


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("symbolic", [False, True])
def test_shapes_agree_with_torch(symbolic: bool) -> None:
    @hypothesis.settings(max_examples=PROGRAMS // 2, deadline=None, derandomize=True, database=None)
    @hypothesis.given(strategies.randoms(use_true_random=False), strategies.integers(2, 9))
    def agrees(choose: random.Random, length: int) -> None:
        program = Program(choose, symbolic)
        for _ in range(length):
            if program.tensors:
                program.step()
        _check(program)

    agrees()
