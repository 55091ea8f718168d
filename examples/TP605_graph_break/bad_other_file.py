import torch
from nets.base import Scaled, shift, shrink


class Net(Scaled):
    def forward(self, x):
        return super().forward(shift(x)) * 2


@torch.compile
def prepare(x):
    return shift(shrink(x))  # expect: TP605:18


def main():
    net = Scaled(4)
    net.compile()  # expect: TP605:5
    print(net(prepare(torch.randn(2, 4))))
