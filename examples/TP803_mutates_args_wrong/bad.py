import torch
from torch import Tensor
from torch.library import custom_op


@custom_op("mylib::scale", mutates_args=())  # expect: TP803:2
def scale(x: Tensor, factor: float) -> None:
    x.mul_(factor)


@custom_op("mylib::normalize", mutates_args=())
def normalize(x: Tensor) -> Tensor:
    if x.dim() == 1:
        return x  # expect: TP803:16
    return x / x.norm(dim=1, keepdim=True)


@scale.register_fake
def _(x, factor):
    return None


@normalize.register_fake
def _(x):
    return torch.empty_like(x)


if __name__ == "__main__":
    with torch.no_grad():
        values = torch.ones(3)
        scale(values, 2.0)
        print(normalize(values))
