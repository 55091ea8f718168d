"""The value pass: which tensors carry a graph, whose memory is whose, and what is kept for backward."""
from __future__ import annotations

import textwrap

import pytest
from astroid import nodes
from support import MemoryFiles

from flake8_torch_pitfalls.analysis.facts import Fact, Group, Tensor
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.settings import Settings

HEAD = """\
import torch
import torch.nn.functional as F
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
    def forward(self, x):
        return self.fc(x)

net = Net()
"""


def source_of(body: str, **others: str) -> Source:
    texts = {"/project/pyproject.toml": "", "/project/a.py": HEAD + textwrap.dedent(body)}
    texts |= {f"/project/{name}.py": textwrap.dedent(text) for name, text in others.items()}
    return Source("/project/a.py", texts["/project/a.py"], Settings(), MemoryFiles(texts))


def fact(body: str, **others: str) -> Fact | None:
    """Return what is known of the argument of the last ``probe(…)`` in *body*."""
    source = source_of(body, **others)
    return source.tensors.at(source.index.calls["probe"][-1].args[0])


def graph(body: str, **others: str) -> bool | None:
    """Return whether the probed tensor carries a graph."""
    found = fact(body, **others)
    assert isinstance(found, Tensor)
    return found.graph


def overwritten(body: str) -> list[str]:
    """Return the in-place changes of kept memory, as they stand in the text."""
    source = source_of(body)
    passed = source.tensors.of(source.module)
    assert passed is not None
    return [overwrite.node.as_string() for overwrite in passed.overwrites.values()]


@pytest.mark.parametrize(
    "value",
    [
        "net(torch.ones(3, 4))",
        "nn.Linear(4, 2)(torch.ones(3, 4))",
        "nn.Parameter(torch.ones(3))",
        "torch.ones(3, requires_grad=True)",
        "torch.ones(3).requires_grad_()",
        "F.mse_loss(net(torch.ones(3, 4)), torch.ones(3, 4))",
        "nn.CrossEntropyLoss()(net(torch.ones(3, 4)), torch.ones(3))",
        "net(torch.ones(3, 4)).mean() * 2 - 1",
        "sum([net(torch.ones(3, 4)) for _ in range(3)])",
        "torch.stack([net(torch.ones(3, 4))]).sum()",
        "net(torch.ones(3, 4))[0]",
        "-net(torch.ones(3, 4)).T",
        "net(torch.ones(3, 4)).max(dim=1).values",
        "net(torch.ones(3, 4)).max(dim=1)[0]",
        "torch.distributions.Normal(net(torch.ones(3, 4)), 1.0).log_prob(torch.ones(3))",
        "torch.distributions.Categorical(logits=net(torch.ones(3, 4))).entropy()",
    ],
)
def test_carries_a_graph(value: str) -> None:
    assert graph(f"probe({value})") is True


@pytest.mark.parametrize(
    "value",
    [
        "torch.ones(3)",
        "net(torch.ones(3, 4)).detach()",
        "net(torch.ones(3, 4)).data",
        "net(torch.ones(3, 4)).argmax(1)",
        "net(torch.ones(3, 4)) > 0",
        "net(torch.ones(3, 4)).max(dim=1)[1]",
        "net(torch.ones(3, 4)).max(1)[1]",
        "torch.max(net(torch.ones(3, 4)), 1)[1]",
        "torch.autograd.Variable(net(torch.ones(3, 4)))",
        "torch.ones(3) * 2 + torch.zeros(3)",
        "torch.distributions.Categorical(logits=net(torch.ones(3, 4))).sample()",
    ],
)
def test_carries_none(value: str) -> None:
    assert graph(f"probe({value})") is False


@pytest.mark.parametrize("value", ["net(torch.ones(3, 4)).item()", "float(net(torch.ones(3, 4)))", "3", "unknown()"])
def test_is_no_tensor_or_not_known(value: str) -> None:
    assert not isinstance(fact(f"probe({value})"), Tensor)


@pytest.mark.parametrize("mode", ["torch.no_grad()", "torch.inference_mode()", "torch.set_grad_enabled(False)"])
def test_under_no_grad(mode: str) -> None:
    assert graph(f"with {mode}:\n    y = net(torch.ones(3, 4))\n    probe(y)") is False


