import numpy as np
import torch
from torch import Tensor
from torch.library import custom_op


@custom_op("mylib::scale", mutates_args={"x"})
def scale(x: Tensor, factor: float) -> None:
    x.mul_(factor)


@custom_op("mylib::whatever", mutates_args="unknown")
def whatever(x: Tensor, y: Tensor) -> None:
    x.add_(1)
    y[0] = x[0]


@custom_op("mylib::cosine", mutates_args=())
def cosine(x: Tensor) -> Tensor:
    array = np.cos(x.detach().cpu().numpy())
    array += 1
    return torch.from_numpy(array).to(x.device)


@custom_op("mylib::normalize", mutates_args=())
def normalize(x: Tensor, count: int) -> Tensor:
    x = x.clone()
    x.div_(x.norm())
    count += 1
    return x


@custom_op("mylib::filled", mutates_args=())
def filled(x: Tensor, value: float) -> Tensor:
    result = torch.empty_like(x)
    result.fill_(value)
    result[0] = x[0]
    torch.mul(result, 2, out=result)
    return result


@custom_op("mylib::packed", mutates_args=())
def packed(x: Tensor) -> Tensor:
    return x.contiguous().clone()


for op in (cosine, normalize, filled, packed):
    op.register_fake(lambda x, *rest: torch.empty_like(x))
