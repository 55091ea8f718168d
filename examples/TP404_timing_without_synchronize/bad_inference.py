"""The latency of a network."""
from time import perf_counter

import torch
import torchvision
from torch import nn


def latency(repeats):
    net = torchvision.models.resnet50().cuda().eval()  # expect: TP942:11
    image = torch.randn(1, 3, 224, 224).cuda()  # expect: TP945:13
    times = []
    with torch.no_grad():
        for _ in range(repeats):
            torch.cuda.synchronize()
            begin = perf_counter()
            net(image)
            end = perf_counter()  # expect: TP404:19
            times.append(end - begin)
    return sum(times) / repeats


class Demo:
    def __init__(self, net: nn.Module, device):
        self.device = device
        self.net = net.to(device).eval()

    @torch.no_grad()
    def show(self, frames):
        for frame in frames:
            frame = frame.to(self.device)
            self.began = perf_counter()
            boxes = self.net(frame.unsqueeze(0))
            rate = 1 / (perf_counter() - self.began)  # expect: TP404:25
            yield boxes, rate
