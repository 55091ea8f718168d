import torch
from torch.library import custom_op, register_fake


@custom_op("curves::wave", mutates_args=[])  # expect: TP801:2
def wave(x: torch.Tensor) -> torch.Tensor:
    return torch.cos(x)


@register_fake("curves::wave")
def _(x):
    return torch.empty_like(x)


weight = torch.randn(3, requires_grad=True)
loss = torch.ops.curves.wave(weight).sum()
loss.backward()
print(weight.grad)
