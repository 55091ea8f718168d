"""TP302: which views torch refuses, and that the analysis knows the same rule."""
from __future__ import annotations

import random
from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("astroid")

from astroid import nodes  # noqa: E402

from flake8_torch_pitfalls.analysis.facts import Tensor  # noqa: E402
from flake8_torch_pitfalls.analysis.source import Source  # noqa: E402
from flake8_torch_pitfalls.analysis.tensors import Pass  # noqa: E402
from flake8_torch_pitfalls.settings import Settings  # noqa: E402

PROGRAMS = 2_000
REFUSED = "view size is not compatible"


def test_view_after_transpose_raises_and_reshape_does_not() -> None:
    x = torch.randn(2, 3, 4)
    with pytest.raises(RuntimeError, match=REFUSED):
        x.transpose(1, 2).view(2, 12)
    assert x.transpose(1, 2).reshape(2, 12).shape == (2, 12)
    assert x.transpose(1, 2).contiguous().view(2, 12).shape == (2, 12)


def test_the_accuracy_of_the_imagenet_example_raises() -> None:
    output, target = torch.randn(6, 10), torch.randint(0, 10, (6,))
    pred = output.topk(5, 1, True, True)[1].t()
    correct = pred.eq(target.view(1, -1).expand_as(pred))
    with pytest.raises(RuntimeError, match=REFUSED):
        correct[:5].view(-1)
    correct[:1].view(-1)  # one row lies in one piece
    correct[:5].reshape(-1)


@pytest.mark.parametrize("grad", [True, False])
@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_batch_first_output_is_transposed(kind: str, grad: bool) -> None:
    with torch.set_grad_enabled(grad):
        output, _ = getattr(torch.nn, kind)(3, 4, batch_first=True)(torch.randn(2, 5, 3))
        with pytest.raises(RuntimeError, match=REFUSED):
            output.view(-1, 4)
        output, _ = getattr(torch.nn, kind)(3, 4)(torch.randn(5, 2, 3))
        output.view(-1, 4)


def test_a_view_with_narrower_elements_needs_a_last_dimension_without_gaps() -> None:
    x = torch.zeros(4, 6)
    with pytest.raises(RuntimeError, match=r"self.stride\(-1\) must be 1"):
        x.t().view(torch.int16)
    assert x.t().view(torch.int32).shape == (6, 4)
    assert x[1:].view(torch.int16).shape == (3, 12)


def test_views_that_are_right() -> None:
    x = torch.randn(2, 3, 4)
    x.transpose(0, 1).view(3, 2, 2, 2)
    x.transpose(0, 1).view(3, 1, 2, 4)
    x.permute(1, 2, 0).view(12, 2)
    x[:1].view(-1)
    torch.randn(1, 3).expand(4, 3).view(4, 3, 1)


# -- the rule, on random programs ----------------------------------------------------------------------


