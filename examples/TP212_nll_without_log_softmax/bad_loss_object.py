import torch
from torch import nn
from torchvision import models


def build(classes):
    net = models.resnet18(weights=None)
    net.fc = nn.Linear(512, classes)
    return net


class Trainer:
    def __init__(self, classes):
        self.net = build(classes)
        self.optimizer = torch.optim.AdamW(self.net.parameters())
        self.loss = nn.NLLLoss(ignore_index=-1)  # expect: TP212:21

    def run_batch(self, images, labels):
        self.optimizer.zero_grad()
        loss = self.loss(self.net(images), labels)
        loss.backward()
        self.optimizer.step()
        return loss.item()
