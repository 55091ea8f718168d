"""TP302 beyond its examples: small programs, each with the view that torch refuses or allows."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n\ndef f(x, k, *rest):\n"


def lines(body: str) -> list[int]:
    """Return the lines of *body*, from 1, with a TP302."""
    text = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    return [line - HEAD.count("\n") for line, _, _ in check(text, ["TP302"])]


@pytest.mark.parametrize(
    "body",
    [
        "x.transpose(1, 2).view(x.size(0), -1)",
        "x.permute(0, 2, 1).view(-1)",
        "torch.transpose(x, 1, 2).view(len(x), -1)",
        "torch.permute(x, (2, 0, 1)).view(-1)",
        "x.transpose(-1, -2).view(x.size(0), -1)",
        "x.swapaxes(0, 2).view(-1)",
        "x.movedim(0, -1).view(-1)",
        "x.t().view(-1)",
        "x.T.view(-1)",
        "x.mT.view(-1)",
        "x[:, 1:].view(-1)",
        "x[:, ::2].view(-1)",
        "x.unsqueeze(1).expand(-1, k, -1).view(-1, x.size(1))",
        "x.narrow(1, 0, k).view(-1)",
        "torch.zeros(2, 3).t().view(6)",
        "torch.zeros(2, 3).t().view((3, 2)[0] * 2)",
        "torch.zeros((2, 3)).t().clone().relu().view(-1)",
        "torch.zeros_like(torch.ones(2, 3).t()).view(6)",
        "torch.where(x.t() > 0, x.t(), 0).view(-1)",
        "F.relu(x.transpose(1, 2)).view(len(x), -1)",
        "(x.transpose(1, 2) * 2 + 1).view(len(x), -1)",
        "nn.Linear(3, 4).weight.t().view(-1)",
        "torch.zeros(4, 6).t().view(torch.int16)",
        "torch.zeros(4, 6, dtype=torch.uint8).T.view(torch.float32)",
        "torch.stack([x, x], 1).transpose(0, 1).transpose(1, 2).view(-1)",
        "torch.bmm(x, x).transpose(1, 2).view(len(x), -1)",
        "nn.Dropout(0.1)(x.transpose(1, 2)).view(len(x), -1)",
        "nn.GRU(3, 4, num_layers=2)(x)[1].transpose(0, 1).view(x.size(1), -1)",
    ],
)
def test_refused(body: str) -> None:
    assert lines(body) == [1]


@pytest.mark.parametrize(
    "body",
    [
        "x.transpose(1, 2).contiguous().view(x.size(0), -1)",
        "x.transpose(1, 2).reshape(x.size(0), -1)",
        "x.transpose(1, 2).view(*rest)",
        "x.transpose(1, 2).view(rest)",
        "x.transpose(1, 2).view(k)",
        "x.transpose(1, 2).view(torch.int32)",
        "torch.zeros(4, 6).t().view(torch.int32)",
        "torch.zeros(4, 6)[1:].view(torch.int16)",
        "torch.zeros(4, 6).t().half().view(torch.int16)",
        "x.transpose(k, 2).view(-1)",
        "torch.permute(x, (2, 0, 1)).view(k, -1)",
        "x.transpose(1, 1).view(x.size(0), -1)",
        "x.transpose(1, 2).transpose(2, 1).view(-1)",
        "x.transpose(1, 2).softmax(-1).view(len(x), -1)",
        "x.transpose(1, 2).view(x.size(0), x.size(2), 4, -1)",
        "x.unsqueeze(1).transpose(0, 1).view(-1)",
        "x[:k].view(-1)",
        "x[0].view(-1)",
        "x[..., :-1, :].view(-1)",  # of two dimensions
        "x[None].transpose(0, 1).view(-1)",
        "torch.zeros(1, 3).t().view(3)",
        "torch.zeros(2, 3, 4).permute(1, 2, 0).view(12, 2)",
        "torch.zeros(2, 3, 4).transpose(0, 1).view(3, 2, 2, 2)",
        "torch.arange(k)[1:].view(-1)",
        "nn.Conv2d(3, 4, 1)(x.permute(0, 3, 1, 2)).permute(0, 2, 3, 1).view(-1, 4)",  # channels last, and back
        "F.interpolate(x.permute(0, 3, 1, 2), size=4).permute(0, 2, 3, 1).view(-1)",
        "torch.einsum('ij,jk->ki', x, x).view(-1)",
        "x[[0, 1]].t().contiguous().view(-1)",
        "nn.Linear(3, 4)(x.transpose(1, 2)).view(len(x), -1)",
        "nn.GRU(3, 4)(x)[1].transpose(0, 1).view(x.size(1), -1)",  # one layer, one direction: size 1
        "(k * x.transpose(1, 2)).view(len(x), -1)",  # k may be a tensor, and then decides
        "k.view(-1)",
    ],
)
def test_allowed_or_unknown(body: str) -> None:
    assert lines(body) == []


def test_names_give_sizes() -> None:
    assert lines(
        """\
