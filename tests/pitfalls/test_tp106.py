"""TP106 beyond its examples: ways of changing in place, of saving, and of reaching a backward pass."""
from __future__ import annotations

import textwrap

import pytest
from support import check

HEAD = """\
import torch
import torch.nn.functional as F
from torch import nn
"""
LINE = HEAD.count("\n")


def lines(body: str) -> list[int]:
    """Return the lines of *body*, after the head, that TP106 reports."""
    return [line - LINE for line, _, _ in check(HEAD + textwrap.dedent(body), select=["TP106"])]


def forward(*statements: str) -> list[int]:
    """Return which of *statements*, numbered from 1, of a forward TP106 reports."""
    head = """\
class Net(nn.Module):
    def __init__(self, flag):
        super().__init__()
        self.flag = flag
        self.fc, self.gate = nn.Linear(4, 4), nn.Linear(4, 4)
        self.norm = nn.LayerNorm(4)
        self.relu, self.relu_ = nn.ReLU(), nn.ReLU(inplace=True)
        self.drop_ = nn.Dropout(0.5, True)
        self.leaky_ = nn.LeakyReLU(0.1, True)
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])
        self.block = nn.Sequential(nn.Linear(4, 4), nn.Sigmoid())
        self.inner = Inner()
        self.scale = nn.Parameter(torch.ones(4))
    def forward(self, x):
        h = self.fc(x)
"""
    inner = """\
class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.fc = nn.LayerNorm(4), nn.Linear(4, 4)
    def forward(self, value):
        return self.fc(self.norm(value))
"""
    start = (inner + head).count("\n")
    return [line - start for line in lines(inner + head + "".join(f"        {s}\n" for s in statements))]


@pytest.mark.parametrize(
    "change",
    [
        "y += 1",
        "y *= h",
        "y[0] = 0",
        "y[:, 1:] += 1",
        "y.add_(1)",
        "y.clamp_(0, 1)",
        "F.relu(y, inplace=True)",
        "y = self.relu_(y)",
        "y = self.drop_(y)",
        "y = self.leaky_(y)",
        "torch.add(h, h, out=y)",
        "y.view(-1)[0] = 1",
        "y.data.mul_(2)",
        "y.detach().mul_(2)",
        "y.masked_fill_(y > 0.5, 0)",
    ],
)
def test_ways_of_changing(change: str) -> None:
    assert forward("y = torch.sigmoid(h)", change, "return y") == [2]


@pytest.mark.parametrize(
    "save",
    [
        "y = h.exp()",
        "y = F.softmax(h, dim=-1)",
        "y = self.relu(h)",
        "y = self.block(x)",
        "y = self.relu_(h)",
        "y = torch.sqrt(h.abs() + 1)",
        "y = F.leaky_relu(h + 1, inplace=True)",
        "y = torch.relu(h) if self.flag else torch.relu(-h)",
    ],
)
def test_results_that_are_kept(save: str) -> None:
    assert forward(save, "y += x", "return y") == [2]


@pytest.mark.parametrize(
    "save",
    [
        "y = h + 1",
        "y = h * 2",
        "y = -h",
        "y = F.gelu(h)",
        "y = F.leaky_relu(h)",
        "y = self.fc(h)",
        "y = self.norm(h)",
        "y = torch.cat([h, h])",
        "y = self.relu(h) + 0",
        "y = torch.sigmoid(h).clone()",
        "y = torch.sigmoid(h) * 1",
        "y = h.exp().detach().clone()",
        "y = torch.randn_like(h).mul_(h)",
        "y = (h + 1).sin_()",
        "y = F.silu(h + 1, inplace=True)",
        "y = torch.zeros_like(h)",
        "y = self.unknown(h)",
    ],
)
def test_results_that_are_not_kept(save: str) -> None:
    assert forward(save, "y += x", "return y") == []


@pytest.mark.parametrize(
    "save",
    ["y = h.sin()", "y = h ** 2", "y = h * h", "y = self.gate(h)", "y = self.norm(h)", "y = h * self.scale",
     "y = self.inner(h)", "y = F.linear(h, self.scale)"],
)  # fmt: skip
def test_arguments_that_are_kept(save: str) -> None:
    assert forward(save, "h += 1", "return y") == [2]


@pytest.mark.parametrize("save", ["y = h + 1", "y = h * 3", "y = torch.sigmoid(h)", "y = self.relu(h)", "y = h.sum()"])
def test_arguments_that_are_not_kept(save: str) -> None:
    assert forward(save, "h += 1", "return y") == []


