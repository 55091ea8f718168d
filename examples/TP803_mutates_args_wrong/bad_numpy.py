import numpy as np
import torch

sine = "mylib::sine"


def _clear(buffer: torch.Tensor) -> None:
    flat = buffer.view(-1)
    flat[0] = 0.0


@torch.library.custom_op(sine, mutates_args=["out"], device_types="cpu")  # expect: TP803:2
def numpy_sine(x: torch.Tensor, out: torch.Tensor, scratch: torch.Tensor) -> None:
    array = x.numpy()
    np.sin(array, out=array)
    torch.add(x, 1.0, out=out)
    _clear(scratch)


@torch.library.custom_op("mylib::sorted", mutates_args=())
def numpy_sorted(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    order = torch.from_numpy(np.argsort(x.numpy()))
    flat = x.view(-1)
    return order, flat  # expect: TP803:19


@torch.library.custom_op("mylib::copy", mutates_args={"destination"})  # expect: TP803:2
def copy_into(source: torch.Tensor, target: torch.Tensor) -> None:
    target.copy_(source)


@numpy_sorted.register_fake
def _(x):
    return torch.empty_like(x, dtype=torch.int64), x.new_empty(x.numel())


@torch.library.custom_op("mylib::clear", mutates_args="buffer")  # expect: TP803:2
def clear(buffer: torch.Tensor) -> None:
    _clear(buffer)
