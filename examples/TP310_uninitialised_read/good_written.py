import torch
from torch import nn


def filled(xs: list[torch.Tensor], x: torch.Tensor) -> list[torch.Tensor]:
    rows = torch.empty(len(xs), 3)
    for i, row in enumerate(xs):
        rows[i] = row
    noise = torch.empty_like(x)
    noise.uniform_(-1, 1)
    ones = x.new_empty(3)
    ones.fill_(1)
    copied = torch.empty(x.shape)
    copied.copy_(x)
    product = torch.empty(3, 3)
    torch.matmul(x, x, out=product)
    init = torch.empty(3, 3)
    nn.init.orthogonal_(init)
    masked = torch.empty_like(x)
    masked[x > 0] = 1
    masked[x <= 0] = 0
    data = torch.Tensor([1.0, 2.0])
    both = torch.empty(0)
    both = torch.cat([both, x])
    return [rows + 1, noise + 1, ones + 1, copied * 2, product + init, masked * 2, data + 1, both]


def received(buffer_of, x: torch.Tensor) -> torch.Tensor:
    buffer = torch.empty(3)
    buffer_of(buffer)
    shape = torch.empty(2, 3, device="meta")
    print((shape + 1).shape)
    return buffer + x


def test_shapes() -> None:
    x = torch.empty(2, 3)
    assert (x + 1).shape == (2, 3)


def from_numbers(values, x: torch.Tensor) -> torch.Tensor:
    given = torch.Tensor(values)
    return given + x