def test_recording_as_a_flag_is_not_known() -> None:
    assert graph("with torch.set_grad_enabled(training):\n    y = net(torch.ones(3, 4))\n    probe(y)") is None


def test_a_metric_is_no_layer() -> None:
    metric = "import torchmetrics\naccuracy = torchmetrics.Accuracy('binary')\n"
    assert graph(metric + "probe(accuracy(net(torch.ones(3, 4)), torch.ones(3)))") is None


def test_callers_decide() -> None:
    body = """\
        def run(x):
            y = net(x)
            probe(y)
        {}
            run(torch.ones(3, 4))
        """
    assert graph(body.format("with torch.no_grad():")) is False
    assert graph(body.format("if True:")) is True


def test_a_backward_pass_is_evidence() -> None:
    assert graph("loss = compute()\nloss.backward()\nprobe(loss)") is True


def test_tests_of_a_type_decide_branches() -> None:
    body = """\
        loss = net(torch.ones(3, 4))
        if {}:
            loss = loss.detach()
        probe(loss)
        """
    assert graph(body.format("isinstance(loss, torch.Tensor)")) is False
    assert graph(body.format("torch.is_tensor(loss)")) is False
    assert graph(body.format("hasattr(loss, 'detach')")) is False
    assert graph(body.format("isinstance(loss, float)")) is True


def test_through_functions_of_other_files() -> None:
    helper = """\
        def double(x):
            return x * 2
        def number(x):
            return x.detach()
        """
    assert graph("from helper import double\nprobe(double(net(torch.ones(3, 4))))", helper=helper) is True
    assert graph("from helper import double\nprobe(double(torch.ones(3)))", helper=helper) is False
    assert graph("from helper import number\nprobe(number(net(torch.ones(3, 4))))", helper=helper) is False


def test_containers_hold_what_was_put_in() -> None:
    assert graph("xs = []\nxs.append(net(torch.ones(3, 4)))\nprobe(xs[0])") is True
    assert graph("a, b = net(torch.ones(3, 4)), torch.ones(3)\nprobe(b)") is False
    found = fact("probe((net(torch.ones(3, 4)), 1))")
    assert isinstance(found, Group)


def test_attributes_set_in_another_method() -> None:
    assert (
        graph(
            """\
            class Trainer:
                def first(self):
                    self.out = net(torch.ones(3, 4))
                def second(self):
                    probe(self.out)
            """
        )
        is True
    )


@pytest.mark.parametrize("view", ["y.view(-1)", "y[0]", "y.T", "y.transpose(0, 1)", "y.unsqueeze(0)", "y.detach()"])
def test_views_share_memory(view: str) -> None:
    assert overwritten(f"y = net(torch.ones(3, 4)).exp()\nz = {view}\nz += 1") == ["z += 1"]


@pytest.mark.parametrize("copy", ["y + 0", "y.clone()", "y.to('cuda')", "y.half()", "torch.cat([y])"])
def test_copies_and_what_may_be_one_do_not(copy: str) -> None:
    assert overwritten(f"y = net(torch.ones(3, 4)).exp()\nz = {copy}\nz += 1") == []


def test_memory_allocated_anew_in_each_pass_of_a_loop() -> None:
    assert overwritten("h = torch.ones(3, 4)\nfor _ in range(3):\n    h = net.fc(h)\nh += 1") == []


def test_two_calls_of_one_function_allocate_twice() -> None:
    assert (
        overwritten(
            """\
            def f(x):
                return net.fc(x)
            a = f(torch.ones(3, 4))
            a.exp()
            b = torch.exp(f(torch.ones(3, 4)))
            c = f(torch.ones(3, 4))
            c += 1
            """
        )
        == []
    )


def test_a_backward_pass_frees_what_was_kept() -> None:
    assert overwritten("y = net(torch.ones(3, 4)).exp()\ny.sum().backward()\ny += 1") == []
    assert overwritten("y = net(torch.ones(3, 4)).exp()\ny.sum().backward(retain_graph=True)\ny += 1") == ["y += 1"]


def test_work_is_bounded() -> None:
    functions = "".join(f"def f{i}(x):\n    return f{i + 1}(x) + f{i + 1}(x * 2)\n" for i in range(40))
    source = source_of(functions + "probe(f0(torch.ones(3)))")
    for function in source.index.of(nodes.FunctionDef):
        source.tensors.of(function)
    assert source.tensors.steps < 10_000
