import torch
from torch import nn


@torch.library.custom_op("lines::smooth", mutates_args=())
def smooth(x: torch.Tensor) -> torch.Tensor:
    return torch.sin(x)


@smooth.register_fake
def _(x):
    return torch.empty_like(x)


def keep(ctx, inputs, output):
    ctx.save_for_backward(inputs[0])


def backward(ctx, grad):
    (x,) = ctx.saved_tensors
    return grad * torch.cos(x)


smooth.register_autograd(backward, setup_context=keep)


@torch.library.custom_op("lines::clear", mutates_args={"x"})
def clear(x: torch.Tensor) -> None:
    x.zero_()


@torch.library.custom_op("lines::exported", mutates_args=())
def exported(x: torch.Tensor) -> torch.Tensor:
    return torch.tan(x)


@exported.register_fake
def _(x):
    return torch.empty_like(x)


@torch.library.custom_op("lines::nearest", mutates_args=())
def nearest(x: torch.Tensor) -> torch.Tensor:
    return x.argmin(dim=-1)


@nearest.register_fake
def _(x):
    return x.new_empty(x.shape[:-1], dtype=torch.int64)


class Net(nn.Module):
    def forward(self, x):
        clear(x[nearest(x)])
        return smooth(x)