b, t, d = x.shape
h = d // 8
y = x.view(b, t, 8, h).transpose(1, 2)
y.view(b, 8, t, h)
y.view(b * 8, t, h)
z = y.transpose(1, 2)
z.view(b, t, 8 * h)
y.transpose(2, 3).view(b, d, t)
y.view(b, t, d)
"""
    ) == [5, 9]


def test_paths_that_disagree_are_unknown() -> None:
    assert lines(
        """\
if k:
    x = x.transpose(1, 2)
x.view(len(x), -1)
"""
    ) == []
    assert lines(
        """\
if k:
    y = x.transpose(1, 2)
else:
    y = x.permute(2, 0, 1)
y.view(len(x), -1)
for _ in range(3):
    y = y.contiguous()
y.view(len(x), -1)
"""
    ) == [5]


def test_position_is_the_view_call() -> None:
    assert check("import torch\ny = 1 + torch.ones(2, 3).t().view(6)\n", ["TP302"]) == [(2, 9, "TP302")]


HELPERS = """\
def swap(x):
    return x.transpose(1, 2)

def flat(x):
    return x.view(x.size(0), -1)
"""


def test_helpers_in_another_file() -> None:
    source = """\
        import torch
        import helpers

        def f(x: torch.Tensor):
            y = helpers.swap(x)
            return y.view(y.size(0), -1)
        """
    assert check({"a.py": source, "helpers.py": HELPERS}, ["TP302"]) == [(6, 12, "TP302")]


def test_a_caller_in_view_hands_over_what_the_helper_cannot_view() -> None:
    source = "import torch\n" + HELPERS + "\nflat(swap(torch.zeros(2, 3, 4)))\n"
    assert check(source, ["TP302"]) == [(6, 12, "TP302")]
    assert check(source.replace("flat(swap(", "flat(("), ["TP302"]) == []


def test_a_caller_in_view_has_transposed_before() -> None:
    source = """\
        import torch

        def f(x):
            return x.transpose(1, 2).view(x.size(0), -1)

        f(torch.zeros(2, 3, 4).transpose(1, 2))
        """
    assert check(source, ["TP302"]) == []


def test_attributes_of_self() -> None:
    source = """\
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.zeros(3, 4))
                self.table = torch.zeros(1, 4)

            def forward(self, x):
                return self.weight.t().view(12), self.table.t().view(4)
        """
    assert check(source, ["TP302"]) == [(11, 16, "TP302")]


LOADED = """\
import torch

def train(model, loader, device):
    for batch in loader:
        images, labels = batch
        images = images.to(device)
        images = images * 2
        images = images.permute(0, 3, 1, 2)
        model(images.view(images.size(0), -1))

def flat(tensors):
    return [one.t().view(-1) for one in tensors]

def careful(x):
    try:
        return x.t().view(-1)
    except RuntimeError:
        return x.t().reshape(-1)
"""


def test_what_comes_out_of_a_loop_and_what_is_tried() -> None:
    assert [line for line, *_ in check(LOADED, ["TP302"])] == [9, 12]


ATTENTION = """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = nn.MultiheadAttention(8, 2)
        self.first = nn.MultiheadAttention(8, 2, batch_first=True)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2), 2)

    def forward(self, x):
        y, _ = self.attend(x, x, x)
        z, _ = self.first(x, x, x)
        w = self.encoder(x)
        y.view(-1, 8), z.view(-1, 8), w.view(-1, 8)
        return y.transpose(0, 1).view(x.size(1), -1), w.transpose(0, 1).view(x.size(1), -1)
"""


def test_layers_that_transpose_inside() -> None:
    assert check(ATTENTION, ["TP302"]) == [(16, 16, "TP302"), (16, 55, "TP302")]


UNPACKED = """\
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        y = torch.softmax(q @ k.transpose(-2, -1), -1) @ v
        print(v.view(b, self.heads, t, 1, -1).shape)
        return y.transpose(1, 2).view(b, t, d)

def channels(images):
    n, c, h, w = images.shape
    first, *others = images.transpose(0, 1)
    print(first.view(n, h * w), first.view(n * h, w))
    for image in images.permute(0, 2, 3, 1):
        print(image.view(h * w, c), image.view(h, w * c))
"""


def test_parts_of_an_unpacked_tensor() -> None:
    assert check(UNPACKED, ["TP302"]) == [(15, 16, "TP302"), (20, 33, "TP302"), (22, 37, "TP302")]
