import torch
import torchvision
from torch import nn

from data import make_loader
from engine import train_epoch


def main(world_size, epochs):
    torch.distributed.init_process_group("gloo")  # expect: TP971:5
    model = torchvision.models.resnet18(num_classes=10)
    if world_size > 1:
        model = nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10)
    loader = make_loader("data", 64)
    for _ in range(epochs):
        train_epoch(model, loader, nn.CrossEntropyLoss(), optimizer)  # expect: TP706:9
        scheduler.step()
