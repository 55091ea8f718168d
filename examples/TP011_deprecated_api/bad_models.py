import argparse

import torchvision
import torchvision.models as models
from torch.optim import SGD
from torch.optim.lr_scheduler import MultiStepLR
from torchvision.models import vgg16
from torchvision.models.segmentation import deeplabv3_resnet50


def build(arch: str, pretrained: bool):
    if arch == "vgg":
        return vgg16(pretrained)  # expect: TP011:16
    if arch == "deeplab":
        return deeplabv3_resnet50(pretrained_backbone=pretrained)  # expect: TP011:16
    if arch == "dense":
        return getattr(models, "densenet121")(pretrained=pretrained)  # expect: TP011:16
    return models.__dict__[arch](pretrained=pretrained)  # expect: TP011:12


class Trainer:
    def __init__(self, args: argparse.Namespace) -> None:
        self.net = build(args.arch, args.pretrained)
        self.optimizer = SGD(self.net.parameters(), lr=0.1)
        self.scheduler = MultiStepLR(self.optimizer, [30, 60])
        self.data = torchvision.datasets.MNIST("data", train=True)

    def run(self, epochs: int) -> None:
        images = self.data.train_data  # expect: TP011:18
        for epoch in range(epochs):
            self.optimizer.zero_grad()
            self.net(images).sum().backward()
            self.optimizer.step()
            self.scheduler.step(epoch)  # expect: TP011:13