def test_the_input_itself() -> None:
    assert forward("x += h", "return x") == [1]
    assert forward("x = x + h", "return x") == []
    assert forward("z = x.clone()", "z += h", "return z") == []


def test_residual_sums_in_a_loop() -> None:
    assert forward("for layer in self.layers:", "    h += layer(h)", "return h") == [2]
    assert forward("for layer in self.layers:", "    h = h + layer(h)", "return h") == []
    assert forward("for layer in self.layers:", "    h = layer(h)", "h += 1", "return h") == []


def test_residual_of_a_module_of_the_project() -> None:
    assert forward("h += self.inner(h)", "return h") == [1]
    assert forward("x += self.inner(x)", "return x") == [1]
    assert forward("a = self.inner(h)", "b = self.inner(x)", "b += a", "return b") == []


def test_a_row_of_outputs() -> None:
    assert forward(
        "out = torch.zeros(5, 4)",
        "for t in range(1, 5):",
        "    out[t] = self.fc(out[t - 1])",
        "return out",
    ) == [3]
    assert forward(
        "out = torch.zeros(5, 4)",
        "for t in range(5):",
        "    h = self.fc(h)",
        "    out[t] = h",
        "return out",
    ) == []


def test_items_of_a_list_are_other_tensors() -> None:
    assert forward(
        "maps = [layer(x) for layer in self.layers]",
        "for i in range(2):",
        "    maps[i + 1] += self.fc(maps[i])",
        "return maps",
    ) == []


def test_one_path_is_enough() -> None:
    assert forward("y = torch.exp(h)", "if self.flag:", "    y += 1", "return y") == [3]


def test_an_operation_that_ran_without_recording() -> None:
    assert forward("with torch.no_grad():", "    y = torch.exp(h)", "    y += 1", "return self.fc(y)") == []


def test_what_never_reaches_the_result() -> None:
    assert forward("y = torch.exp(h)", "print(y)", "y += 1", "return h") == []


def test_frozen_weights() -> None:
    assert lines(
        """\
        def run(batch):
            scale = torch.ones(3)
            y = torch.exp(batch * scale)
            y += 1
            y.sum().backward()
        """
    ) == []


def test_order_of_change_and_backward() -> None:
    body = """\
        def step(net: nn.Linear, batch: torch.Tensor):
            out = net(batch)
            {}
            {}
        """
    assert lines(body.format("batch += 1", "out.sum().backward()")) == [3]
    assert lines(body.format("out.sum().backward()", "batch += 1")) == []


def test_a_loop_over_batches() -> None:
    assert lines(
        """\
        def train(net: nn.Linear, loader):
            for batch, target in loader:
                batch.sub_(0.5)
                loss = F.mse_loss(net(batch), target)
                loss.backward()
                batch.add_(0.5)
        """
    ) == []


def test_a_function_without_a_backward_in_view() -> None:
    assert lines(
        """\
        def scores(net: nn.Module, x):
            y = torch.exp(net(x))
            y /= y.sum()
            return y
        """
    ) == []


def test_a_choice_of_activations() -> None:
    assert lines(
        """\
        def activation(name):
            return nn.ReLU() if name == "relu" else nn.SiLU()
        class Net(nn.Module):
            def __init__(self, name):
                super().__init__()
                self.fc, self.act = nn.Linear(2, 2), activation(name)
            def forward(self, x):
                y = self.act(self.fc(x))
                y += x
                return y
        """
    ) == []


def test_members_of_a_sequence_that_cannot_be_read() -> None:
    assert lines(
        """\
        class Net(nn.Module):
            def __init__(self, build):
                super().__init__()
                self.body = nn.Sequential(build(3, 3), nn.BatchNorm2d(3))
                self.relu = nn.ReLU(inplace=True)
            def forward(self, x):
                out = self.body(x)
                out += x
                return self.relu(out)
        """
    ) == []


def test_a_bottleneck_of_a_residual_network() -> None:
    assert lines(
        """\
        class Bottleneck(nn.Module):
            def __init__(self, width, downsample=None):
                super().__init__()
                self.conv1, self.bn1 = nn.Conv2d(width, width, 1, bias=False), nn.BatchNorm2d(width)
                self.conv2, self.bn2 = nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width)
                self.relu = nn.ReLU(inplace=True)
                self.downsample = downsample
            def forward(self, x):
                identity = x
                out = self.relu(self.bn1(self.conv1(x)))
                out = self.bn2(self.conv2(out))
                if self.downsample is not None:
                    identity = self.downsample(x)
                out += identity
                return self.relu(out)
        """
    ) == []
