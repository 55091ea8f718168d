"""The device and the stream of helpers."""
import torch
from torch import device as torch_device
from torch.cuda import device as on_device


def noise(shape, index):
    on_device(index)  # expect: TP410:5
    return torch.randn(shape, device="cuda")


class Sampler:
    def __init__(self, kind):
        self.stream = torch.cuda.Stream()
        if kind is None:
            torch_device("cpu")  # expect: TP410:13
        self.table = torch.zeros(10)

    def sample(self, count):
        torch.cuda.stream(self.stream)  # expect: TP410:9
        if torch.accelerator.is_available():
            torch.accelerator.device_index(0)  # expect: TP410:13
        return self.table[torch.randint(0, 10, (count,))]