class Writer:
    """Writes a program line by line, running it as it goes."""

    def __init__(self, seed: int, symbolic: bool) -> None:
        self.random = random.Random(seed)
        self.symbolic = symbolic
        choices = [11, 23, 47] if symbolic else [1, 2, 3, 4]
        rank = self.random.randint(1, len(choices))
        self.start = self.random.sample(choices, rank) if symbolic else self.random.choices(choices, k=rank)
        names = ["a", "b", "c", "d"][:rank]
        self.names = dict(zip(self.start, names)) if symbolic else {}
        self.lines = [f"{', '.join(names)}, = x.shape"] if symbolic else [f"x = torch.rand({self.start})"]
        self.x = torch.rand(self.start)

    def text(self, size: int) -> str:
        return self.names.get(size, str(size))

    def write(self, expression: str) -> bool:
        """Append ``x = expression``; return whether torch refused it."""
        self.lines.append(f"x = {expression}")
        scope = {"x": self.x, "torch": torch, **{name: size for size, name in self.names.items()}}
        try:
            self.x = eval(expression, scope)
        except RuntimeError as error:
            assert REFUSED in str(error), (self.lines, error)
            return True
        return False

    def step(self) -> str:
        dims = self.x.dim()
        pick = self.random.randrange(dims) if dims else 0
        other = self.random.randrange(dims) if dims else 0
        order = self.random.sample(range(dims), dims)
        operations: list[Callable[[], str]] = [
            lambda: f"x.transpose({pick}, {other - dims})",
            lambda: f"x.permute({order})" if self.random.random() < 0.5 else f"torch.permute(x, {tuple(order)})",
            lambda: f"x.movedim({pick}, {other})",
            lambda: "x.mT" if dims >= 2 else "x",
            lambda: "x.t()" if dims == 2 else "x",
            lambda: f"x.unsqueeze({pick})" if dims < 5 else "x",
            lambda: f"x.squeeze({pick})" if self.x.size(pick) == 1 else "x",
            lambda: f"x[{':, ' * pick}1:]" if self.x.size(pick) > 1 else "x",
            lambda: f"x[{':, ' * pick}:{self.random.randint(1, max(1, self.x.size(pick) - 1))}]",
            lambda: f"x[{':, ' * pick}0]" if dims > 1 else "x",
            lambda: f"x[..., None, {self.random.choice(['0', ':', ':-1'])}]" if self.x.size(-1) > 1 else "x",
            lambda: f"x.expand({', '.join(str(self.random.randint(1, 3)) if s == 1 else '-1' for s in self.x.shape)})",
            lambda: "x.contiguous()",
            lambda: "x.clone()",
            lambda: "x.relu()",
            lambda: "x * 2",
            lambda: "x.softmax(0)",
            lambda: f"x + x{self.random.choice(['.contiguous()', '[:1]', '', f'.sum({pick}, keepdim=True)'])}",
            lambda: f"x[:1] + x.{self.random.choice(['contiguous', 'clone'])}()",
            lambda: f"x.{self.random.choice(['sum', 'mean'])}({pick}, keepdim={self.random.choice([True, False])})",
            lambda: "torch.zeros_like(x).eq(x).float()",
            lambda: "x @ x.transpose(-1, -2)" if dims >= 2 else "x",
            lambda: f"torch.cat([x, x], {pick})" if not self.symbolic else "x",
            lambda: f"x.chunk(2, {pick})[0]" if self.x.size(pick) % 2 == 0 else "x",
            lambda: f"x.flatten({min(pick, other)}, {max(pick, other)})",
            lambda: f"x.reshape([{self.sizes()}])",
        ]
        return self.random.choice(operations)() if dims else "x.unsqueeze(0)"

    def sizes(self) -> str:
        """Return sizes to view the tensor as: neighbours merged, dimensions split, one perhaps left to torch."""
        groups: list[list[int]] = []
        for size in self.x.shape:
            if groups and self.random.random() < 0.4:
                groups[-1].append(size)
            elif size > 3 and size % 2 == 0 and self.random.random() < 0.3:
                groups += [[2], [size // 2]]
            else:
                groups.append([size])
        if self.random.random() < 0.2:
            groups.insert(self.random.randrange(len(groups) + 1), [1])
        if self.random.random() < 0.1:
            self.random.shuffle(groups)
        texts = [" * ".join(map(self.text, group)) for group in groups]
        if texts and self.random.random() < 0.3:
            texts[self.random.randrange(len(texts))] = "-1"
        return ", ".join(texts)


def _program(seed: int, symbolic: bool) -> tuple[Writer, bool]:
    """Write a program that ends in a view; return it and whether torch refused that."""
    writer = Writer(seed, symbolic)
    for _ in range(writer.random.randint(2, 6)):
        writer.write(writer.step())
        if writer.x.numel() > 20_000 or writer.x.dim() > 5:
            break
    return writer, writer.write(f"x.view([{writer.sizes()}])")


def _analysed(program: str) -> tuple[Source, Pass]:
    """Return the program's source and the value pass through its function."""
    source = Source("program.py", program, Settings())
    [function] = source.index.of(nodes.FunctionDef)
    done = source.shapes.of(function)
    assert done is not None
    return source, done


@pytest.mark.parametrize("symbolic", [False, True])
def test_the_analysis_agrees_with_torch(symbolic: bool) -> None:
    answered = 0
    for seed in range(PROGRAMS // 2):
        writer, refused = _program(seed, symbolic)
        program = "import torch\ndef f(x: torch.Tensor):\n" + "".join(f"    {line}\n" for line in writer.lines)
        source, done = _analysed(program)
        [view] = source.index.calls["view"]
        answer, _ = done.views[view]
        assert answer in (None, refused), program
        answered += answer is not None
        fact = done.facts.get(view.func.expr)
        if isinstance(fact, Tensor) and fact.layout is not None and fact.layout.only is not None and refused:
            assert not fact.layout.only.contiguous, program
        result = done.facts.get(view)
        if not refused and isinstance(result, Tensor) and result.layout is not None and result.layout.only is not None:
            known = [size.known for size in result.layout.only.sizes]
            assert len(known) == writer.x.dim(), program
            assert all(size in (None, real) for size, real in zip(known, writer.x.shape)), program
            if result.layout.only.ordered:
                assert result.layout.only.contiguous == writer.x.is_contiguous(), program
    assert answered > PROGRAMS // 4
